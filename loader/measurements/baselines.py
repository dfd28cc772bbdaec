"""What a number is compared with: "over DPO", "than the base model", "outperforms all baselines".

In: a `Reading` and its drafts. Out: the places where a baseline is named, and the one that
belongs to a draft.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from loader.measurements.clauses import Clauses
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, CHANGE_VERBS, NUMBER_WORDS, WHOLE
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
_EARLIER: Final = frozenset(
    "prior previous existing baseline standard original vanilla current best strongest latest "
    "second-best".split()
)
_SOTA: Final = frozenset("state-of-the-art sota".split())


def cues(reading: Reading) -> list[Cue]:
    """Every baseline that the sentence names, in order."""
    found = []
    for i, token in enumerate(reading.tokens):
        read = _BY_WORD.get(token.low)
        if read is not None and (cue := read(reading, i)):
            found.append(cue)
    return found


def _cue(reading: Reading, i: int) -> Cue | None:
    low = reading.low(i)
    begin = _opening(reading, i)
    if begin is None:
        return None
    first, rank = begin
    if reading.low(first) in ("that", "those") and reading.low(first + 1) == "of":
        first += 2
    if reading.low(first) in ("those", "that") and (whole := _described(reading, first)):
        return Cue(i, whole, reading.words(whole), rank)
    part = first + (reading.cls(first) == "D")
    if reading.low(part) in _FRACTIONS and reading.low(part + 1) == "of":
        first = part + 2  # "less than a tenth of Alpha's cost"
    sized = first + (reading.cls(first) == "D")
    named = reading.cls(sized) == "#" and reading.capital(sized + 1)
    if named and reading.quantity(sized).scale in ("B", "M"):
        first = sized + 1  # "the 70B Alpha"
    if reading.low(first) == "both":
        first += 1  # "beats both Alpha and Beta"
    begin_at = first = first + (reading.cls(first) == "D" and reading.cls(first + 1) in "RV")
    if reading.cls(first) == "R" and reading.low(first + 1).endswith("ed"):
        first += 1  # "the conventionally used method"
    if reading.low(first).endswith("ed") and reading.cls(first) == "V":
        first += reading.cls(first + 1) == "N"
    cls = reading.cls(first)
    if cls not in "NDR#" or (cls == "#" and not (rank == 1 and reading.cls(first + 1) == "N")):
        return None
    phrase = reading.chain(first)
    if phrase is None:
        return None
    if begin_at < first:
        phrase = Phrase(begin_at, phrase.last)
    phrase = _without_likeness(reading, _named(reading, phrase))
    if low == "over" and reading.cls(phrase.last + 1) == "#":
        return None  # "over the top 32 beams"
    text = reading.words(phrase)
    several = phrase.last > phrase.first and reading.low(phrase.last) == "one"
    if reading.low(phrase.last) in _GENERIC and reading.low(phrase.last + 1) == "that":
        phrase = _specified(reading, phrase)  # "models that read more pages"
        text = reading.words(phrase)
    if reading.low(phrase.last) == "alone" and phrase.last > phrase.first:
        phrase = Phrase(phrase.first, phrase.last - 1)
        text = reading.words(phrase)
    vague = reading.low(phrase.last) in _NOT_BASELINES and phrase.last - phrase.first < 3
    if (vague and not several) or text.lower() in _VAGUE:
        return None
    of = next((k for k in range(phrase.first, phrase.last) if reading.low(k) == "of"), None)
    if of is not None and reading.is_metric(of - 1) and of - phrase.first < 3:
        text = reading.words(Phrase(of + 1 + (reading.cls(of + 1) == "D"), phrase.last))
    owner = reading.possessive(phrase)
    if owner is not None and owner + 1 == phrase.last and reading.is_metric(phrase.last):
        text = reading.words(Phrase(phrase.first, owner))[:-2]
    if reading.is_metric(phrase.last):
        best = next((k for k in range(phrase.first, phrase.last) if reading.low(k) in _SOTA), None)
        if best is not None:  # "the previous state-of-the-art score"
            text = reading.words(Phrase(phrase.first, best))
    return Cue(i, phrase, text, rank)


_FRACTIONS: Final = frozenset("half third quarter fifth tenth fraction".split())
_LONGEST: Final = 9


def _described(reading: Reading, first: int) -> Phrase | None:
    """`those tuned on 200 pairs`, up to the next comma or verb."""
    k = first + 1
    if not (reading.low(k) in ("who", "that", "with", "without") or reading.low(k).endswith("ed")):
        return None
    verbs = 0
    while k + 1 < len(reading.tokens) and k < first + _LONGEST:
        verbs += reading.cls(k + 1) == "V" and not reading.low(k + 1).endswith("ing")
        if reading.cls(k + 1) in "XC" or verbs > (reading.low(first + 1) in ("who", "that")):
            break
        k += 1
    ends = reading.cls(k + 1) == "X"
    return Phrase(first, k) if ends and k > first + 1 else None


def _opening(reading: Reading, i: int) -> tuple[int, int] | None:
    """The first word of what the cue word `i` leads to, and its rank; None where it is none."""
    low, first = reading.low(i), i + 1
    if low in BEATING:
        return first, 1
    if low == "over" and reading.low(i - 1) in ("average", "averaged"):
        return None  # "on average over RiverQA and SeaQA"
    if low in ("over", "upon"):
        other = reading.cls(i - 1) == "V" and reading.low(i - 1) not in CHANGE_VERBS
        return None if other and not reading.low(i - 1).startswith("prefer") else (first, 0)
    if low in ("than", "versus", "vs"):
        first += reading.low(first) == "."
        elsewhere = reading.low(first) in ("with", "using", "under", "for", "in")
        return None if elsewhere or reading.low(i - 1) in ("rather", "other") else (first, 0)
    if low == "as":
        first += reading.low(first) in ("on", "for", "with", "in")
        return (first, 0) if _as_good_as(reading, i) else None
    if low in ("compared", "relative", "comparison", "comparable"):
        linked = reading.low(first) in ("to", "with", "against")
        return (first + 1, 2 if low == "comparable" else 0) if linked else None
    if low == "equivalent":
        to = next((k for k in range(first, first + 4) if reading.low(k) == "to"), None)
        return (to + 1, 2) if to is not None else None
    if low == "respect":
        linked = reading.low(i - 1) == "with" and reading.low(first) == "to"
        return (first + 1, 0) if linked else None
    if low == "against":
        return first, 2
    beside = reading.cls(i - 1) == "#" or reading.low(i - 1) in ("well", "far", "even", ",")
    if beside or reading.unit_at(i - 2):  # "3 points above", "well below"
        return first + (reading.low(first) == "of"), 0
    return None


_ANNOUNCE: Final = BEATING | frozenset(
    "over upon than versus vs compared relative comparison comparable against respect behind "
    "below above ahead short as equivalent".split()
)
_APART: Final = frozenset("behind below above ahead short".split())
_ADVANCING: Final = frozenset(
    "improve improves improving improved advance advances advancing advanced push pushes pushing "
    "raise raises raising raised".split()
)
_BESTS: Final = frozenset("best published record current previous prior".split())


_OBJECTS: Final = frozenset(
    "model models baseline baselines method methods backbone network networks".split()
)


def _advanced(reading: Reading, verb: int) -> Cue | None:
    """The earlier best as the object of a verb: "advances the state of the art"."""
    first = verb + 1
    if reading.low(first) not in ("the", "all", "prior", "previous"):
        return None
    first += reading.cls(first) == "D"
    phrase = reading.chain(first)
    if phrase is None or any(reading.is_metric(i) for i in range(phrase.first, phrase.last + 1)):
        return None
    if reading.low(phrase.last) in _OBJECTS and reading.low(phrase.last + 1) == "by":
        return Cue(verb, phrase, reading.words(phrase), 1)  # "improves the base model by"
    opening = {reading.low(first), reading.low(first + 1)}
    if not opening & (_SOTA | _BESTS | {"state"}):
        return None
    return Cue(verb, phrase, reading.words(phrase), 1)


def _that_of(reading: Reading, i: int) -> Cue | None:
    """`Alpha` of "twice that of Alpha" and of "within 2 points of Alpha"."""
    if reading.low(i) == "of":
        k = i - 1
        k -= reading.cls(k) == "N" and reading.cls(k - 1) == "#"
        if reading.cls(k) != "#" or "within" not in (reading.low(k - 1), reading.low(k - 2)):
            return None
        first = i + 1
    else:
        if reading.cls(i - 1) != "#" or reading.low(i + 1) != "of":
            return None
        first = i + 2
    phrase = reading.chain(first) if reading.cls(first) in "ND" else None
    return Cue(i, phrase, reading.words(phrase), 0) if phrase is not None else None


_GENERIC: Final = frozenset("models methods approaches baselines systems agents ones".split())


def _specified(reading: Reading, phrase: Phrase) -> Phrase:
    """A phrase with the clause that says which: up to a comma or the end."""
    k = phrase.last + 1
    while k < len(reading.tokens) and k < phrase.last + 14 and reading.cls(k) != "X":
        if reading.low(k) == "by" and reading.cls(k + 1) == "#":
            break
        k += 1
    ends = reading.cls(k) == "X" or reading.low(k) == "by"
    return Phrase(phrase.first, k - 1) if ends else phrase


_ALIKE: Final = frozenset("similar same comparable equal".split())


def _without_likeness(reading: Reading, phrase: Phrase) -> Phrase:
    """`tidy rooms` of "tidy rooms of the same size"."""
    k = phrase.last - 1
    of = k - 1 - (reading.cls(k - 1) == "D")
    if reading.low(k) in _ALIKE and reading.low(of) == "of" and of > phrase.first:
        return Phrase(phrase.first, of - 1)
    return phrase


def _as_good_as(reading: Reading, i: int) -> bool:
    """Whether the "as" at token `i` is the second of "2 times as fast as"."""
    for k in range(i - 1, max(0, i - 7), -1):
        if reading.low(k) == "as":
            return reading.cls(k - 1) == "#"
        if reading.cls(k) == "#":
            return False
    return False


def _named(reading: Reading, phrase: Phrase) -> Phrase:
    """A phrase without the participle that describes it: "the algorithms developed (before us)"."""
    first, last = phrase
    low = reading.low(last)
    if low.isdigit() and reading.low(last - 1) == "of":
        return Phrase(first, last - 2)  # "the winner of 2016"
    while first < last and reading.low(first) in _PRAISED and reading.has_capital(first + 1):
        first += 1  # "the recent PineGAN"
    if last - first > 1 and reading.low(last - 1) in _KINDS and reading.capital(last):
        return Phrase(last, last)  # "the strong compression method Alpha"
    participle = low in _PARTICIPLES or (low.endswith("ed") and reading.cls(last) == "N")
    goes_on = reading.cls(last + 1) == "P" and reading.low(last + 1) != "of"
    return Phrase(first, last - 1) if last > first and goes_on and participle else phrase


_PRAISED: Final = frozenset(
    "previous prior recent state-of-the-art sota strong popular leading earlier concurrent "
    "prevailing established".split()
)
_KINDS: Final = frozenset(
    "method model approach baseline system algorithm framework detector architecture "
    "network".split()
)
_PARTICIPLES: Final = frozenset("run given found used built shown".split())


_BY_WORD: Final[dict[str, Callable[[Reading, int], Cue | None]]] = {
    **dict.fromkeys(_ADVANCING, _advanced),
    **dict.fromkeys(("that", "those", "of"), _that_of),
    **dict.fromkeys(_ANNOUNCE, _cue),
}


def values(reading: Reading, measured: Sequence[Draft], named: Sequence[Cue]) -> dict[int, str]:
    """The places of values that are those of a baseline, with its words.

    `runner-up` of "ahead of the runner-up at 0.85"; nothing of "human agreement of 88%".
    """
    found: dict[int, str] = {}
    for draft in measured:
        if draft.kind != "level" or reading.low(draft.lead) not in _BEFORE_VALUES:
            continue
        last = _valued(reading, draft.lead)
        for cue in named:
            if reading.low(cue.token) == "as":
                continue
            if cue.phrase.last == draft.lead - 1 and reading.low(draft.lead) in _HELD:
                own = reading.low(draft.lead) == "of" and reading.is_metric(cue.phrase.last)
                best = own and cue.text != reading.words(cue.phrase)
                found[draft.place] = "" if own and not best else cue.text
            elif cue.phrase.last == last:
                found[draft.place] = cue.text
    return found


_HELD: Final = frozenset("of at with".split())
_BEFORE_VALUES: Final = _HELD | frozenset((":", "=", "("))


def _valued(reading: Reading, lead: int) -> int:
    """The last word of `Alpha` in "Alpha with an F1 (of 53%)" and "Alpha (F1: 53%)", else -1."""
    if reading.low(lead) == "(" or reading.cls(lead - 1) != "N" or not reading.is_metric(lead - 1):
        return -1
    phrase = reading.phrase_ending(lead - 1)
    if phrase is None:
        return -1
    k = phrase.first - 1
    k -= reading.cls(k) == "D"
    return k - 1 if reading.low(k) in ("with", "(", "at") else -1


def trailing(reading: Reading, measured: Sequence[Draft], named: Sequence[Cue]) -> str | None:
    """The rival that the end of a sentence names for all of it: "..., compared with Alpha"."""
    if not named or not measured or named[-1].token < measured[-1].place:
        return None
    cue = named[-1]
    compared = reading.low(cue.token) in ("compared", "relative") or (
        reading.low(cue.token - 1) in ("when", "all") and reading.low(cue.token) == "compared"
    )
    closes = all(reading.cls(k) in "XP" for k in range(cue.phrase.last + 1, cue.phrase.last + 2))
    return cue.text if compared and closes and reading.low(cue.token - 1) in (",", "when") else None


def claimed(clauses: Clauses, measured: Sequence[Draft], cue: Cue) -> bool:
    """Whether a difference in its clause is said against the baseline of a cue."""
    clause = clauses.of[cue.token]
    return any(d.kind in ("change", "ratio") and clauses.of[d.place] == clause for d in measured)


def baseline(
    reading: Reading,
    draft: Draft,
    measured: Sequence[Draft],
    named: Sequence[Cue],
    clauses: Clauses,
) -> str | None:
    """The baseline of a draft, by the cues of its sentence.

    A cue counts in its clause and in those that share its subject. An amount has one only where
    a rival is beaten on so many of something.
    """
    place = draft.place
    if draft.kind == "bound":
        later = [
            c
            for c in named
            if c.token > place
            and (
                reading.low(c.phrase.first) in _SOTA
                or (reading.low(c.token) == "over" and reading.is_metric(c.phrase.last))
            )
        ]
        return later[0].text if later else None
    if (next_one := _next_beaten(reading, draft)) is not None:
        return next_one
    root = clauses.chain(place)[-1]
    within = [
        c
        for c in named
        if clauses.chain(c.token)[-1] == root and not c.phrase.first <= place <= c.phrase.last
    ]
    if draft.kind == "amount":
        return _of_amount(reading, draft, within)
    if draft.kind == "level" and reading.low(place + 2) in ("its", "their") and draft.unit == "%":
        earlier = [c for c in within if c.token < place and c.rank < 2]
        return earlier[-1].text if earlier else None  # "97% of its accuracy"
    if draft.kind == "level":
        free = [
            c for c in within if not claimed(clauses, measured, c) or _follows_on(reading, draft, c)
        ]
        return _of_level(reading, draft, free, clauses)
    if draft.kind in ("change", "ratio", "from_to") and (inner := _within_object(reading, draft)):
        return inner
    following = [d.place for d in measured if d.place > place]
    next_place = following[0] if following else len(reading.tokens)
    spent = draft.kind == "ratio" and reading.low(draft.lead) in ("on", "with", "using")
    if spent and any(
        d.place < place and claimed(clauses, [d], c) for c in within for d in measured
    ):
        within = [c for c in within if c.token > place]  # "below a model trained on 10× more data"
    own = [
        c for c in within if c.token < place or not (c.rank == 1 and claimed(clauses, measured, c))
    ]
    beaten = next((c for c in own if c.token == draft.driver and c.rank == 1), None)
    if beaten is not None and beaten.phrase.last < place:
        return beaten.text  # "surpassing Alpha by 5% and outperforming Beta"
    near = [
        c
        for c in own
        if place < c.token < next_place
        and (c.rank == 0 or (c.rank == 1 and clauses.of[c.token] == clauses.of[place]))
    ]
    if draft.kind == "from_to":
        near = [c for c in near if clauses.of[c.token] == clauses.of[place]]
    if near:
        return near[0].text
    here = [c for c in own if clauses.of[c.token] == clauses.of[place]]
    if nearest := _nearest(draft, here):
        return nearest.text
    if draft.kind == "from_to":
        own = [c for c in own if c.token < place]
    if nearest := _nearest(draft, own):
        return nearest.text
    weak = [c for c in within if c.token > place]
    if weak and (
        draft.metric is None or reading.low(weak[0].token) in ("comparable", "equivalent")
    ):
        return weak[0].text
    return None


def _next_beaten(reading: Reading, draft: Draft) -> str | None:
    """`Beta` of "outperforms Alpha by 4% and Beta by 2%"."""
    if draft.follows is None or draft.kind not in ("change", "ratio"):
        return None
    if reading.low(draft.lead) != "by" or reading.cls(draft.lead - 1) != "N":
        return None
    driver = draft.driver if draft.driver is not None else draft.follows.driver
    beating = driver is not None and reading.low(driver) in BEATING
    k = draft.lead - 1
    while k > draft.follows.place and reading.cls(k) not in "CX":
        k -= 1
    k += 2 * (reading.low(k + 1) in ("that", "those") and reading.low(k + 2) == "of")
    phrase = reading.chain(k + 1)
    over = driver is not None and reading.low(driver + 1) in ("over", "upon", "on")
    if phrase is None or not (beating or (over and reading.capital(phrase.first))):
        return None
    return reading.words(phrase)


def _follows_on(reading: Reading, draft: Draft, cue: Cue) -> bool:
    """Whether a level is held against what a difference behind it is, too.

    "85.3% on RiverQA, surpassing Alpha by 2.7%" and "94.1%, a gain of 7.3% over Alpha".
    """
    if cue.token < draft.place:
        return False
    if cue.rank == 1:
        return reading.low(cue.token).endswith("ing")
    opening = {reading.low(k) for k in range(draft.place + 1, cue.token)}
    return reading.low(cue.token) == "over" and bool(opening & {"improvement", "gain"})


def _nearest(draft: Draft, named: Sequence[Cue]) -> Cue | None:
    """The cue nearest to a draft; what is beaten before it comes first."""
    place = draft.place
    before = [c for c in named if c.token < place and c.rank < 2]
    later = [c for c in named if c.token > place and c.rank < 2]
    if not before:
        return later[0] if later else None
    if before[-1].rank == 1 and draft.follows is None:
        return before[-1]
    nearer = not later or later[0].token - place > place - before[-1].token
    return before[-1] if nearer else later[0]


def _of_amount(reading: Reading, draft: Draft, named: Sequence[Cue]) -> str | None:
    """`all baselines` of "beats all baselines on 8 of 15 tasks"."""
    if draft.quantity.total:
        return None
    for cue in named:
        if cue.rank == 1 and cue.phrase.last == draft.lead - 1 and reading.low(draft.lead) == "on":
            return cue.text
        worse = reading.low(draft.place + 1) == "of" and reading.low(cue.token) == "than"
        if worse and cue.token > draft.place and draft.lead < 2:
            return cue.text
    return None


_ATTAINING: Final = frozenset("achieving reaching attaining obtaining scoring yielding".split())


def _of_level(reading: Reading, draft: Draft, named: Sequence[Cue], clauses: Clauses) -> str | None:
    place = draft.place
    if draft.unit == "%" and reading.low(place + 1) == "of":
        phrase = reading.phrase_from(place + 2)
        if (
            phrase is not None
            and phrase.last > phrase.first
            and reading.low(phrase.first) in (WHOLE)
        ):
            return reading.words(Phrase(phrase.first, phrase.first))  # "96% of the original speed"
        owner = reading.possessive(phrase) if phrase is not None else None
        if phrase is not None and owner is not None and reading.is_metric(phrase.last):
            return reading.words(Phrase(phrase.first, owner))[:-2]  # "97% of the teacher's recall"
        if phrase is not None and reading.low(phrase.last + 1) == "of":
            whose = reading.chain(phrase.last + 2)
            if whose is not None and reading.is_metric(phrase.last):
                return reading.words(whose)
    for cue in named:
        if cue.token > place and (
            (cue.rank == 0 and reading.low(cue.token) in _AFTER_LEVEL) or cue.rank == 1
        ):
            return cue.text
    here = clauses.at(place)
    won = bool({"preference", "win"} & set((draft.metric or "").lower().split()))
    for cue in named:
        facing = reading.low(cue.token) == "against"
        if facing and (won or reading.low(cue.token - 1) in ("wins", "win", "won", "winning")):
            return cue.text  # "a win rate of 62% against Alpha"
    for cue in named:
        preferred = reading.low(cue.token) == "over" and any(
            reading.low(k).startswith("prefer") for k in range(max(0, cue.token - 8), cue.token)
        )
        if preferred and clauses.of[cue.token] == clauses.of[place]:
            return cue.text
        if cue.token > place or (cue.rank != 1 and reading.low(cue.token) not in ("upon", "over")):
            continue
        if here.kind == "bracket" and clauses.of[cue.token] == here.parent and cue.rank == 1:
            return cue.text
        between = range(cue.phrase.last + 1, draft.lead + 1)
        attained = any(reading.low(i) in _ATTAINING for i in between)
        if attained or (len(between) == 1 and cue.rank == 1):
            return cue.text
    return None


_AFTER_LEVEL: Final = frozenset("over than".split()) | _APART


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
            if reading.low(first) in _EARLIER and (phrase := reading.chain(first)):
                return reading.words(phrase)
            if reading.low(first) in _SOTA:
                return reading.words(Phrase(first, first))
    return None
