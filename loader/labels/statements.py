"""Statements: what a sentence says that the paper does, as phrases for a label.

In: one tidy sentence. Out: `Phrase`s: "a method for X" of "we propose a novel method for X", "X" of
"we study X", "training boats" of "we train boats", "boats drift" of "we show that boats drift".
Also the subject of a sentence, which tells an abstract's topic where nothing better does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from loader.labels.phrases import ARTICLE, DANGLING, capital, doing, phrase
from loader.symbols import words

_MANY: Final = 4  # places of a sentence that are looked at


class Phrase(NamedTuple):
    """A phrase and how far its form is from what stands in a title; 0 is best."""

    text: str
    form: float
    built: bool = False  # it is what the paper builds


_ADVERBS: Final = (  # a comma between two belongs to the second only, or there are many ways
    r"(?:,? (?:also|first|further|then|instead|here|thus|therefore|finally|now|next|hence|"
    r"(?!apply|rely|multiply|supply|imply)\w+ly)){0,4},?"
)
_DOES: Final = re.compile(
    r"[WwTtOo](?<!\w[WwTtOo])(?:(?P<we>(?<=[Ww])e)|(?:(?<=[Tt])h(?:is|e(?: present| current)?)|"
    r"(?<=[Oo])ur) (?:paper|work|study|article|"
    r"research|chapter|thesis|survey|tutorial|report|contribution))"
    rf"{_ADVERBS}(?: have| has)?(?: \(?i\)?)?{_ADVERBS}"
    r" (?P<aim>(?:aim|seek|attempt|want|hope|try|trie|set out|strive)s? (?:to|at) )?"
    r"(?P<verb>is|[a-z]{3,})"
    r"(?P<and>(?:, \w+)?,? (?:and|or) (?:\w+ly |then )?(?P<second>[a-z]{3,}))? (?=\S)"
)
_SUBORDINATE: Final = words(
    "which that where as because if when since how what whether while than before until"
)
_BUILD: Final = re.compile(
    r"(?:introduc|propos|present|develop|design|devis|construct|creat|establish|formulat|build|"
    r"built|invent|curat|compil|giv|gave|contribut|provid|offer|releas|collect|describ|deriv|"
    r"unveil|advocat|launch)(?:e?[sd]?|es|ing|t|ts|n)?$"
)
_LESS: Final = re.compile(r"provid|offer|releas|collect|describ|deriv|giv|gave|contribut|establish")
_STUDY: Final = re.compile(
    r"(?:stud(?:y|ies|ied)|investigat\w*|explor\w*|revisit\w*|examin\w*|consider\w*|address\w*|"
    r"tackl\w*|analy[sz]\w*|conduct\w*|perform(?:s|ed)?|carr(?:y|ies|ied)|identif\w*|focus\w*|"
    r"report\w*|review\w*|survey\w*|discuss\w*|outlin\w*|summari[sz]\w*|ask(?:s|ed)?|"
    r"explain\w*|understand\w*)$"
)
_PERFORMED: Final = words(
    "conduct conducts conducted perform performs performed report reports reported carry"
    " carries carried ask asks asked identify identifies identified consider considers"
)
_FIND: Final = re.compile(
    r"(?:show[sn]?|showed|find[s]?|found|demonstrat\w*|prov(?:e|es|ed)|reveal\w*|observ\w*|"
    r"argu\w*|confirm\w*|suggest\w*|indicat\w*|hypothesi\w*|discover\w*|conclud\w*|illustrat\w*|"
    r"establish\w*|uncover\w*|highlight\w*|posit|posits|identif\w*|theori[sz]e\w*|claim\w*)$"
)
_NO_VERB: Final = DANGLING | words(
    "all both now here hence often still already use interested able aware also not note next"
    " end done goal tend tends believe think know hope expect make makes made take takes need"
    " call name refer extensive comprehensive experiments results presented proposed following"
    " approach"
)
_RESULTS: Final = re.compile(
    r"\b(?:experiments?|results?|analys[ie]s|findings?|evidence|evaluations?|work|study|theory)\b"
    r"(?: [\w-]+){0,6}? (?:show|demonstrate|reveal|suggest|indicate|confirm|illustrate|establishe?|"
    r"find|prove)s? that ",
    re.IGNORECASE,
)
# a second thing that a sentence says is built: "... and develop an algorithm"
_ALSO: Final = re.compile(
    r" (?:(?:and|then) |(?<=[,)] ))(?:\w+ly |then |also |further )?"
    r"(?:introduc|propos|present|develop|design|devis|construct|formulat)(?:es?|s)? "
    r"(?P<what>(?:an?|the|two|three|several|novel) .+)"
)
_PASSIVE: Final = re.compile(
    r" (?:is|are|was|were|been) (?:\w+ly |here |then |also |first )?"
    r"(?:(?P<built>proposed|presented|"
    r"introduced|developed|designed|constructed|formulated|described|derived|provided)|studied|"
    r"investigated|examined|analy[sz]ed|considered|discussed|compared|reviewed|surveyed|addressed|"
    r"explored)\b(?P<tail> (?:for|to|that|which) [^.;,]+)?"
)
_AIM: Final = re.compile(
    r"\b(?:aim|goal|objective|purpose|focus)s?\b[^.;]{0,50}? (?:is|was|are|were) (?:to|on) "
    r"(?P<verb>[a-z]+) (?P<rest>.+)",
    re.IGNORECASE,
)
_TO: Final = re.compile(r"To (?P<verb>[a-z]{3,}) (?P<rest>[^,]+\.?|.+, (?:and|or) .+)$")
_AIMS: Final = ("aim", "goal", "objective", "purpose", "focus")
_AIMED: Final = ("is to ", "is on ", "as to ", "as on ", "re to ", "re on ")  # and one of these
_NOVEL: Final = re.compile(
    r"\ban? (?:(?!that|which|of|in|for)[\w-]+,? ){0,2}?(?:novel|new) (?P<what>[^.;]+)"
)
_INTO: Final = re.compile(
    r"(?:out |with |on |upon |into |in detail )?(?:the (?:use|problem|issues?|question|challenge|"
    r"topic|task|notion|concept) of )?"
)
_EXPERIMENTS: Final = re.compile(
    r"(?:[\w-]+ ){0,3}(?:experiments?|evaluations?|simulations?|tests?|ablations?)\b"
)
_AN: Final = re.compile(r"an? (?!first\b|step\b|part\b|continuation\b)")
_FOR: Final = re.compile(r"(?:for|in|from|as) ")
_OBJECT: Final = re.compile(r" (?=an? |the |two |three )")
_INTRODUCED: Final = re.compile(r"^((?:(?!that\b|which\b|to\b)[\w-]+ ){1,7})into ")
_LEADING: Final = re.compile(
    r"(?:(?:on|to|with|into|for|out) )?(?:(?:the|an?) (?:\w+ )?(?:use|problem|issues?|question|"
    r"challenge|topic|task|notion|concept|idea|novelty|set|family|series|number|variety) of )?"
)
_BY_DOING: Final = re.compile(r"(?:this|these|the) [\w -]{3,40}? by (?P<doing>\w+ing) (?P<more>.+)")
_QUESTION: Final = re.compile(r"(?:how|why|when|whether|what|which|where|if)\b")
# a sentence's subject ends before these
_FINITE: Final = re.compile(
    r" (?:(?:\w+ly|also|often|still|now|both|not|all|even) )?(?:is|are|was|were|has|have|had|can|"
    r"could|may|might|will|would|must|should|does|do|did|cannot|remains?|plays?|enables?|allows?|"
    r"aims?|requires?|rel(?:y|ies|ied)|provides?|offers?|achieves?|suffers?|exhibits?|becomes?|"
    r"became|involves?|involving|plays?|leads?|represents?|improves?|faces?|struggles?|"
    r"demonstrates?|shows?|emerge[sd]?|seeks?|typically|generally|outperforms?|tends?|"
    r"depends?|reduces?|performs?|serves?|helps?|makes?|poses?|promises?|considers?|uses?|lacks?|"
    r"drives?|drops?|learns?|yields?|needs?|produces?|increases?|fails?|suggests?|accelerates?|affects?|"
    r"influences?|arises?|hinders?|limits?|excels?|presents?|holds?|ignores?|overlooks?|voids?|"
    r"hinges?|continues?|consists?|refers?|gives?|matters?|works?|incurs?|build|builds)\b"
)
_LEAD: Final = re.compile(
    r"(?:(?:In|Throughout|Within|With|For|Over|Among|Despite|Although|While|As|To|By|Given|Since|"
    r"Motivated|Inspired|Based|Building|Unlike|Leveraging|Instead|Following|Rather|Through|Using|"
    r"Under|At|On|From|When|Recently|Here|However|Specifically|Concretely|Notably|Moreover|"
    r"Furthermore|Thus|Hence|Therefore|Finally|First|Next|Then|Additionally|Surprisingly|"
    r"Interestingly|Empirically|Theoretically|Overall|Altogether|Together|Accordingly|"
    r"Consequently|Nevertheless|Nowadays|Traditionally|Currently)\b[^,.;]{0,90}, )+"
)
_FIELD: Final = re.compile(
    r"(?:(?:the|a|an|most|many|some|all|these|current|existing|recent|traditional|modern|much|"
    r"various|several|conventional|one|training|popular|standard)\s+)*"
    r"(?:(?:rapid |recent |significant |great |empirical |remarkable )*(?:success|advances?|"
    r"advancements?|progress|breakthroughs?|developments?|rise|emergence|field|pursuit|problem|"
    r"task|area|use|adoption|advent|growth|work|research|study|ability|goal|issue|number|notion|"
    r"concept|demand|popularity|importance|performance|applications?|potential)"
    r"(?: \w+){0,3}? (?:of|in|on|for) )?(?:the |an? |most |many |modern |existing |current )?",
    re.IGNORECASE,
)
_NO_SUBJECT: Final = re.compile(
    r"\b(?:this|these|those|we|it|they|there|that|which|our|their|its|he|she|you|who|what|how|"
    r"one|past|decade|years?|paper|authors?|such|studies|works?|researchers|approaches|methods|"
    r"factors?|aspects?|features?|challenges?|limitations?|bottlenecks?|reasons?|ways?)\b",
    re.IGNORECASE,
)


def of(sentence: str, *, contributing: bool, bare: bool) -> Iterator[Phrase]:
    """The phrases that the tidy `sentence` gives; they are not yet judged and may be empty.

    `contributing`: it tells a contribution, so that "a novel X" in it is one. `bare`: a sentence
    that does not say who does something is a phrase too.
    """
    found = False
    for place in _places(sentence):
        rest = sentence[place.end() :]
        for made in _of_verb(place, rest):
            found = True
            yield made
    for also in _ALSO.finditer(sentence, 12) if contributing else ():
        found = True
        yield Phrase(_object(also["what"]), 0.1, True)
    if not found and (aim := _aim(sentence)):
        found = True
        yield from _of_deed(aim["verb"].lower(), aim["rest"], base=True, form=0.5)
    if not found and (to := _TO.match(sentence)):
        found = True
        yield from _of_deed(to["verb"], to["rest"], base=True, form=0.5)
    if not found:
        yield from _without_frame(sentence, contributing, bare)


def _aim(sentence: str) -> re.Match[str] | None:
    """ "The goal of this paper is to ...": with the verb and the rest."""
    if not any(word in sentence for word in _AIMS):
        return None
    folded = sentence.lower()
    return _AIM.search(sentence) if any(word in folded for word in _AIMED) else None


def _places(sentence: str) -> Iterator[re.Match[str]]:
    """Where the sentence says in a main clause that the authors or the paper do something."""
    for at, place in enumerate(_DOES.finditer(sentence)):
        before = sentence[: place.start()].rstrip().rsplit(" ", 1)[-1]
        if before.casefold().lstrip("(") not in _SUBORDINATE and not before.endswith(("—", "-")):
            yield place
        if at == _MANY:
            break


def _of_verb(place: re.Match[str], rest: str) -> Iterator[Phrase]:
    verb = place["verb"].lower()
    if verb in _NO_VERB:
        if verb == "is" and _AN.match(rest) and not place["we"]:  # "this paper is a survey of"
            yield Phrase(_object(rest), 0.3, True)
        if verb == "are" and rest.startswith("interested in "):
            yield Phrase(capital(phrase(rest[14:])), 0.6)
        return
    if place["and"] and (place["second"] in _NO_VERB or place["second"].endswith("ing")):
        return
    base = bool(place["we"] or place["aim"])
    if not base and not verb.endswith(("s", "ed")):
        return  # "this study gap"
    base = base and not verb.endswith("ed")
    yield from _of_deed(verb, rest, base=base, form=0.0)


def _of_deed(verb: str, rest: str, *, base: bool, form: float) -> Iterator[Phrase]:
    """What the deed `verb` does to the object that `rest` begins with."""
    if by := _BY_DOING.match(rest):  # "addresses this gap by providing ..."
        verb, rest, base = by["doing"], by["more"], True
        if not _BUILD.match(verb):
            yield Phrase(capital(phrase(f"{verb} {rest}")), form + 0.8)
            return
    if _FOR.match(rest) and (object_ := _OBJECT.search(rest, 0, 60)):
        rest = rest[object_.end() :]  # "prepare for publication a new database"
    that = rest.startswith("that ") or (rest.startswith("for the first time") and " that " in rest)
    if that and not rest.startswith("that "):
        rest = rest[rest.index(" that ") + 1 :]
    if that and (_FIND.match(verb) or _BUILD.match(verb)):
        yield from _clause(rest[5:], form + 1.3)
    elif rest.startswith("to ") and _BUILD.match(verb):
        done, _, more = rest[3:].partition(" ")
        yield Phrase(phrase(doing(done, more, base=True)), form + 0.6)
    elif rest.startswith("how to "):
        done, _, more = rest[7:].partition(" ")
        yield Phrase(phrase(doing(done, more, base=True)), form + 0.8)
    elif _BUILD.match(verb):
        if verb.startswith("introduc"):
            rest = _INTRODUCED.sub(r"\1in ", rest, count=1)
        yield Phrase(_object(rest), form + (0.4 if _LESS.match(verb) else 0), True)
    elif verb in _PERFORMED and _EXPERIMENTS.match(rest):
        return
    elif _STUDY.match(verb) or (_FIND.match(verb) and _QUESTION.match(rest)):
        into = _INTO.match(rest)
        what = rest[into.end() :] if into else rest
        if _QUESTION.match(what):
            yield Phrase(capital(phrase(what, clause=False)), form + 0.7)
        else:
            yield Phrase(_object(what), form + (0.8 if verb in _PERFORMED else 0.3))
    elif _FIND.match(verb):
        if _FINITE.search(rest[:70]):
            yield from _clause(rest, form + 1.3)
        else:
            yield Phrase(_object(rest), form + 0.9)
    else:
        yield Phrase(phrase(doing(verb, rest, base=base)), form + 0.8)


def _object(text: str) -> str:
    text = _LEADING.sub("", text, count=1)
    return capital(phrase(ARTICLE.sub("", text, count=1)))


def _clause(text: str, form: float) -> Iterator[Phrase]:
    """A statement as a whole where it is short enough, and its subject."""
    whole = phrase(text)
    goes_on = text[len(whole) : len(whole) + 6].strip(" .")
    if not goes_on or not goes_on[0].isalpha() or goes_on.startswith(("while", "wherea", "which")):
        yield Phrase(capital(whole), form)
    if end := _FINITE.search(text[:130]):
        about = text[: end.start()]
        if len(about) > 23 and about.count(" ") > 1:
            yield Phrase(capital(phrase(ARTICLE.sub("", about, count=1))), form + 0.3)


def _without_frame(sentence: str, contributing: bool, bare: bool) -> Iterator[Phrase]:
    passive = _PASSIVE.search(sentence)
    about = sentence[: passive.start()].rsplit(", ", 1)[-1] if passive else ""
    if passive and 9 < len(about) < 140:
        what = f"{about.removesuffix(' has').removesuffix(' have')}{passive['tail'] or ''}"
        yield Phrase(_object(what), 0.3 if passive["built"] else 0.6, bool(passive["built"]))
    elif " that " in sentence and (results := _RESULTS.search(sentence)):
        yield from _clause(sentence[results.end() :], 1.3)
    elif contributing and (novel := _NOVEL.search(sentence)):
        yield Phrase(capital(phrase(novel["what"])), 0.5, True)
    elif bare:
        lead = _LEAD.match(sentence)
        yield from _clause(sentence[lead.end() if lead else 0 :], 3.0)


def studied(sentence: str) -> Iterator[str]:
    """What the tidy `sentence` says that the paper studies."""
    for place in _places(sentence):
        if _STUDY.match(place["verb"].lower()) and place["verb"].lower() not in _PERFORMED:
            rest = sentence[place.end() :]
            into = _INTO.match(rest)
            what = rest[into.end() :] if into else rest
            if not _QUESTION.match(what):
                yield phrase(ARTICLE.sub("", what, count=1))


def subject(sentence: str) -> str:
    """What the tidy `sentence` speaks of: "boats" of "Boats have become popular"; "" if unclear."""
    text = sentence
    if lead := _LEAD.match(text):
        text = text[lead.end() :]
    end = _FINITE.search(text[:110])
    if not end:
        return ""
    field = _FIELD.match(text, 0, end.start())
    about = text[field.end() if field else 0 : end.start()].split(", ")[0].strip(" ,")
    if not 7 < len(about) < 75 or _NO_SUBJECT.search(about) or about.count(" ") > 8:
        return ""
    last = about.rsplit(" ", 1)[-1].casefold()
    return "" if last in DANGLING else about
