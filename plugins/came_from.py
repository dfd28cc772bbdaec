"""Previous and next on the page of a paper, in the list that its reader came from.

In: the query string of a list of papers, which links of that list carry as `?list=...`. Out: the
papers beside this one. Nothing is remembered between pages, and no page need know who asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from datasette import hookimpl

TEMPLATE = "row-library-papers.html"
LONGEST = 1_000  # papers from the begin of a list in which the place is looked for
# how a list is shown, not what is in it
_SHOWN = ("_next", "_size", "_view", "_col", "_nocol", "_shape", "_labels", "_facet", "_trace")


class Beside(NamedTuple):
    """Where a paper stands in a list: `previous` and `next` are (id, label), or None at an end."""

    list: str  # the query string of the list
    said: str  # what the list is, in words
    position: int  # from 1
    more: bool  # whether the list goes on behind the papers that were looked at
    size: int  # papers that were looked at
    previous: tuple[int, str] | None
    next: tuple[int, str] | None


def asked(query_string: str) -> str:
    """The query string for the ids and labels of a list, from its begin."""
    pairs = parse_qsl(query_string, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not key.startswith(_SHOWN)]
    more = {"_col": "label", "_size": LONGEST, "_nofacet": 1, "_nocount": 1, "_shape": "arrays"}
    return urlencode([*kept, *more.items()])


def beside(rows: Sequence[Sequence[Any]], paper_id: int) -> tuple[int, Any, Any] | None:
    """The index of a paper among rows of (id, label), and those before and behind it."""
    for i, row in enumerate(rows):
        if row[0] == paper_id:
            before = tuple(rows[i - 1][:2]) if i else None
            return i, before, tuple(rows[i + 1][:2]) if i + 1 < len(rows) else None
    return None


async def place_in(datasette: Any, query_string: str, paper_id: int) -> Beside | None:
    """Where a paper stands in a list; None where it is not near the begin of it."""
    response = await datasette.client.get(f"/library/papers.json?{asked(query_string)}")
    if response.status_code != 200:
        return None
    found = response.json()
    if not found.get("rows") or found["columns"][:2] != ["id", "label"]:
        return None
    place = beside(found["rows"], paper_id)
    if place is None:
        return None
    said = (found.get("human_description_en") or "").split("sorted by")[0].strip()
    more, size = bool(found.get("next")), len(found["rows"])
    return Beside(query_string, said, place[0] + 1, more, size, place[1], place[2])


@hookimpl
def extra_template_vars(template: str, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE:
        return None

    async def page() -> dict[str, Any]:
        found = None
        if "list" in request.args:
            paper_id = int(request.url_vars["pks"])
            found = await place_in(datasette, request.args["list"], paper_id)
        return {"beside": found}

    return page
