"""What a number is of: "accuracy", "inference speedup", "regret".

In: a `Reading` and a draft with its kind. Out: the metric as written, or None.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import (
    BEATING,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    METRIC_HEADS,
    MODEL_LIKE,
    NEUTRAL_VERBS,
    OWN_METRIC,
    WHOLE,
)
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.units import TIME_UNITS

_FASTER: Final = frozenset("faster slower quicker fast quickly".split())
_SCALE_AS: Final = frozenset("scale scales scaling grows grow".split())
_BOUNDING: Final = frozenset("bound bounds bounded bounding".split())
# In "improving on the previous O(n^2)" the metric was said before.
_UNNAMED: Final = frozenset("previous prior existing known best optimal earlier baseline".split())
_COPULAS: Final = frozenset("is was are were stays remains".split())
_REACHING: Final = frozenset(
    "is was are were reaches reached stays remains exceeds exceeding equals hits".split()
)
# "the number of evaluations" is one metric, of "the accuracy of Llama" only the accuracy.
_OF_KEPT: Final = frozenset(
    "number amount probability volume fraction proportion degree deviation percentage".split()
)


def metric(reading: Reading, draft: Draft, context: Context, clauses: Clauses) -> str | None:
    """The metric of a draft that is no amount; sets `own_metric` and the qualifier "average".

    Of "PlantQA accuracy" the data set is set as the subject.
    """
    found = _phrase(reading, draft, context, clauses)
    if draft.qualifier is None and draft.noun is not None:
        span = range(draft.noun.first, draft.noun.last + 1)
        if any(reading.low(i) in ("average", "averaged") for i in span):
            draft.qualifier = "average"
    if found is None:
        draft.own_metric = draft.metric is not None
        return draft.metric
    phrase = _described(reading, found)
    if phrase is None or _acts(reading, phrase):
        return None
    if draft.kind == "change" and _is_name(reading, phrase, context):
        draft.whose = reading.words(phrase)  # "RiverQA drops by 2 points"
        return None
    near = all(reading.cls(i) != "#" for i in range(found.last + 1, draft.place))
    described = {reading.low(i) for i in range(max(0, found.first - 1), found.last + 1)}
    if draft.qualifier is None and near and described & {"average", "averaged"}:
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
    if any(reading.low(k) in _OF_KEPT for k in range(phrase.first, phrase.last)):
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
    "previous prior existing current challenging best stable original overall-best".split()
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
    if draft.kind == "change" and (said := _said_after(reading, draft)):
        return said
    if draft.kind in ("change", "ratio"):
        if draft.unit == "points" and (scored := _points_of(reading, draft)):
            return scored
        return _of_change(reading, draft, clauses)
    if draft.kind == "from_to":
        if said := _said_after(reading, draft):
            return said
        lead = draft.lead
        if reading.cls(lead) == "N" and reading.is_metric(lead):
            return reading.phrase_ending(lead)
        found = changed_by_verb(reading, draft, lead, clauses)
        if found is None:
            found = _last_metric(reading, lead - (reading.low(lead) in ("(", ":", "of", "=", "by")))
        return found
    return _of_level(reading, draft, context, clauses)


_REACH: Final = 14


def _said_after(reading: Reading, draft: Draft) -> Phrase | None:
    """`pass@1` of "by 5% on RiverQA and 4% on SeaQA in terms of pass@1"."""
    for k in range(draft.place + 1, min(len(reading.tokens) - 3, draft.place + _REACH)):
        if reading.low(k) in (";", ":", "(") or reading.cls(k) == "V":
            return None
        if reading.low(k) == "terms" and reading.low(k + 1) == "of":
            phrase = reading.phrase_from(k + 2)
            return phrase if phrase and reading.is_metric(phrase.last) else None
    return None


def _points_of(reading: Reading, draft: Draft) -> Phrase | None:
    """`exact match` of "0.4 points of exact match"."""
    of = draft.place + 1
    phrase = reading.phrase_from(of + 1) if reading.low(of) == "of" else None
    return phrase if phrase is not None and reading.is_metric(phrase.last) else None


def _of_bound(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    found = _bounded(reading, draft, clauses)
    if found is None:
        return None
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
        return whole or _last_noun(reading, lead - 2)
    if low == "by":
        for verb in range(lead - 1, max(-1, lead - 16), -1):
            if reading.low(verb) not in _BOUNDING:
                continue
            first = verb + 1
            while reading.cls(first) == "D":
                first += 1
            if first < lead:
                return Phrase(first, lead - 1)
            return _last_noun(reading, verb - 1)
    if low in _COPULAS:
        subject = clauses.subject(clauses.of[lead])
        if subject is not None and reading.is_metric(subject.last):
            return subject
    if low in ("from", "to", "by"):
        return changed_by_verb(reading, draft, lead, clauses) or _last_noun(reading, lead - 1)
    return _last_noun(reading, lead)


def _last_noun(reading: Reading, i: int) -> Phrase | None:
    """The nearest noun phrase that ends at token `i` or a little before it."""
    for k in range(i, max(-1, i - 8), -1):
        if reading.cls(k) == "N" and (phrase := reading.phrase_ending(k)):
            return phrase
    return None


def _of_change(reading: Reading, draft: Draft, clauses: Clauses) -> Phrase | None:
    after = draft.place + 1
    word = reading.low(after)
    if draft.comes_after and draft.driver is not None:
        return _beside_noun(reading, draft, draft.driver)
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
        if process is not None and reading.low(process.last) in _PROCESSES:
            return process
        if word in _FASTER and reading.low(after + 1) == "to" and reading.low(after + 2):
            return Phrase(after + 2, after + 2)  # "5 times faster to train"
        if word in _FASTER or word == "cheaper":
            draft.metric = "cost" if word == "cheaper" else "speed"
            return None
        if reading.low(draft.lead) in ("is", "are", "was", "were") and draft.lead:
            before = _last_noun(reading, draft.lead - 1)
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


_GIVING: Final = frozenset("gives give yields yield offers offer provides brings shows".split())
_SIZES: Final = frozenset("larger bigger smaller deeper wider longer shorter".split())
_METHODS: Final = frozenset("method methods baseline baselines approach approaches".split())
_ACTORS: Final = _METHODS | frozenset(
    "model models system systems framework algorithm agent agents policy student teacher network "
    "networks architecture".split()
)
_DURING: Final = frozenset("in on at during for".split())
_PROCESSES: Final = frozenset(
    "training inference decoding generation sampling prefill prefilling pretraining "
    "pre-training convergence rendering indexing".split()
)


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
            return reading.phrase_from(draft.place + 2)  # "adds 2% to the training time"
        if measured is not None and (low in BEATING or reading.low(lead) == "of"):
            return _until_head(reading, measured)  # "by 2.4 BLEU", "a margin of 3 AP"
        by_verb = low in CHANGE_VERBS and reading.low(draft.lead) == "by"
        if low in CHANGE_NOUNS and not by_verb:
            found = _beside_noun(reading, draft, driver)
            if found is None and measured is not None:
                found = measured
            if found is None:
                found = _last_metric(reading, driver)
                verb = clauses.at(driver).verb
                if found is not None and found.last < verb and reading.low(verb) in _GIVING:
                    return None  # "pairwise alignment gives an improvement of"
            return found
        if low in BEATING:
            return None
        if driver == draft.lead and reading.low(draft.place + 1) == "of":
            return reading.phrase_from(draft.place + 2)
        if driver == draft.lead and draft.noun is not None:
            return draft.noun
        found = changed_by_verb(reading, draft, draft.lead, clauses)
        if found is not None:
            return found
    if draft.noun is not None and draft.kind == "change" and reading.cls(after) == "N":
        return _until_head(reading, draft.noun)
    return _last_metric(reading, draft.lead)


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
            if reading.low(last) in _OF_KEPT:
                while reading.low(last + 1) == "of" and (more := reading.phrase_from(last + 2)):
                    if more.last >= draft.place:
                        break
                    last = more.last
            elif not reading.is_metric(last) and (named := _in_terms_of(reading, last, lead)):
                return named
            elif reading.low(last) in MODEL_LIKE | _METHODS:
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
    if phrase is None or reading.low(phrase.last) in MODEL_LIKE | _METHODS:
        return None
    if reading.is_metric(phrase.last):
        return phrase
    if subject is not None and subject.last < phrase.last and _drops(reading, verb):
        phrase = subject  # "Utility on RiverQA drops by"
    word = reading.words(Phrase(phrase.last, phrase.last))
    if phrase.last == 0 and _drops(reading, verb) and word.endswith(_ABSTRACT):
        return phrase
    name = word[0].isupper() and (not word.isupper() or not word.isalpha())
    return None if name else phrase


def _drops(reading: Reading, verb: int) -> bool:
    """Whether a verb of change has no object: "drops by", "falls to"."""
    return reading.low(verb + 1) in ("by", "from", "to", "only", "about")


_ABSTRACT: Final = tuple("ty ness ion cy ment ance ence ing age ure sis th".split())


def _in_terms_of(reading: Reading, last: int, lead: int) -> Phrase | None:
    """`CIDEr` of "improves the best result in terms of CIDEr from"."""
    for k in range(last + 1, lead):
        if reading.low(k) == "in":
            first = k + 1 + 2 * (reading.low(k + 1) == "terms")
            phrase = reading.phrase_from(first)
            if phrase is not None and reading.is_metric(phrase.last):
                return phrase
    return None


def _last_metric(reading: Reading, i: int) -> Phrase | None:
    """The nearest phrase to the left that ends in a word that things are measured by."""
    for k in range(i, -1, -1):
        if reading.low(k) == "time" and reading.low(k - 1) == "real":
            continue
        if reading.cls(k) == "N" and reading.is_metric(k) and (phrase := reading.phrase_ending(k)):
            if _is_rival(reading, phrase) or _is_setting(reading, phrase):
                continue
            return phrase
    return None


def _is_setting(reading: Reading, phrase: Phrase) -> bool:
    """Whether a phrase only tells how it was measured: "at equal memory"."""
    return reading.low(phrase.first - 1) == "at" and reading.low(phrase.last + 1) != "of"


_COMPARING: Final = frozenset("over than upon against versus vs".split()) | BEATING


def _is_rival(reading: Reading, phrase: Phrase) -> bool:
    """Whether a phrase is what something is held against: "improves over self-consistency"."""
    low = reading.low(phrase.last)
    k = phrase.first - 1
    k -= reading.cls(k) == "D"
    return "-" in low and low not in METRIC_HEADS and reading.low(k) in _COMPARING


def _next_metric(reading: Reading, i: int) -> Phrase | None:
    """The nearest such phrase to the right, within the clause."""
    depth = 0
    for k in range(i, min(len(reading.tokens), i + 14)):
        low = reading.low(k)
        depth += (low == "(") - (low == ")")
        if low in (";", ".") or depth < 0 or (low == "," and not depth):
            return None
        if reading.cls(k) == "#" and not depth and reading.low(k - 1) not in ("and", ",", "/"):
            return None
        if reading.cls(k) == "N" and reading.is_metric(k):
            last = k
            while reading.cls(last + 1) == "N" and reading.is_metric(last + 1):
                last += 1
            return reading.phrase_ending(last)
    return None


def _of_level(reading: Reading, draft: Draft, context: Context, clauses: Clauses) -> Phrase | None:
    lead = draft.lead
    low = reading.low(lead)
    if draft.unit == "%" and reading.low(draft.place + 1) == "of":
        if low == "to" and (changed := changed_by_verb(reading, draft, lead - 1, clauses)):
            return changed  # "cuts the cost to 61% of the baseline's"
        first = draft.place + 2
        while reading.cls(first) == "D":
            first += 1
        first += reading.cls(first) == "#"  # "of 1,320 targets"
        phrase = reading.phrase_from(first)
        if phrase is not None and (owner := reading.possessive(phrase)) is not None:
            return Phrase(owner + 1, phrase.last)
        if phrase is not None and reading.low(phrase.first) in WHOLE and phrase.last > phrase.first:
            return Phrase(phrase.first + 1, phrase.last)  # "98% of the original decoding speed"
        if phrase is not None and low in ("in", "on") and reading.words(phrase) in _OFTEN:
            return None
        if phrase is not None and phrase.last > phrase.first:
            cut = reading.low(phrase.last).endswith("ed") and reading.cls(phrase.last + 1) == "P"
            phrase = Phrase(phrase.first, phrase.last - cut)  # "the examples crafted with"
        if phrase is not None:
            draft.metric = reading.words(phrase)
            return None if reading.low(first) == "best" else phrase
    noun = draft.noun
    beside = noun is not None and reading.is_metric(noun.last) and not reading.is_metric(lead - 1)
    if low in ("of", "=", "as", ">", "<", "≥", "≤") and reading.cls(lead - 1) == "N" and not beside:
        phrase = reading.phrase_ending(lead - 1)
        symbol = phrase is not None and low == "=" and reading.words(phrase) in _SYMBOLS
        if symbol and (said := _last_metric(reading, lead - 2)):
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
        phrase = _last_metric(reading, k)
        if phrase is None and reading.cls(k) == "N" and low in _COPULAS:
            phrase = reading.phrase_ending(k)
        if phrase is not None:
            return phrase
    if draft.unit in TIME_UNITS:
        phrase = _last_metric(reading, lead)
        return phrase if phrase and reading.low(phrase.last) in _TIME_METRICS else None
    if draft.unit not in ("", "%", "points"):
        return None
    return _last_metric(reading, lead) or _next_metric(reading, draft.place + 1)


# "in 71% of the cases" only says how often.
_SYMBOLS: Final = frozenset("τ ρ κ".split())
_OFTEN: Final = frozenset("cases runs queries instances".split())
_TIME_METRICS: Final = frozenset(
    "time times latency runtime cost costs delay duration length speed overhead age".split()
)


def _is_time(unit: str) -> bool:
    return unit in TIME_UNITS or unit.endswith(("hours", "days"))


def _timed(reading: Reading, lead: int) -> Phrase | None:
    """`full training` of "finishes full training in", `training` of "training takes"."""
    for verb in range(lead, max(-1, lead - 12), -1):
        low = reading.low(verb)
        if low in ("requires", "needs", "costs") and verb == lead:
            done = reading.low(verb - 1)
            process = done in _PROCESSES or done.endswith("ing")
            return reading.phrase_ending(verb - 1) if process else None
        if low in ("finishes", "finish", "completes", "complete", "completing", "finishing"):
            return reading.phrase_from(verb + 1)
        if low in ("takes", "take", "took", "taking") and reading.cls(verb - 1) == "N":
            done = reading.low(verb - 1)
            process = done in _PROCESSES or done.endswith("ing") or reading.is_metric(verb - 1)
            return reading.phrase_ending(verb - 1) if process else None
    return None
