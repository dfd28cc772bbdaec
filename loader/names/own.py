"""Own names: what the paper itself introduces, with expansion and kind.

In: the plain text, its sentences and roles, the candidates, the acronyms and what is emphasised.
Out: `Name`s, in the order of the text, and every form they stand under.

Two kinds of evidence are added up, in points. What stands in front of a candidate: "we propose",
"named", "our", but also "such as" and "compared with". What stands behind it: "(its long form)",
"is a novel framework", "outperforms". A known name, or one first met in the background, starts low.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from loader.model import Name, NameKind, Role, Span
from loader.names.acronyms import Definition, singular
from loader.names.candidates import Candidate


class Own(NamedTuple):
    """A name of the paper, and the forms and places that are thereby taken."""

    name: Name
    start: int


_VERB: Final = (
    r"(?:introduc|propos|present|develop|design|devis|releas|construct|creat|unveil|contribut|curat|compil"
    r"|establish|formulat|open-sourc|fine-tun|train|defin|identif|describ|implement|formaliz|formalis|employ|advocat|offer|provid|explor|giv|publish|deriv|studi|adopt)"
    r"(?:e|es|ed|ing|y|s|ies|ied)?|buil[dt]s?|building|giving rise to|(?:resulting|results?) in|yield(?:s|ing)?|lead(?:s|ing) to"
)
_ADJECTIVE: Final = (
    r"(?:novel|new|simple|first|unified|effective|efficient|open|large-scale|general|so-called|lightweight|principled|scalable|comprehensive"
    r"|yet|and|two|three|four|several|following|versatile|powerful|practical|flexible|concept of|notion of|use of|strong|robust|improved|complementary|another|variant|second|additional)"
)
_CUES: Final = re.compile(
    rf"(?P<intro>\b(?:{_VERB})\s+(?:(?:in this paper|here|further|also),?\s+)?(?:(?:a|an|the|our|its|their)\s+)?(?:{_ADJECTIVE},?\s+){{0,4}})"
    r"|(?P<named>\b(?:called|named|termed|dubbed|coined|namely|titled|denoted(?: as| by)?|(?:we|which we|that we) (?:call|term|name|dub|refer to as|coin)(?: it| this| these| them| the \w+| our \w+)?(?: as)?"
    r"|refer(?:red)? to (?:it |this |them |this \w+ |these \w+ )?as|known as|terming it|we call|phenomenon as|behavior as|this as|it as|abbreviated as)\s+(?:the |a |an )?[\"“‘'`*]*)"
    r"|(?P<our>\b(?:[Oo]ur|proposed)\s+(?:(?:proposed|new|novel|final|full|best|resulting|main)\s+)?(?:(?:method|model|models|framework|approach|algorithm|system|benchmark|dataset|data set|solution|technique|architecture),?\s+)?)"
    r"|(?P<other>\b(?:such as|like|including|e\.g\.,?|i\.e\.,|over|than|on|onto|of|from|by|using|via|under|for|against|between|across|within|to|in|into|vs\.?|versus|as|existing|prior|standard|conventional|popular|original|baselines?)\s+(?:the |a |an )?)"
)
_HEADS: Final[dict[str, NameKind]] = {
    "benchmark": "benchmark", "benchmarks": "benchmark", "test suite": "benchmark", "testbed": "benchmark", "leaderboard": "benchmark",
    "challenge": "benchmark", "suite": "benchmark",
    "dataset": "dataset", "datasets": "dataset", "data set": "dataset", "corpus": "dataset", "collection": "dataset", "database": "dataset",
    "subset": "dataset",
    "framework": "framework", "frameworks": "framework", "paradigm": "framework", "pipeline": "framework",
    "model": "model", "models": "model", "network": "model", "architecture": "model", "architectures": "model", "llm": "model", "vlm": "model", "mllm": "model",
    "transformer": "model", "foundation model": "model", "language model": "model", "backbone": "model", "family": "model", "encoder": "model",
    "generator": "model", "detector": "model", "predictor": "model", "classifier": "model", "autoencoder": "model",
    "method": "method", "methods": "method", "approach": "method", "algorithm": "method", "algorithms": "method", "strategy": "method", "technique": "method", "module": "method",
    "mechanism": "method", "scheme": "method", "loss": "method", "objective": "method", "optimizer": "method", "procedure": "method",
    "layer": "method", "estimator": "method", "regularizer": "method", "sampler": "method", "solution": "method", "variant": "method", "block": "method",
    "unit": "method", "policy": "method", "stage": "method", "component": "method", "plug-in": "method", "operator": "method", "representation": "method",
    "extension": "method", "modification": "method", "process": "method", "step": "method", "agent": "method", "protocol": "method", "formulation": "method",
    "system": "system", "platform": "system", "toolkit": "system", "library": "system", "environment": "system", "simulator": "system", "engine": "system",
    "infrastructure": "system", "tool": "system", "package": "system", "interface": "system",
    "attack": "attack", "jailbreak": "attack", "backdoor": "attack",
    "metric": "concept", "measure": "concept", "phenomenon": "concept", "problem": "concept", "notion": "concept", "concept": "concept", "property": "concept",
    "task": "concept", "effect": "concept", "index": "concept", "score": "concept", "setting": "concept", "behavior": "concept", "class": "concept",
    "condition": "concept", "theory": "concept", "dimension": "concept", "hypothesis": "concept", "principle": "concept", "perspective": "concept",
}
_HEAD: Final = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _HEADS), key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_BEHIND: Final = re.compile(
    r"(?P<long>\s?\()"
    r"|(?P<noun>[\"”’']?\s+(?P<head>" + "|".join(sorted(map(re.escape, _HEADS), key=len, reverse=True)) + r")\b)"
    r"|(?P<apposed>[\"”’']?(?:,| –| —|—| --| -|:)\s*(?:which is |that is )?(?:an?|the first|the|our|one)\s+)"
    r"|(?P<acts>\s+(?:also |further |consistently |significantly |substantially |effectively |then |first |can |not only |thus |jointly |even |empirically |directly |explicitly )?"
    r"(?:is|are|was|has|achiev|outperform|improv|consist|reduc|leverag|us|introduc|enabl|employ|yield|surpass|exhibit|deliver|match|exceed|demonstrat|attain|reach|set|establish|show|learn|provid|generaliz|generalis|comprise|offer|support|combin"
    r"|integrat|incorporat|extend|maintain|operat|contain|includ|feature|scal|perform|requir|adapt|adopt|build|treat|optimi[sz]|formulat|allow|produc|generat|remain|decompos|decoupl|dynamic|doe|bring|construct|take|unif|preserv|serv|work|rank|benefit|can|captur|avoid|address|model|replac|place|discover|adds?|accelerat|mitigat|analy[sz])"
    r"\w*\b)"
)
_COORDINATED: Final = re.compile(r"(?:,? and (?:the |a |an |its )?|, (?:and )?(?:the |a |an )?|/)")
_SUFFIX: Final[tuple[tuple[str, NameKind], ...]] = (
    ("bench", "benchmark"), ("eval", "benchmark"), ("arena", "benchmark"), ("benchmark", "benchmark"),
    ("dataset", "dataset"), ("corpus", "dataset"), ("qa", "dataset"),
    ("former", "model"), ("net", "model"), ("gpt", "model"), ("lm", "model"), ("llama", "model"), ("bert", "model"), ("vla", "model"),
    ("attack", "attack"), ("gym", "system"),
)
_INTRO_POINTS, _NAMED_POINTS, _OUR_POINTS, _OTHER_POINTS = 4, 5, 3, -1
_ENOUGH: Final = 3
_WE: Final = re.compile(r"\b(?:we|our|this paper|this work|the paper|us|this article|this study|here)\b", re.IGNORECASE)


class _Seen(NamedTuple):
    """One place of a candidate and the points it earns there."""

    start: int
    end: int
    points: int
    kind: NameKind | None


def find(
    plain: str,
    sentences: Sequence[Span],
    roles: Sequence[Role],
    candidates: Sequence[Candidate],
    definitions: Sequence[Definition],
    emphasised: Sequence[Span],
) -> list[Own]:
    """The names that the paper introduces, in the order of the text."""
    return _Judge(plain, sentences, roles, candidates, definitions, emphasised).names()


class _Judge:
    """Adds up the evidence for each candidate of one abstract."""

    def __init__(
        self,
        plain: str,
        sentences: Sequence[Span],
        roles: Sequence[Role],
        candidates: Sequence[Candidate],
        definitions: Sequence[Definition],
        emphasised: Sequence[Span],
    ) -> None:
        self.plain, self.sentences, self.roles = plain, sentences, roles
        self.starts = [span.start for span in sentences]
        self.candidates, self.definitions = candidates, definitions
        self.emphasised = {(span.start, span.end) for span in emphasised}
        self.emphasised_starts = {span.start for span in emphasised}
        self.cues: dict[int, tuple[str, int]] = {}
        for cue in _CUES.finditer(plain):
            self.cues[cue.end()] = (cue.lastgroup or "", cue.start())

    def names(self) -> list[Own]:
        long_of = {d.short: d for d in self.definitions}
        # places by name; a long form stands for its short form
        places: dict[str, list[tuple[int, int, Candidate | None]]] = {}
        within = sorted((d.long_span, d.short) for d in self.definitions)
        for candidate in self.candidates:
            if candidate.affix or candidate.form == "technique":
                continue
            at = bisect_right(within, (Span(candidate.start, 1 << 60), "")) - 1
            if at >= 0 and within[at][0].end > candidate.start:
                continue  # a piece of a long form
            places.setdefault(candidate.name, []).append((candidate.start, candidate.end, candidate))
        for d in self.definitions:
            known = places.setdefault(d.short, [])
            start = min(d.short_span.start, d.long_span.start)
            end = max(d.short_span.end, d.long_span.end)
            if d.long_span.start < d.short_span.start:
                end += 1  # the bracket
            known[:] = [p for p in known if p[0] != d.short_span.start]
            known.append((start, end, None))
        own: list[Own] = []
        for name, seen in places.items():
            seen.sort(key=lambda p: p[0])
            kind = self._judged(name, seen, name in long_of)
            if kind is not None:
                definition = long_of.get(name)
                expansion = definition.long if definition else None
                own.append(Own(Name(name, expansion, kind), seen[0][0]))
        own.sort(key=lambda o: o.start)
        return own

    def _judged(
        self, name: str, seen: Sequence[tuple[int, int, Candidate | None]], defined: bool
    ) -> NameKind | None:
        """The kind of `name` if it is the paper's own, else None."""
        form = next((c.form for _, _, c in seen if c is not None), None)
        points = {"known": -3, "field": -3, "phrase": -1, "word": -1}.get(form or "", 0)
        sentence = self._sentence(seen[0][0])
        role = self.roles[sentence] if sentence < len(self.roles) else "other"
        if role == "background":
            points -= 3
        direct = 0
        kind: NameKind | None = None
        for start, end, _ in seen[:8]:
            found = self._seen(start, end)
            direct = max(direct, found.points)
            points += max(-1, min(found.points, 1)) if direct >= found.points and found.points < 3 else 0
            kind = kind or found.kind
        points += direct
        if (seen[0][0], seen[0][1]) in self.emphasised and role not in ("background", "other"):
            points += 2
        if len(seen) > 2 and role != "background":
            points += 1
        if direct < 1 and not defined and form in ("phrase", "word", "field", "known"):
            return None
        if points < _ENOUGH:
            return None
        return kind or self._by_form(name, seen)

    def _seen(self, start: int, end: int) -> _Seen:
        """What stands around one place."""
        plain, points = self.plain, 0
        kind: NameKind | None = None
        front = start
        while front > 0 and plain[front - 1] in "\"“‘'`*(":
            front -= 1
        cue = self.cues.get(start) or self.cues.get(front)
        sentence = self._sentence(start)
        role = self.roles[sentence] if sentence < len(self.roles) else "other"
        opens = self.sentences[sentence].start if self.sentences else 0
        if cue is not None:
            group, where = cue
            if group == "intro":
                points = _INTRO_POINTS if role in ("method", "objective", "result") else 1
            elif group == "named":
                points = _NAMED_POINTS if role != "background" else 1
            elif group == "our":
                points = _OUR_POINTS
            else:
                points = _OTHER_POINTS
            if group in ("named", "our", "intro"):
                heads = _HEAD.findall(plain, max(opens, where - 120), start)
                if heads and group != "intro":
                    kind = _HEADS[heads[-1].casefold()]
        behind = _BEHIND.match(plain, end)
        stop = self.sentences[sentence].end if self.sentences else len(plain)
        if behind is not None:
            if behind.lastgroup == "acts":
                points += 1 if start - opens < 30 and role in ("method", "result") else 0
                if re.match(r"\s+(?:is|are)\b", plain[end : end + 6]):
                    kind = kind or self._head(end, stop)
            elif behind["noun"]:
                kind = _HEADS[behind["head"].casefold()]
            elif behind["apposed"]:
                if points >= 0 and role in ("method", "objective", "result"):
                    points += 2
                kind = self._head(behind.end(), stop) or kind
        if points == 0 and role in ("method", "objective") and front > 1:
            # "... an efficient yet effective solution, PhaseFormer"
            before = plain[max(opens, front - 110) : front]
            if before.rstrip().endswith((",", ":", "—", "–", "--")) and _INTRODUCES.search(before):
                points = 3
                heads = _HEAD.findall(before)
                kind = kind or (_HEADS[heads[-1].casefold()] if heads else None)
        if kind is None and points > 2:
            kind = self._head(end, min(stop, end + 160), limit=160)
        return _Seen(start, end, points, kind)

    def _head(self, start: int, stop: int, limit: int = 120) -> NameKind | None:
        """The kind that the first noun phrase behind `start` tells: "a cross-modal ... framework"."""
        window = self.plain[start : min(stop, start + limit)]
        cut = re.search(r"\b(?:that|which|for|to|with|by|of|designed|where|from|in|on|using|based on|via)\b|[,;:]", window[3:])
        phrase = window[: cut.start() + 3] if cut else window
        heads = _HEAD.findall(phrase)
        return _HEADS[heads[-1].casefold()] if heads else None

    def _by_form(self, name: str, seen: Sequence[tuple[int, int, Candidate | None]]) -> NameKind:
        folded = name.casefold()
        for ending, kind in _SUFFIX:
            if folded.endswith(ending):
                return kind
        return "method"

    def _sentence(self, at: int) -> int:
        return max(0, bisect_right(self.starts, at) - 1)


_INTRODUCES: Final = re.compile(rf"\b(?:{_VERB})\b")
