"""How text and numbers are written on a page: the Jinja filters `shown`, `quantity`, `kind` ...

In: text of anybody, or the values of a measurement. Out: markup that is safe to show.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from datasette import hookimpl
from markupsafe import Markup, escape

from loader.model import SAID
from loader.text import readable

# Embeddings, overrides and isolates turn text around, so that it reads as what it is not.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_NAMES = {
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "end of embedding",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "end of isolate",
}


def visible(text: object) -> Markup:
    """`text` escaped, with the characters that change its direction shown as marks."""

    def mark(match: re.Match[str]) -> str:
        character = match.group()
        return f'<span class="bidi" title="{_NAMES[character]}">U+{ord(character):04X}</span>'

    return Markup(_BIDI.sub(mark, str(escape(text))))


def shown(text: object) -> Markup:
    """`visible(text)` in a `<bdi>`, so that it cannot disturb what stands around it."""
    return Markup(f"<bdi>{visible(text)}</bdi>")


def digits(value: float) -> str:
    """A number as people write it: `1,200,000`, `0.03`, `−4`; ten digits at most."""
    plain = f"{value:,.10g}" if abs(value) < 1e15 else f"{value:.6g}"
    return plain.replace("-", "−")


def quantity(measurement: Any) -> str:
    """The value of a measurement in one spelling: `−40 to −25%`, `24.69 → 10.22%`, `1.85×`.

    `measurement` has kind, low, high, spread and unit, by name. Where it has no number (a
    bound) that is its unit: `O(sqrt(T))`.
    """
    low, high, unit = measurement["low"], measurement["high"], measurement["unit"] or ""
    if low is None and high is None:
        return str(unit)
    if low is None or high is None or low == high:
        text = digits(high if low is None else low)
    elif measurement["kind"] == "from_to":
        text = f"{digits(low)} → {digits(high)}"
    else:
        text = f"{digits(low)} to {digits(high)}"
    if measurement["spread"] is not None:
        text += f" ± {digits(measurement['spread'])}"
    return text + (unit if unit in ("%", "×", "") else f" {unit}")


def count(number: int | None, one: str = "", many: str = "") -> str:
    """`1,234` or, with words, `1 paper` and `1,234 papers`."""
    number = number or 0
    word = one if number == 1 else many or (one and one + "s")
    return f"{number:,} {word}".strip()


def kind(value: str) -> str:
    """A kind of claim, number or name as people say it."""
    return SAID.get(value, value.replace("_", " "))


def as_read(written: str) -> Markup:
    """Words of a source without their markup; the title says how they stand there."""
    read = readable(written)
    if read == written:
        return shown(written)
    return Markup('<bdi title="{}">{}</bdi>').format(
        f"in the file, with its markup: {written}", visible(read)
    )


def extract(key: object, mapping: Any) -> Any:
    """`mapping[key]`, for `map("extract", mapping)`."""
    return mapping[key]


def segment(text: object) -> str:
    """`text` as one segment of an address: `a/b c` is `a%2Fb%20c`."""
    return quote(str(text), safe="")


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    env.globals["kinds_said"] = SAID
    env.filters.update(
        shown=shown,
        visible=visible,
        quantity=quantity,
        count=count,
        segment=segment,
        extract=extract,
        digits=digits,
        kind=kind,
        as_read=as_read,
    )
