"""What was read from a database, kept until the database changes.

In: databases of a site, each an object with a method `connect`, and what reads them. Out: a mark of
the state that a database is in, and answers that many readers share.

After a change a large library is read anew for seconds. Until that is done its readers get the
answers of before, for `BEHIND` seconds at most, where these took long to read; what is read soon
is always of now, and so is everything in a small library.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

LARGE = 50_000_000  # bytes of a library whose answers may be of before
COSTLY = 0.05  # seconds that such an answer took to read, or more
BEHIND: Final = 30.0  # seconds behind the library that it may be
PAUSE: Final = 0.2  # seconds at most between two things that are read anew
STATES: Final = 50  # states of a database whose time is known


class Version:
    """Tells when a database has changed: `version()` gives something else after every commit.

    Not while a load is under way, which writes much and commits once. `connect` opens the
    database; with `pragma` schema_version only changes of tables count. Safe in threads; takes
    some microseconds.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], pragma: str = "data_version"
    ) -> None:
        self._connect, self._pragma, self._lock = connect, pragma, threading.Lock()
        self._conn: sqlite3.Connection | None = None
        self._present: OrderedDict[object, float] = OrderedDict()  # when each was last there

    def __call__(self) -> object:
        with self._lock:
            try:
                if self._conn is None:
                    self._conn = self._connect()
                now: object = self._conn.execute(f"pragma {self._pragma}").fetchone()[0]
            except sqlite3.Error:  # busy for a moment, or gone: trust nothing that was read
                return object()
            self._present[now] = time.monotonic()
            self._present.move_to_end(now)
            if len(self._present) > STATES:
                self._present.popitem(last=False)
            return now

    def behind(self, version: object) -> float:
        """Seconds since the database was last seen in that state; endless where it never was."""
        with self._lock:
            return time.monotonic() - self._present.get(version, -float("inf"))

    def forget(self) -> None:
        """From now on no state of before was ever there."""
        with self._lock:
            self._present.clear()


_versions: WeakKeyDictionary[Any, Version] = WeakKeyDictionary()
_schemas: WeakKeyDictionary[Any, Version] = WeakKeyDictionary()


def _version(database: Any) -> Version:
    if database not in _versions:
        _versions[database] = Version(database.connect)
    return _versions[database]


def version_of(database: Any) -> object:
    """The present version of a database: see `Version`."""
    return _version(database)()


def schema_of(database: Any) -> object:
    """The present version of the tables of a database, whatever they hold."""
    if database not in _schemas:
        _schemas[database] = Version(database.connect, "schema_version")
    return _schemas[database]()


def still_good(database: Any, version: object, seconds: float = COSTLY) -> bool:
    """Whether what was read of that version, in `seconds`, may be given while it is read anew."""
    if seconds < COSTLY or _version(database).behind(version) > BEHIND:
        return False
    try:
        return Path(database.path).stat().st_size >= LARGE
    except (OSError, TypeError):
        return False


def all_anew(database: Any) -> None:
    """Nothing of before is given any more: somebody changed it here and wants to see that."""
    _version(database).forget()


class _Queue:
    """Things to be read anew, one at a time, so that readers keep most of the machine."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], Awaitable[object]]] = deque()
        self._worker: asyncio.Task[None] | None = None

    def put(self, ask: Callable[[], Awaitable[object]]) -> None:
        self._waiting.append(ask)
        if not self.is_busy():
            self._worker = asyncio.ensure_future(self._work())

    def is_busy(self) -> bool:
        """Whether anything waits or is being read."""
        return self._worker is not None and not self._worker.done()

    async def _work(self) -> None:
        while self._waiting:
            begin = time.monotonic()
            with contextlib.suppress(Exception):  # who asks for it is told
                await self._waiting.popleft()()
            # on one core readers come first
            await asyncio.sleep(min(time.monotonic() - begin, PAUSE))


_queues: WeakKeyDictionary[Any, _Queue] = WeakKeyDictionary()


def later(database: Any, ask: Callable[[], Awaitable[object]]) -> None:
    """Ask behind all else that waits to be read anew; a fault in it is passed over."""
    if database not in _queues:
        _queues[database] = _Queue()
    _queues[database].put(ask)


def reads_anew(database: Any) -> bool:
    """Whether something is being read anew, so that readers may see what was there before."""
    queue = _queues.get(database)
    return queue is not None and queue.is_busy()


@dataclass(slots=True)
class _Answer:
    """What was read of a version, or is being read; `seconds` that it took."""

    version: object
    asked: asyncio.Future[Any]
    seconds: float = 0.0
    anew: bool = False  # it waits to be read anew

    def is_there(self) -> bool:
        return self.asked.done() and not self.asked.cancelled() and not self.asked.exception()


class Kept:
    """Answers by question, `most` of them a database, the latest; readers must not change them.

    Who asks while the same is being read waits for that; what fails is not kept.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._of: WeakKeyDictionary[Any, OrderedDict[Any, _Answer]] = WeakKeyDictionary()

    async def __call__(
        self, database: Any, question: Any, read: Callable[[sqlite3.Connection], Any]
    ) -> Any:
        """The answer of `read` to the question; asked through `database.execute_fn`."""
        now = version_of(database)
        answers = self._of.setdefault(database, OrderedDict())
        known = answers.get(question)
        if known is None or known.version != now:
            if (
                known is not None
                and known.is_there()
                and still_good(database, known.version, known.seconds)
            ):
                if not known.anew:
                    known.anew = True
                    later(database, partial(self._anew, database, question, read, known))
                return known.asked.result()
            known = answers[question] = self._ask(database, now, read)
        answers.move_to_end(question)
        while len(answers) > self._most:
            answers.popitem(last=False)
        return await self._answer(answers, question, known)

    def _ask(
        self, database: Any, now: object, read: Callable[[sqlite3.Connection], Any]
    ) -> _Answer:
        async def timed() -> Any:
            begin = time.monotonic()
            found = await database.execute_fn(read)
            answer.seconds = time.monotonic() - begin
            return found

        answer = _Answer(now, asyncio.ensure_future(timed()))
        return answer

    async def _answer(
        self, answers: OrderedDict[Any, _Answer], question: Any, known: _Answer
    ) -> Any:
        try:
            # one reader who goes does not take the answer from the others
            return await asyncio.shield(known.asked)
        except BaseException:
            if known.asked.done() and answers.get(question) is known:
                del answers[question]
            raise

    async def _anew(
        self,
        database: Any,
        question: Any,
        read: Callable[[sqlite3.Connection], Any],
        before: _Answer,
    ) -> None:
        answers = self._of.setdefault(database, OrderedDict())
        if answers.get(question) is not before:  # forgotten, or read meanwhile
            return
        fresh = self._ask(database, version_of(database), read)
        try:
            await fresh.asked
        finally:
            before.anew = False
        if answers.get(question) is before:
            answers[question] = fresh
