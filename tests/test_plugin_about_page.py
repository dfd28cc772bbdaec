"""Pages about a name, topic or acronym: everything, from every mention."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from datasette.app import Datasette

from plugins.about_page import kinds_of, read_about


def address(name: str) -> str:
    return f"/library/-/about/{quote(name, safe='')}"


def test_everything_named_is_known_with_all_its_rows(conn: sqlite3.Connection) -> None:
    sources = {
        "names": ("name", lambda a: a["introduced"]),
        "mentions": ("name", lambda a: a["mentions"]),
        "acronyms": ("short", lambda a: a["meanings"]),
    }
    seen = 0
    for table, (column, part) in sources.items():
        for (name,) in conn.execute(f"select distinct {column} from {table}").fetchall():
            about = read_about(conn, name.swapcase())
            assert about is not None, name
            wanted = conn.execute(
                f"select count(*) from {table} where {column} = ? collate nocase", (name,)
            ).fetchone()[0]
            rows = part(about)
            found = sum(r["papers"] for r in rows) if table == "acronyms" else len(rows)
            assert found == wanted
            seen += 1
    assert seen > 40
    for column in ("subject", "baseline", "metric"):
        sql = f"select {column}, count(*) from measurements where {column} is not null group by 1"
        for name, n in conn.execute(sql).fetchall():
            about = read_about(conn, name)
            assert about is not None
            assert len(about["numbers"][column]) >= n


def test_a_topic_tells_what_is_claimed_about_it(conn: sqlite3.Connection) -> None:
    term, papers, claims = conn.execute(
        """select t.term, count(*), sum(p.claim_count) from paper_topics pt
        join topics t on t.id = pt.topic_id join papers p on p.id = pt.paper_id
        group by t.id order by 2 desc, t.id limit 1"""
    ).fetchone()
    topic = read_about(conn, term)["topic"]
    assert topic["papers"] == papers
    assert sum(row["n"] for row in topic["claims"]) == claims
    assert all(card["evidence"] for card in topic["cards"])


def test_what_nobody_says_is_not_known(conn: sqlite3.Connection) -> None:
    assert read_about(conn, "no such thing") is None
    assert kinds_of([], [], [], None) == []


async def test_pages_answer_and_lead_on(site: Datasette, conn: sqlite3.Connection) -> None:
    name, label, paper = conn.execute(
        "select n.name, p.label, p.id from names n join papers p on p.id = n.paper_id limit 1"
    ).fetchone()
    page = await site.client.get(address(name))
    assert page.status_code == 200
    assert label in page.text
    assert f'href="/library/papers/{paper}"' in page.text
    paper_page = await site.client.get(f"/library/papers/{paper}")
    assert f'href="{address(name)}"' in paper_page.text
    assert (await site.client.get(address("nope"))).status_code == 404
    for odd in ("'", "a/b", "%", "<b>", "..x", "a?b#c", "\u202e", "x" * 2000):
        assert (await site.client.get(address(odd))).status_code == 404, odd


async def test_odd_names_have_pages(
    built: Callable[..., sqlite3.Connection], tmp_path: Path
) -> None:
    from loader.serve import datasette_for  # noqa: PLC0415

    conn = built("tea.txt", "Tea 2026\n\nWe propose TeaNet, a network.\n")
    odd = ["a/b", "50% off", "<b>x</b>", "C++ & C#", "茶/壶", "what?"]
    conn.executemany(
        "insert into names (paper_id, name, kind) select id, ?, 'method' from papers",
        [(name,) for name in odd],
    )
    conn.commit()
    site = datasette_for(tmp_path / "test.db")
    for name in odd:
        page = await site.client.get(address(name))
        assert page.status_code == 200, name
        assert "<b>x" not in page.text
