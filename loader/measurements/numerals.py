"""The numeric expressions of a text: ranges, "from X to Y", spreads, pairs, number words, bounds.

In: plain text, and the stretches that are names. Out: `Quantity`, one for each expression worth
looking at. Linear: each digit is visited once, and every pattern is anchored and bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from loader.measurements import exclusions, spelled
from loader.measurements.atoms import NUMBER, RUN, Atom, broken, read
from loader.measurements.quantity import Quantity
from loader.measurements.units import UNIT, canonical
from loader.model import Qualifier, Span

_DIGIT: Final = re.compile(r"\d")
_ADDRESS: Final = re.compile(r"https?://\S+|www\.\S+|\b[a-z][\w-]*\.[a-z]{2,}/\S+|\b10\.\d{4,}/\S+")
# what no address does without; looked for before the costly pattern
_ADDRESS_HINT: Final = re.compile(r"\.[a-z]{2,}/|\.\d{4,}/|://|www\.")
_LINK: Final = re.compile(r",?\s(and|or)\s|,\s?")
_DASH: Final = re.compile(r"\s?(?:[–‑‒−-]|--|∼|~)\s?(?=[$€£+\-−]?[.\d])")
_TO: Final = re.compile(
    r"(?:\s\([^()\d]{1,24}\))?\s+(?:up\s+|down\s+)?to\s+(?:only\s+|just\s+|as\s+\w+\s+as\s+)?"
    r"(about|around|over|nearly|under|below|above|(?:less|more|fewer)\sthan|almost)?\s?(?=[$€£+\-−~∼≈]?[.\d])"
)
_TO_MARKS: Final[dict[str, Qualifier]] = {
    "about": "about", "around": "about", "nearly": "about", "almost": "about", "over": "more than",
    "above": "more than", "more than": "more than", "under": "less than", "below": "less than",
    "less than": "less than", "fewer than": "less than",
}  # fmt: skip
_AND: Final = re.compile(r"\s+and\s+(?=[$€£+\-−~∼≈]?[.\d])")
_FROM: Final = re.compile(
    r"\b[Ff]rom\s+(?:about\s+|around\s+|over\s+|nearly\s+|an?\s+|only\s+|just\s+)?\Z"
)
_BETWEEN: Final = re.compile(r"\b[Bb]etween\s+(?:about\s+|around\s+)?\Z")
_SPREAD: Final = re.compile(r"\s?\(?(?:±|\+/-|\+/−|\+-)\s?(\d+(?:\.\d+)?|\.\d+)(\s?%)?\)?")
_MARK: Final = re.compile(r"(<=|>=|[~∼≈≃≅<>≤≥≲≳⩽⩾≪≫])\s*\Z")
_MARKS: Final[dict[str, Qualifier]] = {
    "~": "about", "∼": "about", "≈": "about", "≃": "about", "≅": "about",
    "≪": "less than",
    "≫": "more than",
    "<": "less than", ">": "more than", "≲": "less than", "≳": "more than",
    "≤": "up to", "<=": "up to", "⩽": "up to", "≥": "at least", ">=": "at least", "⩾": "at least",
}  # fmt: skip
_SIGN: Final = re.compile(r"(?:(?<=[\s([{<>=~≈∼/|:,])|\A)[+\-−–]\Z")
_MONEY: Final = re.compile(r"(?:US|AU|CA)?([$€£¥])\s?\Z")
_SLASH: Final = re.compile(r"\s?/\s?(?=\.?\d)")
_OUT_OF: Final = re.compile(r"\s(?:out\s)?of\s(?:the\s|all\s|these\s)*(?=\d)")
_SCALE_END: Final = re.compile(r"\s?out of (?:5|7|10|100)\b(?!\s+[a-z]+s\b)")
_RATING: Final = frozenset((5.0, 7.0, 10.0, 100.0))


def find(text: str, names: Sequence[Span] = ()) -> list[Quantity]:
    """The numeric expressions of `text` in order, spans that do not overlap.

    `names` are stretches, sorted, whose digits belong to a name.
    """
    taken = spelled.bounds(text)
    blocked = sorted([*names, *(Span(q.start, q.end) for q in taken)])
    if ("/" in text or "www." in text) and (hint := _ADDRESS_HINT.search(text)):
        first = text.rfind(" ", 0, hint.start()) + 1  # no address has a space in it
        blocked = sorted([*blocked, *(Span(*m.span()) for m in _ADDRESS.finditer(text, first))])
    words = spelled.words(text, blocked)
    blocked = sorted([*blocked, *(Span(q.start, q.end) for q in words)])
    found = [*taken, *words, *_digits(text, blocked)]
    found.sort(key=lambda q: q.start)
    _share_units(text, found)
    return found


def _share_units(text: str, found: Sequence[Quantity]) -> None:
    """Gives the unit at the end of a list to all of it: "1, 2 and 5 ms"."""
    unit, conjunction = "", False
    for i in range(len(found) - 2, -1, -1):
        this, following = found[i], found[i + 1]
        between = text[this.end : following.start]
        link = _LINK.fullmatch(between) if len(between) < 8 else None
        if link is None or this.unit or this.noun or this.scale:
            unit, conjunction = "", False
            continue
        conjunction = conjunction or bool(link[1])
        this.listed = conjunction
        unit = unit or following.unit
        if conjunction and following.form == this.form == "value":
            this.unit = unit


def _digits(text: str, blocked: Sequence[Span]) -> list[Quantity]:
    found: list[Quantity] = []
    position, block = 0, 0
    while match := _DIGIT.search(text, position):
        start = match.start()
        while block < len(blocked) and blocked[block].end <= start:
            block += 1
        if block < len(blocked) and blocked[block].start <= start:
            position = blocked[block].end
            continue
        if (
            start
            and text[start - 1] == "."
            and (start == 1 or text[start - 2] in " \t\n([=<>~≈-−±/")
        ):
            start -= 1
        limit = blocked[block].start if block < len(blocked) else len(text)
        skip = exclusions.skip(text, start)
        if skip is not None:
            position = max(skip, match.end())
            continue
        quantities, position = _expression(text, start, limit, found)
        found += quantities
    return found


class _Before(NamedTuple):
    """What is written right before a number: where that begins, and what it says."""

    begin: int
    window: str  # the text before it, as far as anybody looks
    sign: str
    money: str
    mark: Qualifier | None


def _before(text: str, start: int) -> _Before:
    window = text[max(0, start - 32) : start]
    sign = money = ""
    mark: Qualifier | None = None
    if window.rstrip()[-1:].isalpha():
        return _Before(start, window, sign, money, mark)  # a word, as nearly always
    if found := _SIGN.search(window):
        sign, window = found[0], window[: found.start()]
    if found := _MONEY.search(window):
        money, window = found[1], window[: found.start()]
        if not sign and (found := _SIGN.search(window)):
            sign, window = found[0], window[: found.start()]
    if found := _MARK.search(window):
        mark, window = _MARKS[found[1]], window[: found.start()]
    return _Before(max(0, start - 32) + len(window), window, sign, money, mark)


def _expression(
    text: str, start: int, limit: int, earlier: Sequence[Quantity]
) -> tuple[list[Quantity], int]:
    """The quantities that begin at the digit at `start`, and where to go on reading."""
    first = read(text, start, limit)
    if broken(text, first):
        run = RUN.match(text, first.end)
        return [], run.end() if run else first.end
    before = _before(text, start)
    negative = before.sign not in ("", "+")
    quantity = Quantity(before.begin, first.end, 0.0, 0.0, first.unit or before.money)
    quantity.signed, quantity.mark = before.sign != "", before.mark
    last = _second(text, first, before.window, limit, earlier, quantity) or first
    low, factor = -first.value if negative else first.value, first.factor
    high = last.value * last.factor
    if last is first:
        high = low * factor
    elif last.factor != 1.0 and factor == 1.0 and first.value < high:
        factor = last.factor  # "5-10K"
    low *= factor
    if quantity.form == "range":
        dashed = (
            not text[first.end : last.number_end].strip().startswith(("to", "and", "up", "down"))
        )
        if negative and high > 0 and dashed:
            high = -high  # "-20-30%"
        low, high = sorted((low, high))
    quantity.low, quantity.high, quantity.end = low, high, last.end
    quantity.unit = quantity.unit or last.unit
    quantity.scale = last.scale or first.scale
    quantity.decimal = first.decimal or last.decimal
    quantity.noun = last.noun
    if last.plus and before.mark is None:
        quantity.mark = "more than"
    _add_spread(text, quantity)
    return _partners(text, quantity, limit)


def _add_spread(text: str, quantity: Quantity) -> None:
    """Takes in the "± 9.3 ms" behind a number."""
    spread = _SPREAD.match(text, quantity.end)
    if spread is None:
        return
    quantity.spread = float(spread[1])
    quantity.end = spread.end() - (spread[0].endswith(")") and "(" not in spread[0])
    if quantity.unit:
        return
    unit = UNIT.match(text, quantity.end)
    if spread[2]:
        quantity.unit = "%"
    elif unit is not None and unit.lastgroup in ("symbol", "word"):
        quantity.unit, quantity.end = canonical(unit[0]), unit.end()


def _second(
    text: str,
    first: Atom,
    window: str,
    limit: int,
    earlier: Sequence[Quantity],
    quantity: Quantity,
) -> Atom | None:
    """The other end of a range or from-to that `first` opens, if it does; sets span and form."""
    begin = quantity.start
    opened = _FROM.search(window) if "rom" in window else None
    between = _BETWEEN.search(window) if "etween" in window else None
    dash = _DASH.match(text, first.end)
    link = dash or _TO.match(text, first.end) or (between and _AND.match(text, first.end)) or None
    if not link or link.end() >= limit:
        return None
    place = link.end()
    if text[place] in "+-−$€£~∼≈" and not text[place].isdigit():
        negative = text[place] in "-−"
        place += 1
    else:
        negative = False
    if not NUMBER.match(text, place):
        return None
    if exclusions.GRID.match(text, place) or exclusions.CLOCK_OR_RATIO.match(text, place):
        return None
    second = read(text, place, limit)
    if broken(text, second):
        return None
    if (
        first.unit
        and second.unit != first.unit
        and not (dash is None and opened and not second.unit)
    ):
        return None
    if first.scale and not second.scale and not dash and second.value < first.value:
        return None
    if negative:
        second.value = -second.value
    if dash:
        quantity.form = "range"
        return second
    previous = earlier[-1] if earlier else None
    continues = (
        previous is not None
        and previous.form == "from_to"
        and re.fullmatch(
            r"(?:[^.;]{0,60}[,\s])?(?:and|,|or)\s(?:from\s)?", text[previous.end : begin]
        )
        is not None
    )
    if not between and link.re is _TO and link[1]:
        quantity.mark = quantity.mark or _TO_MARKS[link[1]]
    if between:
        quantity.form, quantity.start = "range", begin - len(between[0])
    elif opened or continues:
        quantity.form = "from_to"
        quantity.start = begin - len(opened[0]) if opened else begin
    else:
        if re.search(r"\b(?:to|than)\s\Z", window) and not first.scale:
            return None
        quantity.form = "range"
    return second


def _partners(text: str, quantity: Quantity, limit: int) -> tuple[list[Quantity], int]:
    """`quantity`, with what a slash, "out of" or "of" adds to it."""
    end = quantity.end
    if quantity.form != "value":
        return [quantity], end
    if quantity.decimal and (scale := _SCALE_END.match(text, end)):
        quantity.of_scale = True
        return [quantity], scale.end()
    if (slash := _SLASH.match(text, end)) and slash.end() < limit:
        return _slashed(text, quantity, slash.end(), limit)
    of = _OUT_OF.match(text, end)
    if of and of.end() < limit and not quantity.decimal and not quantity.unit:
        other = read(text, of.end(), limit)
        if not broken(text, other) and not other.unit and not other.decimal:
            mate = _mate(of.end(), other)
            mate.total, mate.noun = True, other.noun
            return [quantity, mate], other.end
    return [quantity], end


def _mate(start: int, atom: Atom) -> Quantity:
    value = atom.value * atom.factor
    return Quantity(
        start, atom.end, value, value, atom.unit,
        scale=atom.scale, decimal=atom.decimal, member=True,
    )  # fmt: skip


_FRACTION_OF: Final = re.compile(r"(?:\s|rd\b|th\b)+(?:of|the|as|fewer|less)\b")


def _slashed(text: str, quantity: Quantity, place: int, limit: int) -> tuple[list[Quantity], int]:
    """What "/" and the number at `place` make of `quantity`.

    A fraction (1/3), a rating (4.5/5), so many of so many (12/20), or values side by side.
    """
    other = read(text, place, limit)
    if broken(text, other) or quantity.low is None:
        return [quantity], quantity.end
    low, high = quantity.low, other.value * other.factor
    whole = not (quantity.decimal or other.decimal or quantity.unit or other.unit)
    small = whole and 0 < low < 10 and 1 < high < 10
    part = whole and 0 < low < high <= (1000 if low == 1 else 20)
    part = part and _FRACTION_OF.match(text, other.end) is not None
    if part or (small and (low > high or not exclusions.COUNTED.match(text, other.end))):
        quantity.low = quantity.high = low / high
        quantity.end, quantity.decimal = other.end, True
        if part:
            quantity.unit = "×"
        return [quantity], other.end
    rates = not other.unit and not other.decimal and high in _RATING
    if rates and quantity.decimal and low <= high:
        quantity.of_scale, quantity.end = True, other.end
        return [quantity], other.end
    if (
        other.power and not quantity.decimal
    ):  # "1/2 × 10^-3" is one number, of a shape that is not read
        return [], other.end
    found = [quantity, _mate(place, other)]
    if whole and low <= high:
        found[1].total = quantity.member = True
    while (slash := _SLASH.match(text, found[-1].end)) and slash.end() < limit:
        other = read(text, slash.end(), limit)
        if broken(text, other):
            break
        found.append(_mate(slash.end(), other))
    for q in found:
        q.unit = q.unit or found[-1].unit
    return found, found[-1].end
