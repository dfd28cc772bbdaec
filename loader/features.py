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
- `!first`: a cue, see `CUES`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

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

_GAIN = (
    r"(?:outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?|superior\w*|improv\w+|better|higher|"
    r"lower|faster|fewer|gains?|reduc\w+|advances?|advantages?|over|than|against|"
    r"compared (?:to|with)|relative to)"
)
_SOTA = r"(?:state[- ]of[- ](?:the[- ])?arts?|sota|leading-edge|cutting-edge)"
_PRIOR = (
    rf"(?:{_SOTA}|(?:all|existing|prior|previous|competing|latest|best(?:-performing)?|strongest|"
    r"most advanced|most cited|current|recent|earlier|past|every)(?: \S+){0,4}? (?:methods?|"
    r"baselines?|approach(?:es)?|models?|techniques?|algorithms?|works?|attacks?|defen[sc]es?|"
    r"systems?|alternatives|competitors|solutions|results?|frameworks?|art|strategies|tools?|"
    r"counterparts|estimators?|optimizers?|agents?|policies|architectures?|schemes?|llms|metrics|"
    r"samplers?)\b)"
)
_NO_FIRST = (
    r"(?! (?:step|stage|phase|term|component|part|layer|one|of|variant|two|three|few|order|is|"
    r"uses?|place|time step|token|and|glance|half|we|principal)\b|-order|-person|-principles|"
    r"[,;:.])"
)
_GAINS = (
    r"(?:achieves?|reduces?|improves?|outperforms?|surpasses|exceeds?|enables?|generalizes|"
    r"extends?|matches|maintains|retains|preserves|mitigates?|accelerates|delivers|obtains?|"
    r"attains?|yields|eliminates|avoids|stabilizes|scales|performs|supports|transfers|ensures|"
    r"enhances?|boosts|remains?|requires|saves|runs|converges)"
)
_YIELDING = (
    r"(?:achiev|outperform|surpass|improv|reduc|yield|enabl|demonstrat|show|sett|establish|mak|"
    r"lead|result|obtain|exceed|attain|highlight|suggest|indicat|ensur|offer|provid|reveal|"
    r"confirm|underscor|avoid|eliminat|deliver|promot|allow)ing"
)
_FOUND = (
    r"(?:shows?|finds?|found|demonstrates?|observed?|reveals?|discover(?:ed)?|indicates?|"
    r"suggests?|confirms?|uncovers?|highlights?|conclude|identify|validate|verify|illustrate|"
    r"establish|prove|corroborate|see)"
)
# Cues of the claims that are too rare to be learned word by word; looked for in lower case.
CUES: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "!beats_sota": rf"\b{_GAIN}\b(?: \S+){{0,7}}? {_SOTA}\b",
        "!beats_prior": r"\b(?:outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?)\b"
        rf"(?: \S+){{0,5}}? {_PRIOR}",
        "!over_prior": r"\b(?:over|than|against|beyond|compared (?:to|with)|relative to)"
        rf"(?: the| its| their| other)? {_PRIOR}",
        "!reaches_sota": r"\b(?:achiev\w+|set(?:s|ting)?|establish\w*|attain\w*|deliver\w*|"
        r"obtain\w*|reach\w*|yield\w*|demonstrat\w+|new|with|its|record|exhibit\w*|show\w*|"
        rf"offer\w*|provid\w+|produc\w+)(?: \S+){{0,5}}? {_SOTA}\b",
        "!new_best": r"\b(?:new|set\w*|establish\w*)(?: \S+){0,3}? "
        rf"(?:{_SOTA}|records?|benchmark|pareto|frontier)\b|\b"
        r"(?:the best(?! of\b| observed| possible)|best-in-class|highest|the strongest|record-\w+|"
        r"(?:ranks?|ranked|came|placed) (?:first|1st)|"
        r"best overall|best reported|best known|best published)\b|"
        r"\b(?:largest|strongest|fastest|most \w+)\b.{0,90}\bto date\b|"
        r"\bthe largest(?: \S+){0,5}? (?:dataset|data set|corpus|benchmark|collection)\b",
        "!sota_result": rf"\b{_SOTA}\)?(?: \S+){{0,3}}? (?:performance|results?|accuracy|quality|"
        r"scores?|robustness|efficiency|success|fidelity|on|in|across|among)\b",
        "!sota_thing": rf"\b{_SOTA}(?: \S+){{0,3}}? (?:models?|llms?|vlms?|language|methods?|"
        r"baselines?|approaches|techniques|systems|attacks|algorithms|defenses)\b",
        "!sota": rf"\b{_SOTA}\b",
        "!comparable": r"\b(?:competitive|comparable|on par|match(?:es|ing)?|rivals?)\b",
        "!the_first": rf"\b(?:the|a|our) (?:very )?first(?:-ever)?\b{_NO_FIRST}",
        "!first_time": r"\bfor the first time\b|\bfirst time\b|\bfirst-ever\b|"
        r"\bfirst of (?:its|this) kind\b",
        "!knowledge": r"\bto (?:the best of )?our (?:best )?knowledge\b|\bas far as we know\b",
        "!first_what": r"\b(?:the|a) first (?:\S+ ){0,6}?(?:to|that|large-scale|systematic|"
        r"comprehensive|open|method|framework|benchmark|dataset|model|algorithm|work|study|"
        r"approach|system|guarantees?|bounds?|results?|attempt|general|unified|formal|explanation|"
        r"evidence|end-to-end|analysis|provabl\w+|polynomial\S*|publicly|theoretical|non-\w+|"
        r"efficient)\b",
        "!first_step": r"\bfirst (?:step|stage|attempt)\b",
        "!available": r"\b(?:code|data ?sets?|data|models?|checkpoints?|weights|demo|project|"
        r"website|page|implementation|toolkit|library|tools?|benchmark|scripts|videos?|resources|"
        r"software|materials?)\b.{0,80}?\b(?:available|released?|open[- ]?sourced?|public(?:ly)?|"
        r"accessible|found|accessed|hosted|provided|online|https?:|here)\b",
        "!releases": r"\b(?:releas(?:e|es|ed|ing)|open[- ]?sourc(?:e|es|ed|ing)|"
        r"publicly available|make (?:\S+ ){1,5}(?:public|available)|"
        r"made (?:\S+ ){0,3}available|publish)\b",
        "!we_release": r"\b(?:we|work|paper|authors?|team) (?:\w+ ){0,2}?(?:releas(?:e|es)|"
        r"open[- ]?sourc(?:e|es)|publish(?:es)?|"
        r"(?:make|share)s? (?:\S+ ){1,6}?(?:public|available))|"
        r"\b(?:is|are|be|been|also) (?:\w+ )?(?:made )?(?:publicly |freely |openly )?"
        r"(?:available|released|open-sourced|public)\b",
        "!link": r"https?://|\bgithub|\bhugging ?face|\burl\b",
        "!proves": r"\b(?:we|paper|work|and|results?|analysis|also|proof|,) (?:\w+ly )?"
        r"(?:also |further |then |first |even )?(?:prov(?:e|es|ing)|deriv(?:e|es|ing)|"
        r"establish(?:es|ing)? (?:that|(?:\S+ ){0,4}?(?:bounds?|rates?|guarantees?|convergence|"
        r"conditions?|theor\w+|equivalence|optimality|consistency))|"
        r"theoretically|formally|rigorously)\b",
        "!theory_shows": r"\b(?:theoretical(?:ly)?|formal(?:ly)?|rigorous(?:ly)?|"
        r"mathematical(?:ly)?|analytical(?:ly)?|provabl[ey])\b(?: \S+){0,4}? (?:show\w*|prov\w+|"
        r"demonstrat\w+|establish\w*|analy\w+|justif\w+|guarante\w+|ground\w+|support|"
        r"characteri\w+|deriv\w+|explain\w*|insights?|results?|properties|underst\w+|"
        r"foundation\w*)",
        "!bound": r"\b(?:upper|lower|regret|error|generalization|risk|concentration|"
        r"sample complexity|convergence|excess|pac-bayes\w*|approximation|minimax|tight|optimal|"
        r"matching|finite-sample|non-asymptotic|theoretical|provable|worst-case)(?: \S+){0,2}? "
        r"(?:bounds?|guarantees?)\b|\b(?:convergence|minimax|optimal|linear|sublinear) rates?\b|"
        r"\brates? of convergence\b|\b(?:we|and) (?:\w+ )?bound\b|\bo\(|õ\(",
        "!guarantee": r"\bguarante\w+|\btheorems?\b|\bproofs?\b|\bprovabl\w+|"
        r"\bnecessary and sufficient\b|\bidentifiab\w+|\bconverge(?:s|nce)?\b|"
        r"\bpolynomial[- ]time\b|\bclosed[- ]form\b|\bin the limit\b|\basymptotic\w*|\bminimax\b|"
        r"\bnp-hard\w*|\bexpressiv\w+|\bimpossib\w+|\buniversal approx\w+|\blipschitz\b",
        "!prove": r"\bprov(?:e|es|ing|en)\b",
        "!theory": r"\btheor(?:y|ies|etical|etically|em|ems)\b",
        "!keeps": r"\b(?:while|whilst)(?: \w+ly| still| also| even)? (?:maintain|preserv|retain|"
        r"sustain|keep|improv|reduc|achiev|requir|using|remain|offer|match|outperform|enabl|"
        r"enhanc|incur|deliver)\w*|\bwithout (?:\w+ing|any \w+|additional|extra|loss|retrain\w*|"
        r"access|the need)\b|\bwith(?: only| just)? (?:minimal|negligible|little|no|only|fewer|"
        r"less|lower|comparable|a fraction)\b|\bat (?:minimal|no|negligible|low\w*)\b",
        "!thus": rf", (?:(?:while|and|thus|hence|\w+ly|thereby) ){{0,3}}{_YIELDING}\b",
        "!gains": rf"\b{_GAINS}\b",
        "!found": rf"\b{_FOUND}(?: empirically| experimentally| theoretically)? "
        r"(?:that|how|the|its|a|an|two|three|substantial|strong|significant|consistent)\b",
    }.items()
}
# A cue is looked for only where one of these words, or one that begins so, stands.
_SOTA_GATE = r"state|sota|leading-edge|cutting-edge"
_PRIOR_GATE = (
    rf"{_SOTA_GATE}|all$|existing|prior$|previous|competing|latest|best|strongest|most$|current|"
    r"recent|earlier|past$|every$"
)
_PROOF_GATE = r"prov|deriv|establish|theor|formal|rigor"
_GATES: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "!beats_sota": _SOTA_GATE,
        "!beats_prior": r"outperform|surpass|exceed|beat",
        "!over_prior": _PRIOR_GATE,
        "!reaches_sota": _SOTA_GATE,
        "!new_best": rf"{_SOTA_GATE}|record|rank|came$|placed$|benchmark$|pareto|frontier|"
        r"best|highest|strongest|"
        r"largest|date$",
        "!sota_result": _SOTA_GATE,
        "!sota_thing": _SOTA_GATE,
        "!sota": _SOTA_GATE,
        "!comparable": r"competitive|comparable|par$|match|rival",
        "!the_first": r"first",
        "!first_time": r"first",
        "!knowledge": r"knowledge|know$",
        "!first_what": r"first",
        "!first_step": r"first",
        "!available": r"availab|releas|open|public|accessib|found|accessed|hosted|provided|online|"
        r"http|here$",
        "!releases": r"releas|open|publicly|available|public$|publish",
        "!we_release": r"releas|open|publish|available|public$",
        "!link": r"http|github|hugging|url$",
        "!proves": _PROOF_GATE,
        "!theory_shows": r"prov|theor|formal|rigor|mathemat|analytical",
        "!bound": r"bound|rate|guarantee|[oõ]$",
        "!guarantee": r"guarante|theorem|proof|provabl|necessary|identifiab|converge|polynomial|"
        r"closed|limit|asymptotic|minimax|np-hard|expressiv|impossib|universal|lipschitz",
        "!prove": r"prov",
        "!theory": r"theor",
        "!keeps": r"(?:while|whilst|without|minimal|negligible|little|no|only|fewer|less|lower|"
        r"comparable|fraction)$|low",
        "!thus": rf"{_YIELDING}$",
        "!gains": rf"{_GAINS}$",
        "!found": rf"{_FOUND}$",
    }.items()
}
_CUES = tuple(CUES.items())
_GATE_OF = tuple(_GATES[name] for name in CUES)

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*|[%×?:;(]|https?://")
# The same tokens where all is ASCII in lower case; a third faster.
_PLAIN_TOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*|[0-9]+(?:[.,][0-9]+)*|[%?:;(]")
_DIGIT = re.compile(r"[0-9]")
_NAME = re.compile(r"(?:The |Our )?[A-Za-z]{0,20}[A-Z0-9][a-z]{0,20}[A-Z0-9][\w+-]*")
_LONGEST = 3000  # characters of a sentence that are looked at; no sentence is longer
MOST: Final = 1000  # sentences of a text that are looked at; no abstract has more
_NO_NEIGHBOUR: Final = ("none",)  # `<none`, `>none`


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
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


def _class_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, list[str]] = {}
    for name, members in CLASSES.items():
        for form in sorted({*members, *(stem(word) for word in members)}):
            table.setdefault(form, []).append(name)
    return {form: tuple(names) for form, names in table.items()}


_CLASS_OF: Final = _class_table()


class Word(NamedTuple):
    """What is known of a word by itself."""

    classes: tuple[str, ...]
    action: str | None  # the first of its classes that is one of verbs
    subject: str | None
    cues: tuple[int, ...]  # places in `CUES` of those that may stand where it stands


class _Known(dict[str, Word | None]):
    """What is known of words in lower case, None for nothing; each is looked up once."""

    _MOST = 50_000

    def __missing__(self, word: str) -> Word | None:
        classes = classes_of(word)
        about = Word(
            classes,
            next((name for name in classes if name in _ACTIONS), None),
            _SUBJECTS.get(word),
            tuple(at for at, gate in enumerate(_GATE_OF) if gate.match(word)),
        )
        if len(self) >= self._MOST:
            self.clear()
        self[word] = about if any(about) else None
        return self[word]


KNOWN: Final = _Known()


def classes_of(word: str) -> tuple[str, ...]:
    """The classes that a word in lower case belongs to."""
    return _CLASS_OF.get(word) or _CLASS_OF.get(stem(word)) or ()


def is_stemmed(word: str) -> bool:
    """Whether a word is long enough for its stem to be a feature."""
    return len(word) > 5


def tokens(sentence: str) -> list[str]:
    """The words, numbers (as `#`) and telling marks of a sentence, in lower case."""
    return _tokens(_lowered(sentence))


def _tokens(lowered: str) -> list[str]:
    plain = lowered.isascii()
    found: list[str] = (_PLAIN_TOKEN if plain else _TOKEN).findall(lowered)
    if plain and _DIGIT.search(lowered) is None:
        return found
    return ["#" if token[0].isdigit() else token for token in found]


def _lowered(sentence: str) -> str:
    text = sentence[:_LONGEST]
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text  # so that places stay what they are


class Look:
    """What is seen of one sentence.

    `words`: its tokens; `acts`: what its subjects do; `told`: its classes and acts; `order`: its
    verbs by class; `cues`: the cues it gives. Of its neighbours: `before` and `behind` are what
    they tell, `earlier` the acts of all before; `place` are the features of where it stands.
    `own` and `around` name all its features: those by itself, those of place and neighbours.
    `weights.Model` weighs the same ones in the same order without making their names.
    """

    __slots__ = (
        "_cues",
        "_gated",
        "_lowered",
        "_spans",
        "_stems",
        "acts",
        "before",
        "behind",
        "earlier",
        "marked",
        "order",
        "place",
        "told",
        "words",
    )

    def __init__(self, sentence: str) -> None:
        self._lowered = _lowered(sentence)
        self.words = words = _tokens(self._lowered)
        order: list[str] = []
        classes: set[str] = set()
        acts: dict[str, None] = {}
        gated: set[int] = set()
        for index, about in enumerate(map(KNOWN.__getitem__, words)):
            if about is None:
                continue
            found, action, subject, gates = about
            if found:
                classes.update(found)
                if action is not None and len(order) < 6 and (not order or order[-1] != action):
                    order.append(action)
            if subject is not None:
                acts.update(_does(subject, words, index + 1))
            if gates:
                gated.update(gates)
        name_first = _NAME.match(sentence)
        if name_first is not None:
            acts["name"] = None
            acts.update(_does("name", words, len(tokens(name_first[0]))))
        self._gated = gated
        self._cues: dict[str, tuple[int, int]] | None = None
        self._spans: list[tuple[int, int]] | None = None
        self._stems: list[str] | None = None
        self.order = order
        self.acts = acts
        self.marked = ["=" + name for name in sorted(classes)]
        self.told = [*self.marked, *acts]
        self.before: Sequence[str] = _NO_NEIGHBOUR
        self.behind: Sequence[str] = _NO_NEIGHBOUR
        self.earlier: Sequence[str] = ()
        self.place: Sequence[str] = ()

    @property
    def own(self) -> list[str]:
        """The features of the sentence by itself, each once."""
        words = self.words
        row = [*words, *["~" + stem(word) for word in words if is_stemmed(word)]]
        row += [f"{a}_{b}" for a, b in pairwise(words)]
        row += ["^" + word for word in words[:4]]
        return list(dict.fromkeys(row + self.firsts + self.told + self.acted))

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
    def acted(self) -> list[str]:
        """The features of the order of the verbs, and of the length."""
        count = len(self.words)
        length = "long" if count > 30 else "middle" if count > 14 else "short"
        return [*_ordered(tuple(self.order)), length]

    def places(self, feature: str) -> list[int]:
        """Which of `words` made a feature of `own`, or a cue, or two cues joined by `*`."""
        words = self.words
        made_of, sought, right = _parsed(feature)
        if made_of == "word":
            return _where(words, sought)
        if made_of == "stem":
            return [n for n in _where(self._stemmed(), sought) if is_stemmed(words[n])]
        if made_of == "verb":
            return _where(self._stemmed(), right)
        if made_of == "pair":
            ends = len(words) - 1
            starts = [n for n in _where(words, sought) if n < ends and words[n + 1] == right]
            return [n + k for n in starts for k in (0, 1)]
        if made_of == "class":
            abouts = enumerate(map(KNOWN.__getitem__, words))
            return [n for n, about in abouts if about is not None and right in about[0]]
        if made_of == "first":
            return list(range(min(len(words), feature.count("_") + 1)))
        return self._cue_places(sought.split("*"))

    def _stemmed(self) -> list[str]:
        if self._stems is None:
            self._stems = list(map(stem, self.words))
        return self._stems

    def _cue_places(self, names: Sequence[str]) -> list[int]:
        at: list[int] = []
        for name in names:
            start, end = self.cues[name]
            first = bisect_left(self.spans, (start,))
            if first and self.spans[first - 1][1] > start:
                first -= 1
            at += range(first, bisect_left(self.spans, (end,)))
        return at

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where in the sentence its tokens stand."""
        if self._spans is None:
            pattern = _PLAIN_TOKEN if self._lowered.isascii() else _TOKEN
            self._spans = [token.span() for token in pattern.finditer(self._lowered)]
        return self._spans

    @property
    def cues(self) -> dict[str, tuple[int, int]]:
        """The cues that the sentence gives, in the order of `CUES`, and where each stands."""
        if self._cues is None:
            self._cues = {}
            for at in sorted(self._gated):
                name, cue = _CUES[at]
                found = cue.search(self._lowered)
                if found is not None:
                    self._cues[name] = found.span()
        return self._cues


@lru_cache(maxsize=20_000)
def _parsed(feature: str) -> tuple[str, str, str]:
    """What a feature of `Look.own`, or a cue, is made of, and the one or two parts of its name."""
    first = feature[0]
    if "!" in feature and (first == "!" or first.isalpha()):
        return "cue", feature[feature.index("!") :], ""
    if first == "^":
        return "first", "", ""
    if first == "~":
        return "stem", feature[1:], ""
    left, _, right = feature.partition("_")
    if left and right:
        return "pair", left, right
    left, _, right = feature.partition("=")
    if right:
        return "class", left, right
    left, _, right = feature.partition(":")
    if left and right:
        return "verb", left, right
    return "word", feature, ""


def _where(words: Sequence[str], sought: str) -> list[int]:
    at, found = -1, []
    for _ in range(words.count(sought)):
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
        this.place = [
            *(() if "we=intro" in seen or "paper=intro" in seen else ("+nothing",)),
            f"@{min(index, 5)}",
            f"@-{min(count - 1 - index, 3)}",
            f"@{index * 5 // count}/5",
        ]
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
    return dict.fromkeys(
        [f"{subject}:{stem(verb)}", *[f"{subject}={name}" for name in classes_of(verb)]]
    )


@lru_cache(maxsize=20_000)
def _ordered(actions: tuple[str, ...]) -> tuple[str, ...]:
    return (*["1" + name for name in actions[:1]], *map(">".join, pairwise(actions)))
