"""What a number is compared with: "over DPO", "than the base model", "outperforms all baselines".

In: a `Reading` and its drafts. Out: the places where a baseline is named, and the one that
belongs to a draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, CHANGE_VERBS, NUMBER_WORDS
from loader.measurements.phrases import Phrase, Reading


class Cue(NamedTuple):
    """A phrase that may be meant, the token that announces it and its rank (0 the surest)."""

    token: int
    phrase: Phrase
    text: str
    rank: int


_VAGUE: Final = frozenset(
    "other others average ones that those it them itself one both each all".split()
) | frozenset(NUMBER_WORDS)
_NOT_BASELINES: Final = frozenset(
    "time seeds runs trials steps epochs iterations expected random years tasks datasets "
    "benchmarks previously before ever others rest one two half reported domains languages "
    "settings".split()
)
# "the accuracy of the previous method" names what it is held against.
_EARLIER: Final = frozenset("prior previous existing baseline standard original vanilla".split())
_SOTA: Final = frozenset("state-of-the-art sota".split())


def cues(reading: Reading) -> list[Cue]:
    """Every baseline that the sentence names, in order."""
    found = []
    for i, token in enumerate(reading.tokens):
        low = token.low
        if low not in _ANNOUNCE:
            continue
        first, rank = i + 1, 0
        if low in ("over", "upon"):
            if reading.cls(i - 1) == "V" and reading.low(i - 1) not in CHANGE_VERBS:
                continue
        elif low in ("than", "versus", "vs"):
            if reading.low(i - 1) in ("rather", "other"):
                continue
            first += reading.low(first) == "."
            if reading.low(first) in ("with", "using", "under", "for", "in"):
                continue
        elif low in ("compared", "relative", "comparison", "comparable"):
            if reading.low(first) not in ("to", "with", "against"):
                continue
            first += 1
            rank = 2 if low == "comparable" else 0
        elif low == "respect":
            if reading.low(i - 1) != "with" or reading.low(first) != "to":
                continue
            first += 1
        elif low == "against":
            rank = 2
        elif low in _APART:
            if reading.cls(i - 1) != "#" and reading.low(i - 1) not in ("well", "far", "even"):
                continue
            first += reading.low(first) == "of"
        else:
            rank = 1
        if reading.low(first) in ("that", "those") and reading.low(first + 1) == "of":
            first += 2
        cls = reading.cls(first)
        if cls not in "NDR#" or (cls == "#" and not (rank == 1 and reading.cls(first + 1) == "N")):
            continue
        phrase = reading.chain(first)
        if phrase is None:
            continue
        text = reading.words(phrase)
        if reading.low(phrase.last) in _NOT_BASELINES or text.lower() in _VAGUE:
            continue
        if reading.low(phrase.first) in _SOTA and reading.is_metric(phrase.last):
            text = reading.words(Phrase(phrase.first, phrase.first))
        found.append(Cue(i, phrase, text, rank))
    return found


_ANNOUNCE: Final = BEATING | frozenset(
    "over upon than versus vs compared relative comparison comparable against respect behind "
    "below above ahead short".split()
)
_APART: Final = frozenset("behind below above ahead short".split())


def baseline(
    reading: Reading, draft: Draft, measured: Sequence[Draft], named: Sequence[Cue]
) -> str | None:
    """The baseline of a draft that is no amount, by the cues of its sentence."""
    place = draft.place
    if draft.kind == "bound":
        later = [c for c in named if c.token > place and reading.low(c.phrase.first) in _SOTA]
        return later[0].text if later else None
    following = [d.place for d in measured if d.place > place]
    next_place = following[0] if following else len(reading.tokens)
    if draft.kind == "level":
        return _of_level(reading, draft, named)
    if draft.kind in ("change", "from_to") and (inner := _within_object(reading, draft)):
        return inner
    near = [c for c in named if place < c.token < next_place and c.rank < 2]
    if near:
        return near[0].text
    start, end = reading.clause(place)
    within = [c for c in named if start <= c.token < end]
    before = [c for c in within if c.token < place and c.rank < 2]
    later = [c for c in within if c.token > place and c.rank < 2]
    if before and before[-1].rank == 1 and draft.follows is None:
        return before[-1].text
    if later and not before:
        return later[0].text
    if before:
        nearer = not later or later[0].token - place > place - before[-1].token
        return before[-1].text if nearer else later[0].text
    weak = [c for c in within if c.token > place]
    if weak and (draft.metric is None or reading.low(weak[0].token) == "comparable"):
        return weak[0].text
    return None


_ATTAINING: Final = frozenset("achieving reaching attaining obtaining".split())


def _of_level(reading: Reading, draft: Draft, named: Sequence[Cue]) -> str | None:
    place = draft.place
    if draft.unit == "%" and reading.low(place + 1) == "of":
        phrase = reading.phrase_from(place + 2)
        if phrase is not None and reading.low(phrase.last + 1) == "of":
            whose = reading.chain(phrase.last + 2)
            if whose is not None and reading.is_metric(phrase.last):
                return reading.words(whose)
    start, end = reading.clause(place)
    within = [c for c in named if start <= c.token < end]
    for cue in within:
        preferred = reading.low(cue.token) == "over" and cue.token == place + 1
        if cue.token > place and (
            preferred
            or cue.rank == 1
            or reading.low(cue.token) == "than"
            or reading.low(cue.token) in _APART
        ):
            return cue.text
    for cue in within:
        if cue.rank != 1 or cue.token > place:
            continue
        between = range(cue.phrase.last + 1, draft.lead + 1)
        if len(between) == 1 or any(reading.low(i) in _ATTAINING for i in between):
            return cue.text
    return None


def _within_object(reading: Reading, draft: Draft) -> str | None:
    """A baseline inside what changes: "the WER of the prior method"."""
    driver = draft.driver
    if driver is None or driver >= draft.place or reading.low(driver) in BEATING:
        return None
    for i in range(driver + 1, draft.lead + 1):
        low = reading.low(i)
        if low in _SOTA and i <= driver + 2:
            return reading.words(Phrase(i, i))
        if low == "of":
            first = i + 1
            while reading.cls(first) == "D":
                first += 1
            if reading.low(first) in _EARLIER and (phrase := reading.phrase_from(first)):
                return reading.words(phrase)
    return None
