"""What a visitor types into a search box is never an error.

Datasette passes it through the SQL function `escape_fts`; this puts ours in the place of its
own. An empty box asks for everything, and a search without a word is told to find nothing.
"""

import sqlite3
import urllib.parse
from collections.abc import Callable
from typing import Any

from datasette import hookimpl
from datasette.filters import FilterArguments

from loader.search import NOTHING, fts_query


def without_empty_search(query_string: bytes) -> bytes:
    """A query string without `_search=` of nothing or blanks; the same where there is none."""
    if b"_search" not in query_string:
        return query_string
    pairs = urllib.parse.parse_qsl(query_string.decode("latin-1"), keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not key.startswith("_search") or value.strip()]
    return query_string if kept == pairs else urllib.parse.urlencode(kept).encode()


@hookimpl(trylast=True)  # behind Datasette's own, which it replaces
def prepare_connection(conn: sqlite3.Connection) -> None:
    conn.create_function("escape_fts", 1, lambda typed: fts_query(str(typed)), deterministic=True)


@hookimpl
def filters_from_request(request: Any) -> FilterArguments | None:
    typed = request.args.get("_search")
    if typed is None or fts_query(typed) != NOTHING:
        return None
    note = "there is no word to look for" if "-" not in typed else "only words to leave out"
    return FilterArguments([], {}, [note])


@hookimpl
def asgi_wrapper() -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def everything_for_an_empty_box(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                scope = scope | {"query_string": without_empty_search(scope["query_string"])}
            await app(scope, receive, send)

        return everything_for_an_empty_box

    return wrap
