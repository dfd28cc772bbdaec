"""Everything that the site shows is described, and every question and chart has an answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from datasette.app import Datasette

from tests.conftest import ROOT

METADATA = yaml.safe_load((ROOT / "metadata.yml").read_text("utf-8"))
LIBRARY = METADATA["databases"]["library"]
QUERIES: dict[str, dict[str, Any]] = LIBRARY["queries"]
DASHBOARD = METADATA["plugins"]["datasette-dashboards"]["library"]
CHARTS: dict[str, dict[str, Any]] = DASHBOARD["charts"]


@pytest.fixture(scope="module")
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


def columns(conn: sqlite3.Connection, table: str) -> set[str]:
    return {row["name"] for row in conn.execute(f"pragma table_xinfo([{table}])")}


def plain(text: str) -> bool:
    return bool(text.strip()) and not any(each in text for each in "<>&")


def test_every_table_view_and_column_is_described(conn: sqlite3.Connection) -> None:
    there = {
        row["name"]
        for row in conn.execute("select name from sqlite_master where type in ('table', 'view')")
        if "_fts" not in row["name"] and not row["name"].startswith("sqlite_")
    }
    assert set(LIBRARY["tables"]) == there
    for name, table in LIBRARY["tables"].items():
        assert plain(table["title"]), name
        assert plain(table["description"]), name
        assert set(table["columns"]) == columns(conn, name), name
        assert all(plain(text) for text in table["columns"].values()), name


def test_what_is_said_of_tables_names_columns_that_are_there(conn: sqlite3.Connection) -> None:
    for name, table in LIBRARY["tables"].items():
        there = columns(conn, name)
        for key in ("label_column", "sort", "sort_desc"):
            assert table.get(key) in {None, *there}, (name, key)
        assert set(table.get("sortable_columns", ())) <= there, name
        many = table.get("many", {})
        for facet in table.get("facets", ()):
            assert set(facet) == {"many"}, name
            assert facet["many"] in there | set(many), (name, facet)
        for facet, link in many.items():
            assert "__" not in facet
            assert {link["key"], link["value"], *link.get("where", ())} <= columns(
                conn, link["table"]
            )
            assert link.get("column", "id") in there
            if "lookup" in link:
                assert {"id", link["label"]} <= columns(conn, link["lookup"])
            if "lookup" in link and link.get("address") != "value":
                assert conn.execute(
                    "select 1 from pragma_index_list(?) l, pragma_index_info(l.name) i "
                    "where l.[unique] and i.name = ?",
                    [link["lookup"], link["label"]],
                ).fetchone(), f"{facet}: names in addresses must be unique"


def test_link_facets_have_both_indexes(conn: sqlite3.Connection) -> None:
    """One to filter by value, one to read the values of a paper."""
    for name, table in LIBRARY["tables"].items():
        for facet, link in table.get("many", {}).items():
            leading = {
                row[0]
                for row in conn.execute(
                    "select i.name from pragma_index_list(?) l, pragma_index_info(l.name) i "
                    "where i.seqno = 0",
                    [link["table"]],
                )
            }
            assert {link["key"], *link.get("where", {link["value"]})} <= leading, (name, facet)


def test_there_are_questions_and_charts_enough() -> None:
    assert len(QUERIES) >= 20
    assert len(CHARTS) >= 6


@pytest.mark.parametrize("name", QUERIES)
def test_a_question_says_what_it_asks(name: str) -> None:
    query = QUERIES[name]
    assert plain(query["title"])
    assert query["title"].endswith("?")
    assert plain(query["description"])
    assert list(query["examples"]) == query["params"]
    for example in query["examples"].values():
        assert f"for example {example}" in query["description"]
        assert "empty means" in query["description"]
    assert query["sql"].count("\n") > 3
    assert "order by" in query["sql"]


@pytest.mark.parametrize("filled", [True, False], ids=["example", "nothing"])
@pytest.mark.parametrize("name", QUERIES)
async def test_a_question_has_an_answer(site: Datasette, name: str, filled: bool) -> None:
    query = QUERIES[name]
    values = query["examples"] if filled else dict.fromkeys(query["params"], "")
    address = f"/library/{name}.json?{urlencode(values)}"
    answer = (await site.client.get(address)).json()
    assert answer["error"] is None
    assert answer["rows"], address
    assert len(set(answer["columns"])) == len(answer["columns"])
    if not filled:
        bare = (await site.client.get(f"/library/{name}.json")).json()
        assert bare["rows"] == answer["rows"]
    page = await site.client.get(f"/library/{name}?{urlencode(values)}")
    assert page.status_code == 200
    assert query["title"].split("?")[0].replace("'", "&#39;") in page.text


@pytest.mark.parametrize("name", QUERIES)
def test_an_example_narrows_or_keeps_what_is_found(conn: sqlite3.Connection, name: str) -> None:
    query = QUERIES[name]
    some = conn.execute(query["sql"], query["examples"]).fetchall()
    everything = conn.execute(query["sql"], dict.fromkeys(query["params"], "")).fetchall()
    assert 0 < len(some) <= len(everything)
    nothing = conn.execute(query["sql"], dict.fromkeys(query["params"], "no such thing")).fetchall()
    assert len(nothing) == 0 or not query["params"]


@pytest.mark.parametrize("name", CHARTS)
async def test_a_chart_has_something_to_draw(site: Datasette, name: str) -> None:
    chart = CHARTS[name]
    response = await site.client.get(
        "/library.json?" + urlencode({"sql": chart["query"], "_shape": "objects"})
    )
    answer = response.json()
    assert answer["rows"]
    encodings = [chart["display"], *chart["display"].get("layer", ())]
    fields = {part["field"] for each in encodings for part in each["encoding"].values()}
    assert fields <= set(answer["rows"][0])
    assert (await site.client.get(f"/-/dashboards/library/{name}")).status_code == 200


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_safe_to_show(name: str) -> None:
    """datasette-dashboards writes `table` and `metric` charts with innerHTML."""
    chart = CHARTS[name]
    assert chart["library"] == "vega-lite"
    assert chart["db"] == "library"
    assert plain(chart["title"])
    assert chart["display"]["usermeta"]["embedOptions"]["ast"] is True
    assert "http" not in yaml.safe_dump(chart)


async def test_the_dashboard_shows_each_chart_once(site: Datasette) -> None:
    placed = [name for line in DASHBOARD["layout"] for name in line]
    assert sorted(placed) == sorted(CHARTS)
    assert DASHBOARD["settings"]["allow_fullscreen"] is False
    page = await site.client.get("/-/dashboards/library")
    assert page.status_code == 200
    # each with a text alternative and its table
    assert page.text.count('role="img" aria-label="Chart: ') == len(CHARTS)
    assert page.text.count(">as a table<") == len(CHARTS)


@pytest.mark.parametrize("name", LIBRARY["tables"])
async def test_every_table_has_a_page(site: Datasette, name: str) -> None:
    response = await site.client.get(f"/library/{name}")
    assert response.status_code == 200


async def test_internal_tables_are_hidden(site: Datasette) -> None:
    hidden = await site.get_database("library").hidden_table_names()
    assert {"signatures", "similarities", "paper_kinds", "papers_fts"} <= set(hidden)
    assert not {"papers", "claims", "sources"} & set(hidden)


@pytest.mark.parametrize("name", QUERIES)
def test_suggestions_and_charts_fit_the_question(conn: sqlite3.Connection, name: str) -> None:
    query = QUERIES[name]
    for parameter, sql in query.get("suggest", {}).items():
        assert parameter in query["params"]
        values = [row[0] for row in conn.execute(sql)]
        assert values
        assert len(set(values)) == len(values)
        # what is suggested finds something
        asked = dict.fromkeys(query["params"], "") | {parameter: values[0]}
        assert conn.execute(query["sql"], asked).fetchall() or name.startswith("acronyms")
    if "chart" in query:
        rows = conn.execute(query["sql"], dict.fromkeys(query["params"], "")).fetchall()
        columns = {
            query["chart"][part]
            for part in ("label", "detail", "value", "unit")
            if part in query["chart"]
        }
        columns |= set(query["chart"].get("only", {}))
        assert columns <= set(rows[0].keys())


def test_most_questions_suggest_values_and_some_are_drawn() -> None:
    asking = [query for query in QUERIES.values() if query["params"]]
    assert sum("suggest" in query for query in asking) > len(asking) / 2
    assert sum("chart" in query for query in QUERIES.values()) >= 8
