"""The page of a paper that was merged into another leads to the other.

In: the id that merging retired. Out: a redirect to the paper it became.
"""

from __future__ import annotations

import re
from typing import Any

from datasette import Response, hookimpl
from datasette.utils.asgi import NotFound

_PAPER = re.compile(r"/library/papers/(\d{1,16})((?:\.\w+)?)\Z")


def old_paper(path: str) -> tuple[int, str] | None:
    """The id and the ending (`.json` or none) of the address of a paper's page, else None."""
    match = _PAPER.search(path)
    return (int(match[1]), match[2]) if match else None


@hookimpl
def handle_exception(datasette: Any, request: Any, exception: Exception) -> Any:
    asked = old_paper(request.path) if request and isinstance(exception, NotFound) else None
    if asked is None:
        return None

    async def redirect() -> Response | None:
        old_id, ending = asked
        rows = await datasette.execute(
            "library", "select paper_id from paper_aliases where old_id = ?", (old_id,)
        )
        if not rows.rows:
            return None
        return Response.redirect(
            datasette.urls.path(f"/library/papers/{rows.rows[0][0]}{ending}"), status=301
        )

    return redirect
