"""Counting for facets, against the same counts by SQL."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from loader.facets import (
    REMEMBERED,
    Counter,
    Link,
    count,
    read_index,
    read_keys,
    read_weights,
)
from loader.versions import Version

KINDS = Link("kinds", "paper_id", "kind")


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    """500 papers with ids like ours, two claims each on average, and a table of claims."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "create table papers (id integer primary key, year integer);"
        "create table kinds (paper_id integer, kind text, sort text);"
        "create table claims (id integer primary key, paper_id integer)"
    )
    chance = random.Random(1)
    ids = chance.sample(range(1 << 48), 500)
    connection.executemany(
        "insert into papers values (?, ?)", [(i, chance.choice([None, 2024, 2025])) for i in ids]
    )
    for i in ids:
        for kind in chance.sample("abcdefgh", chance.randint(0, 4)):
            sort = chance.choice("xy")
            connection.execute("insert into kinds values (?, ?, ?)", (i, kind, sort))
        for _ in range(chance.randint(0, 3)):
            connection.execute("insert into claims (paper_id) values (?)", (i,))
    connection.executemany(
        "insert into kinds values (?, ?, ?)", [(ids[0], None, "x"), (7, "stray", "x")]
    )
    yield connection
    connection.close()


@pytest.mark.parametrize("where", ["1", "year >= 2024", "year = 2025", "year is null", "0"])
def test_counts_are_those_of_sql(conn: sqlite3.Connection, where: str) -> None:
    keys = read_keys(conn, "papers", "id")
    weights = read_weights(conn, f"select id as key from papers where {where}", {}, keys)
    expected = conn.execute(
        "select kind, count(*) as n from kinds join papers on papers.id = paper_id "
        f"where kind is not null and ({where}) group by kind order by n desc, kind"
    ).fetchall()
    assert list(count(read_index(conn, KINDS, keys), weights).items()) == expected


def test_what_is_too_long_for_one_text_is_read_row_by_row(conn: sqlite3.Connection) -> None:
    def read() -> tuple[list[int], list[tuple[str, list[int]]], list[int]]:
        keys = read_keys(conn, "papers", "id")
        index = read_index(conn, KINDS, keys)
        parts = [sorted(part.tolist()) for part in np.split(index.owners, index.starts[1:])]
        sql = "select id as key from papers where year > :year"
        weights = read_weights(conn, sql, {"year": 2024}, keys)
        return keys.tolist(), list(zip(index.values, parts, strict=True)), weights.tolist()

    at_once = read()
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 600)
    with pytest.raises(sqlite3.DataError):
        conn.execute("select group_concat(id) from papers").fetchone()
    assert read() == at_once
    assert sum(at_once[2]) > 100


def test_only_some_rows_of_a_link_table_count(conn: sqlite3.Connection) -> None:
    keys = read_keys(conn, "papers", "id")
    weights = read_weights(conn, "select id as key from papers", {}, keys)
    link = Link("kinds", "paper_id", "kind", where=(("sort", "x"),))
    expected = conn.execute(
        "select kind, count(*) as n from kinds join papers on papers.id = paper_id "
        "where sort = 'x' and kind is not null group by kind order by n desc, kind"
    ).fetchall()
    assert list(count(read_index(conn, link, keys), weights).items()) == expected


def test_distinct_counts_a_key_once(conn: sqlite3.Connection) -> None:
    keys = read_keys(conn, "papers", "id")
    weights = read_weights(conn, "select id as key from papers", {}, keys)
    conn.execute("insert into kinds select * from kinds")
    once = Link("kinds", "paper_id", "kind", distinct=True)
    doubled = count(read_index(conn, KINDS, keys), weights)
    assert doubled == {
        kind: 2 * number for kind, number in count(read_index(conn, once, keys), weights).items()
    }


def test_rows_weigh_by_how_often_they_have_a_key(conn: sqlite3.Connection) -> None:
    keys = read_keys(conn, "claims", "paper_id")
    weights = read_weights(conn, "select paper_id as key from claims", {}, keys)
    assert int(weights.sum()) == conn.execute("select count(*) from claims").fetchone()[0]
    expected = conn.execute(
        "select kind, count(*) as n from kinds join claims using (paper_id) "
        "where kind is not null group by kind order by n desc, kind"
    ).fetchall()
    assert list(count(read_index(conn, KINDS, keys), weights).items()) == expected


def test_weights_do_not_overflow() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "create table rows (key integer); create table link (key integer, value text);"
        "insert into link values (1, 'a'), (2, 'a')"
    )
    connection.executemany("insert into rows values (?)", [(1,)] * 1000 + [(2,)] * 250)
    keys = read_keys(connection, "rows", "key")
    for sql, expected in (
        ("select key from rows", 1250),
        ("select key from rows where key = 2", 250),
    ):
        weights = read_weights(connection, sql, {}, keys)
        assert count(read_index(connection, Link("link", "key", "value"), keys), weights) == {
            "a": expected
        }
    connection.close()


def test_an_empty_library_has_no_values() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "create table papers (id integer primary key);"
        "create table kinds (paper_id integer, kind text); insert into kinds values (1, 'a')"
    )
    counter = Counter()
    counter.read(connection, "papers", "id", KINDS)
    weights = counter.weigh(connection, "papers", "id", "select id as key from papers", {})
    assert counter.count("papers", "id", KINDS, weights) == {}
    connection.close()


def test_a_counter_reads_once_and_forgets_old_filters(conn: sqlite3.Connection) -> None:
    counter = Counter("stamp")
    counter.read(conn, "papers", "id", KINDS)
    conn.execute("drop table kinds")
    counter.read(conn, "papers", "id", KINDS)
    sql = "select id as key from papers where year = :year"
    first = counter.weigh(conn, "papers", "id", sql, {"year": 2024})
    assert counter.weigh(conn, "papers", "id", sql, {"year": 2024}) is first
    for year in range(REMEMBERED):
        counter.weigh(conn, "papers", "id", sql, {"year": year})
    assert counter.weigh(conn, "papers", "id", sql, {"year": 2024}) is not first


def test_a_version_changes_with_a_commit_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute("create table t (a)")
    writer.commit()
    version = Version(lambda: sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))
    first = version()
    assert version() == first
    writer.executemany("insert into t values (?)", [("x" * 1000,)] * 10_000)
    assert version() == first
    writer.commit()
    assert version() != first
    writer.close()
    missing = Version(lambda: sqlite3.connect(f"{tmp_path.as_uri()}/no.db?mode=ro", uri=True))
    assert missing() != missing()
