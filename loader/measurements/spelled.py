"""Number words that compare, and asymptotic bounds.

In: a text. Out: a `Quantity` for each "twice", "half the", "tenfold", "two orders of
magnitude", and for each `O(n log n)`, `k^(-1/2)` rate and the like.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from loader.measurements.lexicon import NUMBER_WORDS
from loader.measurements.quantity import Quantity
from loader.model import Span

_NUMBER_WORD: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_COUNT_WORD: Final = (
    rf"(?:{_NUMBER_WORD}|several|multiple|many|a few|few|\d+(?:\.\d+)?(?:\s?[–-]\s?\d+)?)"
)
_WORDS: Final = re.compile(
    rf"(?i)\b(?:(?P<half>half)(?=\s(?:the|as|that|its|their|of\s(?:the|its|their)\s(?:[a-z]+\s)?(?:memory|compute|cost|time|size|parameters|budget|tokens|data)|(?:memory|compute|cost|time|size)\b))"
    rf"|(?P<inhalf>(?:in|by)\shalf)\b"
    rf"|(?P<halve>halv(?:es?|ed|ing)\b)(?=\s(?:the|its|their|[a-z]+\s(?:cost|time|memory|usage|error)|memory|latency|cost)|\s?[.,])"
    rf"|(?P<twice>twice|thrice)(?=\s(?:as|the|that|its|their|more|faster|larger|higher|smaller|fewer|less)\b)"
    rf"|(?P<double>doubl(?:es|ed|ing)|tripl(?:es|ed|ing)|quadrupl(?:es|ed|ing))(?=\s(?:the|its|their|[a-z]+\s(?:speed|rate|throughput|accuracy)|throughput|accuracy))"
    rf"|(?P<twofold>double|triple|quadruple)(?=\s(?:the|that|its|their|as)\b)"
    rf"|(?P<times>(?:{_NUMBER_WORD})(?:[\s-]to[\s-](?:{_NUMBER_WORD}))?\stimes)(?=\s(?:as|more|less|fewer|faster|slower|higher|lower|larger|smaller|greater|better|cheaper|longer|shorter|the|that|over)\b)"
    rf"|(?P<fold>(?:{_NUMBER_WORD})[\s-]?fold)(?=\s(?:[a-z-]+\s)?(?:improve|increase|reduc|speed|higher|faster|decrease|more|less|fewer|lower|greater|gain|accelerat|saving)|\s?[.,]\s?\Z)"
    rf"|(?P<magnitude>(?:(?P<many>{_COUNT_WORD})(?:[\s–-]+(?:to|or)?[\s–-]*(?P<more>{_NUMBER_WORD}|\d+))?\s|an?\s)?orders?[\s-]of[\s-]magnitudes?)\b)"
)
# What a number word cannot do without; looked for before the costly pattern.
_WORD_HINTS: Final = (
    "half", "halv", "twice", "thrice", "doubl", "tripl", "quadrup", "fold", " times", "magnitude",
)  # fmt: skip
_FOLD: Final = {
    "half": 0.5,
    "halv": 0.5,
    "twic": 2.0,
    "doub": 2.0,
    "trip": 3.0,
    "thri": 3.0,
    "quad": 4.0,
}


def words(text: str, blocked: Sequence[Span]) -> list[Quantity]:
    """The number words of a text that compare, in order, outside the `blocked` stretches."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have a longer small form
        lower = text
    hints = [h for h in _WORD_HINTS if h in lower]
    if not hints:
        return []
    places = sorted(m.start() for h in hints for m in re.finditer(h, lower))
    found: list[Quantity] = []
    for place in places:
        begin = max(place - 40, found[-1].end if found else 0)
        match = _WORDS.search(text, begin, place + 60)
        if match is None or not match.start() <= place + 1 < match.end():
            continue
        start, end = match.span()
        if blocked:
            after = bisect_left(blocked, Span(end, 0))
            if after and blocked[after - 1].end > start:
                continue
        kind = match.lastgroup
        word = match[0].lower()
        if match["magnitude"]:
            low, high = _magnitude(match["many"], match["more"], "orders" in word)
        elif kind in ("times", "fold"):
            parts = [NUMBER_WORDS[w] for w in re.split(r"[\s-]+", word) if w in NUMBER_WORDS]
            if not parts:
                parts = [
                    next(
                        NUMBER_WORDS[w] for w in NUMBER_WORDS if word.startswith(w) and w != "zero"
                    )
                ]
            low, high = parts[0], parts[-1]
        elif kind == "inhalf":
            start += 3
            low = high = 0.5
        else:
            low = high = _FOLD[word[:4]]
        found.append(Quantity(start, end, low, high, "×", "word"))
    return found


def _magnitude(
    many: str | None, more: str | None, plural: bool
) -> tuple[float | None, float | None]:
    def power(word: str) -> float | None:
        exponent = NUMBER_WORDS.get(word.lower())
        if exponent is None and re.fullmatch(r"\d+(?:\.\d+)?", word):
            exponent = float(word)
        return 10.0**exponent if exponent is not None and exponent <= 300 else None

    if many is None:
        return (None, None) if plural else (10.0, 10.0)
    ends = re.split(r"\s?[–-]\s?", many) if many[0].isdigit() else [many]
    low, high = power(ends[0]), power(more or ends[-1])
    return (low, high) if low is not None and high is not None else (None, None)


# what no bound does without, looked for before the costly patterns
_ASCII_HINTS: Final = ("O(", "o(", "O*", "O (", "O^")
_OTHER_HINTS: Final = ("Õ", "Θ", "Ω", "Ο", "𝒪", "O\u0303", "O\u02dc", "o\u0303", "o\u02dc")
_BOUND: Final = re.compile(
    r"(?<![\w.])(?:[~˜]?\s?(?:[OΘΩΟ𝒪]|o(?=\())[̃˜]?|Õ|Ω̃|Θ̃)(?:_?\*|\^\*)?\s?\("
)
_RATE: Final = re.compile(
    r"(?<![\w^])((?:[A-Za-z]\^\(?[−-]?[\d./]+\)?|1/√?\(?[A-Za-z]\)?(?:\^\(?[\d./]+\)?)?|√\(?[A-Za-z/]+\)?))"
    r"(?=[\s-]{1,2}(?:[a-z]+\s)?(?:rate|rates|convergence|regret|error|bound)\b)"
)
_GROWTH: Final = (
    r"[A-Za-z](?:\^\(?[\w./−+-]*\w\)?)?(?:\slog(?:\^\d)?\s?\(?[A-Za-z]\)?)"
    r"|[A-Za-z]\^\(?[\w./−+-]*\w\)?"
)
_FROM_GROWTH: Final = re.compile(rf"\bfrom\s({_GROWTH})\sto\s({_GROWTH})(?![\w^])")
_BOUND_TAIL: Final = re.compile(r"\s?\+\s?[\wε√]+(?![\w(])")


def bounds(text: str) -> list[Quantity]:
    """The asymptotic bounds of a text, in order."""
    power, log = "^" in text, " log" in text
    root = not text.isascii() and "√" in text
    letter = any(hint in text for hint in _ASCII_HINTS) or (
        not text.isascii() and any(hint in text for hint in _OTHER_HINTS)
    )
    if not (letter or power or log or root):
        return []
    found: list[Quantity] = []
    position = 0
    while letter and (match := _BOUND.search(text, position)):
        end = closing(text, match.end() - 1)
        position = match.end()
        if end is None:
            continue
        while tail := _BOUND_TAIL.match(text, end):
            end = tail.end()
        written = _in_letters(text[match.start() : end])
        found.append(Quantity(match.start(), end, None, None, written, "bound"))
        position = end
    if power or root or "1/" in text:
        for match in _RATE.finditer(text):
            found.append(Quantity(*match.span(1), None, None, _in_letters(match[1]), "bound"))
    if power or log:
        for match in _FROM_GROWTH.finditer(text):
            found += [
                Quantity(*match.span(i), None, None, _in_letters(match[i]), "bound") for i in (1, 2)
            ]
    found.sort(key=lambda q: q.start)
    return [q for i, q in enumerate(found) if not i or q.start >= found[i - 1].end]


_GREEK: Final = {
    letter: unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for letter in "αβγδεζηθικλμνξπρστυφχψω"
} | {"ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ϱ": "rho"}
_SMALL_GREEK: Final = re.compile("[" + "".join(_GREEK) + "]")


def _in_letters(written: str) -> str:
    """A bound with single spaces and its small Greek letters spelled: `O(1/epsilon^2)`."""

    def spelled(match: re.Match[str]) -> str:
        before = written[match.start() - 1 : match.start()]
        return (" " if before.isalnum() else "") + _GREEK[match[0]]

    written = " ".join(written.split())
    return _SMALL_GREEK.sub(spelled, written)


def closing(text: str, opening: int, limit: int = 200) -> int | None:
    """The place behind the bracket that closes the one at `opening`, within `limit`."""
    depth = 0
    for i in range(opening, min(len(text), opening + limit)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if not depth:
                return i + 1
    return None
