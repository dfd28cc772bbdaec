"""Context: what the words around a stretch of text say about it.

In: a plain text and a place in it. Out: the cue in front of the place ("we propose", "called",
"such as"), the continuation behind it, and the head noun of a phrase ("a cross-modal framework").

Only words are looked up, from the place outwards, so the cost does not grow with the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from loader.model import NameKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


Cue = Literal["intro", "named", "our", "trained", "apposed", "used", "other", "new", "one", "none"]

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


INTRODUCE: Final = (
    _forms(
        "introduce propose present develop design devise release construct create unveil "
        "contribute curate compile collect establish formulate open-source define identify "
        "implement formalize formalise advocate offer provide publish derive reveal uncover "
        "pioneer conceptualize launch craft engineer prototype outline invent assemble suggest "
        "describe"
    )
    | frozenset("build built builds building yield yields yielding wrote".split())
) - {"describing", "suggesting", "described"}
_IDENTIFY: Final = _forms("identify define formalize formalise uncover conceptualize")
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
_WORKS: Final = _words("paper work article study report letter thesis manuscript")
_MAKING: Final = _words(
    "design implementation development construction creation release introduction architecture "
    "collection"
)
_RESULTING: Final = _words("resulting new novel proposed final ensuing")
_THESE: Final = frozenset(["this", "our", "present", "current"])
_MADE: Final = frozenset(["train", "trained", "use"])
_COMPARES: Final = _forms("compare evaluate study analyze analyse investigate examine benchmark")
_TRAINS: Final = _forms("train pretrain pre-train")
_HEART: Final = _words("heart core center centre essence contribution key crux outcome")
_EMBODIED: Final = _words(
    "instantiate instantiated implement implemented realize realized embody embodied achieved "
    "attained enabled"
)
_EXTENDED: Final = frozenset(["extend", "generalize", "generalise"])
_AUTHORS: Final = _WORKS | {"we", "i", "us", "authors"}
_OURS: Final = _AUTHORS | {"our", "new", "novel", "proposed"}
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
_AGAINST: Final = _BEATS | _forms("compare")
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
    "another second additional resulting ensuing final overall whole dedicated specialized "
    "tailored challenging large fully "
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
        "structure structures feature features embedding embeddings descriptor descriptors",
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
_AFTER_HEAD: Final = _words(
    "and or trained built collected annotated developed consisting composed containing comprised "
    "obtained proposed together plus spanning covering"
)
_CLAUSE_WORDS: Final = _words(
    "that which for to with by of designed where from in on using based via who whose is are "
    "was as when capable enabling aimed aiming through under comprising containing"
)


_PROPOSED: Final = _words(
    "proposed introduced presented developed designed devised built constructed created released "
    "formulated established"
)
_PASSIVE: Final = re.compile(
    rf" (?:then |here |further |also )?(?:{'|'.join(sorted(_PROPOSED))})\b"
)
_ADVERBS: Final = _words(
    "instead also further then thus only not alone itself now always even still"
)
# what stands behind a verb rather than behind a noun in the plural: "X retains 4.8%"
_OBJECT: Final = re.compile(
    r" (?:(?:an?|the|its|their|both|all|each|only|up|more|fewer|less|better|any|several|two|three|"
    r"high|higher|low|lower|comparable|competitive|similar|superior|new|with|from|by)\b|[\d\"“+-])"
)


class Around(NamedTuple):
    """The cue in front of a place, the kind its words tell, and whether the authors speak."""

    cue: Cue
    kind: NameKind | None
    firm: bool = False  # "we propose", "this paper introduces", "our": whatever the role
    one: bool = False  # "a", "an"


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
    if last[-1] in ",:—–" or last in ("--", "-"):
        return _after_mark(words)
    place = len(words) - 1
    kind: NameKind | None = None
    ours = one = new = False
    for _ in range(8):
        if place < 0:
            break
        word = words[place].lower()
        if word in ("our", "proposed", "ours:"):
            ours = True
        elif word in _WORKS and place > 1 and words[place - 1].lower() in ("this", "the"):
            if words[place - 2].lower() != "in":
                return Around("none", kind)
            place -= 2  # "we propose in this paper the X"
        elif word in ("of", "and") and place > 1 and words[place - 1].lower() in _MAKING:
            if words[place - 2].lower() not in ("the", "and", ","):
                return Around("none", kind)
            place -= 1  # "we present the design and implementation of X"
        elif place < len(words) - 1 and word[-1] == "," and words[place][0].isupper():
            break  # "we present X, an OpenGL simulator"
        elif word in INTRODUCE and not (word in HEADS and words[place - 1].lower() != "we"):
            kind = kind or ("dataset" if word in _GATHER else None)
            kind = kind or ("concept" if word in _IDENTIFY else None)
            return Around("intro", kind, _speaks(words, place), one)
        elif word in HEADS and place and words[place - 1].lower() in ("we", "to"):
            return Around("used", None)  # "we benchmark X"
        elif word in HEADS and kind is None and place == len(words) - 1:
            kind = HEADS[word]
        elif word in _NAMING and any(w.lower() in _AGAINST for w in words[:place]):
            return Around("other", None)
        elif (
            word in _NAMING
            or (word in _WE_NAME and place and words[place - 1].lower() == "we")
            or (
                word == "as"
                and words[place - 1].lower() != "such"
                and any(w.lower() in _AS_NAMING for w in words[max(0, place - 7) : place])
            )
        ):
            return Around("named", kind or _kind_before(words, place), _is_ours(words))
        elif (
            word in ("it", "this", "these", "them")
            and place
            and words[place - 1].lower() in _WE_NAME
        ):
            return Around("named", kind or _kind_before(words, place - 1), _is_ours(words))
        elif word == "available" and place and words[place - 1].lower() in ("make", "made"):
            return Around("intro", kind, True)
        elif word == "is" and _HEART & {w.lower() for w in words[:place]}:
            return Around("intro", kind, _is_ours(words))  # "the core of our work is X"
        elif (
            word in ("in", "as", "by")
            and place
            and _EMBODIED & {w.lower() for w in words[max(0, place - 5) : place]}
        ):
            return Around("apposed", kind, _is_ours(words))  # "we implement these ideas in X"
        elif (
            word in ("in", "to")
            and place
            and words[place - 1].lower() in ("results", "resulting", "rise", "leading")
        ):
            return Around("intro", kind)
        elif word == "to" and _EXTENDED & {w.lower() for w in words[max(0, place - 5) : place]}:
            return Around("intro", kind, _speaks(words, place - 2), one)  # "we extend Y to X"
        elif word in _USE:
            # "the framework uses a Late Injection strategy" names a part, "we use" does not
            if word in _TRAINS and place == len(words) - 1:
                return Around("trained", None, _speaks(words, place))
            third = one and word.endswith("s") and (not place or words[place - 1].lower() != "we")
            return Around("one" if third else "used", None, False, one)
        elif word in ("a", "an"):
            one = True
        elif (
            word in _ADJECTIVES
            or "-" in word
            or word.endswith(_ENDINGS)
            or word.endswith("ly")
            or words[place][0].isupper()
        ):
            new = new or word in ("new", "novel")
        elif ours:
            return Around("our", kind, True)
        elif one:
            break
        elif word in _OTHER:
            return Around("other", kind)
        else:
            return Around("none", kind)
        place -= 1
    if ours:
        return Around("our", kind, True)
    if one:
        return Around("new" if new else "one", kind, False, True)
    return Around("none", kind)


def _speaks(words: Sequence[str], place: int) -> bool:
    """Whether the authors are the subject of the verb at `place`: "we first", "this paper"."""
    for at in range(place - 1, max(-1, place - 5), -1):
        word = words[at].strip(",.").lower()
        if word in _WORKS:
            return at > 0 and words[at - 1].lower() in _THESE
        if word in _AUTHORS:
            return True
    return False


def _is_ours(words: Sequence[str]) -> bool:
    """Whether the authors or something new are spoken of."""
    return any(w.lower() in _OURS for w in words)


def _after_mark(words: list[str]) -> Around:
    """Behind a comma, colon or dash: `an efficient yet effective solution, PhaseFormer`."""
    head = words[-1].strip(",:—–-").lower() or (words[-2].lower() if len(words) > 1 else "")
    if head in _NAMING:
        return Around("named", _kind_before(words, len(words) - 1), _is_ours(words))
    kind = HEADS.get(head)
    lowered = [w.lower().strip(",:;()") for w in words]
    if any("(" in w for w in words[-3:]):
        return Around("none", None)
    if head in ("i.e.", "e.g.", "including", "following"):
        return Around("other", None)
    verbs = [i for i, w in enumerate(lowered) if w in INTRODUCE or w in _MADE]
    introduced = bool(verbs) and not any(w in _COMPARES for w in lowered[verbs[-1] :])
    if kind and ("our" in lowered[-4:] or (lowered[-3:-1] and _RESULTING & set(lowered[-3:-1]))):
        return Around("our", kind, True)  # "our method, X", "the resulting model, X"
    firm = introduced and any(w in _AUTHORS for w in lowered)
    if introduced and head in _WEAK_HEADS:
        return Around("apposed", None, firm)
    if introduced and (kind := kind or _kind_before(words[-3:], 3)):
        return Around("apposed", kind, firm)
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
        if word == "the" and following in _RESULTING | {"method", "model", "system", "approach"}:
            return Behind("apposed", None, found.start("next"))
        if word in ("which", "that") and following:
            return Behind("apposed" if following in ("is", "serves") else "acts", None, found.end())
        if word in ("is", "are") and following in _PROPOSED:
            return Behind("introduced", None, found.end())  # "a new method, X, is proposed"
        if found["mark"] == "," and word in ("is", "was"):
            return Behind("acts", None, found.end("word"))  # "our method, X, is a network"
        return Behind("none", None, at)
    if word in HEADS and word != "features":
        if following in ("is", "are") and _PASSIVE.match(plain, found.end()):
            return Behind("introduced", HEADS[word], found.end("word"))
        return Behind("noun", HEADS[word], found.end("word"))
    if following in HEADS and word not in _OTHER and word not in _ACTS:
        return Behind("noun", HEADS[following], found.end())
    if word in ("is", "are", "was") and following in _PROPOSED:
        return Behind("introduced", None, found.end())
    if word in _ACTS:
        return Behind("acts", None, found.end("word"))
    if (word[-1] == "s" and _OBJECT.match(plain, found.end("word"))) or (
        following[-1:] == "s" and (word in _ADVERBS or word.endswith("ly"))
    ):
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
        elif kind is not None and word in _AFTER_HEAD:
            break  # "a network trained on", "a benchmark suite and dataset"
        if match.end() < len(plain) and plain[match.end()] in ",.;:()" and kind is not None:
            break
    return kind


def proposed(plain: str, opens: int, at: int) -> tuple[NameKind | None] | None:
    """Whether the authors propose something in front of `at`, and the kind of its head noun."""
    words = [w.strip(",(").lower() for w in plain[max(opens, at - _REACH) : at].split()]
    for place in range(len(words) - 1, 0, -1):
        if words[place] in INTRODUCE and words[place - 1] in _AUTHORS:
            heads = [HEADS[w] for w in words[place:] if w in HEADS]
            return (heads[0] if heads else None,)
    return None


def listed(plain: str, opens: int, at: int) -> NameKind | None:
    """What is announced where place `at` opens an item of a list: "two key parts: X and Y",
    "we propose two samplers for rivers: X and Y"."""
    colon = plain.rfind(":", max(opens, at - 400), at)
    if colon < 0:
        return None
    item = _ITEM.search(plain, max(colon, at - 24), at)
    if item is None:
        return None
    announced = [w.strip(",()") for w in plain[max(opens, colon - 110) : colon].lower().split()]
    if any(word in _PARTS for word in announced[-7:]):
        return "method"
    verb = next((i for i, w in enumerate(announced) if w in INTRODUCE or w in _NAMING), -1)
    if verb < 0 or verb < len(announced) - 14 or any(w in _USE for w in announced[verb:]):
        return None
    several = verb == len(announced) - 1 or any(w in _COUNTS for w in announced[verb + 1 :])
    phrase = announced if verb == len(announced) - 1 else announced[verb + 1 :]
    heads = [HEADS[w] for w in phrase if w in HEADS and w[-1] == "s" and w[-2] != "s"]
    return heads[0] if several and heads else None


_ITEM: Final = re.compile(
    r"(?:[:;,]|\band)\s+(?:\(?(?:[ivx]+|\d|[a-d])[).]\s*)?(?:an?\s|the\s|its\s)?[\"“'‘*]*$"
)
_COUNTS: Final = _words("two three four five six several both 2 3 4 5 6 new novel complementary")
_PARTS: Final = _words(
    "stages components modules steps phases parts strategies techniques mechanisms "
    "innovations optimizations designs objectives losses contributions operators variants "
    "submodules attacks agents policies ideas"
)
