"""Answers are read once, shared, and forgotten when the database changes."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from loader import versions
from loader.versions import Kept, all_anew, later, reads_anew, still_good, version_of


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


def grow(database: Some) -> None:
    with database.connect() as conn:
        conn.execute("insert into teas values ('mint')")


async def still(database: Some) -> None:
    """Wait until nothing is read anew."""
    for _ in range(500):
        if not reads_anew(database):
            return
        await asyncio.sleep(0.01)
    pytest.fail("it took too long")


@pytest.fixture
def large(teas: Some, monkeypatch: pytest.MonkeyPatch) -> Some:
    """A library that counts as large, all of whose answers count as costly."""
    monkeypatch.setattr(versions, "LARGE", 0)
    monkeypatch.setattr(versions, "COSTLY", 0)
    monkeypatch.setattr(versions, "PAUSE", 0)
    return teas


async def test_readers_of_a_large_library_do_not_wait_after_a_load(large: Some) -> None:
    kept = Kept(2)
    assert await kept(large, "n", count) == 0
    grow(large)
    assert await asyncio.gather(*(kept(large, "n", count) for _ in range(9))) == [0] * 9
    assert reads_anew(large)
    await still(large)
    assert await kept(large, "n", count) == 1
    assert large.asked == 2
    grow(large)
    assert await kept(large, "other", count) == 2  # there is nothing of before
    grow(large)
    all_anew(large)
    assert await kept(large, "n", count) == 3  # who changed it sees that


async def test_an_answer_of_before_is_not_given_for_ever(
    large: Some, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(2)
    await kept(large, "n", count)
    before = version_of(large)
    grow(large)
    assert version_of(large) != before
    assert still_good(large, before)
    assert not still_good(large, object())
    monkeypatch.setattr(versions, "BEHIND", -1)
    assert not still_good(large, before)
    assert await kept(large, "n", count) == 1
    monkeypatch.undo()
    assert not still_good(large, version_of(large))  # it is small again


async def test_what_fails_to_be_read_anew_is_told_to_who_asks_next(large: Some) -> None:
    kept = Kept(2)
    await kept(large, "n", count)
    with large.connect() as conn:
        conn.execute("alter table teas rename to coffees")
    assert await kept(large, "n", count) == 0
    await still(large)
    all_anew(large)
    with pytest.raises(sqlite3.OperationalError):
        await kept(large, "n", count)
    done: list[int] = []

    async def note() -> None:
        done.append(1)

    later(large, note)
    await still(large)
    assert done
