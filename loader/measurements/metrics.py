"""What a number is of: "accuracy", "inference speedup", "regret".

In: a `Reading` and a draft with its kind. Out: the metric as written, or None. What changes by so
much is read in `changes`.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.changes import (
    OF_KEPT,
    changed_by_verb,
    of_change,
    points_of,
    said_after,
)
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import CHANGE_NOUNS, CHANGE_VERBS, WHOLE
from loader.measurements.nouns import METHODS, PROCESSES, last_metric, last_noun, next_metric
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.units import TIME_UNITS

_SCALE_AS: Final = frozenset("scale scales scaling grows grow".split())
_BOUNDING: Final = frozenset("bound bounds bounded bounding".split())
# In "improving on the previous O(n^2)" the metric was said before.
_UNNAMED: Final = frozenset("previous prior existing known best optimal earlier baseline".split())
_COPULAS: Final = frozenset("is was are were stays remains".split())
_REACHING: Final = frozenset(
    "is was are were reaches reached stays remains exceeds exceeding equals hits".split()
)


def _averaged(reading: Reading, i: int) -> bool:
    """Whether a word says that a value is an average, unlike in "average precision"."""
    if reading.low(i) == "average":
        return reading.low(i + 1) not in ("precision", "recall", "treatment")
    return reading.low(i) == "averaged"


def metric(reading: Reading, draft: Draft, context: Context, clauses: Clauses) -> str | None:
    """The metric of a draft that is no amount; sets `own_metric` and the qualifier "average".

    Of "PlantQA accuracy" the data set is set as the subject.
    """
    found = _phrase(reading, draft, context, clauses)
    if draft.qualifier is None and draft.noun is not None:
        span = range(draft.noun.first, draft.noun.last + 1)
        if any(_averaged(reading, i) for i in span):
            draft.qualifier = "average"
    driver = draft.driver if draft.driver is not None and not draft.comes_after else 0
    if draft.qualifier is None and reading.low(driver) in CHANGE_NOUNS:
        before = {reading.low(k) for k in range(max(0, driver - 4), driver)}
        if reading.cls(driver) == "N" and "average" in before:
            draft.qualifier = "average"  # "an average improvement of"
    if found is None:
        draft.own_metric = draft.metric is not None
        return draft.metric
    phrase = _described(reading, found)
    if phrase is None or _acts(reading, phrase):
        return None
    if reading.low(found.first) == "baseline" and phrase.last > found.first:
        draft.whose = "baseline"  # "the baseline error is 3%"
        phrase = Phrase(max(phrase.first, found.first + 1), phrase.last)
    if draft.kind == "change" and _is_name(reading, phrase, context):
        draft.whose = reading.words(phrase)  # "RiverQA drops by 2 points"
        return None
    near = all(reading.cls(i) != "#" for i in range(found.last + 1, draft.place))
    described = range(max(0, found.first - 1), found.last + 1)
    if draft.qualifier is None and near and any(_averaged(reading, i) for i in described):
        draft.qualifier = "average"
    parent = draft.follows
    draft.own_metric = parent is None or phrase.first > parent.place
    draft.metric_after = phrase.first > draft.place
    phrase = _per(reading, draft, phrase)
    if (name := context.name_of(reading, phrase.first)) is not None and not context.owns(name):
        behind = reading.at(reading.tokens[phrase.first].start + len(name))
        share = draft.unit == "%" and reading.low(draft.place + 1) == "of"
        scored = behind == phrase.last and reading.low(behind) in ("score", "scores")
        within = phrase.first < behind <= phrase.last and name[0].isupper()
        if within and (share or reading.is_metric(phrase.last)) and not scored:
            draft.within = name
    elif reading.low(phrase.last + 1) == "of":  # "the size of a BERT model"
        of = phrase.last + 2
        of += reading.cls(of) == "D"
        whose = context.name_of(reading, of)
        draft.whose = whose if whose is not None and not context.owns(whose) else None
    return reading.words(phrase)


def _acts(reading: Reading, phrase: Phrase) -> bool:
    """Whether a phrase is who gains, nothing that is measured: "our method gains 2 points"."""
    low = reading.low(phrase.last)
    if any(reading.low(k) in OF_KEPT for k in range(phrase.first, phrase.last)):
        return False
    return low in _ACTORS or (low == "costs" and reading.cls(phrase.last + 1) in "#R")


def _is_name(reading: Reading, phrase: Phrase, context: Context) -> bool:
    """Whether a phrase is a known name and nothing else."""
    name = context.name_of(reading, phrase.first)
    if name is None or reading.is_metric(phrase.last):
        return False
    return reading.tokens[phrase.first].start + len(name) == reading.tokens[phrase.last].end


# A "record of 83%" or "results of 2.5" is one of a metric that is named elsewhere.
_RESULTS: Final = frozenset("record records result results best sota state-of-the-art".split())
_WHICH: Final = frozenset(
    "previous prior earlier existing current challenging best stable original overall-best".split()
)


def _described(reading: Reading, found: Phrase) -> Phrase | None:
    """A metric without the words that only say which one; None for "previous record"."""
    phrase = reading.trimmed(found)
    if phrase is None or reading.low(phrase.last) in _RESULTS:
        return None
    first = phrase.first
    if (owner := reading.possessive(phrase)) is not None:
        first = owner + 1  # "PineLM's accuracy"
    if reading.low(first) in ("test", "validation") and reading.low(first + 1) in ("set", "split"):
        first = min(first + 2, phrase.last)  # "test set accuracy"
    while first < phrase.last and reading.low(first) in _WHICH | _RESULTS:
        first += 1
    return Phrase(first, phrase.last)


def _per(reading: Reading, draft: Draft, phrase: Phrase) -> Phrase:
    """`time per round` where the number does not stand between."""
    if reading.low(phrase.last + 1) != "per":
        return phrase
    each = reading.phrase_from(phrase.last + 2)
    if each is None or phrase.last < draft.place <= each.last:
        return phrase
    return Phrase(phrase.first, each.last)


def _phrase(reading: Reading, draft: Draft, context: Context, clauses: Clauses) -> Phrase | None:
    if draft.kind == "bound":
        return _of_bound(reading, draft, clauses)
    if draft.kind == "change" and (said := said_after(reading, draft)):
        return said
    if draft.kind in ("change", "ratio"):
        if draft.unit == "points" and (scored := points_of(reading, draft)):
            return scored
        return of_change(reading, draft, clauses)
    if draft.kind == "from_to":
        if said := said_after(reading, draft):
            return said
        lead = draft.lead
        if reading.cls(lead) == "N" and reading.is_metric(lead):
            return reading.phrase_ending(lead)
        found = changed_by_verb(reading, draft, lead, clauses)
        if found is None:
            found = last_metric(reading, lead - (reading.low(lead) in ("(", ":", "of", "=", "by")))
        return found
    return _of_level(reading, draft, context, clauses)


def _of_bound(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    found = _bounded(reading, draft, clauses)
    if found is None:
        return None
    one = found.first == found.last and not reading.is_metric(found.last)
    if one and reading.capital(found.last) and found.last and reading.has_capital(found.last):
        return None  # "whereas LinOak suffers O(d)"
    words = {reading.low(i) for i in range(found.first, found.last + 1)}
    return None if words <= _UNNAMED | _BOUNDING | {"result", "rate"} and len(words) > 1 else found


def _bounded(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    lead = draft.lead
    low = reading.low(lead)
    if low in ("from", "to") and (changed := changed_by_verb(reading, draft, lead, clauses)):
        return changed
    if draft.noun is not None and reading.cls(draft.place + 1) == "N":
        return draft.noun
    improved = low in ("on", "upon", "over") and reading.low(lead - 1) in CHANGE_VERBS
    if improved or low in _UNNAMED:
        return None
    if low == "as" and reading.low(lead - 1) in _SCALE_AS:
        if reading.cls(lead - 2) == "N":
            return reading.phrase_ending(lead - 2)
        whole = clauses.subject(clauses.chain(lead)[-1])
        return whole or last_noun(reading, lead - 2)
    if low == "by":
        for verb in range(lead - 1, max(-1, lead - 16), -1):
            if reading.low(verb) not in _BOUNDING:
                continue
            first = verb + 1
            while reading.cls(first) == "D":
                first += 1
            if first < lead:
                return Phrase(first, lead - 1)
            return last_noun(reading, verb - 1)
    if low in _COPULAS:
        subject = clauses.subject(clauses.of[lead])
        if subject is not None and reading.is_metric(subject.last):
            return subject
    if low in ("from", "to", "by"):
        return changed_by_verb(reading, draft, lead, clauses) or last_noun(reading, lead - 1)
    return last_noun(reading, lead)


_ACTORS: Final = METHODS | frozenset(
    "model models system systems framework algorithm agent agents policy student teacher network "
    "networks architecture".split()
)


def _of_share(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    """`sharpness` of "96% of the original sharpness"; sets the metric as written."""
    low = reading.low(draft.lead)
    if low == "to" and (changed := changed_by_verb(reading, draft, draft.lead - 1, clauses)):
        return changed  # "cuts the cost to 61% of the baseline's"
    first = draft.place + 2
    while reading.cls(first) == "D":
        first += 1
    first += reading.cls(first) == "#"  # "of 1,320 targets"
    phrase = reading.phrase_from(first)
    if phrase is None:
        return None
    if reading.low(phrase.first) in ("them", "these", "those", "it", "which"):
        return None
    if (owner := reading.possessive(phrase)) is not None:
        return Phrase(owner + 1, phrase.last)
    if reading.low(phrase.first) in WHOLE and phrase.last > phrase.first:
        return Phrase(phrase.first + 1, phrase.last)
    if phrase.last > phrase.first:
        cut = reading.low(phrase.last).endswith("ed") and reading.cls(phrase.last + 1) == "P"
        phrase = Phrase(phrase.first, phrase.last - cut)  # "the maps drawn with"
    draft.metric = reading.words(phrase)
    return None if reading.low(first) == "best" else phrase


def _of_level(reading: Reading, draft: Draft, context: Context, clauses: Clauses) -> Phrase | None:
    lead = draft.lead
    low = reading.low(lead)
    if draft.unit == "%" and reading.low(draft.place + 1) == "of":
        share = reading.phrase_from(draft.place + 2)
        often = share is not None and reading.low(share.last) in ("time", "comparisons")
        if share is not None and low in ("in", "on"):
            often = often or reading.words(share) in _OFTEN
        if often:
            return None
        found = _of_share(reading, draft, clauses)
        if found is not None or draft.metric is not None:
            return found
    noun = draft.noun
    beside = noun is not None and reading.is_metric(noun.last) and not reading.is_metric(lead - 1)
    if low in ("of", "=", "as", ">", "<", "≥", "≤") and reading.cls(lead - 1) == "N" and not beside:
        phrase = reading.phrase_ending(lead - 1)
        symbol = phrase is not None and low == "=" and reading.words(phrase) in _SYMBOLS
        if symbol and (said := last_metric(reading, lead - 2)):
            return said  # "the best correlation (τ = .41)"
        if phrase is not None:
            return phrase
    if noun is not None:
        heads = [i for i in range(noun.first, noun.last + 1) if reading.is_metric(i)]
        if heads:
            return Phrase(noun.first, heads[-1])
        short = draft.unit == "" and draft.quantity.decimal and noun.last - noun.first < 3
        if short and reading.has_capital(noun.last):
            return noun  # "57.9 AP50"
    if reading.cls(lead) == "V":
        pass
    elif low == "scores" or (low == "score" and reading.low(lead - 1).endswith("s")):
        return Phrase(lead, lead)
    if reading.cls(lead) == "N" and (reading.is_metric(lead) or draft.quantity.decimal):
        phrase = reading.phrase_ending(lead)
        plain = phrase is not None and not context.name_of(reading, phrase.first)
        people = draft.unit == "%" and low.endswith("s") and not reading.is_metric(lead)
        if plain and not people:
            return phrase
    if low in ("(", ":") and reading.is_metric(lead - 1):
        return reading.phrase_ending(lead - 1)
    if draft.unit.lower() == "fps" and low == "at":
        return _running(reading, lead - 1)
    if _is_time(draft.unit) and (timed := _timed(reading, lead)):
        return timed
    if low in ("to", "at") and not (_is_time(draft.unit) or draft.unit.lower() == "fps"):
        phrase = changed_by_verb(reading, draft, lead - 1, clauses)
        if phrase is not None:
            return phrase
    if low in _REACHING:
        k = lead - 1
        while k >= 0 and reading.cls(k) == "P" and reading.low(k) not in ("of", "in"):
            k -= 1
        phrase = last_metric(reading, k)
        if phrase is None and reading.cls(k) == "N" and low in _COPULAS:
            phrase = reading.phrase_ending(k)
        if phrase is not None:
            return phrase
    if draft.unit in TIME_UNITS:
        phrase = last_metric(reading, lead)
        return phrase if phrase and reading.low(phrase.last) in _TIME_METRICS else None
    if draft.unit not in ("", "%", "points"):
        return None
    return last_metric(reading, lead) or next_metric(reading, draft.place + 1)


_SYMBOLS: Final = frozenset("τ ρ κ".split())
# "in 71% of the cases" only says how often.
_OFTEN: Final = frozenset("cases runs queries instances".split())
_TIME_METRICS: Final = frozenset(
    "time times latency runtime cost costs delay duration length speed overhead age".split()
)


def _running(reading: Reading, last: int) -> Phrase | None:
    """`Rendering` of "rendering runs at (30 fps)"."""
    last -= reading.cls(last) == "V" or reading.low(last) in ("runs", "run", "running")
    process = reading.low(last) in PROCESSES or reading.low(last).endswith("ing")
    return reading.phrase_ending(last) if process and reading.cls(last) == "N" else None


def _is_time(unit: str) -> bool:
    return unit in TIME_UNITS or unit.endswith(("hours", "days"))


def _timed(reading: Reading, lead: int) -> Phrase | None:
    """`full training` of "finishes full training in", `training` of "training takes"."""
    for verb in range(lead, max(-1, lead - 12), -1):
        low = reading.low(verb)
        if low in ("requires", "needs", "costs") and verb == lead:
            done = reading.low(verb - 1)
            process = done in PROCESSES or done.endswith("ing")
            return reading.phrase_ending(verb - 1) if process else None
        if low in ("finishes", "finish", "completes", "complete", "completing", "finishing"):
            return reading.phrase_from(verb + 1)
        if low in ("takes", "take", "took", "taking") and reading.cls(verb - 1) == "N":
            done = reading.low(verb - 1)
            process = done in PROCESSES or done.endswith("ing") or reading.is_metric(verb - 1)
            return reading.phrase_ending(verb - 1) if process else None
    return None
