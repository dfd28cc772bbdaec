"""One number with its scale and unit: "1.5M", "24 GB", "3e-4", "4000-sample".

In: a text and the place of a digit. Out: `Atom`, and whether what stands behind it makes it
part of a word or a formula after all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from loader.measurements.lexicon import HYPHEN_NOUNS
from loader.measurements.units import UNIT, canonical

NUMBER: Final = re.compile(
    r"(\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3},? (?:\d{3} )?000\b|\d+)(\.\d+)?|(\.\d+)"
)
EXPONENT: Final = re.compile(
    r"[eE]([+\-−–]?\d{1,3})(?!\w)|\s?[×x·⋅*]\s?10(?:\^\s?[({]?([+\-−–]?\d{1,3})[)}]?|([⁻−]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|([\-−–]\d{1,2})(?!\d))"
)
_POWER: Final = re.compile(r"\^\s?[({]?([+\-−–]?\d{1,3})[)}]?(?!\w)|([⁻−]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPERSCRIPTS: Final = str.maketrans("⁻−–⁰¹²³⁴⁵⁶⁷⁸⁹", "---0123456789")
_SCALE: Final = re.compile(
    r"[\s-]?(thousand|million|billion|trillion)s?\b|([kKMBT])(?![\w])(?!\s?=)|\s([MBK])(?=\s(?:[a-z-]+\s){0,2}[a-z-]+s\b)|(s)\b(?!\w)"
)
_SCALES: Final = {
    "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
}  # fmt: skip
_TRILLIONS: Final = re.compile(
    r"[\s-](?:[a-z]+\s){0,2}(?:tokens?|param\w*|operations?|FLOP\w*|MACs?|words|records|edges|bytes"
    r"|triples)\b"
)
_COMPOUND: Final = re.compile(r"-([A-Za-z]+)")
_TIMES: Final = re.compile(
    r"\stimes\b(?=\s+(?:more|less|fewer|faster|slower|higher|lower|larger|smaller|greater|better|"
    r"cheaper|longer|shorter|stronger|as\b|the\b|that\b|those\b|its\b|speed|accelerat|improv|reduc|increas|compress|"
    r"data|over\b|than\b|through|memory|effici|quicker|bigger|throughput)|\s?[.,;)])"
)
_MATH_AFTER: Final = re.compile(
    r"\s?(?:[/·⋅^_*]\s?[A-Za-zα-ωΑ-Ω√(∆]|\^\s?[{(]?[-−]?[A-Za-z]|[-−]\s?\d+\s?\^\s?[{(]?[-−]?[A-Za-z]|[+−=]\s?[A-Za-zα-ωΑ-Ω√(]|-\s[A-Za-zα-ω]|\s?[√∈]|[α-ωΑ-Ω∆∇∂∞])"
)
RUN: Final = re.compile(r"[\w@^_/.+×°'’-]{0,200}")  # bounded, for it is tried at each number


_COMMA: Final = re.compile(
    r"(\d{1,6}),(\d{1,2})(?=\s?%|\s(?:ms|s|min|h|GB|MB|kB|dB|k?Hz|k?Wh?|[ckm]?m|k?g)\b)"
)
_ENGLISH: Final = re.compile(
    r"\b(?:the|of|and|we|is|are|with|for|by|to|it|its|this|from|than|that|our)\b", re.IGNORECASE
)
# Small words of German, French, Spanish, Italian and Portuguese.
_FOREIGN: Final = re.compile(
    r"\b(?:der|die|das|den|und|von|auf|mit|ist|eine?|wird|les?|des|est|une|pour|dans|avec|el|los|las"
    r"|del|una|para|que|della|che|di|il|per|em|uma?|dos|das|nuestro|notre)\b",
    re.IGNORECASE,
)
_AROUND: Final = 150


def is_foreign(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` has small words of another language and none of English."""
    if _ENGLISH.search(text, start, end):
        return False
    seen = {match[0].lower() for match in _FOREIGN.finditer(text, start, end)}
    return len(seen) > 1


def decimal_comma(text: str, start: int) -> re.Match[str] | None:
    """The "12,5" before a unit at `start`, where the words around it are of another language."""
    comma = _COMMA.match(text, start)
    if comma is None:
        return None
    foreign = is_foreign(text, max(0, start - _AROUND), comma.end() + _AROUND)
    return comma if foreign else None


@dataclass(slots=True)
class Atom:
    """One number with what is written right behind it."""

    end: int
    value: float
    decimal: bool
    scale: str = ""
    factor: float = 1.0
    unit: str = ""
    plus: bool = False
    noun: str = ""
    number_end: int = 0  # behind the digits, before a scale or unit
    power: bool = False


_ANY_TIMES: Final = re.compile(r"\stimes\b")
_PLURAL_OF: Final = re.compile(r"s (?:of|to)\b")


def _times(atom: Atom, text: str, start: int) -> re.Pattern[str]:
    """What "times" must look like where it is a factor: "by 30 times", not "was run 30 times"."""
    return _ANY_TIMES if atom.decimal or text.endswith(" by ", 0, start) else _TIMES


def read(text: str, start: int, limit: int) -> Atom:
    """The number at `start`; there must be one."""
    match = NUMBER.match(text, start)
    assert match is not None
    whole, fraction, bare = match.groups()
    if comma := decimal_comma(text, start):
        match, whole, fraction = comma, comma[1], "." + comma[2]
    digits = bare or whole.replace(",", "").replace(" ", "") + (fraction or "")
    value = float(digits) if len(digits) < 300 else float("inf")
    atom = Atom(match.end(), value, bool(fraction or bare), number_end=match.end())
    if exponent := EXPONENT.match(text, atom.end):
        written = next(g for g in exponent.groups() if g)
        atom.value = _scaled(digits, written)
        atom.end, atom.decimal, atom.power = exponent.end(), True, True
    elif whole == "10" and not fraction and (power := _POWER.match(text, atom.end)):
        atom.value = _scaled("1", power[1] or power[2])
        atom.end, atom.power = power.end(), True
    if scale := _SCALE.match(text, atom.end):
        word = scale[1] or scale[2] or scale[3]
        if word == "T" and not _TRILLIONS.match(text, scale.end()):
            return atom  # tesla
        if word:
            atom.scale, atom.factor, atom.end = word, _SCALES[word], scale.end()
            tail = re.match(r"s\b", text[atom.end : atom.end + 2]) if not scale[1] else None
            atom.end += 1 if tail else 0
        elif "," in (whole or "") or (value % 10 == 0 and _PLURAL_OF.match(text, atom.end)):
            atom.end = scale.end()  # "1,000s of parameters"; a bare "10s" is seconds
    if text.startswith("+", atom.end) and not text[atom.end + 1 : atom.end + 2].isalnum():
        atom.plus, atom.end = True, atom.end + 1
    if unit := UNIT.match(text, atom.end):
        kind = unit.lastgroup
        if unit["percent"]:
            atom.unit = "points" if unit["ppoint"] else "%"
        elif kind in ("times", "x", "fold"):
            atom.unit = "×"
        elif kind == "apoints":
            atom.unit = "points"
        elif kind == "word" and unit["word"].startswith("point") and atom.scale:
            return atom
        else:
            atom.unit = canonical(unit[0].strip().lstrip("-") if kind != "bit" else "bit")
        atom.end = unit.end()
        if text.startswith("+", atom.end) and not text[atom.end + 1 : atom.end + 2].isalnum():
            atom.plus, atom.end = True, atom.end + 1
    elif times := _times(atom, text, start).match(text, atom.end):
        atom.unit, atom.end = "×", times.end()
    elif compound := _COMPOUND.match(text, atom.end):
        word = compound[1].lower()
        if word in HYPHEN_NOUNS or word.removesuffix("s") in HYPHEN_NOUNS:
            atom.noun = compound[1]
    if atom.end > limit:
        atom.end = max(atom.number_end, limit)
    return atom


def _scaled(digits: str, exponent: str) -> float:
    return float(f"{digits[:300]}e{exponent.translate(_SUPERSCRIPTS)}")


def broken(text: str, atom: Atom) -> bool:
    """Whether letters or a hyphen right behind the number make it part of a word or formula."""
    after = text[atom.end : atom.end + 1]
    if after.isalnum() or after in ("_", "@"):
        return True
    if (
        after == "-"
        and not atom.unit
        and not atom.noun
        and text[atom.end + 1 : atom.end + 2].isalpha()
    ):
        return True
    return not atom.unit and _MATH_AFTER.match(text, atom.end) is not None
