"""What a number holds for: a data set, a benchmark, a model, a setting.

In: a `Reading`, its drafts, and the `places` that it names. Out: the subject of a draft that is no
amount (those are in `owners`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from loader.measurements import rivals
from loader.measurements.baselines import Cue
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import MACHINES, MODELS_OF_MACHINES
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.places import FOR, ON_HARDWARE
from loader.measurements.units import TIME_UNITS

_PER_SECOND: Final = frozenset(("fps", "FPS", "frames per second", "tokens per second"))


def subject(
    reading: Reading,
    draft: Draft,
    measured: Sequence[Draft],
    named: Sequence[Cue],
    context: Context,
    clauses: Clauses,
    foreign: bool = False,
) -> str | None:
    """The subject of a draft that is no amount.

    The nearest first: what is named behind the number in its clause, then whose doing the clause
    tells of where that is a rival, then what is named before it or at the head of the sentence.
    `foreign` numbers are those of a baseline, whatever the clause tells.
    """
    if with_it := rivals.bearer(reading, draft, context):
        return with_it
    if draft.metric in ("n", "N", "p", "P"):  # statistics of the whole study
        return None
    number = clauses.of[draft.place]
    # not its own phrase: "at an overlap of (0.5)"
    own = draft.place - 2 if reading.low(draft.place - 1) == "of" else -1
    named = [
        c
        for c in named
        if c.phrase.last != own and not c.phrase.first <= draft.place <= c.phrase.last
    ]
    told = None if foreign else rivals.speaker(reading, context, clauses, draft.place)
    contrast = told is not None and draft.kind == "level" and clauses.all[number].kind == "own"
    doubling = (
        draft.kind == "ratio"
        and draft.quantity.form == "word"
        and (reading.low(draft.place + 1) in ("the", "its", "their"))
    )
    if (draft.kind == "change" or doubling) and clauses.all[number].kind == "main":
        told = None
    least = 1 if contrast or (told and draft.kind == "level") else FOR
    here = [c for c in named if clauses.of[c.token] == number]
    if beside := _beside(reading, draft, [c for c in here if c.rank <= least]):
        return beside
    if told and draft.kind == "level" and _relative(reading, clauses, number):
        return told
    theirs = _of_whom(reading, draft, context) or _gapped(reading, draft, context)
    if theirs:
        return theirs
    if theirs is not None:
        told = None
    usable = [c for c in _usable(reading, draft, named) if not contrast or c.rank < 2]
    inside = [c for c in usable if clauses.of[c.token] == number]
    if found := _before_number(reading, draft, inside):
        return found
    peers = [d for d in measured if clauses.of[d.place] == number]
    if found := _behind(reading, draft, peers, inside):
        return found
    if clauses.all[number].kind == "bracket" and (
        found := _hung(reading, clauses.all[number].start - 2, usable, context)
    ):
        return found
    if contrast:
        return told
    opens = clauses.all[number].start
    aside = reading.low(opens) == "while"
    if aside and (
        reading.low(draft.place + 1) in ("fewer", "less") or reading.low(opens + 1) in _SPENDING
    ):
        return None  # "while using 45% fewer parameters"
    if static(draft):
        return told
    before = [c for c in inside if c.token < draft.place and not _claimed(reading, peers, draft, c)]
    found = _surest(before) or _shared(reading, draft, measured, usable, clauses)
    return found or _modified(reading, clauses.all[number].start, usable) or told


def _relative(reading: Reading, clauses: Clauses, number: int) -> bool:
    """Whether a clause says more of a rival: "surpassing Alpha, which reaches"."""
    return reading.low(clauses.all[number].start) in ("which", "who")


def _usable(reading: Reading, draft: Draft, named: Sequence[Cue]) -> list[Cue]:
    """The places that a draft of this kind and unit may hold for."""
    if timed(draft):
        return [c for c in named if c.rank != FOR]
    if draft.kind == "ratio":  # "2.7× on a phone", not "half as slow on 9 GPUs"
        return [
            c
            for c in named
            if c.rank < FOR or (c.rank == ON_HARDWARE and reading.cls(c.phrase.first) != "#")
        ]
    return [c for c in named if c.rank < FOR or (c.rank == FOR and draft.kind == "bound")]


def _surest(named: Sequence[Cue]) -> str | None:
    """The last cue of the best rank."""
    best = min((c.rank for c in named), default=0)
    return next((c.text for c in reversed(named) if c.rank == best), None)


def _beside(reading: Reading, draft: Draft, named: Sequence[Cue]) -> str | None:
    """The place right behind a number and its noun: "84% accuracy on RiverQA"."""
    for cue in named:
        if cue.token > draft.place:
            first = draft.place + 1
            if reading.low(first) == "of":  # "98% of the accuracy on RiverQA"
                first += 1 + (reading.cls(first + 1) == "D")
            behind = range(first, cue.token)
            if all(reading.cls(k) == "N" for k in behind):
                # "84% accuracy for retrieval on RiverQA"
                further = (c for c in named if c.token == cue.phrase.last + 1 and c.rank == 0)
                return next(further, cue).text if cue.rank == FOR else cue.text
    return None


def _before_number(reading: Reading, draft: Draft, named: Iterable[Cue]) -> str | None:
    """The place right before a number: "on RiverQA by 3%"."""
    for cue in named:
        near = cue.phrase.last in (draft.lead, draft.lead - 1) and cue.rank < 2
        if near and reading.low(cue.phrase.last + 1) != "but":
            between = reading.low(draft.lead) if cue.phrase.last < draft.lead else ""
            if between in ("", "by", ",") and reading.cls(cue.phrase.last + 1) != "V":
                return cue.text
    return None


def _behind(
    reading: Reading, draft: Draft, peers: Sequence[Draft], named: Sequence[Cue]
) -> str | None:
    """Of coordinated numbers each is followed by its place, or the last by that of all."""
    values = {d.place for d in peers}
    for n, peer in enumerate(peers):
        if not _chained(peer, draft):
            continue
        limit = peers[n + 1].place if n + 1 < len(peers) else len(reading.tokens)
        near = [
            c
            for c in named
            if peer.place < c.token < limit
            and not any(
                reading.cls(k) == "V" or k in values for k in range(peer.place + 1, c.token)
            )
        ]
        if near:
            return min(near, key=lambda c: c.rank).text
    return None


def _hung(reading: Reading, head: int, named: Iterable[Cue], context: Context) -> str | None:
    """The place that a bracket hangs on; `head` is the word before it."""
    if hung := next((c for c in named if c.phrase.last == head), None):
        return hung.text
    phrase = reading.phrase_ending(head) if reading.cls(head) == "N" else None
    if phrase is None or reading.is_metric(head) or not reading.capital(phrase.first):
        return None
    return context.short(reading, phrase)


_SPENDING: Final = frozenset("using consuming requiring needing having being".split())


def _shared(
    reading: Reading,
    draft: Draft,
    measured: Sequence[Draft],
    named: Sequence[Cue],
    clauses: Clauses,
) -> str | None:
    """A place of the clauses that this one goes on with, else one that heads the sentence."""
    finite = False
    for inner, number in pairwise(clauses.chain(draft.place)):
        finite = finite or _states_anew(reading, clauses, inner)
        shared = [c for c in named if clauses.of[c.token] == number]
        if finite:  # "and fells 3× fewer trees": the place is that of the value before
            others = [d for d in measured if clauses.of[d.place] == number]
            if others and all(d.unit != draft.unit or d.kind != draft.kind for d in others):
                shared = [c for c in shared if c.token <= 2]
        beside = [c for c in shared if _beside_value(reading, c)]
        if len(beside) > 1:  # each is the place of one number
            shared = [c for c in shared if c not in beside]
        if found := _surest(shared):
            return found
    leading = [c for c in named if c.token <= 2 and c.rank < 2]
    if not leading or any(reading.low(k) == ";" for k in range(leading[-1].token, draft.place)):
        return None
    return leading[-1].text


def _states_anew(reading: Reading, clauses: Clauses, number: int) -> bool:
    """Whether a clause says a second thing of its subject: "and breaks", no "reducing"."""
    clause = clauses.all[number]
    if clause.kind != "shared" or reading.low(clause.start) not in ("and", ","):
        return False
    return clause.verb >= 0 and not reading.low(clause.verb).endswith("ing")


def _modified(reading: Reading, opens: int, named: Sequence[Cue]) -> str | None:
    """The place that a clause says more about: "on RiverQA, where it gains 3%"."""
    if reading.low(opens) != "where":
        return None
    last = opens - 1 - (reading.low(opens - 1) == ",")
    return next((c.text for c in named if c.phrase.last == last), None)


# What a model has wherever it is used; a place of another clause says nothing of it.
_STATIC: Final = frozenset("parameters parameter params flops macs layers".split())


def timed(draft: Draft) -> bool:
    """Whether a draft is a time or so much a second."""
    unit = draft.unit
    return unit in TIME_UNITS or unit in _PER_SECOND or unit.endswith(("hours", "days"))


def on_machine(subject: str | None) -> bool:
    """Whether a subject is a machine: "RTX 4090", "single GPU"."""
    words = set((subject or "").lower().split())
    return not words.isdisjoint(MACHINES | MODELS_OF_MACHINES)


def static(draft: Draft) -> bool:
    """Whether a draft measures what a model has wherever it is used."""
    words = (draft.metric or "").lower().split()
    return bool(words) and words[-1] in _STATIC


def _of_whom(reading: Reading, draft: Draft, context: Context) -> str | None:
    """`natural speech` of "the 4.30 of natural speech"."""
    of = draft.place + 1
    while reading.cls(of) == "N" and of < draft.place + 5:
        of += 1
    if draft.kind != "level" or reading.low(of) != "of" or reading.cls(draft.place - 1) != "D":
        return None
    if draft.unit and of == draft.place + 1:
        return None
    first = of + 1
    first += reading.cls(first) == "D"
    phrase = reading.phrase_from(first)
    if phrase is None or (draft.unit and not context.name_of(reading, first)):
        return None
    return context.short(reading, phrase)


def _beside_value(reading: Reading, cue: Cue) -> bool:
    """Whether a number and its noun stand right before a cue."""
    k = cue.token - 1
    while reading.cls(k) == "N" and k > cue.token - 4:
        k -= 1
    return reading.cls(k) == "#"


def _gapped(reading: Reading, draft: Draft, context: Context) -> str | None:
    """`OakLM` of "PineLM solves 38% and OakLM only 13%"; "" where it is the paper's own."""
    phrase = reading.phrase_ending(draft.lead) if reading.cls(draft.lead) == "N" else None
    if phrase is None or reading.low(phrase.first - 1) not in ("and", ",", "but"):
        return None
    name = context.name_of(reading, phrase.first)
    shaped = reading.capital(phrase.first) and any(
        c.isdigit() for c in reading.words(Phrase(phrase.last, phrase.last))
    )
    if not (name or shaped) or reading.is_metric(phrase.last):
        return None
    return "" if name and context.owns(name) else reading.words(phrase)


def _claimed(reading: Reading, peers: Sequence[Draft], draft: Draft, cue: Cue) -> bool:
    """Whether a cue before the draft is the place of an earlier value of its clause."""
    if draft.follows is not None or reading.low(draft.lead) == "at":
        return False
    earlier = [d.place for d in peers if d.place < cue.token]
    return bool(earlier) and not any(
        reading.cls(k) == "V" or reading.low(k) == "," for k in range(earlier[-1] + 1, cue.token)
    )


def _chained(last: Draft, first: Draft) -> bool:
    """Whether `last` continues `first`, over any number of members between."""
    step: Draft | None = last
    while step is not None:
        if step is first:
            return True
        step = step.follows
    return False
