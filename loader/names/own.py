"""Own names: what the paper itself introduces, with expansion and kind.

In: the abstract, the candidates, the acronyms and what is emphasised.
Out: `Name`s, in the order of the text.

Evidence is added up in points. In front of a candidate: "we propose", "named", "our", but also
"such as" and "compared with". Behind it: "(its long form)", "is a novel framework", "outperforms".
A known name, or one first met in the background, starts low.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from loader.model import MentionKind, Name, NameKind, Span
from loader.names import coined, context
from loader.names.acronyms import HEAD_ENDS, Definition
from loader.names.candidates import Candidate, Form
from loader.names.coined import SIZE, by_form
from loader.names.context import Abstract
from loader.names.cues import HEADS, NO_INTRODUCTION

_ENOUGH: Final = 3
_READ: Final = 5  # places of a name that are looked at
_CUE_POINTS: Final[dict[context.Cue, int]] = {
    "intro": 4, "named": 5, "our": 3, "apposed": 3, "new": 3, "one": 0, "none": 0, "other": -1,
    "trained": -1, "used": -2,
}  # fmt: skip
_ACTIVE: Final = ("method", "objective", "result")  # where the authors tell what they did
_FORM_POINTS: Final[dict[Form, int]] = {
    "known": -5, "field": -5, "technique": -9, "phrase": -1, "word": -1, "odd": 0
}  # fmt: skip
_COMPONENTS: Final = tuple(
    "module strategy mechanism scheme loss network block layer unit objective stage sampler "
    "sampling optimizer encoder decoder adapter alignment attention learning optimization pruning "
    "injection distillation regularization mining estimation training router index score fusion "
    "matching enhancement quantization decomposition aggregation augmentation".split()
)
_LETTERS: Final = re.compile(r"[A-Za-z]+$")
_DEED: Final = re.compile(r"(?:ions?|ing|ment|ance|Drop|Loss|Search|Module|Network)$")
_NOUN_APPOSED: Final = re.compile(r"\s+[a-z]+,\s+(?=an?\s)")
_CLASS: Final = ("Network", "Networks", "Learning", "Model", "Models", "Process", "Processes")
_AND: Final = re.compile(r",?\s+and\s+|,\s+")


class Own(NamedTuple):
    """A name of the paper, where it first stands, and other forms it goes by."""

    name: Name
    start: int
    aliases: tuple[str, ...] = ()


_Found = dict[Any, NameKind]


class _Place(NamedTuple):
    start: int
    end: int


_Places = dict[str, list[_Place | Candidate]]
_PLACE: Final = attrgetter("start", "end")
_CLOSES: Final = re.compile(r"[.,:;]| (?:that|which|to|for)\b")
_NEW: Final = re.compile(
    r"\b(?:new|novel|our|first|we (?:call|name|term|dub|refer))\b", re.IGNORECASE
)
_IS_FIRST: Final = (" is the first ", " is the largest ", " is a new ", " is a novel ", " is our ")
# what is tried out, or opens the sentence: "we evaluate X on", "With X, we"
_TRIED: Final = re.compile(
    r"\b[Ww]e (?:\w+ly |also |then )?(?:evaluate|test|demonstrate|validate|apply|deploy) $|"
    r"^(?:With|In) $"
)
_EFFECT: Final = re.compile(
    r"\b(?:effectiveness|superiority|efficacy|merits?|versatility|generality) of (?:our |the )?$"
)
_VERB: Final = re.compile(r" (?:\w+ly )?[a-z]+s\b")
_FIRST: Final = re.compile(r"\bthe first (?:[\w-]+ )?$")
_SHOWN: Final = re.compile(
    r"\b(?:show\w*|demonstrat\w+|find|found|see|prove|observe|confirm\w*|indicate|reveal|verify) "
    r"(?:empirically )?that (?:the |our )?[\"“'*]?$"
)
_COMMON: Final = re.compile(
    r" ?(?:an?|the|one) (?:[\w-]+ )?(?:popular|common\w*|widely|well-known|recent\w*|existing|"
    r"standard|classical|strong|state-of-the-art|powerful|promising|important|fundamental|key|"
    r"leading|major|severe)\b"
)


def find(
    text: Abstract,
    candidates: Sequence[Candidate],
    definitions: Sequence[Definition],
    emphasised: Sequence[Span],
    fields: frozenset[str],
) -> list[Own]:
    """The names that the paper introduces, in the order of the text."""
    own = [*_Judge(text, definitions, emphasised, fields).candidates(candidates)]
    small = list(coined.find(text, definitions, emphasised))
    if small:
        begun = {" ".join(name.split()[:count]) for name, _, _ in small for count in range(1, 5)}
        begun -= {name for name, _, _ in small}
        own = [o for o in own if o.name.name not in begun]  # "Tidal" of "Tidal out"
        own += [Own(Name(name, None, kind), start) for name, kind, start in small]
    own.sort(key=lambda o: o.start)
    kept: dict[str, Own] = {}
    for o in own:
        kept.setdefault(o.name.name.casefold(), o)
    return list(kept.values())


def titles(
    text: Abstract, candidates: Sequence[Candidate], definitions: Sequence[Definition]
) -> Iterator[Definition]:
    """Short forms tied to an introduced title whose letters do not spell them: "we present
    Quantize-then-Rectify (ReVQ)"."""
    plain = text.plain
    defined = {d.short for d in definitions}
    last: Candidate | None = None
    for c in candidates:
        before, last = last, c
        if not before or before.end + 2 != c.start or before.form not in ("phrase", "odd", "word"):
            continue
        if plain[before.end : c.start] != " (" or not plain.startswith(")", c.end):
            continue
        if c.form != "odd" or c.name in defined or len(before.name) <= len(c.name):
            continue
        if text.in_front(before.start).cue in ("intro", "named", "apposed", "our"):
            spans = Span(c.start, c.end), Span(before.start, before.end)
            yield Definition(c.name, before.name, *spans)


def _head(long: str) -> str:
    """The head noun of a long form: "Dataset" of "Stanley Dataset of Rivers"."""
    words = long.split()
    ends = (i for i, word in enumerate(words) if i and word.casefold() in HEAD_ENDS)
    return words[next(ends, len(words)) - 1]


def _is_component(long: str) -> bool:
    """Whether a long form ends in the word for a part of a method."""
    folded = long.lower()
    if not folded.endswith(_COMPONENTS):
        return False
    last = _LETTERS.search(folded, max(0, len(folded) - 20))
    return last is not None and last[0] in _COMPONENTS


class _Judge:
    """Adds up the evidence for the candidates of one abstract."""

    def __init__(
        self,
        text: Abstract,
        definitions: Sequence[Definition],
        emphasised: Sequence[Span],
        fields: frozenset[str],
    ) -> None:
        self.text, self.plain = text, text.plain
        self.definitions = {d.short: d for d in definitions}
        self.emphasised = {span.start: span.end for span in emphasised}
        self.fields = fields
        self.kinds: dict[str, MentionKind | None] = {}  # of well-known names that are presented

    def candidates(self, candidates: Sequence[Candidate]) -> Iterator[Own]:
        """Own names among the candidates and the defined short forms."""
        places: _Places = {}
        forms: dict[str, Form] = {}
        known: dict[str, bool] = {}
        tried: dict[str, int] = {}
        covered = sorted(
            (
                min(d.long_span.start, d.short_span.start),
                max(d.long_span.end, d.short_span.end),
                d.short,
            )
            for d in self.definitions.values()
        )
        spans = {
            short: (start, end + self.plain.startswith((")", "]"), end))
            for start, end, short in covered
        }
        for candidate in candidates:
            name, form = candidate.name, candidate.form
            if candidate.affix or form == "technique":
                continue
            if form == "known" and not known.get(name) and tried.get(name, 0) < 2:
                tried[name] = tried.get(name, 0) + 1
                long = spans.get(name)
                known[name] = (
                    self._presented(*long, True)
                    if long and long[0] <= candidate.start < long[1]
                    else self._presented(candidate.start, candidate.end, False)
                )
            if form == "field" or (form == "known" and not known[name]):
                if name not in self.definitions:
                    continue
            elif (
                form == "phrase"
                and name.endswith(_CLASS)
                and "".join(filter(str.isupper, name)) in self.fields
            ):
                continue  # "a Convolutional Neural Network"
            elif form == "known":
                form = "odd"
                self.kinds[name] = candidate.kind
            at = bisect_right(covered, (candidate.end, 0, "")) - 1 if covered else -1
            if at >= 0 and covered[at][1] > candidate.start:
                if candidate.name == covered[at][2]:
                    forms.setdefault(name, form)
                continue  # a piece of a definition
            places.setdefault(name, []).append(candidate)
            forms.setdefault(name, form)
        for start, end, short in covered:
            closed = self.plain.startswith((")", "]"), end)
            places.setdefault(short, []).append(_Place(start, end + closed))
        own: _Found = {}
        ends: _Found = {}
        for seen in places.values() if covered else ():
            seen.sort(key=_PLACE)
        for name, seen in sorted(places.items(), key=lambda item: _PLACE(item[1][0])):
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
        if not own and (only := self._prominent(places, forms)):
            yield only

    def _presented(self, start: int, end: int, defined: bool) -> bool:
        """Whether a well-known name is presented as new, by the paper that made it known.
        `defined`: the place holds its long form."""
        before = self.plain[max(0, start - 20) : start].rstrip("\"“‘'`*( ").rpartition(" ")[2]
        if before.lower() in NO_INTRODUCTION:
            return False  # as most known names are met: "on CIFAR-10", "and MNIST"
        opens = self.text.span(start)[0]
        around = self.text.in_front(start)
        front = self.plain[max(opens, start - 120) : start]
        new = _NEW.search(front) is not None
        if start == opens and self.plain.startswith(_IS_FIRST, end):
            return True
        if not around.firm or (around.one and not (defined and new)):
            return False
        if not defined and self.plain[end : end + 2].lstrip(" ").isupper():
            return False  # "we propose the Q-learning Boat Transformer"
        if around.cue == "named":
            return new or context.proposed(self.plain, opens, start) is not None
        what, kind, stop = self.text.behind(end)
        if defined and what == "noun" and self.plain[start].islower():
            return False  # "we bring the tidal row memory (TRM) network to"
        if around.cue == "intro":
            return (
                defined
                or what in ("apposed", "bracket")
                or (what == "noun" and self.plain[stop - 1] != "s")
                or _CLOSES.match(self.plain, end) is not None
            )
        if around.cue == "our" and (defined or kind in ("system", "framework", "method")):
            return True
        return new and self.plain[start - 2 : start] in (", ", ": ")

    def _prominent(self, places: _Places, forms: dict[str, Form]) -> Own | None:
        """The name that an abstract is about where none is introduced in so many words: it is
        the subject of what is shown ("X retains 4.8%"), set bold, or said to be something."""
        best: Own | None = None
        most = 1
        for name, seen in places.items():
            if forms.get(name) != "odd" or name in self.definitions or SIZE.search(name):
                continue
            kind, points = None, 0
            active = False
            for count, place in enumerate(seen[:_READ]):
                opens, stop = self.text.span(place.start)
                active = active or self.text.role(place.start) in _ACTIVE
                cue = self.text.in_front(place.start)
                what, said, end = self.text.behind(place.end)
                if _EFFECT.search(self.plain[max(opens, place.start - 32) : place.start]):
                    points += 2  # "the effectiveness of X"
                    continue
                if cue.cue in ("used", "other"):
                    tried = _TRIED.search(self.plain[max(opens, place.start - 24) : place.start])
                    points += 1 if tried else -2 if count == 0 else -1
                    continue
                front = self.plain[max(opens, place.start - 24) : place.start]
                shown = _SHOWN.search(front) is not None
                subject = what == "acts" or (shown and _VERB.match(self.plain, place.end))
                points += 0 if not subject else 2 if shown else 1
                if what == "apposed" or (
                    subject and self.plain[place.end : place.end + 4] == " is "
                ):
                    end = end if what == "apposed" else place.end + 4
                    told = context.head(self.plain, end, stop)
                    if told and not _COMMON.match(self.plain, end):
                        kind = kind or told
                        points += 1 if count else 2
                        active = active or place.start == opens
                if self.plain[place.start - 1 : place.start] == "(" and count == 0:
                    points += self.plain.startswith(")", place.end)
                kind = kind or said
                points += place.start in self.emphasised and count == 0
            if active and points > most:
                most = points
                best = Own(Name(name, None, kind or by_form(name)), seen[0].start)
        return best

    def _judged(
        self,
        name: str,
        seen: Sequence[_Place | Candidate],
        form: Form,
        definition: Definition | None,
    ) -> NameKind | None:
        """The kind of `name` if it is the paper's own, else None."""
        role = self.text.role(seen[0].start)
        points, classed = _FORM_POINTS[form], False
        if role == "background" and form in ("known", "field"):
            return None
        if definition:
            points = max(points, -4)
            if (
                len(seen) == 1
                and definition.long.islower()
                and self.text.behind(seen[0].end).what == "noun"
            ):
                classed = True
                points -= 2  # "a learn-to-sail (L2S) method": a class, named once
        if role == "background":
            points -= 3
        if form == "field" and not self.text.in_front(seen[0].start).firm:
            return None  # "a CNN", whose long form is given
        best, kind, further, one = -9, None, 0, False
        for place in seen[:_READ]:
            scored, said, indefinite, firm = self._points(place)
            one = one or indefinite
            if firm and definition and classed and not indefinite:
                points, classed = points + 2, False
            if firm and place is seen[0]:
                points += 3 if role == "background" else 0
                points += 1 if form == "word" else 2 if form == "field" else 0
            best = max(best, scored)
            further += scored > 0
            kind = kind or said
        points += best + min(2, further - 1) if best > 0 else best
        if seen[0].start in self.emphasised and role not in ("background", "other"):
            points += 2
        if len(seen) > 2 and role != "background":
            points += 1
        if definition and role in ("method", "result", "objective"):
            points += _is_component(definition.long)
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
            before = self.plain[max(0, seen[0].start - 80) : seen[0].start]
            inside = before.rfind("(") > before.rfind(")")  # "3 tasks (Boat Repair, ...)"
            if seen[0].start not in self.text.starts and before.endswith(" ") and not inside:
                points += 4
        if points < _ENOUGH:
            return None
        if name.casefold().endswith(("bench", "benchmark")):
            return "benchmark"
        if kind is None and definition:
            head = _head(definition.long)
            kind = HEADS.get(head.casefold()) or (by_form(head) if head.isupper() else None)
        return kind or self.kinds.get(name) or by_form(name)

    def _further(
        self, name: str, first: _Place | Candidate, form: Form, own: _Found, ends: _Found
    ) -> NameKind | None:
        """The kind of a variant of an own name (`TideLM-7B`) or of its partner ("X and Y").

        `own` tells the kinds of the own names so far, `ends` by where they end in the text.
        """
        front, hyphen, _ = name.partition("-")
        while hyphen:
            if len(front) > 3 and front in own:
                return "model" if SIZE.search(name) else own[front]
            more, hyphen, _ = name[len(front) + 1 :].partition("-")
            front = f"{front}-{more}"
        if form in ("odd", "phrase"):
            for end in range(first.start - 2, first.start - 9, -1):
                if end in ends and _AND.fullmatch(self.plain, end, first.start):
                    return ends[end]
        return None

    def _points(self, place: _Place | Candidate) -> tuple[int, NameKind | None, bool, bool]:
        """What the words around one place are worth, the kind they tell, and whether it is
        one of a kind ("a hierarchical Dependency Controlled Learning strategy")."""
        opens, stop = self.text.span(place.start)
        cue, kind, firm, one = self.text.in_front(place.start)
        points = _CUE_POINTS[cue]
        active = firm or self.text.role(place.start) in _ACTIVE
        if not active and points > 0:
            points = 1
        what, said, end = self.text.behind(place.end)
        if what == "bracket":
            closed = self.plain.find(")", end, min(stop, end + 120)) + 1
            if closed and self.plain.startswith(_IS_FIRST, closed):
                return 4, context.head(self.plain, closed + 4, stop), False, True
        if what == "acts":
            points += 1 if place.start - opens < 40 and active else 0
            if self.plain.startswith((" is ", ", is "), place.end):
                if self.plain.startswith(_IS_FIRST, place.end):
                    points, active, firm = max(points, 4), True, True
                kind = self._told(kind, context.head(self.plain, end, stop))
        elif what == "noun":
            kind = said or kind
            if context.WE_MADE.match(self.plain, end):
                points, firm = 4, True  # "the X framework, which we propose"
            front = self.plain[max(opens, place.start - 30) : place.start]
            if cue == "intro" and not one and _FIRST.search(front):
                points = 0  # "we present the first PnP solution": a class
            if said and active and cue in ("one", "new"):
                points = max(points, 1) + 1
        elif what == "none" and (noun := _NOUN_APPOSED.match(self.plain, place.end)):
            kind = kind or context.head(self.plain, noun.end(), stop)
        elif what == "introduced":
            firm = firm or context.WE_MADE.match(self.plain, place.end) is not None
            points = 4 if active or firm else 1
            kind = kind or said
        elif what == "apposed":
            if cue == "trained" and firm:
                points = 4  # "we train X, a network for Y"
            elif active and points > -2:
                points += 2
            kind = context.head(self.plain, end, stop) or kind
        if points < 3 and active and (told := context.listed(self.plain, opens, place.start)):
            points, kind = 4, kind or told
        if (
            points < 3
            and self.plain[place.start - 1 : place.start] == "("
            and self.plain.startswith(")", place.end)
            and (said_there := context.proposed(self.plain, opens, place.start))
        ):
            points, kind, firm = 4, kind or said_there[0], True
        if kind is None and what == "bracket" and points > 2:
            closed = self.plain.find(")", end, min(stop, end + 120))
            if closed > 0:
                follows = self.text.behind(closed + 1)
                kind = (
                    context.head(self.plain, follows.end, stop)
                    if follows.what == "apposed"
                    else follows.kind
                )
        return points, kind, one and cue in ("one", "new", "intro"), firm

    @staticmethod
    def _told(kind: NameKind | None, said: NameKind | None) -> NameKind | None:
        """ "Our method, X, is a network": what it is said to be tells more than "method"."""
        return said if said is not None and kind in (None, "method") else kind
