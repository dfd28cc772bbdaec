"""A page of a question or of SQL shows the first rows; the files beside it hold all.

In: a query that may give thousands of rows. Out: Datasette's own page of the first `SHOWN`, which
says that there are more. A page of 5,000 rows has six megabytes and takes seconds to make. JSON
and files are not cut here.
"""

from __future__ import annotations

import re
from typing import Any

from datasette import hookimpl
from datasette.utils.asgi import Request
from datasette.views.database import DatabaseView
from datasette.views.table import TableView

SHOWN = 100


class Few:
    """A Datasette whose queries stop after some rows, for a view that shows them.

    `inside`: the query may stand in another one, so that SQLite sorts no more than is shown.
    """

    def __init__(self, datasette: Any, inside: bool) -> None:
        self._datasette, self._inside = datasette, inside

    def __getattr__(self, name: str) -> Any:
        return getattr(self._datasette, name)

    async def execute(self, database: str, sql: str, *arguments: Any, **options: Any) -> Any:
        """The first rows of a query; `truncated` tells whether there are more."""
        if self._inside and options.get("truncate"):
            sql = f"select * from (\n{sql.rstrip().rstrip(';')}\n) limit {SHOWN + 1}"
        found = await self._datasette.execute(database, sql, *arguments, **options)
        if options.get("truncate") and len(found.rows) > SHOWN:
            found.rows, found.truncated = found.rows[:SHOWN], True
        return found


async def question(datasette: Any, request: Any) -> Any:
    """The page of a question."""
    return await TableView(Few(datasette, inside=True)).get(_routed(request))


async def database(datasette: Any, request: Any) -> Any:
    """The page of the database, or of the SQL of a visitor."""
    return await DatabaseView(Few(datasette, inside=False)).get(_routed(request))


def _routed(request: Any) -> Request:
    """The request as Datasette's own routes would give it: a page, not a format."""
    route = {"kwargs": {**request.url_vars, "format": None}}
    return Request(request.scope | {"url_route": route}, request.receive)


@hookimpl
def register_routes(datasette: Any) -> list[tuple[str, Any]]:
    routes: list[tuple[str, Any]] = []
    for name, described in (datasette.metadata("databases") or {}).items():
        names = "|".join(
            re.escape(query)
            for query, about in (described.get("queries") or {}).items()
            if not (isinstance(about, dict) and about.get("write"))
        )
        routes.append((rf"/(?P<database>{re.escape(name)})$", database))
        if names:
            routes.append((rf"/(?P<database>{re.escape(name)})/(?P<table>{names})$", question))
    return routes
