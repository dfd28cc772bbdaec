"""A sentence as the words around its quantities.

In: a sentence of plain text and the quantities in it. Out: `Reading`: its tokens with their
class, and the noun phrases that end or begin at a token.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from loader.measurements.lexicon import (
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    METRIC_HEADS,
    VERBS,
    word_class,
)
from loader.measurements.quantity import Quantity

_TOKEN: Final = re.compile(
    r"(?P<short>\(\s?[\w@/&’' +-]{1,30}\s?\))"
    r"|[^\W_](?:[\w@$^+*#]|[-‑’'.&/×](?=[\w$]))*(?:-(?=\s(?:and|or)\b|\sand/))?|[^\s]"
)
_ACRONYM: Final = re.compile(r"\(\s?(?=[^)]*[A-Z])[\w@/&’'+-]+(?:\s[\w@/&’'+-]+)?\s?\)")

_BEFORE_VERBS: Final = frozenset("we it they i which that to can".split())
# Behind one of these a word like "drops" is a verb: "accuracy drops by", "Alpha scores 3%".
_OBJECT: Final = re.compile(r"\s(?:the|an?|its)\s|\s(?:up to|only|just|over|about)\s\d|\s\d")
_ACTING: Final = frozenset(
    "approach method model system framework algorithm technique strategy".split()
)
_OBJECT_BY: Final = re.compile(r"(?:\s[\w@-]+){1,4}\s(?:by|from)\s")
_ARTICLE_NEXT: Final = re.compile(r"\s(?:the|an?|its|their)\s")
_VALUE: Final = re.compile(r"\s(?:only\s|just\s|about\s)?\d+(?:\.\d+)?%")
_PLURALS: Final = frozenset("models variants datasets benchmarks tasks images scores".split())
_REPORTING: Final = frozenset(
    "show demonstrate indicate reveal confirm suggest validate verify prove find".split()
)
_SCORING: Final = frozenset("score reach yield".split())
_NEXT_WORD: Final = re.compile(r"\s(\w+)")
_VERBAL: Final = re.compile(
    r"\s(?:(?:only|just|about|nearly|roughly|\w+ly)\s)?(?:(?P<by>by|to|from|at)\b|(?:the|an?|its|all)\b"
    r"|[~∼≈<>≥≤+−-]?\s?\d)"
)
# Nouns of change that are verbs as often.
_FALLS: Final = re.compile(r"\s(?:by|to|from|below|above|behind)\s")
_FALLING: Final = frozenset("drops increases decreases declines rises falls jumps".split())
_AFTER_VERBS: Final = frozenset("to by into at within".split())
_ARTICLES: Final = frozenset("the a an its their our his her this these those".split())
# Behind these a capital letter begins something new: "on the X benchmarks Y achieves".
_CLOSING_HEADS: Final = frozenset("benchmarks datasets tasks models benchmark dataset ones".split())
# What describes a metric without being part of its name.
_LOOSE: Final = frozenset(
    "average averaged avg absolute relative significant significantly consistent consistently "
    "strong superior competitive substantial remarkable impressive high higher low lower "
    "better new best further additional new notable large larger mean-level great only just "
    "more less fewer greater considerable near-perfect outstanding corresponding resulting "
    "respective faster state-of-the-art sota promising tremendous excellent approximate "
    "published reported up clear stronger cheaper shorter smaller worse "
    "improved actual record winning overall-best reported simple lowest highest smallest "
    "largest".split()
)


class Token(NamedTuple):
    """A word, a punctuation mark or a quantity (`cls` "#", `quantity` its index)."""

    start: int
    end: int
    low: str
    cls: str
    quantity: int = -1


class Phrase(NamedTuple):
    """Tokens `first` to `last`, both included."""

    first: int
    last: int


@lru_cache(20_000)
def _read(word: str) -> tuple[str, str, bool]:
    """A token in lower case, its class, and whether nothing around it can change that."""
    if not word[0].isalnum():
        return word, "X", word != "-"
    low = word.lower()
    cls = word_class(low)
    may_be_verb = cls == "N" and (low in VERBS or low[-1] == "s")
    titled = cls == "P" and word[0].isupper()
    return low, cls, not (cls == "V" or may_be_verb or titled or low == "relative")


class Reading:
    """The tokens of one sentence; `text` is the whole plain text, offsets count in it."""

    __slots__ = (
        "_classes",
        "_lows",
        "_starts",
        "end",
        "places",
        "quantities",
        "start",
        "text",
        "tokens",
    )

    def __init__(self, text: str, start: int, end: int, quantities: Sequence[Quantity]) -> None:
        self.text, self.start, self.end, self.quantities = text, start, end, quantities
        self.tokens: list[Token] = []
        self.places: list[int] = []  # token index of each quantity
        position = start
        for n, quantity in enumerate(quantities):
            self._words(position, quantity.start)
            self.places.append(len(self.tokens))
            self.tokens.append(Token(quantity.start, quantity.end, "", "#", n))
            position = quantity.end
        self._words(position, end)
        self._starts = [t.start for t in self.tokens]
        self._lows = {i: t.low for i, t in enumerate(self.tokens)}
        self._classes = {i: t.cls for i, t in enumerate(self.tokens)}

    def _words(self, start: int, end: int) -> None:
        add = self.tokens.append
        for match in _TOKEN.finditer(self.text, start, end):
            if match.lastgroup:
                if _ACRONYM.fullmatch(match[0]):
                    continue  # "(WER)" between a metric and its value is not in the way
                for inner in _TOKEN.finditer(self.text, match.start() + 1, match.end() - 1):
                    if inner.start() == match.start() + 1:
                        add(Token(match.start(), match.start() + 1, "(", "X"))
                    self._word(inner[0], inner.start())
                add(Token(match.end() - 1, match.end(), ")", "X"))
            else:
                self._word(match[0], match.start())

    def _word(self, word: str, start: int) -> None:
        low, cls, sure = _read(word) if len(word) < 40 else _read.__wrapped__(word)
        end = start + len(word)
        if not sure:
            if word == "-":
                if self.tokens and self.tokens[-1].cls == "#":
                    return
            else:
                cls = self._class(word, low, cls, end)
        self.tokens.append(Token(start, end, low, cls))

    def _class(self, word: str, low: str, cls: str, end: int) -> str:
        """The class of a word that may be one thing or another."""
        if low == "relative" and self.text.startswith(" to ", end):
            cls = "P"
        if self.tokens:
            before = self.tokens[-1].cls
            if cls == "P" and before == "N" and word[0].isupper() and self._titled(end):
                cls = "N"  # "Utility Under Attack"
            if cls == "V" and self._part_of_noun(low, end):
                return "N"
            if cls == "N" and before in "NVPC" and (low in VERBS or low[-1] == "s"):
                return "V" if self._verbal(low, end) else "N"
            if cls == "N" and low in _FALLING and self.tokens[-1].low == ",":
                return "V" if _FALLS.match(self.text, end, self.end) else "N"
        return cls

    def _verbal(self, low: str, end: int) -> bool:
        """Whether a word that may be a noun is a verb, by what stands before and behind it."""
        before = self.tokens[-1]
        if low not in VERBS:
            return self._predicate(low, end)
        if before.low in _BEFORE_VERBS:
            return True
        if before.cls == "C" and low[-1] == "s" and low not in CHANGE_NOUNS:
            if low.removesuffix("s") in METRIC_HEADS or low in _PLURALS:
                return False
            if _OBJECT.match(self.text, end, self.end):
                return True  # "and supports up to 4,096 environments"
        if before.cls == "C" and low in CHANGE_VERBS:
            following = _ARTICLE_NEXT.match(self.text, end, self.end) or _OBJECT_BY.match(
                self.text, end, self.end
            )
            return low.endswith("s") and following is not None
        if before.cls != "N" or low.endswith("ing"):
            return False
        if before.low in _ACTING and low in CHANGE_VERBS and low.endswith("s"):
            return True  # "our approach increases recall"
        if low in _SCORING and self._paired():
            return True
        verbal = _VERBAL.match(self.text, end, self.end)
        if verbal is None:
            named = self.text[before.start : before.end] != before.low or low not in CHANGE_NOUNS
            changes = named and low in CHANGE_VERBS and low.endswith(("s", "ed"))
            return changes and _OBJECT_BY.match(self.text, end, self.end) is not None
        if not low.endswith("s") and not low.endswith("ed"):
            return before.low.endswith("s") and not before.low.endswith("ss")
        if low in METRIC_HEADS or low.removesuffix("s") in METRIC_HEADS:
            name = self.text[before.start : before.end] != before.low
            return name and not verbal["by"] and before.low not in METRIC_HEADS
        if low in CHANGE_NOUNS and low not in _FALLING:
            return False
        return low.endswith("s") or low in CHANGE_VERBS

    def _paired(self) -> bool:
        """Whether two names end here, joined by "and", of which the last is no metric."""
        tokens = self.tokens
        both = next((n for n in (-2, -3) if len(tokens) > -n and tokens[n].low == "and"), None)
        if both is None or tokens[both - 1].cls != "N" or tokens[-1].low in METRIC_HEADS:
            return False
        first, before = tokens[both + 1], tokens[both - 1]
        shaped = any(c.isupper() or c.isdigit() for c in self.text[before.start : before.end])
        return shaped and self.text[first.start : first.end] != first.low

    def _predicate(self, low: str, end: int) -> bool:
        """Whether an unknown word behind a name is a verb: "Alpha-2 fabricates 11%"."""
        before = self.tokens[-1]
        if before.cls != "N" or not low.endswith("s") or low.endswith("ss"):
            return False
        if before.low == self.text[before.start : before.end] or low in METRIC_HEADS:
            return False
        if low in CHANGE_NOUNS or low.removesuffix("s") in METRIC_HEADS or low in _PLURALS:
            return False
        return _VALUE.match(self.text, end, self.end) is not None

    def _titled(self, end: int) -> bool:
        """Whether the word that ends at `end` is one of a name in capitals."""
        before = self.tokens[-1]
        following = _NEXT_WORD.match(self.text, end, self.end)
        return (
            following is not None
            and following[1][0].isupper()
            and self.text[before.start].isupper()
        )

    def _part_of_noun(self, low: str, end: int) -> bool:
        """Whether a verb is none here: "exact match", "the processing speed"."""
        if self.tokens[-1].cls == "D" and low.endswith("ing"):
            following = _NEXT_WORD.match(self.text, end, self.end)
            return following is not None and following[1].lower() in METRIC_HEADS
        if low == "saving" and self.tokens[-1].cls == "N":
            return _VALUE.match(self.text, end, self.end) is None
        return low[-1] not in "sg" and self._nominal(low, end)

    def _nominal(self, low: str, end: int) -> bool:
        """Whether a verb is a part of a noun: "exact match", "true accept rate"."""
        before = self.tokens[-1]
        if low == "match":
            return before.low == "exact"
        if before.cls not in "ND" or not before.low or before.low.endswith("s"):
            return False
        if before.low != self.text[before.start : before.end]:
            return False
        if low.endswith(("s", "ed", "ing")) or before.low in _BEFORE_VERBS:
            return False
        following = _NEXT_WORD.match(self.text, end, self.end)
        return following is not None and following[1] in METRIC_HEADS

    def at(self, place: int) -> int:
        """The index of the first token that starts at or behind `place`."""
        return bisect_left(self._starts, place)

    def says(self, words: frozenset[str]) -> bool:
        """Whether one of `words`, in lower case, is among the tokens."""
        return not words.isdisjoint(self._lows.values())

    def low(self, i: int) -> str:
        """The lower-case word at token `i`, "" outside the sentence."""
        return self._lows.get(i, "")

    def cls(self, i: int) -> str:
        """The class of token `i`, "X" outside the sentence."""
        return self._classes.get(i, "X")

    def words(self, phrase: Phrase) -> str:
        """The text of a phrase as written, white space made single."""
        return " ".join(
            self.text[self.tokens[phrase.first].start : self.tokens[phrase.last].end].split()
        )

    def phrase_ending(self, last: int) -> Phrase | None:
        """The noun phrase whose last word is token `last`."""
        whole = self.whole_ending(last)
        return self.trimmed(whole) if whole is not None else None

    def whole_ending(self, last: int) -> Phrase | None:
        """The same with the loose words it begins with."""
        i = last
        while i >= 0 and self._inside(i):
            i -= 1
        return Phrase(i + 1, last) if i < last else None

    def phrase_from(self, first: int, limit: int = 12) -> Phrase | None:
        """The noun phrase that begins at token `first`, determiners and adverbs left out."""
        while self.low(first) and (
            self.cls(first) in "DR"
            or (
                self.cls(first) == "V"
                and self.low(first)[-2:] == "ed"
                and self.cls(first + 1) == "N"
            )
        ):
            first += 1
        i = first
        while i < len(self.tokens) and i < first + limit and self._inside(i):
            i += 1
            if self.low(i - 1) in _CLOSING_HEADS and self.capital(i):
                break
        return Phrase(first, i - 1) if i > first else None

    def compound(self, i: int) -> bool:
        """Whether token `i` is the number of a compound, "20-task"."""
        if self.cls(i) != "#":
            return False
        end = self.tokens[i].end
        return self.text.startswith("-", end) and self.text[end + 1 : end + 2].isalpha()

    def chain(self, first: int, of: bool = True) -> Phrase | None:
        """A noun phrase with the counts in it, its "of ..." and what "and" joins to it."""
        while self.low(first) in _ARTICLES:
            first += 1
        last = None
        i = first
        while i < min(len(self.tokens), first + 18):
            cls, low = self.cls(i), self.low(i)
            fresh = last == i - 1
            if cls == "N":
                last = i
                if low in _CLOSING_HEADS and self.capital(i + 1):
                    break
            elif cls == "#":
                begins = last is None or self.cls(i - 1) in "CDP" or self.compound(i)
                if not self.counts(i) or not begins:
                    break
            elif cls in "DR":
                if not low or self.cls(i + 1) not in "NDR#" or (cls == "D" and fresh):
                    break
            elif low == "out" or (low == "of" and self.low(i - 1) == "out"):
                if "of" not in (low, self.low(i + 1)):
                    break
            elif low == "of":
                if not of or not fresh or self.cls(i + 1) not in "NDR#":
                    break
            elif low in ("and", "or"):
                both = self.low(first - 1) == "both"
                fresh = fresh or self.low(i - 1) == ","
                if not fresh or self.cls(i + 1) not in "NDR#" or not (both or self._joins(i + 1)):
                    break
            elif low == ",":
                if not fresh or not self._lists(i):
                    break
            elif low not in ("&", "’") and not (cls == "C" and self.low(i - 1).endswith("-")):
                break
            i += 1
        return Phrase(first, last) if last is not None and last >= first else None

    def counts(self, i: int) -> bool:
        """Whether the quantity at token `i` counts the noun behind it."""
        quantity = self.quantities[self.tokens[i].quantity]
        if quantity.unit or quantity.decimal:
            return False
        return self.cls(i + 1) in "ND" or self.low(i + 1) in ("of", "out")

    def _joins(self, i: int) -> bool:
        """Whether a noun phrase at `i` belongs to the one before "and", no clause or number."""
        start = i
        while self.cls(i) in "NDR" and self.low(i) and i < start + 8:
            i += 1
        if i == start:
            return self.cls(i) == "#" and self.cls(i + 1) == "N"
        low = self.low(start)
        if low in CHANGE_VERBS or low in COMPARATIVES or low in _REPORTING:
            return False
        if low.endswith("ing") and self.cls(start + 1) == "D" and self.low(start + 1):
            return False  # "and rivalling those"
        verbal = low.endswith("s") and not low.endswith("ss") and not self.has_capital(start)
        if verbal and self.cls(start + 1) in "ND" and self.low(start + 1):
            return False  # "and violates constraints"
        if verbal and (low in VERBS or self.low(start + 1) in _AFTER_VERBS):
            return False  # "and scales to"
        if self.cls(i) == "V" and self.low(i) in _REPORTING:
            closes = self.low(i - 1) in _CLOSING_HEADS
            return closes or self.capital(start)  # "experiments on A, B and C show"
        if self.low(i) == "by":  # "beats A and B by", not "reduces A by 2% and B by 3%"
            return self.capital(start) and not self.is_metric(i - 1)
        return self.cls(i) not in "V#"

    def _lists(self, comma: int) -> bool:
        """Whether a comma goes on with a list of names: "NQ, SVAMP, and SQuAD"."""
        i = comma + 1
        last = self.low(i) in ("and", "or")
        i += last
        if last and self.capital(i) and self.cls(i) == "N":
            return self.cls(i + 1) in "PX" and self.capital(comma - 1)
        if not self.capital(i) or self.cls(i) != "N":
            return False
        more = 2
        while more and self.capital(i + 1) and self.cls(i + 1) == "N":
            i, more = i + 1, more - 1  # "SeaQA, Deep Lake, and RiverQA"
        return self.cls(i + 1) != "#" and self.low(i + 1) in (",", "and", ".", "or", ")", "")

    def clause(self, place: int) -> tuple[int, int]:
        """The tokens around `place` up to a colon or semicolon outside brackets."""
        start, depth = 0, 0
        for i, token in enumerate(self.tokens):
            if token.low in ("(", "["):
                depth += 1
            elif token.low in (")", "]"):
                depth -= 1
            elif token.low in (";", ":", "e.g") and depth <= 0:
                if i > place:
                    return start, i
                start = i
        return start, len(self.tokens)

    def capital(self, i: int) -> bool:
        """Whether token `i` begins with a capital letter."""
        return 0 <= i < len(self.tokens) and self.text[self.tokens[i].start].isupper()

    def has_capital(self, i: int) -> bool:
        """Whether a capital letter stands anywhere in token `i`."""
        token = self.tokens[i]
        written = self.text[token.start : token.end]
        return written != token.low or written.isdigit()

    def has_capital_or_digit(self, i: int) -> bool:
        """Whether token `i` is there and may be a part of a name."""
        if not 0 <= i < len(self.tokens):
            return False
        token = self.tokens[i]
        return any(c.isupper() or c.isdigit() for c in self.text[token.start : token.end])

    def named_with_digit(self, phrase: Phrase) -> bool:
        """Whether a phrase is the name of a model or data set by its capital and digit or dash."""
        word = self.words(phrase)
        marked = any(c.isdigit() for c in word) or "-" in word
        return self.capital(phrase.first) and self.has_capital(phrase.last) and marked

    def possessive(self, phrase: Phrase) -> int | None:
        """The token of a phrase that ends in 's, with a word behind it."""
        for i in range(phrase.first, phrase.last):
            if self.low(i).endswith(("'s", "’s")):
                return i
        return None

    def quantity(self, i: int) -> Quantity:
        """The quantity at token `i`, which must be one."""
        return self.quantities[self.tokens[i].quantity]

    def unit_at(self, i: int) -> str:
        """The unit of the quantity at token `i`, "" where there is none."""
        if self.cls(i) != "#":
            return ""
        return self.quantities[self.tokens[i].quantity].unit

    def acronym(self, i: int) -> bool:
        """Whether token `i` is in capitals throughout ("NIPS")."""
        token = self.tokens[i]
        return token.end - token.start > 1 and self.text[token.start : token.end].isupper()

    def _inside(self, i: int) -> bool:
        token = self.tokens[i]
        if token.cls == "N":
            return True
        if token.cls == "C":  # "role- and/or weight-based"
            return self.low(i - 1).endswith("-")
        return token.low in ("&", "’") or (
            token.cls == "R" and self.cls(i + 1) == "N" and self.cls(i - 1) == "N"
        )

    def trimmed(self, phrase: Phrase) -> Phrase | None:
        """`phrase` without the loose words it begins with; None when nothing is left."""
        first, last = phrase
        while first <= last and (self.low(first) in _LOOSE or self.cls(first) in "DR"):
            kept = self.low(first) == "competitive" and self.low(first + 1) == "ratio"
            if kept or (self.low(first) == "relative" and self.low(last) in ("error", "errors")):
                break
            first += 1
        return Phrase(first, last) if first <= last else None

    def is_metric(self, i: int) -> bool:
        """Whether token `i` is a word that things are measured by."""
        low = self.low(i)
        if low in METRIC_HEADS or (low.endswith("s") and low[:-1] in METRIC_HEADS):
            return True
        head, _, rest = low.partition("-")
        return (
            "@" in low
            or low.rpartition("-")[2] in METRIC_HEADS
            or (rest.isdigit() and head in METRIC_HEADS)
            or low.rstrip("0123456789") in METRIC_HEADS
            or low.endswith(("score", "-f1"))
        )
