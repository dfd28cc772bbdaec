"""Labels: what a person would call a paper.

In: its title or None, the plain text, the sentences with roles and claims, the names it introduces.
Out: a label of at most 100 characters: the title; else the paper's name with its long form or with
what the text says that it is; else the best phrase of what it builds, studies or finds; else its
topic. `statements` finds phrases, `named` describes names, `phrases` cuts text where it may end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from loader.labels import named, statements
from loader.labels.phrases import (
    LONGEST,
    SPACE,
    article,
    capital,
    cut,
    phrase,
    points_back,
    small,
    tidy,
    uncapital,
)
from loader.model import Claim, Name, Role
from loader.symbols import words

__all__ = ["LONGEST", "make"]

_UNTITLED: Final = "Untitled abstract"
_NAMES: Final = 12  # names of which the main one is chosen
_LONG: Final = 1500  # characters of a sentence that are read
_TRIED: Final = 8  # sentences looked at for a label
_READ: Final = 40  # sentences of an abstract that are read at all
_VAGUE: Final = 4.0  # what scores more than this is worse than the topic

_WORD: Final = re.compile(r"[a-z]{3,}")
# words that say nothing of a topic
_STOCK: Final = words(
    "novel new method methods approach approaches framework frameworks model models algorithm"
    " algorithms technique techniques system systems analysis study studies result results"
    " theoretical problem problems questions research paper work works extensive"
    " comprehensive first systematic empirical experimental several different various two three"
    " four five performance effectiveness set sets idea concept concepts way ways need needs"
    " insight insights second general experiments evaluation applications application scale task"
    " tasks data dataset datasets using use benchmark benchmarks based which that the and for"
    " with from over under into their its this these can are has have will not all both more"
    " most such how why what when whether while where between across through than each any one"
    " being been was were they them our conducting performing raising demonstrating showing"
    " applying providing discussing exploring investigating evaluating comparing simple"
    " efficient effective unified practical important existing proposed additional solution"
    " strategy strategies large small high low better best good strong main key components"
    " improve improving achieve achieves design designed build development challenge challenges"
    " issue issues paradigm scheme state art dynamics above effect role impact understanding"
    " properties"
)
_BAD_START: Final = re.compile(
    r"(?:In|On|At|By|With|For|Not|Only|And|But|If|As|Since|While|There|Than|Of|Among|That|Both|Which|They|It|This|Here|When|These|We|I|All|Their|Its)\b(?!-)"
)
_WORDY: Final = re.compile(
    r"(?:\w+ )?(?:research )?(?:questions?|contributions?|insights?|experiments?|evidence|findings|"
    r"observations?|implications?|figures|perspectives?)\b",
    re.IGNORECASE,
)
_REFERS: Final = re.compile(
    r" (?P<how>for|in|of|on|to|under) (?:this|these|the above|such an?|such) (?:\w+ )?"
    r"(?:problem|task|setting|challenge|issue|phenomenon|purpose|question|goal|area|field|domain)s?\b"
)


_BACK: Final = re.compile(
    r",? (?:in|on|of|for|over|under|to|with|from|at|by|as|across|within|using|through) "
    r"(?:this|these|such|those|our|them|it)\b"
)


def make(
    title: str | None,
    plain: str,
    sentences: Sequence[str],
    roles: Sequence[Role],
    claims: Sequence[Claim],
    names: Sequence[Name],
) -> str:
    """The label of a paper: never empty, never a number alone, at most 100 characters.

    `title` is free of markup. `sentences` are the plain sentences of `plain`, `roles` theirs;
    `claims` refer to them by index; `names` are in the order of the text.
    """
    told = _Told(plain, sentences[:_READ], roles, claims, names)
    ways: tuple[Callable[[], str], ...] = (
        lambda: _of_title(title or ""),
        lambda: _of_name(told, names[:_NAMES]),
        lambda: told.best.text if told.best.score < _VAGUE else told.about,
        lambda: told.best.text,
        lambda: cut(SPACE.sub(" ", plain[:400]).strip()),
    )
    for way in ways:
        label = way()
        if len(label) > LONGEST:  # a capital or a small letter can be two: "ß", "İ"
            label = cut(label)
        if len([*islice(filter(str.isalpha, label), 3)]) > 2:
            return label
    stray = SPACE.sub(" ", title or plain[:60]).strip()
    return cut(f"{_UNTITLED}: {stray}") if stray else _UNTITLED


def _of_title(title: str) -> str:
    return cut(SPACE.sub(" ", title).strip().removesuffix("."))


class _Scored(NamedTuple):
    score: float  # less is better
    text: str
    built: bool


class _Told:
    """An abstract, and the phrases that it offers for its label."""

    def __init__(
        self,
        plain: str,
        sentences: Sequence[str],
        roles: Sequence[Role],
        claims: Sequence[Claim],
        names: Sequence[Name],
    ) -> None:
        self.plain, self.roles = plain, roles
        self.names = frozenset(name.name.casefold() for name in names)
        self.raw = [sentence[:_LONG] for sentence in sentences]
        if "\n" in plain or "  " in plain:
            self.raw = [" ".join(sentence.split()) for sentence in self.raw]
        self.contributing = frozenset([c.sentence for c in claims if c.kind == "contribution"])
        self.finding = {c.sentence for c in claims if c.kind in ("result", "theory", "first")}
        self._tidy: dict[int, str] = {}
        self._often: dict[str, bool] = {}  # beginnings of words: whether the text repeats them

    def sentence(self, at: int) -> str:
        """A sentence without what stands in brackets."""
        if at not in self._tidy:
            self._tidy[at] = tidy(self.raw[at])
        return self._tidy[at]

    @cached_property
    def low(self) -> str:
        """The beginning of the text in small letters."""
        return self.plain[:6000].lower()

    @cached_property
    def scored(self) -> list[_Scored]:
        """The phrases of the abstract, best first."""
        ranked = sorted((self._rank(at) + 0.12 * at, at) for at in range(len(self.raw)))
        found: list[_Scored] = []
        for rank, at in ranked[:_TRIED]:
            if found and rank > 0.3 + min(found).score:
                break
            contributing = at in self.contributing
            for made in statements.of(self.sentence(at), contributing=contributing, bare=not found):
                text = self.resolved(made.text)
                if len(text) > 11:
                    score = rank + made.form + self.vagueness(text)
                    score += 1.0 if len(text) < len(made.text) else 0.0
                    score += 1.5 if text.casefold() in self.names else 0.0
                    found.append(_Scored(score, text, made.built))
        return sorted(found)

    def _rank(self, at: int) -> float:
        role = self.roles[at] if at < len(self.roles) else "other"
        if at in self.contributing:
            return 0.0
        if role == "objective":
            return 0.8
        if at in self.finding:
            return 1.7
        return {"method": 2.0, "result": 2.6, "background": 4.5}.get(role, 6.0)

    @property
    def best(self) -> _Scored:
        """The best phrase; an empty one where there is none."""
        return self.scored[0] if self.scored else _Scored(9.0, "", False)

    def vagueness(self, text: str) -> float:
        """How little a phrase says of the topic, whose words the text repeats: from -1 to 10."""
        content = {w[:6] for w in _WORD.findall(text.lower()) if w not in _STOCK}
        vague = 0.8 - 0.3 * min(self._repeated(content), 5)
        vague += (5.0, 2.5, 0.8)[len(content)] if len(content) < 3 else 0.0
        vague += 1.0 if len(text) < 24 else 0.0
        vague += 2.0 if _WORDY.match(text) else 0.0
        vague += 0.0 if text[:1].isalnum() and not _BAD_START.match(text) else 3.0
        vague += 3.0 if points_back(text[:60]) else 0.0
        return vague + (1.0 if text.endswith("?") else 0.0)

    def _repeated(self, content: Iterable[str]) -> int:
        often, low = self._often, self.low
        for word in content:
            if word not in often:
                often[word] = low.find(word, low.find(word) + len(word)) >= 0
        return sum([often[word] for word in content])

    def resolved(self, text: str) -> str:
        """`text` with the topic in place of "this problem", or without it."""
        refers = _REFERS.search(text)
        if not refers:
            back = _BACK.search(text, 12)
            return text[: back.start()] if back else text
        if self.topic and self.topic.casefold() not in text.casefold():
            named = f"{text[: refers.start()]} {refers['how']} {self.topic}"
            if len(named) <= LONGEST:
                return named
        return text[: refers.start()]

    @cached_property
    def topic(self) -> str:
        """What the abstract says that it studies, else what its first sentences speak of."""
        for at, raw in enumerate(self.raw[:6]):
            aim = at < len(self.roles) and self.roles[at] == "objective"
            if not aim and "paper" not in raw and "work" not in raw:
                continue
            sentence = self.sentence(at)
            if aim or "paper" in sentence or "work" in sentence:
                for studied in statements.studied(sentence):
                    if not points_back(studied) and self.vagueness(studied) < 1.4:
                        return uncapital(studied)
        for at in range(min(2, len(self.raw))):
            about = statements.subject(self.sentence(at))
            content = {w[:6] for w in _WORD.findall(about.lower()) if w not in _STOCK}
            if (not at or self._repeated(content)) and self.vagueness(about) < 2.4:
                return uncapital(about)
        return ""

    @property
    def about(self) -> str:
        """The topic as a label."""
        return capital(self.topic) if len(self.topic) > 11 else ""


def _of_name(told: _Told, names: Sequence[Name]) -> str:
    """`HaDola: human uncertainty-aware data selection and automatic labeling`."""
    chosen = named.main(names, told.raw, told.contributing)
    if chosen < 0:
        return ""
    main = names[chosen]
    plain_word = main.name == main.name.lower() and main.name.replace(" ", "").isalpha()
    shown = capital(main.name) if plain_word else main.name
    if main.expansion:
        return _of_long_form(told, main, shown)
    phrases = [n for n in names if n.expansion is None and " " in n.name]
    if len(phrases) > 1 and phrases[0].kind == "concept" and phrases[1].kind != "concept":
        # a problem and its remedy
        joined = f"{capital(small(phrases[0].name))} and {small(phrases[1].name)}"
        about = _field(told.raw, joined)
        return cut(f"{joined} in {about}" if about else joined)
    if len(shown) > LONGEST * 0.6:
        return cut(shown)
    what = _what(told, main)
    if what:
        return f"{shown}: {what}"
    # a concept in passing, or a measure of which nothing is told, is not the paper
    return "" if told.best.score < _VAGUE and told.best.text else cut(shown)


def _of_long_form(told: _Told, main: Name, shown: str) -> str:
    long = small(main.expansion or "", main.name)
    if len(re.findall(r"[^\s-]+", long)) > 3 and len(long) > 23:
        return cut(f"{shown}: {long}")
    room = LONGEST - len(shown) - len(long) - 6
    for what, _ in named.descriptions(main, told.raw):
        text = uncapital(phrase(what, room)) if len(what) > room else what
        if len(text) > 11 and not _says_nothing(text):
            return f"{shown}: {long}, {article(text)}{text}"
    goal = named.purpose(main, told.raw)
    if len(goal) > 11 and not points_back(goal[:40]):
        return cut(f"{shown}: {long} {goal}")
    return cut(f"{shown}: {long}")


def _what(told: _Told, main: Name) -> str:
    """What `main` is, in the words of the text; else what kind of thing for which topic."""
    room = LONGEST - len(main.name) - 2
    kind = ""
    for what, only_kind in named.descriptions(main, told.raw):
        text = told.resolved(what)
        if main.name.casefold() in text.casefold():
            continue
        if not only_kind and len(text) <= room and not _says_nothing(text):
            return text
        kind = kind or (what if only_kind else named.class_of(text))
    ours = named.is_ours(main, told.raw)
    for made in told.scored[:3] if ours else ():  # "our method, X": what is built is X
        if made.built and made.score < 1.5:
            text = uncapital(phrase(made.text, room))
            if text.casefold().startswith(f"{main.name.casefold()}, "):
                text = text[len(main.name) + 2 :]  # "NightBench, 1,204 issues of ..."
                text = "" if text.startswith(("which ", "that ", "where ")) else text
            if text and main.name.casefold() not in text.casefold():
                return text
    kind = kind or named.kind_of(main, told.raw)
    if kind and told.topic and len(text := f"{kind} for {told.topic}") <= room:
        return text
    return ""


def _says_nothing(text: str) -> bool:
    content = [w for w in _WORD.findall(text.lower()) if w not in _STOCK]
    return len(content) < 2 or points_back(text[:40])


def _field(sentences: Sequence[str], taken: str) -> str:
    """What an abstract defines an abbreviation for first: its field."""
    for sentence in sentences[:2]:
        defined = re.search(
            r"(?:^|[Tt]he |[Oo]f )((?!The )(?:[A-Z][\w-]+ (?:of |for )?){2,5})\(\w*[A-Z]\w*\)",
            sentence[:600],
        )
        if defined and defined[1].casefold() not in taken.casefold():
            return small(defined[1].strip())
    return ""
