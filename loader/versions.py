"""What was read from a database, kept until the database changes.

In: databases of a site, each an object with a method `connect`, and what reads them. Out: a mark of
the state that a database is in, and answers that many readers share.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary


class Version:
    """Tells when a database has changed: `version()` gives something else after every commit.

    Not while a load is under way, which writes much and commits once. `connect` opens the
    database. Safe in threads; takes some microseconds.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect, self._lock = connect, threading.Lock()
        self._conn: sqlite3.Connection | None = None

    def __call__(self) -> object:
        with self._lock:
            try:
                if self._conn is None:
                    self._conn = self._connect()
                return self._conn.execute("pragma data_version").fetchone()[0]
            except sqlite3.Error:  # busy for a moment, or gone: trust nothing that was read
                return object()


_versions: WeakKeyDictionary[Any, Version] = WeakKeyDictionary()


def version_of(database: Any) -> object:
    """The present version of a database: see `Version`."""
    if database not in _versions:
        _versions[database] = Version(database.connect)
    return _versions[database]()


class Kept:
    """Answers by question, `most` of them a database, the latest; readers must not change them.

    Who asks while the same is being read waits for that; what fails is not kept.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._of: WeakKeyDictionary[Any, tuple[object, OrderedDict[Any, asyncio.Future[Any]]]]
        self._of = WeakKeyDictionary()

    async def __call__(
        self, database: Any, question: Any, read: Callable[[sqlite3.Connection], Any]
    ) -> Any:
        """The answer of `read` to the question; asked through `database.execute_fn`."""
        now = version_of(database)
        version, answers = self._of.get(database) or (None, OrderedDict())
        if version != now:
            answers = OrderedDict()
            self._of[database] = now, answers
        if question not in answers:
            answers[question] = asyncio.ensure_future(database.execute_fn(read))
        answers.move_to_end(question)
        while len(answers) > self._most:
            answers.popitem(last=False)
        asked = answers[question]
        try:
            # one reader who goes does not take the answer from the others
            return await asyncio.shield(asked)
        except BaseException:
            if asked.done() and answers.get(question) is asked:
                del answers[question]
            raise
