"""What a number is of, against what it is held and what it holds for.

In: a `Reading` and its drafts. Out: the same drafts with metric, baseline, subject and
qualifier, where the sentence says so, and what coordinated numbers share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from loader.measurements import (
    baselines,
    brackets,
    comparisons,
    metrics,
    owners,
    pairs,
    places,
    rivals,
    subjects,
)
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, COMPARATIVES, LOWER_IS_BETTER
from loader.measurements.phrases import Reading


class Said(NamedTuple):
    """A metric that was said, and the unit it is measured in."""

    metric: str
    unit: str


def fill(
    reading: Reading, drafts: Sequence[Draft], context: Context, before: Said | None = None
) -> Said | None:
    """Sets metric, baseline, subject and qualifier of `drafts`.

    `before` is what the sentence before was last about; that of this one is returned.
    """
    if not drafts:
        return None
    measured = [d for d in drafts if d.kind != "amount"]
    against = baselines.cues(reading)
    clauses = Clauses(reading) if measured or against or len(drafts) > 1 else None
    if measured and clauses is not None:
        _each(reading, measured, against, context, clauses, before)
        brackets.read(reading, measured, against, clauses, context)
        brackets.possessed(reading, measured)
        for host, draft in pairwise(measured):
            if host.baseline is None and _says_more(reading, host, draft, clauses):
                host.baseline = draft.baseline
        for n, draft in enumerate(measured):
            if rivals.is_human(draft.metric):
                draft.subject = draft.metric
                draft.metric = measured[n - 1].metric if n else before and before.metric
        _inherit(reading, measured, clauses)
        for host, draft in pairwise(measured):
            if _apposed(reading, host, draft, clauses):
                draft.subject = draft.subject or host.subject
                draft.metric = draft.metric or host.metric
        for draft in measured:
            if draft.subject is None and draft.whose != draft.baseline:
                draft.subject = draft.whose
        pairs.pair(reading, measured, context)
    _amounts(reading, drafts, against, context, clauses)
    if clauses is not None and len(drafts) > 1:
        comparisons.hold(reading, drafts, against, context, clauses)
    of_confidence = _intervals(reading, measured)
    if before is not None:
        _carry_over(measured, before)
    named = [d for d in measured if d.metric and d not in of_confidence]
    return Said(named[-1].metric or "", named[-1].unit) if named else None


def _each(
    reading: Reading,
    measured: Sequence[Draft],
    against: Sequence[baselines.Cue],
    context: Context,
    clauses: Clauses,
    before: Said | None,
) -> None:
    """Metric, subject and baseline of each draft by itself."""
    on = places.cues(reading, context, measured)
    said_for = places.owners(reading, measured, on)
    said_for |= comparisons.owners(reading, measured, on)
    theirs = baselines.values(reading, measured, against)
    trailing = baselines.trailing(reading, measured, against)
    for draft in measured:
        place = draft.place
        draft.metric = metrics.metric(reading, draft, context, clauses)
        mine = [c for c in on if said_for.get(c.token, place) == place]
        draft.subject = subjects.subject(
            reading, draft, measured, mine, context, clauses, place in theirs
        )
        plain = draft.subject is None or draft.subject == draft.subject.lower()
        if draft.within and (plain or draft.subject == draft.within):
            draft.subject = draft.within
            draft.metric = (draft.metric or "")[len(draft.within) :].strip() or None
        if theirs.get(place):
            draft.subject = theirs[place]
            values = [d for d in measured if d.place < place and d.kind == "level"]
            if draft.metric is None and values and values[-1].unit == draft.unit:
                draft.metric = values[-1].metric  # "a score of 1.3, 23% above the best of 1.1"
        if not theirs.get(place):
            draft.baseline = baselines.baseline(reading, draft, measured, against, clauses)
            if draft.baseline is None and draft.kind in ("change", "ratio", "from_to"):
                draft.baseline = trailing
        if draft.metric is None:
            draft.metric = _continued(reading, draft, measured, before)
        _turn(reading, draft)


def _turn(reading: Reading, draft: Draft) -> None:
    """Makes a fall of what is better the lower: "an FID of 2.4, beating Alpha by 0.4"."""
    word = reading.low(draft.driver) if draft.driver is not None else ""
    wins = word in BEATING and not word.startswith(("underperform", "trail"))
    if not wins or draft.kind != "change" or draft.quantity.signed:
        return
    lower = not LOWER_IS_BETTER.isdisjoint((draft.metric or "").lower().split()[-1:])
    if lower and draft.low is not None and draft.high is not None and draft.low > 0:
        draft.low, draft.high = -draft.high, -draft.low


def _amounts(
    reading: Reading,
    drafts: Sequence[Draft],
    against: Sequence[baselines.Cue],
    context: Context,
    clauses: Clauses | None,
) -> None:
    """Whose the amounts are, and what is compared with them."""
    measured = [d for d in drafts if d.kind != "amount"]
    for n, draft in enumerate(drafts):
        counted = (draft.metric or "").removeprefix("number of ")
        if draft.kind == "level" and not draft.unit and counted != (draft.metric or ""):
            draft.kind, draft.unit, draft.metric = "amount", counted, None
        agreed = {"agreement", "kappa"} & set((draft.metric or "").lower().split())
        if draft.kind == "level" and draft.subject is None and agreed:
            draft.subject = context.own_collection
        if draft.kind == "amount":
            if against and clauses is not None:
                draft.baseline = baselines.baseline(reading, draft, measured, against, clauses)
            draft.subject = owners.owner(reading, draft, drafts[:n], context, clauses)
            if draft.quantity.total and n and drafts[n - 1].subject is None:
                drafts[n - 1].subject = draft.subject  # "6 of the 20 layers in Alpha"
        elif draft.kind == "ratio" and draft.metric is None and n:
            # "10 parameters, 3× fewer than ..."
            fewer = reading.low(draft.place + 1) in ("fewer", "more", "less")
            counted = drafts[n - 1].unit.strip("%")
            draft.metric = counted or None if fewer else None


def _apposed(reading: Reading, host: Draft, draft: Draft, clauses: Clauses) -> bool:
    """Whether a difference is said of the value before it: "31 mm, an improvement of 9.5%"."""
    if draft.kind != "change" or host.kind != "level" or draft.driver is None:
        return False
    if clauses.of[host.place] != clauses.of[draft.place] or draft.driver < host.place:
        return False
    first = next((k for k in range(host.place, draft.driver) if reading.low(k) == ","), None)
    return first is not None and reading.cls(first + 1) == "D"


_CONFIDENCE: Final = "confidence interval"
_INTERVAL: Final = re.compile(r"[\s-](?:CIs?\b|confidence\b|credible\b)")
_OF_INTERVAL: Final = re.compile(
    r"[\s,;:=()\[\]–-]{0,4}(?:(?:bootstrap|of|cis?|confidence|credible|intervals?|is|to|and)"
    r"[\s,;:=()\[\]–-]{0,4}){0,4}",
    re.IGNORECASE,
)


def _intervals(reading: Reading, measured: Sequence[Draft]) -> list[Draft]:
    """The numbers of "(95% CI 1.9-2.6)": they are of no other metric and hold for nothing else."""
    found: list[Draft] = []
    for n, draft in enumerate(measured):
        behind = reading.text[draft.quantity.end : draft.quantity.end + 24]
        opens = draft.unit == "%" and _INTERVAL.match(behind) is not None
        follows = bool(found) and found[-1] is measured[n - 1]
        if follows:
            between = reading.text[measured[n - 1].quantity.end : draft.quantity.start]
            follows = _OF_INTERVAL.fullmatch(between) is not None
        if opens or follows:
            found.append(draft)
            draft.metric, draft.subject, draft.baseline = _CONFIDENCE, None, None
    return found


def _says_more(reading: Reading, host: Draft, draft: Draft, clauses: Clauses) -> bool:
    """Whether a difference says more of a value: "76%, (which is) 3% higher than that of"."""
    if host.kind != "level" or draft.kind not in ("change", "ratio") or not draft.baseline:
        return False
    better = reading.low(draft.place + 1) in COMPARATIVES
    if not better or draft.lead < host.place:
        return False
    if reading.low(draft.lead) == ",":
        return draft.lead > host.place and clauses.of[draft.place] == clauses.of[host.place]
    which = clauses.at(draft.place)
    related = reading.low(which.start) == "which" and which.parent == clauses.of[host.place]
    return related and reading.low(draft.lead) in ("is", "was")


def _carry_over(measured: Sequence[Draft], before: Said) -> None:
    """Gives the metric of the sentence before to numbers that plainly continue it.

    "It has 91% accuracy. On RiverQA it reaches 87%": no metric is named in the second, and the
    unit is the same.
    """
    if any(d.metric for d in measured):
        return
    for draft in measured:
        alike = draft.unit == before.unit or {draft.unit, before.unit} == {"%", "points"}
        if alike and draft.kind in ("level", "change", "from_to"):
            draft.metric = before.metric


def _continued(
    reading: Reading, draft: Draft, measured: Sequence[Draft], before: Said | None
) -> str | None:
    """The metric that was said earlier: "a rate of 5%, beating X by 2%"."""
    earlier = next((d for d in reversed(measured) if d.place < draft.place and d.metric), None)
    beats = draft.driver is not None and reading.low(draft.driver) in BEATING
    if draft.kind == "bound" or (draft.kind == "level" and reading.low(draft.lead) == "from"):
        return earlier.metric if earlier and earlier.kind == draft.kind else None
    better = draft.kind == "change" and (
        reading.low(draft.place + 1) in COMPARATIVES
        or (draft.comes_after and draft.driver is not None)
    )
    if better and earlier is not None and earlier.kind == "level":
        return earlier.metric
    if not beats:
        return None
    if earlier is not None:
        alike = {earlier.unit, draft.unit} <= {"%", "points"}
        return earlier.metric if alike or earlier.kind in ("level", "from_to") else None
    opening = {reading.low(i) for i in range(4)}
    goes_on = bool(opening & {"also", "further", "additionally", "moreover"})
    goes_on = goes_on or reading.low(0) in ("it", "they")
    return before.metric if before is not None and goes_on else None


def _inherit(reading: Reading, measured: Sequence[Draft], clauses: Clauses) -> None:
    """What coordinated numbers share: the subject both ways, all else forwards."""
    for draft in measured:
        parent = draft.follows
        if parent is None or parent.kind == "amount":
            continue
        rated = draft.unit != parent.unit and subjects.timed(draft)  # "(47.9 AP, 31 FPS)"
        if (draft.metric is None or not draft.own_metric) and not rated:
            draft.metric = parent.metric or draft.metric
        draft.baseline = draft.baseline or parent.baseline
        draft.subject = draft.subject or parent.subject
        shared = parent.qualifier in ("up to", "average", "about") and draft.kind == parent.kind
        if draft.qualifier is None and shared:
            draft.qualifier = parent.qualifier
    for draft, following in reversed(list(pairwise(measured))):
        alike = following.kind == draft.kind and subjects.timed(following) == subjects.timed(draft)
        own_noun = draft.comes_after and draft.noun is not None  # "a 2% gain and a 3% lower cost"
        alike = alike and not own_noun and reading.low(draft.place + 1) not in COMPARATIVES
        if draft.metric is None and following.follows is draft and alike:
            draft.metric = following.metric
        between = {reading.low(i) for i in range(draft.place + 1, following.place)}
        together = following.follows is draft or (
            clauses.of[draft.place] == clauses.of[following.place] and "," not in between
        )
        bracketed = clauses.at(following.place)
        together = together or (bracketed.kind == "bracket" and bracketed.start == draft.place + 2)
        coordinate = bracketed.kind == "shared" and reading.low(bracketed.start) == "and"
        if coordinate and bracketed.parent == clauses.of[draft.place]:
            together = True
        if following.subject == draft.baseline or subjects.static(draft):
            continue
        if reading.low(draft.place + 1) == "on" and reading.low(draft.place + 2) == "average":
            continue
        if following.unit != draft.unit and subjects.on_machine(following.subject):
            continue
        if subjects.timed(draft) and not subjects.timed(following):
            continue
        if following.metric != draft.metric and subjects.on_machine(following.subject):
            continue
        if coordinate and _said_for(reading, following):
            continue
        if draft.subject is None and together and "bound" not in (draft.kind, following.kind):
            if following.place - draft.place == 2:
                between.discard("(")  # "56.4 (+2.3) on COCO"
            if not between & {";", ":", "(", "while", "whereas", "but"}:
                draft.subject = following.subject


def _said_for(reading: Reading, draft: Draft) -> bool:
    """Whether the subject of a draft stands behind it with "for"."""
    place = reading.text.find(draft.subject or "", draft.quantity.end, reading.end)
    return place > 0 and reading.text.endswith(" for ", draft.quantity.end, place)
