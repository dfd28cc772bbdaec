"""Hostile text in every column, and every kind of page, chart and export in a real browser.

Nothing runs, nothing leaves, no page is pushed apart.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from loader import exports
from tests import test_browser
from tests.test_browser import Watched, served
from tests.test_pages import LIBRARY

pytestmark = test_browser.pytestmark
browser = test_browser.browser

RUN = "window.ran=1"
AWAY = "//evil.example"
HOSTILE = [
    f"<script>{RUN}</script>",
    f"<ScRiPt src={AWAY}/x.js></sCrIpT>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}><animate onbegin={RUN}></svg>",
    f"<svg><script>{RUN}</script></svg>",
    f"<math><mtext><img src={AWAY}/m onerror={RUN}>",
    f"</script><script>{RUN}</script>",
    f"</textarea></title></style><script>{RUN}</script>",
    f'"><img src={AWAY}/q onerror={RUN}>',
    f"'><img src={AWAY}/a onerror={RUN}>",
    f'" onmouseover="{RUN}" autofocus onfocus="{RUN}" x="',
    f"' style='background:url({AWAY}/s)' onclick='{RUN}",
    f"javascript:{RUN}",
    f" JaVaScRiPt:{RUN}//https://a.example",
    f"java\tscript:{RUN}",
    f"vbscript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f'<a href="javascript:{RUN}">a</a>',
    f'<a href="data:text/html;base64,PHNjcmlwdD4=">b</a>',  # noqa: F541
    f'https:{AWAY}/"onmouseover={RUN}',
    f"https:{AWAY}/<img src=x onerror={RUN}>",
    f"<iframe src={AWAY} srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<object data={AWAY}/o></object><embed src={AWAY}/e>",
    f"<form action={AWAY}><input name=q autofocus onfocus={RUN}><button>go",
    f"<meta http-equiv=refresh content='0;url={AWAY}'>",
    f"<base href={AWAY}/>",
    f"<link rel=stylesheet href={AWAY}/l.css>",
    f"<style>@import '{AWAY}/i.css'; body {{ display: none }}</style>",
    f"1%; background: url({AWAY}/w); position: fixed; width: 5000px",
    f"${{{RUN}}} #{{{RUN}}} <%= 7*7 %>",
    "{{ 7 * 7 }} {% for x in () %} {# c #} {{ config }}",
    f"<!--<script>{RUN}--> ]]> <![CDATA[",
    f"&lt;script&gt;{RUN}&lt;/script&gt; &#60;b&#62;",
    "\u202egpj.exe\u202c \u2066x\u2069 \u200f\u2028line\u2029",
    f'=HYPERLINK("http:{AWAY}","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    f"%0d%0aSet-Cookie:a=b%0d%0a\r\nLocation: {AWAY}\r\n",
    "W" * 2_000,
    "\u0e01\u0e33" + "\u0301\u0316" * 60 + "﷽" * 40,
    f"\\\"; {RUN}; //\\'; {RUN}; //",
    "constructor",  # keys that every object of JavaScript has
    "__proto__",
    "",
]


def plant(path: Path) -> None:
    """Write hostile text into every text column of every table that can hold it."""
    conn = sqlite3.connect(path)
    conn.execute("pragma foreign_keys = off")
    planted = 0
    for (table,) in conn.execute(
        "select name from sqlite_master where type = 'table' and instr(name, '_fts') = 0"
    ).fetchall():
        columns = conn.execute(f"pragma table_info({table})").fetchall()
        keys = [row[1] for row in columns if row[5]]
        for place, (_, column, kind, *_) in enumerate(columns):
            if kind != "TEXT":
                continue
            rows = conn.execute(f"select {', '.join(keys)}, {column} from {table}").fetchall()
            for n, (*key, old) in enumerate(rows[:200]):
                text = HOSTILE[(n + place) % len(HOSTILE)]
                if old and len(old) > 60 and not old.startswith(("[", "{")):
                    text = f"{text} {old}"  # sentences keep their words
                where = " and ".join(f"{name} = ?" for name in keys)
                for value in (text, f"{text} {n}"):  # with a number where it must be unique
                    try:
                        conn.execute(
                            f"update {table} set {column} = ? where {where}", [value, *key]
                        )
                        planted += 1
                        break
                    except sqlite3.IntegrityError:
                        pass
    conn.execute(
        "update entries set authors = json_array(?), keywords = json_array(?)", HOSTILE[:2]
    )
    for table, indexed in (("claims", "text"), ("names", "name")):
        conn.execute(f"delete from {table}_fts")
        conn.execute(f"insert into {table}_fts (rowid, text) select id, {indexed} from {table}")
    conn.execute("insert into papers_fts (papers_fts) values ('rebuild')")
    conn.commit()
    conn.close()
    assert planted > 2_000


@pytest.fixture(scope="module")
def planted(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "hostile.db"
    shutil.copy(library, path)
    plant(path)
    return path


@pytest.fixture(scope="module")
def address(planted: Path) -> Iterator[str]:
    yield from served(planted)


def walk(path: Path) -> list[str]:
    """An address of every kind of page."""
    conn = sqlite3.connect(path)

    def one(sql: str) -> Any:
        return conn.execute(sql).fetchone()[0]

    paper = one("select id from papers order by measurement_count desc")
    name = one("select name from names where name like '<%'")
    literals = ", ".join(f"'{text}'" for text in HOSTILE if "'" not in text)
    addresses = [
        "/", "/library", "/library/papers?_size=30", "/library/papers?_view=table",
        f"/library/papers/{paper}", "/library/-/duplicates", "/library/-/chart", "/library/-/sql",
        f"/library/duplicates/{one('select id from duplicates')}", "/-/quality",
        "/-/search?q=script",
        "/-/search?" + urlencode({"q": HOSTILE[8]}), "/library/-/about/" + quote(name, safe=""),
        "/library/papers?" + urlencode({"_search": HOSTILE[0], "_many_topics": HOSTILE[10]}),
        "/library/claims?" + urlencode({"text__contains": HOSTILE[2], "_where": "1=1"}),
        "/library?" + urlencode({"sql": f"select {literals}"}),
        "/library?" + urlencode({"sql": f"select {HOSTILE[0]}"}),
        "/nope/" + quote(HOSTILE[0], safe=""),
        "/-/dashboards/library", "/-/dashboards/library/claims-by-kind",
    ]  # fmt: skip
    for table in ("claims", "measurements", "sentences", "names", "entries", "sources"):
        addresses += [f"/library/{table}", f"/library/{table}/{one(f'select id from {table}')}"]
    addresses += [f"/library/{t}" for t in ("links", "decisions", "rejects", "duplicate_groups")]
    addresses += [f"/library/{name}" for name in [*LIBRARY["queries"]][::6]]
    conn.close()
    return addresses


UNSAFE = """() => [
  ...[...document.links].map((a) => a.protocol).filter((p) => !/^(https?|blob):$/.test(p)),
  ...[...document.querySelectorAll("iframe, object, embed, base, meta[http-equiv]")].map((e) =>
      e.outerHTML),
  ...[...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames())
      .filter((name) => name.startsWith("on")),
  ...(window.ran ? ["ran"] : []),
]"""


def test_nothing_runs_nothing_leaves_nothing_breaks(
    browser: Any, address: str, planted: Path
) -> None:
    assert len(HOSTILE) == len(set(HOSTILE)) == 43
    with Watched(browser, address, viewport={"width": 390, "height": 844}) as watched:
        watched.page.on("dialog", lambda dialog: watched.faults.append(dialog.message))
        # it says nothing until it is asked, below, and takes a second to read
        vega = "**/datasette_vega/*.js"
        watched.context.route(vega, lambda r: r.fulfill(body="", content_type="text/javascript"))
        for path in walk(planted):
            before = len(watched.faults)
            page = watched.open(path)
            if path.startswith("/nope") or "select+%3Cscript" in path:
                # the browser itself tells of the status
                del watched.faults[before:]
            assert page.evaluate(UNSAFE) == [], path
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390, f"{path} is {wide} wide"
            assert page.locator("main h1").is_visible(), path
            assert watched.faults == [], path
            for chart in page.locator(".dashboard-card-chart").all():  # none is missing
                drawn = chart.locator("svg.marks, canvas.marks").count()
                assert drawn or "nothing to draw" in chart.inner_text(), path

        # charts of any table, drawn from hostile names
        watched.context.unroute(vega)
        drawn = "#g.mark=bar&g.x_column=name&g.x_type=ordinal&g.y_column=id&g.y_type=quantitative"
        drawn += "&g.color_column=name"  # its legend has them too
        page = watched.open("/library/names" + drawn)
        page.locator("canvas.marks, svg.marks").first.wait_for()
        assert page.evaluate(UNSAFE) == []

        for table in ("papers", "names", "sources"):
            for ending, kind in exports.FORMATS.items():
                if kind.of_papers and table == "sources":
                    continue
                target = f"/library/-/export/{table}.{ending}"
                with page.expect_download() as download:
                    page.evaluate("(a) => { location.href = a }", target)
                assert Path(download.value.path()).stat().st_size > 100
                headers = page.evaluate(
                    "async (a) => Object.fromEntries((await fetch(a)).headers)", target
                )
                assert headers["content-disposition"].startswith("attachment; filename=")
                assert headers["x-content-type-options"] == "nosniff"
        assert page.evaluate(UNSAFE) == []
