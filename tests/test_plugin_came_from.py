"""Previous and next of the list that a reader came from."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from datasette.app import Datasette

from plugins.came_from import asked, beside, place_in


def test_a_place_has_neighbours() -> None:
    rows = [[3, "a"], [1, "b"], [2, "c"]]
    assert beside(rows, 1) == (1, (3, "a"), (2, "c"))
    assert beside(rows, 3) == (0, None, (1, "b"))
    assert beside(rows, 2) == (2, (1, "b"), None)
    assert beside(rows, 9) is None


def test_only_what_chooses_papers_is_asked() -> None:
    query = asked("has_code=1&_view=table&_next=5&_size=2&_sort=label&_facet_size=max&_search=x")
    assert query.startswith("has_code=1&_sort=label&_search=x&_col=label")


@pytest.mark.parametrize(
    "query",
    ["", "has_code=1", "_sort=label", "_many_claims=result&_search=model", "_search=claim:first"],
)
async def test_the_whole_list_can_be_walked(site: Datasette, query: str) -> None:
    address = f"/library/papers.json?{query}&_shape=array&_size=max"
    ids = [row["id"] for row in (await site.client.get(address)).json()]
    assert ids
    for position, paper in enumerate(ids, 1):
        place = await place_in(site, query, paper)
        assert place is not None
        assert (place.position, place.size, place.more) == (position, len(ids), False)
        assert (place.previous or [None])[0] == (ids[position - 2] if position > 1 else None)
        assert (place.next or [None])[0] == (ids[position] if position < len(ids) else None)
    first = await site.client.get(f"/library/papers/{ids[0]}?list={quote(query)}")
    assert first.text.count('rel="next"') == (len(ids) > 1)
    assert 'rel="prev"' not in first.text


async def test_a_list_without_the_paper_is_passed_over(site: Datasette) -> None:
    address = "/library/papers.json?has_code=1&_shape=array"
    paper = (await site.client.get(address)).json()[0]["id"]
    for query in ("has_code=0", "_sort=nope", "&&&", "_search=zzz"):
        page = await site.client.get(f"/library/papers/{paper}?list={quote(query)}")
        assert page.status_code == 200
        assert ('rel="next"' in page.text) is (query == "&&&")
