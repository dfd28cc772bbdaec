"""What a number holds for: a data set, a benchmark, a model, a setting.

In: a `Reading` and its drafts, and the names of the abstract. Out: the places where a subject is
named and the one of a draft; for an amount, what it is an amount of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loader.measurements import rivals
from loader.measurements.baselines import Cue
from loader.measurements.clauses import Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import COLLECTIONS, CONTAINERS, MODEL_LIKE, NUMBER_WORDS
from loader.measurements.phrases import Phrase, Reading
from loader.measurements.units import TIME_UNITS

_ANNOUNCE: Final = frozenset("on across over in for at under against to within using with".split())
_GENERIC: Final = frozenset("benchmark benchmarks dataset datasets corpus test-set".split())
_SETTINGS: Final = frozenset(
    "task tasks setting settings regime regimes evaluation benchmark benchmarks scenario "
    "scenarios dataset datasets domain environment environments noise split splits problems "
    "data games".split()
)
_NEVER: Final = frozenset(
    "price expense average total addition particular contrast practice comparison terms order time times "
    "scale inference cost test-time case cases least most fact which general turn line end "
    "beginning top rate height par hand least best worst resolution speed budget "
    "compute metric metrics overlap-free".split()
)
_COUNTLESS: Final = frozenset(
    "several many multiple various diverse different numerous some".split()
)
_VAGUE: Final = frozenset(
    "other others average ones that those it them itself one both".split()
) | frozenset(NUMBER_WORDS)
_NOT_AT: Final = frozenset("its their test training inference no".split())
_HARDWARE: Final = frozenset(
    "gpu gpus cpu cpus tpu tpus device devices machine machines phone laptop core cores nfes "
    "steps".split()
)
_MACHINES: Final = frozenset(
    "titan jetson nvidia rtx v100 a100 h100 k40 geforce tesla raspberry pixel iphone xeon".split()
)
# "trained on X", "the effect on X": what stands there is no place where a value holds.
_BEFORE_OTHER_ON: Final = (
    "train", "fine-tun", "finetun", "pretrain", "pre-train", "based", "rel", "depend", "focus",
    "operat", "condition", "buil", "impact", "effect", "influence", "emphasi", "bound", "learn",
    "inspired", "run",
)  # fmt: skip
_PARTS: Final = frozenset("set sets data dataset split splits images".split())
_WHICH_PART: Final = frozenset(
    "test validation training data held-out entire same full whole official".split()
)
_PER_SECOND: Final = frozenset(("fps", "FPS", "frames per second", "tokens per second"))
_ALIKE: Final = frozenset("same equal comparable similar identical matched given".split())
_PARTIAL: Final = frozenset("subset majority part portion range variety suite set".split())
_SPLITS: Final = frozenset("test-dev test-std val dev test-set test-clean test-other".split())
_FOR: Final = 3  # the rank of "for ...", which only bounds are read with
_ON_HARDWARE: Final = 4  # and of machines, for times only


def cues(reading: Reading, context: Context, drafts: Sequence[Draft]) -> list[Cue]:
    """Every subject that the sentence names, in order."""
    found = []
    values = {d.place for d in drafts if d.kind != "amount"}
    for i, token in enumerate(reading.tokens):
        if token.low in _ANNOUNCE and (cue := _cue(reading, context, values, i)):
            found.append(cue)
    return found


def _cue(reading: Reading, context: Context, values: set[int], i: int) -> Cue | None:
    low = reading.low(i)
    first = i + 1
    if reading.low(i - 1).startswith(_BEFORE_OTHER_ON) or reading.low(first) in ("most", "least"):
        return None
    first += low == "on" and reading.low(first) == "both"
    while reading.cls(first) == "D" and reading.low(first) not in _VAGUE:
        if reading.low(first) in ("its", "their", "all") or reading.low(first) in _COUNTLESS:
            break
        first += 1
    while reading.cls(first) == "R" or (
        reading.low(first).endswith("ed") and reading.cls(first) == "V"
    ):
        first += 1
    alone = reading.low(first) in ("single", "one")
    first += alone
    named = context.name_of(reading, first)
    if low in ("against", "within", "to") and not named:
        return None
    if low == "to" and not any(reading.low(k)[:4] == "appl" for k in range(max(0, i - 6), i)):
        return None
    if reading.low(first) in _VAGUE or (low == "at" and reading.low(first) in _NOT_AT):
        return None
    if reading.low(first) in _PARTIAL and reading.low(first + 1) == "of":
        first += 2
        while reading.cls(first) == "D" and reading.low(first) not in _VAGUE:
            first += 1
        named = context.name_of(reading, first)
    vague = reading.low(first) in _COUNTLESS
    phrase = reading.chain(first + vague, of=False)
    if phrase is None or phrase.first in values:
        return None
    head, begin = reading.low(phrase.last), reading.low(phrase.first)
    counted = reading.cls(phrase.first) == "#"
    if low == "at" and counted and head.endswith("s"):
        return None  # "at 6B parameters"
    if {head, begin} & _NEVER or begin in _VAGUE or begin in ("less", "more", "fewer"):
        return None
    if low == "at" and begin in _ALIKE:
        return None
    if low == "at" and reading.low(phrase.last + 1) == "of" and reading.cls(phrase.last + 2) == "#":
        end = phrase.last + 2
        end += reading.cls(end + 1) == "N"
        return Cue(i, phrase, reading.words(Phrase(phrase.first, end)), 2)
    if begin == head and head in _SPLITS and not named:
        return None
    if head in _PARTS and begin in _WHICH_PART and phrase.last - phrase.first < 3 and not named:
        return None
    within = low == "in" and reading.capital(i - 1) and reading.capital(first) and not named
    if within and reading.text.startswith(" (", reading.tokens[phrase.last].end):
        return None  # "Named Faces in Parks (NFP)"
    if vague and phrase.last - phrase.first < 2 and "-" not in begin:
        return None
    if low in ("using", "with") and head not in _HARDWARE:
        return None
    if low == "over" and not (counted and head in _SETTINGS):
        return None
    if not named:
        beside = "#" in (reading.cls(i - 1), reading.cls(i - 2)) and reading.capital(phrase.first)
        settled = head in _SETTINGS or counted or (low == "in" and beside)
        if low in ("in", "under", "across") and not settled:
            return None
        if low == "in" and (counted or reading.is_metric(phrase.last)):
            return None
        if low == "on" and reading.is_metric(phrase.last):
            return None
        if begin == head and head in _GENERIC | _SETTINGS:
            return None
    text = context.short(reading, phrase)
    if text is None:
        return None
    fronted = low == "for" and reading.capital(first) and (i == 0 or reading.cls(i - 1) in "CX")
    rank = 0 if low == "on" else 1 if named or fronted else _FOR if low == "for" else 2
    if alone and phrase.first == first and head in _HARDWARE and not counted:
        plain = not any(reading.low(k) in _MACHINES for k in range(first, phrase.last + 1))
        if plain and reading.low(first - 1) == "single":
            text = reading.words(Phrase(first - 1, phrase.last))
    machine = not _MACHINES.isdisjoint(reading.low(k) for k in range(phrase.first, phrase.last + 1))
    if machine or head in _HARDWARE:
        rank = _ON_HARDWARE
    return Cue(i, phrase, text, rank)


def owners(reading: Reading, measured: Sequence[Draft], named: Sequence[Cue]) -> dict[int, int]:
    """The place of the number for which a cue right before it was said: "on A by 3%"."""
    found: dict[int, int] = {}
    for draft in measured:
        for cue in named:
            if cue.phrase.last in (draft.lead, draft.lead - 1) and cue.token < draft.place:
                between = reading.low(draft.lead) if cue.phrase.last < draft.lead else ""
                if between in ("", "by"):
                    found[cue.token] = draft.place
    return found


def subject(
    reading: Reading,
    draft: Draft,
    measured: Sequence[Draft],
    named: Sequence[Cue],
    context: Context,
    clauses: Clauses,
    foreign: bool = False,
) -> str | None:
    """The subject of a draft that is no amount.

    The nearest first: what is named behind the number in its clause, then whose doing the clause
    tells of where that is a rival, then what is named before it or at the head of the sentence.
    """
    place = draft.place
    with_it = _bearer(reading, draft, context)
    if with_it is not None:
        return with_it
    if draft.metric in ("n", "N", "p", "P"):  # statistics of the whole study
        return None
    ranks = {0, 1, 2}
    if draft.kind == "bound":
        ranks.add(_FOR)
    timed = draft.unit in TIME_UNITS or draft.unit.endswith(("hours", "days"))
    if timed or draft.unit in _PER_SECOND or draft.kind == "ratio":
        ranks.add(_ON_HARDWARE)
    chain = clauses.chain(place)
    usable = [c for c in named if c.rank in ranks]
    if draft.kind == "ratio":  # "2.7× on a phone", not "twice as fast on 16 GPUs"
        usable = [c for c in usable if reading.cls(c.phrase.first) != "#" or c.rank < _FOR]
    inside = [c for c in usable if clauses.of[c.token] == chain[0]]
    told = None if foreign else rivals.speaker(reading, context, clauses, place)
    contrast = told is not None and draft.kind == "level" and clauses.at(place).kind == "own"
    for cue in named:
        if cue.token < place or clauses.of[cue.token] != chain[0] or cue.rank > _FOR:
            continue
        if cue.rank > 1 and (contrast or (told and draft.kind == "level")):
            continue
        if cue.phrase.last + 2 == place:
            continue  # "at an overlap of (0.5)"
        if all(reading.cls(k) == "N" for k in range(place + 1, cue.token)):
            return cue.text
    if theirs := _of_whom(reading, draft, context):
        return theirs
    if gapped := _gapped(reading, draft, context):
        return gapped
    for cue in inside:
        if cue.phrase.last in (draft.lead, draft.lead - 1) and cue.rank < 2:
            between = reading.low(draft.lead) if cue.phrase.last < draft.lead else ""
            if between in ("", "by", ",") and reading.cls(cue.phrase.last + 1) != "V":
                return cue.text
    # Of coordinated numbers each is followed by its place, or the last by that of all.
    peers = [d for d in measured if clauses.of[d.place] == chain[0]]
    for n, peer in enumerate(peers):
        if not _chained(peer, draft):
            continue
        limit = peers[n + 1].place if n + 1 < len(peers) else len(reading.tokens)
        near = [c for c in inside if peer.place < c.token < limit]
        near = [c for c in near if not _interrupted(reading, measured, peer.place, c.token)]
        if near:
            return min(near, key=lambda c: c.rank).text
    if clauses.at(place).kind == "bracket":
        head = clauses.at(place).start - 2
        if hung := next((c for c in usable if c.phrase.last == head), None):
            return hung.text
        phrase = reading.phrase_ending(head) if reading.cls(head) == "N" else None
        if phrase is not None and not reading.is_metric(head) and reading.capital(phrase.first):
            return context.short(reading, phrase)
    if contrast:
        return told
    if reading.low(place + 1) in ("fewer", "less") and clauses.at(place).kind == "shared":
        return None  # "while using 45% fewer parameters"
    if static(draft):
        return told
    before = [
        c for c in inside if c.token < place and not _claimed(reading, measured, draft, c, clauses)
    ]
    if before:
        best = min(c.rank for c in before)
        return [c for c in before if c.rank == best][-1].text
    for number in chain[1:]:
        shared = [c for c in usable if clauses.of[c.token] == number]
        beside = [c for c in shared if _beside_value(reading, c)]
        if len(beside) > 1:  # each is the place of one number
            shared = [c for c in shared if c not in beside]
        if shared:
            best = min(c.rank for c in shared)
            return [c for c in shared if c.rank == best][-1].text
    leading = [c for c in usable if c.token <= 2 and c.rank < 2]
    return leading[-1].text if leading else told


# What a model has wherever it is used; a place of another clause says nothing of it.
_STATIC: Final = frozenset("parameters parameter params flops macs layers".split())


def on_machine(subject: str | None) -> bool:
    """Whether a subject is a machine: "RTX 4090", "single GPU"."""
    words = set((subject or "").lower().split())
    return not words.isdisjoint(_MACHINES | _HARDWARE)


def static(draft: Draft) -> bool:
    """Whether a draft measures what a model has wherever it is used."""
    words = (draft.metric or "").lower().split()
    return bool(words) and words[-1] in _STATIC


def _of_whom(reading: Reading, draft: Draft, context: Context) -> str | None:
    """`natural speech` of "the 4.30 of natural speech"."""
    of = draft.place + 1
    while reading.cls(of) == "N" and of < draft.place + 5:
        of += 1
    if draft.kind != "level" or reading.low(of) != "of" or reading.cls(draft.place - 1) != "D":
        return None
    if draft.unit and of == draft.place + 1:
        return None
    first = of + 1
    first += reading.cls(first) == "D"
    phrase = reading.phrase_from(first)
    if phrase is None or (draft.unit and not context.name_of(reading, first)):
        return None
    return context.short(reading, phrase)


def _beside_value(reading: Reading, cue: Cue) -> bool:
    k = cue.token - 1
    while reading.cls(k) == "N" and k > cue.token - 4:
        k -= 1
    return reading.cls(k) == "#"


def _gapped(reading: Reading, draft: Draft, context: Context) -> str | None:
    """`OakLM` of "PineLM solves 38% and OakLM only 13%"."""
    phrase = reading.phrase_ending(draft.lead) if reading.cls(draft.lead) == "N" else None
    if phrase is None or reading.low(phrase.first - 1) not in ("and", ",", "but"):
        return None
    name = context.name_of(reading, phrase.first)
    shaped = reading.capital(phrase.first) and any(
        c.isdigit() for c in reading.words(Phrase(phrase.last, phrase.last))
    )
    if not (name or shaped) or reading.is_metric(phrase.last):
        return None
    return None if name and context.owns(name) else reading.words(phrase)


def _interrupted(reading: Reading, measured: Sequence[Draft], start: int, end: int) -> bool:
    """Whether a verb or another value stands between a number and a cue behind it."""
    values = {d.place for d in measured}
    return any(reading.cls(k) == "V" or k in values for k in range(start + 1, end))


def _claimed(
    reading: Reading, measured: Sequence[Draft], draft: Draft, cue: Cue, clauses: Clauses
) -> bool:
    """Whether a cue before the draft is the place of an earlier value."""
    if draft.follows is not None or reading.low(draft.lead) == "at":
        return False
    clause = clauses.of[draft.place]
    earlier = [d.place for d in measured if d.place < cue.token and clauses.of[d.place] == clause]
    return bool(earlier) and not any(
        reading.cls(k) == "V" or reading.low(k) == "," for k in range(earlier[-1] + 1, cue.token)
    )


def _chained(last: Draft, first: Draft) -> bool:
    """Whether `last` continues `first`, over any number of members between."""
    step: Draft | None = last
    while step is not None:
        if step is first:
            return True
        step = step.follows
    return False


_BEARERS: Final = frozenset(
    "model models network networks encoder decoder transformer student llm llms vlm policy "
    "agent dnn cnn rnn mlp".split()
)


def _bearer(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The model in "a model with a 45% sparsity ratio", the device in "a GPU with 24 GB"."""
    if reading.low(draft.lead) != "with" or reading.cls(draft.lead - 1) != "N":
        return None
    if draft.kind not in ("level", "amount", "bound"):
        return None
    head = reading.low(draft.lead - 1)
    if head not in COLLECTIONS and (name := _apposed(reading, draft.lead - 1, context)):
        return name
    if draft.kind == "bound":
        return None
    if head not in _BEARERS and head not in _HARDWARE:
        return None
    phrase = reading.phrase_ending(draft.lead - 1)
    if phrase is None:
        return None
    if phrase.first == phrase.last and not reading.acronym(phrase.first):
        return None
    if reading.low(phrase.first - 1) == "single":
        phrase = Phrase(phrase.first - 1, phrase.last)
    return reading.words(phrase)


def _apposed(reading: Reading, last: int, context: Context) -> str | None:
    """`PebbleNet` of "PebbleNet, a network (with 12 layers)"; `last` is the network."""
    phrase = reading.phrase_ending(last)
    if phrase is None:
        return None
    first = phrase.first
    while first > 0 and reading.cls(first - 1) in "DR" and reading.low(first - 1):
        first -= 1
    end = first - 2
    if reading.low(first - 1) != "," or reading.cls(end) != "N":
        return None
    for k in range(end, max(-1, end - 4), -1):
        if name := context.name_of(reading, k):
            ends = reading.tokens[k].start + len(name) == reading.tokens[end].end
            return name if ends else None
    return None


# --- whose amount -----------------------------------------------------------------------------

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
        return _model(reading, draft, context)
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
    if with_it := _bearer(reading, draft, context):
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
            if (name := context.name_of(reading, first)) and reading.low(noun.last) in _PARTS_OF:
                return name
        if reading.low(noun.last) not in _TESTED:
            for i in range(noun.first, noun.last):
                if (name := context.name_of(reading, i)) and name != context.own:
                    return name
    if reading.cls(place - 1) == "N":
        for k in range(max(0, place - 4), place):
            name = context.name_of(reading, k)
            if name and reading.tokens[k].start + len(name) == reading.tokens[place - 1].end:
                return name
    if reading.low(draft.lead) == "on" and reading.low(draft.lead - 1).endswith(
        ("trained", "tuned")
    ):
        return _trained(reading, draft, earlier, context, clauses)
    if reading.low(place + 1) == "of" and (name := context.name_of(reading, place + 2)):
        return name
    held = _holder(reading, draft, context)
    if held == context.own and held is not None and held != context.own_collection:
        return held if _carries(reading, draft, held, context) else None
    if held is None and (own := context.own_collection) and _of_collection(reading, draft):
        return own if context.text.find(own) < reading.end else None
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
    return earlier[-1].subject if earlier else None


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
            return name if ends else None
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
    return all(t.low not in _EVALUATING for t in reading.tokens)


def _holder(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The collection to the left that contains, covers or introduces the amount."""
    place = draft.place
    begin = reading.tokens[0].start
    if any(reading.low(i) in _MAKES for i in range(max(0, place - 40), place)):
        name = context.introduced(begin, draft.quantity.start)
        if name is not None:
            return name
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


_OF_SIZE: Final = frozenset("scale scales size sizes model models different various".split())


def _model(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The model that has so many parameters."""
    i = draft.place + 1
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
        for k in range(draft.place - 1, -1, -1):
            if name := context.name_of(reading, k):
                return name
        return None
    for k in range(phrase.first, phrase.last + 1):
        if name := context.name_of(reading, k):
            return name
    head = reading.low(phrase.last)
    return reading.words(phrase) if head in _BEARERS - {"model", "models"} else None
