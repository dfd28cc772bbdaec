"""Answers are read once, shared, and forgotten when the database changes."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from loader.versions import Kept


class Some:
    """As much of a database of a site as answers are asked of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.asked = 0

    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, check_same_thread=False)

    async def execute_fn(self, read: Any) -> Any:
        self.asked += 1
        await asyncio.sleep(0.01)
        return read(self.connect())


def count(conn: sqlite3.Connection) -> int:
    return int(conn.execute("select count(*) from teas").fetchone()[0])


@pytest.fixture
def teas(tmp_path: Path) -> Some:
    database = Some(tmp_path / "teas.db")
    database.connect().executescript("create table teas (name text)")
    return database


async def test_many_share_an_answer_until_the_database_changes(teas: Some) -> None:
    kept = Kept(2)
    assert await asyncio.gather(*(kept(teas, "n", count) for _ in range(9))) == [0] * 9
    assert teas.asked == 1
    with teas.connect() as conn:
        conn.execute("insert into teas values ('mint')")
    assert await kept(teas, "n", count) == 1
    assert teas.asked == 2
    for question in ("a", "b", "n", "n"):
        await kept(teas, question, count)
    assert teas.asked == 5  # only the two latest are kept


async def test_what_fails_or_is_given_up_is_no_answer(teas: Some) -> None:
    kept = Kept(2)

    def fails(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("interrupted")

    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError):
            await kept(teas, "n", fails)
    assert await kept(teas, "n", count) == 0
    hasty = asyncio.create_task(kept(teas, "m", count))
    patient = asyncio.create_task(kept(teas, "m", count))
    await asyncio.sleep(0)
    hasty.cancel()
    assert await patient == 0
    assert teas.asked == 4
