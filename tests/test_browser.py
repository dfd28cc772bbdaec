"""The site in a real browser, on a real port: walks, two sizes, two colour schemes, axe.

A page is loaded once and then looked at in every way, as loading is what takes the time.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.test_decisions import BEES, BRIDGE, INK, KETTLE, ask, changed, load, lot, record

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


def served(library: Path) -> Iterator[str]:
    """The address of a server of a library; it must end well when it is told to."""
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
def address(library: Path) -> Iterator[str]:
    """The address of a server of the seeds."""
    yield from served(library)


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

    def __init__(
        self, browser: Any, address: str, expected: Sequence[str] = (), **options: Any
    ) -> None:
        self.faults: list[str] = []
        self.expected = expected  # parts of faults that belong to the page
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
        self.must_be_sound()

    def must_be_sound(self) -> None:
        unexpected = [f for f in self.faults if not any(e in f for e in self.expected)]
        assert unexpected == []
        self.faults.clear()


# every kind of page that has its own look, and what must be on it
PAGES = {
    "home": ("/", ".tile"),
    "papers": ("/library/papers?_size=8", "article.card .badge"),
    "papers as a table": ("/library/papers?_view=table&_size=5&claims_first=1", "a.chip"),
    "paper": ("/library/papers/{paper}?list=", ".abstract a.number"),
    "claims": ("/library/claims?_size=8", "td.clause"),
    "claim": ("/library/claims/{claim}", "blockquote mark"),
    "measurements": ("/library/measurements?_size=8", "td.wide mark"),
    "measurement": ("/library/measurements/1", "blockquote mark"),
    "sentences": ("/library/sentences?_size=5", "tbody tr"),
    "duplicates": ("/library/duplicates", "tbody tr"),
    "pair": ("/library/duplicates/{pair}", ".pair"),
    "entry": ("/library/entries/1", "dl.values"),
    "sources": ("/library/sources", "tbody tr"),
    "questions": ("/library", ".card.link"),
    "question": ("/library/gains_over_baseline", "figure.chart .measured li"),
    "SQL": ("/library/-/sql", "aside summary"),
    "answer": ("/library?sql=select+label,+venue+from+papers+limit+5", "tbody tr"),
    "who beats whom": ("/library/-/beats", "table.beaten a.gain"),
    "chart": ("/library/-/chart?metric=accuracy", "figure.chart .measured li"),
    "no chart yet": ("/library/-/chart", "a.chip"),
    "name": ("/library/-/about/DPO", "td.wide mark"),
    "topic": ("/library/-/about/large%20language%20models", ".bars li"),
    "acronym": ("/library/-/about/SFT", ".scroll tbody tr"),
    "found": ("/-/search?q=language+model", ".card mark"),
    "nothing found": ("/-/search?q=federatde+lerning+quokka", ".better a"),
    "dashboard": ("/-/dashboards/library", ".dashboard-card"),
    "quality": ("/-/quality", "main table"),
    "error": ("/library/nope", ".note"),
}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


def violations(page: Any) -> list[str]:
    """What axe-core finds against WCAG 2.2 A and AA."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    only = {
        "runOnly": {"type": "tag", "values": WCAG},
        "resultTypes": ["violations"],
        "preload": False,  # it would load what style sheets import from a wrong address
    }
    found = Axe().run(page, options=only).response["violations"]
    return [
        f"{v['id']}: {n['html'][:200]} {n['failureSummary']}" for v in found for n in v["nodes"]
    ]


@pytest.fixture(scope="module")
def ids(library: Path) -> dict[str, int]:
    """Rows that show most of what their pages can show."""
    conn = sqlite3.connect(library)
    asked = {
        "paper": "select id from papers order by measurement_count desc",
        "pair": "select id from duplicates",
        "claim": "select c.id from claims c join sentences s on s.id = c.sentence_id"
        " where c.text <> s.text",
    }
    found = {name: conn.execute(sql).fetchone()[0] for name, sql in asked.items()}
    conn.close()
    return found


@pytest.fixture(scope="module")
def watched(browser: Any, address: str) -> Iterator[Watched]:
    """One page for all kinds, as a new one takes as long as what is looked at."""
    with Watched(browser, address) as shared:
        yield shared


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_sound(watched: Watched, ids: dict[str, int], name: str) -> None:
    path, shown = PAGES[name]
    watched.expected = ["status of 404"] if name == "error" else []
    watched.page.emulate_media(color_scheme="light")
    watched.page.set_viewport_size({"width": 1400, "height": 844})
    page = watched.open(path.format(**ids))
    assert page.locator(shown).first.is_visible()
    for scheme, width in (("light", 1400), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} wide"
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        light = sum(map(int, re.findall(r"\d+", ground)[:3])) > 384
        assert light is (scheme == "light")
        assert violations(page) == []
        # what is folded up is looked at in the second way
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    watched.must_be_sound()


def test_a_walk_from_home_to_a_claim_and_its_csv(browser: Any, address: str, library: Path) -> None:
    conn = sqlite3.connect(library)
    with Watched(browser, address, viewport={"width": 1400, "height": 900}) as watched:
        page = watched.open("/")
        assert "27 papers from 2 files" in page.inner_text("h1")
        page.click("nav >> text=Papers")
        page.wait_for_url("**/library/papers")
        assert page.locator("article.card").count() == 27

        facet = page.locator(".facet li a", has_text="state of the art").first
        name = facet.locator("span").first.inner_text()
        number = int(re.sub(r"\D", "", facet.locator("span").last.inner_text()))
        assert name == "state of the art"
        facet.click()
        page.wait_for_url("**/library/papers?**")
        assert page.locator("article.card").count() == number
        assert page.locator("a.chip", has_text="state of the art").count() == 1

        page.locator("article.card h3 a").first.click()
        page.wait_for_url("**/library/papers/*")
        assert page.locator(".abstract").count() == 1
        claim = page.locator(".abstract a.claim", has_text="state of the art").first
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


def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    browser: Any, address: str, ids: dict[str, int]
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

        page = watched.open("/library/papers?_view=table&_size=2")
        for _ in range(60):  # nothing takes the focus out of sight
            page.keyboard.press("Tab")
            shown = (
                "() => { const { top, bottom } = document.activeElement.getBoundingClientRect();"
            )
            assert page.evaluate(shown + " return bottom > 0 && top < innerHeight }")

        page = watched.open(f"/library/papers/{ids['paper']}")
        number = page.locator("a.number").first
        tip = number.locator(".tip")
        assert not tip.is_visible()
        number.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert tip.is_visible()
        assert re.search(r"level|change|ratio|from … to|amount|bound", tip.inner_text())
        page.keyboard.press("Escape")
        assert not tip.is_visible()
        page.keyboard.press("Enter")  # leads to its row
        assert page.url.endswith(number.get_attribute("href"))
        number.hover()
        assert tip.is_visible()
        claims = page.locator(".abstract a.claim").count()
        assert claims > 0
        assert page.locator(".abstract u").count() >= 1
        bounds = (
            "(e) => { const { right, bottom } = e.getBoundingClientRect(); return [right, bottom] }"
        )
        for number in page.locator(".abstract a.number").all():
            number.hover()
            right, bottom = number.locator(".tip").evaluate(bounds)
            assert right <= 390
            assert bottom <= page.locator(".legend").evaluate("e => e.getBoundingClientRect().top")


def test_a_citation_is_copied(browser: Any, address: str, ids: dict[str, int]) -> None:
    granted = ["clipboard-read", "clipboard-write"]
    with Watched(browser, address, permissions=granted) as watched:
        page = watched.open(f"/library/papers/{ids['paper']}")
        for name in ("BibTeX", "RIS", "Text"):
            section = page.locator(".cite details", has=page.locator("summary", has_text=name))
            if section.get_attribute("open") is None:
                section.locator("summary").click()
            section.get_by_role("button", name=f"Copy {name}").click()
            section.get_by_text("copied").wait_for()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied.split() == section.locator("pre").inner_text().split()


def test_the_list_one_came_from_is_walked(browser: Any, address: str) -> None:
    with Watched(browser, address) as watched:
        page = watched.open("/library/papers?_many_claims=first&_sort=label")
        cards = page.locator("article.card h3 a")
        labels = cards.all_inner_texts()
        assert labels
        cards.first.click()
        for label in labels[1:]:
            page.locator("a[rel=next]").click()
            page.locator("h1", has_text=label).wait_for()
        assert page.locator("a[rel=next]").count() == 0
        page.locator("a[rel=prev]").click()
        page.locator("h1", has_text=labels[-2]).wait_for()
        page.locator("nav.crumbs a").first.click()
        page.wait_for_url("**/library/papers?_many_claims=first&_sort=label")
        page.locator("text=table").first.click()
        page.locator("table.rows-and-columns").wait_for()
        page.locator(".facet li a", has_text="result").first.click()
        page.wait_for_url("**_view=table**")  # the view stays
        assert page.locator("table.rows-and-columns").count() == 1


class Steps:
    """What a reader does, counted: a question is to be answered by a handful of clicks."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address, self.clicks = page, address, 0

    def home(self) -> None:
        self.page.goto(self.address + "/")
        self.clicks = 0

    def click(self, target: Any) -> None:
        (self.page.locator(target).first if isinstance(target, str) else target).click()
        self.page.wait_for_load_state()
        self.clicks += 1

    def text(self) -> str:
        return " ".join(self.page.inner_text("main").split())


def test_seven_questions_are_answered_by_clicks(browser: Any, address: str, library: Path) -> None:
    conn = sqlite3.connect(library)

    def known(sql: str) -> list[Any]:
        return [row[0] for row in conn.execute(sql)]

    with Watched(browser, address, viewport={"width": 1400, "height": 900}) as watched:
        page = watched.page
        steps = Steps(page, address)

        # which papers report gains over DPO, and how much
        steps.home()
        steps.click("a >> text=Who beats whom?")
        page.fill("input[name=baseline]", "DPO")
        steps.click("button >> text=Ask")
        for label, text in conn.execute(
            "select p.label, m.high from measurements m join papers p on p.id = m.paper_id"
            " where m.baseline = 'DPO'"
        ):
            assert label in steps.text()
            assert f"{abs(text):g}" in steps.text()
        assert steps.clicks <= 5

        # which release code
        steps.home()
        steps.click("a.tile >> text=papers with code")
        assert page.locator("article.card h3").all_inner_texts() != []
        labels = known("select label from papers where has_code = 1")
        assert sorted(page.locator("article.card h3").all_inner_texts()) == sorted(labels)

        # which abstracts are in both files
        steps.home()
        steps.click("a >> text=11 shared")
        labels = known("select label from papers where source_count = 2")
        assert sorted(page.locator("article.card h3").all_inner_texts()) == sorted(labels)
        assert len(labels) == 11

        # what the largest speed-up is, and where exactly it is stated
        steps.home()
        steps.click(page.get_by_role("link", name="What got faster, and where"))
        first = page.locator("tbody tr").first.inner_text()
        assert "2.5" in first
        assert re.search(r"\w+\.txt", first)
        steps.click("tbody tr td.col-sentence_id a")
        assert "line " in steps.text()
        assert "2.5× speedup in latency" in steps.text()
        assert steps.clicks <= 5

        # which papers concern federated learning
        steps.home()
        page.fill(".search-big input", "federated learning")
        steps.click(".search-big button")
        steps.click(page.get_by_role("link", name="federated and decentralized learning"))
        labels = known(
            "select p.label from papers p join paper_topics pt on pt.paper_id = p.id"
            " join topics t on t.id = pt.topic_id"
            " where t.term = 'federated and decentralized learning'"
        )
        assert page.locator(".card.link h3").all_inner_texts() == labels != []

        # all claims of kind result as CSV
        steps.home()
        steps.click(page.locator("section.card", has_text="Claims by kind").locator("text=result"))
        with page.expect_download() as download:
            page.evaluate("(link) => { link.download = ''; link.click() }",
                          page.query_selector(".export-links a:text-is('CSV')"))  # fmt: skip
        rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
        expected = known("select id from claims where kind = 'result'")
        assert [int(row["id"]) for row in rows] == expected

        # which acronyms mean two things
        steps.home()
        steps.click(page.get_by_role("link", name="Which acronyms have several meanings"))
        assert "SFT" in page.inner_text("tbody")
        assert steps.clicks == 1
    conn.close()


def test_tables_show_what_matters_first(browser: Any, address: str) -> None:
    with Watched(browser, address, viewport={"width": 1400, "height": 900}) as watched:
        page = watched.open("/library/papers?_view=table")
        first = page.locator("table.rows-and-columns tr").first.locator("th").first
        assert first.get_attribute("data-column") == "label"
        assert not page.locator("td.col-search_text").first.is_visible()
        assert max(map(len, page.locator("td.col-abstract").all_inner_texts())) <= 201
        assert page.locator("td.col-label a").first.inner_text()
        cut = "e => e.scrollWidth - e.clientWidth"
        for question in ("gains_over_baseline", "speed_ups", "where_it_stands"):
            page = watched.open(f"/library/{question}")
            assert page.locator(".table-wrapper").evaluate(cut) <= 0, question
        page = watched.open("/library/speed_ups")
        assert not page.locator("td.col-low").first.is_visible()
        page.get_by_label("also low, high").check()
        assert page.locator("td.col-low").first.is_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert not page.locator("td.col-baseline", has_text=re.compile(r"^\s*$")).first.is_visible()


def test_the_sql_field_runs_with_ctrl_enter(browser: Any, address: str) -> None:
    with Watched(browser, address) as watched:
        page = watched.open("/library/-/sql")
        page.fill("#sql-editor", "select count(*) as papers from papers")
        page.click("#sql-format")
        assert "COUNT" in page.input_value("#sql-editor").upper()
        page.focus("#sql-editor")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/library?sql=**")
        assert page.inner_text("tbody").strip() == "27"
        page.fill("#sql-editor", "select ")
        page.locator("summary", has_text="topics").first.focus()
        page.keyboard.press("Enter")
        page.locator("details[open] button.insert[data-insert=term]").press("Enter")
        assert page.input_value("#sql-editor") == "select term"


def test_no_table_is_cut_without_a_word(browser: Any, address: str, ids: dict[str, int]) -> None:
    goes_on = "e => e.scrollWidth > e.clientWidth"
    with Watched(browser, address, viewport={"width": 390, "height": 844}) as watched:
        page = watched.open(f"/library/papers/{ids['paper']}")
        numbers = page.locator("[aria-label=Numbers]")
        assert numbers.locator("td[data-label=on]").count() > 0
        assert numbers.locator("td[data-label=over]").count() == 0  # none is over anything
        assert not numbers.evaluate(goes_on)
        page.set_viewport_size({"width": 1400, "height": 900})
        page = watched.open("/library/sources")
        rows = page.locator(".table-wrapper")
        assert not rows.evaluate(goes_on)
        page.check("#all-columns")
        assert rows.evaluate(goes_on)  # a shadow shows it; covers of it scroll with the table
        attached = rows.evaluate("e => getComputedStyle(e).backgroundAttachment")
        assert attached == "local, local, scroll, scroll"


def test_legends_of_a_dashboard_fit_a_phone(browser: Any, address: str) -> None:
    with Watched(browser, address, viewport={"width": 390, "height": 844}) as watched:
        page = watched.open("/-/dashboards/library")
        page.locator("#chart-claims-by-topic .mark-group.role-legend").first.wait_for()
        for chart in page.locator(".dashboard-card-chart").all():
            edge = chart.locator("svg.marks").evaluate("e => e.getBoundingClientRect().right")
            for text in chart.locator(".role-legend text").all():
                assert text.evaluate("e => e.getBoundingClientRect().right") <= edge + 1
        watched.open("/-/dashboards/library/claims-by-topic").locator("svg.marks").wait_for()
        assert violations(page) == []


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


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_pages_of_settling_and_finding_fit(
    browser: Any, open_pairs: tuple[Path, str, str], width: int, scheme: str
) -> None:
    db, address, sign_in = open_pairs
    load(db, lot("doi", 0, 30))
    row = ask(db, "select min(id) from open_questions")[0][0]
    group = ask(db, "select id from open_questions where pairs = 29")[0][0]
    size = {"width": width, "height": 844}
    with Watched(browser, address, viewport=size, color_scheme=scheme) as watched:
        page = watched.page
        page.goto(sign_in)
        for path in (
            "/library/-/duplicates",
            f"/library/duplicates/{row}",
            f"/library/duplicates/{group}",
            "/-/find",
        ):
            watched.open(path)
            if path == "/-/find":
                page.fill("textarea", f"{KETTLE} {INK.replace('archives', '<b>archives</b>')}")
                page.click("main button")
                page.wait_for_selector("h2")
                page.wait_for_load_state()  # with its styles
                assert "What it says" in page.inner_text("main")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert violations(page) == [], path
