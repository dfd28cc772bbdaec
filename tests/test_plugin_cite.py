"""Citations on the page of a paper."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from plugins.cite import citations, read_cited


def test_a_seed_is_cited_by_label_collection_and_year(library: Path) -> None:
    conn = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    conn.row_factory = sqlite3.Row
    for row in conn.execute("select id, label from papers").fetchall():
        said = citations(read_cited(conn, row["id"]))
        assert said["Text"] == f"[{row['label']}]. ICLR 2026 Papers."
        assert said["BibTeX"].startswith("@misc{")
        assert "2026" in said["BibTeX"]
        assert said["RIS"].startswith("TY  - GEN\r\n")
    conn.close()


def test_what_a_file_says_is_cited(built: Callable[..., sqlite3.Connection]) -> None:
    line = (
        '{"id": "a", "title": "Tea & TeaNet", "abstract": "We boil tea.", "authors": ["Ada Pot"],'
        ' "year": 2024, "journal": "Pots", "volume": "3", "doi": "10.1/x", "pages": "1-2"}\n'
    )
    conn = built("a.jsonl", line)
    conn.row_factory = sqlite3.Row
    paper_id = conn.execute("select id from papers").fetchone()[0]
    said = citations(read_cited(conn, paper_id))
    assert said["Text"] == "Ada Pot (2024). Tea & TeaNet. Pots 3, 1–2. https://doi.org/10.1/x"
    assert "title = {Tea \\& {TeaNet}}" in said["BibTeX"]
