"""The clauses of a sentence: which words go together, and who does what is said there.

In: a `Reading`. Out: `Clauses`: of each token its clause, and of each clause its verb, the noun
phrase that is its subject, and the clause whose subject and places it shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from loader.measurements.lexicon import PRONOUNS
from loader.measurements.phrases import Phrase, Reading

# `main` stands alone; `own` is joined to another but has its own subject; `shared` goes on with
# the subject of its parent ("..., reducing the error"); `bracket` hangs on the words before it.
Kind = Literal["main", "own", "shared", "bracket"]

_RELATIVE: Final = frozenset("which that who where whose".split())
_SUBORDINATE: Final = frozenset(
    "while whereas whilst although though because when if unless until but".split()
)
_REPORTING: Final = frozenset("find show report note claim".split())  # nouns or verbs
_CONDITIONS: Final = frozenset("when if unless until".split())
_SKIPPED: Final = frozenset("also still even not then thus thereby".split())
_NO_SUBJECT: Final = _SUBORDINATE | _RELATIVE
_BEFORE_SUBJECT: Final = _NO_SUBJECT | _SKIPPED
# the words a clause may begin with
_BEGINNING: Final = _NO_SUBJECT | frozenset("; : and , or yet so".split())
_DEEP: Final = 8  # clauses within clauses that are looked at
_LOOK: Final = 14  # tokens to look ahead for the verb of a clause


@dataclass(slots=True)
class Clause:
    """Tokens `start` to `end` (not included), less what stands in brackets."""

    start: int
    end: int
    kind: Kind
    parent: int = -1
    verb: int = -1  # its first verb


class Clauses:
    """The clauses of one sentence. Linear in its length."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.of: list[int] = []  # the clause of each token
        self.all: list[Clause] = [Clause(0, len(reading.tokens), "main")]
        self._subjects: dict[int, Phrase | None] = {}
        current, open_brackets = 0, []
        for i, token in enumerate(reading.tokens):
            low = token.low
            if low in ("(", "["):
                self.of.append(current)
                open_brackets.append(current)
                current = self._add(i + 1, "bracket", current)
                continue
            if low in (")", "]") and open_brackets:
                self.all[current].end = i
                current = open_brackets.pop()
                self.of.append(current)
                continue
            kind = self._begins(current, i) if low in _BEGINNING else None
            if kind is not None:
                self.all[current].end = i
                if kind == "main" and open_brackets:  # "(Alpha: 1; Beta: 2)"
                    current = self._add(i, "bracket", open_brackets[-1])
                else:
                    current = self._add(i, kind, current)
            clause = self.all[current]
            verb = token.cls == "V" and low not in PRONOUNS and low not in _SKIPPED
            if clause.verb < 0 and verb:
                clause.verb = i
            self.of.append(current)
        for clause in self.all:
            if clause.verb < 0 and clause.kind == "own":
                clause.verb = self._implied(clause)

    def _implied(self, clause: Clause) -> int:
        """A word that no list knows as a verb, right before a number: "Alpha certifies 49%"."""
        reading = self._reading
        for i in range(clause.start, clause.end):
            if reading.cls(i) != "#":
                continue
            low = reading.low(i - 1)
            plain = reading.cls(i - 1) == "N" and not reading.has_capital(i - 1)
            verbal = low.endswith("s") and not low.endswith("ss") and not reading.is_metric(i - 1)
            return i - 1 if plain and verbal and i - 1 > clause.start + 1 else -1
        return -1

    def _add(self, start: int, kind: Kind, parent: int) -> int:
        self.all.append(Clause(start, len(self._reading.tokens), kind, parent))
        return len(self.all) - 1

    def _begins(self, current: int, i: int) -> Kind | None:
        """The kind of the clause that begins at token `i`, None where none does."""
        reading, low = self._reading, self._reading.low(i)
        if low == ";":
            return "main"
        if low == ":":
            return "shared"
        if low in _RELATIVE:
            return "own" if low == "where" else "shared"
        if low in _SUBORDINATE:
            following = self._skip(i + 1)
            if low == "but" and reading.cls(following) in "VP":
                return "shared" if reading.cls(following) == "V" else None
            participle = reading.low(following).endswith("ing")
            passive = reading.low(following).endswith("ed") and reading.low(following + 1) != "by"
            if (participle or passive) and low in _CONDITIONS:
                return None
            return "shared" if participle or reading.cls(following) == "#" else "own"
        if low not in ("and", ",", "or", "yet", "so") or self.all[current].verb < 0:
            return None
        following = i + 1
        following += low == "," and reading.low(following) in ("and", "but", "or", "yet", "so")
        if reading.low(following) in _NO_SUBJECT:
            return None
        following = self._skip(following)
        if reading.cls(following) == "V":
            return "shared"
        depth = 0
        for k in range(following, min(len(reading.tokens), following + _LOOK)):
            cls = reading.cls(k)
            depth += (reading.low(k) == "(") - (reading.low(k - 1) == ")" and k > following)
            if depth:
                continue
            if cls == "V":
                return "own" if k > following and not reading.low(k).endswith("ing") else None
            if cls not in ("NDRP#" if k > following else "NDRP") or reading.low(k) in _SUBORDINATE:
                return None
        return None

    def _skip(self, i: int) -> int:
        while self._reading.low(i) and (
            self._reading.cls(i) == "R" or self._reading.low(i) in _SKIPPED
        ):
            i += 1
        return i

    def at(self, i: int) -> Clause:
        """The clause of token `i`."""
        return self.all[self.of[i]]

    def chain(self, i: int) -> list[int]:
        """The clause of token `i` and those whose subject and places it shares, nearest first."""
        number = self.of[i]
        found = [number]
        while self.all[number].kind in ("shared", "bracket") and len(found) < _DEEP:
            if self.all[number].parent < 0:
                break
            number = self.all[number].parent
            found.append(number)
        return found

    def subject(self, number: int) -> Phrase | None:
        """The noun phrase that is the subject of clause `number`, without that of a parent."""
        if number not in self._subjects:
            self._subjects[number] = self._subject(self.all[number])
        return self._subjects[number]

    def _subject(self, clause: Clause) -> Phrase | None:
        reading, first = self._reading, clause.start
        if clause.verb < 0 or (clause.kind == "shared" and not self._reported(clause)):
            return None
        while reading.low(first) in (",", ";", ":", "and", "but", "or", "yet", "so") or (
            reading.low(first) in _BEFORE_SUBJECT
        ):
            first += 1
        # What is fronted ends with a comma: "On RiverQA, ..."
        if reading.cls(first) == "P" or reading.low(first).endswith(("ing", "ed")):
            for k in range(clause.verb - 2, first, -1):
                if reading.low(k) == ",":
                    first = k + 1
                    break
        while reading.cls(first) in "DR" and reading.low(first) and first < clause.verb:
            first += 1
        if reading.cls(first) != "N":
            return self._before_verb(clause)
        phrase = reading.chain(first, of=False)
        if phrase is not None and phrase.last == clause.verb and phrase.first < phrase.last:
            return Phrase(phrase.first, clause.verb - 1)  # no list knows the verb
        if phrase is None or phrase.last >= clause.verb:
            return self._before_verb(clause)
        if reading.low(phrase.last + 1) == "and":
            joined = reading.phrase_from(phrase.last + 2)
            if joined is not None and joined.last == clause.verb - 1:
                return Phrase(phrase.first, joined.last)
        return phrase

    def _reported(self, clause: Clause) -> bool:
        """Whether a clause is what somebody says or finds: "we find that Alpha reaches"."""
        reading, that = self._reading, clause.start
        if reading.low(that) != "that" or not (
            reading.cls(that - 1) == "V" or reading.low(that - 1) in _REPORTING
        ):
            return False
        return self._skip(that + 1) < clause.verb

    def _before_verb(self, clause: Clause) -> Phrase | None:
        """The name right before the verb, where what is fronted ends with no comma."""
        reading, last = self._reading, clause.verb - 1
        while reading.cls(last) == "R" and last > clause.start:
            last -= 1
        if reading.cls(last) != "N" or not reading.capital(last) or reading.is_metric(last):
            return None
        first = last
        while first - 1 > clause.start and reading.capital(first - 1):
            first -= 1
        return Phrase(first, last)
