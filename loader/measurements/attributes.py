"""What a number is of, against what it is held and what it holds for.

In: a `Reading` and its drafts. Out: the same drafts with metric, baseline, subject and
qualifier, where the sentence says so, and what coordinated numbers share.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from loader.measurements import baselines, comparisons, metrics, owners, places, rivals, subjects
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, CHANGE_NOUNS, COMPARATIVES
from loader.measurements.phrases import Phrase, Reading


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
        _in_brackets(reading, measured, against, clauses, context)
        _possessed(reading, measured)
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
        _pair(reading, measured, context)
    _amounts(reading, drafts, against, context, clauses)
    if clauses is not None and len(drafts) > 1:
        comparisons.hold(reading, drafts, against, context, clauses)
    if before is not None:
        _carry_over(measured, before)
    named = [d for d in measured if d.metric]
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
        if not theirs.get(place):
            draft.baseline = baselines.baseline(reading, draft, measured, against, clauses)
            if draft.baseline is None and draft.kind in ("change", "ratio", "from_to"):
                draft.baseline = trailing
        if draft.metric is None:
            draft.metric = _continued(reading, draft, measured, before)


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


def _in_brackets(
    reading: Reading,
    measured: Sequence[Draft],
    against: Sequence[baselines.Cue],
    clauses: Clauses,
    context: Context,
) -> None:
    """Of "GLM-OCR: 0.715" and "the baseline (0.704)" the words before are the subject."""
    for n, draft in enumerate(measured):
        clause = clauses.at(draft.place)
        if draft.kind == "from_to" and clause.kind == "bracket" and n:
            # "by 9.6 points over Alpha (from 58.3 to 67.9)"
            host = measured[n - 1]
            if host.kind in ("change", "ratio") and clauses.of[host.place] == clause.parent:
                draft.metric, draft.baseline = host.metric or draft.metric, None
                if reading.low(draft.place + 1) not in ("for", "on", "in"):
                    draft.subject = host.subject
        if draft.kind == "change" and clause.kind == "bracket" and n:
            host = measured[n - 1]  # "a COMET of 0.84 (+0.03)"
            if clause.start == host.place + 2 and host.kind == "level" and host.metric:
                draft.metric = host.metric
        if draft.kind != "level" and not (draft.kind == "ratio" and reading.low(draft.lead) == ":"):
            continue
        low, before = reading.low(draft.lead), draft.lead - 1
        if low == "," and clause.kind == "bracket" and reading.cls(before) == "N":
            phrase = reading.whole_ending(before)
            if phrase is not None and phrase.first == clause.start and reading.capital(before):
                draft.subject, draft.baseline = reading.words(phrase), None  # "(Alpha, 6.7%)"
        if low == "in" and clause.kind == "bracket" and n:
            host = measured[n - 1]  # "Alpha (12.9 in 0.1 s)"
            if clauses.of[host.place] == clauses.of[draft.place] and host.place == draft.lead - 1:
                draft.subject, draft.baseline = host.subject, host.baseline
        if low == ":" and reading.cls(before) == "N" and not reading.is_metric(before):
            phrase = reading.phrase_ending(before)
            if phrase is not None and (
                clauses.all[clauses.of[before]].kind == "bracket" or reading.capital(phrase.last)
            ):
                draft.subject = reading.words(phrase)
        elif low == "(":
            if reading.cls(before) == "N" and not reading.is_metric(before):
                phrase = reading.whole_ending(before)
                other = rivals.rival(reading, context, phrase) if phrase is not None else None
                if other is not None:
                    draft.subject, draft.baseline = other, None
                    continue
            cue = next((c for c in against if c.phrase.last == before), None)
            if cue is not None:
                phrase = reading.trimmed(cue.phrase) or cue.phrase
                draft.subject, draft.baseline = reading.words(phrase), None
                alike = [d for d in measured[:n] if d.unit == draft.unit and d.kind == "level"]
                if alike and alike[-1].metric:
                    draft.metric = alike[-1].metric
                elif draft.metric and draft.metric in cue.text:
                    draft.metric = None
            elif reading.cls(before) == "N" and not reading.is_metric(before):
                phrase = reading.phrase_ending(before)
                if phrase is not None and reading.has_capital(phrase.last):
                    draft.subject, draft.baseline = reading.words(phrase), None
            elif reading.cls(before) == "V" and reading.cls(before - 1) == "N":
                phrase = reading.phrase_ending(before - 1)
                if phrase is not None:
                    draft.subject = reading.words(phrase)


def _possessed(reading: Reading, measured: Sequence[Draft]) -> None:
    """Of "falls to 3.6%, matching Alpha's 3.5%" Alpha is whose value the second is."""
    for host, draft in pairwise(measured):
        exceeded = reading.low(draft.place - 2) in BEATING | _EQUALLING - {"to"}
        held = exceeded and reading.low(draft.place - 1) == "the" and draft.subject is not None
        if held and host.kind == draft.kind == "level" and host.baseline is None:
            host.baseline, draft.baseline = draft.subject, None  # "exceeding the 51 of Alpha"
    for n, draft in enumerate(measured):
        k = draft.place - 1
        owned = reading.low(k).endswith(("'s", "’s"))
        if draft.kind != "level" or not owned or reading.low(k) in ("it's", "what's"):
            continue
        phrase = reading.phrase_ending(k)
        if phrase is None:
            continue
        owner = reading.words(phrase)[:-2]
        host = measured[n - 1] if n else None
        if host is not None and host.kind == "level" and host.unit == draft.unit:
            draft.metric = host.metric
            if reading.low(phrase.first - 1) in BEATING | _EQUALLING:
                host.baseline = host.baseline or owner
        draft.subject, draft.baseline = owner, None


_EQUALLING: Final = frozenset("matching matches equalling than versus vs against to".split())


def _inherit(reading: Reading, measured: Sequence[Draft], clauses: Clauses) -> None:
    """What coordinated numbers share: the subject both ways, all else forwards."""
    for draft in measured:
        parent = draft.follows
        if parent is None or parent.kind == "amount":
            continue
        if draft.metric is None or not draft.own_metric:
            draft.metric = parent.metric or draft.metric
        draft.baseline = draft.baseline or parent.baseline
        draft.subject = draft.subject or parent.subject
        shared = parent.qualifier in ("up to", "average", "about") and draft.kind == parent.kind
        if draft.qualifier is None and shared:
            draft.qualifier = parent.qualifier
    for draft, following in reversed(list(pairwise(measured))):
        alike = following.kind == draft.kind and subjects.timed(following) == subjects.timed(draft)
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


# --- pairs ------------------------------------------------------------------------------------


_IN_ORDER = frozenset(("respectively",))


def _pair(reading: Reading, measured: Sequence[Draft], context: Context) -> None:
    """Pairs the values of a list with the items of another: "A and B ... 1% and 2%, respectively".

    Two metrics and two values are paired without that word too.
    """
    said = reading.says(_IN_ORDER)
    groups: list[list[Draft]] = []
    for draft in measured:
        if groups and draft.follows is groups[-1][-1]:
            groups[-1].append(draft)
        else:
            groups.append([draft])
    if said:  # of the numbers that stand before the word
        word = next(i for i, t in enumerate(reading.tokens) if t.low == "respectively")
        ahead = [d for d in measured if d.place < word]
        measured = ahead if len(ahead) > 1 else measured
        group = [measured[-1]]
        for draft in reversed(measured[:-1]):
            if group[0].follows is draft:
                group.insert(0, draft)
        if len(group) < 2:
            group = [d for d in measured if d.kind == group[0].kind]
        groups = [group]
    for group in groups:
        _split_slash(group)
        _split_metric(reading, group)
        if len(group) > 1:
            _pair_group(reading, group, context, said)


def _pair_group(reading: Reading, group: list[Draft], context: Context, said: bool) -> None:
    """Pairs the values of one list."""
    named_after = any(d.metric_after for d in group)
    for size in (len(group), len(group) // 2):
        if size < 2:
            continue
        items = _list(reading, size, group[0].place)
        attribute = _attribute(reading, items, context, said, named_after) if items else None
        if items is None or attribute is None:
            continue
        step = len(group) // size
        for n, draft in enumerate(group[: size * step]):
            text = context.short(reading, items[n // step])
            if attribute == "metric":
                draft.metric = text
            elif attribute == "baseline":
                draft.baseline = text
            else:
                draft.subject = text
        return


def _split_metric(reading: Reading, group: Sequence[Draft]) -> None:
    """Gives "top-1 and top-5 error of 37% and 17%" each its own metric."""
    metric = group[-1].metric or ""
    which, _, rest = metric.partition(" ")
    stem, dash, _ = which.partition("-")
    if len(group) != 2 or not rest or not dash or group[0].metric != metric:
        return
    which = which.lower()
    for i, token in enumerate(reading.tokens):
        if token.low == which and reading.low(i - 1) == "and":
            if reading.low(i - 2).startswith(stem.lower() + "-"):
                group[0].metric = f"{reading.words(Phrase(i - 2, i - 2))} {rest}"
            return


def _split_slash(group: Sequence[Draft]) -> None:
    """Gives "94.5%/91.2% on A/B" each its own subject."""
    parts = (group[-1].subject or "").split("/")
    if len(parts) == len(group) > 1 and all(d.quantity.member for d in group[1:]):
        for draft, part in zip(group, parts, strict=True):
            draft.subject = part.strip()


def _attribute(
    reading: Reading, items: Sequence[Phrase], context: Context, said: bool, named_after: bool
) -> str | None:
    """Which attribute the items of a list give."""
    if all(reading.is_metric(p.last) for p in items):
        return "metric" if said or not named_after else None
    first = items[0].first
    if not said:
        named = all(reading.capital(p.first) for p in items)
        compared = reading.low(first - 2) == "compared"
        if named and (compared or reading.low(first - 1) in BEATING | {"over"}):
            return "baseline"
        return "subject" if named and reading.low(first - 1) == "on" else None
    nearby = {reading.low(k) for k in range(max(0, first - 6), first)}
    if nearby & (BEATING | {"over", "than", "compared", "versus", "against"}):
        return "baseline"
    if all(context.name_of(reading, p.first) for p in items):
        return "subject"
    before = reading.low(first - 1)
    if before in ("to", "of", "with", "in") and all(reading.capital(p.first) for p in items):
        return "subject"
    return "subject" if before in ("on", "the", "for", "both") else None


def _list(reading: Reading, size: int, place: int) -> list[Phrase] | None:
    """The list "A, B and C" of `size` noun phrases that stands nearest to token `place`."""
    best: tuple[int, list[Phrase]] | None = None
    for i, token in enumerate(reading.tokens):
        if token.low != "and":
            continue
        items = _items(reading, i, size)
        if items is None:
            continue
        distance = place - items[-1].last if items[-1].last < place else items[0].first - place + 8
        if best is None or distance < best[0]:
            best = distance, items
    return best[1] if best else None


def _items(reading: Reading, conjunction: int, size: int) -> list[Phrase] | None:
    phrase = reading.phrase_from(conjunction + 1)
    if phrase is None:
        return None
    items = [phrase]
    k = conjunction - 1
    while len(items) < size:
        k -= reading.low(k) == ","
        before = reading.phrase_ending(k) if reading.cls(k) == "N" else None
        if before is None:
            return None
        items.insert(0, before)
        k = before.first - 1
        if reading.low(k) not in (",", "and"):
            break
    if len(items) != size or any(reading.cls(p.first) == "#" for p in items):
        return None
    last = items[-1]
    if last.last > last.first and reading.low(last.last) in CHANGE_NOUNS:
        items[-1] = Phrase(last.first, last.last - 1)
    return items
