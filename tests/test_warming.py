"""A site asks its own pages before its readers do, and again when the database has changed."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette

from loader import warming
from loader.serve import datasette_for
from loader.versions import version_of
from loader.warming import FIRST, Busy, addresses, keep_warm, pages_of_rows, warm_first


async def test_what_is_asked_is_there(site: Datasette) -> None:
    asked = [*addresses(site.metadata()), *await pages_of_rows(site)]
    assert asked[: len(FIRST)] == list(FIRST)
    assert len(asked) > 60
    assert sum("/papers/" in address for address in asked) == 1
    for address in asked:
        assert (await site.client.get(address)).status_code == 200, address


async def test_pages_are_asked_once_and_again_after_a_change(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "warm.db"
    shutil.copy(library, path)
    site = datasette_for(path)
    monkeypatch.setattr(warming, "addresses", lambda _: ["/", "/library/nope", "/library/papers"])
    monkeypatch.setattr(warming, "LOOK", 0.01)
    asked: list[str] = []

    async def ask(_: Any, address: str) -> None:
        asked.append(address)

    monkeypatch.setattr(warming, "ask", ask)
    rows = await pages_of_rows(site)
    once = ["/", "/library/nope", "/library/papers", *rows]
    warm = asyncio.create_task(
        keep_warm(site, Busy(None), partial(version_of, site.get_database("library")))
    )
    await _until(lambda: len(asked) == len(once))
    await asyncio.sleep(0.1)
    assert asked == once
    with sqlite3.connect(path) as changed:
        changed.execute("update papers set year = 2025")
    changed.close()
    await _until(lambda: len(asked) == 2 * len(once))
    warm.cancel()
    assert asked == 2 * once


async def _until(done: Any) -> None:
    for _ in range(500):
        if done():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it took too long")


async def test_readers_go_first(site: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = asyncio.Event()

    async def app(*_: Any) -> None:
        await answering.wait()

    busy = Busy(app)
    reader = asyncio.create_task(busy({"type": "http"}, None, None))
    await asyncio.sleep(0)
    assert busy.requests == 1
    asked: list[str] = []

    async def ask(_: Any, address: str) -> None:
        asked.append(address)

    monkeypatch.setattr(warming, "ask", ask)
    warm = asyncio.create_task(keep_warm(site, busy, lambda: 1))
    await asyncio.sleep(0.2)
    assert asked == []
    answering.set()
    await reader
    assert busy.requests == 0
    await _until(lambda: asked)
    warm.cancel()


async def test_a_slow_page_does_not_keep_the_site_from_its_readers(
    site: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(_: Any, address: str) -> None:
        await asyncio.sleep(30 if address == FIRST[1] else 0)

    monkeypatch.setattr(warming, "ask", ask)
    monkeypatch.setattr(warming, "FIRST_SECONDS", 0.05)
    await asyncio.wait_for(warm_first(site), 5)
