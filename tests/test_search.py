"""Search: what is indexed and what is typed meet, and nothing typed is an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.search import MOST_TERMS, NOTHING, fts_query, search_text

TEXTS = {
    1: "We compare GPT-4.1 with C++ code and state-of-the-art R&D at 100% load.",
    2: "A Schrödinger bridge with α-divergence runs in O(n^2).",
    3: "我们提出了一种新的机器学习方法。",
    4: "The ﬁrst work on federated learning; not a survey, and or but.",
    5: "日本語のテキスト検索と 한국어 검색",
    6: "A method for federated averaging called FooNet.",
}


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    """A table as schema.sql has it, filled with TEXTS."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create table papers (id integer primary key, search_text text)")
    connection.executemany(
        "insert into papers values (?, ?)", [(i, search_text(t)) for i, t in TEXTS.items()]
    )
    connection.execute(
        'create virtual table papers_fts using fts5 (search_text, content="papers", '
        'content_rowid="id", tokenize="unicode61 remove_diacritics 2")'
    )
    connection.execute("insert into papers_fts (papers_fts) values ('rebuild')")
    yield connection
    connection.close()


def found(index: sqlite3.Connection, typed: str) -> set[int]:
    sql = "select rowid from papers_fts where papers_fts match ?"
    return {row[0] for row in index.execute(sql, [fts_query(typed)])}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("GPT-4.1", {1}),
        ("gpt-4.1", {1}),
        ("GPT 4", {1}),
        ("state-of-the-art", {1}),
        ("C++", {1}),
        ("R&D", {1}),
        ("100%", {1}),
        ("schrodinger", {2}),
        ("Schrödinger", {2}),
        ("Schro\u0308dinger", {2}),
        ("O(n^2)", {2}),
        ("α-divergence", {2}),
        ("机器", {3}),
        ("学习 方法", {3}),
        ("机学", set()),
        ("検索", {5}),
        ("검색", {5}),
        ("first", {4}),
        ("ｆｅｄｅｒａｔｅｄ", {4, 6}),
        ("federated", {4, 6}),
        ("federated -survey", {6}),
        ('federated -"averaging called"', {4}),
        ("federated -survey -averaging", set()),
        ('"federated learning"', {4}),
        ('"learning federated"', set()),
        ("learning federated", {4}),
        ("“federated learning”", {4}),
        ('"federated aver"*', {6}),
        ("Foo*", {6}),
        ("Foo", set()),
        ("NOT", {4}),
        ("AND OR", {4}),
        ('"unclosed phrase', set()),
        ('"federated learning', {4}),
        ("foo:bar", set()),
        ("*", set()),
        ("", set()),
        ('"', set()),
        ("-survey", set()),
        ("federated\x00learning", {4}),
    ],
)
def test_typed_queries_find_what_they_mean(
    index: sqlite3.Connection, typed: str, expected: set[int]
) -> None:
    assert found(index, typed) == expected


def test_every_line_of_the_punctuation_case_is_a_query(index: sqlite3.Connection) -> None:
    lines = (
        (Path(__file__).parent / "data" / "cases" / "fts_queries.txt")
        .read_text("utf-8")
        .splitlines()
    )
    assert len(lines) >= 10
    for line in lines:
        found(index, line)


def test_nothing_to_look_for_is_told() -> None:
    assert fts_query("") == fts_query(' * " -- ?!') == fts_query("-only -these") == NOTHING


def test_search_text_joins_parts_and_leaves_out_what_is_missing() -> None:
    assert search_text("A title", None, "", "words") == "A title\nwords"
    assert search_text("机器 ok").split() == ["机", "器", "ok"]


@settings(max_examples=400, deadline=None)
@given(typed=st.text(max_size=60))
def test_no_text_is_an_error(index: sqlite3.Connection, typed: str) -> None:
    found(index, typed)


@settings(max_examples=400, deadline=None)
@given(typed=st.lists(st.sampled_from([*'"-*()+^:{},.\x00\ud800', " ", "a", "机", "NOT", "NEAR"])))
def test_no_syntax_is_an_error(index: sqlite3.Connection, typed: list[str]) -> None:
    found(index, "".join(typed))


@pytest.mark.parametrize("unit", ["a ", "-a ", '"', "a* ", "机", '"a b" ', "(", "a\x00", "- "])
def test_long_queries_are_cut_not_refused(index: sqlite3.Connection, unit: str) -> None:
    found(index, "federated " + unit * 200_000)
    assert fts_query("a " * 1_000).count('"a"') == MOST_TERMS


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(
        st.text(st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x2FF), min_size=1),
        min_size=1,
        max_size=5,
    )
)
def test_a_text_is_found_by_its_own_words(words: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        'create virtual table t using fts5 (body, tokenize="unicode61 remove_diacritics 2")'
    )
    connection.execute("insert into t values (?)", [search_text(" ".join(words))])
    query = fts_query(" ".join(words))
    hits = connection.execute("select count(*) from t where t match ?", [query]).fetchone()[0]
    connection.close()
    assert hits == 1
