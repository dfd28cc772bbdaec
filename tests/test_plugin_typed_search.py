"""Searches as typed, through the site."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from datasette.app import Datasette

from plugins.typed_search import without_empty_search
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
    excluding = (await site.client.get("/library/papers.json?_search=-model")).json()
    assert "only words to leave out" in excluding["human_description_en"]


def test_only_empty_searches_are_taken_out() -> None:
    assert without_empty_search(b"_search=&a=") == b"a="
    assert without_empty_search(b"_search=+&_search_text=") == b""
    for kept in (b"", b"a=1&b", b"_search=x&a=%zz", b"_searchmode=raw"):
        assert without_empty_search(kept) == kept
