"""What it is that changed: "accuracy" of "improves the accuracy of X by 3%".

In: a `Reading` and a draft that is a change or a ratio. Out: the phrase of its metric, or None.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.clauses import Clauses
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import (
    BEATING,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    MODEL_LIKE,
    NEUTRAL_VERBS,
    OWN_METRIC,
)
from loader.measurements.nouns import METHODS, PROCESSES, last_metric, last_noun
from loader.measurements.phrases import Phrase, Reading

_FASTER: Final = frozenset("faster slower quicker fast quickly".split())
_SIZES: Final = frozenset("larger bigger smaller deeper wider longer shorter".split())
_GIVING: Final = frozenset("gives give yields yield offers offer provides brings shows".split())
_DURING: Final = frozenset("in on at during for".split())
# "the number of evaluations" is one metric, of "the accuracy of Llama" only the accuracy.
OF_KEPT: Final = frozenset(
    "number amount probability volume fraction proportion degree deviation percentage".split()
)
_REACH: Final = 14


def of_change(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    """The metric of a draft that is a change or a ratio; sets one that is an adjective itself."""
    after = draft.place + 1
    word = reading.low(after)
    part = draft.kind == "ratio" and word == "of" and (draft.low or 1.0) < 1.0
    if part and draft.quantity.form == "value":
        return reading.phrase_from(after + 1)  # "1/16 of the labels"
    if draft.comes_after and draft.driver is not None:
        return _beside_noun(reading, draft, draft.driver)
    if word == "as" and reading.low(after + 1) in _FASTER and reading.cls(draft.lead) == "V":
        subject = clauses.subject(clauses.of[draft.place])
        if subject is not None and reading.low(subject.last) in PROCESSES:
            return subject  # "inference is 1.4× as slow as"
    if word == "as" and reading.low(after + 1) in _FASTER:
        draft.metric = "speed"
        return None
    if word == "as" and reading.low(after + 1) in ("many", "much"):
        return reading.phrase_from(after + 2)
    while word in ("average", "absolute", "relative", "more", "less", "as"):
        if word in ("more", "less") and reading.cls(after + 1) == "N":
            break
        after += 1
        word = reading.low(after)
    if word in COMPARATIVES or word in _FASTER:
        phrase = reading.phrase_from(after + 1)
        if phrase is not None:
            return _until_head(reading, phrase)
        sized = word in _SIZES and draft.unit == "×" and reading.low(after + 1) in ("than", "and")
        if sized and (reading.cls(draft.lead) in "VC" or reading.low(draft.lead) == ","):
            draft.metric = word  # "is two orders of magnitude larger than"
            return None
        process = reading.phrase_from(after + 2) if reading.low(after + 1) in _DURING else None
        if process is not None and reading.low(process.last) in PROCESSES:
            return process
        if word in _FASTER and reading.low(after + 1) == "to" and reading.low(after + 2):
            return Phrase(after + 2, after + 2)  # "3 times faster to build"
        if word in _FASTER or word == "cheaper":
            draft.metric = "cost" if word == "cheaper" else "speed"
            return None
        if reading.low(draft.lead) in ("is", "are", "was", "were") and draft.lead:
            before = last_noun(reading, draft.lead - 1)
            if before and reading.is_metric(before.last):
                return before
            subject = clauses.subject(clauses.of[draft.place])
            if subject is not None and reading.is_metric(subject.last):
                return subject
            if word in ("better", "worse", "higher", "lower"):
                return None
            return Phrase(after, after) if word in _SIZES and draft.unit == "×" else None
        near = reading.is_metric(draft.lead) or draft.kind == "ratio"
        if reading.cls(draft.lead) == "N" and near and word not in ("more", "less", "fewer"):
            return reading.phrase_ending(draft.lead)  # "F1 scores 10% higher than"
    if draft.kind == "ratio" and draft.noun is not None:
        for i in range(draft.noun.first, draft.noun.last + 1):
            if reading.low(i) in CHANGE_NOUNS:
                draft.driver, draft.comes_after = i, True
                return _beside_noun(reading, draft, i)
        if reading.cls(after) in "ND" and reading.low(draft.lead) != "by":
            return draft.noun
    within = reading.phrase_from(after + 1) if word in ("in", "on") else None
    if within is not None and reading.is_metric(within.last):
        return within
    return _driven(reading, draft, after, clauses)


def _driven(reading: Reading, draft: Draft, after: int, clauses: Clauses) -> Phrase | None:
    """The metric by the verb or noun of change to the left of the number."""
    driver = draft.driver
    lead = draft.lead
    if draft.follows is not None and reading.low(lead) == "by" and reading.cls(lead - 1) == "N":
        beating = draft.driver is not None and reading.low(draft.driver) in BEATING
        return None if beating else reading.phrase_ending(lead - 1)
    measured = draft.noun if draft.noun and reading.is_metric(draft.noun.last) else None
    if driver is not None:
        low = reading.low(driver)
        if driver == lead and measured is not None and low.startswith(("los", "gain")):
            return _until_head(reading, measured)  # "gains 1.3 BLEU"
        if low in ("adds", "add", "adding") and reading.low(draft.place + 1) == "to":
            return reading.phrase_from(draft.place + 2)  # "adds 4% to the run time"
        if measured is not None and (low in BEATING or reading.low(lead) == "of"):
            return _until_head(reading, measured)  # "by 2.4 BLEU", "a margin of 3 AP"
        gaining = driver == lead and low == "gains" and reading.cls(driver - 1) == "N"
        if gaining and reading.has_capital(driver - 1) and not reading.is_metric(driver - 1):
            return None  # "PineLM gains 3%"
        by_verb = low in CHANGE_VERBS and reading.low(draft.lead) == "by"
        if low in CHANGE_NOUNS and not by_verb:
            found = _beside_noun(reading, draft, driver)
            if found is None and measured is not None:
                found = measured
            if found is None:
                found = last_metric(reading, driver)
                verb = clauses.at(driver).verb
                if found is not None and found.last < verb and reading.low(verb) in _GIVING:
                    return None  # "the new loss gives an improvement of"
            return found
        if low in BEATING:
            mine = clauses.subject(clauses.of[driver])
            theirs = reading.low(driver + 1) in ("that", "those")
            measured_here = theirs and mine is not None and reading.is_metric(mine.last)
            return mine if measured_here else None  # "the accuracy of A exceeds that of B by"
        if driver == draft.lead and reading.low(draft.place + 1) == "of":
            return reading.phrase_from(draft.place + 2)
        if driver == draft.lead and draft.noun is not None:
            return draft.noun
        found = changed_by_verb(reading, draft, draft.lead, clauses)
        if found is not None:
            return found
    if draft.noun is not None and draft.kind == "change" and reading.cls(after) == "N":
        return _until_head(reading, draft.noun)
    return last_metric(reading, draft.lead)


def _beside_noun(reading: Reading, draft: Draft, noun: int) -> Phrase | None:
    """`accuracy` of "drop in accuracy" and of "accuracy drop"."""
    low = reading.low(noun)
    keep = low in OWN_METRIC
    before = reading.phrase_ending(noun) if reading.cls(noun - 1) == "N" or keep else None
    if draft.comes_after and before is not None and before.first <= draft.place:
        before = Phrase(draft.place + 1, before.last)
    following = None
    link = reading.low(noun + 1)
    nominal = reading.cls(noun + 2) in "NDR" or reading.low(noun + 2).endswith("ed")
    if link in ("in", "of", "on", "for") and nominal:
        following = reading.phrase_from(noun + 2)
        if following and link in ("on", "for") and not reading.is_metric(following.last):
            following = None
    if keep:
        if following is not None and draft.kind == "ratio":
            return Phrase(noun, following.last)
        if draft.comes_after:
            return reading.trimmed(Phrase(draft.place + 1, noun))
        return before or Phrase(noun, noun)
    described = None
    if before is not None and before.first < noun:
        described = reading.trimmed(Phrase(before.first, noun - 1))
    if described is not None and following is None and draft.kind == "ratio":
        return Phrase(described.first, noun)  # "32× memory saving"
    if following is not None and not (described and reading.is_metric(described.last)):
        return _until_head(reading, following)
    if described is None and low.startswith("degrad"):
        draft.metric = "performance"
    return described


def _until_head(reading: Reading, phrase: Phrase) -> Phrase:
    """A phrase without the noun of change behind its metric."""
    for i in range(phrase.first, phrase.last):
        if reading.is_metric(i) and reading.low(i + 1) in CHANGE_NOUNS:
            return Phrase(phrase.first, i)
    return phrase


def said_after(reading: Reading, draft: Draft) -> Phrase | None:
    """`pass@1` of "by 5% on RiverQA and 4% on SeaQA in terms of pass@1"."""
    for k in range(draft.place + 1, min(len(reading.tokens) - 3, draft.place + _REACH)):
        if reading.low(k) in (";", ":", "(") or reading.cls(k) == "V":
            return None
        if reading.low(k) == "terms" and reading.low(k + 1) == "of":
            phrase = reading.phrase_from(k + 2)
            return phrase if phrase and reading.is_metric(phrase.last) else None
    return None


def points_of(reading: Reading, draft: Draft) -> Phrase | None:
    """`recall` of "0.6 points of recall"."""
    of = draft.place + 1
    phrase = reading.phrase_from(of + 1) if reading.low(of) == "of" else None
    return phrase if phrase is not None and reading.is_metric(phrase.last) else None


def changed_by_verb(reading: Reading, draft: Draft, lead: int, clauses: Clauses) -> Phrase | None:
    """What stands between the verb of change and the number; its subject where that is nothing.

    "improves the test accuracy of X by 3%" and "accuracy drops by 3%".
    """
    verb = None
    for i in range(lead, max(-1, lead - 24), -1):
        low = reading.low(i)
        as_noun = low in CHANGE_NOUNS and reading.low(i + 1) in ("of", "in")
        changes = low in CHANGE_VERBS or (low in NEUTRAL_VERBS and reading.cls(i) == "V")
        if changes and not as_noun and reading.cls(i + 1) != "X":
            verb = i
            break
        if low in (";", ":"):
            return None
    if verb is None:
        return None
    first = verb + 1
    first += reading.low(first) == "up"  # "speeds up"
    while reading.cls(first) in "DR" and reading.low(first):
        first += 1
    if reading.cls(first) == "N":
        phrase = reading.phrase_from(first)
        if phrase is not None and phrase.last < draft.place:
            last = phrase.last
            if reading.low(last) == "state" and reading.low(last + 1) == "of":
                return None  # "improving the state of the art by"
            if reading.low(last) in OF_KEPT:
                while reading.low(last + 1) == "of" and (more := reading.phrase_from(last + 2)):
                    if more.last >= draft.place:
                        break
                    last = more.last
            elif not reading.is_metric(last) and (named := _in_terms_of(reading, last, lead)):
                return named
            elif reading.low(last) in MODEL_LIKE | METHODS:
                return None  # "improves the base model by"
            elif not reading.is_metric(last) and reading.named_with_digit(phrase):
                draft.whose = reading.words(phrase)  # "compresses VGG-16 by"
                return None
            return Phrase(phrase.first, last)
    subject = clauses.subject(clauses.of[verb])
    if subject is not None and reading.is_metric(subject.last):
        return subject
    i = verb - 1  # intransitive or passive: the subject
    while i >= 0 and (reading.cls(i) in "VR" or reading.low(i) in ("to", "which", "that")):
        i -= 1
    phrase = reading.phrase_ending(i) if i >= 0 and reading.cls(i) == "N" else None
    if phrase is None or reading.low(phrase.last) in MODEL_LIKE | METHODS:
        return None
    if reading.is_metric(phrase.last):
        return phrase
    if subject is not None and subject.last < phrase.last and _drops(reading, verb):
        phrase = subject  # "Comfort on RiverQA drops by"
    word = reading.words(Phrase(phrase.last, phrase.last))
    if phrase.last == 0 and _drops(reading, verb) and word[1:].islower():
        return phrase
    name = word[0].isupper() and (not word.isupper() or not word.isalpha())
    return None if name else phrase


def _drops(reading: Reading, verb: int) -> bool:
    """Whether a verb of change has no object: "drops by", "falls to"."""
    return reading.low(verb + 1) in ("by", "from", "to", "only", "about")


def _in_terms_of(reading: Reading, last: int, lead: int) -> Phrase | None:
    """`CIDEr` of "improves the best result in terms of CIDEr from"."""
    for k in range(last + 1, lead):
        if reading.low(k) == "in":
            first = k + 1 + 2 * (reading.low(k + 1) == "terms")
            phrase = reading.phrase_from(first)
            if phrase is not None and reading.is_metric(phrase.last):
                return phrase
    return None
