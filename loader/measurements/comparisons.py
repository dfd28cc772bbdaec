"""One value held against another: "2.3, compared with 3.9 for Alpha", "whereas Alpha needs 9 h".

In: a `Reading` and its drafts with what each alone says. Out: the same drafts; the rival whose
value is the second is the baseline of the first and the subject of the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from loader.measurements import rivals
from loader.measurements.baselines import Cue
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import CHANGE_VERBS
from loader.measurements.phrases import Reading
from loader.measurements.units import TIME_UNITS

_AGAINST: Final = frozenset("versus vs against".split())
_COMPARED: Final = frozenset(
    "compared opposed relative comparison close comparable similar equal".split()
)
_HOLDING: Final = frozenset("for of by with from at under using in".split())
_DONE_BY: Final = frozenset("achieved obtained reached attained reported scored".split())
_WITH: Final = re.compile(r"\s(?:at|with|for|in)\s([\w-]+(?:\s[\w-]+)?),?\s\(?\w")
_CONTRASTS: Final = frozenset("where while whereas whilst".split())


def hold(
    reading: Reading,
    drafts: Sequence[Draft],
    against: Sequence[Cue],
    context: Context,
    clauses: Clauses,
) -> None:
    """Sets baseline, subject and metric of the drafts that are held against each other."""
    for n, (last, other) in enumerate(pairwise(drafts)):
        this = _before(drafts[: n + 1], other) or last
        compared = _compares(reading, this, other)
        if not _comparable(this, other, compared):
            continue
        if not compared:
            if rival := _contrasted(reading, this, other, context, clauses):
                this.baseline = this.baseline or rival
                alike = other.unit == this.unit or this.kind == "bound"
                if other.kind == this.kind and alike and not other.metric:
                    other.metric = this.metric
                if other.kind == "amount" or other.subject is None:
                    other.subject = rival
            continue
        holder = _holder(reading, context, other) or _beaten(reading, against, clauses, this, other)
        if holder is not None:
            if _aligned(reading, drafts, n + 1, holder):
                continue
            place = other.subject if reading.low(other.place + 1) == "on" else None
            _set(reading, this, other, holder)
            if clauses.of[this.place] == clauses.of[other.place] and place != holder:
                this.subject = this.subject or place  # "52.3 vs. 49.1 on RiverQA"
            if _share_out(drafts[n + 1 :], holder):
                continue
            for third in drafts[n + 2 :]:
                if third.follows is None or third.kind != other.kind:
                    break
                if also := _holder(reading, context, third):
                    third.subject, third.baseline = also, None
                    third.metric = this.metric if third.kind == "level" else third.metric
                    if this.kind == "level" and also != holder:
                        joined = this.baseline or holder
                        this.baseline = f"{joined.replace(' and ', ', ')} and {also}"
        elif this.kind != "amount":
            other.metric = this.metric = this.metric or other.metric


def _share_out(drafts: Sequence[Draft], holder: str) -> bool:
    """Of "2.9 and 3.4 for Alpha and Beta" each has its own."""
    parts = [p for p in re.split(r",? and |, ", holder) if p]
    values = [drafts[0]]
    while len(values) < len(drafts) and drafts[len(values)].follows is values[-1]:
        values.append(drafts[len(values)])
    if len(parts) != len(values) or len(parts) < 2:
        return False
    for draft, part in zip(values, parts, strict=True):
        draft.subject, draft.baseline = part, None
    return True


def _aligned(reading: Reading, drafts: Sequence[Draft], n: int, holder: str) -> bool:
    """Holds the values of one list against those of another, `drafts[n]` its first.

    "61% on RiverQA and 70% on SeaQA, compared with 58% and 66% for Alpha": each of its own.
    """
    size = 1
    while n + size < len(drafts) and drafts[n + size].follows is drafts[n + size - 1]:
        size += 1
    first = n - size
    if size < 2 or first < 0 or drafts[first].follows is not None:
        return False
    if any(drafts[k].follows is not drafts[k - 1] for k in range(first + 1, n)):
        return False
    last = drafts[n + size - 1].place
    if any(reading.low(k) in _HOLDING for k in range(drafts[n].place + 1, last)):
        return False
    for k in range(n, n + size):
        if drafts[k].kind != drafts[k - size].kind:
            return False
    for k in range(n, n + size):
        _set(reading, drafts[k - size], drafts[k], holder)
    return True


def _comparable(this: Draft, other: Draft, compared: bool) -> bool:
    """Whether two drafts are values of the same sort."""
    if compared and other.kind == this.kind == "change":
        return other.unit == this.unit
    if other.kind not in ("level", "amount", "bound"):
        return False
    if this.kind != other.kind:
        return not compared and (this.kind, other.kind) == ("from_to", "level")
    same = this.unit.split()[-1:] == other.unit.split()[-1:]
    return this.kind != "amount" or not other.unit or same


def _before(earlier: Sequence[Draft], other: Draft) -> Draft | None:
    """The nearest draft before `other` that counts or measures the same."""
    for draft in reversed(earlier[-3:]):
        same = draft.unit == other.unit or not other.unit
        if draft.kind == "amount" and draft.unit and other.unit:
            same = draft.unit.split()[-1] == other.unit.split()[-1]
        same = same or {draft.unit, other.unit} <= TIME_UNITS
        if draft.kind == other.kind and same and not draft.quantity.total:
            return draft
    return None


_NEAR: Final = 9
_MATCHING: Final = frozenset("match matches matching rivals rivalling equals approaches".split())


def _matched(reading: Reading, this: Draft) -> str | None:
    """`Alpha` of "matches Alpha on RiverQA (62 vs. 61)"."""
    for k in range(this.place - 1, max(-1, this.place - _NEAR), -1):
        if reading.low(k) in _MATCHING:
            phrase = reading.chain(k + 1, of=False)
            return reading.words(phrase) if phrase and phrase.last < this.place else None
    return None


def _beaten(
    reading: Reading, against: Sequence[Cue], clauses: Clauses, this: Draft, other: Draft
) -> str | None:
    """`Alpha` of "beats Alpha on RiverQA (64% vs. 62%)"."""
    clause = clauses.at(other.place)
    if clauses.of[this.place] != clauses.of[other.place]:
        return None
    if clause.kind != "bracket":  # "beats Alpha with 64% vs. 62%"
        near = [c for c in against if c.rank == 1 and 0 < this.place - c.token < _NEAR]
        return near[-1].text if near else _matched(reading, this)
    hosts = [c for c in against if clauses.of[c.token] == clause.parent and c.token < this.place]
    return hosts[-1].text if hosts else _matched(reading, this)


def owners(reading: Reading, measured: Sequence[Draft], places: Sequence[Cue]) -> dict[int, int]:
    """Of each cue behind a value that another is held against, the place of that value."""
    found: dict[int, int] = {}
    for n, (this, other) in enumerate(pairwise(measured)):
        if this.kind == other.kind and _compares(reading, this, other):
            k = n + 2
            while k < len(measured) and measured[k].follows is measured[k - 1]:
                k += 1  # "versus 9 and 31 for Alpha"
            end = measured[k].place if k < len(measured) else len(reading.tokens)
            near = reading.low(other.lead) in _AGAINST or reading.low(other.lead - 1) in _AGAINST
            found |= {
                c.token: other.place
                for c in places
                if other.place < c.token < end and not (near and reading.low(c.token) == "on")
            }
    return found


def _set(reading: Reading, this: Draft, other: Draft, holder: str) -> None:
    if this.kind != "amount":
        other.metric = this.metric = this.metric or other.metric
    elif not other.unit:
        other.unit = this.unit
    if this.subject == holder:
        at = _WITH.match(reading.text, this.quantity.end, other.quantity.start)
        this.subject = at[1] if at else None
    this.baseline, other.baseline, other.subject = holder, None, holder


def _compares(reading: Reading, this: Draft, other: Draft) -> bool:
    """Whether "versus", "against" or "compared with" stands right before the second value."""
    k = other.lead
    if other.kind == "level" and reading.low(k) == "of" and reading.is_metric(k - 1):
        phrase = reading.phrase_ending(k - 1)  # "versus an AUC of 0.88"
        k = phrase.first - 1 if phrase is not None else k
    while k > this.place and (reading.low(k) in "(.," or reading.cls(k) in "D"):
        k -= 1
    if reading.low(k) in _AGAINST or (reading.low(k) == "than" and other.kind == "level"):
        return True
    if other.kind == "bound":  # "improving on the O(n^2) of Alpha"
        return reading.low(k) in ("on", "upon", "over") and k > this.place
    return reading.low(k) in ("to", "with") and reading.low(k - 1) in _COMPARED


def _holder(reading: Reading, context: Context, draft: Draft) -> str | None:
    """`Alpha` of "3.9 for Alpha", "3.9 achieved by Alpha" and "3.9 mAP in 198 ms by Alpha"."""
    k = draft.place + 1
    limit = min(len(reading.tokens), k + 12)
    while k < limit:
        low = reading.low(k)
        if low in _DONE_BY and reading.low(k + 1) == "by":
            k, low = k + 1, "by"
        if low in _HOLDING:
            first = k + 1
            while reading.cls(first) == "D":
                first += 1
            count = first
            while reading.cls(count) == "#" and reading.cls(count + 1) == "N":
                count += 1 + bool(reading.quantity(count).noun)  # "the 250-step EDM teacher"
            first = count if reading.capital(count) and low != "in" else first
            phrase = reading.chain(first, of=False) if reading.cls(first) in "N#" else None
            named = low != "in" or context.name_of(reading, first)
            if phrase and named and (low == "at" or not reading.is_metric(phrase.last)):
                return context.short(reading, phrase)
        elif low == "and" and reading.cls(k + 1) == "#":
            k += 1  # "2.9 and 3.4 for the baselines"
        elif reading.cls(k) not in "N#" or (reading.cls(k) == "#" and reading.low(k - 1) != "in"):
            return None
        k += 1
    return None


def _contrasted(
    reading: Reading, this: Draft, other: Draft, context: Context, clauses: Clauses
) -> str | None:
    """The rival of "where Alpha keeps 89%", with the value before it held against that one."""
    number = clauses.of[other.place]
    clause = clauses.all[number]
    if reading.low(clause.start) not in _CONTRASTS or clauses.of[this.place] == number:
        return None
    if this.place > clause.start or other.kind == "bound":
        return None
    both_times = {this.unit, other.unit} <= TIME_UNITS
    if this.unit.split()[-1:] != other.unit.split()[-1:] and not both_times:
        return None
    phrase = clauses.subject(number)
    if phrase is None or rivals.speaker(reading, context, clauses, this.place):
        return None
    if found := rivals.rival(reading, context, phrase, contrast=True):
        return found
    needs = reading.low(clause.verb) not in CHANGE_VERBS and not reading.is_metric(phrase.last)
    plain = reading.cls(phrase.first - 1) != "D" or reading.low(phrase.first - 1) in ("a", "an")
    return reading.words(phrase) if needs and plain else None
