"""Quantities of a sentence to kinds: what sort of number each one is, and its direction.

In: a `Reading`. Out: one `Draft` a quantity that is a measurement, with kind, values and unit;
the rest is filled in by `attributes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from loader.measurements.lexicon import (
    BEATING,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    LOWER_IS_BETTER,
    MODEL_LIKE,
)
from loader.measurements.numerals import Quantity
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.units import TIME_UNITS
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


_QUALIFIERS: Final[tuple[tuple[Qualifier, str], ...]] = (
    ("up to", r"up to|at most|as (?:high|much|many) as|no more than|not more than|within(?: the first)?|a maximum of"),
    ("at least", r"at least|no (?:less|fewer) than|not less than|a minimum of|minimum"),
    ("more than", r"(?:more|greater|larger|higher|longer) than|over|above|exceeding|exceeds?|beyond|surpassing|in excess of|upwards of|well over"),
    ("less than", r"(?:less|fewer|lower|smaller|shorter|better) than|under|below|sub-?"),
    ("about", r"about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|circa|ca\.|an? estimated|near"),
    ("only", r"only|just|merely|as (?:few|little|low|small) as|a mere|solely|at best|but"),
    ("average", r"an average of|an? (?:mean|avg) of|average|averaging|on average"),
)  # fmt: skip
_QUALIFIER: Final = re.compile(
    r"(?i)(?<![\w-])(?:"
    + "|".join(f"(?P<q{n}>{pattern})" for n, (_, pattern) in enumerate(_QUALIFIERS))
    + r"|(?P<none>an?|the|an additional|another|additional|first|its|their|all|these|those|our|top|best|total|of these))[\s,]*\Z"
)
_ON_AVERAGE: Final = re.compile(r"[^.;,()]{0,30}\bon average\b")
_OR_MORE: Final = re.compile(r"\s(?:or|and)\s(more|less|fewer|above|higher|below)\b")
# "over 5 seeds" is across them, "over 3 billion tokens" is more than that.
_ACROSS: Final = frozenset(
    "seed run trial fold split task dataset benchmark setting epoch step iteration baseline model "
    "method environment domain language game scenario round case backbone category".split()
)


def drafts(reading: Reading) -> list[Draft]:
    """The measurements among the quantities of a sentence, in order."""
    found: list[Draft] = []
    for n, quantity in enumerate(reading.quantities):
        draft = _draft(reading, n, quantity)
        if found:
            draft.follows = found[-1] if _coordinated(reading, found[-1], draft) else None
        if _decide(reading, draft, found):
            found.append(draft)
            _carry_back(reading, draft)
    _share_nouns(reading, found)
    return [d for d in found if d.kind != "amount" or d.unit or not d.quantity.listed]


def _carry_back(reading: Reading, draft: Draft) -> None:
    """Of "a 5% and 3% improvement" the first is a change too."""
    parent = draft.follows
    if draft.kind != "change" or parent is None or parent.kind != "level":
        return
    between = reading.text[parent.quantity.end : draft.quantity.start].strip()
    if parent.unit == draft.unit and between in ("and", "or", ",", ", and", "/"):
        _as_change(parent, 1 if (draft.high or 0) > 0 else -1)
        parent.driver, parent.comes_after = draft.driver, draft.comes_after


def _draft(reading: Reading, n: int, quantity: Quantity) -> Draft:
    end = quantity.start
    ranked: list[Qualifier] = []
    begin = reading.start
    while match := _QUALIFIER.search(reading.text, max(begin, end - 28), end):
        if match.lastgroup != "none" and match.lastgroup is not None:
            qualifier = _QUALIFIERS[int(match.lastgroup[1:])][0]
            if match[0].strip().lower() == "over" and _means_across(reading, n, match.start()):
                break
            ranked.append(qualifier)
        end = match.start()
    if quantity.mark and quantity.mark not in ranked:
        ranked.append(quantity.mark)
    chosen: Qualifier | None = None
    for wanted in ("only", "up to", "at least", "more than", "less than", "about", "average"):
        if wanted in ranked:
            chosen = wanted  # type: ignore[assignment]
            break
    place = reading.places[n]
    if chosen is None and _ON_AVERAGE.match(reading.text, quantity.end, reading.end):
        chosen = "average"
    if chosen is None and (more := _OR_MORE.match(reading.text, quantity.end, reading.end)):
        chosen = "at least" if more[1] in ("more", "above", "higher") else "up to"
    lead = reading.at(end) - 1
    return Draft(
        quantity, place, lead, chosen, low=quantity.low, high=quantity.high, unit=quantity.unit
    )


def _means_across(reading: Reading, n: int, over: int) -> bool:
    place = reading.places[n]
    before = reading.at(over) - 1
    if reading.quantities[n].scale or reading.quantities[n].unit:
        return False
    if reading.cls(before) == "#":
        return True
    phrase = reading.phrase_from(place + 1)
    if phrase is None or (reading.quantities[n].low or 0) > 1000:
        return False
    heads = {reading.low(i).removesuffix("s") for i in range(phrase.first, phrase.last + 1)}
    return bool(heads & _ACROSS) and reading.low(before) not in ("by", "to", "of", "with")


def _coordinated(reading: Reading, before: Draft, draft: Draft) -> bool:
    """Whether `draft` continues what `before` says: "... 12.6% on GSM8K and 14.8% on PRM800K"."""
    if draft.quantity.member:
        return True
    if reading.low(draft.lead) not in ("and", "or", ",", "/", "by", "versus", "vs"):
        return False
    for i in range(before.place + 1, draft.lead + 1):
        if reading.low(i) in (";", ":") or (
            reading.cls(i) == "V" and reading.low(i) not in ("used",)
        ):
            return False
        if reading.low(i) in ("while", "whereas", "using", "with", "when", "but"):
            return False
    if reading.low(draft.lead) == "by":
        i = draft.lead - 1  # "reduces power by 5% and delay by 3%"
        while reading.cls(i) in "NDR" and reading.low(i) and i > before.place:
            i -= 1
        return reading.low(i) in ("and", ",")
    return True


_KEEPING: Final = frozenset(
    "explain explains explaining explained recover recovers recovering retain retains retaining keep "
    "keeps keeping reach reaches reaching achieve achieves achieving match matches matching preserve "
    "preserves preserving maintain maintains maintaining win wins winning succeed succeeds close closes "
    "capture captures attains attain".split()
)
_RANGING: Final = frozenset(
    "range ranges ranging varying vary varies spanning span spans scale scales scaling sizes size".split()
)
_COST_VERBS: Final = frozenset(
    "adds add adding introduces incurs incurring incur introducing".split()
)


def _decide(reading: Reading, draft: Draft, found: list[Draft]) -> bool:
    """Kind, direction and unit of `draft`; False when it is no measurement after all."""
    quantity = draft.quantity
    if quantity.form == "bound":
        draft.kind, draft.noun = "bound", reading.phrase_from(draft.place + 1)
        return True
    comparing = quantity.unit == "×" or quantity.form == "word"
    if comparing or reading.cls(draft.place + 1) != "D":
        draft.noun = reading.phrase_from(draft.place + 1)
    draft.driver = _driver(reading, draft)
    if quantity.unit == "×":
        draft.kind = "ratio"
        # "a power law over many orders of magnitude" compares nothing
        return not (
            quantity.low != 2.0
            and reading.low(draft.lead) in ("for", "across", "spanning", "spans")
        )
    if (
        reading.low(draft.lead) == "of"
        and reading.low(draft.lead - 1) == "factor"
        and not quantity.unit
    ):
        draft.kind, draft.unit = "ratio", "×"
        draft.lead -= 2
        draft.driver = _driver(reading, draft)
        return True
    if quantity.form == "from_to":
        return _from_to(reading, draft, found)
    if quantity.noun:
        draft.kind, draft.unit = "amount", quantity.noun
        if draft.unit.lower() in ("parameter", "param"):
            draft.unit = "parameters"
        return True
    if quantity.unit == "bit":
        draft.kind = "amount"
        return True
    if quantity.of_scale:
        return True
    if draft.follows is not None and not quantity.unit and draft.follows.kind == "amount":
        return _amount(reading, draft, found)
    direction = _direction(reading, draft)
    if direction is None and draft.follows is not None and draft.follows.kind == "change":
        same = draft.follows.unit == quantity.unit or (
            quantity.unit and not draft.follows.quantity.unit
        )
        if same and not _portion(reading, draft):
            direction = 1 if (draft.follows.high or 0) > 0 or (draft.follows.low or 0) > 0 else -1
            draft.driver = draft.follows.driver
            draft.comes_after = draft.follows.comes_after
    if direction is not None:
        _as_change(draft, direction)
        return True
    if quantity.unit == "points":
        if quantity.signed or (quantity.high or 0) < 100:
            _as_change(draft, 1)
            return True
        draft.kind, draft.unit = "amount", "points"
        return True
    if quantity.unit == "%":
        if _portion(reading, draft):
            draft.kind = "amount"
        return True
    if quantity.unit:
        return _physical(reading, draft)
    return _amount(reading, draft, found)


def _as_change(draft: Draft, direction: int) -> None:
    draft.kind = "change"
    low, high = draft.low, draft.high
    if low is None or high is None:
        return
    if not draft.quantity.signed or (draft.quantity.form == "range" and direction < 0 and low >= 0):
        low, high = sorted((direction * abs(low), direction * abs(high)))
    draft.low, draft.high = low, high


def _from_to(reading: Reading, draft: Draft, found: list[Draft]) -> bool:
    quantity = draft.quantity
    before = {reading.low(i) for i in range(max(0, draft.lead - 1), draft.lead + 1)}
    counted = quantity.scale or (not quantity.unit and not quantity.decimal)
    if (
        (before & _RANGING or counted)
        and draft.driver is None
        and not (draft.follows is not None and draft.follows.kind == "from_to")
    ):
        ranging = bool(before & _RANGING)
        head = _counted(reading, draft)
        if head is not None:
            draft.kind, draft.unit = "amount", head
            return True
        if quantity.scale in ("B", "M"):
            draft.kind, draft.unit = "amount", "parameters"
            return True
        if ranging:
            draft.kind = "level"
            return True
    draft.kind = "from_to"
    return True


def _driver(reading: Reading, draft: Draft) -> int | None:
    """The verb or noun of change that governs the number from the left, if one does."""
    i = draft.lead
    by = reading.low(i) == "by"
    steps = 0
    while i >= 0 and steps < 14:
        low, cls = reading.low(i), reading.cls(i)
        if low in CHANGE_VERBS or low in CHANGE_NOUNS:
            return i
        if cls == "#" and not (
            by
            and reading.cls(i + 1) == "N"
            and not reading.quantities[reading.tokens[i].quantity].unit
        ):
            return None
        if low in (";", ":") or low in ("while", "whereas", "but", "when", "with", "using"):
            return None
        if cls == "V" and low not in (
            "is",
            "are",
            "was",
            "were",
            "be",
            "been",
            "being",
            "also",
            "further",
        ):
            return None
        i -= 1
        steps += 1
    return None


# "23 points behind human performance"
_APART: Final = {"behind": -1, "below": -1, "short": -1, "above": 1, "ahead": 1}


def _direction(reading: Reading, draft: Draft) -> int | None:
    """+1 or -1 when the number is a difference, else None. Sets `driver`."""
    quantity = draft.quantity
    if quantity.signed and (quantity.unit in ("%", "points") or (quantity.low or 0) > 0):
        return 1
    after = draft.place + 1
    while (
        reading.low(after) in ("absolute", "relative", "average", "in", "an")
        and reading.cls(after) != "#"
    ):
        if reading.low(after) == "in":
            break
        after += 1
    comparative = COMPARATIVES.get(reading.low(after))
    if comparative is not None and quantity.unit:
        return comparative
    if quantity.unit in ("%", "points"):
        following = reading.low(draft.place + 1)
        if following in _APART and reading.cls(draft.place + 2) in "NDR":
            return _APART[following]
    if draft.noun is not None:
        noun = _change_noun(reading, draft.noun)
        if noun is not None and (quantity.unit or quantity.decimal):
            draft.driver, draft.comes_after = noun, True
            return _improves(reading, noun, CHANGE_NOUNS[reading.low(noun)])
    if quantity.unit == "%" and reading.low(draft.place + 1) in ("relative", "absolute"):
        return 1
    if reading.low(draft.lead) in ("absolute", "relative"):
        draft.lead -= 1
    lead = reading.low(draft.lead)
    driver = draft.driver
    if lead == "by" and reading.low(draft.lead - 1) in ("up", "down"):
        return 1 if reading.low(draft.lead - 1) == "up" else -1
    if driver is None:
        return None
    word = reading.low(driver)
    if (
        word in CHANGE_NOUNS
        and word not in CHANGE_VERBS
        or (word in CHANGE_NOUNS and reading.low(driver + 1) in ("of", "in", "by", "(", ":"))
    ):
        if lead in ("of", "by", "(", ":", "=", "is", "was") or driver == draft.lead:
            return _improves(reading, driver, CHANGE_NOUNS[word])
        return None
    if lead == "by":
        return _improves(reading, driver, CHANGE_VERBS.get(word, 1))
    if word in _COST_VERBS and driver == draft.lead:
        return 1
    direct = all(reading.cls(i) in "NDR" for i in range(driver + 1, draft.lead + 1))
    if word.startswith(("compress", "prun")):
        return None
    if quantity.unit and direct and word in CHANGE_VERBS and draft.lead > driver:
        return _improves(reading, driver, CHANGE_VERBS[word])
    if quantity.unit and driver == draft.lead and word in CHANGE_VERBS and word not in BEATING:
        # "saves 30% memory" and "drops 5%"
        return (
            CHANGE_VERBS[word] if not _then_of(reading, draft) or word.startswith("sav") else None
        )
    return None


def _then_of(reading: Reading, draft: Draft) -> bool:
    return reading.low(draft.place + 1) == "of"


def _improves(reading: Reading, driver: int, direction: int) -> int:
    """An improvement of an error is a fall of it."""
    word = reading.low(driver)
    if word.startswith(("improv", "enhanc")):
        i = driver + 1
        while reading.cls(i) in "NDRC" and i < driver + 8:
            if reading.low(i) in LOWER_IS_BETTER:
                return -1
            i += 1
    return direction


def _change_noun(reading: Reading, phrase: Phrase) -> int | None:
    """The noun of change in a phrase: its head, or the head of what comes first."""
    for i in range(phrase.first, min(phrase.last, phrase.first + 6) + 1):
        if reading.low(i) in CHANGE_NOUNS and (i == phrase.last or reading.cls(i + 1) != "N"):
            return i
    return None


_PART_BEFORE: Final = frozenset(
    "only just using with uses use keep keeping requires require requiring on".split()
)


def _portion(reading: Reading, draft: Draft) -> bool:
    """Whether a percentage is so much of something that is counted, no value of a metric."""
    i = draft.place + 1
    if reading.low(i) == "of":
        phrase = reading.phrase_from(i + 1)
        if phrase is None:
            return False
        if reading.is_metric(phrase.last) or reading.low(draft.lead) in _KEEPING:
            return False
        head = reading.low(phrase.last)
        if reading.low(draft.lead) == "on" and not head.endswith(("s", "ns")):
            return True
        if reading.low(draft.lead) in ("in", "on") or head in (
            "cases",
            "tasks",
            "time",
            "variance",
        ):
            return False
        return True
    if draft.noun is None:
        return False
    if any(reading.is_metric(k) for k in range(draft.noun.first, draft.noun.last + 1)):
        return False
    last = reading.low(draft.noun.last)
    return last.endswith("s") and not last.endswith("ss")


def _physical(reading: Reading, draft: Draft) -> bool:
    unit = draft.unit
    i = draft.place + 1
    if reading.low(i) == "of" and reading.cls(i + 1) in "ND":
        phrase = reading.phrase_from(i + 1)
        if phrase is not None:
            draft.kind = "amount"
            return True
    if unit in TIME_UNITS or reading.low(draft.lead) in ("in", "within"):
        return True
    return True


def _counted(reading: Reading, draft: Draft) -> str | None:
    """The noun that a number counts, with its compounds, or None."""
    quantity = draft.quantity
    phrase = draft.noun
    if phrase is None:
        return _adjective_and(reading, draft.place + 1)
    first = reading.low(phrase.first)
    if first in ("parameter", "parameters", "params", "param"):
        return "parameters"
    last = _head(reading, phrase)
    head = reading.low(last)
    following = reading.low(phrase.last + 1)
    if not _plural(head) and following in ("and", "or", ",", "but"):
        shared = _adjective_and(reading, phrase.last + 1)
        if shared is not None:
            return shared
    if head in ("kinds", "sorts") and following == "of":
        kinds = reading.phrase_from(phrase.last + 2)
        if kinds is not None:
            return reading.words(Phrase(kinds.first, _head(reading, kinds)))
    if quantity.scale in ("B", "M", "T") and (head in MODEL_LIKE or not _plural(head)):
        return "parameters"
    if quantity.scale == "K" and head in ("context", "length", "window", "contexts"):
        return "tokens"
    first_noun = phrase.first
    while first_noun < last and _adjective(reading.low(first_noun)):
        first_noun += 1
    return reading.words(Phrase(first_noun, last))


_ADJECTIVE_ENDS: Final = (
    "ing",
    "ed",
    "al",
    "ic",
    "ive",
    "ous",
    "ful",
    "able",
    "ible",
    "ary",
    "less",
    "ese",
    "ent",
    "ant",
)
_NOUN_ENDS: Final = frozenset(
    "training reasoning coding programming learning planning material signal trial token".split()
)
_ADJECTIVES: Final = frozenset(
    "new additional real different distinct unique diverse challenging advanced popular common large "
    "small open open-source closed-source widely-used public such high-quality hard easy novel Indian "
    "further more independent major recent human key main long short chosen given hidden known "
    "unseen".split()
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
    "people data children men women mice criteria phenomena media vertices indices matrices series species".split()
)


def _plural(low: str) -> bool:
    return low in _IRREGULAR_PLURALS or (
        low.endswith("s") and not low.endswith(_SINGULAR_S) and len(low) > 2
    )


def _head(reading: Reading, phrase: Phrase) -> int:
    """The last word of what is counted: the first plural, else the end of the phrase."""
    for i in range(phrase.first, phrase.last + 1):
        if _plural(reading.low(i)) and not reading.acronym(i):
            if i < phrase.last and reading.low(i + 1) in _PLAIN_UNITS:
                return i + 1
            return i
    return phrase.last


_PLAIN_UNITS: Final = frozenset(
    "steps tokens samples models iterations epochs images tasks datasets pairs".split()
)


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
        if _plural(reading.low(head)):
            first = phrase.first
            while first < head and _adjective(reading.low(first)):
                first += 1
            return reading.words(Phrase(first, head))
        i = phrase.last + 1
        hops += 1
        if reading.low(i) not in ("and", "or", ",", "but", "and/or"):
            return None
    return None


def _amount(reading: Reading, draft: Draft, found: list[Draft]) -> bool:
    """Amounts and levels without a unit."""
    quantity = draft.quantity
    if quantity.total or (quantity.member and not quantity.decimal):
        draft.kind = "amount"
        draft.unit = _counted(reading, draft) or ""
        return True
    whole = not quantity.decimal or bool(quantity.scale)
    close = reading.low(draft.lead)
    noun = draft.noun
    if quantity.scale and whole:
        draft.kind = "amount"
        draft.unit = _counted(reading, draft) or ("parameters" if quantity.scale in "BM" else "")
        return True
    if whole and noun is not None and reading.low(noun.first) in ("times", "time"):
        return False
    if (
        whole
        and noun is not None
        and (not reading.is_metric(noun.last) or _plural(reading.low(_head(reading, noun))))
    ):
        draft.kind = "amount"
        draft.unit = _counted(reading, draft) or ""
        return True
    if (
        whole
        and noun is None
        and (adjectives := _adjective_and(reading, draft.place + 1))
        and reading.low(draft.place + 1) != ","
    ):
        draft.kind, draft.unit = "amount", adjectives
        return True
    if noun is not None and reading.is_metric(noun.last):
        return True
    if quantity.listed and whole:
        draft.kind = "amount"  # until the end of the list has said of what
        return True
    if whole and reading.low(draft.place + 1) in ("of", "out"):
        draft.kind = "amount"
        return True
    if close in (
        "of",
        "=",
        ":",
        "is",
        "was",
        "to",
        "at",
        "(",
        "than",
        "exceeding",
        "reaches",
        "below",
        "under",
    ) or reading.is_metric(draft.lead):
        if not whole or reading.is_metric(draft.lead) or close in ("of", "=", "to", "is"):
            return not (close == ":" and whole)
    if draft.follows is not None and not (quantity.decimal and draft.follows.quantity.scale):
        draft.kind = draft.follows.kind
        if draft.kind == "amount":
            draft.unit = draft.follows.unit
        return draft.kind in ("amount", "level")
    if quantity.mark and quantity.mark != "about":
        return True
    return not whole or quantity.form == "range"


def _share_nouns(reading: Reading, found: list[Draft]) -> None:
    """What counts the same thing: "17 of 20 tasks", "4, 8 and 16 GPUs", "12/20" after tasks."""
    for n in range(len(found) - 2, -1, -1):
        this, following = found[n], found[n + 1]
        if (
            this.kind == "amount"
            and not this.unit
            and following.kind == "amount"
            and following.unit
        ):
            between = reading.text[this.quantity.end : following.quantity.start]
            if following.quantity.total or re.fullmatch(r"[\s,/]*(?:and|or)?\s*", between):
                this.unit = following.unit
    known = ""
    for this in found:
        if this.kind != "amount":
            continue
        if this.unit:
            known = this.unit
        elif this.quantity.member or this.quantity.scale == "K" or this.quantity.total:
            this.unit = known
        elif this.noun is None and reading.low(this.place + 1) in ("of", "out"):
            this.unit = known
