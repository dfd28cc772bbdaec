"""What roles and claims weigh: the features of each sentence of an abstract.

In: the plain sentences of one abstract, in order. Out: for each the names of its features, and
the cues of the rarer claims. `roles` and `claims` both read them, so that a sentence is looked
at in one way, and `train` learns their weights.

The name of a feature is readable, and the words that made it can be seen in it:

- `novel`, `we_propose`: a word, two words in a row; `^however`: among the first words;
  `~improv`: a word without its ending;
- `=intro`: a word of that class of `CLASSES` (propose, introduce ...); `find>gain`: verbs of both
  classes, in that order; `1find`: the first such verb;
- `we=intro`, `we:propos`: what "we" do; likewise `paper`, `tests` (experiments, results), `it`
  (the method) and `name` (a sentence that begins with a name);
- `<=intro`, `>=intro`: the same of the sentence before and behind; `+we=intro`: of any before;
- `@2`, `@-1`, `@3/5`: the place in the abstract;
- `!first`: a cue, see `cues`.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple

from loader import cues
from loader.memo import Memo
from loader.symbols import words as listed

# Classes of words that say what a sentence does.
CLASSES: Final[dict[str, frozenset[str]]] = {
    "intro": listed(
        "propose introduce present develop design devise unveil contribute formulate formalize"
        " formalise construct build create establish define derive offer provide curate collect"
        " compile release assemble craft invent pioneer instantiate extend advocate coin name dub"
        " term identify generalize reformulate recast annotate"
    ),
    "study": listed(
        "study investigate explore examine revisit ask aim seek question hypothesize posit wonder"
        " interested whether goal objective"
    ),
    "look": listed(
        "analyze analyse consider address tackle understand discuss focus characterize argue"
    ),
    "prove": listed("prove derive justify bound guarantee"),
    "find": listed(
        "show find demonstrate observe reveal discover indicate suggest confirm uncover highlight"
        " conclude report notice illustrate corroborate verify evidence"
    ),
    "test": listed(
        "evaluate validate test benchmark compare assess measure conduct perform apply verify"
    ),
    "proof": listed(
        "prove proof theorem theory theoretical theoretically guarantee bound bounds converge"
        " convergence regret provable provably asymptotic asymptotically minimax rigorous"
        " rigorously polynomial complexity optimality identifiability necessary sufficient tight"
        " sublinear near-optimal analytically closed-form"
    ),
    "gain": listed(
        "outperform surpass exceed improve achieve attain reach yield beat boost accelerate enhance"
        " gain gains improvement improvements speedup speedups obtain enjoy set match outperforms"
        " establish advance reduce reduction increase deliver cut"
    ),
    "sota": listed(
        "state-of-the-art sota state-of-art best-performing state-of-the-arts record-setting"
        " leading-edge cutting-edge"
    ),
    "base": listed(
        "baseline baselines existing prior previous competing competitors alternatives counterparts"
        " predecessors strong strongest best latest conventional traditional vanilla standard"
        " current past earlier"
    ),
    "better": listed(
        "better superior higher lower faster stronger best competitive comparable consistently"
        " significantly substantially markedly considerably dramatically fewer less more effective"
        " effectiveness efficient robust superiority notable remarkable strong"
    ),
    "lack": listed(
        "lack lacking fail fails failure suffer struggle limit limited limitation limitations"
        " challenge challenging challenges difficult difficulty costly expensive prohibitive"
        " inefficient hinder hamper impede bottleneck overlook neglect ignore unclear unexplored"
        " underexplored under-explored understudied unresolved open insufficient inadequate poorly"
        " inaccurate unreliable degrade degradation vulnerable brittle restrict restricted"
        " impractical infeasible intractable inability unable cannot barrier gap problem"
        " problematic issue issues concern concerns risk risks drawback drawbacks obstacle scarce"
        " scarcity elusive unknown little missing absence nontrivial non-trivial trivial harm"
        " harmful hard harder bias biased overhead prone incur undermine compromise sacrifice"
        " ineffective burden prevent unfortunately suboptimal sub-optimal rely heavily solely"
        " laborious tedious time-consuming instability unstable collapse mismatch misaligned"
        " error-prone slow demand constrained constrain restricting unsolved understood neglected"
        " largely rarely seldom"
    ),
    "turn": listed(
        "however yet but although though despite while unfortunately nevertheless nonetheless"
        " whereas still conversely"
    ),
    "recent": listed(
        "recent recently emerge emerged become becoming increasingly widely popular growing"
        " advances progress success successful powerful remarkable impressive promising dominant"
        " central crucial essential fundamental important critical vital key ubiquitous modern"
        " traditionally typically commonly often usually generally prevalent long-standing decades"
    ),
    "step": listed(
        "specifically first second third then next finally by via through consists consist"
        " comprises comprise leverage leverages leveraging use using utilize utilizes employ"
        " employs integrate integrates incorporate incorporates combine combines adopt adopts"
        " enable enables allows train trained exploit sample update encode map learn learns"
        " optimize optimizes concretely essentially module modules component components stage"
        " stages strategy"
    ),
    "new": listed(
        "novel new simple framework method approach algorithm model dataset benchmark paradigm"
        " architecture system technique pipeline suite metric toolkit library corpus module scheme"
        " strategy mechanism objective loss formulation protocol taxonomy testbed"
    ),
    "code": listed(
        "code github huggingface https available publicly open-source open-sourced open-sourcing"
        " release released releasing repository project page checkpoints anonymous"
    ),
    "data": listed(
        "benchmark benchmarks dataset datasets experiment experiments experimental experimentally"
        " empirical empirically extensive comprehensive evaluation evaluations results result tasks"
        " settings domains simulations ablation ablations analysis analyses findings study studies"
        " across"
    ),
    "hope": listed(
        "hope future promising potential toward towards paves pave implications insights insight"
        " directions direction foundation opens open highlight underscore position positions"
        " suggest broader understanding step importance practical shed sheds light practitioners"
    ),
    "know": listed("knowledge first-ever first largest"),
    "need": listed(
        "need needed necessitates necessary require requires required urgent must demand"
    ),
}
_ACTIONS = listed("intro study look prove find test gain step lack")
_SUBJECTS: Final[dict[str, str]] = {
    "we": "we",
    **dict.fromkeys(listed("paper work study article survey"), "paper"),
    **dict.fromkeys(
        listed(
            "experiments results experiment evaluations evaluation findings analysis analyses"
            " studies result simulations ablations"
        ),
        "tests",
    ),
    **dict.fromkeys(listed("method approach framework algorithm model models it"), "it"),
}
_ADVERBS = listed(
    "also then further first next finally now here thus therefore additionally furthermore instead"
    " not only aim to seek have can will may hence both are is consequently subsequently"
)


_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*|[%×?:;(]")
_NAME = re.compile(r"(?:The |Our )?[A-Za-z]{0,20}[A-Z0-9][a-z]{0,20}[A-Z0-9][\w+-]*")
_LONGEST = 3000  # characters of a sentence that are looked at; no sentence is longer
MOST: Final = 1000  # sentences of a text that are looked at; no abstract has more
_NO_NEIGHBOUR: Final = ("none",)  # `<none`, `>none`


def _stem(word: str) -> str:
    """The word without the endings that do not change what it says: proposes, proposed."""
    if len(word) > 4:
        if word.endswith("ies"):
            return word[:-3] + "y"
        if word.endswith("ing") and len(word) > 6:
            word = word[:-3]
        elif word.endswith("ed") and len(word) > 5:
            word = word[:-2]
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
        if word.endswith("e") or (word[-1] == word[-2] and word[-1] not in "sl"):
            word = word[:-1]
    return word


STEMS: Final = Memo(_stem)
stem: Final = STEMS.__getitem__


def _class_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, list[str]] = {}
    for name, members in CLASSES.items():
        for form in sorted({*members, *(stem(word) for word in members)}):
            table.setdefault(form, []).append(name)
    return {form: tuple(names) for form, names in table.items()}


_CLASS_OF: Final = _class_table()
_CLASS_BITS: Final = {name: 1 << n for n, name in enumerate(sorted(CLASSES))}


def classes_of(word: str) -> tuple[str, ...]:
    """The classes that a word in lower case belongs to."""
    return _CLASS_OF.get(word) or _CLASS_OF.get(stem(word)) or ()


class Word(NamedTuple):
    """What is known of a word by itself."""

    classes: int  # a bit each, of `_CLASS_BITS`
    gates: int  # of the cues
    action: str | None  # the first of its classes that is one of verbs
    subject: str | None


def _known(word: str) -> Word | None:
    names, gates, subject = classes_of(word), cues.gates(word), _SUBJECTS.get(word)
    if not (names or gates or subject):
        return None
    action = next((name for name in names if name in _ACTIONS), None)
    return Word(sum(map(_CLASS_BITS.__getitem__, names)), gates, action, subject)


_KNOWN: Final = Memo(_known)  # None for a word that says nothing


def is_stemmed(word: str) -> bool:
    """Whether a word is long enough for its stem to be a feature."""
    return len(word) > 5


def tokens(sentence: str) -> list[str]:
    """The words, numbers (as `#`) and telling marks of a sentence, in lower case."""
    return [token for token, _ in _tokens(_lowered(sentence))]


def _tokens(lowered: str) -> list[tuple[str, Word | None]]:
    pieces = lowered.replace(", ", " ").rstrip(".").split()  # no token ends in a comma or a point
    return [*chain.from_iterable(map(_TOKENS.__getitem__, pieces))]


def _tokens_of(piece: str) -> tuple[tuple[str, Word | None], ...]:
    word = piece.rstrip(",.")
    found = [word] if word.isalpha() else _TOKEN.findall(piece)
    read = ["#" if token[0].isdigit() else sys.intern(token) for token in found]
    return tuple([(token, _KNOWN[token]) for token in read])


# Tokens have no white space within, so the pieces between are looked at one by one.
_TOKENS: Final = Memo(_tokens_of, most=30_000)


def _lowered(sentence: str) -> str:
    text = sentence[:_LONGEST]
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text  # so that places stay what they are


class Look:
    """What is seen of one sentence.

    `words`: its tokens; `acts`: what its subjects do; `told`: its classes and acts; `cues`: the
    names of the cues it gives. Of its neighbours: `before` and `behind` are what they tell,
    `earlier` the acts of all before; `place` are the features of where it stands. `own` and
    `around` name all its features: those by itself, those of place and neighbours.
    `weights.Model` weighs the same ones without making their names.
    """

    __slots__ = (
        "_abouts",
        "_cue_places",
        "_given",
        "_lowered",
        "_order",
        "_spans",
        "_stems",
        "acts",
        "before",
        "behind",
        "cues",
        "earlier",
        "place",
        "told",
        "words",
    )

    def __init__(self, sentence: str) -> None:
        self._lowered = lowered = _lowered(sentence)
        words: tuple[str, ...]
        abouts: tuple[Word | None, ...]
        words, abouts = zip(*known, strict=True) if (known := _tokens(lowered)) else ((), ())
        self.words, self._abouts = words, abouts
        order: list[str] = []
        acts: dict[str, None] = {}
        classes = gates = 0
        for index, about in enumerate(abouts):
            if about is None:
                continue
            own, opened, action, subject = about
            classes |= own
            gates |= opened
            if action is not None and len(order) < 6 and (not order or order[-1] != action):
                order.append(action)
            if subject is not None:
                acts.update(_does(subject, words, index + 1))
        name_first = _NAME.match(sentence)
        if name_first is not None:
            acts["name"] = None
            acts.update(_does("name", words, len(tokens(name_first[0]))))
        self._spans: list[tuple[int, int]] | None = None
        self._stems: list[str] | None = None
        self._order = tuple(order)
        self.acts = acts
        self.told = (*_MARKED[classes], *acts)
        self._given = cues.found(lowered, gates)
        self._cue_places: dict[str, list[int]] = {}
        self.cues = tuple(self._given)
        self.before: Sequence[str] = _NO_NEIGHBOUR
        self.behind: Sequence[str] = _NO_NEIGHBOUR
        self.earlier: Sequence[str] = ()
        self.place: tuple[str, ...] = ()

    @property
    def own(self) -> list[str]:
        """The features of the sentence by itself, each once."""
        words = self.words
        row = [*words, *["~" + stem(word) for word in words if is_stemmed(word)]]
        row += [f"{a}_{b}" for a, b in pairwise(words)]
        row += ["^" + word for word in words[:4]]
        return list(dict.fromkeys([*row, *self.firsts, *self.told, *self.acted]))

    @property
    def around(self) -> list[str]:
        """The features of the place and the neighbours, each once."""
        row = ["<" + act for act in self.before]
        row += [">" + act for act in self.behind]
        row += ["+" + act for act in self.earlier]
        return [*row, *self.place]

    @property
    def firsts(self) -> list[str]:
        """The features of the first three words together."""
        if len(self.words) < 3:
            return []
        a, b, c = self.words[:3]
        return [f"^0{a}", f"^1{b}", f"^{a}_{b}_{c}"]

    @property
    def acted(self) -> tuple[str, ...]:
        """The features of the order of the verbs, and of the length."""
        count = len(self.words)
        length = "long" if count > 30 else "middle" if count > 14 else "short"
        return _ACTED[self._order, length]

    def places(self, feature: str) -> Sequence[int]:
        """Which of `words` made a feature of `own`, or a cue, or two cues joined by `*`."""
        find, sought, right = _MADE_OF[feature]
        return find(self, sought, right)

    def _of_word(self, word: str, _: str) -> Sequence[int]:
        return _where(self.words, word)

    def _of_stem(self, sought: str, _: str) -> Sequence[int]:
        return [n for n in _where(self._stemmed(), sought) if is_stemmed(self.words[n])]

    def _of_verb(self, _: str, sought: str) -> Sequence[int]:
        return _where(self._stemmed(), sought)

    def _of_pair(self, left: str, right: str) -> Sequence[int]:
        words = self.words
        ends = len(words) - 1
        starts = [n for n in _where(words, left) if n < ends and words[n + 1] == right]
        return [n + k for n in starts for k in (0, 1)]

    def _of_class(self, _: str, name: str) -> Sequence[int]:
        bit = _CLASS_BITS.get(name, 0)
        return [n for n, about in enumerate(self._abouts) if about is not None and about[0] & bit]

    def _of_first(self, feature: str, _: str) -> Sequence[int]:
        return range(min(len(self.words), feature.count("_") + 1))

    def _of_cues(self, left: str, right: str) -> Sequence[int]:
        at = self._of_cue(left)
        return [*at, *self._of_cue(right)] if right else at

    def _of_cue(self, name: str) -> list[int]:
        if name not in self._cue_places:
            given = self._given[name]
            start, end = cues.place(name, self._lowered) if given is None else given.span()
            first = bisect_left(self.spans, (start,))
            if first and self.spans[first - 1][1] > start:
                first -= 1
            self._cue_places[name] = [*range(first, bisect_left(self.spans, (end,)))]
        return self._cue_places[name]

    def _stemmed(self) -> list[str]:
        if self._stems is None:
            self._stems = [*map(stem, self.words)]
        return self._stems

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where in the sentence its tokens stand."""
        if self._spans is None:
            lowered = self._lowered
            find, end = lowered.find, 0
            self._spans = spans = []
            for word in self.words:  # what stands between tokens begins none, so it is skipped
                if word == "#":
                    start, end = _TOKEN.search(lowered, end).span()  # type: ignore[union-attr]
                else:
                    start = find(word, end)
                    end = start + len(word)
                spans.append((start, end))
        return self._spans


_Places = Callable[[Look, str, str], Sequence[int]]


def _made_of(feature: str) -> tuple[_Places, str, str]:
    """How a feature of `Look.own`, or a cue, is found, and the one or two parts of its name."""
    first = feature[0]
    if "!" in feature and (first == "!" or first.isalpha()):
        left, _, right = feature[feature.index("!") :].partition("*")
        return Look._of_cues, left, right
    if first == "^":
        return Look._of_first, feature, ""
    if first == "~":
        return Look._of_stem, feature[1:], ""
    left, _, right = feature.partition("_")
    if left and right:
        return Look._of_pair, left, right
    left, _, right = feature.partition("=")
    if right:
        return Look._of_class, left, right
    left, _, right = feature.partition(":")
    if left and right:
        return Look._of_verb, left, right
    return Look._of_word, feature, ""


_MADE_OF: Final = Memo(_made_of)


def _where(words: Sequence[str], sought: str) -> Sequence[int]:
    count = words.count(sought)
    if count == 1:
        return (words.index(sought),)
    at, found = -1, []
    for _ in range(count):
        at = words.index(sought, at + 1)
        found.append(at)
    return found


def looks(sentences: Sequence[str]) -> Sequence[Look]:
    """For each sentence what is seen of it; those behind `MOST` are not looked at."""
    return _looks(tuple(sentences[:MOST]))


@lru_cache(maxsize=2)  # roles and claims ask for the same abstract one after the other
def _looks(sentences: tuple[str, ...]) -> tuple[Look, ...]:
    found = tuple(map(Look, sentences))
    count = len(found)
    seen: dict[str, None] = {}
    for index, this in enumerate(found):
        if index:
            this.before = found[index - 1].told
            found[index - 1].behind = this.told
        this.earlier = tuple(seen)
        this.place = _PLACE["we=intro" in seen or "paper=intro" in seen, index, count]
        seen.update(this.acts)
    return found


def is_worded(feature: str) -> bool:
    """Whether words of the sentence itself made a feature, not its place, role or neighbours."""
    return (
        feature[0] not in "@<>+R"
        and "|" not in feature
        and "!elsewhere" not in feature
        and feature not in ("long", "middle", "short")
    )


def _does(subject: str, words: Sequence[str], at: int) -> dict[str, None]:
    """What a subject does: the first of the words from `at` on that is no adverb."""
    for verb in words[at : at + 4]:
        if verb not in _ADVERBS and not verb.endswith("ly"):
            return _act(subject, verb)
    return {}


@lru_cache(maxsize=20_000)
def _act(subject: str, verb: str) -> dict[str, None]:
    """The features of a subject with a verb, as keys in order."""
    names = [f"{subject}:{stem(verb)}", *[f"{subject}={name}" for name in classes_of(verb)]]
    return dict.fromkeys(map(sys.intern, names))


def _acted(order_and_length: tuple[tuple[str, ...], str]) -> tuple[str, ...]:
    order, length = order_and_length
    names = (*["1" + name for name in order[:1]], *map(">".join, pairwise(order)), length)
    return tuple(map(sys.intern, names))


_ACTED: Final = Memo(_acted)
_MARKED: Final = Memo[int, tuple[str, ...]](
    lambda classes: tuple(
        [sys.intern("=" + name) for name, bit in _CLASS_BITS.items() if bit & classes]
    )
)


def _place(where: tuple[bool, int, int]) -> tuple[str, ...]:
    introduced, index, count = where
    at = (f"@{min(index, 5)}", f"@-{min(count - 1 - index, 3)}", f"@{index * 5 // count}/5")
    return at if introduced else ("+nothing", *at)


_PLACE: Final = Memo(_place)
