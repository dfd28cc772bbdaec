"""Counts: what a number counts, and whether it counts anything.

In: a `Reading` and a draft. Out: the counted noun with its compounds, and the kind of a number
that has no unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from loader.measurements.drafts import Draft
from loader.measurements.lexicon import MODEL_LIKE
from loader.measurements.phrases import Phrase, Reading

_KEEPING: Final = frozenset(
    "explain explains explaining explained recover recovers recovering retain retains "
    "retaining keep keeps keeping reach reaches reaching achieve achieves achieving match "
    "matches matching preserve preserves preserving maintain maintains maintaining win wins "
    "winning succeed succeeds close closes capture captures attains attain resolve resolves "
    "solve solves solving answer answers complete completes detect detects identify "
    "identifies pass passes recognize recognizes recognized classify classifies classified "
    "retrieve retrieves retrieved predict predicts predicted answered solved refuse refuses "
    "refused misclassify misclassifies misclassified fool fools fooled reject rejects accept "
    "accepts fix fixes fixed repair repairs repaired catch catches caught block blocks blocked "
    "flag flags flagged find finds locate locates prove proves proved certify certifies "
    "reproduce reproduces decode decodes hallucinate hallucinates fabricate fabricates".split()
)


_SPENDING: Final = frozenset("using uses use requiring requires".split())
_HOLDING: Final = frozenset(
    "retain retains retaining keep keeps keeping preserve preserves preserving".split()
)
_PIECES: Final = frozenset(
    "tokens parameters weights samples labels images frames heads neurons layers examples points "
    "experts channels pixels edges nodes documents sentences".split()
)
_TRIED: Final = frozenset("cases tasks time variance".split())


def portion(reading: Reading, draft: Draft) -> bool:
    """Whether a percentage is so much of something that is counted, no value of a metric."""
    i = draft.place + 1
    if reading.low(i) == "of":
        phrase = reading.phrase_from(i + 1)
        if phrase is None:
            return False
        if reading.low(draft.lead) == "to" and draft.driver is not None:
            return False  # "cuts the cost to 61% of the baseline"
        if reading.low(draft.place - 1) == "the" and reading.low(i + 1) in ("a", "an"):
            return False  # "at the 7% of a fresh model"
        head = reading.low(phrase.last)
        if reading.low(draft.lead) in _HOLDING and head in _PIECES:
            return True  # "retains 5% of the tokens"
        if reading.low(draft.lead) in _SPENDING:
            return True  # "using 10% of the memory"
        if reading.is_metric(phrase.last) or reading.low(draft.lead) in _KEEPING:
            return False
        if reading.low(draft.lead) == "on" and not head.endswith("s"):
            return True  # "trained on 1% of the data"
        return reading.low(draft.lead) not in ("in", "on") and head not in _TRIED
    if draft.noun is None:
        return False
    if any(reading.is_metric(k) for k in range(draft.noun.first, draft.noun.last + 1)):
        return False
    last = reading.low(draft.noun.last)
    return last == "budget" or (last.endswith("s") and not last.endswith("ss"))


def counted(reading: Reading, draft: Draft) -> str | None:
    """The noun that a number counts, with its compounds, or None."""
    quantity = draft.quantity
    phrase = draft.noun
    if phrase is None:
        shared = _adjective_and(reading, draft.place + 1)
        sized = quantity.scale in ("B", "M", "T", "billion", "million")
        if sized and shared is not None and shared.split()[-1].lower() in MODEL_LIKE:
            return "parameters"
        return shared
    first = reading.low(phrase.first)
    if first in ("parameter", "parameters", "params", "param"):
        return "parameters"
    last = _head(reading, phrase)
    head = reading.low(last)
    following = reading.low(phrase.last + 1)
    if not plural(head) and following in ("and", "or", ",", "but"):
        shared = _adjective_and(reading, phrase.last + 1)
        if shared is not None:
            return shared
    if head in ("kinds", "sorts") and following == "of":
        kinds = reading.phrase_from(phrase.last + 2)
        if kinds is not None:
            return reading.words(Phrase(kinds.first, _head(reading, kinds)))
    if quantity.scale in ("B", "M", "T") and (not plural(head) or first in MODEL_LIKE):
        return "parameters"
    if quantity.scale in ("B", "M", "T", "billion", "million") and head in MODEL_LIKE:
        return "parameters"
    if quantity.scale in ("K", "k") and head in ("context", "length", "window", "contexts"):
        return "tokens"
    first_noun = phrase.first
    while first_noun < last and _adjective(reading.low(first_noun)):
        first_noun += 1
    return reading.words(Phrase(first_noun, last))


_ADJECTIVE_ENDS: Final = tuple("ing ed al ic ive ous ful able ible ary less ese ent ant".split())
_NOUN_ENDS: Final = frozenset(
    "training reasoning coding programming learning planning material signal trial token".split()
)
_ADJECTIVES: Final = frozenset(
    "new additional real different distinct unique diverse challenging advanced popular "
    "common large small open open-source closed-source widely-used public such high-quality "
    "hard easy novel Indian further more independent major recent human key main long short "
    "chosen given hidden known unseen".split()
)


def _adjective(low: str) -> bool:
    if low in _NOUN_ENDS:
        return False
    return (
        low in _ADJECTIVES
        or (low.endswith(_ADJECTIVE_ENDS) and "-" not in low)
        or low.endswith("ly")
    )


_SINGULAR_S: Final = ("ss", "us", "is", "ias")
_IRREGULAR_PLURALS: Final = frozenset(
    "people data children men women mice criteria phenomena media vertices indices matrices "
    "series species".split()
)


def plural(low: str) -> bool:
    """Whether a lower-case word looks like the plural of a noun."""
    return low in _IRREGULAR_PLURALS or (
        low.endswith("s") and not low.endswith(_SINGULAR_S) and len(low) > 2
    )


_PLAIN_UNITS: Final = frozenset(
    "sets steps tokens samples models iterations epochs images tasks datasets pairs".split()
)


def _head(reading: Reading, phrase: Phrase) -> int:
    """The last word of what is counted: the first plural, else the end of the phrase."""
    for i in range(phrase.first, phrase.last + 1):
        if plural(reading.low(i)) and not reading.acronym(i):
            if i < phrase.last and reading.low(i + 1) in _PLAIN_UNITS:
                return i + 1
            return i
    return phrase.last


def _adjective_and(reading: Reading, i: int) -> str | None:
    """The noun behind "new, diverse, and ..." or "realistic and 10 synthetic ..."."""
    hops = 0
    while hops < 4:
        while reading.low(i) in ("and", "or", ",", "but", "and/or"):
            i += 1
        if reading.cls(i) == "#":
            i += 1
        phrase = reading.phrase_from(i)
        if phrase is None:
            return None
        head = _head(reading, phrase)
        if plural(reading.low(head)):
            first = phrase.first
            while first < head and _adjective(reading.low(first)):
                first += 1
            return reading.words(Phrase(first, head))
        i = phrase.last + 1
        hops += 1
        if reading.low(i) not in ("and", "or", ",", "but", "and/or"):
            return None
    return None


_WHICH: Final = frozenset("these those the our all its".split())
_LEVEL_BEFORE: Final = frozenset("of = : is was to at ( than exceeding reaches below under".split())
_SURELY_LEVEL_BEFORE: Final = frozenset("of = to is".split())


def amount(reading: Reading, draft: Draft) -> bool:
    """Whether a number without a unit is an amount or a level; sets kind and unit."""
    quantity, noun = draft.quantity, draft.noun
    whole = not quantity.decimal or bool(quantity.scale)
    following = reading.low(draft.place + 1)
    if whole and noun is not None and reading.low(noun.first) in ("times", "time"):
        return False  # "at least 3 times"
    if quantity.total or (quantity.member and not quantity.decimal) or (quantity.scale and whole):
        draft.kind, draft.unit = "amount", counted(reading, draft) or ""
        if not draft.unit and quantity.scale in ("B", "M"):
            draft.unit = "parameters"
        return True
    if whole and noun is not None:
        singular = not plural(reading.low(_head(reading, noun)))
        if not (reading.is_metric(noun.last) and singular):
            draft.kind, draft.unit = "amount", counted(reading, draft) or ""
            return True
    if whole and following == "of" and reading.low(draft.place + 2) in _WHICH:
        these = reading.phrase_from(draft.place + 2)
        if these is not None and plural(reading.low(_head(reading, these))):
            draft.kind = "amount"
            draft.unit = reading.words(Phrase(these.first, _head(reading, these)))
            return True
    if whole and noun is None and following != ",":
        unit = _adjective_and(reading, draft.place + 1)
        if unit is not None:
            draft.kind, draft.unit = "amount", unit
            return True
    if noun is not None and reading.is_metric(noun.last):
        return True
    after_metric = reading.low(draft.lead) in ("of", "=") and reading.is_metric(draft.lead - 1)
    if after_metric and noun is None:
        return True  # "returns of 3,420 and 4,105"
    shared = following == "(" and reading.unit_at(draft.place + 2) == "%"  # "26 (72%)"
    if whole and (shared or quantity.listed or following in ("of", "out")):
        draft.kind = "amount"  # until the end of the list has said of what
        return True
    before = reading.low(draft.lead)
    measured = reading.is_metric(draft.lead)
    if measured or (before in _LEVEL_BEFORE and not whole) or before in _SURELY_LEVEL_BEFORE:
        return True
    parent = draft.follows
    if parent is not None and not (quantity.decimal and parent.quantity.scale):
        draft.kind = parent.kind
        if parent.kind == "amount":
            draft.unit = parent.unit
        return parent.kind in ("amount", "level")
    if quantity.mark is not None and quantity.mark != "about":
        return True
    return not whole or quantity.form == "range"


_JOINED: Final = re.compile(r"[\s,/]{0,3}(?:and|or)?\s?")


def share_nouns(reading: Reading, found: Sequence[Draft]) -> None:
    """What counts the same thing: "17 of 20 tasks", "4, 8 and 16 GPUs", "12/20" after tasks."""
    for n in range(len(found) - 2, -1, -1):
        this, following = found[n], found[n + 1]
        if this.unit or {this.kind, following.kind} != {"amount"}:
            continue
        between = reading.text[this.quantity.end : following.quantity.start]
        if following.quantity.total or _JOINED.fullmatch(between):
            this.unit = following.unit
    known = ""
    for this in found:
        if this.kind != "amount":
            continue
        implied = this.quantity.member or this.quantity.scale in ("K", "k")
        if implied or (this.noun is None and reading.low(this.place + 1) in ("of", "out")):
            this.unit = this.unit or known
        known = this.unit or known
