"""A measurement in the making: a quantity with its qualifier and what it is coordinated with.

In: a `Reading` and one of its quantities. Out: `Draft`, whose kind `kinds` decides and whose
attributes `attributes` fills in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from loader.measurements.phrases import Phrase, Reading
from loader.measurements.quantity import Quantity
from loader.model import MeasurementKind, Qualifier


@dataclass(slots=True)
class Draft:
    """A measurement in the making."""

    quantity: Quantity
    place: int  # its token
    lead: int  # the token before it and before its qualifiers
    qualifier: Qualifier | None
    kind: MeasurementKind = "level"
    low: float | None = None
    high: float | None = None
    unit: str = ""
    noun: Phrase | None = None  # what stands right behind it
    driver: int | None = None  # the verb or noun of change that governs it
    comes_after: bool = False  # the noun of change stands behind the number
    follows: Draft | None = None  # the measurement it is coordinated with
    metric: str | None = None
    own_metric: bool = False  # named for this number, not for the one it follows
    metric_after: bool = False  # named behind this number
    baseline: str | None = None
    subject: str | None = None
    within: str | None = None  # a known name that the metric begins with
    whose: str | None = None  # a known name that it is said to be of


_QUALIFIERS: Final[tuple[tuple[Qualifier, str], ...]] = (
    ("up to", r"up to|at most|as (?:high|much|many) as|no more than|not more than"
              r"|within(?: the first)?|a maximum of"),
    ("at least", r"at least|no (?:less|fewer) than|not less than|a minimum of|minimum"),
    ("more than", r"(?:more|greater|larger|higher|longer) than|over|above|exceeding|exceeds?|beyond"
                  r"|surpassing|in excess of|upwards of|well over"),
    ("less than", r"(?:less|fewer|lower|smaller|shorter|better) than|under|below|sub-?"),
    ("about", r"about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|circa"
              r"|ca\.|an? estimated|near"),
    ("only", r"only|just|merely|as (?:few|little|low|small) as|a mere|solely|at best|but"),
    ("average", r"an average of|an? (?:mean|avg) of|average|averaging|on average"),
)  # fmt: skip
_QUALIFIER: Final = re.compile(
    r"(?i)(?<![\w-])(?:"
    + "|".join(f"(?P<q{n}>{pattern})" for n, (_, pattern) in enumerate(_QUALIFIERS))
    + r"|(?P<none>an?|the|an additional|another|additional|first|its|their|all|these|those|our|top"
    + r"|best|total|of these))[\s,]*\Z"
)
_ON_AVERAGE: Final = re.compile(r"[^.;,()]{0,30}\bon average\b")
_OR_MORE: Final = re.compile(r"\s(?:or|and)\s(more|less|fewer|above|higher|below)\b")
# "over 5 seeds" is across them, "over 3 billion tokens" is more than that.
_ACROSS: Final = frozenset(
    "seed run trial fold split task dataset benchmark setting epoch step iteration baseline "
    "model method environment domain language game scenario round case backbone category".split()
)


_BY_WEIGHT: Final[tuple[Qualifier, ...]] = (
    "only", "up to", "at least", "more than", "less than", "about", "average",
)  # fmt: skip


# The last word of whatever `_QUALIFIER` matches, looked at before that costly pattern.
_LAST_WORDS: Final = frozenset(
    "as most high much many than within first of least less minimum over above exceeding exceeds "
    "exceed beyond surpassing under below sub sub- about around approximately approx approx. "
    "roughly nearly almost to some circa ca ca. estimated near only just merely few little low "
    "small mere solely best but average averaging a an the additional another its their all these "
    "those our top total".split()
)


def _qualifier(text: str, begin: int, end: int) -> re.Match[str] | None:
    """The qualifier that `text[begin:end]` ends with."""
    last = end
    while last > begin and (text[last - 1].isspace() or text[last - 1] == ","):
        last -= 1
    first = last
    while first > begin and (text[first - 1].isalnum() or text[first - 1] in "-."):
        first -= 1
    if text[first:last].lower() not in _LAST_WORDS and "." not in text[first : last - 1]:
        return None
    return _QUALIFIER.search(text, begin, end)


def draft_of(reading: Reading, n: int, quantity: Quantity) -> Draft:
    """The draft of the quantity `n` of a sentence, with its qualifier."""
    end = quantity.start
    ranked: list[Qualifier] = []
    begin = reading.start
    definite = article = False
    while match := _qualifier(reading.text, max(begin, end - 28), end):
        if match.lastgroup != "none" and match.lastgroup is not None:
            qualifier = _QUALIFIERS[int(match.lastgroup[1:])][0]
            if match[0].strip().lower() == "over" and _means_across(reading, n, match.start()):
                break
            if quantity.form == "bound" and qualifier == "more than":
                break  # "improving over O(n^2)"
            if definite and qualifier in ("more than", "less than"):
                break  # "better than the 3.95 of Alpha"
            if qualifier == "less than" and (quantity.unit == "bit" or _allows(reading, n)):
                break
            if article and quantity.scale in ("B", "M") and qualifier in ("less than", "more than"):
                break  # "2 points below a 7B model"
            ranked.append(qualifier)
        definite = match[0].strip().lower() == "the"
        article = match[0].strip().lower() in ("a", "an", "its", "their")
        end = match.start()
    if quantity.form == "bound":
        ranked.clear()  # a bound is one already
    if quantity.mark and quantity.mark not in ranked:
        ranked.append(quantity.mark)
    chosen = next((q for q in _BY_WEIGHT if q in ranked), None)
    place = reading.places[n]
    if chosen is None and _ON_AVERAGE.match(reading.text, quantity.end, reading.end):
        chosen = "average"
    if chosen is None and (more := _OR_MORE.match(reading.text, quantity.end, reading.end)):
        chosen = "at least" if more[1] in ("more", "above", "higher") else "up to"
    lead = reading.at(end) - 1
    while reading.cls(lead) == "R" and reading.low(lead).endswith("ly"):
        lead -= 1
    return Draft(
        quantity, place, lead, chosen, low=quantity.low, high=quantity.high, unit=quantity.unit
    )


_ALLOWANCES: Final = frozenset(
    "budget budgets constraint regime limit attacks attack cap slo deadline".split()
)


def _allows(reading: Reading, n: int) -> bool:
    """Whether a number is that of a condition: "under a 5% budget"."""
    phrase = reading.phrase_from(reading.places[n] + 1)
    return phrase is not None and reading.low(phrase.last) in _ALLOWANCES


def _means_across(reading: Reading, n: int, over: int) -> bool:
    """Whether the "over" at place `over` leads through what is counted, as in "over 5 seeds"."""
    place = reading.places[n]
    before = reading.at(over) - 1
    counted = [k for k in range(max(0, before - 3), before) if reading.cls(k) == "#"]
    plural = reading.cls(before) == "N" and reading.low(before).endswith("s")
    if counted and plural and all(reading.cls(k) == "N" for k in range(counted[-1] + 1, before)):
        return True  # "6 million boxes over 312 structures"
    if reading.quantities[n].scale or reading.quantities[n].unit:
        return False
    if reading.cls(before) == "#":
        return True
    phrase = reading.phrase_from(place + 1)
    if phrase is None or (reading.quantities[n].low or 0) > 1000:
        return False
    heads = {reading.low(i).removesuffix("s") for i in range(phrase.first, phrase.last + 1)}
    return bool(heads & _ACROSS) and reading.low(before) not in ("by", "to", "of", "with")


_ENDS_LIST: Final = frozenset("; : while whereas using with when but".split())


def coordinated(reading: Reading, before: Draft, draft: Draft) -> bool:
    """Whether `draft` continues what `before` says: "... 7.1% on RiverQA and 9.3% on SeaQA"."""
    if draft.quantity.member:
        return True
    if reading.low(draft.lead) not in ("and", "or", ",", "/", "by", "versus", "vs", "against"):
        return False
    opened = {reading.low(i) for i in range(before.place + 1, draft.place)}
    if "(" in opened and ")" not in opened:
        return False
    for i in range(before.place + 1, draft.lead + 1):
        if reading.cls(i) == "V" or reading.low(i) in _ENDS_LIST:
            return False
    if reading.low(draft.lead) == "by":
        i = draft.lead - 1  # "reduces power by 5% and delay by 3%"
        while (reading.cls(i) in "NDR" or reading.low(i) in ("of", "that")) and i > before.place:
            i -= 1
        return reading.low(i) in ("and", ",")
    return True
