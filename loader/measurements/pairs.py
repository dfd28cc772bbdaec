"""Values of one list and the items of another: "on A and B by 1% and 2%, respectively".

In: a `Reading` and its drafts. Out: the same drafts, each with the metric, baseline or subject that
is its own of a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, CHANGE_NOUNS, COLLECTIONS
from loader.measurements.phrases import Phrase, Reading

_IN_ORDER = frozenset(("respectively",))
_JOINED = re.compile(r",? and |, ")


def pair(reading: Reading, measured: Sequence[Draft], context: Context) -> None:
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
        _split_subject(reading, group)
        _split_metric(reading, group)
        if len(group) > 1 and (said or _tight(reading, group)):
            _pair_group(reading, group, context, said)


def _tight(reading: Reading, group: Sequence[Draft]) -> bool:
    """Whether nothing but "and" and commas stands between values: "1.2, 3.4 and 5.6%"."""
    return all(
        reading.cls(k) in "CX"
        for this, following in pairwise(group)
        for k in range(this.place + 1, following.place)
    )


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


def _split_subject(reading: Reading, group: Sequence[Draft]) -> None:
    """Gives "Alpha and Beta reach 71% and 74%" each its own subject."""
    parts = _JOINED.split(group[-1].subject or "")
    if len(parts) != len(group) or len(parts) < 2 or not _tight(reading, group):
        return
    told = all(d.subject == group[-1].subject and d.kind == "level" for d in group)
    if told and all(any(c.isupper() or c.isdigit() for c in part) for part in parts):
        for draft, part in zip(group, parts, strict=True):
            draft.subject = part


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
    if reading.low(first - 1) != "on" and nearby & (
        BEATING | {"over", "than", "compared", "versus", "against"}
    ):
        return "baseline"
    if all(context.name_of(reading, p.first) for p in items):
        return "subject"
    before = reading.low(first - 1)
    listed = before == "," and (
        reading.low(first - 2) in COLLECTIONS or reading.low(first - 2).endswith("s")
    )
    if (listed or before in ("to", "of", "with", "in")) and all(
        reading.capital(p.first) for p in items
    ):
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
