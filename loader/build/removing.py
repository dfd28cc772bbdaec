"""A source taken out again: the library is as if it had never been loaded.

In: a source by name or id. Out: a report. What people decided stays: it is kept by content, and
applies again where the texts come back.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loader.build.entries import candidates, stored_entries
from loader.build.papers import Progress
from loader.build.settling import compare_new, settle_groups, touched_by
from loader.database import Library, open_library
from loader.model import LoadError


@dataclass(frozen=True, slots=True)
class Removed:
    """What removing a source took away."""

    name: str
    entries: int
    papers_before: int
    papers: int  # in the database now


def remove_source(database: Path, source: str | int, progress: Progress | None = None) -> Removed:
    """Remove a source and all that only it says, in one transaction.

    `source` is its name or its id. Raises LoadError where there is none, or several of the name.
    """
    tell = progress or (lambda _step, _done, _all: None)
    with closing(open_library(database)) as library, library.transaction():
        source_id, name = _source(library, source)
        papers_before = library.value("select count(*) from papers")
        entries = library.rows(
            "select id, content_id from entries where source_id = ?", [source_id]
        )
        content_ids = dict(entries)
        gone = content_ids.keys()
        touched = touched_by(library, gone)
        rest = sorted(touched - gone)
        papers = {
            row[0]
            for row in library.rows_for(
                "select distinct paper_id from entries"
                " where id in (select value from json_each(:ids))",
                sorted(touched),
            )
        }
        # ids that merging retired go on leading to what stays; those of the removed entries end
        gone_ids = set(content_ids.values())
        retired = [
            (old_id, entry)
            for old_id, entry in library.rows_for(
                "select a.old_id, min(e.id) from paper_aliases a"
                " join entries e on e.paper_id = a.paper_id"
                " where a.paper_id in (select value from json_each(:ids))"
                f" and e.source_id <> {source_id} group by a.old_id",
                sorted(papers),
            )
            if old_id not in gone_ids
        ]
        tell("taking papers out", 0, 0)
        library.forget_search(papers)
        library.forget_contents(papers)
        library.delete("papers", "id", papers)  # their aliases too
        for side in ("entry_id", "other_entry_id"):
            library.delete("duplicates", side, touched)
            library.delete("similarities", side, touched)
        for table in ("rejects", "entries"):
            library.delete(table, "source_id", [source_id])
        library.delete("sources", "id", [source_id])
        tell("finding duplicates", 0, 0)
        _compare_again(library, rest)
        settle_groups(
            library, rest, lambda ids: candidates(library, ids), tell,
            left=content_ids.values(),
        )  # fmt: skip
        for old_id, entry in retired:
            library.execute(
                "insert or ignore into paper_aliases (old_id, paper_id)"
                " select ?1, paper_id from entries"
                " where id = ?2 and ?1 not in (select id from papers)",
                (old_id, entry),
            )
        for table, link, column in (
            ("authors", "paper_authors", "author_id"), ("keywords", "paper_keywords", "keyword_id"),
        ):  # fmt: skip
            library.execute(f"delete from {table} where id not in (select {column} from {link})")
        library.refresh_statistics()
        now = library.value("select count(*) from papers")
    return Removed(name, len(gone), papers_before, now)


def _compare_again(library: Library, rest: list[int]) -> None:
    """Find the likenesses of entries anew: a crowd that is smaller now is compared in full."""
    again = set(rest)
    signed = {s.id: s for s in stored_entries(library)}
    others = [s for s in signed.values() if s.id not in again]
    compare_new(library, candidates(library, rest), others, lambda ids: candidates(library, ids))


def _source(library: Library, source: str | int) -> tuple[int, str]:
    called = str(source)
    found = list(library.rows("select id, name from sources where name = ? order by id", [called]))
    if called.isascii() and called.isdigit() and not (found and isinstance(source, str)):
        found = list(library.rows("select id, name from sources where id = ?", [int(called)]))
    if not found:
        raise LoadError(
            f"no source is called {called[:80]!r}; see them with: "
            'litsette query "select id, name from sources"'
        )
    if len(found) > 1:
        ids = ", ".join(str(row[0]) for row in found)
        raise LoadError(f"several sources are called {called[:80]!r}; say the id: {ids}")
    return found[0][0], found[0][1]
