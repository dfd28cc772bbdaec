"""Files of rows: every value comes back, and no spreadsheet runs one."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader import exports
from loader.exports import CELL_CHARACTERS, FORMATS, cited, guarded, papers_as, rows_as, unique
from loader.writers import Paper

ODD = ["=1+1", "-3", "+x", "@a", "\t=1", "'", "''=x", 'a "b", c', "a\r\nb", "| p | \\",
       "<b>&amp;", "_x0041_", "", "é机", "\u202e", "  two  ", None, 0, -3, 2**60, 1.5, -1e300,
       b"\x00\xff"]  # fmt: skip
COLUMNS = ["n", "value"]
ROWS = [[n, value] for n, value in enumerate(ODD)]


def batches(rows: list[Any], size: int = 5) -> Iterator[list[Any]]:
    yield from (rows[n : n + size] for n in range(0, len(rows), size))


def made(ending: str, **options: Any) -> bytes:
    return b"".join(rows_as(ending, COLUMNS, batches(ROWS), **options))


def written(value: Any) -> str:
    """What CSV makes of a value."""
    return "" if value is None else value.hex() if isinstance(value, bytes) else str(value)


def test_csv_is_byte_exact() -> None:
    rows = list(csv.reader(io.StringIO(made("csv").decode(), newline="")))
    assert rows == [COLUMNS] + [[str(n), written(value)] for n, value in ROWS]
    assert made("csv").startswith(b"n,value\r\n0,=1+1\r\n1,-3\r\n")


def test_csv_for_excel_runs_nothing_and_can_be_undone() -> None:
    text = made("csv", excel=True)
    assert text.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline="")))[1:]
    for (_, got), (_, value) in zip(rows, ROWS, strict=True):
        if isinstance(value, str):
            assert not got.startswith(("=", "+", "-", "@", "\t"))
            assert got.removeprefix("'") == value
        else:
            assert got == written(value)
    assert guarded(-3) == -3
    assert guarded("＝1") == "'＝1"


def test_json_and_json_lines_hold_the_values() -> None:
    for rows in (json.loads(made("json")), list(map(json.loads, made("jsonl").splitlines()))):
        assert [row["value"] for row in rows[:-1]] == ODD[:-1]
        assert rows[-1]["value"] == {"$base64": True, "encoded": "AP8="}
    assert b"".join(rows_as("json", ["a"], iter([]))) == b"[]\n"
    assert b"".join(rows_as("jsonl", ["a"], iter([[[float("inf")]]]))) == b'{"a": "Infinity"}\n'
    assert unique(["id", "id", "x", "id"]) == ["id", "id_2", "x", "id_3"]


def test_xlsx_holds_text_as_text() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(made("xlsx")))["litsette"]
    cells = [row[1] for row in sheet.iter_rows(min_row=2)]
    assert len(cells) == len(ODD)
    for cell, value in zip(cells, ODD, strict=True):
        assert cell.data_type != "f"
        if value == "_x0041_":  # escaped in the file, as Excel reads it
            assert cell.value == "_x005F_x0041_"
        elif isinstance(value, str):
            assert (cell.value or "") == value.replace("\r\n", "\n")
        elif isinstance(value, float) or value in (0, -3, None):
            assert cell.value == value
        else:
            assert cell.value == written(value)
    assert sheet.freeze_panes == "A2"
    long = b"".join(rows_as("xlsx", ["a"], iter([[["x" * 50_000]]])))
    text = openpyxl.load_workbook(io.BytesIO(long))["litsette"]["A2"].value
    assert len(text) == CELL_CHARACTERS
    assert text.endswith(exports.CUT)


def test_a_worksheet_that_is_full_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "SHEET_ROWS", 10)
    with pytest.raises(ValueError, match="holds 10 rows"):
        made("xlsx")


def test_markdown_is_a_table_of_one_line_a_row() -> None:
    lines = made("md").decode().split("\n")
    assert lines[:2] == ["| n | value |", "| --- | --- |"]
    assert len(lines) == len(ODD) + 3
    assert "| 9 | \\| p \\| \\\\ |" in lines
    assert "| 10 | \\<b\\>\\&amp; |" in lines


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=6))
def test_any_text_gives_whole_files(texts: list[str]) -> None:
    rows = [[text.encode("utf-8", "replace").decode()] for text in texts]
    for ending in ("csv", "json", "jsonl", "md", "xlsx"):
        data = b"".join(rows_as(ending, ["a"], iter([rows])))
        if ending == "xlsx":
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            assert book["litsette"].max_row in (len(rows) + 1, None)
            assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
        elif ending == "json":
            assert [[row["a"]] for row in json.loads(data)] == rows
        elif ending == "jsonl":
            assert [[json.loads(line)["a"]] for line in data.split(b"\n")[:-1]] == rows
        elif ending == "csv":
            assert list(csv.reader(io.StringIO(data.decode(), newline="")))[1:] == rows
        else:
            assert data.count(b"\n") == len(rows) + 2


def test_papers_are_cited_in_their_order(library: Path) -> None:
    conn = sqlite3.connect(library)
    ids = [row[0] for row in conn.execute("select id from papers order by label")]
    papers = cited(conn, [*ids[:5], 1])
    assert [paper.id for paper in papers] == ids[:5]
    assert all(paper.collection and paper.year == 2026 and paper.abstract for paper in papers)
    conn.close()


def test_citations_stand_apart() -> None:
    papers = [Paper(id=n, label=f"Paper {n}") for n in range(5)]
    bib = b"".join(papers_as("bib", iter([papers[:2], papers[2:]]))).decode()
    assert bib.count("\n@misc{") == 4
    assert b"".join(papers_as("ris", iter([papers]))).count(b"ER  - ") == 5
    assert {ending for ending, kind in FORMATS.items() if kind.of_papers} == {"bib", "ris"}
