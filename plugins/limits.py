"""What SQL of visitors may not do, beyond the limits of time and rows that Datasette sets.

It cannot attach a file, load an extension, see where the database lies, or fill the memory. All
of it holds for every connection of the site.
"""

import sqlite3
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from datasette import hookimpl

# characters or bytes; an abstract may have 10 MB, and its text for search somewhat more
LONGEST_VALUE = 32_000_000
# characters and bytes of long values in one answer
LARGEST_ANSWER = 64_000_000
# bytes that SQLite may have in use for all connections
SQLITE_MEMORY = 512_000_000

_LONG = 50_000
_NO_FUNCTIONS = {"load_extension", "fts3_tokenizer", "randomblob", "zeroblob"}
# they answer with no row: Datasette itself asks for the list of databases
_NO_PRAGMAS = {"database_list", "data_store_directory", "temp_store_directory"}


def allowed(attaching: bool) -> Callable[..., int]:
    """An authorizer for sqlite3: what may be compiled; `attaching` lets databases be attached."""

    def authorize(
        action: int, first: str | None, second: str | None, _database: str | None, _by: str | None
    ) -> int:
        if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH):
            return sqlite3.SQLITE_OK if attaching else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS:
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _NO_PRAGMAS:
            return sqlite3.SQLITE_IGNORE
        return sqlite3.SQLITE_OK

    return authorize


def metered(largest: int = LARGEST_ANSWER) -> Callable[[sqlite3.Cursor, Sequence[Any]], Any]:
    """A row factory whose cursors stop with an error once their long values exceed `largest`."""
    # weak, as a cursor that is kept alive keeps its transaction open
    current: Callable[[], sqlite3.Cursor | None] = lambda: None  # noqa: E731
    total = 0

    def row(cursor: sqlite3.Cursor, values: Any) -> sqlite3.Row:
        nonlocal current, total
        for value in values:
            if type(value) in (str, bytes) and len(value) > _LONG:
                if current() is not cursor:
                    current, total = weakref.ref(cursor), 0
                total += len(value)
                if total > largest:
                    raise sqlite3.OperationalError(
                        "the answer is too large; ask for fewer rows or columns"
                    )
        return sqlite3.Row(cursor, values)

    return row


@hookimpl(tryfirst=True)
def prepare_connection(conn: sqlite3.Connection, datasette: Any) -> None:
    conn.execute(f"pragma hard_heap_limit = {SQLITE_MEMORY}")
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    conn.set_authorizer(allowed(attaching=datasette.crossdb))
    conn.row_factory = metered()
