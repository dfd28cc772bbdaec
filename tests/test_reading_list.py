"""The reading list in a real browser: kept, noted, saved, read back, by keyboard."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

from pybtex.database import parse_string

from tests import test_browser
from tests.test_browser import Watched

pytestmark = test_browser.pytestmark
address, browser = test_browser.address, test_browser.browser

PAGE = "/library/-/reading-list"
NOTE = 'try 5% of {this}, "soon" & <b>first</b>\nthen =rest'


def saved(page: Any, name: str) -> str:
    """What the button of that name saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(download.value.path()).read_text("utf-8")


def test_papers_are_kept_noted_saved_and_read_back(
    browser: Any, address: str, library: Path, tmp_path: Path
) -> None:
    papers = sqlite3.connect(library).execute("select id, label from papers").fetchall()
    with Watched(browser, address) as watched:
        page = watched.open(PAGE)
        assert page.locator("#nothing-kept").is_visible()
        assert not page.locator("[data-reading-list]").is_visible()

        page = watched.open("/library/papers?_sort=label")
        stars = page.locator("button[data-star]")
        assert stars.count() == len(papers)
        for n in (0, 1):  # by keyboard
            stars.nth(n).focus()
            page.keyboard.press("Enter" if n else "Space")
            assert stars.nth(n).get_attribute("aria-pressed") == "true"
        stars.nth(2).click()
        stars.nth(2).click()  # and off again
        assert page.locator("[data-reading-list]").inner_text() == "Reading list (2)"

        page = watched.open(f"/library/papers/{papers[5][0]}")
        note = page.get_by_label("My note")
        assert not note.is_visible()
        page.locator("button[data-star]").click()
        note.fill(NOTE)

        page = watched.open(PAGE)
        items = page.locator("#reading-list li")
        assert items.count() == 3
        assert items.first.locator("a").inner_text() == papers[5][1]
        assert items.first.locator("textarea").input_value() == NOTE
        bib = saved(page, "BibTeX")
        entries = parse_string(bib, "bibtex").entries
        assert len(entries) == 3
        (annotated,) = [e for e in entries.values() if "annote" in e.fields]
        assert annotated.fields["annote"].startswith(r"try 5\% of \textbraceleft{}this")
        assert "3 written" in page.locator("#list-status").inner_text()
        rows = list(csv.DictReader(io.StringIO(saved(page, "CSV"), newline="")))
        assert {row["id"]: row["note"] for row in rows}[str(papers[5][0])] == NOTE
        items.first.locator("textarea").fill('=HYPERLINK("x")')  # no formula for a spreadsheet
        rows = list(csv.DictReader(io.StringIO(saved(page, "CSV"), newline="")))
        assert '\'=HYPERLINK("x")' in {row["note"] for row in rows}
        items.first.locator("textarea").fill(NOTE)
        lines = saved(page, "JSON lines")
        assert {json.loads(line)["id"] for line in lines.splitlines()} >= {papers[5][0]}

        items.first.get_by_role("button").click()
        assert items.count() == 2
        assert "is removed" in page.locator("#list-status").inner_text()
        (tmp_path / "list.jsonl").write_text(lines, "utf-8")
        page.set_input_files("#list-from", tmp_path / "list.jsonl")
        page.locator("#reading-list li").nth(2).wait_for()
        (tmp_path / "other.jsonl").write_text('{"id": "<b>"}\n[]', "utf-8")
        page.set_input_files("#list-from", tmp_path / "other.jsonl")
        page.locator("#list-status", has_text="no list").wait_for()
        assert items.count() == 3

        # what another program wrote under the name does no harm
        page.evaluate("localStorage.setItem('litsette reading list /', '[1')")
        assert watched.open(PAGE).locator("#nothing-kept").is_visible()
