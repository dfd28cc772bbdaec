"""The page of the reading list, which a reader's own browser keeps (`static/reading-list.js`).

In: nothing; the server never learns what is on it. Out: an empty page that the script fills.
"""

from __future__ import annotations

from typing import Any

from datasette import Response, hookimpl

PAGE = "/library/-/reading-list"


async def reading_list(datasette: Any, request: Any) -> Response:
    """The page, the same for everybody."""
    return Response.html(await datasette.render_template("reading_list.html", {}, request=request))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(rf"{PAGE}$", reading_list)]
