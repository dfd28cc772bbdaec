"""Sentences to measurements: the numbers worth querying, and what they say.

In: the plain text of an abstract, its sentences, and names that stand in it. Out:
`Measurement`s with kind, values, unit, metric, baseline, subject and qualifier. No training:
the rules are in `numerals` (what a number is), `kinds` (what sort of number) and `attributes`.
That reads a sentence by its `clauses` and asks `metrics` (of what), `baselines` and `comparisons`
(against what), `places`, `subjects` and `rivals` (on what or whose) and `owners` (amounts of what).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Final

from loader.measurements import attributes, kinds, numerals
from loader.measurements.atoms import is_foreign
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.phrases import Reading
from loader.measurements.quantity import Quantity
from loader.model import Measurement, Span
from loader.text import Plain

_HAS_DIGIT: Final = re.compile(r"\d")
# "7B-parameter model" is a size and no name.
_SIZE: Final = re.compile(r"\d[\d.,]*[KMBT]?[ -](?:param|bit\b|layer|token)")


def find(
    plain: Plain, sentences: Sequence[Span], known: Sequence[str] = (), own: Sequence[str] = ()
) -> list[Measurement]:
    """The measurements of an abstract in the order of the text.

    `sentences` are spans in the plain text, in order. `known` are names that the paper
    introduces or mentions, `own` those of them that it introduces; without them baselines and
    subjects are still found, by their shape. `Measurement.start` and `end` count in the plain
    text.
    """
    text = plain.plain
    if not sentences:
        return []
    known = [name for name in known if not _SIZE.match(name)]
    quantities = numerals.find(text, _places(text, known))
    if not quantities:
        return []
    starts = [s.start for s in sentences]
    groups: dict[int, list[Quantity]] = {}
    for quantity in quantities:
        index = bisect_right(starts, quantity.start) - 1
        if index >= 0 and quantity.end <= sentences[index].end:
            groups.setdefault(index, []).append(quantity)
    context = Context(text, known, own)
    found = []
    said: attributes.Said | None = None
    last = -2
    for index, members in groups.items():
        said, last = said if last == index - 1 else None, index
        for part, within in _stretches(members, sentences[index]):
            reading = Reading(text, within.start, within.end, part)
            made = kinds.drafts(reading)
            if is_foreign(text, within.start, within.end):
                said = None  # what the words of another language say is not known
            else:
                said = attributes.fill(reading, made, context, said)
            found += _records(index, made)
    return found


def _records(index: int, drafts: Sequence[Draft]) -> list[Measurement]:
    """What was drafted for the sentence `index`; no number that is too large to be one."""
    return [
        Measurement(
            sentence=index,
            kind=d.kind,
            low=d.low,
            high=d.high,
            unit=d.unit,
            start=d.quantity.start,
            end=d.quantity.end,
            spread=d.quantity.spread,
            metric=d.metric,
            baseline=d.baseline,
            subject=d.subject,
            qualifier=d.qualifier,
        )
        for d in drafts
        if all(v is None or isfinite(v) for v in (d.low, d.high, d.quantity.spread))
    ]


# A sentence is read as a whole up to this size; what is longer is no sentence, and reading it
# as one would take time that grows faster than the text.
_LONGEST: Final = 1500
_MOST: Final = 24


def _stretches(members: list[Quantity], sentence: Span) -> Iterator[tuple[list[Quantity], Span]]:
    """The quantities of a sentence with the stretch of text to read around them."""
    if len(members) <= _MOST and sentence.end - sentence.start <= 2 * _LONGEST:
        yield members, sentence
        return
    first, before = 0, sentence.start
    while first < len(members):
        last = first
        while (
            last + 1 < len(members)
            and last + 1 - first < _MOST
            and members[last + 1].end - members[first].start < _LONGEST
        ):
            last += 1
        following = members[last + 1].start if last + 1 < len(members) else sentence.end
        start = max(before, members[first].start - _LONGEST)
        yield members[first : last + 1], Span(start, min(following, members[last].end + _LONGEST))
        first, before = last + 1, members[last].end


def _places(text: str, known: Sequence[str]) -> list[Span]:
    """Where names with digits in them stand."""
    spans: list[Span] = []
    for name in known:
        if not _HAS_DIGIT.search(name):
            continue
        position = text.find(name)
        while position >= 0:
            spans.append(Span(position, position + len(name)))
            position = text.find(name, position + len(name))
    return sorted(spans)
