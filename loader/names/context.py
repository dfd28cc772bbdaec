"""Context: what the words around a stretch of text say about it.

In: a plain text and a place in it. Out: the cue in front of the place ("we propose", "called",
"such as"), the continuation behind it, and the head noun of a phrase ("a cross-modal framework").

Only words are looked up, from the place outwards, so the cost does not grow with the text.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from loader.model import NameKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


Cue = Literal["intro", "named", "our", "apposed", "used", "other", "one", "none"]

_REACH: Final = 180  # characters in front of a place that are read


def _forms(stems: str) -> frozenset[str]:
    """The written forms of regular verbs given in their base form."""
    forms = set()
    for stem in stems.split():
        bare = stem[:-1] if stem.endswith("e") else stem
        past = stem + "d" if stem.endswith("e") else stem + "ed"
        third = stem[:-1] + "ies" if stem.endswith("y") and stem[-2] not in "aeo" else stem + "s"
        if stem.endswith(("sh", "ch", "ss", "x")):
            third = stem + "es"
        if stem.endswith("y") and stem[-2] not in "aeo":
            past = stem[:-1] + "ied"
        forms |= {stem, third, past, bare + "ing"}
    return frozenset(forms)


INTRODUCE: Final = _forms(
    "introduce propose present develop design devise release construct create unveil contribute "
    "curate compile collect"
    " establish formulate open-source define identify implement formalize formalise advocate"
    " offer provide publish derive reveal uncover pioneer conceptualize launch craft engineer "
    "prototype outline"
) | frozenset(["build", "built", "builds", "building", "yield", "yields", "yielding"])
_GATHER: Final = _forms("compile curate collect gather")
_NAMING: Final = _words(
    "called named termed dubbed coined namely titled entitled denoted abbreviated christened "
    "nicknamed"
)
_WE_NAME: Final = frozenset(["call", "term", "name", "dub", "coin", "denote", "christen"])
_AS_NAMING: Final = _words(
    "refer refers referred define defines call term denote denoted known described coin "
    "formalize identify dub abbreviated termed"
)
_USE: Final = (
    _forms(
        "use apply adopt employ leverage utilize revisit study analyze analyse consider examine "
        "extend compare evaluate investigate"
        " adapt combine incorporate integrate outperform surpass beat match train test replace "
        "follow include fine-tune finetune deploy benchmark"
    )
    - INTRODUCE
)
_BEATS: Final = _forms("outperform surpass beat exceed match") | {"over", "than"}
_OTHER: Final = _words(
    "as like including e.g. e.g., i.e. i.e., over than on onto of from by using via under for "
    "against between across within to in into vs vs. versus existing prior standard "
    "conventional popular original baseline baselines with and or both through upon at is are "
    "recent widely-used well-known state-of-the-art pre-trained pretrained vanilla classical "
    "traditional unlike besides"
)
_ADJECTIVES: Final = _words(
    "the its new novel simple first unified effective efficient open large-scale general "
    "so-called lightweight principled scalable comprehensive yet and but two three four "
    "following versatile powerful practical flexible strong robust improved complementary "
    "another second additional dedicated specialized tailored challenging large fully "
    "small-scale diverse high-quality fast accurate generic concept notion also further then "
    "thus therefore instead here first, paper paper, work, work family of use simple, novel,"
)
_ENDINGS: Final = (
    "al",
    "ive",
    "ic",
    "ous",
    "able",
    "ible",
    "ful",
    "less",
    "ary",
    "wise",
    "ized",
    "ated",
    "ed",
)
_WORD: Final = re.compile(r"[\w-]+")
_BEHIND: Final = re.compile(
    r"(?P<bracket>\s?\()|[\"”’'*]?(?P<mark>,| –| —|—| --| -|"
    r":)?\s+(?P<word>[\w-]+)(?:\s+(?P<next>[\w-]+))?"
)
_ACTS: Final = _words(
    "achieves outperforms improves consists reduces leverages uses introduces enables employs "
    "yields surpasses exhibits delivers matches exceeds demonstrates attains reaches sets "
    "establishes shows learns provides generalizes generalises comprises offers supports "
    "combines integrates incorporates extends maintains operates contains includes features "
    "scales performs requires adapts adopts builds treats optimizes formulates allows "
    "produces generates remains decomposes decouples dynamically does brings constructs takes "
    "unifies preserves serves works ranks benefits captures avoids addresses models replaces "
    "discovers adds accelerates mitigates analyzes consistently significantly substantially "
    "effectively is was has can jointly explicitly automatically first aims reveals simulates "
    "utilizes exploits trains measures evaluates assesses covers encompasses spans adaptively "
    "selects converts transforms maps outputs"
)
_HEADS: Final[dict[NameKind, tuple[str, ...]]] = {
    "benchmark": ("benchmark benchmarks testbed leaderboard challenge suite",),
    "dataset": ("dataset datasets corpus collection database subset corpora",),
    "framework": ("framework frameworks pipeline",),
    "model": (
        "model models network networks architecture architectures llm llms vlm vlms mllm",
        "transformer backbone family encoder decoder generator detector predictor classifier",
        "autoencoder assistant lm",
    ),
    "method": (
        "method methods approach approaches algorithm algorithms strategy strategies technique",
        "techniques module modules mechanism mechanisms scheme schemes loss objective optimizer",
        "procedure layer estimator regularizer sampler solution variant block unit policy stage",
        "component components plug-in operator representation extension modification process",
        "step agent protocol formulation regularization recipe route solver adapter paradigm",
        "optimization optimizations innovation innovations design designs principle heuristic",
        "constraint prior kernel rule schedule quantizer tokenizer",
    ),
    "system": (
        "system systems platform toolkit library environment simulator engine infrastructure",
        "tool package interface",
    ),
    "attack": ("attack attacks jailbreak backdoor",),
    "concept": (
        "metric metrics measure phenomenon problem notion concept property task effect index",
        "score setting behavior behaviour class condition theory dimension dimensions hypothesis",
        "perspective paradox regime",
    ),
}
HEADS: Final[dict[str, NameKind]] = {
    word: kind for kind, heads in _HEADS.items() for word in " ".join(heads).split()
}
# heads that tell that something is meant, not what
_WEAK_HEADS: Final = _words(
    "solution variant extension modification process step formulation design paradigm"
)
_CLAUSE_WORDS: Final = _words(
    "that which for to with by of designed where from in on using based via who whose is are "
    "was as when capable enabling aimed aiming through under comprising containing"
)


class Around(NamedTuple):
    """The cue in front of a place, the kind its words tell, and where the cue begins."""

    cue: Cue
    kind: NameKind | None


class Behind(NamedTuple):
    """What follows a place: a bracket, a head noun, an apposition, a verb, or something else."""

    what: Literal["bracket", "noun", "apposed", "acts", "introduced", "none"]
    kind: NameKind | None
    end: int


def in_front(plain: str, opens: int, at: int) -> Around:
    """The cue in front of place `at` in a sentence that opens at `opens`."""
    text = plain[max(opens, at - _REACH) : at]
    text = text.rstrip("\"“‘'`*( ")
    words = text.split()
    if not words:
        return Around("none", None)
    last = words[-1]
    if last[-1] in ",:—–" or last == "--":
        return _after_mark(words)
    place = len(words) - 1
    kind: NameKind | None = None
    ours = one = False
    for _ in range(7):
        if place < 0:
            break
        word = words[place].lower()
        if word in ("our", "proposed", "ours:"):
            ours = True
        elif word in HEADS and place and words[place - 1].lower() in ("we", "to"):
            return Around("used", None)  # "we benchmark X"
        elif word in HEADS and kind is None and place == len(words) - 1:
            kind = HEADS[word]
        elif word in INTRODUCE:
            return Around("intro", kind or ("dataset" if word in _GATHER else None))
        elif word in _NAMING and any(w.lower() in _BEATS for w in words[:place]):
            return Around("other", None)
        elif (
            word in _NAMING
            or (word in _WE_NAME and place and words[place - 1].lower() == "we")
            or (
                word == "as"
                and any(w.lower() in _AS_NAMING for w in words[max(0, place - 7) : place])
            )
        ):
            return Around("named", kind or _kind_before(words, place))
        elif (
            word in ("it", "this", "these", "them")
            and place
            and words[place - 1].lower() in _WE_NAME
        ):
            return Around("named", kind or _kind_before(words, place - 1))
        elif (
            word in ("in", "to")
            and place
            and words[place - 1].lower() in ("results", "resulting", "rise", "leading")
        ):
            return Around("intro", kind)
        elif word in _USE:
            # "the framework uses a Late Injection strategy" names a part, "we use" does not
            third = one and word.endswith("s") and (not place or words[place - 1].lower() != "we")
            return Around("one" if third else "used", None)
        elif word in ("a", "an"):
            one = True
        elif (
            word in _ADJECTIVES
            or "-" in word
            or word.endswith(_ENDINGS)
            or words[place][0].isupper()
        ):
            pass
        elif ours:
            return Around("our", kind)
        elif one:
            return Around("one", kind)
        elif word in _OTHER:
            return Around("other", kind)
        else:
            return Around("none", kind)
        place -= 1
    return Around("our" if ours else "one" if one else "none", kind)


def _after_mark(words: list[str]) -> Around:
    """Behind a comma, colon or dash: `an efficient yet effective solution, PhaseFormer`."""
    head = words[-1].strip(",:—–").lower() or (words[-2].lower() if len(words) > 1 else "")
    if head in _NAMING:
        return Around("named", _kind_before(words, len(words) - 1))
    kind = HEADS.get(head)
    lowered = [w.lower() for w in words]
    if head in ("i.e.", "e.g.", "including", "following"):
        return Around("other", None)
    introduced = any(w in INTRODUCE or w in ("train", "trained", "collect", "use") for w in lowered)
    if "our" in lowered[-3:] and kind:
        return Around("our", kind)
    if introduced and head in _WEAK_HEADS:
        return Around("apposed", None)
    if introduced and (kind := kind or _kind_before(words[-3:], 3)):
        return Around("apposed", kind)
    return Around("none", None)


def _kind_before(words: list[str], place: int) -> NameKind | None:
    """The kind of the nearest head noun before word number `place`."""
    for word in reversed(words[max(0, place - 9) : place]):
        kind = HEADS.get(word.lower().strip(",:;"))
        if kind is not None:
            return kind
    return None


def behind(plain: str, at: int) -> Behind:
    """What follows place `at`."""
    found = _BEHIND.match(plain, at)
    if found is None:
        return Behind("none", None, at)
    if found["bracket"]:
        return Behind("bracket", None, found.end())
    word, following = found["word"].lower(), (found["next"] or "").lower()
    if found["mark"]:
        if word in ("a", "an", "our", "one") or (
            word == "the" and following in ("first", "largest", "only")
        ):
            return Behind("apposed", None, found.start("word"))
        if word in ("which", "that") and following:
            return Behind("apposed" if following in ("is", "serves") else "acts", None, found.end())
        return Behind("none", None, at)
    if word in HEADS:
        return Behind("noun", HEADS[word], found.end("word"))
    if following in HEADS and word not in _OTHER and word not in _ACTS:
        return Behind("noun", HEADS[following], found.end())
    if word in ("is", "are", "was") and following in INTRODUCE:
        return Behind("introduced", None, found.end())
    if word in _ACTS:
        return Behind("acts", None, found.end("word"))
    return Behind("none", None, at)


def head(plain: str, at: int, stop: int) -> NameKind | None:
    """The kind told by the noun phrase that begins at `at`: "a cross-modal ... framework that"."""
    kind: NameKind | None = None
    for count, match in enumerate(_WORD.finditer(plain, at, min(stop, at + 140))):
        word = match[0].lower()
        if count > 1 and word in _CLAUSE_WORDS:
            break
        if word in HEADS:
            kind = None if word in _WEAK_HEADS else HEADS[word]
        if match.end() < len(plain) and plain[match.end()] in ",.;:()" and kind is not None:
            break
    return kind


def listed(plain: str, opens: int, at: int) -> bool:
    """Whether place `at` opens an item of an announced list: "two key parts: X and Y"."""
    colon = plain.rfind(":", max(opens, at - 400), at)
    if colon < 0:
        return False
    item = _ITEM.search(plain, max(colon, at - 24), at)
    if item is None:
        return False
    announced = plain[max(opens, colon - 70) : colon].lower().split()
    return any(word.strip(",") in _PARTS for word in announced[-7:])


_ITEM: Final = re.compile(
    r"(?:[:;,]|\band)\s+(?:\(?(?:[ivx]+|\d|[a-d])[).]\s*)?(?:an?\s|the\s|its\s)?[\"“'‘*]*$"
)
_PARTS: Final = _words(
    "stages components modules steps phases parts strategies techniques mechanisms "
    "innovations optimizations designs objectives losses contributions operators variants "
    "submodules attacks agents policies ideas"
)
