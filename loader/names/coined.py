"""Coined names: names in small letters that an abstract gives, set off by words or by markup.

In: the abstract, the definitions and what is emphasised. Out: names with
their kind and place: "executable counterfactuals, a novel framework", "a behavior we term
overrowing", "four stages: **discriminate**, ...".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from loader.model import NameKind, Span
from loader.names import context
from loader.names.acronyms import Definition, singular
from loader.names.context import Abstract
from loader.names.cues import HEADS

# the authors speak, whatever the role of the sentence
_OURS: Final = re.compile(
    r"[WwOoTt](?<!\w[WwOoTt])(?:(?<=[Ww])e|(?<=[Oo])ur|(?<=[Tt])his (?:paper|work|article|study))\b"
)
_NO_END: Final = ("such", "as", "the", "a", "of", "it", "according", "based", "which")
SIZE: Final = re.compile(r"-\d+(?:\.\d+)?[BMbm]\b")
_SUFFIXES: Final[tuple[tuple[str, NameKind], ...]] = (
    ("bench", "benchmark"), ("eval", "benchmark"), ("arena", "benchmark"),
    ("benchmark", "benchmark"),
    ("dataset", "dataset"), ("corpus", "dataset"), ("pedia", "dataset"),
    ("former", "model"), ("net", "model"), ("gpt", "model"), ("lm", "model"), ("llama", "model"),
    ("bert", "model"), ("gan", "model"), ("vae", "model"), ("cnn", "model"), ("rnn", "model"),
    ("lstm", "model"), ("mlp", "model"), ("vit", "model"), ("vla", "model"), ("kan", "model"),
    ("attack", "attack"), ("gym", "system"),
)  # fmt: skip
# "we introduce executable counterfactuals, a novel framework", "we introduce soft guidance."
_PLAINLY: Final = re.compile(
    r"[Ww](?<!\w[Ww])e\s+(?:\w+\s+)?(?:introduce|propose)\s+((?!(?:a|an|the|our|to|two|three|several|novel"
    r"|new|and|using|it|that|for|such)\b)[a-z][a-z-]+(?:\s(?!(?:in|of|for|by|on|with|during|and|"
    r"from|into|to|that|which)\b)[a-z][a-z-]+){1,3})(?<!s)(?=[.,]|\s(?:to|which|that)\s)"
)
_PLAINLY_IS: Final = re.compile(
    r"\b(?:introduces?|proposes?|presents?|develops?)\s+((?!(?:a|an|the|our|to|two|three|several|"
    r"novel|new|and)\b)[a-z][\w-]+(?:\s[a-z][\w-]+){0,3}),\s+an?\s"
)
# "a new loss, tidal weight sharing, which ..."; "the concept of moored attention."
_NEWLY: Final = re.compile(
    r"\ban?\s(?:new|"
    r"novel)\s(?:[\w-]+\s){0,3}[\w-]+,\s+([a-z][a-z-]+(?:\s[a-z][a-z-]+){1,3}),\s+(?:which|that|"
    r"an?)\s"
    r"|\b(?:introduc\w+|propos\w+)\s(?:the|a)\s(?:new |novel )?(?:concept|"
    r"notion)\sof\s([a-z][a-z-]+(?:\s[a-z][a-z-]+){0,2})(?=[.,;]|\s(?:as|to|that|which)\s)"
)
# "the notion of tide rank, a measure of depth that we introduce"
_LATER: Final = re.compile(
    r"\b(?:of|on|using|via|by|with|the|called)\s((?!(?:the|an?|our)\s)[a-z][a-z-]+(?:\s[a-z][a-z-]+){1,2})"
    r",\san?\s[\w -]{3,60}\s(?:that|which)\swe\s(?:introduce|propose|define|develop)\b"
)
# "we introduce “companion objective” to"
_QUOTED: Final = re.compile(r"[“\"]([A-Za-z][\w -]{2,48}\w)[,.]?[”\"]")
# "our toolkit, gensail, is"
_OUR: Final = re.compile(
    r"[Oo](?<!\w[Oo])ur\s(?:[\w-]+\s){0,2}([a-z]+)(?:,|\scalled|\snamed)\s([a-z][\w-]{3,}),\s"
    r"(?!we\b|which\b|and\b|or\b)"
)
# "a habit we term overrowing"
_TERMED: Final = re.compile(
    r"\b(?:termed|dubbed|coined|(?:namely|called|named)(?=\s[\"“‘'])|we (?:call|term|name|dub|"
    r"refer to as)(?: this| it| these)?(?: phenomenon)?|refer(?:red)? to (?:this|it|these)?(?: "
    r"\w+)? as)\s+(?:the\s+)?[\"“‘']?([a-z][a-z-]+(?:\s[a-z][a-z-]+){0,3})[\"”’']?\s*(?=[,.;:(–—]"
    r"|--|that\b|which\b|to\b|in\b|and\b|where\b|by\b|$)"
)
_STAGES: Final = re.compile(
    r"\b(?:stages|components|modules|steps|phases|parts|strategies|techniques|mechanisms|"
    r"innovations)\b[^.]{0,40}$"
)
_VERBS: Final = ("introduc", "propos", "present", "develop")  # what `_PLAINLY_IS` begins with
# each with words of which one must stand in the sentence, so that few sentences are read closely
_RULES: Final = (
    (("e introduce", "e propose", "e define", "e develop"), (_PLAINLY, _LATER)),
    ((" new ", " novel ", "concept of", "notion of"), (_NEWLY,)),
    ((" our ", "Our "), (_OUR,)),
    (("termed", "we term", "dub", "coined", " call", "refer", " name"), (_TERMED,)),
)


def by_form(name: str) -> NameKind:
    """The kind that a name's own form tells: `TideBench`, `RowLM-7B`; else a method."""
    folded = name.casefold()
    if SIZE.search(folded):
        return "model"
    for ending, kind in () if folded.endswith("-llm") else _SUFFIXES:
        if folded.endswith(ending):
            return kind
    return HEADS.get(re.split(r"[\s-]", folded)[-1], "method")


def find(
    text: Abstract,
    definitions: Sequence[Definition],
    emphasised: Sequence[Span],
) -> Iterator[tuple[str, NameKind, int]]:
    """Names in small letters, each with its kind and where it starts."""
    longs = {form for d in definitions for form in (d.long, d.long + "s")}
    plain = text.plain
    behind = 0
    for at in sorted(at for sign in _VERBS for at in _places(plain, sign)) if text.starts else ():
        if at >= behind and (found := _PLAINLY_IS.match(plain, at)):
            start, end = text.span(at)
            found = _PLAINLY_IS.match(plain, at, end)
            if found and _speaks(text, start):
                behind = found.end()
                yield from _name(plain, _PLAINLY_IS, found, start, end, longs)
    for signs, rules in _RULES if text.starts else ():
        for sentence in sorted(
            {text.sentence(at) for sign in signs for at in _places(plain, sign)}
        ):
            start, end = text.sentences[sentence]
            if _speaks(text, start):
                for rule in rules:
                    if rule is _LATER and plain.find(" we ", start, end) < 0:
                        continue
                    for found in rule.finditer(plain, start, end):
                        yield from _name(plain, rule, found, start, end, longs)
    if "“" in plain or '"' in plain:
        yield from _quoted(text, longs)
    if emphasised:
        yield from _emphasised(text, definitions, emphasised)


def _places(plain: str, sign: str) -> Iterator[int]:
    """Where a sign stands."""
    at = plain.find(sign)
    while at >= 0:
        yield at
        at = plain.find(sign, at + 1)


def _speaks(text: Abstract, start: int) -> bool:
    """Whether the authors speak in the sentence at `start`."""
    if text.role(start) not in ("background", "other"):
        return True
    return _OURS.search(text.plain, *text.span(start)) is not None


def _name(
    plain: str,
    rule: re.Pattern[str],
    found: re.Match[str],
    start: int,
    end: int,
    longs: set[str],
) -> Iterator[tuple[str, NameKind, int]]:
    """The name that a rule has found in a sentence, if it is one."""
    group = found.lastindex or 1
    name = found[group]
    words = name.split()
    if name in longs or words[-1] in _NO_END or (rule is _TERMED and len(words) > 3):
        return
    kind = _kind(plain, rule, found, start, end)
    if kind:
        yield singular(name), kind, found.start(group)


def _kind(
    plain: str, rule: re.Pattern[str], found: re.Match[str], start: int, end: int
) -> NameKind | None:
    """The kind of what a rule has found, None where it is no name."""
    if rule is _PLAINLY_IS:
        return context.head(plain, found.end() - 2, end)
    if rule is _PLAINLY or (rule is _NEWLY and found.lastindex == 1):
        return by_form(found[found.lastindex or 1])
    if rule is _OUR:
        return HEADS.get(found[1].lower())
    if rule is _TERMED:
        before = plain[max(start, found.start() - 60) : found.start()].lower().split()
        while before and before[-1] in ("which", "that", "we", "also", "is", "are"):
            before.pop()
        return HEADS.get(before[-1].strip(",:"), "concept") if before else "concept"
    return "concept"


def _quoted(text: Abstract, longs: set[str]) -> Iterator[tuple[str, NameKind, int]]:
    """What stands in quotation marks where the authors introduce or name something."""
    plain = text.plain
    for quoted in _QUOTED.finditer(plain):
        name, start = quoted[1], quoted.start()
        if " " not in name or name in longs or len(name.split()) > 5:
            continue
        around = text.in_front(start)
        if around.cue == "intro" and around.kind == "concept":
            continue  # "we identify "common structures""
        if around.firm and not around.one and around.cue in ("intro", "named", "our", "apposed"):
            kind = around.kind or text.behind(quoted.end()).kind
            yield singular(name), kind or by_form(name), start
        elif around.firm and around.cue == "intro" and text.behind(quoted.end()).kind:
            yield singular(name), text.behind(quoted.end()).kind or "method", start


def _emphasised(
    text: Abstract, definitions: Sequence[Definition], emphasised: Sequence[Span]
) -> Iterator[tuple[str, NameKind, int]]:
    """What is emphasised where a name is given: "four stages: **discriminate**, ..."."""
    defined = {form for d in definitions for form in (d.short, d.long)}
    listed = -1
    for start, stop in emphasised:
        name = text.plain[start:stop]
        sentence = text.sentence(start)
        if text.roles[sentence] in ("background", "other"):
            continue
        if len(name) < 4 or len(name.split()) > 5:
            continue
        if not name.replace("-", "").replace(" ", "").isalpha():
            continue
        if name in defined or singular(name) in defined:
            continue
        around = text.in_front(start)
        if around.cue in ("named", "intro"):
            yield singular(name), around.kind or by_form(name), start
        elif listed == sentence or _STAGES.search(
            text.plain[max(text.span(start)[0], start - 60) : start]
        ):
            listed = sentence
            yield name, "method", start
