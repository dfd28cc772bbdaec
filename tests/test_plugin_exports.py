"""Exports of the site hold every row that their page tells of, or are seen to be broken."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import openpyxl
import pytest
import rispy
from datasette.app import Datasette
from pybtex.database import parse_string

from loader import build, exports
from loader.serve import SETTINGS, datasette_for
from plugins.exports import links
from tests.conftest import CASES
from tests.test_pages import LIBRARY, Page, html

FORMATS = list(exports.FORMATS)


@pytest.fixture
def plugin(site: Datasette) -> Any:
    """The plugin as Datasette has loaded it."""
    (found,) = [p for p in site._plugins() if p["name"] == "exports.py"]
    from datasette.plugins import pm  # noqa: PLC0415

    return next(p for p in pm.get_plugins() if getattr(p, "__name__", "") == found["name"])


def size(ending: str, content: bytes) -> int:
    """How many rows or papers a file holds, read by others than wrote it."""
    if ending == "csv":
        return len(list(csv.reader(io.StringIO(content.decode(), newline="")))) - 1
    if ending == "json":
        return len(json.loads(content))
    if ending == "xlsx":
        return openpyxl.load_workbook(io.BytesIO(content))["litsette"].max_row - 1
    if ending == "bib":
        return len(parse_string(content.decode(), "bibtex").entries)
    if ending == "ris":
        return len(rispy.loads(content.decode()))
    return content.count(b"\n") - 2 * (ending == "md")


async def exported(site: Datasette, address: str) -> Any:
    response = await site.client.get(address)
    assert response.status_code == 200, f"{address}: {response.text[:300]}"
    return response


async def test_every_table_is_exported_whole(site: Datasette, library: Path) -> None:
    conn = sqlite3.connect(library)
    tables = conn.execute(
        "select name from sqlite_master where type in ('table', 'view') and name not like '%fts%'"
    ).fetchall()
    assert len(tables) > 25
    for (table,) in tables:
        rows = conn.execute(f"select * from {table}").fetchall()
        columns = [row[1] for row in conn.execute(f"pragma table_info({table})")]
        ids = {"papers": "id"}.get(table, "paper_id")
        papers = {row[columns.index(ids)] for row in rows} if ids in columns else None
        some = FORMATS if table in ("papers", "claims", "paper_kinds") else ["csv", "jsonl", "bib"]
        for ending in some:
            of_papers = exports.FORMATS[ending].of_papers
            address = f"/library/-/export/{table}.{ending}"
            if of_papers and papers is None:
                assert (await site.client.get(address)).status_code == 400
                continue
            response = await exported(site, address)
            expected = len(papers or ()) if of_papers else len(rows)
            assert int(response.headers["x-row-count"]) == expected, address
            assert size(ending, response.content) == expected, address
    conn.close()


async def test_every_question_is_exported_whole(site: Datasette, library: Path) -> None:
    conn = sqlite3.connect(library)
    for name, question in LIBRARY["queries"].items():
        values = question.get("examples", {})
        rows = conn.execute(question["sql"], values).fetchall()
        for ending in ("csv",):
            response = await exported(site, f"/library/{name}.{ending}?{urlencode(values)}")
            assert int(response.headers["x-row-count"]) == len(rows) > 0
            assert size(ending, response.content) == len(rows)
    conn.close()


async def test_citations_of_all_papers_are_read_by_others(site: Datasette) -> None:
    bib = await exported(site, "/library/papers.bib")
    entries = parse_string(bib.text, "bibtex").entries
    assert len(entries) == int(bib.headers["x-row-count"]) == 27
    ris = await exported(site, "/library/papers.ris")
    records = rispy.loads(ris.content.decode())
    assert len(records) == 27
    assert {r["year"] for r in records} == {"2026"}
    first = await exported(site, "/library/claims.bib?kind=first")
    assert 0 < int(first.headers["x-row-count"]) < 27


async def test_the_page_of_a_table_leads_to_its_rows(site: Datasette) -> None:
    address = (
        "/library/papers?has_code=1&_many_claims=first&_sort_desc=claim_count&_size=1&_facet=year"
    )
    page = Page(await html(site, address))
    shown = await site.client.get(address.replace("papers?", "papers.json?") + "&_size=max")
    ids = [row[0] for row in shown.json()["rows"]]
    addresses = [a["href"] or "" for a in page.all("a") if "/-/export/" in (a.get("href") or "")]
    assert len(addresses) == len(FORMATS) + 1
    for found in addresses:
        response = await exported(site, found)
        assert int(response.headers["x-row-count"]) == shown.json()["filtered_table_rows_count"]
        assert "attachment" in response.headers["content-disposition"]
        if ".json?" in found:
            assert [row["id"] for row in response.json()] == ids


async def test_names_stand_beside_ids_where_asked(site: Datasette) -> None:
    plain = await exported(site, "/library/claims.csv?_sort=id")
    named = await exported(site, "/library/claims.csv?_sort=id&_labels=on")
    rows = list(csv.DictReader(io.StringIO(named.text)))
    assert len(rows) == len(list(csv.DictReader(io.StringIO(plain.text)))) > 100
    assert all(row["paper_id_label"] for row in rows)
    header = await exported(site, "/library/claims.csv?_header=off&_size=3")
    assert header.text.startswith("1,")
    assert header.headers["x-row-count"] == "3"
    assert int(header.headers["x-rows-left-out"]) == len(rows) - 3


async def test_a_paper_and_rows_are_exported(site: Datasette, library: Path) -> None:
    conn = sqlite3.connect(library)
    paper, label = conn.execute("select id, label from papers order by claim_count desc").fetchone()
    conn.close()
    for ending in FORMATS:
        response = await exported(site, f"/library/-/export/papers/{paper}.{ending}")
        assert response.headers["x-row-count"] == "1"
        assert ending == "md" or size(ending, response.content) == 1
    page = (await exported(site, f"/library/papers/{paper}.md")).text
    assert page.startswith("# ")
    assert "## Claims" in page
    assert label.split(":")[0][:5] in page
    assert (await site.client.get("/library/papers/1.csv")).status_code == 404


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/library/nope.csv", 404),
        ("/nope/papers.csv", 404),
        ("/nope.csv?sql=select+1", 404),
        ("/library.csv", 400),
        ("/library.csv?sql=delete+from+papers", 400),
        ("/library.csv?sql=select+*+from+nope", 400),
        ("/library.csv?sql=explain+select+1", 400),
        ("/library/papers.csv?_next=1", 400),
        ("/library/papers.csv?_size=x", 400),
        ("/library/papers.csv?_sort=nope", 400),
        ("/library/topics.bib", 400),
        ("/library/signatures/x.csv", 404),
    ],
)
async def test_what_cannot_be_exported_is_told(site: Datasette, address: str, status: int) -> None:
    assert (await site.client.get(address)).status_code == status


async def test_only_reading(site: Datasette) -> None:
    head = await site.client.request("HEAD", "/library/papers.csv")
    assert (head.status_code, head.headers["x-row-count"], head.content) == (200, "27", b"")


# -- more rows than a page or a query shows ------------------------------------------------


@pytest.fixture(scope="module")
def large(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    """The library with 20,000 more topics."""
    path = tmp_path_factory.mktemp("large") / "large.db"
    shutil.copy(library, path)
    with sqlite3.connect(path) as conn:
        conn.executemany(
            "insert into topics (term) values (?)", ((f"term {n}",) for n in range(20_000))
        )
    conn.close()
    return datasette_for(path)


async def test_nothing_is_cut_at_the_row_limit(large: Datasette) -> None:
    for address in ("/library/topics.csv", "/library.csv?sql=select+*+from+topics"):
        response = await exported(large, address)
        assert int(response.headers["x-row-count"]) > 20_000 > SETTINGS["max_returned_rows"]
        assert size("csv", response.content) == int(response.headers["x-row-count"])
    page = await html(large, "/library?sql=select+*+from+topics")
    assert "The first" in page
    assert "the files hold all" in page


async def answer(site: Datasette, path: str, query: str = "", leave: int = 10**9) -> list[Any]:
    """The messages of an answer; the reader leaves after `leave` of them."""
    messages: list[Any] = []
    left = asyncio.Event()
    bodies = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        for body in bodies:
            return body
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        messages.append(message)
        if len(messages) >= leave:
            left.set()
            await asyncio.sleep(0.05)

    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
        "query_string": query.encode(), "headers": [(b"host", b"localhost")],
        "scheme": "http", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    await site.app()(scope, receive, send)
    return messages


def ended(messages: list[Any]) -> bool:
    return messages[-1]["type"] == "http.response.body" and not messages[-1].get("more_body")


async def test_a_fault_on_the_way_breaks_the_transfer(
    large: Datasette, plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await answer(large, "/library/topics.csv")
    assert ended(whole)
    before = plugin._sized

    def failing(cursor: sqlite3.Cursor) -> Iterator[list[Any]]:
        for n, rows in enumerate(before(cursor)):
            if n == 5:
                raise sqlite3.OperationalError("disk I/O error")
            yield rows

    monkeypatch.setattr(plugin, "_sized", failing)
    broken = await answer(large, "/library/topics.csv")
    assert broken[0]["status"] == 200
    assert 1 < len(broken) < len(whole)
    assert not ended(broken)

    monkeypatch.setattr(plugin, "_sized", lambda cursor: iter([cursor.fetchmany(10)]))
    assert not ended(await answer(large, "/library/topics.csv"))  # fewer rows than counted


async def test_a_reader_who_leaves_stops_the_reading(large: Datasette, plugin: Any) -> None:
    messages = await answer(large, "/library/topics.csv", leave=3)
    assert not ended(messages)
    assert len(messages) < 10
    assert plugin._running == 0


async def test_a_question_that_takes_too_long_is_told_before_it_begins(
    large: Datasette, plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin, "FIRST_SECONDS", 0.2)
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
    response = await large.client.get("/library.csv?" + urlencode({"sql": endless}))
    assert response.status_code == 400
    assert "too long" in response.text


async def test_two_at_once_and_the_third_waits(
    large: Datasette, plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 0
    before = plugin.Reading.count

    def counting(reading: Any, ending: str) -> Any:
        nonlocal most
        most = max(most, plugin._running)
        time.sleep(0.05)
        return before(reading, ending)

    monkeypatch.setattr(plugin.Reading, "count", counting)
    got = await asyncio.gather(*(large.client.get("/library/topics.csv") for _ in range(5)))
    assert {r.status_code for r in got} == {200}
    assert most == plugin.AT_ONCE == 2
    monkeypatch.setattr(plugin, "WAITING_SECONDS", 0)
    monkeypatch.setattr(plugin, "_running", 2)
    assert (await large.client.get("/library/topics.csv")).status_code == 503


# -- cases --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["excel.txt", "formula.txt"])
async def test_spreadsheets_get_letters_right_and_run_nothing(tmp_path: Path, case: str) -> None:
    build.load([CASES / case], tmp_path / "a.db")
    site = datasette_for(tmp_path / "a.db")
    address = "/library/-/export/papers.csv?_col=abstract"
    plain = await exported(site, address)
    excel = await exported(site, address + "&_bom=1")
    assert not plain.content.startswith(b"\xef\xbb\xbf")
    assert excel.content.startswith(b"\xef\xbb\xbf")
    expected = (await site.client.get("/library/papers.json?_col=abstract&_shape=array")).json()
    for response, sheet in ((plain, False), (excel, True)):
        text = response.content.decode("utf-8-sig" if sheet else "utf-8")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        for row, real in zip(rows, expected, strict=True):
            if sheet and case == "formula.txt":
                assert row["abstract"] == "'" + real["abstract"]
            else:
                assert row["abstract"] == real["abstract"]
    if case == "excel.txt":
        assert "café→naïve" in plain.text
        assert "Müller–Łoś" in excel.content.decode("utf-8-sig")


def test_links_keep_the_filters_and_leave_out_the_page() -> None:
    pairs = [("kind", "first"), ("_next", "5"), ("_facet", "kind"), ("_sort", "id"), ("_size", "9")]
    found = links("/library/-/export/claims", pairs, papers=True, labels=True)
    by_name = {link.name: link.address for link in found}
    assert by_name["JSON lines"] == "/library/-/export/claims.jsonl?kind=first&_sort=id"
    assert by_name["CSV for Excel"].endswith("?kind=first&_sort=id&_labels=on&_bom=1")
    assert {"BibTeX", "RIS"} <= set(by_name)
    assert len(links("/x", [], papers=False, labels=False)) == len(FORMATS) - 1
