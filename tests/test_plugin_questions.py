"""Questions with suggestions and bars, and the page to write SQL on."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from datasette.app import Datasette

from loader.serve import datasette_for
from plugins.questions import BARS, bars_of
from plugins.sql_page import EXAMPLES, tables_of

CHART = {"label": "name", "value": "n", "unit": "unit"}


def rows_of(*values: tuple) -> list[dict]:
    return [dict(zip(("name", "n", "unit"), value, strict=True)) for value in values]


def test_only_one_unit_is_drawn() -> None:
    rows = rows_of(("a", 10.0, "%"), ("b", -5, "%"), ("c", 400, "ms"), ("d", None, "%"))
    drawn = bars_of(CHART, rows)
    assert [(b.label, b.value, b.start, b.end) for b in drawn.bars] == [
        ("a", 10.0, 33.33, 100.0),
        ("b", -5, 0.0, 33.33),  # what falls goes to the other side
    ]
    assert drawn.zero == 33.33
    assert drawn.left_out == 2
    assert drawn.only == ["in %"]
    assert drawn.said == "n by name"
    assert bars_of(CHART, rows[:1]) is None
    only = bars_of(CHART | {"only": {"name": "a"}, "detail": "unit", "said": "Gain"}, rows[:1] * 2)
    assert {(b.label, b.detail) for b in only.bars} == {("a", "%")}
    assert only.said == "Gain by name"
    assert bars_of(CHART, []) is None
    nought = bars_of(CHART, rows_of(("a", 0, ""), ("b", 0, "")))
    assert nought.zero == nought.bars[0].start == nought.bars[0].end == 0
    many = bars_of(CHART, rows_of(*[("a", 1, "")] * 99))
    assert (len(many.bars), many.left_out, many.only) == (BARS, 99 - BARS, [f"the first {BARS}"])
    ends = [
        {"name": "a", "n": -25, "unit": "", "low": -40},
        {"name": "b", "n": 3, "unit": "", "low": 2},
    ]
    assert [b.value for b in bars_of(CHART | {"other": "low"}, ends).bars] == [-40, 3]


async def test_a_question_suggests_and_draws(site: Datasette) -> None:
    page = (await site.client.get("/library/gains_over_baseline")).text
    assert '<option value="DPO"></option>' in page
    assert 'list="qp1-choices"' in page
    assert '<ol class="measured">' in page
    drawn = r"Drawn: \d+ rows \(kind change\)\. Not drawn: \d+, in the table below\."
    assert re.search(drawn, page)
    nothing = (await site.client.get("/library/gains_over_baseline?baseline=zzz")).text
    assert '<ol class="measured">' not in nothing


async def test_it_is_said_that_no_acronym_has_two_meanings(
    site: Datasette, built: Callable[..., sqlite3.Connection], tmp_path: Path
) -> None:
    said = "No acronym here has two meanings"
    assert said in (await site.client.get("/library/acronyms_with_meanings?acronym=zzz")).text
    two = "We boil with Slow Fine Tea (SFT).\n\nWe cool with Soft Frozen Tins (SFT).\n"
    built("two.txt", "Tea 2026\n\n" + two, db="two.db")
    same = "We boil with Slow Fine Tea (SFT).\n\nWe cool with slow-fine tea (SFT).\n"
    built("same.txt", "Tea 2026\n\n" + same, db="same.db")
    for name, meant in (("two.db", True), ("same.db", False)):
        other = datasette_for(tmp_path / name)
        page = (await other.client.get("/library/acronyms_with_meanings")).text
        assert "<td" in page
        assert (said not in page) is meant


async def test_sql_has_everything_at_hand(site: Datasette) -> None:
    page = (await site.client.get("/library/-/sql")).text
    tables = await tables_of(site)
    assert {"papers", "claims", "measurements"} <= {table.name for table in tables}
    assert not {"signatures", "papers_fts"} & {table.name for table in tables}
    for table in tables:
        assert all(f'data-insert="{name}"' in page for name, _ in table.columns)
    for name in ("plain_text(text)", "measurements(text)", "similarity(one, other)"):
        assert name in page
    ran = (await site.client.get("/library?sql=select+1+as+one")).text
    assert "At hand" in ran
    asked = await site.client.get("/library/-/sql?sql=select+:n+as+one&n=7", follow_redirects=True)
    assert asked.url.path == "/library"
    assert 'class="col-one"><bdi>7</bdi></td>' in asked.text
    kept = "/library/-/sql?sql=select+%3C%2Ftextarea%3E"
    kept = (await site.client.get(kept, follow_redirects=True)).text
    assert "select &lt;/textarea&gt;" in kept


@pytest.mark.parametrize(("title", "sql"), EXAMPLES)
async def test_examples_run(site: Datasette, title: str, sql: str) -> None:
    assert title
    try:
        rows = await site.execute("library", sql)
    except sqlite3.Error as error:
        pytest.fail(f"{title}: {error}")
    assert rows.rows, title
