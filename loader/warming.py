"""A site that is warm: what its pages need is read before a reader waits for it.

In: a Datasette, what tells how many of its requests are under way, and what tells whether its
database has changed. Out: nothing; the site has compiled its templates, counted its
facets and kept the answers that many pages need. At the start the first pages, then all of them,
and all again after each load, one by one while nobody asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, Final
from urllib.parse import quote, urlencode

FIRST: Final = ("/", "/library/papers", "/library")
FIRST_SECONDS: Final = 4.0  # a large library does not keep its reader from the first page
LOOK: Final = 0.25  # seconds between two looks whether the database changed
PATIENCE: Final = 2.0  # seconds that readers are let go first, each time

_Message = MutableMapping[str, Any]
_App = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]


class Busy:
    """An ASGI application that knows how many requests are under way.

    `reads()` tells whether something is read for requests that were answered already.
    """

    def __init__(self, app: _App, reads: Callable[[], bool] = lambda: False) -> None:
        self._app, self.requests, self.reads = app, 0, reads

    async def __call__(self, scope: _Message, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self.requests += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self.requests -= 1


def addresses(metadata: dict[str, Any]) -> Iterator[str]:
    """The pages that show much without being asked for anything, from metadata.yml."""
    yield from FIRST
    library = (metadata.get("databases") or {}).get("library") or {}
    tables = [name for name, about in (library.get("tables") or {}).items()
              if about.get("facets")]  # fmt: skip
    yield from (f"/library/{name}" for name in tables)
    # what takes longest: whole tables, sorted
    questions = library.get("queries") or {}
    yield from (f"/library/{name}" for name in questions)
    yield "/library/papers?_view=table"
    for name, question in questions.items():
        if question.get("examples"):
            yield f"/library/{name}?{urlencode(question['examples'])}"
    for slug, board in ((metadata.get("plugins") or {}).get("datasette-dashboards") or {}).items():
        yield f"/-/dashboards/{slug}"
        for chart in board["charts"].values():
            sql = urlencode({"sql": chart["query"]}, quote_via=quote)
            yield f"/library.json?{sql}&_shape=objects"
    yield from ("/library/-/beats", "/library/-/chart", "/library/-/duplicates", "/library/-/sql")
    yield from ("/-/search?q=model", "/-/find", "/-/quality", "/library?sql=select+1")


async def pages_of_rows(site: Any) -> list[str]:
    """A page of a paper, a number and a topic, the ones with most to read."""
    found = []
    for page, sql in (
        ("papers/", "select id from papers order by measurement_count desc limit 1"),
        ("measurements/", "select id from measurements limit 1"),
        ("-/about/", "select t.term from topics t join paper_topics pt on pt.topic_id = t.id"
                     " group by t.id order by count(*) desc limit 1"),
    ):  # fmt: skip
        rows = await site.execute("library", sql)
        found += [f"/library/{page}{quote(str(row[0]))}" for row in rows.rows]
    return found


async def ask(site: Any, address: str) -> None:
    """Ask for a page and forget it. A page that fails does so for its readers, not here."""
    with contextlib.suppress(Exception):
        await site.client.get(address)


async def warm_first(site: Any) -> None:
    """Ask for the first pages, for `FIRST_SECONDS` at most."""
    begin = time.monotonic()
    for address in FIRST:
        left = FIRST_SECONDS - (time.monotonic() - begin)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ask(site, address), max(left, 0))


async def keep_warm(site: Any, busy: Busy, version: Callable[[], object]) -> None:
    """Ask for all pages whenever `version()` has changed, while no reader asks. Never ends."""
    seen: object = object()
    while True:
        now = version()
        if now != seen:
            seen = now
            with contextlib.suppress(Exception):
                for address in [*addresses(site.metadata()), *await pages_of_rows(site)]:
                    await _nobody_waits(busy)
                    if version() != seen:
                        break
                    await ask(site, address)
        await asyncio.sleep(LOOK)


async def _nobody_waits(busy: Busy) -> None:
    """Returns once no request is under way and nothing is read for one, or after `PATIENCE`."""
    until = time.monotonic() + PATIENCE
    await asyncio.sleep(0.01)
    while (busy.requests or busy.reads()) and time.monotonic() < until:
        await asyncio.sleep(0.01)
