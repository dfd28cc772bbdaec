"""Whose an amount is: the data set with so many images, the model with so many parameters.

In: a `Reading`, a draft that is an amount, and the names of the abstract. Out: its subject, or
None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loader.measurements import rivals
from loader.measurements.amounts import plural
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import COLLECTIONS, CONTAINERS, MODEL_LIKE
from loader.measurements.phrases import Phrase, Reading

_USES: Final = frozenset("uses using requires needs".split())
_MAKES: Final = frozenset(
    "introduce introducing present presenting propose release releasing compile construct "
    "create build yields develop curate contribute".split()
)
_EVALUATES: Final = frozenset("evaluate evaluated evaluating compare compared experiments".split())
_SAYS_WHICH: Final = frozenset("our this the final resulting challenging new".split())
_TESTED: Final = frozenset(
    "task tasks environment environments model models baselines games variants datasets "
    "benchmarks methods".split()
)


def owner(
    reading: Reading,
    draft: Draft,
    earlier: Sequence[Draft],
    context: Context,
    clauses: Clauses | None,
) -> str | None:
    """The data set, benchmark or model that an amount is of, where it is that of something."""
    place = draft.place
    after = place + 1
    if draft.unit == "parameters" and draft.quantity.scale:
        return _model(reading, draft, context) or _trained_one(reading, draft, context, clauses)
    if draft.unit == "bit" or draft.quantity.noun:
        phrase = reading.phrase_from(after + bool(draft.quantity.noun))
        if phrase is None:
            return None
        if draft.quantity.noun:
            if context.name_of(reading, phrase.first) or (
                reading.capital(phrase.first) and reading.low(phrase.last) in MODEL_LIKE
            ):
                return context.short(reading, phrase)
            return _described(reading, draft, context)
        return reading.words(phrase) if reading.capital(phrase.first) else None
    if draft.unit == "%":
        shared = _share(reading, after, context)
        if shared is None and clauses is not None and reading.cls(draft.lead) == "V":
            return rivals.speaker(reading, context, clauses, place)
        return shared
    if with_it := rivals.bearer(reading, draft, context):
        return with_it
    noun = draft.noun
    if noun is not None:
        if reading.text.startswith(" (", reading.tokens[noun.last].end):
            begin = reading.tokens[noun.last].end + 2
            name = context.name_at(begin)
            if name and reading.text.startswith(")", begin + len(name)):
                return name
        if reading.low(noun.last + 1) in ("in", "of", "from"):
            first = noun.last + 2
            first += reading.cls(first) == "D"
            name = context.name_of(reading, first)
            if name and (reading.low(noun.last) in _PARTS_OF or not context.owns(name)):
                named = reading.chain(first, of=False) if reading.cls(first) == "N" else None
                return context.short(reading, named) if named is not None else name
        if reading.low(noun.last) not in _TESTED:
            for i in range(noun.first, noun.last):
                if plural(reading.low(i)) and not reading.has_capital(i):
                    break  # "9k logs OakDB reads"
                if (name := context.name_of(reading, i)) and name != context.own:
                    return name
    if reading.low(draft.lead) == "(" and reading.cls(draft.lead - 1) == "N":
        for k in range(max(0, draft.lead - 4), draft.lead):
            name = context.name_of(reading, k)
            if name and reading.tokens[k].start + len(name) == reading.tokens[draft.lead - 1].end:
                return name  # "RiverQA (3M pairs)"
    if reading.cls(place - 1) == "N":
        for k in range(max(0, place - 4), place):
            name = context.name_of(reading, k)
            if name and reading.tokens[k].start + len(name) == reading.tokens[place - 1].end:
                return name
    trained = reading.low(draft.lead - 1).endswith(("trained", "tuned"))
    if reading.low(draft.lead) == "on" and trained and not reading.capital(draft.lead - 1):
        return _trained(reading, draft, earlier, context, clauses)
    if reading.low(place + 1) == "of" and (name := context.name_of(reading, place + 2)):
        return name
    held = _holder(reading, draft, context)
    if held == context.own and held is not None and held != context.own_collection:
        return held if _carries(reading, draft, held, context) else None
    if held is None and (own := context.own_collection) and _of_collection(reading, draft):
        return own if context.collected_at < reading.end else None
    return held


def _trained(
    reading: Reading,
    draft: Draft,
    earlier: Sequence[Draft],
    context: Context,
    clauses: Clauses | None,
) -> str | None:
    """`PlantDB` of "trained on 2M images from PlantDB", else what is trained on so many."""
    noun = draft.noun
    if noun is not None and reading.low(noun.last + 1) in ("from", "of", "in"):
        first = noun.last + 2
        first += reading.cls(first) == "D"
        if context.name_of(reading, first) and (named := reading.phrase_from(first)):
            return context.short(reading, named)
    phrase = clauses.subject(clauses.of[draft.place]) if clauses is not None else None
    if phrase is not None and (name := context.name_of(reading, phrase.first)):
        return name
    if whose := _trained_one(reading, draft, context, clauses):
        return whose
    return earlier[-1].subject if earlier else None


def _trained_one(
    reading: Reading, draft: Draft, context: Context, clauses: Clauses | None
) -> str | None:
    """`Alpha` of "Trained on 2M pairs, Alpha ..." and of "Alpha, which was trained on 2M"."""
    if clauses is None:
        return None
    clause = clauses.at(draft.place)
    if reading.low(clause.start) == "which":
        last = clause.start - 1 - (reading.low(clause.start - 1) == ",")
        named = reading.phrase_ending(last) if reading.cls(last) == "N" else None
    else:
        number = clauses.of[draft.place]
        following = number + 1 < len(clauses.all) and clauses.all[number + 1].kind == "own"
        fronted = draft.lead < 8 and clauses.subject(number) is None and following
        named = clauses.subject(number + 1) if fronted else None
    if named is None or not (
        context.name_of(reading, named.first)
        or (reading.capital(named.first) and reading.named_with_digit(named))
    ):
        return None
    return reading.words(named)


_PARTS_OF: Final = frozenset(
    "diseases classes categories images questions languages problems examples labels samples "
    "instances pairs videos documents sentences topics domains".split()
)
_SIZES: Final = frozenset("layers parameters bits experts heads channels blocks stages".split())
# What is counted in an evaluation is no part of the data set that is introduced.
_TOOLS: Final = frozenset(
    "models model baselines baseline methods method llms vlms lvlms mllms lms gpus cpus tpus "
    "seeds runs trials epochs steps iterations parameters layers points architectures systems "
    "settings shots agents algorithms networks benchmarks datasets experiments rounds "
    "approaches bits dimensions techniques encoders detectors classifiers metrics".split()
)
_EVALUATING: Final = frozenset(
    "evaluate evaluated evaluating evaluation test tested testing compare compared comparing "
    "benchmark benchmarked train trained training fine-tune fine-tuned fine-tuning outperforms "
    "outperform beats achieves achieve experiments solves addition".split()
)


def _described(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The name of which it is said: "PebbleNet is a 12-layer network"."""
    k = draft.lead - (reading.cls(draft.lead) == "D")
    if reading.low(k) not in ("is", "are", "was", ","):
        return None
    last = k - 1 - (reading.low(k - 1) == ",")
    for first in range(last, max(-1, last - 4), -1):
        if name := context.name_of(reading, first):
            ends = reading.tokens[first].start + len(name) == reading.tokens[last].end
            fronted = first == 1 and reading.cls(0) == "P"  # "On Alpha, a 7B model"
            return name if ends and not fronted else None
    return None


def _carries(reading: Reading, draft: Draft, name: str, context: Context) -> bool:
    """Whether the sentence itself says that what is called `name` has or takes so many."""
    if not any(context.name_of(reading, k) == name for k in range(draft.place)):
        return False
    noun = draft.noun
    size = noun is not None and reading.low(noun.last) in _SIZES
    return size or reading.low(draft.lead) in _USES | CONTAINERS


def _of_collection(reading: Reading, draft: Draft) -> bool:
    """Whether an amount is plainly one of the data that the paper introduces."""
    noun = draft.noun
    unit = draft.unit.lower().split()
    if not unit or unit[-1] in _TOOLS or draft.unit == "%":
        return False
    if noun is not None and reading.low(noun.last) in _TOOLS:
        return False
    if reading.low(draft.lead) == "at":
        return False
    return not reading.says(_EVALUATING)


def _holder(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The collection to the left that contains, covers or introduces the amount."""
    place = draft.place
    begin = reading.tokens[0].start
    if reading.says(_MAKES) and any(
        reading.low(i) in _MAKES for i in range(max(0, place - 40), place)
    ):
        name = context.introduced(begin, draft.quantity.start)
        if name is not None:
            return name
    if reading.low(draft.lead) in ("collecting", "covering", "spanning") and any(
        reading.low(i) in _EVALUATES for i in range(max(0, place - 40), place)
    ):
        return None
    held = containing = False
    for i in range(place - 1, max(-1, place - 40), -1):
        low = reading.low(i)
        if low in CONTAINERS or (
            i >= draft.lead - 1 and low in _USES and reading.cls(i - 1) in "NR"
        ):
            held = True
            containing = low in CONTAINERS
        elif i >= draft.lead - 1 and low in ("of", ":", "with", "on"):
            held = held or reading.low(i - 1) in COLLECTIONS
        if low in _EVALUATES and reading.low(i - 1) != "to":
            return None
        if not held:
            continue
        if name := context.name_of(reading, i):
            apart = any(reading.low(k) in COLLECTIONS for k in range(i + 1, place))
            if reading.low(i - 1) not in ("from", "on", "by") or (
                containing and apart and reading.low(i - 1) == "on"
            ):
                return name
        if low in COLLECTIONS and i > draft.lead - 3 and _unnamed(reading, i):
            return None
        if low in COLLECTIONS and reading.low(i - 1) in _SAYS_WHICH:
            return context.own_collection or context.own
    return context.own if held else None


def _unnamed(reading: Reading, collection: int) -> bool:
    """Whether a collection is another, without a name: "on a medical dataset (of 500 scans)"."""
    phrase = reading.phrase_ending(collection)
    k = (phrase.first if phrase is not None else collection) - 1
    if reading.low(k) not in ("a", "an"):
        return False
    return reading.low(k - 1) in ("on", "using", "with", "from")


def _share(reading: Reading, after: int, context: Context) -> str | None:
    """The name in "0.4% of SA-1B" and in "2% of the parameters on Llama"."""
    if reading.low(after) != "of":
        return None
    phrase = reading.phrase_from(after + 1)
    if phrase is None:
        return None
    if name := context.name_of(reading, phrase.first):
        return name
    if reading.low(phrase.last + 1) in ("on", "in", "of"):
        first = phrase.last + 2
        if name := context.name_of(reading, first):
            return name
        if reading.capital(first) and (named := reading.phrase_from(first)):
            return context.short(reading, named)
    return None


def _sized_before(reading: Reading, draft: Draft, context: Context) -> str | None:
    """What is named right before "with 3B parameters" and "ranging from 1B to 7B parameters"."""
    k = draft.lead
    while k > 0 and (reading.cls(k) in "PVD" or reading.low(k) in _OF_SIZE | {"ranging"}):
        if reading.cls(k) == "N" and reading.low(k) in MODEL_LIKE:
            break
        k -= 1
    phrase = reading.phrase_ending(k) if reading.cls(k) == "N" else None
    if phrase is not None and reading.low(phrase.first - 1) in ("on", "across"):
        phrase = None  # "84% on RiverQA with 5M parameters"
    for i in range(phrase.first, phrase.last + 1) if phrase is not None else ():
        if name := context.name_of(reading, i):
            return name
    for i in range(k, -1, -1):
        if (name := context.name_of(reading, i)) and context.owns(name):
            return name
    if phrase is None:
        return None
    generic = reading.low(phrase.last) in MODEL_LIKE and reading.capital(phrase.first)
    return reading.words(phrase) if generic and phrase.last > phrase.first else None


_OF_SIZE: Final = frozenset("scale scales size sizes model models different various".split())


def _model(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The model that has so many parameters."""
    i = draft.place + 1
    if described := _described(reading, draft, context):
        return described
    if reading.low(draft.lead) == ":" and reading.capital(draft.lead - 1):
        sized = reading.phrase_ending(draft.lead - 1)  # "(Small: 110M, Large: 335M parameters)"
        return reading.words(sized) if sized is not None else None
    if reading.low(draft.lead) == "(" or (
        draft.follows is not None and draft.follows.unit == "parameters"
    ):
        following = reading.phrase_from(i + 1) if reading.low(i) == ")" else None
        if following is not None and reading.low(following.last) in MODEL_LIKE:
            return reading.words(following)
        if draft.follows is not None and draft.follows.subject:
            return draft.follows.subject
        before = reading.phrase_ending(draft.lead - 1)
        if before is None:
            return None
        first, last = before
        while first <= last and reading.low(first) in _OF_SIZE:
            first += 1
        while last >= first and reading.low(last) in _OF_SIZE:
            last -= 1
        return reading.words(Phrase(first, last)) if first <= last else None
    i += reading.low(i) in ("parameter", "parameters")
    phrase = reading.phrase_from(i)
    if phrase is None:
        return _sized_before(reading, draft, context)
    for k in range(phrase.first, phrase.last + 1):
        if name := context.name_of(reading, k):
            return name
    head = reading.low(phrase.last)
    if reading.low(phrase.last + 1) == "," and head in MODEL_LIKE | rivals.BEARERS:
        named = reading.phrase_from(phrase.last + 2) if reading.capital(phrase.last + 2) else None
        if named is not None and reading.low(named.last + 1) == ",":
            return reading.words(named)  # "our 400M encoder, Alpha, reaches"
    return reading.words(phrase) if head in rivals.BEARERS - {"model", "models"} else None
