"""Pages are found with and without the name of the database."""

from __future__ import annotations

import pytest
from datasette.app import Datasette

from plugins.other_address import LIBRARY, SITE


@pytest.mark.parametrize("page", SITE)
async def test_pages_of_the_site_are_found_under_the_library(site: Datasette, page: str) -> None:
    response = await site.client.get(f"/library/-/{page}?q=a+%26+b")
    assert (response.status_code, response.headers["location"]) == (302, f"/-/{page}?q=a+%26+b")
    assert (await site.client.get(f"/-/{page}")).status_code == 200


@pytest.mark.parametrize("page", LIBRARY)
async def test_pages_of_the_library_are_found_under_the_site(site: Datasette, page: str) -> None:
    response = await site.client.get(f"/-/{page}")
    assert (response.status_code, response.headers["location"]) == (302, f"/library/-/{page}")
    assert (await site.client.get(f"/library/-/{page}")).status_code == 200


@pytest.mark.parametrize("page", ["/library/-/nonsense", "/-/nonsense"])
async def test_what_is_no_page_is_not_found(site: Datasette, page: str) -> None:
    assert (await site.client.get(page)).status_code == 404


async def test_pages_of_datasette_stay(site: Datasette) -> None:
    assert (await site.client.get("/-/metadata.json")).status_code in (200, 403)
    assert (await site.client.get("/library/-/about/DPO")).status_code == 200
    assert (await site.client.get("/library/-/export/papers.csv")).status_code == 200
