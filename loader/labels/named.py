"""Named papers: which of its names a paper is called by, and what the text says that it is.

In: the names that an abstract introduces, its sentences. Out: the main name; a phrase that
describes it ("large-scale benchmark centered on boats", "modeling tides"), "" where nothing does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from loader.labels.phrases import ARTICLE, LONGEST, gerund, phrase, tidy
from loader.model import Name
from loader.symbols import words

_KINDS: Final = (
    r"(?:framework|method|model|algorithm|approach|system|module|benchmark|dataset|data set|corpus|"
    r"attack|technique|pipeline|paradigm|strategy|architecture|toolkit|library|metric|test|"
    r"estimator|optimizer|loss|layer|network|platform|solution|scheme|mechanism)"
)
# behind a name: "(...), a simple modification ...", "dataset, which serves as the first ...",
# ": 4 terabytes of ..."
_IS: Final = re.compile(
    rf"s?\)?(?:\s?\([^()]{{0,120}}\))?[\"”’']?(?:(?:(?: {_KINDS})?"
    r"(?:,| –| ?—| --| -|:(?! the))? ?(?:which (?:is|serves as) |is |serves as |as |denotes )?"
    r"| (?!and|or|in|on|for|with|to|of|by|at|from|uses?)[\w-]+, )"
    r"(?:an?|the first|the|our) (?!most|best|only|same|result|use|fact)|: (?!the |an? ))"
)
# "..., which models ..."; "framework that translates ..."; "X features ..."
_DOES: Final = re.compile(
    rf"(?P<many>s?)\)?(?:\s?\([^()]{{0,120}}\))?[\"”’']?(?: (?P<noun>{_KINDS}))?"
    r"(?:, (?:which|that)|,| that)?(?: (?!apply|rely|multiply|supply|imply)\w+ly)? "
    r"(?P<verb>[a-z]+) (?!\w+ly )"
)
# "benchmark, designed to evaluate ..."
_FOR: Final = re.compile(
    rf"s?\)?(?:\s?\([^()]{{0,120}}\))?[\"”’']? (?P<noun>{_KINDS}),? "
    r"(?=(?:designed|built|intended|for|containing|comprising|of|covering|to)\b)"
)
# ", that retrieves ..."; ", to evaluate ..."; " for this problem"
_WHICH: Final = re.compile(
    r"s?\)?(?:\s?\([^()]{0,120}\))?[\"”’']?,? (?=(?:that|which|to|for|designed|aimed|built|"
    r"consisting|comprising|containing|capable)\b (?!(?:is|are|was|were|has|have)\b))"
)
# "(X) method for docking boats"
_PURPOSE: Final = re.compile(rf"s?\)[\"”’']?(?: {_KINDS})? (?=(?:for|to) )")
_CALLING: Final = (
    "called ", "named ", "termed ", "dubbed ", "coined ", "namely ", "denoted ", ", ", ": ",
    "as ", "by ", "“", '"', "the ", "‘",
)  # fmt: skip
# "a new data set of boats, called X", "our method, X"
_BEFORE: Final = re.compile(
    r"(?P<article>\b(?:an?|the first|the|our)) "
    r"(?P<what>(?:(?!(?:an?|the|our|is|are|was|were|has)\b)[\w/+&’'-]+,? ){0,11}?[\w/+&’'-]+)"
    r"(?:,? \(?(?:which (?:we|is) )?(?:called|named|termed|dubbed|coined|namely|"
    r"denoted(?: as| by)?)|,|:) (?:the )?[\"“‘']?$"
)
_OURS: Final = re.compile(
    rf"\b(?:our|the proposed|our proposed|resulting|this|the new)(?: [\w-]+){{0,3}} {_KINDS},?"
    r" (?:called |named |termed |dubbed )?[\"“‘']?$|(?:call|name|term|dub) (?:it|this|the resulting"
    rf" {_KINDS}|this (?:new )?{_KINDS}|our {_KINDS}) (?:as )?[\"“‘']?$"
    r"|\b(?:our|the proposed|our proposed|our novel|our new|called|named|termed|dubbed|(?:propos|"
    r"introduc|present|develop|releas|design|build)\w*(?: an?| the)?) [\"“‘']?$",
    re.IGNORECASE,
)
_OURS_WORDS: Final = (
    "our ", "resulting ", "this ", " it ", " new ", " as ", "ed ", "introduc", "propos", "present",
    "develop", "releas", "design", "build",
)  # fmt: skip
_OURS_BEHIND: Final = re.compile(r",? our (?:proposed )?\w+")
_KIND_BESIDE: Final = re.compile(
    rf"{_KINDS}(?= (?:called |named |termed |dubbed )?[\"“‘']?$)", re.IGNORECASE
)
_KIND_BEHIND: Final = re.compile(rf"s?\)? ({_KINDS})\b", re.IGNORECASE)
_CLASS: Final = re.compile(rf"(?:[\w-]+ ){{0,2}}?{_KINDS}\b")
_NOUN: Final = re.compile(rf"\b{_KINDS}$", re.IGNORECASE)

_DEEDS: Final = words(
    "adapts addresses aligns allows applies augments automates balances bridges builds captures"
    " carries casts classifies combines compares composes comprises compresses computes"
    " constructs converts couples decomposes decouples denoises detects discovers distills edits"
    " embeds employs enables encodes encourages enforces estimates evaluates evolves exploits"
    " explores extends extracts factorizes features filters forecasts formulates fuses generates"
    " guides identifies infers injects integrates introduces iterates learns leverages localizes"
    " maps maximizes measures merges minimizes mitigates models modifies monitors offers"
    " optimizes organizes partitions performs plans predicts prevents produces projects"
    " propagates provides prunes quantifies quantizes reconstructs recovers reduces refines"
    " regularizes relies removes replaces represents retrieves reuses reveals routes samples"
    " selects simulates solves splits steers suppresses tailors tests tokenizes tracks trains"
    " transfers transforms translates treats unifies updates uses utilizes verifies weights"
)
_GIVES: Final = words("features comprises offers introduces")


def main(names: Sequence[Name], sentences: Sequence[str], contributing: frozenset[int]) -> int:
    """The place of the name that most sentences speak of, of equals the first; -1: none.

    A name that is spoken of once, and not where a contribution is told, is not what a paper is
    called by.
    """
    if len(names) == 1 and names[0].expansion:
        return 0
    best, most = -1, -9.0
    for at, name in enumerate(names):
        told = [n for n, sentence in enumerate(sentences) if stands(name.name, sentence)]
        long = 1.5 if name.expansion else 0
        if at and told and stands(names[0].name, sentences[told[0]]):
            long *= 0.4  # it may be a part of what is introduced in the same sentence
        weight = len(told) + long - 0.75 * at
        weight -= 3 if name.kind == "concept" and len(names) > 1 and not name.expansion else 0
        if any(name.name != other.name and name.name in other.name.split() for other in names):
            continue  # "Graph" of "Graph Global Workspace"
        alone = len(told) < 2 and not name.expansion and contributing.isdisjoint(told)
        if alone and not is_ours(name, sentences):
            continue
        if weight > most:
            best, most = at, weight
    return best


def stands(name: str, sentence: str) -> int:
    """Where `name` ends in `sentence` as a word of its own, else 0."""
    at = sentence.find(name)
    while at >= 0:
        end = at + len(name)
        behind = sentence[end + (sentence[end : end + 1] == "s") : end + 2]
        if not (behind[:1].isalnum() or behind[:1] == "-"):
            return end
        at = sentence.find(name, end)
    return 0


def descriptions(name: Name, sentences: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """What the text says that `name` is, then what it does: phrases, best first.

    With each, whether it names only what kind of thing it is ("unified framework").
    """
    places = [(sentence, end) for sentence in sentences if (end := stands(name.name, sentence))]
    room = LONGEST - len(name.name) - 2
    for sentence, end in places:
        for what in _is(sentence, end, len(name.name), room):
            if len(what) > 4:
                yield what, bool(_NOUN.search(what)) and what.count(" ") < 2
    for sentence, end in places:
        what = _does(sentence, end, room)
        if len(what) > 11 and "%" not in what:
            yield what, False


def purpose(name: Name, sentences: Sequence[str]) -> str:
    """What the text says that `name` is for, where that stands beside it: "for docking boats"."""
    room = LONGEST - len(name.name) - len(name.expansion or "") - 3
    for sentence in sentences:
        if (end := stands(name.name, sentence)) and (found := _PURPOSE.match(sentence, end)):
            return phrase(tidy(sentence[found.end() :]), room)
    return ""


def _is(sentence: str, end: int, length: int, room: int) -> Iterator[str]:
    found = _IS.match(sentence, end)
    if found:
        yield _plain(sentence[found.end() :], room)
    front = sentence[max(0, end - length - 120) : end - length]
    before = _BEFORE.search(front) if front.endswith(_CALLING) else None
    if before and (before["article"] != "our" or _NOUN.search(before["what"])):
        what = ARTICLE.sub("", before["what"], count=1)
        behind = _WHICH.match(sentence, end)
        if behind and "," not in what:  # "a search engine, X, that retrieves ..."
            rest = sentence[behind.end() :].replace("which", "that", 1)
            joined = phrase(tidy(f"{what} {rest}"), room)
            what = joined if len(joined) > len(what) else what
        yield phrase(what, room) if before["article"] != "our" else ""
    found = _FOR.match(sentence, end)
    if found:
        yield phrase(tidy(f"{found['noun']} {sentence[found.end() :]}"), room)


def _plain(text: str, room: int) -> str:
    return phrase(ARTICLE.sub("", tidy(text), count=1), room)


def _does(sentence: str, end: int, room: int) -> str:
    found = _DOES.match(sentence, end)
    if found is None:
        return ""
    verb, rest = found["verb"], sentence[found.end() :]
    if verb not in _DEEDS and not (found["many"] and _third(verb) in _DEEDS):
        return ""
    if found["noun"] and len(f"{found['noun']} {verb}") < room:
        return phrase(tidy(f"{found['noun']} that {verb} {rest}"), room)
    if verb in _GIVES:
        return _plain(rest, room)
    does = gerund(verb, base=verb not in _DEEDS)
    rest = phrase(tidy(rest), room - len(does) - 1)
    return f"{does} {rest}" if rest else ""


def _third(verb: str) -> str:
    return verb[:-1] + "ies" if verb.endswith("y") else verb + "s"


def class_of(text: str) -> str:
    """What kind of thing a description begins with: "unified system" of "unified system with"."""
    found = _CLASS.match(text)
    return found[0] if found else ""


def is_ours(name: Name, sentences: Sequence[str]) -> bool:
    """Whether the text calls `name` its own method: "our method, X"; "X, our method"."""
    for sentence in sentences:
        if end := stands(name.name, sentence):
            front = sentence[max(0, end - len(name.name) - 60) : end - len(name.name)]
            told = any(word in front.lower() for word in _OURS_WORDS)
            if (told and _OURS.search(front)) or _OURS_BEHIND.match(sentence, end):
                return True
    return False


def kind_of(name: Name, sentences: Sequence[str]) -> str:
    """What `name` is in one word: as the text calls it, else its kind; "" for a concept."""
    if name.kind == "concept":
        return ""
    for sentence in sentences:
        end = stands(name.name, sentence)
        start = end - len(name.name)
        if end and (found := _KIND_BEHIND.match(sentence, end)):
            return found[1].lower()
        if end and (found := _KIND_BESIDE.search(sentence[max(0, start - 40) : start])):
            return found[0].lower()
    return name.kind.replace("dataset", "data set")
