"""Own names: what the paper itself introduces, with expansion and kind.

In: the plain text, its sentences and roles, the candidates, the acronyms and what is emphasised.
Out: `Name`s, in the order of the text.

Evidence is added up in points. In front of a candidate: "we propose", "named", "our", but also
"such as" and "compared with". Behind it: "(its long form)", "is a novel framework", "outperforms".
A known name, or one first met in the background, starts low.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from loader.model import Name, NameKind, Role, Span
from loader.names import context
from loader.names.acronyms import Definition, singular
from loader.names.candidates import Candidate, Form

_ENOUGH: Final = 3
_READ: Final = 5  # places of a name that are looked at
_CUE_POINTS: Final[dict[context.Cue, int]] = {
    "intro": 4, "named": 5, "our": 3, "apposed": 3, "used": -2, "other": -1, "one": 0, "none": 0
}  # fmt: skip
_FORM_POINTS: Final[dict[Form, int]] = {
    "known": -5, "field": -5, "technique": -9, "phrase": -1, "word": -1, "odd": 0
}  # fmt: skip
_COMPONENT: Final = re.compile(
    r"(?<![A-Za-z])(?:Module|Strategy|Mechanism|Scheme|Loss|Network|Block|Layer|Unit|Objective|"
    r"Stage|Sampler|Sampling|Optimizer|Encoder|Decoder|Adapter"
    r"|Alignment|Attention|Learning|Optimization|Pruning|Injection|Distillation|Regularization|"
    r"Mining|Estimation|Training|Router|Index|Score|Fusion|Matching|Enhancement|Quantization|"
    r"Decomposition|Aggregation|Augmentation)$",
    re.IGNORECASE,
)
_DEED: Final = re.compile(r"(?:ions?|ing|ment|ance|Drop|Loss|Search|Module|Network)$")
_SUFFIXES: Final[tuple[tuple[str, NameKind], ...]] = (
    ("bench", "benchmark"), ("eval", "benchmark"), ("arena", "benchmark"),
    ("benchmark", "benchmark"),
    ("dataset", "dataset"), ("corpus", "dataset"), ("pedia", "dataset"),
    ("former", "model"), ("net", "model"), ("gpt", "model"), ("lm", "model"), ("llama", "model"),
    ("bert", "model"), ("vla", "model"), ("kan", "model"), ("attack", "attack"), ("gym", "system"),
)  # fmt: skip
# "we introduce executable counterfactuals, a novel framework", "we introduce soft guidance."
_PLAINLY: Final = re.compile(
    r"\b[Ww]e\s+(?:\w+\s+)?(?:introduce|propose)\s+((?!(?:a|an|the|our|to|two|three|several|novel"
    r"|new|and|using|it|that|for|such)\b)[a-z][a-z-]+(?:\s(?!(?:in|of|for|by|on|with|during|and|"
    r"from|into|to|that|which)\b)[a-z][a-z-]+){1,3})(?<!s)(?=[.,]|\s(?:to|which|that)\s)"
)
_PLAINLY_IS: Final = re.compile(
    r"\b(?:introduces?|proposes?|presents?|develops?)\s+((?!(?:a|an|the|our|to|two|three|several|"
    r"novel|new|and)\b)[a-z][\w-]+(?:\s[a-z][\w-]+){0,3}),\s+an?\s"
)
# "a new objective, noise bridge distillation, which ..."; "the concept of temporal superposition."
_NEWLY: Final = re.compile(
    r"\ban?\s(?:new|"
    r"novel)\s(?:[\w-]+\s){0,3}[\w-]+,\s+([a-z][a-z-]+(?:\s[a-z][a-z-]+){1,3}),\s+(?:which|that|"
    r"an?)\s"
    r"|\b(?:introduc\w+|propos\w+)\s(?:the|a)\s(?:new |novel )?(?:concept|"
    r"notion)\sof\s([a-z][a-z-]+(?:\s[a-z][a-z-]+){0,2})(?=[.,;]|\s(?:as|to|that|which)\s)"
)
# "a behavior we term overthinking"
_TERMED: Final = re.compile(
    r"\b(?:termed|dubbed|coined|(?:namely|called|named)(?=\s[\"“‘'])|we (?:call|term|name|dub|"
    r"refer to as)(?: this| it| these)?(?: phenomenon)?|refer(?:red)? to (?:this|it|these)?(?: "
    r"\w+)? as)\s+(?:the\s+)?[\"“‘']?([a-z][a-z-]+(?:\s[a-z][a-z-]+){0,3})[\"”’']?\s*(?=[,.;:(–—]"
    r"|--|that\b|which\b|to\b|in\b|and\b|where\b|by\b|$)"
)
_NOUN_APPOSED: Final = re.compile(r"\s+[a-z]+,\s+(?=an?\s)")
_AND: Final = re.compile(r",?\s+and\s+|,\s+")
_SIZE: Final = re.compile(r"-\d+(?:\.\d+)?[BMbm]\b")
_STAGES: Final = re.compile(
    r"\b(?:stages|components|modules|steps|phases|parts|strategies|techniques|mechanisms|"
    r"innovations)\b[^.]{0,40}$"
)


# each with words of which one must stand in the sentence, so that few sentences are read closely
_RULES: Final = (
    (("introduc", "propos", "present", "develop"), _PLAINLY_IS),
    (("e introduce", "e propose"), _PLAINLY),
    ((" new ", " novel ", "concept of", "notion of"), _NEWLY),
    (
        (
            "termed",
            "dubbed",
            "coined",
            "we call",
            "we term",
            "we name",
            "we dub",
            "refer",
            "called",
            "namely",
            "named",
        ),
        _TERMED,
    ),
)


class Own(NamedTuple):
    """A name of the paper, where it first stands, and other forms it goes by."""

    name: Name
    start: int
    aliases: tuple[str, ...] = ()


_Found = dict[Any, NameKind]


class _Place(NamedTuple):
    start: int
    end: int


def find(
    plain: str,
    sentences: Sequence[Span],
    roles: Sequence[Role],
    candidates: Sequence[Candidate],
    definitions: Sequence[Definition],
    emphasised: Sequence[Span],
) -> list[Own]:
    """The names that the paper introduces, in the order of the text."""
    judge = _Judge(plain, sentences, roles, definitions, emphasised)
    own = [*judge.candidates(candidates), *judge.phrases()]
    own.sort(key=lambda o: o.start)
    kept: dict[str, Own] = {}
    for o in own:
        kept.setdefault(o.name.name.casefold(), o)
    return list(kept.values())


class _Judge:
    """Adds up the evidence for the candidates of one abstract."""

    def __init__(
        self,
        plain: str,
        sentences: Sequence[Span],
        roles: Sequence[Role],
        definitions: Sequence[Definition],
        emphasised: Sequence[Span],
    ) -> None:
        self.plain, self.sentences, self.roles = plain, sentences, roles
        self.starts = [span.start for span in sentences]
        self.definitions = {d.short: d for d in definitions}
        self.longs = {d.long for d in definitions}
        self.emphasised = {span.start: span.end for span in emphasised}

    def candidates(self, candidates: Sequence[Candidate]) -> Iterator[Own]:
        """Own names among the candidates and the defined short forms."""
        places: dict[str, list[_Place]] = {}
        forms: dict[str, Form] = {}
        covered = sorted(
            (
                min(d.long_span.start, d.short_span.start),
                max(d.long_span.end, d.short_span.end),
                d.short,
            )
            for d in self.definitions.values()
        )
        for candidate in candidates:
            form = candidate.form
            if candidate.affix or form == "technique":
                continue
            if form in ("known", "field") and candidate.name not in self.definitions:
                continue
            at = bisect_right(covered, (candidate.end, 0, "")) - 1
            if at >= 0 and covered[at][1] > candidate.start:
                if candidate.name == covered[at][2]:
                    forms.setdefault(candidate.name, candidate.form)
                continue  # a piece of a definition
            places.setdefault(candidate.name, []).append(_Place(candidate.start, candidate.end))
            forms.setdefault(candidate.name, candidate.form)
        for start, end, short in covered:
            closed = self.plain.startswith((")", "]"), end)
            places.setdefault(short, []).append(_Place(start, end + closed))
        own: _Found = {}
        ends: _Found = {}
        for seen in places.values():
            seen.sort()
        for name, seen in sorted(places.items(), key=lambda item: item[1][0]):
            definition = self.definitions.get(name)
            kind = self._judged(name, seen, forms.get(name, "odd"), definition)
            if kind is None:
                kind = self._further(name, seen[0], forms.get(name, "odd"), own, ends)
            if kind is None:
                continue
            own[name] = kind
            ends |= {place.end: kind for place in seen}
            if definition and " " not in definition.long and name in definition.long:
                yield Own(Name(definition.long, None, kind), seen[0].start, (name,))
            else:
                yield Own(Name(name, definition.long if definition else None, kind), seen[0].start)

    def phrases(self) -> Iterator[Own]:
        """Own names in small letters: emphasised, termed, or in apposition to what they are."""
        for signs, rule in _RULES:
            for at in sorted(self._holding(signs)):
                role = self.roles[at] if at < len(self.roles) else "other"
                if role in ("background", "other"):
                    continue
                start, end = self.sentences[at]
                for found in rule.finditer(self.plain, start, end):
                    group = found.lastindex or 1
                    name = found[group]
                    kind: NameKind | None = "concept"
                    if rule is _PLAINLY_IS:
                        kind = context.head(self.plain, found.end() - 2, end)
                    elif rule is _PLAINLY or (rule is _NEWLY and group == 1):
                        kind = self._kind(name)
                    words = name.split()
                    if words[-1] in ("such", "as", "the", "a", "of", "it") or not kind:
                        continue
                    if rule is not _TERMED or len(words) < 4:
                        yield Own(Name(singular(name), None, kind), found.start(group))
        yield from self._emphasised()

    def _holding(self, signs: Sequence[str]) -> set[int]:
        """The sentences in which one of `signs` stands."""
        holding = set()
        for sign in signs:
            at = self.plain.find(sign)
            while at >= 0 and self.starts:
                sentence = self._sentence(at)
                holding.add(sentence)
                at = self.plain.find(sign, max(at + 1, self.sentences[sentence].end))
        return holding

    def _emphasised(self) -> Iterator[Own]:
        """What is emphasised where a name is given: "four stages: **discriminate**, ..."."""
        listed = -1
        for start, stop in self.emphasised.items():
            text = self.plain[start:stop]
            sentence = self._sentence(start)
            role = self.roles[sentence] if sentence < len(self.roles) else "other"
            if role in ("background", "other") or len(text) < 4 or len(text.split()) > 5:
                continue
            if not text.replace("-", "").replace(" ", "").isalpha() or text in self.definitions:
                continue
            if singular(text) in self.longs:
                continue
            opens = self.starts[sentence] if self.starts else 0
            around = context.in_front(self.plain, opens, start)
            if around.cue in ("named", "intro"):
                yield Own(Name(singular(text), None, around.kind or self._kind(text)), start)
            elif listed == sentence or _STAGES.search(self.plain[max(opens, start - 60) : start]):
                listed = sentence
                yield Own(Name(text, None, "method"), start)

    def _judged(
        self, name: str, seen: Sequence[_Place], form: Form, definition: Definition | None
    ) -> NameKind | None:
        """The kind of `name` if it is the paper's own, else None."""
        sentence = self._sentence(seen[0].start)
        role = self.roles[sentence] if sentence < len(self.roles) else "other"
        points = _FORM_POINTS[form]
        if role == "background" and form in ("known", "field"):
            return None
        if definition:
            points = max(points, -2)
            if (
                len(seen) == 1
                and definition.long.islower()
                and context.behind(self.plain, seen[0].end).what == "noun"
            ):
                points -= 2  # "a learn-to-sail (L2S) method": a class, named once
        if role == "background":
            points -= 3
        best, kind, further, one = -9, None, 0, False
        for place in seen[:_READ]:
            scored, said, indefinite = self._points(place)
            one = one or indefinite
            best = max(best, scored)
            further += scored > 0
            kind = kind or said
        points += best + min(2, further - 1) if best > 0 else best
        if seen[0].start in self.emphasised and role not in ("background", "other"):
            points += 2
        if len(seen) > 2 and role != "background":
            points += 1
        if definition and role in ("method", "result", "objective"):
            points += _COMPONENT.search(definition.long) is not None
            points += 3 if one and definition.long[0].isupper() and form == "odd" else 0
        if form == "phrase" and best > 1:
            points += 2
        elif (
            form == "phrase"
            and best == 0
            and role == "method"
            and not definition
            and _DEED.search(name)
        ):
            # capitals where the method is described: a part of it
            points += (
                4
                if seen[0].start not in self.starts and self.plain[seen[0].start - 1] == " "
                else 0
            )
        if points < _ENOUGH:
            return None
        if name.casefold().endswith(("bench", "benchmark")):
            return "benchmark"
        return kind or self._kind(name)

    def _further(
        self, name: str, first: _Place, form: Form, own: _Found, ends: _Found
    ) -> NameKind | None:
        """The kind of a variant of an own name (`TideLM-7B`) or of its partner ("X and Y").

        `own` tells the kinds of the own names so far, `ends` by where they end in the text.
        """
        front, hyphen, _ = name.partition("-")
        while hyphen:
            if len(front) > 3 and front in own:
                return "model" if _SIZE.search(name) else own[front]
            more, hyphen, _ = name[len(front) + 1 :].partition("-")
            front = f"{front}-{more}"
        if form in ("odd", "phrase"):
            for end in range(first.start - 2, first.start - 9, -1):
                if end in ends and _AND.fullmatch(self.plain, end, first.start):
                    return ends[end]
        return None

    def _points(self, place: _Place) -> tuple[int, NameKind | None, bool]:
        """What the words around one place are worth, the kind they tell, and whether it is
        one of a kind ("a hierarchical Dependency Controlled Learning strategy")."""
        sentence = self._sentence(place.start)
        role = self.roles[sentence] if sentence < len(self.roles) else "other"
        opens, stop = self.sentences[sentence] if self.sentences else (0, len(self.plain))
        cue, kind = context.in_front(self.plain, opens, place.start)
        points = _CUE_POINTS[cue]
        if role in ("background", "other") and points > 0:
            points = 1
        what, said, end = context.behind(self.plain, place.end)
        active = role in ("method", "objective", "result")
        if what == "acts":
            points += 1 if place.start - opens < 40 and active else 0
            if self.plain[place.end : place.end + 4] == " is ":
                kind = kind or context.head(self.plain, place.end + 4, stop)
        elif what == "noun":
            kind = said or kind
            if said and active and cue == "one":
                points = max(points, 1) + 1
        elif what == "none" and (noun := _NOUN_APPOSED.match(self.plain, place.end)):
            kind = kind or context.head(self.plain, noun.end(), stop)
        elif what == "introduced":
            points = 4 if active else 1
        elif what == "apposed":
            if active and points > -2:
                points += 2
            kind = context.head(self.plain, end, stop) or kind
        if points < 3 and active and context.listed(self.plain, opens, place.start):
            points, kind = 4, kind or "method"
        if kind is None and what == "bracket" and points > 2:
            closed = self.plain.find(")", end, min(stop, end + 120))
            if closed > 0:
                follows = context.behind(self.plain, closed + 1)
                kind = (
                    context.head(self.plain, follows.end, stop)
                    if follows.what == "apposed"
                    else follows.kind
                )
        return points, kind, cue == "one"

    def _kind(self, name: str) -> NameKind:
        folded = name.casefold()
        if _SIZE.search(folded):
            return "model"
        for ending, kind in () if folded.endswith("-llm") else _SUFFIXES:
            if folded.endswith(ending):
                return kind
        return context.HEADS.get(re.split(r"[\s-]", folded)[-1], "method")

    def _sentence(self, at: int) -> int:
        return max(0, bisect_right(self.starts, at) - 1)
