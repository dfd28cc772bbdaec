"""One search through papers, claims and names: the page `/-/search`.

In: a database and words as typed. Out: what `search_all.html` shows, the best first.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from typing import Any, NamedTuple

from datasette import hookimpl
from datasette.utils import sqlite_timelimit

from loader.model import CLAIM_KINDS
from loader.search import (
    FIELDS,
    NOTHING,
    Field,
    Stretch,
    Typed,
    corrected,
    field_clause,
    field_evidence,
    field_words,
    fts_query,
    marked,
    nearest,
    only_without,
    parse,
    snippet,
    terms,
    words,
)
from loader.versions import Kept

TEMPLATE = "search_all.html"
HITS = 10
EACH = 2  # sentences or names that show a field, for a paper
TOPICS = 5
WIDE = 5_000  # papers
NAMES = 12  # things of the searched name that lead to their pages
LONGEST = 20_000  # characters of an abstract that a snippet is looked for in
LIMIT_MS = 2_000


class Hit(NamedTuple):
    """A row that was found: its text with what was looked for, and what shows the fields asked."""

    row: Any
    text: list[Stretch]
    because: list[tuple[str, list[Stretch]]]  # name of the field, and the words that have it


class Found(NamedTuple):
    """What a search found in one table: how many rows, and the best of them."""

    table: str
    total: int
    hits: list[Hit]


_LIKE_A_FIELD = re.compile(r"(?:^|\s)-?([^\W\d_]+):(?!/)(\S*)")


def advice(typed: str) -> list[str]:
    """What to know of the fields in a query that found nothing, one sentence each."""
    found = []
    for name, value in _LIKE_A_FIELD.findall(typed[:LONGEST])[:4]:
        if name.lower() == "claim":
            kinds = ", ".join(CLAIM_KINDS)
            found.append(f"claim: takes a kind of claim ({kinds}) or words of a claim.")
        elif (one := name.lower().removesuffix("s")) in FIELDS and one != name.lower():
            found.append(f"The field is written {one}: here, not {name}:")
        elif name.lower() not in FIELDS:
            if value:  # else it is the colon of a title
                found.append(f"There is no field {name}: (there are {', '.join(FIELDS)}).")
        elif not value:
            found.append(f"Behind {name}: stands what to look for, such as {name}:word.")
    return list(dict.fromkeys(found))


class Results(NamedTuple):
    """What is shown for a search."""

    things: list[str]  # named things with pages of their own
    topics: list[Any]  # topics that have all words: term and papers
    found: list[Found]
    some: bool  # nothing has all words, so these have some of them
    without: bool  # there are only words to leave out, and no field
    empty: bool  # there is nothing to look for
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
    wanted = [term.text for term in terms(query.words) if not term.excluded]
    without = only_without(query.words) is not None and not query.fields
    topics = topics_with(conn, wanted) if not query.fields else []
    things = named(conn, query, wanted)
    found = _search(conn, query, some=False)
    better = None
    if not any(f.table == "papers" for f in found) and not without:
        better = suggestion(conn, typed, query)
    some = not found and len(wanted) > 1
    if some:
        found = _search(conn, query, some=True)
    known = {topic["term"] for topic in topics}
    things = [thing for thing in things if thing not in known]
    empty = not terms(query.words) and not query.fields
    return Results(things, topics, found, some and bool(found), without, empty, better)


def _search(conn: sqlite3.Connection, query: Typed, some: bool) -> list[Found]:
    values: dict[str, Any] = {"hits": HITS, "longest": LONGEST}
    values["q"], without = fts_query(query.words, some), only_without(query.words)
    ranked = values["q"] != NOTHING
    if not ranked and not without and not query.fields:
        return []
    # without words to rank by, claims of papers need not be read to be counted
    known = {} if ranked or without else _totals(conn, query)
    results = []
    for table, (columns, source, paper) in _TABLES.items():
        rows, row = source, "p.id" if table == "papers" else "t.id"
        where, order = [], "p.claim_count desc, p.label" if table == "papers" else "t.id"
        if ranked:
            rows = f"{table}_fts f join {source}"
            where, order = [f"{table}_fts match :q", f"{row} = f.rowid"], "f.rank"
        elif table == "names" and not any(field.name == "name" for field in query.fields):
            continue  # all names of the papers found would say little
        if without:
            values["no"] = without
            where.append(
                f"{row} not in (select rowid from {table}_fts where {table}_fts match :no)"
            )
        # many are found soon in the order of the table, few through what they have
        column = "+" * (known.get("papers", 0) > WIDE) + paper
        for n, field in enumerate(query.fields):
            clause, values[f"v{n}"] = field_clause(field, column, f"v{n}", table, row)
            where.append(clause)
        condition = " and ".join(where)
        hits = conn.execute(
            f"select {columns} from {rows} where {condition} order by {order} limit :hits", values
        ).fetchall()
        if hits:
            if table not in known:
                count = f"select count(*) from {rows} where {condition}"
                known[table] = conn.execute(count, values).fetchone()[0]
            results.append(Found(table, known[table], _shown(conn, table, hits, query)))
    return results


def _totals(conn: sqlite3.Connection, query: Typed) -> dict[str, int]:
    """How many papers have all fields, and how many claims they make."""
    clauses, values = [], {}
    for n, field in enumerate(query.fields):
        clause, values[f"v{n}"] = field_clause(field, "p.id", f"v{n}")
        clauses.append(clause)
    papers, claims = conn.execute(
        "select count(*), coalesce(sum(p.claim_count), 0) from papers p where "
        + " and ".join(clauses),
        values,
    ).fetchone()
    if any(field.name == "claim" for field in query.fields):
        return {"papers": papers}  # of claims only those that are asked for
    return {"papers": papers, "claims": claims}


def _shown(conn: sqlite3.Connection, table: str, rows: list[Any], query: Typed) -> list[Hit]:
    """Rows with what was looked for marked; papers with what shows the fields asked for."""
    asked = [field for field in query.fields if not field.excluded]
    if table != "papers":
        # what the row itself says of a field is marked in it
        own = [field_words(field) for field in asked if f"{field.name}s" == table]
        typed = " ".join([query.words, *own])
        return [Hit(row, marked(row["text"], typed), []) for row in rows]
    because = evidence(conn, [row["id"] for row in rows], asked)
    looked_for = any(not term.excluded for term in terms(query.words))
    return [
        # the begin of an abstract says less than what has the field
        Hit(
            row,
            snippet(row["text"], query.words) if looked_for or not because[row["id"]] else [],
            because[row["id"]],
        )
        for row in rows
    ]


def evidence(
    conn: sqlite3.Connection, ids: list[int], fields: list[Field]
) -> dict[int, list[tuple[str, list[Stretch]]]]:
    """For each paper what shows that it has the fields, `EACH` a field: its name and the words."""
    found: dict[int, list[tuple[str, list[Stretch]]]] = defaultdict(list)
    for field in fields:
        sql, value = field_evidence(field)
        seen: dict[int, list[str]] = defaultdict(list)
        for paper, text, name in conn.execute(sql, {"ids": json.dumps(ids), "value": value}):
            if not text or text in seen[paper] or len(seen[paper]) >= EACH:
                continue
            seen[paper].append(text)
            cut = snippet(text, field_words(field, name))
            if not any(stretch.found for stretch in cut):
                cut = snippet(text, field_words(field))
            if not any(stretch.found for stretch in cut):  # all of it: a claim of the kind
                cut = [Stretch(stretch.text, found=True) for stretch in cut]
            found[paper].append((field.name, cut))
    return found


def topics_with(conn: sqlite3.Connection, wanted: list[str]) -> list[Any]:
    """Topics that have all words, with the number of their papers, the largest first."""
    if not wanted:
        return []
    known = [row for row in conn.execute("select id, term from topics")
             if all(word.lower() in row["term"].lower() for word in wanted)]  # fmt: skip
    return conn.execute(
        """select t.term, count(*) as papers from topics t
        join paper_topics pt on pt.topic_id = t.id
        where t.id in (select value from json_each(?)) group by t.id
        order by papers desc, t.term limit ?""",
        (json.dumps([row["id"] for row in known]), TOPICS),
    ).fetchall()


_NAMED = """select distinct name from (
    select {0} as name from {1} where {0} >= :q collate nocase
    and {0} < :q || char(1114111) collate nocase order by {0} collate nocase limit 60
)"""
_SOURCES = (("term", "topics"), ("name", "names"), ("name", "mentions"), ("short", "acronyms"))


def named(conn: sqlite3.Connection, query: Typed, wanted: list[str]) -> list[str]:
    """Topics, names and acronyms that are, or begin with, what is looked for."""
    whole = query.words.strip('"* ') if "-" not in query.words else " ".join(wanted)
    asked = [whole, *(f.value for f in query.fields if not f.excluded)]
    asked += [word for word in wanted if len(word) > 2 and word not in asked]
    found: dict[str, str] = {}
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
    better = corrected(typed, _vocabulary(conn, words(typed))) or typed
    for field in query.fields:
        new = _better_value(conn, field)
        if new:
            told = str(field._replace(value=new)).lstrip("-")
            # blanks may stand behind the colon
            old = rf'\b{field.name}:\s*"?{re.escape(field.value)}(?:"|(?!\w))'
            better = re.sub(old, told.replace("\\", r"\\"), better, flags=re.IGNORECASE)
    return better if better != typed else None


def _better_value(conn: sqlite3.Connection, field: Field) -> str | None:
    """The value that was probably meant for a field that has none like it; None where none is."""
    value = field.value.lower()
    if field.name == "claim":
        kinds: dict[str, int] = dict.fromkeys(CLAIM_KINDS, 1)
        if value in kinds or (kind := nearest(value, kinds)):
            return None if value in kinds else kind
        return corrected(value, _vocabulary(conn, words(value)))
    if field.name not in _NAMES_OF:
        return None
    names = {row[0].lower(): row[0] for row in conn.execute(_NAMES_OF[field.name])}
    if any(value in name for name in names):
        return None
    near = nearest(value, dict.fromkeys(names, 1))
    return names[near] if near else None


def _vocabulary(conn: sqlite3.Connection, wanted: list[str]) -> dict[str, int]:
    """How many papers have each word, for the words and what they may be slips of."""
    known: dict[str, int] = {}
    for word in wanted:
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
    return known


_results = Kept(200)


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
            results = await _results(datasette.get_database("library"), typed, look)
        except sqlite3.Error:  # interrupted: it took too long
            results = None
        return {"results": results, "fields": FIELDS, "advice": advice(typed)}

    return page
