"""Quantities of a sentence to kinds: what sort of number each one is, and its direction.

In: a `Reading`. Out: one `Draft` a quantity that is a measurement, with kind, values and unit;
the rest is filled in by `attributes`.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.amounts import amount, counted, plural, portion, share_nouns
from loader.measurements.drafts import Draft, coordinated, draft_of
from loader.measurements.lexicon import (
    BEATING,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    LOWER_IS_BETTER,
    NEUTRAL_VERBS,
)
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.quantity import Quantity
from loader.measurements.units import TIME_UNITS


def drafts(reading: Reading) -> list[Draft]:
    """The measurements among the quantities of a sentence, in order."""
    found: list[Draft] = []
    for n, quantity in enumerate(reading.quantities):
        draft = draft_of(reading, n, quantity)
        if found:
            draft.follows = found[-1] if coordinated(reading, found[-1], draft) else None
        replaced = reading.low(draft.lead - 1) == "instead" and reading.low(draft.lead) == "of"
        if replaced and _count_against(reading, draft, found):
            found.append(draft)  # "40 rounds instead of 110"
        elif _decide(reading, draft) or _count_against(reading, draft, found):
            found.append(draft)
            _carry_back(reading, draft)
    share_nouns(reading, found)
    return [d for d in found if d.kind != "amount" or d.unit or not d.quantity.listed]


_CONTRASTS: Final = frozenset("against versus vs whereas while compared instead".split())


def _count_against(reading: Reading, draft: Draft, found: list[Draft]) -> bool:
    """Whether a bare number is one more count: "21 of 24 tasks, whereas Alpha solves 17"."""
    quantity = draft.quantity
    counts = [d for d in found[-3:] if d.kind == "amount" and not d.quantity.scale]
    if not counts or quantity.unit or quantity.decimal or draft.noun is not None:
        return False
    between = range(found[-1].place + 1, draft.place)
    if not any(reading.low(i) in _CONTRASTS for i in between):
        goes_on = len(counts) > 2 and reading.low(draft.lead) == "and"
        if not (goes_on and reading.low(draft.place + 1) in ("for", "by")):
            return False
    draft.kind = "amount"
    draft.unit = next((d.unit for d in reversed(counts) if d.unit), "")
    return bool(draft.unit)


def _carry_back(reading: Reading, draft: Draft) -> None:
    """Of "a 5% and 3% improvement" the first is a change too."""
    parent = draft.follows
    if draft.kind != "change" or parent is None or parent.kind != "level":
        return
    between = reading.text[parent.quantity.end : draft.quantity.start].strip()
    if between == "," and reading.low(draft.place + 1) in COMPARATIVES:
        return  # "at 76%, 3% higher than"
    if parent.unit == draft.unit and between in ("and", "or", ",", ", and", "/"):
        _as_change(parent, 1 if (draft.high or 0) > 0 else -1)
        parent.driver, parent.comes_after = draft.driver, draft.comes_after


_RANGING: Final = frozenset(
    "range ranges ranging varying vary varies spanning span spans scale scales scaling sizes "
    "size".split()
)
_COST_VERBS: Final = frozenset(
    "adds add adding introduces incurs incurring incur introducing".split()
)


def _decide(reading: Reading, draft: Draft) -> bool:
    """Kind, direction and unit of `draft`; False when it is no measurement after all."""
    quantity = draft.quantity
    if quantity.form == "bound":
        draft.kind, draft.noun = "bound", reading.phrase_from(draft.place + 1)
        return True
    of_metric = reading.low(draft.place + 2) == "points" and reading.is_metric(draft.place + 1)
    if of_metric and not quantity.unit:
        draft.unit = quantity.unit = "points"  # "18 F1 points"
    comparing = quantity.unit == "×" or quantity.form == "word"
    if comparing or reading.cls(draft.place + 1) != "D":
        draft.noun = reading.phrase_from(draft.place + 1)
    draft.driver = _driver(reading, draft)
    if quantity.unit == "×":
        draft.kind = "ratio"
        return _compares(reading, draft)
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
        return _from_to(reading, draft)
    if quantity.noun:
        draft.kind, draft.unit = "amount", quantity.noun
        if draft.unit.lower() in ("parameter", "param"):
            draft.unit = "parameters"
        return True
    if quantity.unit in ("bit", "bits") or quantity.of_scale:
        draft.kind = "level" if quantity.of_scale else "amount"
        return True
    more = reading.low(draft.place + 1) in ("more", "fewer")
    more = more and reading.low(draft.place + 2) == "than"  # "92 trials, 14 more than"
    after_amount = draft.follows is not None and draft.follows.kind == "amount"
    if after_amount and not quantity.unit and not more:
        return amount(reading, draft)
    if _speedup(reading, draft):
        draft.kind, draft.unit = "ratio", "×"
        return True
    direction = _direction(reading, draft)
    if direction is None:
        direction = _going_on(reading, draft)
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
        if portion(reading, draft):
            draft.kind = "amount"
        return True
    hyphen = reading.text[quantity.end - len(quantity.unit) - 1 : quantity.end]
    if quantity.unit in TIME_UNITS and hyphen == "-" + quantity.unit and draft.noun is not None:
        draft.kind = "amount"  # "a 15-day forecast"
        return True
    if quantity.unit:
        measured = reading.low(draft.place + 1) == "of" and reading.cls(draft.place + 2) in "ND"
        measured = measured and reading.low(draft.place - 1) != "the"  # "with the 45 ms of Alpha"
        if measured and reading.phrase_from(draft.place + 2) is not None:
            draft.kind = "amount"  # "24 GB of memory"
        return True
    return amount(reading, draft)


def _speedup(reading: Reading, draft: Draft) -> bool:
    """Whether a bare number is a factor: "a speedup of 12"."""
    if draft.quantity.unit or draft.quantity.scale or reading.low(draft.lead) != "of":
        return False
    return reading.low(draft.lead - 1).startswith(("speedup", "speed-up")) and draft.noun is None


def _alike(reading: Reading, draft: Draft, parent: Draft) -> bool:
    """Whether a number is in the unit of the change before it, or of a metric without a unit."""
    unit = draft.quantity.unit
    if parent.unit == unit or (unit and not parent.quantity.unit):
        return True
    named = draft.noun is not None and reading.is_metric(draft.noun.last)
    named = named or (reading.low(draft.lead) == "by" and draft.noun is None)
    return draft.quantity.decimal and not unit and named  # "by 1.3% accuracy and 2.2 mIoU"


def _going_on(reading: Reading, draft: Draft) -> int | None:
    """The direction of "and memory by 71%" behind "falls from 11 s to 1 s" or "by 5%"."""
    parent = draft.follows
    if parent is not None and parent.kind == "ratio" and reading.low(draft.lead) == "by":
        word = reading.low(parent.driver) if parent.driver is not None else ""
        return CHANGE_VERBS.get(word)  # "cuts time by half and energy by 35%"
    if parent is not None and parent.kind == "change":
        if not _alike(reading, draft, parent) or portion(reading, draft):
            return None
        draft.driver, draft.comes_after = parent.driver, parent.comes_after
        return 1 if (parent.high or 0) > 0 or (parent.low or 0) > 0 else -1
    if parent is None or parent.kind != "from_to" or reading.low(draft.lead) != "by":
        return None
    return 1 if (parent.high or 0) > (parent.low or 0) else -1


def _compares(reading: Reading, draft: Draft) -> bool:
    """Whether a "times" or an "order of magnitude" is one of something against something."""
    quantity = draft.quantity
    if quantity.form == "word":  # not "a power law over many orders of magnitude"
        doubled = quantity.low == 2.0
        return doubled or reading.low(draft.lead) not in ("for", "across", "spanning", "spans")
    repeated = reading.text.endswith("times", quantity.start, quantity.end)
    if repeated and reading.cls(draft.place + 1) == "X":  # not "said at least 3 times."
        return quantity.decimal or reading.low(draft.lead) == "by" or draft.driver is not None
    return True


def _as_change(draft: Draft, direction: int) -> None:
    draft.kind = "change"
    low, high = draft.low, draft.high
    if low is None or high is None:
        return
    if not draft.quantity.signed or (draft.quantity.form == "range" and direction < 0 and low >= 0):
        low, high = sorted((direction * abs(low), direction * abs(high)))
    draft.low, draft.high = low, high


def _from_to(reading: Reading, draft: Draft) -> bool:
    """Tells a change from A to B from a range: "models from 1B to 70B parameters"."""
    quantity, parent = draft.quantity, draft.follows
    draft.kind = "from_to"
    ranging = not _RANGING.isdisjoint((reading.low(draft.lead), reading.low(draft.lead - 1)))
    bare = quantity.scale or (not quantity.unit and not quantity.decimal)
    pair = parent is not None and parent.kind == "from_to"
    if draft.driver is not None or pair or not (ranging or bare):
        _unit_of_ends(reading, draft)
        return True
    unit = counted(reading, draft) or ("parameters" if quantity.scale in ("B", "M") else None)
    if unit is not None:
        draft.kind, draft.unit = "amount", unit
    elif ranging:
        draft.kind = "level"
    if draft.kind != "from_to" and reading.text[quantity.start : quantity.start + 5] in _FROM:
        quantity.start += 5  # a range, of which "from" is no part
    return True


_FROM: Final = ("from ", "From ")


def _unit_of_ends(reading: Reading, draft: Draft) -> None:
    """`tokens` of "from 3.5 to 6.1 tokens"."""
    if draft.unit or draft.noun is None or reading.is_metric(draft.noun.last):
        return
    if draft.noun.first == draft.place + 1 and plural(reading.low(draft.noun.last)):
        draft.unit = counted(reading, draft) or ""


_ENDS_REACH: Final = frozenset("; : while whereas but when with using".split())
_PASSED_OVER: Final = frozenset("is are was were be been being also".split())


def _driver(reading: Reading, draft: Draft) -> int | None:
    """The verb or noun of change that governs the number from the left, if one does."""
    i = draft.lead
    by = reading.low(i) == "by"
    steps = 0
    while i >= 0 and steps < 14:
        low, cls = reading.low(i), reading.cls(i)
        if low in CHANGE_VERBS or low in CHANGE_NOUNS or (cls == "V" and low in NEUTRAL_VERBS):
            return i
        if cls == "#" and not (by and reading.counts(i)):
            return None
        ends = low in _ENDS_REACH and reading.low(i + 1) != "respect"
        if ends or (cls == "V" and low not in _PASSED_OVER):
            return None
        i -= 1
        steps += 1
    return None


_CONTESTED: Final = {"win": 1, "wins": 1, "won": 1, "lead": 1, "leads": 1, "loses": -1}
# "23 points behind human performance"
_APART: Final = {"behind": -1, "below": -1, "short": -1, "above": 1, "ahead": 1}


def _direction(reading: Reading, draft: Draft) -> int | None:
    """+1 or -1 when the number is a difference, else None. Sets `driver`."""
    quantity = draft.quantity
    if quantity.signed and (quantity.unit in ("%", "points") or (quantity.low or 0) > 0):
        noun = _change_noun(reading, draft.noun) if draft.noun is not None else None
        if noun is not None:
            draft.driver, draft.comes_after = noun, True
        return 1
    after = draft.place + 1
    while reading.low(after) in ("absolute", "relative", "average"):
        after += 1
    comparative = COMPARATIVES.get(reading.low(after))
    if comparative is not None and (quantity.unit or _held(reading, quantity, after)):
        return comparative
    if draft.noun is not None and reading.is_metric(draft.noun.last):
        behind = COMPARATIVES.get(reading.low(draft.noun.last + 1))
        if behind is not None and reading.low(draft.noun.last + 2) == "than":
            return behind  # "3.6 perplexity better than"
    fewer = reading.low(after) in ("fewer", "less", "more") and quantity.decimal
    if fewer and not quantity.scale and reading.cls(after + 1) == "N":
        draft.noun = reading.phrase_from(after + 1)
        draft.unit = counted(reading, draft) or ""
        return comparative
    if quantity.unit:
        following = reading.low(draft.place + 1)
        if following in _APART and reading.cls(draft.place + 2) in "NDR":
            return _APART[following]
    if draft.noun is not None:
        noun = _change_noun(reading, draft.noun)
        if noun is not None and (quantity.unit or quantity.decimal):
            draft.driver, draft.comes_after = noun, True
            return _improves(reading, noun, CHANGE_NOUNS[reading.low(noun)])
    beside = reading.low(draft.place + 1) in ("relative", "absolute")
    if quantity.unit == "%" and beside and reading.cls(draft.place + 1) != "P":
        return 1
    near = reading.low(draft.place - 1) == "within" and reading.low(draft.place + 1) == "of"
    if near and quantity.unit in ("%", "points"):
        return 1  # "within 2% of Alpha"
    if reading.low(draft.lead) in ("absolute", "relative"):
        draft.lead -= 1
        draft.lead -= reading.cls(draft.lead) == "D"
    lead = reading.low(draft.lead)
    driver = draft.driver
    if lead == "by" and reading.low(draft.lead - 1) in ("up", "down"):
        return 1 if reading.low(draft.lead - 1) == "up" else -1
    if lead == "by" and reading.low(draft.lead - 1) in _CONTESTED:
        return _CONTESTED[reading.low(draft.lead - 1)]
    if lead == "of" and reading.low(draft.lead - 1) == "cost" and quantity.unit == "points":
        return -1
    if driver is None:
        return None
    word = reading.low(driver)
    if word in CHANGE_NOUNS and (
        word not in CHANGE_VERBS or reading.low(driver + 1) in _BEHIND_NOUN
    ):
        if driver == draft.lead or (lead in _AFTER_NOUN and _reaches(reading, driver, draft.lead)):
            return _improves(reading, driver, CHANGE_NOUNS[word])
        return None
    if lead == "by":
        return _improves(reading, driver, CHANGE_VERBS.get(word, 1))
    if word in _COST_VERBS and driver == draft.lead:
        return 1
    if driver == draft.lead and _reaching(reading, draft):
        return None  # "falls below 50%"
    direct = all(reading.cls(i) in "NDR" for i in range(driver + 1, draft.lead + 1))
    if word.startswith(("compress", "prun")):
        return None
    if quantity.unit and direct and word in CHANGE_VERBS and draft.lead > driver:
        return _improves(reading, driver, CHANGE_VERBS[word])
    if driver == draft.lead and word.startswith(("los", "gain")) and _scored(reading, draft):
        return CHANGE_VERBS.get(word)
    if quantity.unit and driver == draft.lead and word in CHANGE_VERBS and word not in BEATING:
        # "saves 30% memory" and "drops 5%"
        partial = reading.low(draft.place + 1) == "of" and not word.startswith("sav")
        return None if partial else CHANGE_VERBS[word]
    return None


_BEHIND_NOUN: Final = frozenset("of in by ( : with is was".split())
_AFTER_NOUN: Final = frozenset("of by ( : = is was".split())


def _scored(reading: Reading, draft: Draft) -> bool:
    """Whether a number is so much of a metric without a unit: "gains 1.3 BLEU"."""
    noun = draft.noun
    return draft.quantity.decimal and (noun is None or reading.is_metric(noun.last))


def _held(reading: Reading, quantity: Quantity, after: int) -> bool:
    """Whether a number without a unit is a difference: "1.3 higher than", "0.04 lower loss"."""
    if reading.low(after) in ("more", "fewer") and reading.low(after + 1) == "than":
        return not quantity.scale
    if not quantity.decimal or quantity.scale:
        return False
    phrase = reading.phrase_from(after + 1)
    measured = phrase is not None and reading.is_metric(phrase.last)
    return measured or reading.low(after + 1) == "than"


def _reaching(reading: Reading, draft: Draft) -> bool:
    between = reading.text[reading.tokens[draft.lead].end : draft.quantity.start]
    return between.strip() in ("below", "under", "above")


def _reaches(reading: Reading, noun: int, lead: int) -> bool:
    """Whether nothing but "in accuracy" stands between a noun of change and the word at `lead`."""
    if noun == lead - 1 or reading.low(lead) == "by":
        return True
    following = noun + 2
    if reading.low(noun + 1) == "with" and reading.low(noun + 2) == "respect":
        following += 2
    elif reading.low(noun + 1) not in ("in", "on", "for", "over", "of"):
        return False
    phrase = reading.chain(following)
    return phrase is not None and phrase.last == lead - 1


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


_LOSSES: Final = frozenset("validation training test train eval pretraining".split())


def _change_noun(reading: Reading, phrase: Phrase) -> int | None:
    """The noun of change in a phrase: its head, or the head of what comes first."""
    lower = reading.low(phrase.first - 1) in COMPARATIVES
    for i in range(phrase.first, min(phrase.last, phrase.first + 6) + 1):
        if reading.low(i) == "loss" and (lower or reading.low(i - 1) in _LOSSES):
            continue  # "0.04 lower validation loss"
        if reading.low(i) in CHANGE_NOUNS and (i == phrase.last or reading.cls(i + 1) != "N"):
            return i
    return None
