"""Claims, numbers and mentions in their sentences."""

from __future__ import annotations

import sqlite3

import pytest
from datasette.app import Datasette

from loader.text import to_plain
from plugins.reading import parts_of, read_rows


def test_words_are_cut_out_of_markup() -> None:
    written = r"We gain \textbf{30}\% here."
    start, end = written.index("30"), written.index(" here")
    assert parts_of(written, start, end) == ("We gain ", "30%", " here.")
    assert parts_of("abc", 9, 12) == ("abc", "", "")
    assert parts_of("", 0, 0) == ("", "", "")


@pytest.mark.parametrize("table", ["claims", "measurements", "mentions"])
def test_every_row_is_read_in_its_sentence(conn: sqlite3.Connection, table: str) -> None:
    ids = [row[0] for row in conn.execute(f"select id from {table}")]
    reads = read_rows(conn, table, [*ids, -1])
    assert sorted(reads) == sorted(ids)
    for read in reads.values():
        sentence = read.before + read.words + read.after
        assert sentence.split() == read.row["sentence"].split()
        if table != "claims":
            assert read.words
        if table == "measurements" and "^" not in read.row["text"]:  # a part of a formula
            assert read.words.split() == to_plain(read.row["text"]).plain.split()
    assert sum(bool(read.words) for read in reads.values()) > 0.9 * len(ids)


async def test_tables_read_as_sentences(site: Datasette, conn: sqlite3.Connection) -> None:
    for table in ("claims", "measurements"):
        page = (await site.client.get(f"/library/{table}?_size=max")).text
        rows = conn.execute(f"select count(*) from {table}").fetchone()[0]
        assert page.count("<mark>") > 20  # of claims only clauses: a sentence is marked as such
        assert page.count('<td data-label="where it says so"') + page.count("wide clause") == rows
        for way in ("_view=table", "_col=id", "_nocol=kind"):
            assert "<mark>" not in (await site.client.get(f"/library/{table}?{way}")).text
