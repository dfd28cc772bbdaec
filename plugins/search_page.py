"""One search through papers, claims and names: the page `/-/search`.

In: a database and words as typed. Out: what `search_all.html` shows, the best first.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from datasette import hookimpl
from datasette.utils import sqlite_timelimit

from loader.search import (
    FIELDS,
    NOTHING,
    Stretch,
    Typed,
    corrected,
    field_clause,
    fts_query,
    marked,
    nearest,
    parse,
    snippet,
    words,
)

TEMPLATE = "search_all.html"
HITS = 10
NAMES = 12  # things of the searched name that lead to their pages
LONGEST = 20_000  # characters of an abstract that a snippet is looked for in
LIMIT_MS = 2_000


class Found(NamedTuple):
    """What a search found in one table: how many rows, and the best of them with their text."""

    table: str
    total: int
    hits: list[tuple[Any, list[Stretch]]]


class Results(NamedTuple):
    """What is shown for a search."""

    things: list[str]  # named things with pages of their own
    found: list[Found]
    some: bool  # nothing has all words, so these have some of them
    better: str | None  # the query with misspelt words corrected


# table -> its searched text and what else is shown; `p` is the paper
_TABLES = {
    "papers": ("p.id, p.id as paper_id, p.label, '' as kind, substr(p.abstract, 1, :longest)"
               " as text", "papers p", "p.id"),
    "claims": ("t.id, t.paper_id, p.label, t.kind, t.text",
               "claims t join papers p on p.id = t.paper_id", "t.paper_id"),
    "names": ("t.id, t.paper_id, p.label, t.kind, t.name || coalesce(': ' || t.expansion, '')"
              " as text, t.name", "names t join papers p on p.id = t.paper_id", "t.paper_id"),
}  # fmt: skip


def find(conn: sqlite3.Connection, typed: str) -> Results:
    """What is found for a query as typed. `conn` gives rows by name."""
    query = parse(typed)
    if not query.words and not query.fields:
        return Results([], [], False, None)
    things = named(conn, query)
    found = _search(conn, query, some=False)
    better = None
    if not any(f.table == "papers" for f in found):
        better = suggestion(conn, typed, query)
    some = not found and len(query.words.split()) > 1
    if some:
        found = _search(conn, query, some=True)
    return Results(things, found, some and bool(found), better)


def _search(conn: sqlite3.Connection, query: Typed, some: bool) -> list[Found]:
    expression = fts_query(query.words, some)
    if expression == NOTHING and query.words:
        return []
    results = []
    for table, (columns, source, paper) in _TABLES.items():
        values: dict[str, Any] = {"q": expression, "hits": HITS, "longest": LONGEST}
        rows, row = source, "p.id" if table == "papers" else "t.id"
        where, order = [], "p.claim_count desc, p.label" if table == "papers" else "t.id"
        if query.words:
            rows = f"{table}_fts f join {source}"
            where, order = [f"{table}_fts match :q", f"{row} = f.rowid"], "f.rank"
        elif table == "names" and not any(field.name == "name" for field in query.fields):
            continue  # all names of the papers found would say little
        for n, field in enumerate(query.fields):
            clause, values[f"v{n}"] = field_clause(field, paper, f"v{n}", table)
            where.append(clause)
        condition = " and ".join(where)
        hits = conn.execute(
            f"select {columns} from {rows} where {condition} order by {order} limit :hits", values
        ).fetchall()
        if hits:
            count = f"select count(*) from {rows} where {condition}"
            total = conn.execute(count, values).fetchone()[0]
            cut = snippet if table == "papers" else marked
            shown = [(hit, cut(hit["text"], query.words)) for hit in hits]
            results.append(Found(table, total, shown))
    return results


_NAMED = """select distinct name from (
    select {0} as name from {1} where {0} >= :q collate nocase
    and {0} < :q || char(1114111) collate nocase order by {0} collate nocase limit 60
)"""
_SOURCES = (("term", "topics"), ("name", "names"), ("name", "mentions"), ("short", "acronyms"))


def named(conn: sqlite3.Connection, query: Typed) -> list[str]:
    """Topics, names and acronyms that are, or begin with, what is looked for."""
    asked = [query.words.strip('"*- '), *(f.value for f in query.fields if not f.excluded)]
    asked += [word for word in query.words.split() if len(word) > 2 and word not in asked]
    found: dict[str, str] = {}
    wanted = query.words.lower().split()
    for (term,) in conn.execute("select term from topics") if wanted else ():
        if all(word in term.lower() for word in wanted):
            found[term.lower()] = term
    for n, text in enumerate(filter(None, asked[:8])):
        for column, table in _SOURCES:
            for (name,) in conn.execute(_NAMED.format(column, table), {"q": text}):
                # of several words each must be a whole name, else they are too many
                if n == 0 or name.lower() == text.lower():
                    found.setdefault(name.lower(), name)
    return sorted(found.values(), key=lambda name: (len(name), name.lower()))[:NAMES]


_NAMES_OF = {
    "topic": "select term from topics",
    "name": "select name from names",
    "dataset": "select name from mentions union select name from names",
    "model": "select name from mentions",
    "method": "select name from mentions",
}


def suggestion(conn: sqlite3.Connection, typed: str, query: Typed) -> str | None:
    """The query with words that no paper has replaced by the nearest that some have."""
    known: dict[str, int] = {}
    for word in words(typed):
        exact = conn.execute("select doc from papers_fts_words where term = ?", (word,)).fetchone()
        if exact:
            known[word] = exact[0]
            continue
        # the first letter is seldom wrong, and all words would take long
        first = conn.execute(
            "select term, doc from papers_fts_words where term >= ? and term < ?",
            (word[0], word[0] + "\U0010ffff"),
        )
        known.update(first.fetchall())
    better = corrected(typed, known) or typed
    for field in query.fields:
        if field.name in _NAMES_OF:
            names = {row[0].lower(): row[0] for row in conn.execute(_NAMES_OF[field.name])}
            near = nearest(field.value.lower(), dict.fromkeys(names, 1))
            if near and field.value.lower() not in names:
                new = str(field._replace(value=names[near]))
                for old in (str(field), f'{field.name}:"{field.value}"'):
                    better = better.replace(old, new)
    return better if better != typed else None


@hookimpl
def extra_template_vars(template: str | None, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE or not request:
        return None

    async def page() -> dict[str, Any]:
        typed = (request.args.get("q") or "").strip()

        def look(conn: sqlite3.Connection) -> Results:
            with sqlite_timelimit(conn, LIMIT_MS):
                return find(conn, typed)

        try:
            results = await datasette.get_database("library").execute_fn(look)
        except sqlite3.Error:  # interrupted: it took too long
            results = None
        return {"results": results, "fields": FIELDS}

    return page
