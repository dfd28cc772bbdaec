"""Cues of the claims: turns of phrase, too rare for their words to be weighed one by one.

In: a sentence in lower case, and what `gates` gave for its words. Out: the names of the cues in
it, in the order of `CUES`, and where one stands.
"""

from __future__ import annotations

import re
from typing import Final

from loader.memo import Memo

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
        "!new_best": r"\b(?:(?:new|set\w*|establish\w*)(?: \S+){0,3}? "
        rf"(?:{_SOTA}|records?|benchmark|pareto|frontier)\b|"
        r"(?:the best(?! of\b| observed| possible)|best-in-class|highest|the strongest|record-\w+|"
        r"(?:ranks?|ranked|came|placed) (?:first|1st)|"
        r"best overall|best reported|best known|best published)\b|"
        r"(?:largest|strongest|fastest|most \w+)\b.{0,90}\bto date\b|"
        r"the largest(?: \S+){0,5}? (?:dataset|data set|corpus|benchmark|collection)\b)",
        "!sota_result": rf"\b{_SOTA}\)?(?: \S+){{0,3}}? (?:performance|results?|accuracy|quality|"
        r"scores?|robustness|efficiency|success|fidelity|on|in|across|among)\b",
        "!sota_thing": rf"\b{_SOTA}(?: \S+){{0,3}}? (?:models?|llms?|vlms?|language|methods?|"
        r"baselines?|approaches|techniques|systems|attacks|algorithms|defenses)\b",
        "!sota": rf"\b{_SOTA}\b",
        "!comparable": r"\b(?:competitive|comparable|on par|match(?:es|ing)?|rivals?)\b",
        "!the_first": rf"\b(?:the|a|our) (?:very )?first(?:-ever)?\b{_NO_FIRST}",
        "!first_time": r"\b(?:for the first time|first (?:time|of (?:its|this) kind)|"
        r"first-ever)\b",
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
        "!bound": r"\b(?:(?:upper|lower|regret|error|generalization|risk|concentration|"
        r"sample complexity|convergence|excess|pac-bayes\w*|approximation|minimax|tight|optimal|"
        r"matching|finite-sample|non-asymptotic|theoretical|provable|worst-case)(?: \S+){0,2}? "
        r"(?:bounds?|guarantees?)\b|(?:convergence|minimax|optimal|linear|sublinear) rates?\b|"
        r"rates? of convergence\b|(?:we|and) (?:\w+ )?bound\b|o\()|õ\(",
        "!guarantee": r"\b(?:guarante\w+|theorems?\b|proofs?\b|provabl\w+|"
        r"necessary and sufficient\b|identifiab\w+|converge(?:s|nce)?\b|polynomial[- ]time\b|"
        r"closed[- ]form\b|in the limit\b|asymptotic\w*|minimax\b|np-hard\w*|expressiv\w+|"
        r"impossib\w+|universal approx\w+|lipschitz\b)",
        "!prove": r"\bprov(?:e|es|ing|en)\b",
        "!theory": r"\btheor(?:y|ies|etical|etically|em|ems)\b",
        "!keeps": r"\b(?:(?:while|whilst)(?: \w+ly| still| also| even)? (?:maintain|preserv|"
        r"retain|sustain|keep|improv|reduc|achiev|requir|using|remain|offer|match|outperform|"
        r"enabl|enhanc|incur|deliver)\w*|without (?:\w+ing|any \w+|additional|extra|loss|"
        r"retrain\w*|access|the need)\b|with(?: only| just)? (?:minimal|negligible|little|no|only|"
        r"fewer|less|lower|comparable|a fraction)\b|at (?:minimal|no|negligible|low\w*)\b)",
        "!thus": rf", (?:(?:while|and|thus|hence|\w+ly|thereby) ){{0,3}}{_YIELDING}\b",
        "!gains": rf"\b{_GAINS}\b",
        "!found": rf"\b{_FOUND}(?: empirically| experimentally| theoretically)? "
        r"(?:that|how|the|its|a|an|two|three|substantial|strong|significant|consistent)\b",
    }.items()
}
# A cue is looked for only where one of these words, or one that begins so, stands ...
_SOTA_GATE = r"state|sota|leading-edge|cutting-edge"
_PRIOR_GATE = (
    rf"{_SOTA_GATE}|all$|existing|prior$|previous|competing|latest|best|strongest|most$|current|"
    r"recent|earlier|past$|every$"
)
_PROOF_GATE = r"prov|deriv|establish|theor|formal|rigor"
GATES: Final[dict[str, str]] = {
    "!beats_sota": _SOTA_GATE,
    "!beats_prior": r"outperform|surpass|exceed|beat",
    "!over_prior": _PRIOR_GATE,
    "!reaches_sota": _SOTA_GATE,
    "!new_best": rf"{_SOTA_GATE}|record|rank|came$|placed$|benchmark$|pareto|frontier|best|highest|"
    r"strongest|largest|date$",
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
}
# ... and one of these, without which it cannot stand there; they may be part of a compound.
_BESIDES: Final[dict[str, str]] = {
    "!over_prior": r"(?:over|than|against|beyond|compared|relative)$",
    "!new_best": r"(?:new|came|placed)$|set|establish|best|highest|strongest|largest|record|rank|"
    r"date",
    "!first_step": r"step|stage|attempt",
    "!first_time": r"time|kind|first-ever",
    "!available": r"code|data|model|checkpoint|weights|demo|project|website|page|implementation|"
    r"toolkit|library|tool|benchmark|script|video|resource|software|material",
    "!proves": r"(?:prov|deriv)(?:e|es|ing)\b|establish(?:es|ing)?\b|theoretically|formally|"
    r"rigorously",
    "!theory_shows": r"(?:theoretical|formal|rigorous|mathematical|analytical)(?:ly)?\b|"
    r"provabl[ey]\b",
    "!guarantee": r"guarante|theorem|proof|provabl|necessary$|identifiab|converge(?:s|nce)?\b|"
    r"polynomial|closed|limit\b|asymptotic|minimax|np-hard|expressiv|impossib|universal$|lipschitz",
}
# These are single words: where no digit and no underscore is near, the word says it all.
_WORDS: Final = ("!prove", "!theory", "!gains")
_OPENS = [re.compile(rf"\A(?:{gate})") for gate in dict.fromkeys(GATES.values())]
_OPENS += [re.compile(rf"\b(?:{word})") for word in _BESIDES.values()]
_OPENS += [CUES[name] for name in _WORDS]
_ANY = re.compile(
    "|".join([*GATES.values(), *_BESIDES.values(), *(CUES[n].pattern for n in _WORDS)])
)
_PART = re.compile(r"\A|[-'’]")  # what a gate may be found behind
_NUMBER: Final = 1 << len(_OPENS)  # what a number opens


def _all_needed() -> dict[str, int]:
    bits = {gate.pattern: 1 << n for n, gate in enumerate(_OPENS)}
    return {
        name: bits[rf"\A(?:{GATES[name]})"]
        | (bits[rf"\b(?:{_BESIDES[name]})"] if name in _BESIDES else 0)
        | (bits[cue.pattern] if name in _WORDS else 0)
        for name, cue in CUES.items()
    }


_NEEDED: Final = _all_needed()  # the gates that must be open for a cue
# By the gates that are open: the cues to be looked for, and whether each is sure as it is.
_SOUGHT: Final = Memo[int, tuple[tuple[str, bool], ...]](
    lambda gates: tuple(
        (name, name in _WORDS and not gates & _NUMBER)
        for name, needed in _NEEDED.items()
        if needed & gates == needed
    )
)
# The same cues for text of plain ASCII, where it is sooner known what a letter is.
_ASCII: Final = Memo[str, re.Pattern[str]](lambda name: re.compile(CUES[name].pattern, re.ASCII))


def gates(word: str) -> int:
    """The gates that a word in lower case opens, a bit each."""
    if word == "#":
        return _NUMBER
    if word.isalpha():
        opens_none = _ANY.match(word) is None
    else:
        opens_none = not any(_ANY.match(word, part.end()) for part in _PART.finditer(word))
    if opens_none:  # as most
        return 0
    return sum(1 << n for n, gate in enumerate(_OPENS) if gate.search(word))


def found(lowered: str, gates: int) -> dict[str, re.Match[str] | None]:
    """The cues that a sentence in lower case gives; `gates` are those that its words open.

    Where one stands is left for `place` to find if it was sure without looking.
    """
    given: dict[str, re.Match[str] | None] = {}
    if not (sought := _SOUGHT[gates]):
        return given
    cues = _cues_for(lowered)
    worded = "_" not in lowered
    for name, is_sure in sought:
        if is_sure and worded:
            given[name] = None
        elif (match := cues[name].search(lowered)) is not None:
            given[name] = match
    return given


def place(name: str, lowered: str) -> tuple[int, int]:
    """Where a cue stands in a sentence in lower case that gives it."""
    cue = _cues_for(lowered)[name].search(lowered)
    assert cue is not None
    return cue.span()


def _cues_for(lowered: str) -> dict[str, re.Pattern[str]]:
    return _ASCII if lowered.isascii() and lowered.isprintable() else CUES
