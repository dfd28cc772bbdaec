"""What people call a paper or an entry, and which entries they mean by it.

In: an id of a paper (or one that merging retired), an id of an entry, the id a source gives, a
DOI, an arXiv or OpenReview id, a file and a line. Out: entries, or a clear error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loader.database import Library, read_library
from loader.formats.fields import identifiers
from loader.model import LoadError

_KINDS = ("paper", "entry", "id", "doi", "arxiv", "openreview", "text")
_HASH = re.compile(r"[0-9a-f]{64}")
_MOST_SAID = 6  # meanings of an ambiguous name that an error tells


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name can mean: entries of one paper, the nearest meant first."""

    said: str  # a name that means this and nothing else
    paper_id: int
    entries: tuple[int, ...]
    exact: bool  # these entries, not just the paper they belong to


@dataclass(frozen=True, slots=True)
class Place:
    """A paper that a name leads to, with an entry of it."""

    paper_id: int
    label: str
    entry_id: int
    where: str  # file:line


def look_up(database: Path, name: str) -> list[Place]:
    """The papers that a name leads to, each once; none where it means nothing. Raises LoadError."""
    with closing(read_library(database)) as library:
        found: dict[int, Place] = {}
        for meaning in meanings(library, name):
            entry = meaning.entries[0]
            label = library.value("select label from papers where id = ?", [meaning.paper_id])
            found.setdefault(
                meaning.paper_id,
                Place(meaning.paper_id, label, entry, where(library, entry)),
            )
        return list(found.values())


def pair_called(library: Library, one: str, other: str) -> tuple[int, int]:
    """The two entries that two names mean. Raises LoadError where that is not clear.

    Of two papers the pair of entries that stands in `duplicates` is taken, else the kept ones;
    of one paper the entries that had the ids before they were merged, a person's pair first.
    """
    ours, theirs = _only(library, one), _only(library, other)
    if ours.paper_id == theirs.paper_id:
        pairs = [(a, b) for a in ours.entries for b in theirs.entries if a != b]
        if ours.exact and ours.entries == theirs.entries and len(ours.entries) == 1:
            raise LoadError(
                f"both are entry {ours.entries[0]}; a decision is about two different entries"
            )
        if not pairs or (not ours.exact and not theirs.exact):
            raise LoadError(f"{one} and {other} are one paper; name two of its entries: entry:ID")
        return _said_of(library, pairs) or pairs[0]
    ids = [f"[{','.join(map(str, m.entries))}]" for m in (ours, theirs)]
    row = next(
        library.rows(
            "select entry_id, other_entry_id from duplicates"
            " where entry_id in (select value from json_each(:a))"
            "  and other_entry_id in (select value from json_each(:b))"
            " union all select other_entry_id, entry_id from duplicates"
            " where entry_id in (select value from json_each(:b))"
            "  and other_entry_id in (select value from json_each(:a)) limit 1",
            {"a": ids[0], "b": ids[1]},
        ),
        None,
    )
    return (row[0], row[1]) if row else (ours.entries[0], theirs.entries[0])


def _said_of(library: Library, pairs: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The first of the pairs that a person joined: what is said now is said of these two."""
    joined = {
        frozenset(row)
        for side in ("entry_id", "other_entry_id")
        for row in library.rows_for(
            "select entry_id, other_entry_id from duplicates where method = 'user'"
            f" and {side} in (select value from json_each(:ids))",
            sorted({i for pair in pairs for i in pair}),
        )
    }
    return next((pair for pair in pairs if frozenset(pair) in joined), None)


def _only(library: Library, name: str) -> Meaning:
    """The one thing that a name means. Raises LoadError where it is nothing or several."""
    found = meanings(library, name)
    if not found:
        raise LoadError(
            f"{name[:80]!r} is no paper, entry, id, DOI or file:line of this library; "
            "look for it with: litsette find"
        )
    if len({m.paper_id for m in found}) > 1:
        said = [f"{m.said} ({where(library, m.entries[0])})" for m in found]
        more = f" and {len(said) - _MOST_SAID} more" if len(said) > _MOST_SAID else ""
        raise LoadError(f"{name[:80]!r} can mean {', '.join(said[:_MOST_SAID])}{more}; say which")
    return min(found, key=lambda m: not m.exact)


def where(library: Library, entry: int) -> str:
    """Where an entry stands: `file:line`."""
    return str(
        library.value(
            "select s.name || ':' || e.first_line from entries e"
            " join sources s on s.id = e.source_id where e.id = ?",
            [entry],
        )
    )


def meanings(library: Library, name: str) -> list[Meaning]:
    """Everything that a name can mean, each entry or paper once."""
    name = name.strip()
    kind, colon, rest = name.partition(":")
    if colon and kind.casefold() in _KINDS and rest:
        kind, value = kind.casefold(), rest.strip()
    else:
        kind, value = "", name
    found = list(_meanings(library, kind, value, name)) if value else []
    return list({(m.paper_id, m.entries): m for m in found}.values())


def _meanings(library: Library, kind: str, value: str, name: str) -> Iterator[Meaning]:
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 18 else None
    if number is not None and kind in ("", "entry"):
        for entry, paper in library.rows("select id, paper_id from entries where id = ?", [number]):
            yield Meaning(f"entry:{entry}", paper, (entry,), True)
    if number is not None and kind in ("", "paper"):
        yield from _paper(library, number)
    if kind in ("", "id"):
        yield from _by_paper(
            library, library.rows("select id from entries where external_id = ?", [value]), "id"
        )
    if kind in ("", "doi", "arxiv", "openreview"):
        named = set(identifiers(doi=value, url=value, external_id=name)) | {name}
        if kind:
            named.add(f"{kind}:{value.casefold() if kind != 'openreview' else value}")
        for identifier in sorted(named):
            rows = library.rows(
                "select entry_id from entry_identifiers where identifier = ?", [identifier]
            )
            yield from _by_paper(library, rows, "")
    if kind in ("", "text") and _HASH.fullmatch(value.casefold()):
        rows = library.rows("select id from entries where text_hash = ?", [value.casefold()])
        yield from _by_paper(library, rows, "")
    file, colon, line = name.rpartition(":")
    if colon and not kind and line.isascii() and line.isdigit() and len(line) < 12:
        rows = library.rows(
            "select e.id from sources s join entries e on e.source_id = s.id"
            " where s.name = ? and ? between e.first_line and e.last_line",
            [Path(file).name, int(line)],
        )
        yield from _by_paper(library, rows, "")


def _paper(library: Library, number: int) -> Iterator[Meaning]:
    """The paper with this id, or the entries whose own id merging retired."""
    own = [row[0] for row in library.rows(
        "select id from entries where content_id = ? order by id", [number]
    )]  # fmt: skip
    paper = library.value("select id from papers where id = ?", [number])
    if paper is None:
        paper = library.value("select paper_id from paper_aliases where old_id = ?", [number])
        if paper is None:
            return
    members = [row[0] for row in library.rows(
        "select e.id from entries e join papers p on p.id = e.paper_id where p.id = ?"
        " order by e.id <> p.entry_id, e.id",
        [paper],
    )]  # fmt: skip
    exact = [i for i in members if i in set(own)]
    if exact and len(exact) < len(members):
        # the id of some entries only; the others of the paper come after them
        yield Meaning(f"paper:{number}", paper, (*exact, *(_rest(members, exact))), True)
    else:
        yield Meaning(f"paper:{number}", paper, tuple(members), False)


def _rest(members: Sequence[int], exact: Sequence[int]) -> list[int]:
    return [i for i in members if i not in set(exact)]


def _by_paper(library: Library, rows: Iterable[Sequence[int]], kind: str) -> Iterator[Meaning]:
    """Entries with one name: a meaning for each paper that they belong to."""
    papers: dict[int, list[int]] = {}
    for entry, paper in library.rows_for(
        "select id, paper_id from entries where id in (select value from json_each(:ids))"
        " order by id",
        [row[0] for row in rows],
    ):
        papers.setdefault(paper, []).append(entry)
    for paper, entries in papers.items():
        said = f"entry:{entries[0]}"
        if kind and len(papers) == 1:
            said = (
                kind
                + ":"
                + library.value("select external_id from entries where id = ?", [entries[0]])
            )
        yield Meaning(said, paper, tuple(entries), True)
