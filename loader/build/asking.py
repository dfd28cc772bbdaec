"""What is asked of a database: its numbers, a query, whether it is sound.

In: a path. Out: counts, rows, faults.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from loader import interrupts
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


class _Clock:
    """How long SQLite has worked, without what happens to its rows in between."""

    def __init__(self, most: float) -> None:
        self.most, self.spent, self.since = most, 0.0, time.monotonic()

    def over(self) -> bool:
        return 0 < self.most < self.spent + time.monotonic() - self.since

    def each(self, cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        """The rows; the clock stands still while one is used."""
        while True:
            row = next(cursor, None)
            self.spent += time.monotonic() - self.since
            if row is None:
                return
            yield row
            self.since = time.monotonic()

    def fault(self, error: Exception, refused: bool) -> BaseException:
        """What a failure of SQLite means."""
        if interrupts.heard():  # in a function of ours that SQLite called
            return KeyboardInterrupt()
        if self.over():
            return LoadError(
                f"the query was stopped after {self.most:g} seconds; --timeout N gives it more,"
                " 0 as long as it takes"
            )
        return LoadError(
            f"{'SQLite refuses this query' if refused else 'the query failed'}: {error}"
        )


def query(
    database: Path, sql: str, seconds: float = 0
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Columns and rows of one query, for reading only. Raises LoadError where SQLite refuses it.

    `seconds` is how long SQLite may work for it, 0 for any time; LoadError when they are over. It
    may call the rooms, as on the site: `claims(text)`, `similarity(one, other)` ...
    """
    from loader.functions import FUNCTIONS  # noqa: PLC0415 (it calls extraction, which is of here)

    library = read_library(database)
    for function in FUNCTIONS:
        library.conn.create_function(
            function.name, len(function.parameters), function.call, deterministic=True
        )
    clock = _Clock(seconds)
    library.read_only(clock.over)
    try:
        cursor = library.conn.execute(sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        library.close()
        raise clock.fault(error, refused=True) from error
    if cursor.description is None:
        library.close()
        raise LoadError("this is no query for rows; write one that begins with select or with")
    columns = [d[0] for d in cursor.description]

    def rows() -> Iterator[tuple[Any, ...]]:
        with closing(library):
            try:
                yield from clock.each(cursor)
            except sqlite3.Error as error:
                raise clock.fault(error, refused=False) from error

    return columns, rows()


def check(database: Path) -> Iterator[str]:
    """The faults of a database, a line each. Raises LoadError where it is none of ours."""
    with closing(read_library(database)) as library:
        yield from faults(library)
        yield from contradictions(library)
    with closing(open_library(database)) as library:
        yield from search_faults(library)
