"""The search page: the best first, words marked, fields, and help where nothing is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette

from loader.search import field_clause, parse
from plugins.search_page import advice, find
from tests.conftest import CASES


def labels(results: object, table: str = "papers") -> list[str]:
    return [hit["label"] for f in results.found if f.table == table for hit, *_ in f.hits]


def test_the_best_comes_first(built: Callable[..., sqlite3.Connection]) -> None:
    conn = built(
        "tea.txt",
        "Tea 2026\n\nWe propose KettleOne. Tea is boiled once in a long and winding text about"
        " pots, cups, leaves, milk, sugar and steam.\n\nWe propose KettleTwo. Tea, tea and more"
        " tea: tea.\n\nWe propose PotThree for coffee, and coffee alone.\n",
    )
    conn.row_factory = sqlite3.Row
    found = labels(find(conn, "tea"))
    assert len(found) == 2
    assert "KettleTwo" in found[0]


def test_snippets_come_from_the_abstract(conn: sqlite3.Connection) -> None:
    results = find(conn, "expert token")
    assert {f.table for f in results.found} >= {"papers", "claims"}
    for section in results.found:
        for hit, stretches, _ in section.hits:
            shown = "".join(s.text for s in stretches).removeprefix("… ").removesuffix(" …")
            assert shown in hit["text"]
            assert any(s.found for s in stretches)


def test_fields_and_words_are_joined(conn: sqlite3.Connection) -> None:
    def ids(typed: str) -> set[int]:
        return {h["paper_id"] for f in find(conn, typed).found for h, *_ in f.hits
                if f.table == "papers"}  # fmt: skip

    name, paper = conn.execute(
        "select name, paper_id from mentions where kind = 'dataset' order by id"
    ).fetchone()
    assert paper in ids(f'dataset:"{name}"')
    assert ids(f'model -dataset:"{name}"').isdisjoint(ids(f'dataset:"{name}"'))
    assert not find(conn, "year:1850").found
    for section in find(conn, "model claim:problem").found:
        if section.table == "claims":
            assert {hit["kind"] for hit, *_ in section.hits} == {"problem"}


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("federatde lerning", "federated learning"),
        ("languge modle", "language model"),
        ("dataset: VasVQA3D", "dataset:VaseVQA-3D"),
        ("claim:outpreforms", "claim:outperforms"),
        ("claim:reslut", "claim:result"),
        ('claim:"sate of the art" model', 'claim:"state of the art" model'),
        ('topic:"large language modles"', 'topic:"large language models"'),
        ("language model", None),
    ],
)
def test_misspelt_words_are_corrected(
    conn: sqlite3.Connection, typed: str, better: str | None
) -> None:
    results = find(conn, typed)
    assert results.better == better
    assert better is None or find(conn, better).found


def test_a_question_finds_what_has_some_of_its_words(conn: sqlite3.Connection) -> None:
    results = find(conn, "which papers could possibly concern federated learning")
    assert results.some
    assert (
        "federated"
        in conn.execute(
            "select lower(abstract) from papers where label = ?", (labels(results)[0],)
        ).fetchone()[0]
    )


def test_what_is_called_so_has_a_page(conn: sqlite3.Connection) -> None:
    assert "VaseVQA-3D" in find(conn, "vasevqa").things
    assert find(conn, "zzzz").things == []


def test_topics_with_all_words_are_found(conn: sqlite3.Connection) -> None:
    results = find(conn, "Federated Learning")
    papers = conn.execute(
        "select count(*) from paper_topics pt join topics t on t.id = pt.topic_id"
        " where t.term = 'federated and decentralized learning'"
    ).fetchone()[0]
    assert [tuple(topic) for topic in results.topics] == [
        ("federated and decentralized learning", papers)
    ]
    assert not find(conn, "zzzz").topics
    assert not find(conn, "-").topics


@pytest.mark.parametrize(
    ("typed", "field", "sql"),
    [
        ("claim:outperform", "claim", "select paper_id from claims where text like '%outperform%'"),
        ("claim:sota", "claim", "select paper_id from claims where kind = 'sota'"),
        (
            "dataset: vasevqa",
            "dataset",
            "select paper_id from mentions where kind = 'dataset' and name like '%VaseVQA%'"
            " union select paper_id from names where name like '%VaseVQA%'",
        ),
        (
            "topic:federated",
            "topic",
            "select paper_id from paper_topics where topic_id in"
            " (select id from topics where term like '%federated%')",
        ),
        ("year:2026 -model", "year", "select id from papers"),
    ],
)
def test_what_has_a_field_is_shown_and_marked(
    conn: sqlite3.Connection, typed: str, field: str, sql: str
) -> None:
    papers = next(f for f in find(conn, typed).found if f.table == "papers")
    wanted = {row[0] for row in conn.execute(sql)}
    assert {hit.row["id"] for hit in papers.hits} <= wanted
    for hit in papers.hits:
        assert hit.text == []  # not the begin of the abstract
        assert {name for name, _ in hit.because} == {field}
        assert any(s.found for _, words in hit.because for s in words)
    for claims in find(conn, "claim:outperform").found:
        assert all(
            any(s.found for s in hit.text) for hit in claims.hits if claims.table == "claims"
        )


@pytest.mark.parametrize("wide", [3, 10_000])
@pytest.mark.parametrize("typed", ["year:2026", "topic:language", "claim:result -topic:vision"])
def test_what_is_found_by_fields_is_counted(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, typed: str, wide: int
) -> None:
    monkeypatch.setattr("plugins.search_page.WIDE", wide)
    query = parse(typed)
    totals = {}
    for table, key in (("papers", "id"), ("claims", "paper_id")):
        clauses = [field_clause(field, key, f"v{n}", table) for n, field in enumerate(query.fields)]
        totals[table] = conn.execute(
            f"select count(*) from {table} where " + " and ".join(sql for sql, _ in clauses),
            {f"v{n}": value for n, (_, value) in enumerate(clauses)},
        ).fetchone()[0]
    found = find(conn, typed).found
    assert {f.table: f.total for f in found} == totals
    assert all(len(f.hits) == min(f.total, 10) for f in found)


def test_only_words_to_leave_out_find_all_without_them(conn: sqlite3.Connection) -> None:
    results = find(conn, "-model")
    assert results.without
    assert not results.things
    assert not results.topics
    assert results.better is None
    having = find(conn, "model")
    assert {f.table: f.total for f in results.found} == {
        f.table: conn.execute(f"select count(*) from {f.table}").fetchone()[0] - f.total
        for f in having.found
        if f.table != "names"
    }
    assert find(conn, "-").empty
    assert not find(conn, "-").found


LINES = (CASES / "fts_queries.txt").read_text("utf-8").splitlines()
ODD = [
    "",
    '"',
    "-",
    "-model",
    "claim:",
    "claim:%",
    'dataset:"',
    "()",
    "机器",
    "a*",
    "\x00",
    "x" * 9999,
]


@pytest.mark.parametrize("typed", [*LINES, *ODD])
async def test_nothing_typed_is_an_error(site: Datasette, typed: str) -> None:
    page = await site.client.get(f"/-/search?{urlencode({'q': typed})}")
    assert page.status_code == 200
    assert "How to search" in page.text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("claim:nonsense", "takes a kind of claim (problem, "),
        ("claim:", "takes a kind of claim (problem, "),
        ("code:yes", "There is no field code: (there are claim, name, dataset, "),
        ("topics:nonsense", "The field is written topic: here, not topics:"),
        ("venue:", "Behind venue: stands what to look for"),
    ],
)
async def test_a_field_that_finds_nothing_is_explained(
    site: Datasette, typed: str, told: str
) -> None:
    page = (await site.client.get(f"/-/search?{urlencode({'q': typed})}")).text
    assert told in page.partition('<details class="how"')[0]
    assert advice("Kettles: a survey of http://a.b at 12:30") == []
