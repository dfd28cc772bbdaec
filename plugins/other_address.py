"""A page that stands at `/-/name` is found at `/library/-/name` too, and the other way round.

In: an address of ours with or without the name of the database. Out: a redirect to where the page
is, with its query; 404 where there is none.
"""

from __future__ import annotations

from typing import Any

from datasette import NotFound, Response, hookimpl

# where the pages are: those about the whole site, and those about the library
SITE = ("find", "search", "quality", "dashboards")
LIBRARY = ("duplicates", "beats", "chart", "sql", "reading-list")


def address(page: str, query: str) -> str | None:
    """Where a page is, None where there is no such page."""
    if page not in SITE + LIBRARY:
        return None
    place = f"/-/{page}" if page in SITE else f"/library/-/{page}"
    return f"{place}?{query}" if query else place


async def lead(datasette: Any, request: Any) -> Response:
    """A redirect to the page, with the same query."""
    found = address(request.url_vars["page"], request.query_string)
    if found is None:
        raise NotFound("There is no such page.")
    return Response.redirect(datasette.urls.path(found))


@hookimpl(trylast=True)
def register_routes() -> list[tuple[str, Any]]:
    """After the routes of all other plugins, so that these lead only where no page is."""
    return [
        (r"^/library/-/(?P<page>[\w-]+)/?$", lead),
        (rf"^/-/(?P<page>{'|'.join(LIBRARY)})/?$", lead),
    ]
