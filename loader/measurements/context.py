"""What the whole abstract adds to a sentence: the names that are known to stand in it.

In: the plain text and its known names. Out: `Context`, which finds a name at a place and the
name that the paper introduces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loader.measurements.lexicon import COLLECTIONS
from loader.measurements.phrases import Phrase, Reading

_INTRODUCES: Final = re.compile(
    r"\b(?:introduc(?:es?|ing)|present(?:s|ing)?|propos(?:es?|ing)|releas(?:es?|ing)"
    r"|construct(?:s|ing|ed)?|buil(?:ds?|t|ding)|develop(?:s|ed|ing)?|compil(?:es?|ed|ing)"
    r"|suggest(?:s|ed)?|creat(?:es?|ed|ing)|curat(?:es?|ed|ing)|yields?|resulting in"
    r"|called|named|termed|dubbed|describ(?:es?|ing)|(?:call|name) it|namely|proposed)\b"
)
# Behind these a name is one that the paper builds on.
_ELSEWHERE: Final = re.compile(
    r"\b(?:using|based|built|from|for|with|on|like|such|over|than|via|by|of|to|that|which|in)\b"
    r"|[.;:]\s"
)
_NAME_SHAPE: Final = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9])[A-Z][\w-]{2,}\b")
_REACH: Final = 100
_EXAMPLES: Final = frozenset("including like namely e.g i.e".split())
_HEADS_OF_NAMES: Final = frozenset(
    "benchmark benchmarks dataset datasets model models test set corpus data suite".split()
)
# What stands behind the name of a data set that a value was reached on.
_OF_DATA: Final = _HEADS_OF_NAMES - {"model", "models"} | frozenset(
    "task tasks challenge challenges classification detection segmentation recognition server "
    "split splits validation leaderboard problems competition evaluation collection database "
    "subset track simulator test-dev val testing testbed prediction generation captioning "
    "retrieval answering parsing estimation localization images videos translation reasoning "
    "questions".split()
)
_IN_BRACKETS: Final = re.compile(r"\(\s?([A-Z][\w-]*)\s?\)")
_LONG_FORM: Final = 70
# "RiverVoice is a large corpus", "we built RiverVoice, a benchmark"
_DEFINED: Final = re.compile(
    r"(?<![\w-])((?:[A-Z][a-z0-9]{0,20}){2,8}[\w-]{0,24}|[A-Z]\w{1,24}-[A-Z][\w-]{1,24})"
    r" (?:is|are|contains|consists|comprises)"
    r" (?:(?:an?|the|of) (?:[\w-]{1,30} ){0,5}(?:dataset|benchmark|corpus|collection)\b"
    r"|(?:of )?(?:over |about |more than )?\d[\d,.]*[KM]? [a-z])"
)
_COUNTED: Final = re.compile(
    r"(?: \([^)]{1,20}\))?(?:,| with) (?:over |about |more than )?\d[\d,.]*[KM]? "
    r"(?:[\w-]{1,30} ){0,3}?(?:images|questions|problems|examples|samples|pairs|sentences"
    r"|instances|documents|videos|clips|hours|dialogues|scenes|records|tasks|queries|annotations|million|labels|frames|scans)\b"
)
_WORD: Final = re.compile(r"[\w-]+|[.;]")
_WELL_KNOWN: Final = frozenset(
    "challenging difficult standard popular public well-known widely-used".split()
)
_PRAISING: Final = _WELL_KNOWN | frozenset("recent new full original entire".split())
_OCCURRENCES: Final = 4
_MOST: Final = 20
# Between a name and "dataset" these say that the data set is another.
_NO_COLLECTION: Final = frozenset(
    ". ; on from using with against over than by to we our that which in outperforms "
    "achieves".split()
)


class Context:
    """The known names of an abstract, and the paper's own among them."""

    def __init__(self, text: str, known: Sequence[str], own: Sequence[str] = ()) -> None:
        self.text = text
        self._introduced = frozenset(own)
        self._known: dict[str, list[str]] = {}  # by first letter, the longest first
        for name in sorted({k for k in known if len(k) > 1}, key=lambda k: (-len(k), k)):
            self._known.setdefault(name[0], []).append(name)
        self._own: str | None = None
        self._collection: str | None = None
        self._collected = False
        self.collected_at = -1  # where `own_collection` is first named
        self._sought = False
        self._begins: dict[int, str | None] = {}  # places that were asked for

    @property
    def own(self) -> str | None:
        """The name that the paper introduces first, if it can be seen."""
        if not self._sought:
            self._sought = True
            self._own = self.introduced(0, len(self.text))
        return self._own

    @property
    def own_collection(self) -> str | None:
        """The name of the data set or benchmark that the paper introduces, if it is one."""
        if not self._collected:
            self._collected = True
            candidates = [n for n in (self.own, *sorted(self._introduced)[:_MOST]) if n]
            self._collection = next((n for n in candidates if self._is_collection(n)), None)
            if self._collection is None and (defined := _DEFINED.search(self.text)):
                self._collection = defined[1]
            if self._collection is not None:
                self.collected_at = self.text.find(self._collection)
        return self._collection

    def _is_collection(self, name: str) -> bool:
        place, seen = self.text.find(name), 0
        while place >= 0 and seen < _OCCURRENCES:
            end = place + len(name)
            before = _WORD.findall(self.text[max(0, place - _REACH // 2) : place].lower())[-4:]
            if not COLLECTIONS.isdisjoint(before) and before[-1:] != ["to"]:
                return True
            if _COUNTED.match(self.text, end) or before[-2:] in (["call", "it"], ["name", "it"]):
                return True
            for match in _WORD.finditer(self.text, end, end + _REACH):
                word = match[0].lower()
                if word in COLLECTIONS:
                    return True
                if word in _NO_COLLECTION:
                    break
            place, seen = self.text.find(name, end), seen + 1
        return False

    def owns(self, name: str) -> bool:
        """Whether the paper itself introduces `name`."""
        return name in self._introduced or name == self.own

    def introduced(self, start: int, end: int) -> str | None:
        """The first name in `text[start:end]` that a verb of making announces."""
        for match in _INTRODUCES.finditer(self.text, start, end):
            window = self.text[match.end() : min(end, match.end() + _REACH)]
            if stop := _ELSEWHERE.search(window):
                window = window[: stop.start()]
            found: tuple[int, str] | None = None
            for names in self._known.values():
                for name in names:
                    place = window.find(name)
                    if place >= 0 and (found is None or place < found[0]):
                        found = place, name
            if found is not None:
                return found[1]
            if not self._known and (shape := _NAME_SHAPE.search(window)):
                return shape[0]
        return None

    def name_at(self, place: int) -> str | None:
        """The longest known name that begins at `place` of the text and ends a word there."""
        if place not in self._begins:
            self._begins[place] = self._name_at(place)
        return self._begins[place]

    def _name_at(self, place: int) -> str | None:
        for name in self._known.get(self.text[place : place + 1], ()):
            if self.text.startswith(name, place):
                end = place + len(name)
                end += self.text.startswith("s", end)
                if not self.text[end : end + 1].isalnum():
                    return name
        return None

    def name_of(self, reading: Reading, token: int) -> str | None:
        """The known name that begins at a token of a sentence."""
        if 0 <= token < len(reading.tokens):
            return self.name_at(reading.tokens[token].start)
        return None

    def short(self, reading: Reading, phrase: Phrase) -> str | None:
        """The words of a phrase; of "the X benchmark" and "benchmarks such as X" only the name."""
        first, last = phrase
        k = last + 1
        if reading.low(k) == "," and reading.low(k + 1) in ("including", "such"):
            k += 1  # "various benchmarks, including A and B"
        such = reading.low(k) == "such" and reading.low(k + 1) == "as"
        if such or reading.low(k) in _EXAMPLES:
            k += 2 if such else 1
            if reading.capital(k) and (examples := reading.chain(k, of=False)):
                return reading.words(examples)
        if not any(reading.low(i) in ("and", "or", ",", "&") for i in range(first, last + 1)):
            return self._single(reading, phrase)
        end = last
        while end > first and reading.low(end) in _HEADS_OF_NAMES | {"tasks", "environments"}:
            end -= 1
        named = reading.has_capital(end) and reading.cls(end) != "#"
        if end < last and named and reading.has_capital(first):
            last = end
        return reading.words(Phrase(first, last)) or None

    def _single(self, reading: Reading, phrase: Phrase) -> str | None:
        """`PlantNet` of "the challenging PlantNet classification benchmark"."""
        first, last = phrase
        for i in range(first, last):
            if reading.low(i) in COLLECTIONS and self._names(reading, i + 1):
                first = i + 1  # "the largest MRC dataset RACE"
        begin = next((i for i in range(first, last + 1) if self._names(reading, i)), None)
        if begin is None:
            while first + 1 < last and reading.low(first) in _WELL_KNOWN:
                first += 1  # "the standard 5-task harbour benchmark"
            return reading.words(Phrase(first, last)) or None
        if acronym := self._acronym(reading, begin):
            return acronym
        # "the challenging 20-task MazeSplit": the name itself
        while first < begin and (
            reading.low(first) in _PRAISING
            or reading.compound(first)
            or reading.compound(first - 1)
        ):
            first += 1
        end = self._end(reading, begin, last)
        if end < last and self._owned(reading, end + 1):
            return reading.words(Phrase(begin, end))
        tail = range(end + 1, last + 1)
        if not tail:
            return reading.words(Phrase(first, last))
        head = reading.low(last)
        if reading.cls(end + 1) == "#":
            last = end
        elif head in _OF_DATA or (len(tail) == 1 and head in _HEADS_OF_NAMES):
            name = reading.words(Phrase(begin, end))
            if name.isalpha() and name[1:].islower() and not self.name_of(reading, begin):
                return reading.words(Phrase(begin, last - 1))  # "the Harbour voice task"
            return name
        return reading.words(Phrase(first, last))

    def _names(self, reading: Reading, i: int) -> bool:
        """Whether a name begins at token `i`; "QA" and "RL" are none unless they are known."""
        if self.name_of(reading, i):
            return True
        token = reading.tokens[i]
        generic = token.end - token.start < 4 and reading.acronym(i)
        return reading.capital(i) and not (generic and not reading.has_capital_or_digit(i + 1))

    def _end(self, reading: Reading, begin: int, last: int) -> int:
        """The last token of the name that begins at `begin`."""
        end = begin
        if name := self.name_of(reading, begin):
            end = max(begin, reading.at(reading.tokens[begin].start + len(name)) - 1)
        while end < last and reading.has_capital(end + 1) and "-to-" not in reading.low(end + 1):
            if self._owned(reading, end + 1):
                break  # "on RiverQA PineLM reaches"
            end += 1
        return min(end, last)

    def _owned(self, reading: Reading, i: int) -> bool:
        """Whether a name that the paper introduces begins at token `i`."""
        name = self.name_of(reading, i)
        return name is not None and name in self._introduced

    def _acronym(self, reading: Reading, begin: int) -> str | None:
        """`NFP` of "Named Faces in Parks (NFP)"."""
        start = reading.tokens[begin].start
        found = _IN_BRACKETS.search(reading.text, start, min(reading.end, start + _LONG_FORM))
        if found is None or found[1][0] != reading.text[start] or len(found[1]) > 12:
            return None
        between = reading.text[start : found.start()]
        initials = [w[0] for w in between.replace("-", " ").split() if w[0].isupper()]
        letters = [c for c in found[1] if c.isupper()]
        return found[1] if len(letters) > 1 and letters[:2] == initials[:2] else None
