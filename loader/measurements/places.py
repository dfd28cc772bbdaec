"""Where a sentence names what its numbers may hold for: "on RiverQA", "for low-light scenes".

In: a `Reading`, its drafts and the names of the abstract. Out: a `Cue` for each such place, with
the words that name it, and the number that a place was said for where it stands right before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loader.measurements.baselines import Cue
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import (
    CHANGE_NOUNS,
    COLLECTIONS,
    MACHINES,
    MODELS_OF_MACHINES,
    NUMBER_WORDS,
)
from loader.measurements.phrases import Phrase, Reading

_ANNOUNCE: Final = frozenset("on across over in for at under to within using with".split())
_GENERIC: Final = frozenset("benchmark benchmarks dataset datasets corpus test-set".split())
_SETTINGS: Final = frozenset(
    "task tasks setting settings regime regimes evaluation benchmark benchmarks scenario "
    "scenarios dataset datasets domain environment environments noise split splits problems "
    "data games".split()
)
_PLACED: Final = frozenset(
    "images videos scenes scans sentences languages documents conditions categories classes "
    "patients".split()
)
_CONTESTS: Final = frozenset("competition challenge track campaign contest shared".split())
_TASK_ENDS: Final = ("tion", "ing", "sis")
_NEVER: Final = frozenset(
    "price expense average total addition particular contrast practice comparison terms order "
    "time times scale inference cost test-time case cases least most fact which general turn line "
    "end beginning top rate height par hand least best worst resolution speed budget "
    "compute metric metrics third quarter fraction half".split()
)
_OPERATING: Final = frozenset("rate resolution budget speed".split())
_COUNTLESS: Final = frozenset(
    "several many multiple various diverse different numerous some".split()
)
_VAGUE: Final = frozenset(
    "other others average ones that those it them itself one both".split()
) | frozenset(NUMBER_WORDS)
_NOT_AT: Final = frozenset("its their test training inference no".split())
# "trained on X", "the effect on X": what stands there is no place where a value holds.
_BEFORE_OTHER_ON: Final = (
    "train", "fine-tun", "finetun", "pretrain", "pre-train", "based", "rel", "depend", "focus",
    "operat", "tuned", "condition",
    "buil", "impact", "effect", "influence", "emphasi", "bound", "learn",
    "inspired", "run",
)  # fmt: skip
_PARTS: Final = frozenset("set sets data dataset split splits images".split())
_WHICH_PART: Final = frozenset(
    "eval evaluation development test validation training data held-out entire same full whole "
    "official".split()
)
_ALIKE: Final = frozenset("same equal comparable similar identical matched given".split())
_PARTIAL: Final = frozenset("subset majority part portion range variety suite set".split())
_THIS_ONE: Final = frozenset("this our proposed new resulting introduced".split())
_ANY_DATA: Final = frozenset(
    "benchmark benchmarks dataset datasets data public standard real-world popular common "
    "multiple several various diverse evaluation".split()
)
_SPLITS: Final = frozenset("test-dev test-std val dev test-set test-clean test-other".split())
FOR: Final = 3  # the rank of "for ..."
ON_HARDWARE: Final = 4  # and of machines, which times and speeds are read with


def cues(reading: Reading, context: Context, drafts: Sequence[Draft]) -> list[Cue]:
    """Every place that the sentence names, in order."""
    found = []
    values = {d.place for d in drafts if d.kind != "amount"}
    for i, token in enumerate(reading.tokens):
        if (
            token.low in _ANNOUNCE
            and token.cls != "N"
            and (cue := _cue(reading, context, values, i))
        ):
            found.append(cue)
    return found


def _cue(reading: Reading, context: Context, values: set[int], i: int) -> Cue | None:
    low = reading.low(i)
    first = _opening(reading, i)
    if first is None:
        return None
    named = context.name_of(reading, first) is not None
    if low in ("within", "to") and not named:
        return None
    if low == "to" and not any(reading.low(k)[:4] == "appl" for k in range(max(0, i - 6), i)):
        return None
    vague = reading.low(first) in _COUNTLESS
    phrase = reading.chain(first + vague, of=False)
    if phrase is None or phrase.first in values:
        return None
    k = phrase.last + 1 + (reading.low(phrase.last + 1) == ",")
    such = reading.low(k) == "such" and reading.low(k + 1) == "as"
    exemplified = (such or reading.low(k) == "including") and reading.capital(k + 1 + such)
    exemplified = exemplified and low in ("on", "across")
    plain = phrase.last - phrase.first < 2 and "-" not in reading.low(phrase.first)
    if vague and plain and not exemplified:
        return None
    meant = _meant(reading, phrase, context)
    if _says_nothing(reading, i, phrase) and not (exemplified or meant):
        return None
    if not (named or meant or exemplified or _is_setting(reading, i, phrase)):
        return None
    if low == "at" and reading.low(phrase.last + 1) == "of" and reading.cls(phrase.last + 2) == "#":
        if reading.low(phrase.last) in CHANGE_NOUNS or reading.low(phrase.last) in _PRICES:
            return None  # "at a loss of 0.6% accuracy"
        end = phrase.last + 2  # "at a depth of 64K cells"
        end += reading.cls(end + 1) == "N"
        return Cue(i, phrase, reading.words(Phrase(phrase.first, end)), 2)
    if low == "for" and phrase.first == phrase.last and reading.low(phrase.last + 1) == "of":
        phrase = reading.chain(phrase.first) or phrase  # "for the detection of rude posts"
    text = meant or _named_behind(reading, phrase) or context.short(reading, phrase)
    if text is None:
        return None
    collected = low == "for" and reading.capital(first) and reading.low(phrase.last) in COLLECTIONS
    fronted = collected or (
        low == "for" and reading.capital(first) and (i == 0 or reading.cls(i - 1) in "CX")
    )
    rank = 0 if low == "on" else 1 if named or fronted else FOR if low == "for" else 2
    words = {reading.low(k) for k in range(phrase.first, phrase.last + 1)}
    if words & MODELS_OF_MACHINES or reading.low(phrase.last) in MACHINES:
        rank = ON_HARDWARE
        plain = not words & MODELS_OF_MACHINES and reading.cls(phrase.first) != "#"
        if plain and reading.low(phrase.first - 1) == "single":
            text = reading.words(Phrase(phrase.first - 1, phrase.last))
    return Cue(i, phrase, text, rank)


_PRICES: Final = frozenset("cost price expense".split())


def _meant(reading: Reading, phrase: Phrase, context: Context) -> str | None:
    """`RiverQA` of "on this dataset" and "our new benchmark", where the paper introduces it."""
    if reading.low(phrase.last) not in COLLECTIONS or phrase.last - phrase.first > 1:
        return None
    said = {reading.low(k) for k in range(phrase.first - 1, phrase.last)}
    if reading.capital(phrase.first) or said.isdisjoint(_THIS_ONE):
        return None
    return context.own_collection


def _opening(reading: Reading, i: int) -> int | None:
    """The first word of what the preposition `i` leads to; None where it is none of interest."""
    low, first = reading.low(i), i + 1
    fronted = i == 1 and reading.low(0).endswith(("trained", "tuned"))  # "Trained on RiverQA, it"
    other = reading.low(i - 1).startswith(_BEFORE_OTHER_ON) and not fronted
    if other or reading.low(first) in ("most", "least"):
        return None
    first += low == "on" and reading.low(first) == "both"
    while reading.cls(first) == "D" and reading.low(first) not in _VAGUE:
        if reading.low(first) in ("its", "their", "all") or reading.low(first) in _COUNTLESS:
            break
        first += 1
    while (reading.cls(first) == "R" and reading.low(first)) or (
        reading.low(first).endswith("ed")
        and reading.cls(first) == "V"
        and reading.cls(first + 1) != "C"
    ):
        first += 1
    first += reading.low(first) in ("single", "one")
    if low == "at" and reading.low(first) == "more" and reading.cls(first + 2) == "N":
        first += 2  # "at the more demanding threshold of 0.9"
    vague = reading.low(first) in _VAGUE and reading.low(first) not in NUMBER_WORDS
    if vague or (low == "at" and reading.low(first) in _NOT_AT):
        return None
    if reading.low(first) in _PARTIAL and reading.low(first + 1) == "of":
        first += 2  # "on a subset of RiverQA"
        while reading.cls(first) == "D" and reading.low(first) not in _VAGUE:
            first += 1
    return first


def _says_nothing(reading: Reading, i: int, phrase: Phrase) -> bool:
    """Whether a phrase is no place at all: "on average", "at the same PSNR", "on the test set"."""
    low, head, begin = reading.low(i), reading.low(phrase.last), reading.low(phrase.first)
    counted = reading.cls(phrase.first) == "#"
    valued = reading.low(phrase.last + 1) == "of" and reading.cls(phrase.last + 2) == "#"
    if low == "at" and valued and head in _OPERATING:
        return False  # "at a false alarm rate of 2%"
    if low == "at" and not valued and not counted and reading.is_metric(phrase.last):
        return True  # "at low frequency"
    if {head, begin} & _NEVER or begin in ("less", "more", "fewer"):
        return True
    if begin in _VAGUE and not _several(reading, low, phrase):
        return True
    if low == "at" and (begin in _ALIKE or (counted and head.endswith("s"))):
        return True  # "at 6B parameters"
    if low == "under" and counted and head in ("parameters", "tokens", "bits"):
        return True
    if low in ("using", "with") and head not in MACHINES:
        return True
    averaged = reading.low(i - 1) in ("average", "averaged") and reading.capital(phrase.first)
    if low == "over" and not averaged and not (counted and head in _SETTINGS):
        return True
    if all(reading.low(k) in _ANY_DATA for k in range(phrase.first, phrase.last + 1)):
        return True  # "on benchmark datasets"
    capital = reading.capital(phrase.first)
    if begin == head and head in _SPLITS and not capital:
        return True
    if head in _PARTS and begin in _WHICH_PART and phrase.last - phrase.first < 3:
        return True
    within = low == "in" and reading.capital(i - 1) and capital  # "Named Faces in Parks (NFP)"
    return within and reading.text.startswith(" (", reading.tokens[phrase.last].end)


def _named_behind(reading: Reading, phrase: Phrase) -> str | None:
    """`LAKE` of "on the largest reading dataset LAKE, ..."."""
    first = phrase.last + 1
    if reading.low(phrase.last) not in COLLECTIONS or not reading.capital(first):
        return None
    named = reading.phrase_from(first)
    if named is None or reading.cls(named.last + 1) not in "XPC":
        return None
    return reading.words(named)


def _several(reading: Reading, low: str, phrase: Phrase) -> bool:
    """Whether a phrase counts what it was tried on and says what: "across six maths benchmarks"."""
    described = phrase.last - phrase.first > 1 and reading.low(phrase.first + 1) != "evaluation"
    counted = described and NUMBER_WORDS.get(reading.low(phrase.first), 0) > 1
    head = reading.low(phrase.last)
    return counted and low in ("across", "on") and head.endswith("s") and head in _SETTINGS


def _is_setting(reading: Reading, i: int, phrase: Phrase) -> bool:
    """Whether a phrase without a known name may be a place, by its preposition and head."""
    low, head = reading.low(i), reading.low(phrase.last)
    counted = reading.cls(phrase.first) == "#"
    if low in ("in", "under", "across"):
        beside = low == "in" and "#" in (reading.cls(i - 1), reading.cls(i - 2))
        task = head.endswith(_TASK_ENDS) or head in _PLACED
        task = task and beside and phrase.last > phrase.first
        task = task and not reading.is_metric(phrase.last) and head not in CHANGE_NOUNS
        data_set = head in ("set", "sets") and reading.low(phrase.last - 1) in ("data", "test")
        listed = low != "in" and reading.capital(phrase.first) and reading.has_capital(phrase.last)
        contest = head in _CONTESTS and reading.capital(phrase.first)
        known = head in _SETTINGS or counted or task or data_set or listed or contest
        if not (known or (beside and reading.capital(phrase.first))):
            return False
    if low == "in" and counted:
        return False
    if low in ("in", "on") and reading.is_metric(phrase.last):
        return False
    return not (phrase.first == phrase.last and head in _GENERIC | _SETTINGS)


def owners(reading: Reading, measured: Sequence[Draft], named: Sequence[Cue]) -> dict[int, int]:
    """The place of the number for which a cue right before it was said: "on A by 3%"."""
    found: dict[int, int] = {}
    for draft in measured:
        for cue in named:
            if cue.phrase.last in (draft.lead, draft.lead - 1) and cue.token < draft.place:
                between = reading.low(draft.lead) if cue.phrase.last < draft.lead else ""
                if between in ("", "by") and reading.low(cue.phrase.last + 1) != "but":
                    found[cue.token] = draft.place
    return found
