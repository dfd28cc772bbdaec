"""What is asked of a database again and again, asked once until the database changes.

In: the database of the site. Out: the same object, which answers from memory what Datasette asks
about its tables, columns, keys and counts for every page (a page of 40 tables asks 300 of them),
and queries whose answer is small and was given before.
"""

from __future__ import annotations

import asyncio
import pickle
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import cache, partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from datasette import hookimpl
from datasette.database import Results
from datasette.plugins import pm
from datasette.utils import await_me_maybe

from loader import versions
from loader.versions import later, reads_anew, schema_of, still_good, version_of

ASKED = (
    "table_names", "view_names", "hidden_table_names", "table_exists", "table_columns",
    "table_column_details", "primary_keys", "fts_table", "label_column_for_table",
    "foreign_keys_for_table", "get_all_foreign_keys", "get_table_definition",
    "get_view_definition",
)  # fmt: skip


KEPT = 40_000_000  # characters of answers to queries, roughly
LARGEST = 100_000  # of one of them
# what such SQL gives may be another thing the next time, or for somebody else
_CHANGING = re.compile(r":_|random|current_|'now'|date\s*\(|time\s*\(|changes\s*\(", re.IGNORECASE)


class Memory:
    """Answers by question, forgotten when the version of the database is another one."""

    def __init__(self, version: Callable[[], object]) -> None:
        self._version = version
        self._of: object = None
        self._answers: dict[Any, Any] = {}

    def remembering(self, ask: Callable[..., Awaitable[Any]], name: str) -> Callable[..., Any]:
        """`ask`, but each answer is kept; callers get a copy, as some of them change it."""

        async def answer(*arguments: Any, **named: Any) -> Any:
            now = self._version()
            if now != self._of:
                self._of, self._answers = now, {}
            question = (name, arguments, tuple(named.items()))
            answers = self._answers
            if question not in answers:
                answers[question] = pickle.dumps(await ask(*arguments, **named))
            return pickle.loads(answers[question])  # a tenth of the time of deepcopy

        return answer


class Kept(NamedTuple):
    """The answer to a query: of which version, how large, and the seconds it took."""

    version: object
    size: int
    found: Any
    seconds: float


class Queries:
    """What takes the place of `Database.execute`: small answers are kept, the latest of them.

    An answer that is kept was complete in time, whatever limit it had. One that took long to read
    may be of before, see `loader.versions`.
    """

    def __init__(self, database: Any) -> None:
        self._database, self._execute = database, database.execute
        self._kept: OrderedDict[Any, Kept] = OrderedDict()
        self._whole = 0
        self._of: object = None
        self._asked: dict[Any, asyncio.Future[Any]] = {}
        self._waiting: set[Any] = set()  # to be read anew

    async def execute(
        self, sql: str, params: Any = None, truncate: bool = False, **options: Any
    ) -> Any:
        """As `Database.execute`."""
        now = version_of(self._database)
        if now != self._of:
            self._of = now
            self._drop(lambda kept: not self._good(kept))
        values = tuple(params.items()) if isinstance(params, dict) else params
        question = (sql, values, truncate, options.get("page_size"))
        try:
            known = self._kept.get(question)
        except TypeError:  # parameters of a kind that cannot be compared
            return await self._execute(sql, params, truncate, **options)
        ask = partial(self._execute, sql, params, truncate, **options)
        if known is not None and (known.version == now or self._good(known)):
            self._kept.move_to_end(question)
            if known.version != now and question not in self._waiting:
                self._waiting.add(question)
                later(self._database, partial(self._anew, question, ask))
            found = known.found
            return Results(list(found.rows), found.truncated, found.description)
        if question in self._asked:  # after a load many readers wait for the same
            await asyncio.wait([self._asked[question]])
            if question in self._kept:
                return await self.execute(sql, params, truncate, **options)
        return await self._read(question, ask)

    def _good(self, kept: Kept) -> bool:
        return still_good(self._database, kept.version, kept.seconds)

    async def _anew(self, question: Any, ask: Callable[[], Awaitable[Any]]) -> None:
        self._waiting.discard(question)
        known = self._kept.get(question)
        if known is not None and known.version != version_of(self._database):
            await self._read(question, ask)

    async def _read(self, question: Any, ask: Callable[[], Awaitable[Any]]) -> Any:
        begin, now = time.monotonic(), version_of(self._database)
        self._asked[question] = asyncio.ensure_future(ask())
        try:
            found = await self._asked[question]
        finally:
            self._asked.pop(question, None)
        size = size_of(found.rows)
        if size and now == version_of(self._database) and not _CHANGING.search(question[0]):
            copied = Results(tuple(found.rows), found.truncated, found.description)
            self._drop(lambda _: True, [question])
            self._kept[question] = Kept(now, size, copied, time.monotonic() - begin)
            self._whole += size
            while self._whole > KEPT:
                self._whole -= self._kept.popitem(last=False)[1].size
        return found

    def _drop(self, which: Callable[[Kept], bool], among: Iterable[Any] | None = None) -> None:
        for question in list(self._kept) if among is None else among:
            if question in self._kept and which(self._kept[question]):
                self._whole -= self._kept.pop(question).size


def size_of(rows: Any) -> int:
    """The characters of an answer, roughly; 0 where it is too large to be kept."""
    size = 500
    for row in rows:
        size += 100 + sum(len(value) for value in row if isinstance(value, str | bytes))
        if size > LARGEST:
            return 0
    return size


def count_tables(conn: Any, names: list[str]) -> dict[str, int]:
    """The number of rows of each table."""
    return {n: conn.execute(f"select count(*) from [{n}]").fetchone()[0] for n in names}


_counts = versions.Kept()


def counts_of(database: Any) -> Callable[..., Any]:
    """What takes the place of `Database.table_counts`: all visible tables, however long it takes.

    A table of the machinery has no count.
    """

    async def table_counts(limit: int = 10) -> dict[str, int | None]:  # noqa: ARG001 - as Datasette's
        hidden = set(await database.hidden_table_names())
        names = await database.table_names()
        shown = [name for name in names if name not in hidden]
        counts = await _counts(database, tuple(shown), lambda conn: count_tables(conn, shown))
        return {name: counts.get(name) for name in names}

    return table_counts


# site -> the version last seen, and the links of plugins by what the actor is
_menus: WeakKeyDictionary[Any, tuple[object, dict[str, list[Any]]]] = WeakKeyDictionary()


@hookimpl
def extra_template_vars(request: Any, datasette: Any) -> dict[str, Any]:
    async def menu_links() -> list[Any]:
        """The links of plugins. One of them looks at every table, for every page."""
        now = version_of(datasette.get_database())
        seen, menus = _menus.get(datasette) or (None, {})
        if now != seen:
            menus = {}
            _menus[datasette] = now, menus
        actor = request.actor if request else None
        if repr(actor) not in menus:
            found: list[Any] = []
            for hook in pm.hook.menu_links(datasette=datasette, actor=actor, request=request):
                found += await await_me_maybe(hook) or []
            menus[repr(actor)] = found
        return menus[repr(actor)]

    def behind() -> bool:
        """Whether the page may show numbers of before a load that has just ended."""
        return reads_anew(datasette.get_database())

    return {"menu_links": menu_links, "behind": behind}


def remember_rules(datasette: Any) -> None:
    """Keep what metadata allows for a table. Datasette copies all of it for every question, and
    it stays as it is while a site runs, but for plugins that make metadata.
    """
    ask = getattr(datasette, "_table_permission_allows", None)
    if ask and not pm.hook.get_metadata.get_hookimpls():
        known = cache(ask)
        datasette._table_permission_allows = lambda *table: list(known(*table))


@hookimpl
def startup(datasette: Any) -> None:
    remember_rules(datasette)
    for database in datasette.databases.values():
        if database.is_memory or not database.path:
            continue
        memory = Memory(partial(schema_of, database))
        for name in ASKED:
            setattr(database, name, memory.remembering(getattr(database, name), name))
        database.execute = Queries(database).execute
        if database.is_mutable:
            database.table_counts = counts_of(database)
