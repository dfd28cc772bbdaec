"""Mentions: named data sets, models and methods that the paper uses or compares with.

In: the abstract, the candidates, the acronyms, the own names.
Out: `Mention`s with every place, in the order of the text.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from loader.model import Mention, MentionKind, Span
from loader.names import context
from loader.names.acronyms import Definition
from loader.names.candidates import Candidate
from loader.names.context import Abstract
from loader.names.own import Own
from loader.symbols import words as listed

# what the long forms of methods and of models end in
_METHOD_ENDS: Final = (
    "optimization", "optimisation", "tuning", "adaptation", "distillation", "analysis", "descent",
    "sampling", "search", "algorithm", "decomposition", "estimation", "averaging", "pruning",
    "prompting", "regularization", "bandit", "bandits", "minimization", "coding", "method",
    "feedback", "approximation", "regression", "clustering", "diversity", "divergence", "regulator",
    "programming", "monte carlo", "kernel", "difference",
)  # fmt: skip
_LEARNING: Final = re.compile(r"learning with \w+ \w+$")
_MODEL_ENDS: Final = (
    "former", "autoencoder", "adversarial network", "belief network", "vector machine",
    "random field", "prior-data fitted network",
)  # fmt: skip
# behind a short form in brackets: "(LFW) dataset"
_DATA_BEHIND: Final = re.compile(
    r"\)? (?:[\w-]+ )?(?:benchmarks?|datasets?|data sets?|corpus|corpora)\b"
)
_DATA_NEXT: Final = re.compile(r" (?:datasets?|benchmark|corpus|dataset)\b")
_ADJECTIVE: Final = re.compile(r"(?:an|ese|ish|ic|al|ed|ing|s|ive|ch)$")
_TASK: Final = re.compile(r"s? (?:tasks?|datasets?|benchmarks?|data)\b")
_CAMEL: Final = re.compile(r"[a-z]{2}[A-Z]|[A-Z][a-z]+[A-Z]{2}|[A-Z]{2}[a-z]{3}")
_BEATEN: Final = re.compile(
    r"\b(?:outperform\w*|surpass\w*|beats?|beating|exceed\w*|[Cc]ompared (?:to|with)|than) $"
)


def _noun(nouns: str, no_words: str = "") -> re.Pattern[str]:
    """Finds one of `nouns`, where one word may stand in front that is no preposition."""
    no_word = rf"(?!(?:on|in|and|with|for|to|by|across|over|using|as|or|from|than{no_words})\b)"
    return re.compile(rf"(?:{no_word}[\w-]+ )?(?:{nouns})\b")


_DATA_NOUNS: Final = (
    "benchmarks?|datasets?|data sets?|corpus|corpora|suites?|environments?|tasks|leaderboard|"
    "test sets?|challenge"
)
_MODEL_NOUNS: Final = (
    "models?|backbones?|encoders?|teachers?|students?|agents?|architectures?|networks?|LLMs?|"
    "VLMs?|checkpoints?"
)
_METHOD_NOUNS: Final = (
    "methods?|algorithms?|baselines?|optimizers?|loss(?:es)?|approach(?:es)?|technique|prompting|"
    "fine-?tuning|framework|training"
)
_NOUN: Final = _noun(f"{_DATA_NOUNS}|{_MODEL_NOUNS}|{_METHOD_NOUNS}")
_NOUNS: Final[tuple[tuple[re.Pattern[str], MentionKind], ...]] = (
    (_noun(_DATA_NOUNS, "|under|at|of|is|are"), "dataset"),
    (_noun(_MODEL_NOUNS), "model"),
    (_noun(_METHOD_NOUNS), "method"),
)
_BEFORE_DATA: Final = re.compile(
    r"(?:\b(?:on|across)(?: the| both| (?:\w+ ){0,4}(?:benchmarks?|datasets?|"
    r"tasks?)[,:]?(?: including| such as| like| \(?e\.g\.,?)?)?|(?:benchmarks?|datasets?)(?:,? "
    r"(?:including|such as|like|e\.g\.,?|namely))?[,:(]?|evaluations? (?:on|of)|evaluated on|"
    r"trained on|derived from)\s*\(?$"
)
_BEFORE_MODEL: Final = re.compile(
    r"(?:models?|LLMs?|VLMs?|backbones?|architectures?)(?:,? (?:including|such as|like|e\.g\.,?|"
    r"namely|from))?[,:( ]*$"
)
_BEFORE_METHOD: Final = re.compile(
    r"(?:(?:methods?|baselines?|algorithms?|approaches|techniques?|optimizers?)(?:,? (?:including"
    r"|such as|like|e\.g\.,?|namely|from))?[,:( ]*|\b(?:than|over|with|against|vs\.?|versus|"
    r"compared to|compared with|(?:compared|against|versus|vs\.?) (?:with )?[\d.]+%? (?:for|of|by)|"
    r"[\d.]+%? for|outperform\w*|surpass\w*|beat\w*|like|unlike|using|via|extend\w*|"
    r"adapt\w*|use|apply|employ\w*|leverag\w*) (?:the |standard |existing |vanilla )?)$"
)
# what the word in front must end in or hold; looked for before the costly patterns
_METHOD_HINT: Final = re.compile(
    r"(?:methods?|baselines?|algorithms?|approach|approaches|techniques?|optimizers?|including|as|"
    r"like|e\.g\.?|namely|from|for|of|by|than|over|with|against|vs\.?|versus|to|using|via|use|apply|the|"
    r"standard|existing|vanilla)$|outperform|surpass|beat|extend|adapt|employ|leverag"
)
_MODEL_HINT: Final = re.compile(
    r"(?:models?|LLMs?|VLMs?|backbones?|architectures?|including|as|like|e\.g\.?|namely|from)$"
)
_DATA_HINT: Final = re.compile(
    r"(?:on|across|the|both|benchmarks?|datasets?|tasks?|including|as|like|e\.g\.?|namely|of|from)$"
)
_SHAPE_DATA: Final = re.compile(
    r"(?:Bench|Eval|QA|Set|Corpus|Arena|Gym|Caps|VQA)(?:[-+]?\w{0,6})?$|\d{2,}[kKM]$|-\d+[kK]?$|"
    r"MNIST|ImageNet|COCO|CIFAR|MIMIC"
)
_SHAPE_MODEL: Final = re.compile(
    r"\d(?:\.\d+)?[BM](?:-|$)|GPT|LM$|LLaMA|Llama|BERT|[Ff]ormer$|Net(?:-?\d+)?$|ViT|VLA$|GAN$|"
    r"VAE$|-(?:[Ll]arge|[Bb]ase|[Ss]mall|XL|[Ii]nstruct)$"
)


def find(
    text: Abstract,
    candidates: Sequence[Candidate],
    definitions: Sequence[Definition],
    own: Sequence[Own],
    fields: frozenset[str],
) -> list[Mention]:
    """What is mentioned, each name once with all its places."""
    taken = {
        _key(form) for o in own for form in (o.name.name, o.name.expansion, *o.aliases) if form
    }
    long_of = {d.short: d for d in definitions}
    text = _with_own(text, candidates, taken)
    places = _places(candidates, definitions, taken, fields)
    judged: dict[str, MentionKind] = {}
    for name, seen in places.items():
        key = _key(name)
        if " " in key and taken:
            fronts = (key[:at] for at, c in enumerate(key[:60]) if c == " " and at > 3)
            if any(front in taken for front in fronts):
                continue  # a version of an own name
        kind = _kind(text, name, seen, long_of.get(name))
        if kind is not None:
            judged[name] = kind
    for name, kind in _listed(text, places, judged).items():
        judged.setdefault(name, kind)
    for name, seen in places.items():
        if name in judged or name in long_of or seen[0].form != "odd" or len(name) < 5:
            continue
        if _CAMEL.search(name) and text.role(seen[-1].start) == "result":
            judged[name] = "method"  # nothing tells what `VisionZip` is that is compared with
    found = [
        Mention(name, kind, tuple(Span(c.start, c.end) for c in places[name]))
        for name, kind in judged.items()
    ]
    return sorted(found, key=lambda m: m.places[0])


def _places(
    candidates: Sequence[Candidate],
    definitions: Sequence[Definition],
    taken: set[str],
    fields: frozenset[str],
) -> dict[str, list[Candidate]]:
    """The candidates that are neither fields nor names of the paper, by name."""
    short_of = {_key(d.long): d.short for d in definitions}
    covered = sorted(d.long_span for d in definitions)
    places: dict[str, list[Candidate]] = {}
    spelled: dict[str, str] = {}
    for candidate in candidates:
        name, start, end, form, _, _ = candidate
        if form == "field":
            continue
        if covered:
            at = bisect_right(covered, (start, sys.maxsize)) - 1
            if at >= 0 and covered[at].end > start and covered[at] != (start, end):
                continue  # a piece of a long form
            name = short_of.get(_key(name), name)
        if form in ("technique", "phrase"):
            name = spelled.setdefault(name.casefold(), name)
            if form == "phrase" and "".join(filter(str.isupper, name)) in fields:
                continue  # "Graph Neural Networks"
        if not (taken and _key(name) in taken) and name not in fields:
            places.setdefault(name, []).append(candidate)
    return places


def _with_own(text: Abstract, candidates: Sequence[Candidate], taken: set[str]) -> Abstract:
    """`text`, but a sentence that names what the paper introduces is no background."""
    if not taken or "background" not in text.roles:
        return text
    changed = text.roles.copy()
    for c in candidates:
        at = text.sentence(c.start)
        if changed[at] == "background" and _key(c.name) in taken:
            changed[at] = "result"
    return text.with_roles(changed)


_KINDS: Final[tuple[MentionKind, ...]] = ("dataset", "model", "method")
_LIST_GAP: Final = re.compile(r"(?:,? and |,? or |, |/| vs\.? |, and )(?:the )?")
_LIST_HEAD: Final = re.compile(
    r"(?:(?P<dataset>benchmarks?|datasets?|tasks|corpora|environments|suites)|(?P<model>models|"
    r"LLMs|VLMs|backbones|architectures|encoders|networks)"
    r"|(?P<method>methods|baselines|algorithms|objectives|optimizers|approaches|techniques|losses"
    r"|strategies|defen[sc]es|attacks|schemes|frameworks|solvers|samplers|estimators|compressors|"
    r"planners|regularizers))"
    r"(?:,? (?:such as|including|like|e\.g\.,?|namely|from)|:)?\s*\(?(?:e\.g\.,? |i\.e\.,? |"
    r"including )?$"
)


def _listed(
    text: Abstract, places: dict[str, list[Candidate]], judged: dict[str, MentionKind]
) -> dict[str, MentionKind]:
    """Names that stand in a list with mentions, or in a list of methods, models or data sets."""
    plain = text.plain
    spots = sorted((c.start, c.end, name, c.form) for name, seen in places.items() for c in seen)
    found: dict[str, MentionKind] = {}
    run: list[tuple[int, int, str, str]] = []
    if all(after[0] - before[1] > 8 for before, after in pairwise(spots)):
        return found
    for spot in (*spots, None):
        if (
            spot
            and run
            and spot[0] - run[-1][1] < 9
            and _LIST_GAP.fullmatch(plain, run[-1][1], spot[0])
        ):
            run.append(spot)
            continue
        if len(run) > 1:
            role = text.role(run[0][0])
            front = _LIST_HEAD.search(plain, max(0, run[0][0] - 40), run[0][0])
            kinds = [judged[name] for _, _, name, _ in run if name in judged]
            if role not in ("background", "other") and (front or kinds):
                told = [k for k in _KINDS if front and front[k]]
                kind = told[0] if told else max(kinds, key=kinds.count)
                for _, _, name, form in run:
                    if form in ("odd", "phrase", "word", "technique"):
                        found.setdefault(name, kind)
        run = [spot] if spot else []
    return found


def _kind(
    text: Abstract, name: str, seen: Sequence[Candidate], definition: Definition | None
) -> MentionKind | None:
    """The kind of a mention, or None where the candidate is none."""
    plain = text.plain
    background = all(text.role(c.start) in ("background", "other") for c in seen)
    form = next((c.form for c in seen if c.form in ("known", "technique")), seen[0].form)
    if form == "known":
        if background and seen[0].kind == "method":
            return None
        return next(c.kind for c in seen if c.form == form)
    if form == "technique":
        if definition is None and not any(
            _used(plain, c.start)
            and not _TASK.match(plain, c.end)
            and text.role(c.start) not in ("background", "other")
            for c in seen
        ):
            return None
        return next(c.kind for c in seen if c.form == form)
    if definition is not None:
        if not background and any(_DATA_BEHIND.match(plain, c.end) for c in seen):
            return "dataset"
        long = definition.long.lower()
        if long.endswith(_MODEL_ENDS):
            return "model"
        if (not background or len(seen) > 2) and (
            long.endswith(_METHOD_ENDS) or _LEARNING.search(long)
        ):
            return "method"
        return None
    if background:
        return None
    for c in seen:
        kind = _apposed(text, c)
        if kind is not None and (form == "odd" or kind != "method"):
            return kind
        if (
            form == "word"
            and _DATA_NEXT.match(plain, c.end)
            and plain.endswith(("the ", "on ", "and ", ", ", "("), 0, c.start)
            and not _ADJECTIVE.search(name)
        ):
            return "dataset"
        kind = _by_words(plain, c) if form != "word" else None
        if kind is not None and (form == "odd" or (form == "phrase" and kind == "dataset")):
            return kind
        if form == "phrase" and _BEATEN.search(plain[max(0, c.start - 20) : c.start]):
            return "method"
    return _by_shape(name) if form == "odd" else None


def _used(plain: str, at: int) -> bool:
    """Whether the word in front lets a technique stand for itself: "via", "standard", "the"."""
    before = plain[max(0, at - 30) : at].rstrip(' \n("“*').rsplit(None, 1)
    word = before[-1].casefold() if before else ""
    return not word or word in _FUNCTION or word[-1] in ",:;." or word.endswith("ing")


_FUNCTION: Final = listed(
    "using with via like vanilla standard including as and or both by the that whose is are "
    "than over to leverage apply use uses employ such simple noisy classical conventional on "
    "unlike from through against adopt applies leverages outperform outperforms based of "
    "while"
)


def _apposed(text: Abstract, c: Candidate) -> MentionKind | None:
    """`TideBank, a large-scale dataset of ...` and `RowLM (1.5B), a specialized model`."""
    plain = text.plain
    what, _, end = text.behind(c.end)
    if what == "bracket":
        closed = plain.find(")", end, end + 40)
        what, _, end = text.behind(closed + 1) if closed > 0 else ("none", None, end)
    if what != "apposed":
        return None
    kind = context.head(plain, end, min(len(plain), end + 140))
    return _AS_MENTION.get(kind) if kind else None


_AS_MENTION: Final[dict[str, MentionKind]] = {
    "dataset": "dataset", "benchmark": "dataset", "model": "model", "method": "method",
    "framework": "method", "system": "method", "attack": "method",
}  # fmt: skip


def _by_words(plain: str, c: Candidate) -> MentionKind | None:
    after = plain[c.end + 1 : c.end + 40]
    if _NOUN.match(after):
        for noun, kind in _NOUNS:
            if noun.match(after):
                return kind
    before = plain[max(0, c.start - 60) : c.start]
    method, model, data = _hints(before.rstrip(",:( \t\r\n").rpartition(" ")[2])
    if method and _BEFORE_METHOD.search(before):
        return _by_shape(c.name) or "method"
    if model and _BEFORE_MODEL.search(before):
        return "model"
    if data and len(c.name) > 3 and _BEFORE_DATA.search(before):
        return _by_shape(c.name) or "dataset"
    return None


@lru_cache(maxsize=4096)
def _hints(word: str) -> tuple[bool, bool, bool]:
    """Whether a word in front of a name may tell that it is a method, a model or a data set."""
    return (
        _METHOD_HINT.search(word) is not None,
        _MODEL_HINT.search(word) is not None,
        _DATA_HINT.search(word) is not None,
    )


def _by_shape(name: str) -> MentionKind | None:
    if _SHAPE_MODEL.search(name):
        return "model"
    if _SHAPE_DATA.search(name):
        return "dataset"
    return None


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    folded = name.casefold()
    if not folded.isalnum():
        folded = " ".join(_WORDS.findall(folded))
    return folded[:-1] if len(folded) > 4 and folded[-1] == "s" else folded


_WORDS: Final = re.compile(r"[^\W_]+")
