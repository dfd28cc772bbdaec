"""Searches as typed, through the site."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette

from plugins.typed_search import fields_apart
from tests.conftest import CASES

LINES = (CASES / "fts_queries.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    "typed", [*LINES, "", " ", '"', "''", "-", "-model", "()", "NEAR(", "机器"]
)
@pytest.mark.parametrize("table", ["papers", "claims", "names"])
async def test_nothing_typed_is_an_error(site: Datasette, typed: str, table: str) -> None:
    query = urlencode({"_search": typed})
    page = await site.client.get(f"/library/{table}?{query}")
    assert page.status_code == 200
    data = await site.client.get(f"/library/{table}.json?{query}")
    assert data.status_code == 200


async def test_a_search_finds_what_holds_the_words(site: Datasette) -> None:
    found = (await site.client.get("/library/papers.json?_search=VaseVQA-3D&_shape=objects")).json()
    assert any("VaseVQA-3D" in row["abstract"] for row in found["rows"])
    left = await site.client.get("/library/papers.json?_search=model+-VaseVQA-3D&_shape=objects")
    assert left.json()["rows"]
    assert not any("VaseVQA-3D" in row["abstract"] for row in left.json()["rows"])


async def test_an_empty_box_shows_everything(site: Datasette) -> None:
    everything = (await site.client.get("/library/papers.json")).json()
    for typed in ("", "+", "%20%20"):
        found = (await site.client.get(f"/library/papers.json?_search={typed}")).json()
        assert found["filtered_table_rows_count"] == everything["filtered_table_rows_count"]


async def test_a_search_without_words_says_so(site: Datasette) -> None:
    found = (await site.client.get("/library/papers.json?_search=%22")).json()
    assert found["rows"] == []
    assert "no word to look for" in found["human_description_en"]


async def test_only_words_to_leave_out_show_what_has_none_of_them(site: Datasette) -> None:
    for table in ("papers", "claims"):
        address = f"/library/{table}.json?_size=1&_search="
        counts = [
            (await site.client.get(address + typed)).json()["filtered_table_rows_count"]
            for typed in ("", "model", "-model", "-model+-quokka")
        ]
        assert counts[0] == counts[1] + counts[2] > counts[1] > 0
        assert counts[2] == counts[3]
    page = (await site.client.get("/library/papers?_search=-model")).text
    assert 'aria-label="without: model; remove this filter"' in page
    assert (await site.client.get("/library/links?_without=-model")).status_code == 400


def test_only_empty_searches_and_fields_are_taken_out() -> None:
    assert fields_apart(b"_search=&a=") == b"a="
    assert fields_apart(b"_search=+&_search_text=") == b""
    assert fields_apart(b"_search=tea+claim%3Afirst&a=1") == b"_search=tea&_field=claim%3Afirst&a=1"
    assert fields_apart(b'_search=dataset%3A"a+b"') == b"_field=dataset%3A%22a+b%22"
    assert fields_apart(b"_search=-tea+-pot&a=1") == b"_without=-tea+-pot&a=1"
    assert fields_apart(b"_search=-tea+year:2026") == b"_without=-tea&_field=year%3A2026"
    for kept in (b"", b"a=1&b", b"_search=x&a=%zz", b"_searchmode=raw"):
        assert fields_apart(kept) == kept


async def test_fields_filter_tables(site: Datasette, rows: Any) -> None:
    async def ids(table: str, typed: str) -> set[int]:
        address = (
            f"/library/{table}.json?{urlencode({'_search': typed, '_shape': 'array'})}&_size=max"
        )
        return {row["id"] for row in (await site.client.get(address)).json()}

    def known(sql: str) -> set[int]:
        return {row[0] for row in rows(sql)}

    first = known("select id from papers where claims_first = 1")
    assert await ids("papers", "claim:first") == first
    assert await ids("papers", "-claim:first") == known("select id from papers") - first
    assert await ids("claims", "claim:first") == known("select id from claims where kind = 'first'")
    both = await ids("papers", "model claim:first")
    assert both < await ids("papers", "model")
    assert both <= first
    facet = await site.client.get("/library/papers.json?_search=claim:first&_facet_many=has_code")
    counts = facet.json()["facet_results"]["has_code"]["results"]
    assert sum(value["count"] for value in counts) == len(first)
    page = (await site.client.get("/library/papers?_search=claim:first")).text
    assert 'aria-label="claim: first; remove this filter"' in page


@pytest.mark.parametrize(
    "address",
    [
        "/library/papers?_field=tea",
        "/library/papers?_field=claim:",
        "/library/topics?_field=year:2026",
    ],
)
async def test_what_is_no_field_is_told_so(site: Datasette, address: str) -> None:
    assert (await site.client.get(address)).status_code == 400
