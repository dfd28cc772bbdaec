"""The site in a real browser, on a real port: a walk, two sizes, two colour schemes."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.test_decisions import BEES, BRIDGE, INK, KETTLE, ask, changed, load, record

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# where a browser must be, its absence is a failure
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason="no chromium"
)


@pytest.fixture(scope="module")
def address(library: Path) -> Iterator[str]:
    """The address of a server of the seeds; it must end well when it is told to."""
    code = "import sys, pathlib, loader.serve as s; s.serve(pathlib.Path(sys.argv[1]), 0)"
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(library)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    yield found.group().rstrip("/")
    server.terminate()
    assert server.wait(timeout=10) == 0
    server.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is one)

    assert CHROMIUM, "no chromium; install the package of the same name"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


class Watched:
    """A page, and whatever it did that it should not."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.faults: list[str] = []
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(15_000)
        self.page = self.context.new_page()
        self.page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self._watch(request.url, address))
        self.address = address

    def _watch(self, url: str, address: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            self.faults.append(f"request to {url}")

    def open(self, path: str) -> Any:
        self.page.goto(self.address + path)
        if "dashboards" in path:  # its charts are drawn when their data have come
            self.page.wait_for_load_state("networkidle")
        return self.page

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert self.faults == []


def paths(library: Path) -> list[str]:
    """An address of every kind of page that has its own look."""
    conn = sqlite3.connect(library)
    paper = conn.execute("select id from papers order by measurement_count desc").fetchone()[0]
    pair = conn.execute("select id from duplicates").fetchone()[0]
    conn.close()
    return [
        "/",
        "/library/papers",
        "/library/papers?_view=table",
        f"/library/papers/{paper}",
        "/library/claims",
        "/library/claims/1",
        "/library/measurements",
        "/library/measurements/1",
        "/library/sentences",
        "/library/duplicates",
        f"/library/duplicates/{pair}",
        "/library/entries/1",
        "/library/sources",
        "/library",
        "/library?sql=select+*+from+papers",
        "/-/search?q=language+model",
        "/-/dashboards/library",
        "/-/quality",
    ]


def test_a_walk_from_home_to_a_claim_and_its_csv(browser: Any, address: str, library: Path) -> None:
    conn = sqlite3.connect(library)
    with Watched(browser, address, viewport={"width": 1400, "height": 900}) as watched:
        page = watched.open("/")
        assert "27 papers from 2 files" in page.inner_text("h1")
        page.click("nav >> text=Papers")
        page.wait_for_url("**/library/papers")
        assert page.locator("article.card").count() == 27

        facet = page.locator(".facet li a", has_text="sota").first
        name = facet.locator("span").first.inner_text()
        number = int(re.sub(r"\D", "", facet.locator("span").last.inner_text()))
        assert name == "sota"
        facet.click()
        page.wait_for_url("**/library/papers?**")
        assert page.locator("article.card").count() == number
        assert page.locator("a.chip", has_text="sota").count() == 1

        page.locator("article.card h3 a").first.click()
        page.wait_for_url("**/library/papers/*")
        assert page.locator(".abstract").count() == 1
        claim = page.locator(".abstract a.claim", has_text="sota").first
        claim_id = claim.get_attribute("href").rsplit("/", 1)[1]
        claim.click()
        page.wait_for_url(f"**/library/claims/{claim_id}")
        sentence = conn.execute(
            "select s.text from claims c join sentences s on s.id = c.sentence_id where c.id = ?",
            (claim_id,),
        ).fetchone()[0]
        assert page.inner_text("blockquote").split() == sentence.split()
        assert "line " in page.inner_text("main")

        page.click("nav >> text=Claims")
        page.wait_for_url("**/library/claims")
        page.locator(".facet li a", has_text="result").first.click()
        page.wait_for_url("**/library/claims?**")
        with page.expect_download() as download:
            page.evaluate(
                "(link) => { link.download = ''; link.click() }",
                page.query_selector(".export-links a:text-is('CSV')"),
            )
        text = Path(download.value.path()).read_text("utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        expected = conn.execute("select id, text from claims where kind = 'result'").fetchall()
        assert {(int(row["id"]), row["text"]) for row in rows} == set(expected)
    conn.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_every_page_fits_and_is_quiet(
    browser: Any, address: str, library: Path, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 844}
    with Watched(browser, address, viewport=size, color_scheme=scheme) as watched:
        backgrounds = set()
        for path in paths(library):
            page = watched.open(path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} wide"
            backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            faint = page.evaluate(CONTRAST)
            assert faint == [], f"{path}: {faint}"
        assert len(backgrounds) == 1
        light = sum(map(int, re.findall(r"\d+", backgrounds.pop())[:3])) > 384
        assert light is (scheme == "light")


# Texts whose contrast with the ground they stand on is below WCAG AA.
CONTRAST = """() => {
  const parse = (colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255)
      .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3]));
  const cache = new Map();
  const known = (c) => cache.get(c) ?? (cache.set(c, parse(c)), cache.get(c));
  const found = new Set();
  for (const element of document.querySelectorAll("body *:not(script):not(option)")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.checkVisibility({visibilityProperty: true, opacityProperty: true})
        || element.closest("svg")) continue;
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      layers.push(known(getComputedStyle(e).backgroundColor));
    }
    let ground = [255, 255, 255];
    for (const layer of layers.reverse()) ground = over(layer, ground);
    const style = getComputedStyle(element);
    const ink = over(known(style.color), ground);
    const [a, b] = [luminance(ink), luminance(ground)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) {
      found.add(`${element.tagName}.${element.className} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
    }
  }
  return [...found];
}"""


def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    browser: Any, address: str, library: Path
) -> None:
    with Watched(browser, address, viewport={"width": 390, "height": 844}) as watched:
        page = watched.open("/library/papers")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to content"
        assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
        assert not page.locator(".facet").first.is_visible()
        seen = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            active = page.evaluate(
                "() => { const e = document.activeElement, s = getComputedStyle(e);"
                " return [e.id || e.textContent.trim(), s.outlineStyle, e.id === 'facets-open' ?"
                " getComputedStyle(e.nextElementSibling).outlineStyle : s.outlineStyle] }"
            )
            assert active[2] != "none", active
            seen.add(active[0])
            if active[0] == "facets-open":
                page.keyboard.press("Space")
                assert page.locator(".facet").first.is_visible()
        assert {"Papers", "facets-open"} <= seen

        paper = page.goto(address + paths(library)[3]) and page
        number = paper.locator("a.number").first
        assert not number.locator(".tip").is_visible()
        number.focus()
        paper.keyboard.press("Shift+Tab")
        paper.keyboard.press("Tab")
        assert number.locator(".tip").is_visible()


def test_the_sql_field_runs_with_ctrl_enter(browser: Any, address: str) -> None:
    with Watched(browser, address) as watched:
        page = watched.open("/library")
        page.fill("#sql-editor", "select count(*) as papers from papers")
        page.click("#sql-format")
        assert "COUNT" in page.input_value("#sql-editor").upper()
        page.focus("#sql-editor")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/library?sql=**")
        assert page.inner_text("tbody").strip() == "27"


def test_the_charts_of_a_table_open(browser: Any, address: str) -> None:
    with Watched(browser, address) as watched:
        page = watched.open("/library/claims")
        page.click("text=Show charting options")
        page.locator(".datasette-vega select").first.wait_for()


@pytest.fixture
def open_pairs(tmp_path: Path) -> Iterator[tuple[Path, str, str]]:
    """A database with four open questions, the address of its site, and the one that signs in."""
    db = tmp_path / "pairs.db"
    load(
        db,
        [record(f"a{n}", text) for n, text in enumerate((KETTLE, BRIDGE, BEES, INK))],
        [
            record("b0", changed(KETTLE, "40 kettles", "60 kettles")),
            record("b1", changed(BRIDGE, "160 walkers", "190 walkers")),
            record("b2", changed(BEES, "1,200 dances", "900 dances")),
            record("b3", changed(INK, "91%", "62%")),
        ],
    )
    code = "import sys, pathlib, loader.serve as s; s.serve(pathlib.Path(sys.argv[1]), 0)"
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(db)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert server.stdout is not None
    address = re.search(r"http://[\d.:]+", server.stdout.readline())
    sign_in = re.search(r"http://\S+/-/auth-token\?token=\w{32,}", server.stdout.readline())
    assert address
    assert sign_in
    yield db, address.group(), sign_in.group()
    server.terminate()
    assert server.wait(timeout=10) == 0
    server.stdout.close()


def test_questions_are_settled_by_keyboard(browser: Any, open_pairs: tuple[Path, str, str]) -> None:
    db, address, sign_in = open_pairs
    rows = [r[0] for r in ask(db, "select id from open_questions order by score desc, id")]
    assert len(rows) == 4

    def at(row: int) -> str:
        return f"**/library/duplicates/{row}"

    with Watched(browser, address, viewport={"width": 390, "height": 844}) as watched:
        page = watched.open(f"/library/duplicates/{rows[0]}")
        page.keyboard.press("s")  # not signed in: nothing to press
        assert page.locator("button[data-key]").count() == 0
        page.keyboard.press("j")
        page.wait_for_url(at(rows[1]))
    assert ask(db, "select count(*) from decisions") == [(0,)]

    with Watched(browser, address, viewport={"width": 1400, "height": 900}) as watched:
        page = watched.page
        page.goto(sign_in)
        page.click("nav >> text=Duplicates")
        page.wait_for_url("**/library/-/duplicates")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        page.keyboard.press("Enter")
        page.wait_for_url(at(rows[0]))
        page.keyboard.press("j")
        page.wait_for_url(at(rows[1]))
        page.keyboard.press("k")
        page.wait_for_url(at(rows[0]))
        assert page.locator("del").count() > 0
        assert page.locator("ins").count() > 0

        page.fill("input[name=note]", "svn")  # letters in a field are letters
        page.keyboard.press("Enter")  # and Enter there says nothing
        assert page.input_value("input[name=note]") == "svn"
        page.locator("h1").click()
        page.keyboard.press("s")
        page.wait_for_url(at(rows[1]) + "?**")
        assert "3 open questions left" in page.inner_text("[role=status]")
        page.keyboard.press("v")
        page.wait_for_url(at(rows[2]) + "?**")
        page.keyboard.press("Control+n")  # the browser's own
        page.keyboard.press("n")
        page.wait_for_url(at(rows[3]) + "?**")
        page.keyboard.press("n")
        page.wait_for_url("**/library/-/duplicates?**")
        assert "No open questions" in page.inner_text("h1")
    said = dict(ask(db, "select id, verdict from duplicates"))
    assert [said[row] for row in rows] == ["duplicate", "version", "distinct", "distinct"]
    assert ask(db, "select note from decisions where verdict = 'duplicate'") == [("svn",)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_pages_of_settling_and_finding_fit(
    browser: Any, open_pairs: tuple[Path, str, str], width: int, scheme: str
) -> None:
    db, address, sign_in = open_pairs
    row = ask(db, "select min(id) from open_questions")[0][0]
    size = {"width": width, "height": 844}
    with Watched(browser, address, viewport=size, color_scheme=scheme) as watched:
        page = watched.page
        page.goto(sign_in)
        for path in ("/library/-/duplicates", f"/library/duplicates/{row}", "/-/find"):
            watched.open(path)
            if path == "/-/find":
                page.fill("textarea", f"{KETTLE} {INK.replace('archives', '<b>archives</b>')}")
                page.click("main button")
                page.wait_for_selector("h2")
                assert "What it says" in page.inner_text("main")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(CONTRAST) == [], path
