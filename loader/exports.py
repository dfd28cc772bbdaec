"""Rows of a table or query, or the papers they speak of, as a file in some format.

In: the names of columns and batches of rows as SQLite gives them, or papers as `writers.Paper`.
Out: the bytes of the file, piece by piece, in memory that does not grow with the rows.

Values are kept as they are. CSV is UTF-8 with CRLF; for a spreadsheet it begins with a byte order
mark, and what a spreadsheet would run as a formula has an apostrophe in front (`guarded`).
"""

from __future__ import annotations

import base64
import csv
import io
import json
import math
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from loader import writers
from loader.writers import Paper

Rows = Sequence[Sequence[Any]]


class Format(NamedTuple):
    """A kind of file. `of_papers`: it holds citations of papers, not rows."""

    name: str
    content_type: str
    of_papers: bool = False


FORMATS: Final = {
    "csv": Format("CSV", "text/csv; charset=utf-8"),
    "xlsx": Format("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": Format("JSON", "application/json; charset=utf-8"),
    "jsonl": Format("JSON lines", "application/x-ndjson; charset=utf-8"),
    "md": Format("Markdown", "text/markdown; charset=utf-8"),
    "bib": Format("BibTeX", "application/x-bibtex; charset=utf-8", of_papers=True),
    "ris": Format("RIS", "application/x-research-info-systems; charset=utf-8", of_papers=True),
}
SHEET_ROWS: Final = 1_048_575  # what a worksheet holds below its heading
CELL_CHARACTERS: Final = 32_767  # what a cell of a worksheet holds
CUT: Final = " … [cut: a cell holds no more]"

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def guarded(value: Any) -> Any:
    """A value that no spreadsheet takes for a formula: `'` before text that could be one.

    Text that begins with `'` gets one more, so whoever reads the file gets every text back by
    taking one leading `'` away. Numbers stay numbers.
    """
    return "'" + value if isinstance(value, str) and value.startswith(_FORMULA) else value


def rows_as(
    ending: str, columns: Sequence[str], batches: Iterable[Rows], *, excel: bool = False
) -> Iterator[bytes]:
    """The file of rows with the given ending of `FORMATS`; `excel` is heard by CSV only.

    Raises ValueError where a worksheet cannot hold so many rows, what `batches` raises, and
    KeyError for an ending that is not of rows.
    """
    if ending == "csv":
        return _csv(columns, batches, excel)
    return _ROWS[ending](unique(columns) if ending in ("json", "jsonl") else columns, batches)


def papers_as(ending: str, batches: Iterable[Sequence[Paper]]) -> Iterator[bytes]:
    """The file of citations with the ending `bib` or `ris`."""
    write: Callable[[Paper], str] = {"bib": writers.bibtex, "ris": writers.ris}[ending]
    for papers in batches:
        yield "\n".join([*map(write, papers), ""]).encode()


def unique(columns: Iterable[str]) -> list[str]:
    """The names with a number behind each that was there before: id, id_2."""
    found: list[str] = []
    for column in columns:
        name, n = column, 1
        while name in found:
            n += 1
            name = f"{column}_{n}"
        found.append(name)
    return found


# -- CSV ----------------------------------------------------------------------------------


def _csv(columns: Sequence[str], batches: Iterable[Rows], excel: bool) -> Iterator[bytes]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([guarded(c) for c in columns] if excel else columns)
    yield b"\xef\xbb\xbf" * excel + _taken(buffer)
    for rows in batches:
        plain = [_no_bytes(row) for row in rows]
        writer.writerows([[*map(guarded, row)] for row in plain] if excel else plain)
        yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def _no_bytes(row: Sequence[Any]) -> Sequence[Any]:
    """The row with bytes as hexadecimal digits."""
    if any(isinstance(value, bytes) for value in row):
        return [value.hex() if isinstance(value, bytes) else value for value in row]
    return row


# -- JSON ---------------------------------------------------------------------------------


def _json_value(value: Any) -> Any:
    """What JSON can hold: bytes as Datasette gives them, no number that is none."""
    if isinstance(value, bytes):
        return {"$base64": True, "encoded": base64.b64encode(value).decode("ascii")}
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value).replace("inf", "Infinity")
    return value


def _objects(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    for row in rows:
        yield json.dumps(dict(zip(columns, map(_json_value, row), strict=True)), ensure_ascii=False)


def _json(columns: Sequence[str], batches: Iterable[Rows]) -> Iterator[bytes]:
    before = "[\n"
    for rows in batches:
        if rows:
            yield (before + ",\n".join(_objects(columns, rows))).encode()
            before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def _json_lines(columns: Sequence[str], batches: Iterable[Rows]) -> Iterator[bytes]:
    for rows in batches:
        yield "".join(line + "\n" for line in _objects(columns, rows)).encode()


# -- Markdown -----------------------------------------------------------------------------


def _markdown(columns: Sequence[str], batches: Iterable[Rows]) -> Iterator[bytes]:
    yield (_markdown_row(columns) + _markdown_row(["---"] * len(columns), str)).encode()
    for rows in batches:
        yield "".join(_markdown_row(_no_bytes(row)) for row in rows).encode()


def _markdown_row(
    values: Iterable[Any], written: Callable[[str], str] = writers.markdown_text
) -> str:
    cells = ("" if value is None else written(str(value)) for value in values)
    return f"| {' | '.join(cells)} |\n"


# -- XLSX ---------------------------------------------------------------------------------

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Excel reads _x0041_ as "A"; an escaped underscore keeps the text what it is
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_EXACT = 10**15  # a spreadsheet keeps fifteen digits of a number

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORKBOOK = {
    "[Content_Types].xml": f'<Types xmlns="{_TYPES}">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="litsette" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r1" '
    f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
# the heading stays in sight
_SHEET_BEGIN = (
    f'{_XML}<worksheet xmlns="{_SHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
    'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)


class _Pieces(io.RawIOBase):
    """What a ZipFile writes, to be taken piece by piece; it cannot seek, so nothing is kept."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written += data
        return len(data)

    def take(self) -> bytes:
        taken = bytes(self._written)
        self._written.clear()
        return taken


def _xlsx(columns: Sequence[str], batches: Iterable[Rows]) -> Iterator[bytes]:
    pieces, total = _Pieces(), 0
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        for name, content in _WORKBOOK.items():
            book.writestr(name, _XML + content)
        with book.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write((_SHEET_BEGIN + _xlsx_row(columns)).encode())
            for rows in batches:
                total += len(rows)
                if total > SHEET_ROWS:
                    raise ValueError(f"a worksheet holds {SHEET_ROWS:,} rows; take CSV")
                sheet.write("".join(map(_xlsx_row, rows)).encode())
                yield pieces.take()
            sheet.write(b"</sheetData></worksheet>")
    yield pieces.take()


def _xlsx_row(values: Iterable[Any]) -> str:
    return f"<row>{''.join(map(_xlsx_cell, values))}</row>"


def _xlsx_cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, int) and abs(value) < _EXACT:
        return f"<c><v>{value}</v></c>"
    if isinstance(value, float) and math.isfinite(value):
        return f"<c><v>{value!r}</v></c>"
    text = value.hex() if isinstance(value, bytes) else str(value)
    if len(text) > CELL_CHARACTERS:
        text = text[: CELL_CHARACTERS - len(CUT)] + CUT
    text = escape(_LOOKS_ESCAPED.sub("_x005F_", _NOT_XML.sub("", text)))
    # text by its type: never a formula
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


_ROWS: Final[dict[str, Callable[[Sequence[str], Iterable[Rows]], Iterator[bytes]]]] = {
    "json": _json,
    "jsonl": _json_lines,
    "md": _markdown,
    "xlsx": _xlsx,
}


# -- papers -------------------------------------------------------------------------------

_CITED = """select p.id, p.label, p.title, p.venue, p.year, p.doi, p.url, p.volume, p.number,
    p.pages, s.collection, p.abstract from papers p join entries e on e.id = p.entry_id
    join sources s on s.id = e.source_id where p.id in (select value from json_each(?))"""
_CITED_LISTS = {
    "authors": """select pa.paper_id, a.name from paper_authors pa
        join authors a on a.id = pa.author_id
        where pa.paper_id in (select value from json_each(?)) order by pa.paper_id, pa.position""",
    "keywords": """select pk.paper_id, k.term from paper_keywords pk
        join keywords k on k.id = pk.keyword_id
        where pk.paper_id in (select value from json_each(?)) order by pk.paper_id, k.term""",
}


def cited(conn: sqlite3.Connection, ids: Sequence[int]) -> list[Paper]:
    """The papers with these ids, in their order, as they are cited; unknown ids are left out."""
    wanted = json.dumps(list(ids))
    cursor = conn.cursor()
    cursor.row_factory = None
    lists: dict[str, dict[int, list[str]]] = {}
    for name, sql in _CITED_LISTS.items():
        lists[name] = {}
        for paper_id, value in cursor.execute(sql, (wanted,)):
            lists[name].setdefault(paper_id, []).append(value)
    rows = cursor.execute(_CITED, (wanted,))
    columns = [column[0] for column in rows.description]
    papers = {}
    for row in rows:
        more: dict[str, Any] = {name: tuple(found.get(row[0], ())) for name, found in lists.items()}
        papers[row[0]] = Paper(**dict(zip(columns, row, strict=True)), **more)
    return [papers[paper_id] for paper_id in ids if paper_id in papers]


def paper_page(conn: sqlite3.Connection, paper_id: int) -> str:
    """One paper as Markdown: citation, abstract, claims and numbers. Raises LookupError."""
    found = cited(conn, [paper_id])
    if not found:
        raise LookupError(paper_id)
    paper, text = found[0], writers.markdown_text
    parts = [f"# {text(paper.title or paper.label)}", writers.markdown(paper)]
    if paper.abstract:
        parts.append("> " + text(paper.abstract))
    cursor = conn.cursor()
    cursor.row_factory = None
    for title, sql in (
        (
            "Claims",
            "select '**' || kind || '** ', text from claims where paper_id = ? order by id",
        ),
        (
            "Numbers",
            """select '', text || coalesce(': ' || metric, '')
            || coalesce(', over ' || baseline, '') || coalesce(', on ' || subject, '')
            from measurements where paper_id = ? order by start_char""",
        ),
    ):
        lines = [f"- {mark}{text(line)}" for mark, line in cursor.execute(sql, (paper_id,))]
        if lines:
            parts.append(f"## {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"
