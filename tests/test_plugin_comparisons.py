"""Who beats whom, and one metric on one data set."""

from __future__ import annotations

import html
import sqlite3
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette

from plugins.comparisons import (
    BARS,
    beaten,
    charts,
    like,
    read_beaten,
    read_choices,
    read_compared,
    read_pairs,
)
from tests import timing


def number(**values: object) -> dict[str, object]:
    plain = {"id": 1, "paper_id": 1, "label": "P", "kind": "change", "unit": "%", "baseline": "A"}
    return plain | values


def test_baselines_are_grouped_names_first() -> None:
    rows = [
        number(id=1, paper_id=1, baseline="strongest baselines"),
        number(id=2, paper_id=2, baseline="TeaNet"),
        number(id=3, paper_id=3, baseline="teanet", label="Q"),
        number(id=4, paper_id=3, baseline="teanet", label="Q"),
        number(id=5, paper_id=4, baseline="PotNet"),
        number(id=6, paper_id=5, baseline="the state-of-the-art"),
        number(id=7, paper_id=6, baseline="prior end-to-end methods"),
    ]
    found = beaten(rows)
    assert [b.baseline for b in found[:2]] == ["TeaNet", "PotNet"]
    assert [b.named for b in found] == [True, True, False, False, False]
    assert [(p, label, len(n)) for p, label, n in found[0].papers] == [(2, "P", 1), (3, "Q", 2)]


def test_long_names_are_told_in_no_time() -> None:
    for name in ("best" * 5_000 + "!", "strong baseline " * 5_000 + "x", "the-" * 5_000):
        assert timing.within(1, lambda name=name: beaten([number(baseline=name)]))


def test_every_number_against_a_baseline_is_there(conn: sqlite3.Connection) -> None:
    wanted = conn.execute(
        """select count(*) from measurements where baseline is not null
        and kind in ('change', 'ratio', 'from_to', 'level')"""
    ).fetchone()[0]
    found, left_out = read_beaten(conn, "", "")
    assert left_out == 0
    assert sum(len(n) for b in found for _, _, n in b.papers) == wanted > 5
    dpo, _ = read_beaten(conn, "dpo", "")
    assert [b.baseline for b in dpo] == ["DPO"]
    assert read_beaten(conn, "%", "") == ([], 0)
    assert like("50%_\\") == "%50\\%\\_\\\\%"


def test_bars_lie_within_the_chart() -> None:
    rows = [number(id=i, low=v, high=v) for i, v in enumerate((-10.0, 0.0, 30.0))]
    rows.append(number(id=9, low=10.0, high=20.0))
    rows.append(number(id=10, kind="level", unit="", low=5.0, high=5.0))
    changes, levels = charts(rows)
    assert changes.title == "Changes, in %"
    assert changes.said == "4 numbers of 1 paper"
    assert changes.zero == 25.0
    places = {bar.row["id"]: (bar.start, bar.end) for bar in changes.bars}
    assert places[2] == (25.0, 100.0)
    assert places[9] == (50.0, 75.0)
    assert places[0] == (0.0, 25.0)
    assert 0 < places[1][1] - places[1][0] < 1  # zero can be seen
    assert levels.title == "Levels reached"
    assert (changes.signed, levels.signed) == (True, False)
    many = [number(id=i, low=1.0, high=1.0) for i in range(BARS + 5)]
    assert charts(many)[0].left_out == 5
    assert charts([number(low=None, high=None)]) == []


def test_numbers_of_a_metric_on_a_data_set(conn: sqlite3.Connection) -> None:
    assert len(read_pairs(conn)) > 3
    for pair in read_pairs(conn):
        found = read_compared(conn, pair["metric"], pair["subject"], "")
        exact = [
            r for r in found if (r["metric"], r["subject"]) == (pair["metric"], pair["subject"])
        ]
        assert exact or pair["n"] == 0 or all(r["high"] is None for r in found)
    choices = read_choices(conn)
    assert "DPO" in choices["baseline"]
    assert all(names for names in choices.values())


@pytest.mark.parametrize("page", ["-/beats", "-/chart?baseline=DPO", "gains_over_baseline"])
async def test_it_is_said_whose_the_sign_is(site: Datasette, page: str) -> None:
    text = html.unescape((await site.client.get(f"/library/{page}")).text)
    assert "the sign is the source's" in text.lower()
    assert "lower is better is not judged" in text


@pytest.mark.parametrize("page", ["beats", "chart"])
@pytest.mark.parametrize("value", ["", "DPO", "accuracy", "nothing so called", "%", '"><svg>'])
async def test_pages_answer(site: Datasette, page: str, value: str) -> None:
    for name in ("baseline", "metric", "subject"):
        response = await site.client.get(f"/library/-/{page}?{urlencode({name: value})}")
        assert response.status_code == 200
        assert "<svg>" not in response.text
