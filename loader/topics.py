"""Topics: what an abstract is about, from a vocabulary that people can edit.

In: the plain text of an abstract. Out: `Topic`s, each with the words of the text that made it
apply. The vocabulary is `topics.yml`: terms in two levels with patterns. All patterns together are
two expressions, one for words in small letters and one in which case counts, so a text is read
twice however many topics there are. Which pattern it is that stands somewhere is remembered by
what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from loader.model import LoadError, Topic

# the parser in C where there is one; both read plain values only
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILE: Final = Path(__file__).with_name("topics.yml")
_EVIDENCE: Final = 4  # how many different words are given as evidence
_FIELDS: Final = frozenset({"term", "broader", "patterns", "weak"})
_ENOUGH: Final = 2  # a pattern counts 2, a weak one 1
_WORD: Final = r"[^\W_][\w+.&/'-]*\*?"
_WORDS: Final = rf"{_WORD}(?:\|{_WORD})*"
_PATTERN: Final = re.compile(rf"{_WORDS}(?: {_WORDS})*(?: \.\.\. {_WORDS}(?: {_WORDS})*)?")
# what "..." stands for: the rest of a phrase, in which other patterns are found as well
_GAP: Final = (
    r"(?=,?[\s-](?:(?!\b(?:on|that|which|across|with|to|by|using|over|against|from|for|whose|where|"
    r"achiev\w*|improv\w*|outperform\w*)\b)[^.;]){0,80}?(?<=[\s-])"
)


_Tree = dict[str, "_Tree"]  # a letter -> what may follow it; "" -> the pattern that ends here
_Owners = tuple[tuple[int, int], ...]  # the numbers of the terms that a pattern is of, its weights

_RUN: Final = re.compile(r"[^\W_]+")
_KEPT: Final = 20_000  # found words that are remembered
_LONGEST: Final = 80  # characters of what is remembered


class Term(NamedTuple):
    """A topic of the vocabulary. `broader` is None on the first level."""

    term: str
    broader: str | None


class _Patterns:
    """Patterns, found with one expression for all of them."""

    def __init__(self, owners: Mapping[str, Sequence[tuple[int, int]]], front: str) -> None:
        """`front`: the expression for one character in front, "" for whatever stands there."""
        self._owners = {pattern: tuple(pairs) for pattern, pairs in owners.items()}
        self._front = len(front[:1])
        self._search = re.compile(front + _expression(self._owners)).search
        self._told: dict[str, _Owners] = {}  # what was found -> the owners of its pattern
        self._alike: dict[tuple[str, ...], tuple[re.Pattern[str], list[_Owners]]] = {}
        # what stands in front of "..."
        self._gapped = tuple(p.split("…")[0].rstrip("*") for p in owners if "…" in p)
        self._whole: dict[str, list[str]] = {}  # patterns by the letters they begin with
        self._stems: dict[str, list[str]] = {}  # and by those that others may follow
        for pattern in owners:
            run = _RUN.match(pattern)
            end = run.end() if run else 0
            if pattern.startswith("*", end):
                self._stems.setdefault(pattern[:end], []).append(pattern)
                continue
            self._whole.setdefault(pattern[:end], []).append(pattern)
            if end == len(pattern):
                self._whole.setdefault(f"{pattern}s", []).append(pattern)

    def find(self, text: str, shown: str) -> list[tuple[str, _Owners]]:
        """What stands in `text`, as `shown` has it, and the terms it tells.

        `shown` begins where the first character in front ends.
        """
        search, told, front = self._search, self._told, self._front
        finds: list[tuple[str, _Owners]] = []
        behind = 0
        while found := search(text, behind):
            first, behind = found.span()
            start = first + front
            if start and text[start - 1].isalnum():
                behind = first + 1 if front else behind
                continue
            end, owners = behind, told.get(text[start:behind])
            if owners is None:
                end, owners = self._resolved(text, start, behind)
            finds.append((shown[first : end - front], owners))
        return finds

    def _resolved(self, text: str, start: int, end: int) -> tuple[int, _Owners]:
        """Where the evidence ends of the pattern that stands at `start`, and its owners."""
        written = text[start:end]
        letters = written.replace("-", " ")
        # a pattern with any ending goes before the same one without
        if not letters.startswith(self._gapped) and f"{letters}*" not in self._owners:
            for pattern in (letters, letters.removesuffix("s")):
                if pattern in self._owners and f"{pattern}*" not in self._owners:
                    self._remember(written, self._owners[pattern])
                    return end, self._owners[pattern]
        run = _RUN.match(text, start)
        letters = run[0] if run else ""
        patterns = list(self._whole.get(letters, ()))
        for stem, begun in self._stems.items():
            patterns += begun if letters.startswith(stem) else ()
        alike = tuple(patterns)
        if alike not in self._alike:
            groups: list[_Owners] = []
            expression = _expression({p: self._owners[p] for p in alike}, groups)
            self._alike[alike] = (re.compile(expression), groups)
        expression_, owners = self._alike[alike]
        found = expression_.match(text, start)
        group = (found.lastindex or 1) if found else 1
        if not any("…" in pattern for pattern in alike):
            self._remember(written, owners[group - 1])
        # behind "..." the end of the evidence is only looked at
        return (found.end(group) if found else end), owners[group - 1]

    def _remember(self, written: str, owners: _Owners) -> None:
        if len(written) > _LONGEST:
            return
        if len(self._told) >= _KEPT:
            self._told.clear()
        self._told[written] = owners


class Vocabulary(NamedTuple):
    """The terms in the order of the file, and what finds them."""

    terms: tuple[Term, ...]
    broader: tuple[int | None, ...]  # the number of each term's broader term
    small: _Patterns  # for a text in small letters with a space in front
    cased: _Patterns


def assign(plain: str, vocabulary: Vocabulary | None = None) -> list[Topic]:
    """The topics of `plain`, in the order of the vocabulary, each once.

    A topic brings its broader topic along, with the same evidence. Evidence is up to four
    different words or phrases as the text has them, divided by commas.
    """
    known = vocabulary or _default()
    seen: dict[int, dict[str, str]] = {}
    weights: dict[int, int] = {}
    small = plain.lower()
    shown = plain if len(small) == len(plain) else small  # some letters change their number
    for words, owners in known.small.find(f" {small}", shown) + known.cased.find(plain, plain):
        folded = words.casefold()
        for number, weight in owners:
            if number in seen:
                weights[number] += weight
                seen[number].setdefault(folded, words)
            else:
                weights[number] = weight
                seen[number] = {folded: words}
    applies: dict[int, dict[str, str]] = {}
    for number in sorted(weights):
        if weights[number] >= _ENOUGH:
            own = seen[number]
            broader = known.broader[number]
            if broader in applies:
                applies[broader].update(own)
            elif broader is not None:
                applies[broader] = own.copy()
            if number in applies:
                applies[number].update(own)
            else:
                applies[number] = own
    return [
        Topic(known.terms[number].term, _evidence(applies[number])) for number in sorted(applies)
    ]


def _evidence(words: Mapping[str, str]) -> str:
    shown = ", ".join(words.values() if len(words) <= _EVIDENCE else [*words.values()][:_EVIDENCE])
    # no white space but single spaces, which nearly all texts have
    return shown if shown.isprintable() and "  " not in shown else " ".join(shown.split())


def vocabulary() -> tuple[Term, ...]:
    """All terms with their broader terms, in the order of the file."""
    return _default().terms


@cache
def _default() -> Vocabulary:
    return read(FILE)


def read(path: Path) -> Vocabulary:
    """The vocabulary of the file at `path`.

    LoadError, with the line where one is known, for a file that cannot be read, is no YAML or
    no list of topics, names a topic twice or a broader topic that is not of the first level, or
    has a pattern that is no words.
    """
    file = str(path)
    try:
        content = yaml.load(path.read_text(encoding="utf8"), Loader=_Loader)
    except OSError as error:
        raise LoadError(f"cannot be read: {error.strerror}", file=file) from error
    except UnicodeDecodeError as error:
        raise LoadError("is not UTF-8 text", file=file) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "cannot be parsed"
        line = mark.line + 1 if mark else None
        raise LoadError(f"is not YAML: {problem}", file=file, line=line) from error
    if not isinstance(content, list) or not content:
        raise LoadError("is not a list of topics (- term: ... patterns: [...])", file=file)
    terms: dict[str, Term] = {}
    patterns: dict[str, list[tuple[str, int]]] = {}
    for number, entry in enumerate(content, 1):
        term, broader, words = _topic(entry, number, file)
        if term in terms:
            raise LoadError(f"topic {term!r} stands twice", file=file)
        terms[term] = Term(term, broader)
        patterns[term] = words
    for term, broader in terms.values():
        if broader is not None and (broader not in terms or terms[broader].broader is not None):
            raise LoadError(
                f"topic {term!r}: broader {broader!r} is no first-level topic", file=file
            )
    return _compiled(terms, patterns)


def _topic(entry: object, number: int, file: str) -> tuple[str, str | None, list[tuple[str, int]]]:
    if not isinstance(entry, Mapping):
        raise LoadError(f"topic number {number} is not a mapping with a term", file=file)
    term, broader = entry.get("term"), entry.get("broader")
    if not isinstance(term, str) or not term.strip():
        raise LoadError(f"topic number {number} has no term", file=file)
    if unknown := set(entry) - _FIELDS:
        raise LoadError(f"topic {term!r}: unknown field {min(map(str, unknown))!r}", file=file)
    if broader is not None and not isinstance(broader, str):
        raise LoadError(f"topic {term!r}: broader is not a term", file=file)
    if not entry.get("patterns"):
        raise LoadError(f"topic {term!r} has no patterns", file=file)
    weighted: list[tuple[str, int]] = []
    for section, weight in (("patterns", _ENOUGH), ("weak", 1)):
        patterns = entry.get(section, [])
        if not isinstance(patterns, list):
            raise LoadError(f"topic {term!r}: {section} is not a list", file=file)
        for pattern in patterns:
            if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
                raise LoadError(f"topic {term!r}: pattern {pattern!r} is not words", file=file)
            ways = [" ".join(way) for way in product(*(w.split("|") for w in pattern.split(" ")))]
            weighted += ((way, weight) for way in ways)
    return term, broader, weighted


def _compiled(
    terms: Mapping[str, Term], patterns: Mapping[str, list[tuple[str, int]]]
) -> Vocabulary:
    number = {term: at for at, term in enumerate(terms)}
    small: dict[str, list[tuple[int, int]]] = {}
    cased: dict[str, list[tuple[int, int]]] = {}
    for term, weighted in patterns.items():
        for written, weight in weighted:
            pattern = written.replace("-", " ").replace(" ... ", "…")
            one_word = " " not in pattern and "…" not in pattern
            table = cased if one_word and not pattern.islower() else small
            table.setdefault(pattern if table is cased else pattern.lower(), []).append(
                (number[term], weight)
            )
    broader = tuple(number[t.broader] if t.broader else None for t in terms.values())
    # a capital or a digit is rare enough to look for; what stands before it is looked at later
    # and a small letter is looked for behind what divides words, which is passed over quickly
    return Vocabulary(
        tuple(terms.values()), broader, _Patterns(small, "[^a-z0-9]"), _Patterns(cased, "")
    )


def _expression(owners: Mapping[str, _Owners], groups: list[_Owners] | None = None) -> str:
    """The expression for all patterns. With `groups` each pattern ends in an empty group, whose
    number tells which pattern it was; their owners are added to `groups`."""
    tree: _Tree = {}
    for pattern in owners:
        branch = tree
        for c in pattern:
            branch = branch.setdefault(c, {})
        branch[""] = {pattern: {}}
    return _branch(tree, owners, groups) if tree else "(?!)"


def _branch(tree: _Tree, owners: Mapping[str, _Owners], groups: list[_Owners] | None) -> str:
    """The expression for all patterns that go on from here, longer ones first."""
    choices = []
    for c in sorted(tree, key=lambda c: (c != "*", c), reverse=True):
        if c:
            below = _branch(tree[c], owners, groups)
            if c == "…":
                choices.append(f"{_GAP}{below})")
            else:
                choices.append({" ": r"[\s-]", "*": r"\w*"}.get(c, re.escape(c)) + below)
    if "" in tree:
        if groups is not None:
            groups.append(owners[next(iter(tree[""]))])
        choices.append(r"s?(?![^\W_])" + ("()" if groups is not None else ""))
    return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"
