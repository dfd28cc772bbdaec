"""Every answer forbids what no page of ours needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from datasette.app import Datasette

from plugins.headers import OTHERS, Allowed, policy, with_nonces
from tests.test_pages import Page, html, site_map


def test_scripts_of_templates_get_a_nonce() -> None:
    nonce = '<script nonce="{{ script_nonce() }}"'
    assert with_nonces("<script>x</script>") == f"{nonce}>x</script>"
    assert with_nonces('<p><SCRIPT src="a">') == f'<p>{nonce} src="a">'
    assert with_nonces('<script nonce="a">') == '<script nonce="a">'
    assert with_nonces("<scripture>") == "<scripture>"


def test_only_charts_may_eval() -> None:
    allowed = Allowed()
    assert "unsafe-eval" not in policy(allowed)
    assert f"script-src 'nonce-{allowed.nonce}';" in policy(allowed)
    allowed.evals = True
    assert "'unsafe-eval'" in policy(allowed)
    assert Allowed().nonce != allowed.nonce


async def test_every_page_has_its_policy(site: Datasette, library: Path) -> None:
    nonces = set()
    addresses = site_map(library)[::3]
    addresses += ["/nope", "/library/papers.json", "/library/papers.csv", "/static/app.css"]
    for path in [*addresses, "/library/claims"]:
        response = await site.client.get(path)
        for name, value in OTHERS.items():
            assert response.headers[name] == value, path
        rules = response.headers["content-security-policy"]
        scripts = re.search(r"script-src ([^;]+);", rules)[1]
        assert "unsafe-inline" not in scripts
        nonce = re.search(r"'nonce-([\w-]+)'", scripts)[1]
        nonces.add(nonce)
        if "html" in response.headers["content-type"]:
            page = Page(response.text)
            assert {s.get("nonce") for s in page.all("script")} <= {nonce}, path
            assert ("unsafe-eval" in scripts) is ("datasette_vega/main" in response.text), path
            assert not [a for _, at in page.elements for a in at if a.startswith("on")], path
    assert len(nonces) == len(addresses) + 1


@pytest.mark.parametrize("page", ["versions", "plugins", "databases", "threads"])
async def test_pages_about_this_machine_need_a_sign_in(site: Datasette, page: str) -> None:
    for path in (f"/-/{page}", f"/-/{page}.json"):
        assert (await site.client.get(path)).status_code == 403
        cookies = {"ds_actor": site.sign({"a": {"id": "root"}}, "actor")}
        assert (await site.client.get(path, cookies=cookies)).status_code == 200


async def test_a_slow_query_is_told_without_a_script(site: Datasette) -> None:
    endless = "with+recursive+n(i)+as+(select+1+union+all+select+i%2B1+from+n)+select+max(i)+from+n"
    page = await html(site, f"/library?sql={endless}&_timelimit=50", 400)
    assert "took too long" in page
    assert "sql_time_limit_ms" not in page
