"""Values that stand right beside whose they are: "Alpha (0.70)", "Alpha: 0.71", "Alpha's 3.5%".

In: a `Reading` and its drafts with what each alone says. Out: the same drafts; what is named
beside a value is its subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from loader.measurements import rivals
from loader.measurements.baselines import Cue
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING
from loader.measurements.phrases import Phrase, Reading


def read(
    reading: Reading,
    measured: Sequence[Draft],
    against: Sequence[Cue],
    clauses: Clauses,
    context: Context,
) -> None:
    """Of "GLM-OCR: 0.715" and "the baseline (0.704)" the words before are the subject."""
    for n, draft in enumerate(measured):
        clause = clauses.at(draft.place)
        if clause.kind == "bracket" and n:
            _of_host(reading, measured[n - 1], draft, clauses)
        low, before = reading.low(draft.lead), draft.lead - 1
        listed = low == "," and clause.kind == "bracket" and reading.cls(before) == "N"
        if listed and draft.kind in ("level", "change"):
            phrase = reading.whole_ending(before)
            if (
                phrase is not None
                and phrase.first == clause.start
                and reading.capital(phrase.first)
            ):
                draft.subject, draft.baseline = reading.words(phrase), None  # "(Alpha, 6.7%)"
        if draft.kind != "level" and not (draft.kind == "ratio" and low == ":"):
            continue
        if low == ":" and reading.cls(before) == "N" and not reading.is_metric(before):
            phrase = reading.phrase_ending(before)
            if phrase is not None and (
                clauses.all[clauses.of[before]].kind == "bracket" or reading.capital(phrase.last)
            ):
                draft.subject = reading.words(phrase)
        elif low == "(":
            _behind(reading, measured[:n], draft, against, context)


def _of_host(reading: Reading, host: Draft, draft: Draft, clauses: Clauses) -> None:
    """What a number in brackets has of the one before them."""
    clause = clauses.at(draft.place)
    if draft.kind == "from_to":  # "by 9.6 points over Alpha (from 58.3 to 67.9)"
        if host.kind in ("change", "ratio") and clauses.of[host.place] == clause.parent:
            draft.metric, draft.baseline = host.metric or draft.metric, None
            if reading.low(draft.place + 1) not in ("for", "on", "in"):
                draft.subject = host.subject
    elif draft.kind == "change":  # "a COMET of 0.84 (+0.03)"
        if clause.start == host.place + 2 and host.kind == "level" and host.metric:
            draft.metric = host.metric
    elif draft.kind == "level" and host.place == draft.lead - 1:  # "Alpha (12.9 in 0.1 s)"
        same = clauses.of[host.place] == clauses.of[draft.place]
        if same and reading.low(draft.lead) == "in" and host.subject is not None:
            draft.subject, draft.baseline = host.subject, host.baseline


def _behind(
    reading: Reading,
    earlier: Sequence[Draft],
    draft: Draft,
    against: Sequence[Cue],
    context: Context,
) -> None:
    """Whose a value is that stands in brackets right behind what is named."""
    before = draft.lead - 1
    named = reading.cls(before) == "N" and not reading.is_metric(before)
    values = [d for d in earlier if d.kind == "level" and d.quantity.form == "value"]
    alike = [d for d in values if d.unit == draft.unit]
    if alike and (equal := _equalled(reading, before)):
        draft.subject, draft.baseline = equal, None
        draft.metric = alike[-1].metric or draft.metric
        alike[-1].baseline = alike[-1].baseline or equal
        return
    if named:
        phrase = reading.whole_ending(before)
        other = rivals.rival(reading, context, phrase) if phrase is not None else None
        if other is not None:
            draft.subject, draft.baseline = other, None
            if alike and alike[-1].metric:
                draft.metric = alike[-1].metric
            return
    cue = next((c for c in against if c.phrase.last == before), None)
    if cue is not None:
        phrase = reading.trimmed(cue.phrase) or cue.phrase
        draft.subject, draft.baseline = reading.words(phrase), None
        if alike and alike[-1].metric:
            draft.metric = alike[-1].metric
        elif draft.metric and draft.metric in cue.text:
            draft.metric = None
    elif named:
        phrase = reading.phrase_ending(before)
        if phrase is not None and reading.has_capital(phrase.last):
            draft.subject, draft.baseline = reading.words(phrase), None
            if alike and alike[-1].metric:
                draft.metric = alike[-1].metric
    elif reading.cls(before) == "V" and reading.cls(before - 1) == "N":
        phrase = reading.phrase_ending(before - 1)
        if phrase is not None:
            draft.subject = reading.words(phrase)


def _equalled(reading: Reading, last: int) -> str | None:
    """`Alpha` of "nearly matching Alpha (92.0%)"."""
    for k in range(last, max(-1, last - 6), -1):
        low = reading.low(k)
        if low in ("matching", "matches", "match", "equalling", "rivalling"):
            if low.startswith("match") and reading.low(k - 1) in ("exact", "the", "a", "of"):
                return None
            first = k + 1
            while first < last and reading.cls(first) not in "NV":
                first += 1
            return reading.words(Phrase(first, last)) if first <= last else None
        if reading.cls(k) in "XP#" or (reading.cls(k) == "V" and not low.endswith("ing")):
            return None
    return None


def possessed(reading: Reading, measured: Sequence[Draft]) -> None:
    """Of "falls to 3.6%, matching Alpha's 3.5%" Alpha is whose value the second is."""
    for first, draft in pairwise(measured):
        exceeded = reading.low(draft.place - 2) in BEATING | _EQUALLING - {"to"}
        held = exceeded and reading.low(draft.place - 1) == "the" and draft.subject is not None
        if held and first.kind == draft.kind == "level" and first.baseline is None:
            first.baseline, draft.baseline = draft.subject, None  # "exceeding the 51 of Alpha"
    for n, draft in enumerate(measured):
        k = draft.place - 1
        owned = reading.low(k).endswith(("'s", "’s"))
        if draft.kind != "level" or not owned or reading.low(k) in ("it's", "what's"):
            continue
        phrase = reading.phrase_ending(k)
        if phrase is None:
            continue
        begin = phrase.first
        begin += begin < phrase.last and reading.low(begin) in BEATING | _EQUALLING
        owner = reading.words(Phrase(begin, phrase.last))[:-2]
        host = measured[n - 1] if n else None
        if host is not None and host.kind == "level" and host.unit == draft.unit:
            draft.metric = host.metric
            if reading.low(begin - 1) in BEATING | _EQUALLING:
                host.baseline = host.baseline or owner
        draft.subject, draft.baseline = owner, None


_EQUALLING: Final = frozenset("matching matches equalling than versus vs against to".split())
