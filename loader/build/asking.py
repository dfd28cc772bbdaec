"""What is asked of a database: its numbers, a query, whether it is sound.

In: a path. Out: counts, rows, faults.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from loader.build.contradictions import contradictions
from loader.check import faults, search_faults
from loader.database import open_library, read_library
from loader.model import LoadError


def ensure(database: Path) -> None:
    """Raise LoadError where this is not a database that can be read and served."""
    read_library(database).close()


def statistics(database: Path) -> dict[str, list[tuple[str, int]]]:
    """What a database holds: for each title, names and counts. Raises LoadError."""
    with closing(read_library(database)) as library:

        def ask(sql: str) -> list[tuple[str, int]]:
            return [(str(name), n) for name, n in library.rows(sql)]

        tables = ("sources", "entries", "papers", "sentences", "claims", "measurements", "names",
                  "acronyms", "mentions", "links", "rejects")  # fmt: skip
        return {
            "what is here": [(t, library.value(f"select count(*) from {t}")) for t in tables],
            "pairs by verdict": ask(
                "select verdict, count(*) from duplicates group by 1 order by 1"
            ),
            "claims by kind": ask(
                "select kind, count(*) from claims group by 1 order by 2 desc, 1"
            ),
            "measurements by kind": ask(
                "select kind, count(*) from measurements group by 1 order by 2 desc, 1"
            ),
            "papers by topic": ask(
                "select t.term, count(*) from paper_topics p join topics t on t.id = p.topic_id"
                " group by 1 order by 2 desc, 1 limit 10"
            ),
        }


def query(database: Path, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Columns and rows of one query, for reading only. Raises LoadError where SQLite refuses it.

    It may call the rooms, as on the site: `claims(text)`, `similarity(one, other)` ...
    """
    from loader.functions import FUNCTIONS  # noqa: PLC0415 (it calls extraction, which is of here)

    library = read_library(database)
    for function in FUNCTIONS:
        library.conn.create_function(
            function.name, len(function.parameters), function.call, deterministic=True
        )
    library.read_only()
    try:
        cursor = library.conn.execute(sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        library.close()
        raise LoadError(f"SQLite refuses this query: {error}") from error
    if cursor.description is None:
        library.close()
        raise LoadError("this is no query for rows; write one that begins with select or with")
    columns = [d[0] for d in cursor.description]

    def rows() -> Iterator[tuple[Any, ...]]:
        with closing(library):
            try:
                yield from cursor
            except sqlite3.Error as error:
                raise LoadError(f"the query failed: {error}") from error

    return columns, rows()


def check(database: Path) -> Iterator[str]:
    """The faults of a database, a line each. Raises LoadError where it is none of ours."""
    with closing(read_library(database)) as library:
        yield from faults(library)
        yield from contradictions(library)
    with closing(open_library(database)) as library:
        yield from search_faults(library)
