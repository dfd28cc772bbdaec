"""The only room that writes SQLite.

In: records of the other rooms, as rows. Out: a database with the schema of `schema.sql`.
`Library` is one open database; whoever changes it does so inside `transaction()`, all or
nothing. What is decided (which entries are one paper, what a paper says) is decided in `build`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlite_utils

from loader import interrupts
from loader.model import LoadError

APPLICATION_ID = 0x6C697473  # "lits"
SCHEMA_VERSION = 4
_BUSY_SECONDS = 10
_CACHE_KILOBYTES = 65_536  # at most; SQLite's own default are 2,000

# Tables whose rows belong to a paper and are made anew with it, children before parents.
PAPER_TABLES = (
    "mention_places", "mentions", "claims", "measurements", "names", "acronyms", "links",
    "paper_topics", "paper_authors", "paper_keywords", "paper_kinds", "paper_sources",
    "paper_fields", "sentences",
)  # fmt: skip
# Searched beside papers: the index, and the columns that `search_text` makes one text of.
# What opens another file (vacuum does so by attaching), and the pragmas that only tell.
_OPENING = frozenset((sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH))
_TELLING = frozenset(
    ("table_list", "table_info", "table_xinfo", "index_list", "index_info", "foreign_key_list",
     "data_version", "user_version", "application_id")
)  # fmt: skip
_SEARCHED = {"claims": ("claims_fts", "text"), "names": ("names_fts", "name, expansion")}


class Library:
    """An open database of litsette. Use `open_library`, `create_library` or `read_library`."""

    def __init__(self, path: Path, conn: sqlite3.Connection) -> None:
        self.path = path
        self.conn = conn
        self.db = sqlite_utils.Database(conn)
        conn.execute("pragma foreign_keys = on")

    def close(self) -> None:
        self.conn.close()

    def read_only(self, over: Callable[[], bool] = lambda: False) -> None:
        """Refuse whatever writes or opens a file; Ctrl-C stops what runs, and so does `over()`."""

        def authorize(action: int, first: str | None, *_: object) -> int:
            pragma = action == sqlite3.SQLITE_PRAGMA and first not in _TELLING
            return sqlite3.SQLITE_DENY if pragma or action in _OPENING else sqlite3.SQLITE_OK

        self.conn.execute("pragma query_only = on")
        self.conn.set_authorizer(authorize)
        # Python hears a signal only when SQLite lets it run something
        self.conn.set_progress_handler(over, 100_000)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block or nothing of it. Raises LoadError where another program writes."""
        try:
            self.conn.execute("begin immediate")
        except sqlite3.OperationalError as error:
            raise _trouble(self.path, error) from error
        try:
            yield
            with interrupts.held_back():
                self.conn.execute("commit")
                interrupts.note_change()
        except sqlite3.OperationalError as error:  # disk full, file taken away ...
            self._undo()
            if interrupts.heard():  # in a function of ours that SQLite called
                raise KeyboardInterrupt from None
            raise _trouble(self.path, error) from error
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        with interrupts.held_back():
            if self.conn.in_transaction:
                self.conn.execute("rollback")

    # -- reading -------------------------------------------------------------------------

    def rows(
        self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, one at a time."""
        yield from self.conn.execute(sql, parameters)

    def rows_for(self, sql: str, ids: Iterable[int]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query with one `:ids` in `json_each(:ids)`, for many ids, in batches."""
        listed = list(ids)
        for start in range(0, len(listed), 5_000):
            batch = ",".join(map(str, listed[start : start + 5_000]))
            yield from self.conn.execute(sql, {"ids": f"[{batch}]"})

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first column of the first row, None where there is no row."""
        row = self.conn.execute(sql, parameters).fetchone()
        return row[0] if row else None

    def next_id(self, table: str) -> int:
        """The id after the largest one in use."""
        return int(self.value(f"select coalesce(max(id), 0) + 1 from {table}"))

    # -- writing -------------------------------------------------------------------------

    def insert(self, table: str, rows: Iterable[dict[str, Any]]) -> None:
        """Insert rows, each a dict with the same keys; lists and dicts are stored as JSON."""
        self.db.table(table).insert_all(rows, batch_size=2_000)

    def execute(self, sql: str, parameters: Any = ()) -> None:
        self.conn.execute(sql, parameters)

    def delete(self, table: str, column: str, ids: Iterable[int]) -> None:
        """Delete the rows whose `column` is one of `ids`."""
        self._with_ids(
            f"delete from {table} where {column} in (select value from json_each(?))", ids
        )

    def move_entries(self, rows: Iterable[tuple[int, int]]) -> None:
        """Give entries to papers: rows of (paper id, entry id)."""
        self.conn.executemany("update entries set paper_id = ? where id = ?", rows)

    def _with_ids(self, sql: str, ids: Iterable[int]) -> None:
        listed = sorted(ids)
        for start in range(0, len(listed), 5_000):
            batch = ",".join(map(str, listed[start : start + 5_000]))
            self.conn.execute(sql, [f"[{batch}]"])

    def forget_search(self, papers: Iterable[int]) -> None:
        """Take papers out of the search index, while their rows still hold the indexed text."""
        ids = list(papers)
        self._with_ids(
            "insert into papers_fts (papers_fts, rowid, search_text)"
            " select 'delete', id, search_text from papers"
            " where id in (select value from json_each(?)) order by id",
            ids,
        )
        for table, (index, _) in _SEARCHED.items():
            self._with_ids(
                f"delete from {index} where rowid in (select id from {table}"
                " where paper_id in (select value from json_each(?)))",
                ids,
            )

    def index_search(self, papers: Iterable[int], search_text: Callable[..., str]) -> None:
        """Put papers, their claims and their names into the search index.

        `search_text` makes what is indexed of the texts of a claim or a name.
        """
        ids = list(papers)
        self._with_ids(
            "insert into papers_fts (rowid, search_text) select id, search_text from papers"
            " where id in (select value from json_each(?)) order by id",
            ids,
        )
        self.conn.create_function("search_text", -1, search_text, deterministic=True)
        for table, (index, columns) in _SEARCHED.items():
            self._with_ids(
                f"insert into {index} (rowid, text) select id, search_text({columns}) from {table}"
                " where paper_id in (select value from json_each(?)) order by id",
                ids,
            )

    def forget_contents(self, papers: Iterable[int]) -> None:
        """Delete all that was extracted from papers, but not the papers themselves."""
        ids = list(papers)
        for table in PAPER_TABLES:
            if table == "mention_places":
                self._with_ids(
                    "delete from mention_places where mention_id in (select id from mentions"
                    " where paper_id in (select value from json_each(?)))",
                    ids,
                )
            else:
                self.delete(table, "paper_id", ids)

    def refresh_statistics(self) -> None:
        """What the query planner knows, from a sample, so that it stays quick on large tables."""
        self.conn.execute("pragma analysis_limit = 1000")
        self.conn.execute("analyze")


def create_library(path: Path) -> Library:
    """Open the database at `path` for writing; make it where there is none.

    The schema is written by the first transaction of `build.load`, through `lay_schema`, so
    that an interrupted first load leaves no half-made database. Raises LoadError.
    """
    if path.exists():
        return open_library(path)
    if not path.parent.is_dir():
        raise LoadError("the folder of the database does not exist; make it first", file=str(path))
    return Library(path, _connect(path, "rwc"))


def open_library(path: Path) -> Library:
    """Open an existing database for writing (an empty file counts as a new one)."""
    return _opened(path, "rw")


def read_library(path: Path) -> Library:
    """Open an existing database for reading only."""
    library = _opened(path, "ro")
    if not has_schema(library):
        raise LoadError("the database is empty; run litsette load FILE first", file=str(path))
    return library


def has_schema(library: Library) -> bool:
    """Whether the schema stands in the database."""
    return bool(library.value("select count(*) from sqlite_master"))


def lay_schema(library: Library) -> None:
    """Write `schema.sql` into an empty database, within the running transaction."""
    for statement in _statements((files("loader") / "schema.sql").read_text("utf-8")):
        library.conn.execute(statement)


def use_write_ahead_log(library: Library) -> None:
    """Let readers read while a load writes. Outside a transaction only."""
    library.conn.execute("pragma journal_mode = wal")


def write_copy(library: Library, out: Path) -> None:
    """Write a packed copy without a write-ahead log, and without who decided, to a new file.

    It appears under its name when it is whole. Raises LoadError.
    """
    if not out.parent.is_dir():
        raise LoadError("the folder of the copy does not exist; make it first", file=str(out))
    part = out.with_name(out.name + ".part")
    part.unlink(missing_ok=True)
    try:
        library.conn.execute("vacuum into ?", [str(part)])
        copy = _connect(part, "rw")
        try:
            copy.execute("pragma journal_mode = delete")
            # the evidence of a pair begins with the name of who settled it
            for (name,) in copy.execute(
                "select distinct decided_by from decisions where decided_by <> ''"
            ).fetchall():
                copy.execute(
                    "update duplicates set evidence = 'a person' || substr(evidence, ?)"
                    " where method = 'user' and substr(evidence, 1, ?) = ?",
                    [len(name) + 1, len(name) + 8, f"{name} said so"],
                )
            copy.execute("update decisions set decided_by = ''")
            copy.execute("vacuum")  # or the names would still lie in the file
        finally:
            copy.close()
        part.rename(out)
    except (sqlite3.Error, OSError) as error:
        reason = _trouble(out, error) if isinstance(error, sqlite3.Error) else None
        raise reason or LoadError(f"the copy cannot be written: {error}", file=str(out)) from error
    finally:
        part.unlink(missing_ok=True)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would commit in between."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        # isolation_level None: transactions begin and end where we say, nowhere else
        conn = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        # a row goes into many indexes, whose pages would be read again and again
        conn.execute(f"pragma cache_size = -{_CACHE_KILOBYTES}")
        return conn
    except sqlite3.Error as error:
        raise _trouble(path, error) from error


def _opened(path: Path, mode: str) -> Library:
    name = str(path)
    if path.is_dir():
        raise LoadError("this is a directory, not a database; name a file in it", file=name)
    if not path.exists():
        raise LoadError("no such database; make it with litsette load FILE --db PATH", file=name)
    try:
        conn = _connect(path, mode)
        application = conn.execute("pragma application_id").fetchone()[0]
        version = conn.execute("pragma user_version").fetchone()[0]
        tables = conn.execute("select count(*) from sqlite_master").fetchone()[0]
    except sqlite3.Error as error:
        raise _trouble(path, error) from error
    if tables and application != APPLICATION_ID:
        conn.close()
        raise LoadError("a database of another program; name another one with --db", file=name)
    if tables and version != SCHEMA_VERSION:
        conn.close()
        age = "an older" if version < SCHEMA_VERSION else "a newer"
        raise LoadError(
            f"{age} schema (version {version}, this litsette writes {SCHEMA_VERSION}); "
            "load the files again into a new database with --db",
            file=name,
        )
    if mode == "rw" and not _writable(path):
        conn.close()
        raise LoadError("the database cannot be written; check its permissions", file=name)
    return Library(path, conn)


def _writable(path: Path) -> bool:
    try:
        with path.open("rb+"):
            return True
    except OSError:
        return False


def _trouble(path: Path, error: sqlite3.Error) -> LoadError:
    """What SQLite says, in words that tell what to do."""
    said = str(error)
    if "locked" in said or "busy" in said:
        what = "another program is writing to the database; wait until it is done"
    elif "malformed" in said:
        what = "the database is damaged; load the files again into a new one with --db"
    elif "not a database" in said:
        what = "not an SQLite database; name another file with --db"
    elif "unable to open" in said:
        what = "the database cannot be opened; check the path and its permissions"
    elif "readonly" in said:
        what = "the database cannot be written; check its permissions"
    elif "full" in said:
        what = "the disk is full; nothing was loaded"
    else:
        what = f"SQLite says: {said}"
    return LoadError(what, file=str(path))
