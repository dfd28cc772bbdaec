"""Who is measured: earlier methods, other models, people, and "a model with" so much.

In: a noun phrase or a draft of a sentence. Out: the words of whoever the number is said of, where
that is not the paper's own work.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.clauses import Clause, Clauses
from loader.measurements.context import Context
from loader.measurements.drafts import Draft
from loader.measurements.lexicon import BEATING, COLLECTIONS, MACHINES, MODEL_LIKE
from loader.measurements.phrases import Phrase, Reading

_EARLIER: Final = frozenset(
    "prior previous existing standard baseline baselines comparable competing competitor "
    "competitors earlier conventional vanilla naive plain traditional strongest second-best "
    "runner-up majority random off-the-shelf state-of-the-art sota counterpart counterparts "
    "predecessor alternatives".split()
)
_PEOPLE: Final = frozenset(
    "human humans human-level people annotators experts physicians clinicians doctors students "
    "crowdworkers laypeople radiologists pathologists lawyers programmers raters".split()
)
_LEVELS: Final = frozenset("performance level accuracy score experts baseline evaluators".split())
_OURS: Final = frozenset("our proposed this new".split())


def rival(reading: Reading, context: Context, phrase: Phrase, contrast: bool = False) -> str | None:
    """The words of `phrase` where it names an earlier method, another model or people.

    In a clause of `contrast` ("whereas ...") any name that is not the paper's own will do.
    """
    first, last = phrase
    if reading.low(first - 1) in _OURS or reading.low(first) in _OURS:
        return None
    lows = {reading.low(i) for i in range(first, last + 1)}
    if reading.is_metric(last) and not lows & _PEOPLE:
        return None
    for i in range(first, last + 1):
        name = context.name_of(reading, i)
        if name is None:
            continue
        if context.owns(name):
            return None
        sure = contrast or context.own or lows & _EARLIER or any(c.isdigit() for c in name)
        if not sure:
            return None  # in an abstract that names no work of its own this may be it
        if name.split()[-1].islower():
            continue  # a technique, nobody whose value it is
        end = reading.at(reading.tokens[i].start + len(name)) - 1
        if i > first and reading.low(i - 1).endswith(("ing", "tuned", "trained")):
            phrase = Phrase(i, last)  # "Fine-tuning OakLM", "instruction-tuned OakLM"
        headed = end >= last or reading.low(last) in MODEL_LIKE or reading.low(end + 1) in ",and"
        return reading.words(phrase) if headed else None
    if lows & _PEOPLE:
        head = reading.low(last)
        return reading.words(phrase) if head in _PEOPLE or head in _LEVELS else None
    named = contrast and reading.has_capital(first) and reading.capital(last)
    if named or lows & _EARLIER:
        return reading.words(phrase)
    return None


def is_human(metric: str | None) -> bool:
    """Whether what was read as a metric names people: "human performance is 94%"."""
    words = (metric or "").lower().split()
    named = bool(_PEOPLE & set(words[:-1]))
    return named and words[-1] in ("performance", "level") and len(words) < 4


def speaker(reading: Reading, context: Context, clauses: Clauses, token: int) -> str | None:
    """The rival of whose doing the clause of `token` tells: "GPT-5 leads with 58%"."""
    for number in clauses.chain(token):
        clause = clauses.all[number]
        if reading.low(clause.start) in ("which", "who") and (
            found := _antecedent(reading, context, clause.start)
        ):
            return found
        phrase = clauses.subject(number)
        if phrase is None:
            continue
        if reading.low(clause.verb) in _WINNING and clause.kind != "own":
            return None  # who outperforms others is who the paper is about
        if reading.low(clause.verb).startswith(
            ("prefer", "judg", "rate", "vote", "chose", "found", "find")
        ):
            return None
        if beside := _apposition(reading, context, phrase):
            return beside
        contrast = clause.kind == "own" and not _opens(reading, clauses, clause)
        if found := rival(reading, context, phrase, contrast):
            return found
        if reading.low(phrase.last) == "alone" and reading.capital(phrase.last - 1):
            return reading.words(Phrase(phrase.first, phrase.last - 1))  # "Alpha alone yields"
        if reading.low(phrase.last + 1) != ",":
            return None
    return None


_WINNING: Final = frozenset(f for f in BEATING if not f.startswith(("underperform", "trail")))


def _opens(reading: Reading, clauses: Clauses, clause: Clause) -> bool:
    """Whether nothing but what is fronted stands before a clause: "Trained on 2M, Alpha"."""
    fronted = reading.cls(0) == "P" or reading.low(0).endswith(("ing", "ed"))
    return fronted and clause.parent == 0 and clauses.subject(0) is None


def _antecedent(reading: Reading, context: Context, which: int) -> str | None:
    """`expert rowers` of "behind expert rowers, who reach 95%"."""
    last = which - 1 - (reading.low(which - 1) == ",")
    phrase = reading.phrase_ending(last) if reading.cls(last) == "N" else None
    if phrase is None or reading.low(phrase.first - 1) in ("on", "with", "from", "using", "by"):
        return None
    return rival(reading, context, phrase)


def _apposition(reading: Reading, context: Context, phrase: Phrase) -> str | None:
    """`PineLM` of "our best baseline, PineLM, reaches"."""
    described = {reading.low(k) for k in range(phrase.first - 1, phrase.last + 1)}
    if described & _OURS and not described & _EARLIER:
        return None  # "our method, PineLM, reaches"
    listed = next((k for k in range(*phrase) if reading.low(k) == ","), None)
    if listed is not None:  # "our best baseline, PineLM, reaches", read as a list
        plain = not any(reading.capital(k) for k in range(phrase.first, listed))
        return reading.words(Phrase(listed + 1, phrase.last)) if plain else None
    end = reading.tokens[phrase.last].end
    if reading.text.startswith(" (", end):  # "the best agent (PineLM) reaches"
        name = context.name_at(end + 2) if _is_foremost(reading, phrase) else None
        return None if name is None or context.owns(name) else name
    if not (first := _apposed_at(reading, phrase)):
        return None
    if (name := context.name_of(reading, first)) is not None:
        return None if context.owns(name) else name
    named = reading.phrase_from(first) if reading.capital(first) else None
    return reading.words(named) if named and reading.capital(named.last) else None


def _apposed_at(reading: Reading, phrase: Phrase) -> int:
    """Where the name of who is described would begin, 0 where none would."""
    first = phrase.last + 2
    if reading.low(phrase.last + 1) != ",":
        return 0
    if reading.low(first) in ("based", "built") and reading.low(first + 1) in ("on", "upon"):
        return first + 2  # "the top planner, based on PineLM, solves"
    return first + (reading.cls(first) == "D")


def _is_foremost(reading: Reading, phrase: Phrase) -> bool:
    """Whether somebody is described by how well they do and not named."""
    described = range(phrase.first, phrase.last + 1)
    best = any(reading.low(k) in _FOREMOST for k in described)
    return best and not any(reading.has_capital(k) for k in described)


_FOREMOST: Final = frozenset(
    "best strongest top leading top-performing best-performing weakest worst largest smallest "
    "fastest second-best closest baseline runner-up".split()
)

BEARERS: Final = frozenset(
    "model models network networks encoder decoder transformer student llm llms vlm policy "
    "agent dnn cnn rnn mlp".split()
)


def bearer(reading: Reading, draft: Draft, context: Context) -> str | None:
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
    phrase = reading.phrase_ending(draft.lead - 1)
    if draft.kind == "amount" and phrase is not None and _sized(reading, draft, phrase, context):
        return reading.words(phrase)
    if head not in BEARERS and head not in MACHINES:
        return None
    if phrase is None:
        return None
    if phrase.first == phrase.last and not reading.acronym(phrase.first):
        return None
    if reading.low(phrase.first - 1) == "single":
        phrase = Phrase(phrase.first - 1, phrase.last)
    return reading.words(phrase)


_PARTS: Final = frozenset(
    "parameters latents layers experts heads channels blocks neurons units features dimensions "
    "tokens codes atoms gaussians bits stages".split()
)


def _sized(reading: Reading, draft: Draft, phrase: Phrase, context: Context) -> bool:
    """Whether what is named before has so many parts: "wide nets with 64k codes"."""
    unit = draft.unit.lower().split()
    if not unit or unit[-1] not in _PARTS or reading.is_metric(phrase.last):
        return False
    if unit[-1] in ("parameters", "tokens") and reading.low(phrase.first - 1) == "on":
        return False  # "84% on RiverQA with 5M parameters"
    if reading.low(phrase.last) in _ENTRUSTED or context.name_of(reading, phrase.first):
        return True
    return reading.capital(phrase.first) and reading.has_capital(phrase.last)


_ENTRUSTED: Final = frozenset("expert head module decoder encoder adapter router".split())


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
