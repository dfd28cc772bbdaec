"""Faults in an address are told as such, and no fault tells how this machine looks.

Datasette answers 500 to `?_facet={`, `?_sort=zz`, `?_through=x` and more, with the text of the
exception. Here an address that cannot be used gets 400 and a clear line; anything else gets 500
and a line without details, which stand in the log.
"""

import logging
import sqlite3
from collections.abc import Generator
from typing import Any, NamedTuple

from datasette import Response, hookimpl
from datasette.database import QueryInterrupted
from datasette.utils.asgi import Base400, NotFound
from datasette.views.base import DatasetteError

log = logging.getLogger("litsette.site")


class Fault(NamedTuple):
    """A status of HTTP and what a reader is told."""

    status: int
    message: str
    title: str | None = None


_LATE = Fault(400, "This took too long; ask for less.", "This query took too long")
_NO_PAGE = ("404", "Database not found")  # the first part of an address is a database to Datasette
_NO_TABLE = "Table not found"
_NO_SELECT = "Statement must be a SELECT"  # as Datasette says it


def limit_of(datasette: Any, arguments: Any) -> int:
    """The milliseconds that SQL may take for an address with these arguments."""
    own, site = arguments.get("_timelimit") or "", int(datasette.setting("sql_time_limit_ms"))
    return min(int(own), site) if own.isascii() and own.isdigit() and len(own) < 9 else site


def fault_of(exception: BaseException, arguments: list[str], method: str = "GET") -> Fault | None:
    """What to answer for `exception`, raised for an address with `arguments` (their names).

    None where Datasette's own answer is right.
    """
    if isinstance(exception, NotFound) and str(exception) in _NO_PAGE:
        return Fault(404, "There is no page at this address. Look for its words in the search.")
    if isinstance(exception, NotFound) and str(exception).startswith(_NO_TABLE):
        return Fault(404, "There is no table and no question of this name.")
    if isinstance(exception, Base400):
        return None
    if isinstance(exception, DatasetteError):
        if exception.message_is_html:  # SQL took too long: its page has a script and a setting
            return _LATE
        if exception.title == "Invalid SQL":
            why = "Only SELECT can be run here, and WITH before one; nothing can be changed."
            told = exception.message
            return Fault(
                400, why if told == _NO_SELECT else f"{told}.", "This query cannot be run here"
            )
        # 500 is its default; all that raise it so speak of the address
        return Fault(400, exception.message) if exception.status == 500 else None
    if isinstance(exception, QueryInterrupted):
        return _LATE
    if isinstance(exception, MemoryError):
        return Fault(400, "This needs too much memory; ask for less.")
    if method not in ("GET", "HEAD"):
        return Fault(405, "This address is for reading only.")
    if arguments:
        names = ", ".join(name[:40] for name in arguments[:8])
        return Fault(400, f"This address holds what the page cannot use. It asks for: {names}")
    if isinstance(exception, sqlite3.Error | ValueError | LookupError):
        # what is left of an address is its path
        return Fault(404, "There is nothing at this address.")
    return Fault(500, "Something went wrong here; the log of the server tells what.")


async def answer(datasette: Any, request: Any, fault: Fault) -> Response:
    """The page of a fault, or its JSON where JSON was asked for."""
    sql = (request.args.get("sql") or "").strip() if fault.title else ""
    message = fault.message
    if sql and fault is _LATE:
        limit = limit_of(datasette, request.args)
        message = f"SQL may take {limit:,} ms here, and this took longer; ask for less."
    told = {"ok": False, "error": message, "status": fault.status, "title": fault.title}
    if request.path.endswith(".json"):
        return Response.json(told, status=fault.status)
    template = datasette.jinja_env.select_template([f"{fault.status}.html", "error.html"])
    fields = [(name, request.args[name]) for name in request.args if name[:1] not in ("_", "")]
    page = {"sql": sql, "fields": [(name, value) for name, value in fields if name != "sql"]}
    page |= {"urls": datasette.urls, "app_css_hash": datasette.app_css_hash(), "menu_links": list}
    return Response.html(await template.render_async(told | page), status=fault.status)


@hookimpl(hookwrapper=True)  # instead of Datasette's own, which prints every traceback
def handle_exception(
    datasette: Any, request: Any, exception: BaseException
) -> Generator[None, Any, None]:
    outcome = yield
    fault = fault_of(exception, list(request.args), request.method)
    if fault:
        level = logging.ERROR if fault.status == 500 else logging.DEBUG
        log.log(level, "%s answers %s", request.path, fault.status, exc_info=exception)
        outcome.force_result([lambda: answer(datasette, request, fault)])


@hookimpl
def forbidden(datasette: Any, request: Any, message: str) -> Any:
    if request.path == "/-/auth-token":
        message = (
            "A sign-in address works once, and this one is used or not the latest. Stop "
            "litsette serve and start it again: it prints a new one."
        )
    return lambda: answer(datasette, request, Fault(403, message))
