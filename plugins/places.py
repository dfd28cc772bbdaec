"""Ids of sources, DOIs, arXiv and OpenReview ids, typed as a search, lead to their papers.

In: the path of a database and the words typed on `/-/search`. Out: the papers they name, which
`search_all.html` shows first.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from datasette import hookimpl

from loader import build
from loader.model import LoadError

TEMPLATE = "search_all.html"
LONGEST_NAME = 300  # characters; longer words are no id


def places(path: Path, words: str) -> list[build.Place]:
    """The papers that the words are a name of; none where they are no name."""
    if not words or len(words) > LONGEST_NAME:
        return []
    try:
        return build.look_up(path, words)
    except LoadError:
        return []


@hookimpl
def extra_template_vars(template: str | None, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE or not request:
        return None

    async def page() -> dict[str, Any]:
        words = (request.args.get("q") or "").strip()
        path = Path(datasette.get_database("library").path)
        return {"places": await asyncio.to_thread(places, path, words)}

    return page
