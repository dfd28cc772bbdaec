"""Topics: what an abstract is about, from a vocabulary that people can edit.

In: the plain text of an abstract. Out: `Topic`s, each with the words of the text that made it
apply. The vocabulary is `topics.yml`: terms in two levels with patterns. All patterns together are
two expressions, one for words in small letters and one in which case counts, so a text is read
twice however many topics there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice, product
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


class Term(NamedTuple):
    """A topic of the vocabulary. `broader` is None on the first level."""

    term: str
    broader: str | None


class Vocabulary(NamedTuple):
    """The terms in the order of the file, and what finds them."""

    terms: tuple[Term, ...]
    broader: tuple[int | None, ...]  # the number of each term's broader term
    small: re.Pattern[str]  # for a text in small letters with a space in front
    cased: re.Pattern[str]
    by_group: tuple[tuple[tuple[int, int], ...], ...]  # group - 1 -> numbers of terms, weight
    cased_groups: int  # the groups from here on are those of `cased`


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
    for match in known.small.finditer(" " + small):
        group = match.lastindex or 1
        # what it found is one further on, and behind "..." its end is only looked at
        words = shown[match.start() : match.end(group) - 1]
        folded = words.casefold()
        for number, weight in known.by_group[group - 1]:
            weights[number] = weights.get(number, 0) + weight
            seen.setdefault(number, {}).setdefault(folded, words)
    for match in known.cased.finditer(plain):
        start = match.start()
        if start and plain[start - 1].isalnum():
            continue
        words = match[0]
        folded = words.casefold()
        for number, weight in known.by_group[known.cased_groups + (match.lastindex or 1) - 1]:
            weights[number] = weights.get(number, 0) + weight
            seen.setdefault(number, {}).setdefault(folded, words)
    applies: dict[int, dict[str, str]] = {}
    for number in sorted(weights):
        if weights[number] >= _ENOUGH:
            broader = known.broader[number]
            if broader is not None:
                applies[broader] = applies.get(broader, {}) | seen[number]
            applies[number] = applies.get(number, {}) | seen[number]
    return [
        Topic(
            known.terms[number].term,
            ", ".join(" ".join(w.split()) for w in islice(applies[number].values(), _EVIDENCE)),
        )
        for number in sorted(applies)
    ]


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
    groups: list[tuple[tuple[int, int], ...]] = []
    expressions: list[re.Pattern[str]] = []
    counts: list[int] = []
    for owners in (small, cased):
        tree: _Tree = {}
        for pattern in owners:
            branch = tree
            for c in pattern:
                branch = branch.setdefault(c, {})
            branch[""] = {pattern: {}}
        counts.append(len(groups))
        body = _branch(tree, owners, groups) if tree else "(?!)"
        # a capital or a digit is rare enough to look for; what stands before it is looked at later
        # and a small letter is looked for behind what divides words, which is passed over quickly
        expressions.append(re.compile(body if owners is cased else rf"[\W_]{body}"))
    broader = tuple(number[t.broader] if t.broader else None for t in terms.values())
    return Vocabulary(
        tuple(terms.values()), broader, expressions[0], expressions[1], tuple(groups), counts[1]
    )


def _branch(
    tree: _Tree,
    owners: Mapping[str, list[tuple[int, int]]],
    groups: list[tuple[tuple[int, int], ...]],
) -> str:
    """The expression for all patterns that go on from here, longer ones first.

    Each pattern ends in an empty group, whose number tells which pattern it was.
    """
    choices = []
    for c in sorted(tree, key=lambda c: (c != "*", c), reverse=True):
        if c:
            below = _branch(tree[c], owners, groups)
            if c == "…":
                choices.append(f"{_GAP}{below})")
            else:
                choices.append({" ": r"[\s-]", "*": r"\w*"}.get(c, re.escape(c)) + below)
    if "" in tree:
        groups.append(tuple(owners[next(iter(tree[""]))]))
        choices.append(r"s?(?![^\W_])()")
    return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"
