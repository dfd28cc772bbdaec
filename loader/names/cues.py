"""Cues: the words that tell that a name is introduced, used or compared, and of what kind it is.

In: nothing. Out: sets of words in small letters, and `HEADS`, the head nouns with their kinds.
"""

from __future__ import annotations

from typing import Final

from loader.model import NameKind
from loader.symbols import words as listed


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
IDENTIFY: Final = _forms("identify define formalize formalise uncover conceptualize")
GATHER: Final = _forms("compile curate collect gather")
NAMING: Final = listed(
    "called named termed dubbed coined namely titled entitled denoted abbreviated christened "
    "nicknamed codenamed code-named"
)
WE_NAME: Final = frozenset(["call", "term", "name", "dub", "coin", "denote", "christen"])
AS_NAMING: Final = listed(
    "refer refers referred define defines call term denote denoted known described coin "
    "formalize identify dub abbreviated termed"
)
WORKS: Final = listed("paper work article study report letter thesis manuscript")
MAKING: Final = listed(
    "design implementation development construction creation release introduction architecture "
    "collection"
)
RESULTING: Final = listed("resulting new novel proposed final ensuing")
THESE: Final = frozenset(["this", "our", "present", "current"])
# "the recently proposed X": somebody else's
EARLIER: Final = listed("recently previously originally earlier already first was were been")
MADE: Final = listed("train trained use leads lead leading results")
COMPARES: Final = _forms("compare evaluate study analyze analyse investigate examine benchmark")
TRAINS: Final = _forms("train pretrain pre-train")
HEART: Final = listed("heart core center centre essence contribution key crux outcome")
EMBODIED: Final = listed(
    "instantiate instantiated implement implemented realize realized embody embodied achieved "
    "attained enabled"
)
EXTENDED: Final = frozenset(["extend", "generalize", "generalise"])
AUTHORS: Final = WORKS | {"we", "i", "us", "authors"}
OURS: Final = AUTHORS | {"our", "new", "novel", "proposed"}
USE: Final = (
    _forms(
        "use apply adopt employ leverage utilize revisit study analyze analyse consider examine "
        "extend compare evaluate investigate"
        " adapt combine incorporate integrate outperform surpass beat match train test replace "
        "follow include fine-tune finetune deploy benchmark"
    )
    - INTRODUCE
)
BEATS: Final = _forms("outperform surpass beat exceed match") | {"over", "than"}
AGAINST: Final = BEATS | _forms("compare")
OTHER: Final = listed(
    "as like including e.g. e.g., i.e. i.e., over than on onto of from by using via under for "
    "against between across within to in into vs vs. versus existing prior standard "
    "conventional popular original baseline baselines with and or both through upon at is are "
    "recent widely-used well-known state-of-the-art pre-trained pretrained vanilla classical "
    "traditional unlike besides"
)
# "with a Conditional Random Field": something that is there already
JOINING: Final = frozenset(["with", "by", "using", "from", "like", "as", "on", "over", "than"])
# a name behind one of these is not introduced; the others may stand in "at the heart of it is X"
NO_INTRODUCTION: Final = (USE | OTHER) - INTRODUCE - listed("as in of and to by is are at through")
ADJECTIVES: Final = listed(
    "the its new novel simple first unified effective efficient open large-scale general "
    "so-called lightweight principled scalable comprehensive yet and but two three four "
    "following versatile powerful practical flexible strong robust improved complementary "
    "another second additional resulting ensuing final overall whole dedicated specialized "
    "tailored challenging large fully "
    "small-scale diverse high-quality fast accurate generic concept notion also further then "
    "thus therefore instead here first, paper paper, work, work family of use simple, novel,"
)
ENDINGS: Final = (
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
ACTS: Final = listed(
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
KINDS: Final[dict[NameKind, tuple[str, ...]]] = {
    "benchmark": ("benchmark benchmarks testbed leaderboard challenge suite",),
    "dataset": ("dataset datasets corpus collection database subset corpora",),
    "framework": ("framework frameworks pipeline",),
    "model": (
        "model models network networks architecture architectures llm llms vlm vlms mllm",
        "transformer backbone family encoder decoder generator detector predictor classifier",
        "autoencoder assistant lm tokenizer",
    ),
    "method": (
        "method methods approach approaches algorithm algorithms strategy strategies technique",
        "techniques module modules mechanism mechanisms scheme schemes loss objective optimizer",
        "procedure layer estimator regularizer sampler solution variant block unit policy stage",
        "variants version versions component components plug-in",
        "operator representation extension modification process",
        "step agent protocol formulation regularization recipe route solver adapter paradigm",
        "feature features embedding embeddings descriptor descriptors",
        "optimization optimizations innovation innovations design designs principle heuristic",
        "constraint prior kernel rule schedule quantizer",
    ),
    "system": (
        "system systems platform toolkit library environment simulator engine infrastructure",
        "tool package interface",
    ),
    "attack": ("attack attacks jailbreak backdoor",),
    "concept": (
        "metric metrics measure phenomenon problem notion concept property task effect index",
        "score setting behavior behaviour class condition theory dimension dimensions hypothesis",
        "perspective paradox regime limitation tendency pathology pattern failure gap law bias",
    ),
}
HEADS: Final[dict[str, NameKind]] = {
    word: kind for kind, heads in KINDS.items() for word in " ".join(heads).split()
}
# heads that tell that something is meant, not what
WEAK_HEADS: Final = listed(
    "solution variant variants version versions extension modification process step formulation "
    "design paradigm"
)
AFTER_HEAD: Final = listed(
    "and or trained built collected annotated developed consisting composed containing comprised "
    "obtained proposed together plus spanning covering"
)
CLAUSE_WORDS: Final = listed(
    "that which for to with by of designed where from in on using based via who whose is are "
    "was as when capable enabling aimed aiming through under comprising containing"
)


PROPOSED: Final = listed(
    "proposed introduced presented developed designed devised built constructed created released "
    "formulated established"
)
ADVERBS: Final = listed(
    "first instead also further then thus only not alone itself now always even still"
)
COUNTS: Final = listed("two three four five six several both 2 3 4 5 6 new novel complementary")
PARTS: Final = listed(
    "stages components modules steps phases parts strategies techniques mechanisms "
    "innovations optimizations designs objectives losses contributions operators variants "
    "submodules attacks agents policies ideas"
)
# all words that may introduce or name something, a quick test for the closer reading
SAYING: Final = (
    INTRODUCE
    | NAMING
    | WE_NAME
    | frozenset(HEADS)
    | listed("as it this these them available is in by to at")
)
