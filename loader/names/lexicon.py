"""What is known beforehand: names of data sets, models and methods, from `names.yml`.

In: nothing but that file. Out: a `Lexicon` that tells, at a token, whether a known name begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from loader.model import LoadError, MentionKind

# the parser in C where there is one; both read plain values only
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILE: Final = Path(__file__).parent.parent / "names.yml"
_SECTIONS: Final[dict[str, MentionKind]] = {
    "datasets": "dataset",
    "models": "model",
    "methods": "method",
}


_Tree = dict[str, "_Tree"]  # a letter -> what may follow it; "" where a phrase ends


class Known(NamedTuple):
    """A known name: what stands behind its first word, and its kind."""

    rest: str
    kind: MentionKind


class Lexicon(NamedTuple):
    """The known names. `techniques` is to be looked for in a text in small letters with a space
    in front; what it finds begins with the character in front of the name, which may also be a
    letter that is not ASCII, and then it is none."""

    names: dict[str, tuple[Known, ...]]  # first word -> the names with it, the longest first
    techniques: re.Pattern[str]  # and the names without capitals, o3-mini
    small: dict[str, MentionKind]  # the names without capitals
    families: frozenset[str]  # models that come in versions and sizes
    fields: frozenset[str]


@cache
def known_names() -> Lexicon:
    """The vocabulary of `names.yml`. LoadError where the file cannot be read."""
    return read(FILE)


def read(path: Path) -> Lexicon:
    """The vocabulary of the file at `path`: five lists of names divided by commas."""
    try:
        content = yaml.load(path.read_text(encoding="utf8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise LoadError(f"not a list of names: {reason}", file=str(path)) from error
    if not isinstance(content, dict) or set(content) != {*_SECTIONS, "techniques", "fields"}:
        sections = ", ".join((*_SECTIONS, "techniques", "fields"))
        raise LoadError(f"needs exactly these sections: {sections}", file=str(path))
    names: dict[str, list[Known]] = {}
    for section, kind in _SECTIONS.items():
        for entry in _entries(content[section], section, path):
            first, space, rest = entry.partition(" ")
            names.setdefault(first, []).append(Known(space + rest, kind))
    small = {
        (first + known.rest).replace("-", " "): known.kind
        for first, entries in names.items()
        for known in entries
        if (first + known.rest).islower()
    }
    techniques = {e.casefold() for e in _entries(content["techniques"], "techniques", path)}
    return Lexicon(
        {
            first: tuple(sorted(set(known), key=lambda k: -len(k.rest)))
            for first, known in names.items()
        },
        _pattern(techniques | set(small)),
        small,
        frozenset(_entries(content["models"], "models", path)),
        frozenset(_entries(content["fields"], "fields", path)),
    )


def _entries(section: object, name: str, path: Path) -> Sequence[str]:
    if not isinstance(section, str):
        raise LoadError(f"section {name} is not a list divided by commas", file=str(path))
    return [entry for raw in section.split(",") if (entry := " ".join(raw.split()))]


def _pattern(phrases: set[str]) -> re.Pattern[str]:
    """One expression for all phrases, the last word in the plural too.

    A space stands for a hyphen and a hyphen for a space. Phrases that share a beginning share it
    in the expression, so that a text is read once. It takes in the character in front of the
    phrase: what divides words is found quickly.
    """
    tree: _Tree = {}
    for phrase in phrases:
        branch = tree
        for c in phrase:
            branch = branch.setdefault(" " if c == "-" else c, {})
        branch[""] = {}
    return re.compile(rf"[^a-z0-9_-]{_branch(tree)}s?(?![\w-])")


def _branch(tree: _Tree) -> str:
    choices = [
        ("[ -]" if c == " " else re.escape(c)) + _branch(below)
        for c, below in sorted(tree.items())
        if c
    ]
    if not choices:
        return ""
    body = choices[0] if len(choices) == 1 and "" not in tree else f"(?:{'|'.join(choices)})"
    return body + "?" if "" in tree else body
