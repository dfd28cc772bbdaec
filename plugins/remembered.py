"""What is asked of a database again and again, asked once until the database changes.

In: the database of the site. Out: the same object, which answers from memory what Datasette asks
about its tables, columns, keys and counts for every page (a page of 40 tables asks 300 of them),
and queries whose answer is small and was given before.
"""

from __future__ import annotations

import asyncio
import pickle
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import Any
from weakref import WeakKeyDictionary

from datasette import hookimpl
from datasette.database import Results
from datasette.plugins import pm
from datasette.utils import await_me_maybe

from loader.versions import version_of

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

    def executing(self, execute: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
        """`Database.execute`, but small answers are kept, the latest of them.

        An answer that is kept was complete in time, whatever limit it had.
        """
        kept: OrderedDict[Any, tuple[int, Any]] = OrderedDict()
        of: object = None
        whole = 0
        asked: dict[Any, asyncio.Future[Any]] = {}

        async def answer(
            sql: str, params: Any = None, truncate: bool = False, **options: Any
        ) -> Any:
            nonlocal of, whole
            now = self._version()
            if now != of:
                of, whole = now, 0
                kept.clear()
            values = tuple(params.items()) if isinstance(params, dict) else params
            question = (sql, values, truncate, options.get("page_size"))
            try:
                known = kept.get(question)
            except TypeError:  # parameters of a kind that cannot be compared
                return await execute(sql, params, truncate, **options)
            if known is not None:
                kept.move_to_end(question)
                _, found = known
                return Results(list(found.rows), found.truncated, found.description)
            if question in asked:  # after a load many readers wait for the same
                await asyncio.wait([asked[question]])
                if question in kept:
                    return await answer(sql, params, truncate, **options)
            asked[question] = asyncio.ensure_future(execute(sql, params, truncate, **options))
            try:
                found = await asked[question]
            finally:
                asked.pop(question, None)
            size = size_of(found.rows)
            if now == of and question not in kept and size and not _CHANGING.search(sql):
                copied = Results(tuple(found.rows), found.truncated, found.description)
                kept[question] = (size, copied)
                whole += size
                while whole > KEPT:
                    whole -= kept.popitem(last=False)[1][0]
            return found

        return answer


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


def counts_of(database: Any) -> Callable[..., Any]:
    """What takes the place of `Database.table_counts`: all visible tables, however long it takes.

    A table of the machinery has no count.
    """

    async def table_counts(limit: int = 10) -> dict[str, int | None]:  # noqa: ARG001 - as Datasette's
        hidden = set(await database.hidden_table_names())
        names = await database.table_names()
        shown = [name for name in names if name not in hidden]
        counts = await database.execute_fn(lambda conn: count_tables(conn, shown))
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

    return {"menu_links": menu_links}


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
        memory = Memory(partial(version_of, database))
        for name in ASKED:
            setattr(database, name, memory.remembering(getattr(database, name), name))
        database.execute = memory.executing(database.execute)
        if database.is_mutable:
            database.table_counts = memory.remembering(counts_of(database), "table_counts")
