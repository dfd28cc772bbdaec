"""Facets through link tables: what a click shows is what was counted."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
import yaml
from datasette.app import Datasette

from plugins.many_facet import filter_clause, having, toggled
from tests.conftest import ROOT

TABLES = yaml.safe_load((ROOT / "metadata.yml").read_text("utf-8"))["databases"]["library"][
    "tables"
]
WITH_MANY = sorted(name for name, table in TABLES.items() if table.get("facets"))


async def page(site: Datasette, address: str) -> dict[str, Any]:
    response = await site.client.get(address)
    assert response.status_code == 200, (address, response.text[:500])
    return response.json()  # type: ignore[no-any-return]


def local(address: str) -> str:
    return "/" + address.split("/", 3)[3] if "://" in address else address


@pytest.mark.parametrize("table", WITH_MANY)
async def test_every_click_shows_the_rows_it_counts(site: Datasette, table: str) -> None:
    start = await page(site, f"/library/{table}.json?_size=1")
    assert len(start["facet_results"]) == len(TABLES[table]["facets"])
    for facet in start["facet_results"].values():
        for value in facet["results"][:4]:
            clicked = await page(site, local(value["toggle_url"]))
            assert clicked["filtered_table_rows_count"] == value["count"] > 0
            again = clicked["facet_results"][facet["name"]]["results"]
            (chosen,) = [each for each in again if each["selected"]]
            assert chosen["value"] == value["value"]
            assert chosen["count"] == value["count"]
            back = await page(site, local(chosen["toggle_url"]))
            assert back["filtered_table_rows_count"] == start["filtered_table_rows_count"]


@pytest.mark.parametrize(
    "filters",
    [
        "_many_claims=result",
        "_many_claims=result&_many_claims=sota",
        "_search=model",
        "_search=model&_many_claims=contribution&year=2026",
        "source_count__gt=1",
        "_where=claim_count+%3E+5&_many_claims=problem",
    ],
)
async def test_counts_hold_with_other_filters_and_on_every_page(
    site: Datasette, filters: str
) -> None:
    address = f"/library/papers.json?{filters}&_facet_size=max&_size=4"
    first = await page(site, address)
    assert first["filtered_table_rows_count"] > 4
    facets = {
        name: {value["label"]: value["count"] for value in facet["results"]}
        for name, facet in first["facet_results"].items()
    }
    for facet in first["facet_results"].values():
        for value in facet["results"][:3]:
            if not value["selected"]:
                clicked = await page(site, local(value["toggle_url"]))
                assert clicked["filtered_table_rows_count"] == value["count"], facet["name"]
    second = await page(site, local(first["next_url"]))
    assert second["rows"] != first["rows"]
    for name, facet in second["facet_results"].items():
        assert {value["label"]: value["count"] for value in facet["results"]} == facets[name]
        assert all("_next" not in value["toggle_url"] for value in facet["results"])


async def test_values_of_one_facet_are_anded(site: Datasette, library: Path) -> None:
    found = await page(site, "/library/papers.json?_many_claims=first&_many_claims=sota&_size=max")
    conn = sqlite3.connect(library)
    expected = conn.execute(
        "select paper_id from paper_kinds where kind in ('first', 'sota') "
        "group by paper_id having count(*) = 2"
    ).fetchall()
    conn.close()
    assert {row[0] for row in found["rows"]} == {row[0] for row in expected}


async def test_claims_are_found_by_the_topic_of_their_paper(site: Datasette, library: Path) -> None:
    conn = sqlite3.connect(library)
    term, expected = conn.execute(
        "select term, count(*) as n from claims join paper_topics using (paper_id) "
        "join topics on topics.id = topic_id group by topic_id order by n desc, topic_id"
    ).fetchone()
    conn.close()
    address = "/library/claims.json?" + urlencode({"_many_topics": term})
    found = await page(site, address)
    assert found["filtered_table_rows_count"] == expected
    topics = found["facet_results"]["topics"]["results"]
    assert {(value["label"], value["count"]) for value in topics if value["selected"]} == {
        (term, expected)
    }


async def test_a_facet_can_be_asked_for_and_hidden(site: Datasette) -> None:
    found = await page(site, "/library/papers.json?_facet_many=authors&_facet_many=venue")
    facet = found["facet_results"]["authors"]
    assert facet["hideable"]
    assert "_facet_many=authors" not in facet["toggle_url"]
    assert "_facet_many=venue" in facet["toggle_url"]
    assert not found["facet_results"]["claims"]["hideable"]


async def test_the_page_says_what_is_chosen(site: Datasette) -> None:
    found = await page(site, "/library/papers.json?_many_claims=first&year=2026")
    assert found["human_description_en"].startswith('where claims: "first" and year = 2026')
    sources = await page(site, "/library/papers.json?_many_sources=1")
    assert '"000_a72667b9c9901c21.txt"' in sources["human_description_en"]


@pytest.mark.parametrize(
    "query",
    ["_many_topics=no+such+topic", "_many_topics=", "_many_sources=x", "_many_datasets=%00%27%22"],
)
async def test_an_unknown_value_finds_nothing_and_can_be_taken_back(
    site: Datasette, query: str
) -> None:
    found = await page(site, f"/library/papers.json?{query}")
    assert found["filtered_table_rows_count"] == 0
    ((argument, value),) = parse_qsl(query, keep_blank_values=True)
    facet = found["facet_results"][argument.removeprefix("_many_")]
    (chosen,) = facet["results"]
    assert (chosen["label"], chosen["count"], chosen["selected"]) == (value, 0, True)
    assert argument not in chosen["toggle_url"]


@pytest.mark.parametrize(
    "query",
    [
        "_many_nope=1",
        "_many_=1",
        "_many_venue=ICLR",
        "_facet_many=nope",
        "_facet_many=",
        "_facet_many={",
        '_facet_many={"simple": 5}',
        '_facet_many={"a": "b"}',
        "_facet={",
        "_facet=nope",
        "_facet_array=nope",
    ],
)
@pytest.mark.parametrize("form", ["", ".json"])
async def test_an_unknown_facet_is_told(site: Datasette, query: str, form: str) -> None:
    response = await site.client.get(f"/library/papers{form}?{query}")
    assert response.status_code == 400
    assert "Traceback" not in response.text
    if form:
        assert response.json()["error"]


async def test_a_table_without_facets_is_left_alone(site: Datasette) -> None:
    response = await site.client.get("/library/acronyms.json?_many_topics=x")
    assert response.status_code == 400
    assert (await page(site, "/library/acronyms.json"))["facet_results"] == {}


async def test_a_view_counts_its_columns(site: Datasette) -> None:
    found = await page(site, "/library/duplicate_groups.json?_facet_many=source_count")
    facet = found["facet_results"]["source_count"]
    assert facet["type"] == "column"
    assert sum(value["count"] for value in facet["results"]) == found["filtered_table_rows_count"]


async def test_counts_follow_the_database(tmp_path: Path, library: Path) -> None:
    from loader.serve import datasette_for  # noqa: PLC0415 - a site of its own

    copy = tmp_path / "copy.db"
    source, target = sqlite3.connect(library), sqlite3.connect(copy)
    source.backup(target)
    source.close()
    site = datasette_for(copy)
    before = await page(site, "/library/papers.json?_facet_many=claims")
    target.execute("delete from paper_kinds where kind = 'first'")
    target.commit()
    target.close()
    after = await page(site, "/library/papers.json?_facet_many=claims")
    labels = [
        {value["label"] for value in each["facet_results"]["claims"]["results"]}
        for each in (before, after)
    ]
    assert labels[0] - labels[1] == {"first"}


def test_toggled_adds_removes_and_returns_to_page_one() -> None:
    pair = ("_many_topics", "a b")
    assert toggled("x=1&_next=5", pair, False) == "x=1&_many_topics=a+b"
    assert toggled("x=&_many_topics=a+b&_many_topics=c", pair, True) == "x=&_many_topics=c"


def test_conditions_quote_what_metadata_holds() -> None:
    config = {"table": "links", "key": "k", "value": "order", "where": {"kind": "it's"}}
    clause = having(config, "p")
    assert clause == "select k from links where [order] = :p and kind = 'it''s'"


@pytest.mark.parametrize(("wide", "driven"), [(3, "+id in ("), (10_000, "id in (")])
async def test_values_of_many_rows_are_looked_up_row_by_row(
    site: Datasette, monkeypatch: pytest.MonkeyPatch, wide: int, driven: str
) -> None:
    monkeypatch.setattr("plugins.many_facet.WIDE", wide)
    db = site.get_database("library")
    config = {"table": "paper_kinds", "key": "paper_id", "value": "kind"}
    clause = await filter_clause(db, config, "id", "p", "first")
    assert clause.startswith(driven)
    found = await db.execute(f"select count(*) from papers where {clause}", {"p": "first"})
    known = await db.execute("select count(*) from papers where claims_first")
    assert found.rows[0][0] == known.rows[0][0] > 3
