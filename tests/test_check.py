"""`check` finds every kind of fault that it says it looks for."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from loader import build


def test_a_sound_database_has_no_faults(library: Path) -> None:
    assert list(build.check(library)) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("update sources set record_count = 20, reject_count = 1 where id = 1", "source 1"),
        ("update entries set text = text || '!' where id = 3", "entry 3: its text_hash"),
        ("update entries set paper_id = 5 where id = 3", "does not exist"),
        ("update papers set claim_count = claim_count + 1", "stored count"),
        ("update papers set has_code = 1 - has_code", "stored count"),
        ("delete from duplicates where id = 1", "rows of verdict duplicate"),
        ("update duplicates set verdict = 'possible' where id = 1", "are one paper"),
        ("update measurements set start_char = start_char + 1 where id = 1", "is not what stands"),
        ("update sentences set end_char = start_char + 1 where id = 2", "leave out text"),
        ("update sentences set position = 50 where id = 2", "not numbered"),
        ("delete from paper_kinds", "paper_kinds lacks"),
        ("delete from paper_sources", "paper_sources does not match"),
        ("update claims set paper_id = (select max(id) from papers) where id = 1", "another paper"),
        ("insert into paper_aliases select id, id from papers limit 1", "is the id of a paper"),
        ("update papers set search_text = 'other words'", "papers_fts: does not match"),
        ("insert into names_fts (rowid, text) values (99999, 'x')", "names_fts: holds"),
    ],
)
def test_faults_are_found(library: Path, tmp_path: Path, damage: str, said: str) -> None:
    path = tmp_path / "damaged.db"
    shutil.copy(library, path)
    conn = sqlite3.connect(path)
    conn.execute(damage)
    conn.commit()
    conn.close()
    faults = list(build.check(path))
    assert any(said in fault for fault in faults), faults
    assert all("\n" not in fault for fault in faults)
