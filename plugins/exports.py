"""All rows of a page as a file: `/library/papers.csv`, `/library/-/export/papers.json`, ...

In: the address of a table, a row, a question or SQL, with its filters and parameters, and an
ending of `loader.exports.FORMATS`. Out: every row, streamed from one cursor of a connection of
its own, with their number in the header `x-row-count`. What cannot be had whole is refused before
the first byte, or the transfer breaks off so that whoever downloads sees it.

`.json` at the address of a page stays Datasette's, page by page. Arguments: `_labels=on` (names
beside ids), `_bom=1` (CSV for spreadsheets), `_header=off`, `_size=100` (no more rows than that).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from datasette import Response, hookimpl
from datasette.utils import (
    InvalidSql,
    derive_named_parameters,
    escape_sqlite,
    tilde_decode,
    validate_sql_select,
)
from datasette.utils.asgi import BadRequest, NotFound, Request
from datasette.views.base import DatasetteError
from datasette.views.row import RowView
from datasette.views.table import TableView

from loader import exports

AT_ONCE = 2  # exports that read at the same time
WAITING_SECONDS = 10  # for one of them to end; then 503
FIRST_SECONDS = 10  # until the rows are counted
ALL_SECONDS = 120  # of reading, all in all
STALLED_SECONDS = 60  # that a reader takes no bytes
BATCH_ROWS, BATCH_CHARACTERS = 1_000, 1_000_000

log = logging.getLogger("litsette.site")

_DATABASE = r"/(?P<database>(?!-/)[^\/\.]+)"
_ENDINGS = "|".join(exports.FORMATS)
_NATURAL = "|".join(ending for ending in exports.FORMATS if ending != "json")
ROUTES = (
    rf"{_DATABASE}/-/export\.(?P<format>{_ENDINGS})$",
    rf"{_DATABASE}/-/export/(?P<table>[^\/\.]+)(?:/(?P<pks>[^/]+?))?\.(?P<format>{_ENDINGS})$",
    rf"{_DATABASE}\.(?P<format>{_NATURAL})$",
    rf"{_DATABASE}/(?P<table>[^\/\.]+)(?:/(?P<pks>[^/]+?))?\.(?P<format>{_NATURAL})$",
)
# of a page, not of its rows
_OF_PAGES = {"_next", "_size", "_view", "_shape", "_nl", "_facet_size", "_nofacet", "_nocount"}


class Wanted(NamedTuple):
    """What is exported: a query, or the rows that are known already.

    `labels` names, for a column with the key of another table, that table, its key and the column
    with the name. `limit` is the number of rows asked for.
    """

    name: str
    sql: str = ""
    parameters: Any = None
    labels: dict[str, tuple[str, str, str]] = {}  # noqa: RUF012 - never changed
    limit: int | None = None
    paper_key: str = "paper_id"  # the column with the id of a paper
    paper_id: int | None = None  # where it is the row of one paper


class Stopped(Exception):
    """The reader is gone, or it took too long."""


# -- what to export -----------------------------------------------------------------------


async def wanted_rows(datasette: Any, request: Any) -> Wanted | Response:
    """What the address asks for; a redirect where Datasette answers with one.

    Raises what Datasette does for an address it cannot use or a reader may not see.
    """
    variables = request.url_vars
    if tilde_decode(variables["database"]) not in datasette.databases:
        raise NotFound("There is no such database")
    if variables.get("pks"):
        return await _row(datasette, request)
    if not variables.get("table"):
        return await _sql(datasette, request)
    database, table = tilde_decode(variables["database"]), tilde_decode(variables["table"])
    question = await datasette.get_canned_query(database, table, request.actor)
    if question:
        return await _question(datasette, request, table, question)
    return await _table(datasette, request, table)


async def _table(datasette: Any, request: Any, table: str) -> Wanted | Response:
    limit = _limit(request)
    if request.args.get("_next"):
        raise BadRequest("An export holds all rows: leave _next out")
    pairs = [p for p in _pairs(request) if p[0] not in _OF_PAGES | {"_labels", "_label"}]
    asked = urlencode([*pairs, ("_size", "0"), ("_nofacet", "1"), ("_nocount", "1")])
    view = TableView(datasette)
    scope = request.scope | {"query_string": asked.encode()}
    found = await view.data(Request(scope, request.receive))
    if isinstance(found, Response):
        return found
    query = found[0]["query"]
    sql, _, rest = query["sql"].rpartition(" limit ")
    assert rest == "1", query["sql"]  # what _size=0 asks for
    labels = {}
    if request.args.get("_labels") not in (None, "", "off", "0"):
        for key, label in await view.expandable_columns(found[0]["database"], table):
            if label:
                labels[key["column"]] = (key["other_table"], key["other_column"], label)
    paper_key = "id" if table == "papers" else "paper_id"
    return Wanted(table, sql, query["params"], labels, limit, paper_key)


async def _row(datasette: Any, request: Any) -> Wanted:
    found = await RowView(datasette).data(request)
    data = found[0]
    table, keys = data["table"], data["primary_keys"]
    where = " and ".join(f"{escape_sqlite(key)} = :k{n}" for n, key in enumerate(keys))
    sql = f"select * from {escape_sqlite(table)} where {where or 'rowid = :k0'}"
    values = {f"k{n}": value for n, value in enumerate(data["primary_key_values"])}
    if table == "papers":
        paper_id = data["rows"][0]["id"]
        return Wanted(f"paper-{paper_id}", sql, values, paper_key="id", paper_id=paper_id)
    return Wanted("-".join([table, *map(str, data["primary_key_values"])]), sql, values)


async def _question(datasette: Any, request: Any, name: str, question: dict[str, Any]) -> Wanted:
    database = tilde_decode(request.url_vars["database"])
    await datasette.ensure_permissions(
        request.actor,
        [("view-query", (database, name)), ("view-database", database), "view-instance"],
    )
    if question.get("write"):
        raise BadRequest("This question writes; it has no rows")
    return await _query(datasette, request, name, question["sql"], question.get("params"))


async def _sql(datasette: Any, request: Any) -> Wanted:
    database = tilde_decode(request.url_vars["database"])
    await datasette.ensure_permissions(
        request.actor, [("execute-sql", database), ("view-database", database), "view-instance"]
    )
    sql = (request.args.get("sql") or "").strip()
    if not sql:
        raise BadRequest("Which rows? Give a query: ?sql=select ...")
    try:
        validate_sql_select(sql)
    except InvalidSql as error:
        raise DatasetteError(str(error), title="Invalid SQL", status=400) from None
    return await _query(datasette, request, "query", sql, None)


async def _query(
    datasette: Any, request: Any, name: str, sql: str, parameters: Sequence[str] | None
) -> Wanted:
    database = datasette.get_database(tilde_decode(request.url_vars["database"]))
    names = parameters or await derive_named_parameters(database, sql)
    values = {parameter: request.args.get(parameter) or "" for parameter in names}
    return Wanted(name, sql.rstrip().rstrip(";"), values, limit=_limit(request))


def _pairs(request: Any) -> list[tuple[str, str]]:
    return parse_qsl(request.query_string, keep_blank_values=True)


def _limit(request: Any) -> int | None:
    size = request.args.get("_size")
    if size in (None, "", "max"):
        return None
    if not (size.isascii() and size.isdigit() and len(size) < 10):
        raise BadRequest("_size is a number of rows, or max for all")
    return int(size)


# -- reading it ---------------------------------------------------------------------------


class Reading:
    """An export under way: a connection, a count and the pieces of the file.

    Its methods run in threads, one at a time. Raises `Stopped` once `gone` is set or the time is
    over, and whatever SQLite raises.
    """

    def __init__(self, conn: sqlite3.Connection, wanted: Wanted) -> None:
        self.conn, self.wanted = conn, wanted
        self.gone = threading.Event()
        self._end = time.monotonic() + FIRST_SECONDS
        conn.row_factory = None
        conn.set_progress_handler(self._over, 10_000)

    def _over(self) -> bool:
        return self.gone.is_set() or time.monotonic() > self._end

    def count(self, ending: str) -> tuple[int, int, list[str]]:
        """How many rows (papers, for citations) the file has, how many there are, the columns.

        Raises BadRequest where the rows are not papers.
        """
        conn, wanted = self.conn, self.wanted
        conn.execute("begin")  # the count and the rows are of one state
        inside = f"(\n{wanted.sql}\n)"
        cursor = conn.execute(f"select * from {inside} limit 0", wanted.parameters)
        columns = [column[0] for column in cursor.description]
        counted = f"select count(*) from {inside}"
        if exports.FORMATS[ending].of_papers:
            if wanted.paper_key not in columns:
                raise BadRequest("These rows are no papers and name none in a column paper_id")
            counted = (
                f"select count(*) from papers where id in "
                f"(select {escape_sqlite(wanted.paper_key)} from {inside})"
            )
        total = conn.execute(counted, wanted.parameters).fetchone()[0]
        if ending == "xlsx" and total > exports.SHEET_ROWS:
            raise BadRequest(f"A worksheet holds {exports.SHEET_ROWS:,} rows; take CSV")
        self._end = time.monotonic() + ALL_SECONDS
        return (total if wanted.limit is None else min(total, wanted.limit)), total, columns

    def pieces(
        self, ending: str, arguments: Any, count: int, columns: list[str]
    ) -> Iterator[bytes]:
        """The file. Raises Stopped where it has not `count` rows in the end."""
        wanted = self.wanted
        cursor = self.conn.execute(wanted.sql, wanted.parameters)
        if wanted.paper_id is not None and ending == "md":
            yield exports.paper_page(self.conn, wanted.paper_id).encode()
            return
        if exports.FORMATS[ending].of_papers:
            ids = _distinct(cursor, columns.index(wanted.paper_key))
            papers = (exports.cited(self.conn, some) for some in ids)
            yield from exports.papers_as(ending, _exactly(papers, count))
            return
        rows = _exactly(_sized(cursor), count)
        if wanted.labels:
            keys = [wanted.labels.get(column) for column in columns]
            rows = (self._labelled(batch, keys) for batch in rows)
            columns = [
                name
                for column, key in zip(columns, keys, strict=True)
                for name in ([column, f"{column}_label"] if key else [column])
            ]
        excel = arguments.get("_bom") not in (None, "", "0", "off")
        found = exports.rows_as(ending, columns, rows, excel=excel)
        if ending == "csv" and arguments.get("_header") == "off":
            next(found)
        yield from found

    def _labelled(self, rows: Sequence[Any], keys: Sequence[Any]) -> list[list[Any]]:
        """The rows with a name behind each id; `keys` says of each column where names are."""
        names: list[dict[Any, Any] | None] = []
        for place, key in enumerate(keys):
            if key is None:
                names.append(None)
                continue
            table, column, label = map(escape_sqlite, key)
            ids = [*{row[place] for row in rows if row[place] is not None}]
            found = self.conn.execute(
                f"select {column}, {label} from {table} "
                f"where {column} in ({', '.join('?' * len(ids))})",
                ids,
            )
            names.append(dict(found.fetchall()))
        return [
            [
                cell
                for value, known in zip(row, names, strict=True)
                for cell in ([value] if known is None else [value, known.get(value)])
            ]
            for row in rows
        ]


def _sized(cursor: sqlite3.Cursor) -> Iterator[list[Any]]:
    """Rows in batches that are small in rows and in characters, so that memory stays flat."""
    batch: list[Any] = []
    size = 0
    for row in cursor:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(batch) >= BATCH_ROWS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _distinct(cursor: sqlite3.Cursor, column: int) -> Iterator[list[int]]:
    """The ids in a column, each once, in batches."""
    seen: set[int] = set()
    for rows in _sized(cursor):
        new = dict.fromkeys(row[column] for row in rows if isinstance(row[column], int))
        fresh = [paper_id for paper_id in new if paper_id not in seen]
        seen.update(fresh)
        yield fresh


def _exactly(batches: Iterator[Any], count: int) -> Iterator[Any]:
    """The first `count` rows. Raises Stopped where there are fewer."""
    left = count
    for batch in batches:
        wanted = batch[:left]
        left -= len(wanted)
        yield wanted
        if not left:
            break
    if left:
        raise Stopped(f"{left} of {count} rows did not come")


# -- sending it ---------------------------------------------------------------------------

_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="export")
_running = 0


@contextlib.asynccontextmanager
async def slot() -> AsyncIterator[bool]:
    """Room for one more export; False where none gets free in time."""
    global _running  # noqa: PLW0603 - the number belongs to the process
    until = time.monotonic() + WAITING_SECONDS
    while _running >= AT_ONCE:
        if time.monotonic() > until:
            yield False
            return
        await asyncio.sleep(0.05)
    _running += 1
    try:
        yield True
    finally:
        _running -= 1


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(_threads, function, *arguments)


async def _watch(receive: Any, gone: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def export(datasette: Any, request: Any, send: Any, receive: Any) -> Response | None:
    """The view: answers itself, piece by piece, or gives the answer for what cannot be had."""
    if request.method not in ("GET", "HEAD"):
        return Response.text("An export is read with GET.\n", status=405)
    wanted = await wanted_rows(datasette, request)
    if isinstance(wanted, Response):
        return wanted
    database = datasette.get_database(tilde_decode(request.url_vars["database"]))
    async with slot() as free:
        if not free:
            headers = {"retry-after": "30"}
            text = "Other exports are under way; try again in a while.\n"
            return Response.text(text, status=503, headers=headers)
        conn = await _in_thread(_connect, datasette, database)
        reading = Reading(conn, wanted)
        watching = asyncio.create_task(_watch(receive, reading.gone))
        try:
            return await _send(reading, request, send)
        finally:
            watching.cancel()
            reading.gone.set()
            await _in_thread(conn.close)


def _connect(datasette: Any, database: Any) -> sqlite3.Connection:
    conn: sqlite3.Connection = database.connect()
    datasette._prepare_connection(conn, database.name)
    return conn


async def _send(reading: Reading, request: Any, send: Any) -> Response | None:
    ending = request.url_vars["format"]
    kind = exports.FORMATS[ending]
    try:
        count, total, columns = await _in_thread(reading.count, ending)
        pieces = reading.pieces(ending, request.args, count, columns)
        piece = await _in_thread(next, pieces, None)  # a fault before it gets an answer
    except sqlite3.Error as error:
        if error.args == ("interrupted",):
            raise DatasetteError("This takes too long; ask for less.", status=400) from None
        raise DatasetteError(str(error), title="Invalid SQL", status=400) from None
    headers = {
        "content-type": kind.content_type,
        "content-disposition": f'attachment; filename="{_file_name(reading.wanted.name)}.{ending}"',
        "x-row-count": str(count),
    }
    if count < total:
        headers["x-rows-left-out"] = str(total - count)
    raw = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": raw})
    if request.method == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return None
    try:
        while piece is not None:
            if piece:
                message = {"type": "http.response.body", "body": piece, "more_body": True}
                await asyncio.wait_for(send(message), STALLED_SECONDS)
            if reading.gone.is_set():
                return None
            piece = await _in_thread(next, pieces, None)
    except Exception as error:
        # without its end the transfer is seen to be broken; a second answer cannot be sent
        log.warning("%s broke off: %s", request.path, error)
        return None
    await send({"type": "http.response.body", "body": b""})
    return None


def _file_name(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:80]


# -- the links ----------------------------------------------------------------------------


class Link(NamedTuple):
    """What an export is called on a page, and its address."""

    name: str
    address: str


def links(path: str, pairs: Sequence[tuple[str, str]], papers: bool, labels: bool) -> list[Link]:
    """The exports of a page; `path` is its address without ending, `pairs` its arguments.

    `papers`: its rows name papers. `labels`: its ids have names, which sheets get too.
    """
    kept = [pair for pair in pairs if pair[0] not in _OF_PAGES and not pair[0].startswith("_facet")]
    found = []
    for ending, kind in exports.FORMATS.items():
        if kind.of_papers and not papers:
            continue
        more = [("_labels", "on")] if labels and ending in ("csv", "xlsx") else []
        found.append(Link(kind.name, _address(path, ending, [*kept, *more])))
        if ending == "csv":
            address = _address(path, ending, [*kept, *more, ("_bom", "1")])
            found.append(Link("CSV for Excel", address))
    return found


def _address(path: str, ending: str, pairs: Sequence[tuple[str, str]]) -> str:
    return f"{path}.{ending}" + (f"?{urlencode(pairs)}" if pairs else "")


@hookimpl
def extra_template_vars(
    template: str | None, database: str | None, columns: Any, request: Any, datasette: Any
) -> Any:
    if not database or not request or not (template or "").startswith(("table", "query", "row")):
        return None
    table = request.url_vars.get("table")
    path = datasette.urls.database(database) + "/-/export"
    pairs = _pairs(request)
    if table:
        path += f"/{table}"
    if request.url_vars.get("pks"):
        path, pairs = f"{path}/{request.url_vars['pks']}", []
    papers = table == "papers" or "paper_id" in (columns or ())
    labels = (template or "").startswith("table")
    return {"exports": links(path, pairs, papers, labels)}


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(route, export) for route in ROUTES]
