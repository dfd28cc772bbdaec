"""One search through papers, claims and names: the page `/-/search`.

In: a database and words as typed. Out: what `search_all.html` shows, the best first.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from datasette import hookimpl
from datasette.database import QueryInterrupted
from markupsafe import Markup, escape

TEMPLATE = "search_all.html"
HITS = 8
# stand in a snippet around the words found; no text has them, the loader takes them out
_OPEN, _CLOSE = "\x02", "\x03"

# escape_fts makes an expression that is never an error of what was typed
_SEARCHES = {
    "papers": """select p.id, p.id as paper_id, p.label, '' as kind,
        snippet(papers_fts, 0, :open, :close, ' … ', 40) as found
        from papers_fts join papers p on p.id = papers_fts.rowid
        where papers_fts match escape_fts(:q) order by rank limit :hits""",
    "claims": """select c.id, c.paper_id, p.label, c.kind,
        highlight(claims_fts, 0, :open, :close) as found
        from claims_fts join claims c on c.id = claims_fts.rowid
        join papers p on p.id = c.paper_id
        where claims_fts match escape_fts(:q) order by rank limit :hits""",
    "names": """select n.id, n.paper_id, p.label, n.kind,
        highlight(names_fts, 0, :open, :close)
        || coalesce(': ' || highlight(names_fts, 1, :open, :close), '') as found
        from names_fts join names n on n.id = names_fts.rowid
        join papers p on p.id = n.paper_id
        where names_fts match escape_fts(:q) order by rank limit :hits""",
}


class Found(NamedTuple):
    """What a search found in one table: how many rows, and the best of them."""

    table: str
    total: int
    hits: list[Any]


def marked(found: str) -> Markup:
    """A snippet as markup: escaped, the words found in `<mark>`."""
    text = str(escape(found)).replace(_OPEN, "<mark>").replace(_CLOSE, "</mark>")
    return Markup(f"<bdi>{text}</bdi>")


async def search(datasette: Any, words: str) -> list[Found]:
    """What is found for `words`, by table; nothing for what cannot be looked for."""
    results = []
    for table, sql in _SEARCHES.items():
        values = {"q": words, "hits": HITS, "open": _OPEN, "close": _CLOSE}
        counting = f"select count(*) from {table}_fts where {table}_fts match escape_fts(:q)"
        try:
            hits = await datasette.execute("library", sql, values)
            total = await datasette.execute("library", counting, {"q": words})
        except (sqlite3.DatabaseError, QueryInterrupted):
            continue
        if hits.rows:
            results.append(Found(table, total.rows[0][0], list(hits.rows)))
    return results


@hookimpl
def extra_template_vars(template: str | None, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE or not request:
        return None

    async def page() -> dict[str, Any]:
        words = (request.args.get("q") or "").strip()
        found = await search(datasette, words) if words else []
        return {"found": found, "marked": marked}

    return page
