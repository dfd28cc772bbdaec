"""Addresses that cannot be used are told so, and nothing tells how the machine looks."""

from __future__ import annotations

import html
import random
import sqlite3
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from datasette.app import Datasette
from datasette.utils.asgi import BadRequest
from datasette.views.base import DatasetteError

from plugins.faults import fault_of

TELLTALE = ("Traceback", "site-packages", ".py", "sqlite3.", "/root", "/home")


@pytest.mark.parametrize(
    "query",
    [
        "_facet={",
        "_facet=[",
        "_facet_date=zz",
        "_sort=zz",
        "_sort_desc=zz",
        "_sort=label&_sort_desc=label",
        "_through=x",
        "_through={}",
        '_through={"table":"nope","column":"a","value":"b"}',
        '_through={"table":"claims","column":"nope","value":"b"}',
        "_next=a,b,c",
        "_size=-1",
        "_size=x",
        "_size=99999999",
        "_timelimit=x",
        "_col=nope",
        "_where=nope+nope",
        "_searchmode=raw&_search=%22",
        "_search_nope=x",
        "id__in=[",
        "_fts_table=nope&_search=x",
    ],
)
@pytest.mark.parametrize("form", ["", ".json"])
async def test_what_an_address_asks_for_wrongly_is_told(
    site: Datasette, query: str, form: str
) -> None:
    response = await site.client.get(f"/library/papers{form}?{query}")
    assert response.status_code == 400
    if form:
        told = response.json()
        assert told["ok"] is False
        assert told["error"]
    assert not any(each in response.text for each in TELLTALE[:4])


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/library/nope",
        "/library/papers/nope",
        "/library/papers/1,2",
        "/library/papers/~zz",
        "/library/paper_topics/1",
        "/library/claims/99999999999999999999",
        "/-/nope",
        "/-/dashboards/nope",
    ],
)
async def test_where_nothing_is_there_is_nothing(site: Datasette, path: str) -> None:
    response = await site.client.get(path)
    assert response.status_code == 404
    assert not any(each in response.text for each in TELLTALE[:4])


@pytest.mark.parametrize(
    ("sql", "heading", "why"),
    [
        (
            "with recursive n(i) as (select 1 union all select i + 1 from n) "
            "select max(i), :least from n",
            "This query took too long",
            "SQL may take 20 ms here",
        ),
        ("delete from papers where '<b>' = :least", "cannot be run here", "Only SELECT"),
        ("attach database 'x' as y", "cannot be run here", "Only SELECT"),
        ("select 1 where 'pragma x' = 1", "cannot be run here", "PRAGMA"),
    ],
)
async def test_sql_that_is_not_answered_can_be_mended(
    site: Datasette, sql: str, heading: str, why: str
) -> None:
    asked = urlencode({"sql": sql, "least": "5", "_timelimit": "20"})
    response = await site.client.get(f"/library?{asked}")
    assert response.status_code == 400
    page = response.text
    assert heading in page.partition("<h1>")[2].partition("</h1>")[0]
    assert why in page
    editor = page.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    assert html.unescape(editor) == sql
    assert 'name="least" value="5"' in page
    told = (await site.client.get(f"/library.json?{asked}")).json()
    assert (told["status"], heading in told["title"], why in told["error"]) == (400, True, True)


@pytest.mark.parametrize("path", ["/nonsense", "/nonsense/papers", "/-/nope", "/a/b/c/d/e"])
async def test_a_page_that_is_not_there_is_called_a_page(site: Datasette, path: str) -> None:
    page = (await site.client.get(path)).text
    assert "no page at this address" in page
    assert "Database not found" not in page
    assert "404 <" not in page
    assert 'href="/-/search"' in page


@pytest.mark.parametrize("form", ["", ".json"])
async def test_a_parameter_that_a_question_has_not_is_told(site: Datasette, form: str) -> None:
    response = await site.client.get(f"/library/where_it_stands{form}?text=learning&_size=1")
    assert response.status_code == 400
    assert "This question has no parameter" in response.text
    assert "there are: words" in response.text
    none = await site.client.get(f"/library/claims_by_topic{form}?x=1")
    assert none.status_code == 400
    for asked in ("where_it_stands{}?words=learning&_size=1", "claims_by_topic{}?_size=1"):
        assert (await site.client.get(f"/library/{asked.format(form)}")).status_code == 200


@pytest.mark.parametrize("place", ["", "-/export/"])
async def test_an_export_knows_the_same_parameters(site: Datasette, place: str) -> None:
    response = await site.client.get(f"/library/{place}where_it_stands.csv?text=learning")
    assert response.status_code == 400
    assert "has no parameter “text”; there are: words" in response.text
    assert "x-row-count" not in response.headers
    good = await site.client.get(f"/library/{place}where_it_stands.csv?words=learning&_bom=1")
    assert good.status_code == 200


async def test_an_address_may_hold_many_arguments_but_not_any_number(site: Datasette) -> None:
    page = await site.client.get("/library/papers?" + "&".join(["_facet=year"] * 500))
    assert page.status_code == 400
    assert "100 arguments" in page.text
    wide = "&".join(f"_many_topics={n}" for n in range(20))
    assert (await site.client.get(f"/library/papers.json?{wide}")).status_code == 200


def test_only_what_is_not_the_address_s_fault_is_ours() -> None:
    assert fault_of(BadRequest("x"), ["a"]) is None
    assert fault_of(DatasetteError("x", status=403), ["a"]) is None
    told = fault_of(DatasetteError("Cannot sort table by zz"), ["_sort"])
    assert told is not None
    assert (told.status, told.message) == (400, "Cannot sort table by zz")
    named = fault_of(KeyError("simple"), ["_facet"])
    assert named is not None
    assert named.status == 400
    assert "_facet" in named.message
    gone = fault_of(sqlite3.ProgrammingError("binding"), [])
    assert gone is not None
    assert gone.status == 404
    ours = fault_of(RuntimeError("/secret/path"), [])
    assert ours is not None
    assert ours.status == 500
    assert "secret" not in ours.message


async def test_no_address_is_our_fault(site: Datasette, library: Path) -> None:
    """1,000 fuzzed addresses answer 200 or 4xx, and none shows where the database lies."""
    chance = random.Random(20)
    names = ["_facet", "_facet_many", "_facet_size", "_facet_array", "_facet_date", "_many_topics",
             "_many_claims", "_many_x", "_sort", "_sort_desc", "_sort_by_desc", "_through", "_next",
             "_size", "_timelimit", "_where", "_search", "_search_search_text", "_searchmode",
             "_fts_table", "_fts_pk", "_col", "_nocol", "_label", "_labels", "_shape", "_json",
             "_extra", "_extras", "_nofacet", "_nocount", "_trace", "_stream", "_dl", "_ttl",
             "_filter_column", "_filter_op", "_filter_value", "_filter_column_1", "_hash", "sql",
             "year", "year__gt", "label__in", "label__arraycontains", "id__zz", "baseline", "x",
             "_hide_sql", "_show_sql", "_blob_column", "_blob_hash", "_bom"]  # fmt: skip
    values = ["", "1", "-1", "x", "label", "id", "year", "max", "{", "[", "{}", '{"simple":1}',
              '{"column":"year"}', '["a"]', '{"table":"claims","column":"kind","value":"first"}',
              '{"table":"papers"}', "'", '"', "%", "%00", "\x00", "\ud7ff", "é", "机", "a,b", "on",
              "select 1", "select * from papers", "select :a", "select", "';--", "array", "objects",
              "object", "arrays", "arrayfirst", "1e400", "9" * 30, "true", "null", "papers_fts",
              "search_text", "raw", "result", "~", "..", "<script>", "a" * 3000]  # fmt: skip
    paths = ["/", "/library", "/library.json", "/library/papers", "/library/papers.json",
             "/library/papers.csv", "/library/claims", "/library/measurements.json",
             "/library/duplicate_groups", "/library/open_questions.json", "/library/who_uses",
             "/library/about_one_paper.json", "/library/paper_topics", "/library/papers/1",
             "/library/papers/1.json", "/library/entries/1", "/library/papers_fts.json",
             "/-/search", "/-/dashboards", "/-/dashboards/library", "/library/-/x", "/-/static/x",
             "/library/papers.blob", "/library/entries/1.blob", "/-/metadata.json", "/-/logout",
             "/-/dashboards/library/claims-by-kind", "/-/plugins.json", "//", "/%00",
             "/library/%ff", "/library/papers/~", "/library/~2F..",
             "/library/sources/1,2,3.json"]  # fmt: skip
    for _ in range(300):
        pairs = [(chance.choice(names), chance.choice(values)) for _ in range(chance.randint(0, 3))]
        query = urlencode(pairs) if chance.random() < 0.9 else quote(chance.choice(values))
        address = f"{chance.choice(paths)}?{query}"
        response = await site.client.get(address)
        assert response.status_code < 500, address
        assert str(library.parent) not in response.text, address
        assert "Traceback (most" not in response.text, address
