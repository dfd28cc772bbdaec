"""Pages of questions show some rows and say so; what is remembered is forgotten in time."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from datasette import hookimpl
from datasette.app import Datasette
from datasette.plugins import pm

from loader import versions
from loader.serve import datasette_for
from plugins.few_rows import SHOWN
from tests.test_pages import LIBRARY, Page, html


async def test_a_question_shows_its_first_rows_in_their_order(
    site: Datasette, library: Path
) -> None:
    conn = sqlite3.connect(library)
    shown = 0
    for name, question in LIBRARY["queries"].items():
        values = dict.fromkeys(question.get("params", ()), "")
        rows = conn.execute(question["sql"], values).fetchall()
        text = await html(site, f"/library/{name}")
        page = Page(text)
        cells = [td for td in page.all("td") if td.get("data-label")]
        width = len({td["data-label"] for td in cells}) or 1
        assert len(cells) == width * min(len(rows), SHOWN), name
        assert ("the files hold all" in text) is (len(rows) > SHOWN), name
        shown += len(rows) > SHOWN
        whole = (await site.client.get(f"/library/{name}.json?_shape=arrays")).json()["rows"]
        assert len(whole) == len(rows)
    assert shown
    conn.close()


async def test_sql_of_a_visitor_shows_its_first_rows(site: Datasette) -> None:
    page = await html(site, "/library?sql=select+id,+id+from+sentences+order+by+id+desc")
    assert page.count("<tr>") == SHOWN + 1
    assert "The first 100 rows" in page


async def test_what_is_remembered_of_tables_follows_the_database(
    library: Path, tmp_path: Path
) -> None:
    path = tmp_path / "changing.db"
    shutil.copy(library, path)
    site = datasette_for(path)
    assert "8 hidden tables" not in await html(site, "/library")
    before = (await site.client.get("/library.json")).json()
    count = {t["name"]: t["count"] for t in before["tables"]}
    assert count["papers"] == 27
    with sqlite3.connect(path) as changed:
        changed.execute("create table extra (a text)")
        changed.execute("insert into extra values ('x')")
    changed.close()
    after = (await site.client.get("/library.json")).json()
    assert {t["name"]: t["count"] for t in after["tables"]}["extra"] == 1
    assert (await site.client.get("/library/extra.json")).status_code == 200


async def test_small_answers_are_kept_until_the_database_changes(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "asked.db"
    shutil.copy(library, path)
    site = datasette_for(path)
    await site.client.get("/")
    database = site.get_database("library")
    asked = 0
    before = database.execute_fn

    async def counting(function: Any) -> Any:
        nonlocal asked
        asked += 1
        return await before(function)

    monkeypatch.setattr(database, "execute_fn", counting)
    sql = "select kind, count(*) from claims where kind > :kind group by kind"
    first = await database.execute(sql, {"kind": "a"})
    again = await database.execute(sql, {"kind": "a"})
    assert asked == 1
    assert [tuple(row) for row in again.rows] == [tuple(row) for row in first.rows]
    assert again.columns == first.columns
    again.rows.clear()
    assert len((await database.execute(sql, {"kind": "a"})).rows) == len(first.rows)
    await database.execute(sql, {"kind": "b"})
    assert asked == 2
    for changing in ("select random()", "select datetime('now')", "select date('2026-01-01')"):
        await database.execute(changing)
        await database.execute(changing)
    assert asked == 8
    large = "select abstract from papers, topics limit 500"
    await database.execute(large)
    await database.execute(large)
    assert asked == 10
    with sqlite3.connect(path) as changed:
        changed.execute("delete from paper_aliases")
        changed.execute("create table extra (a text)")
    changed.close()
    await database.execute(sql, {"kind": "a"})
    assert asked == 11


async def test_a_large_library_shows_what_was_before_until_it_is_counted(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.db"
    shutil.copy(library, path)
    site = datasette_for(path)

    async def seen() -> tuple[int, int]:
        answer = (await site.client.get("/library/papers.json?_size=1")).json()
        (facet,) = answer["facet_results"]["year"]["results"]
        return answer["filtered_table_rows_count"], facet["count"]

    assert await seen() == (27, 27)
    monkeypatch.setattr(versions, "LARGE", 0)
    monkeypatch.setattr(versions, "COSTLY", 0)
    with sqlite3.connect(path) as changed:
        changed.execute("delete from papers where id in (select id from papers limit 2)")
    changed.close()
    assert await seen() == (27, 27)
    assert "has just changed" in await html(site, "/library/papers")
    for _ in range(500):
        if await seen() == (25, 25):
            break
        await asyncio.sleep(0.01)
    assert await seen() == (25, 25)
    while versions.reads_anew(site.get_database("library")):
        await asyncio.sleep(0.01)
    assert "has just changed" not in await html(site, "/-/quality")


async def test_what_metadata_allows_is_kept_for_each_table(library: Path) -> None:
    site = datasette_for(library)
    site._metadata_local["databases"]["library"]["tables"]["links"]["allow"] = {"id": "root"}
    for _ in range(2):
        assert (await site.client.get("/library/links")).status_code == 403
        assert (await site.client.get("/library/claims")).status_code == 200
    cookie = {"ds_actor": site.sign({"a": {"id": "root"}}, "actor")}
    assert (await site.client.get("/library/links", cookies=cookie)).status_code == 200


async def test_links_of_plugins_are_kept(library: Path) -> None:
    site = datasette_for(library)
    asked = []
    plugin = type("Menu", (), {})()
    plugin.menu_links = hookimpl(lambda: asked.append(1) or [{"href": "/tea", "label": "Tea"}])
    pm.register(plugin, name="menu")
    try:
        for _ in range(3):
            assert '<a href="/tea">Tea</a>' in (await site.client.get("/library/links")).text
    finally:
        pm.unregister(name="menu")
    assert asked == [1]
