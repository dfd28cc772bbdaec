"""What a visitor types into a search box is never an error, and fields in it become filters.

Datasette passes it through the SQL function `escape_fts`; this puts ours in the place of its
own. An empty box asks for everything, and a search without a word is told to find nothing.
`?_search=tea dataset:TeaSet` becomes `?_search=tea&_field=dataset:TeaSet`, and `?_search=-milk`,
which has no word to find, `?_without=-milk`: all rows without it.
"""

import sqlite3
import urllib.parse
from collections.abc import Callable
from typing import Any

from datasette import hookimpl
from datasette.filters import FilterArguments
from datasette.utils.asgi import BadRequest

from loader.search import FIELDS, NOTHING, field_clause, fts_query, only_without, parse

# tables with the ids of papers, and where
PAPERS = {
    "papers": "id", "entries": "paper_id", "sentences": "paper_id", "claims": "paper_id",
    "measurements": "paper_id", "names": "paper_id", "acronyms": "paper_id",
    "mentions": "paper_id", "links": "paper_id",
}  # fmt: skip


def fields_apart(query_string: bytes) -> bytes:
    """A query string whose `_search` holds words to find: what else it held stands in `_field`
    and `_without`, blanks go.

    The same where there is nothing to change.
    """
    if b"_search" not in query_string:
        return query_string
    pairs = urllib.parse.parse_qsl(query_string.decode("latin-1"), keep_blank_values=True)
    kept: list[tuple[str, str]] = []
    for key, value in pairs:
        if not key.startswith("_search"):
            kept.append((key, value))
        elif key == "_search" and ((typed := parse(value)).fields or only_without(value)):
            name = "_without" if only_without(typed.words) else key
            kept += [(name, typed.words)] if typed.words else []
            kept += [("_field", str(field)) for field in typed.fields]
        elif value.strip():
            kept.append((key, value))
    return query_string if kept == pairs else urllib.parse.urlencode(kept).encode()


def field_filters(asked: list[str], table: str) -> FilterArguments:
    """The conditions for all `?_field=` of a table. Raises BadRequest for what is no field."""
    clauses: list[str] = []
    parameters: dict[str, str] = {}
    told: list[str] = []
    for value in asked:
        typed = parse(value)
        if typed.words or not typed.fields:
            raise BadRequest(f"_field is written name:value; the names are {', '.join(FIELDS)}")
        if table not in PAPERS:
            raise BadRequest(f"The table {table} has no papers to ask for a {typed.fields[0].name}")
        for field in typed.fields:
            parameter = f"field_{len(parameters)}"
            clause, parameters[parameter] = field_clause(field, PAPERS[table], parameter, table)
            clauses.append(clause)
            told.append(str(field))
    return FilterArguments(clauses, parameters, told)


@hookimpl(trylast=True)  # behind Datasette's own, which it replaces
def prepare_connection(conn: sqlite3.Connection) -> None:
    conn.create_function("escape_fts", 1, lambda typed: fts_query(str(typed)), deterministic=True)


@hookimpl(specname="filters_from_request")
def filter_by_fields(request: Any, table: str) -> FilterArguments | None:
    asked = request.args.getlist("_field")
    return field_filters(asked, table) if asked else None


@hookimpl(specname="filters_from_request")
def filter_by_what_is_not_there(
    request: Any, datasette: Any, database: str, table: str
) -> FilterArguments | None:
    asked = [typed for typed in request.args.getlist("_without") if typed.strip()]
    if not asked:
        return None
    index = (datasette.table_metadata(database, table) or {}).get("fts_table")
    index = index or ("papers_fts" if table == "papers" else None)
    if index is None:
        raise BadRequest(f"The table {table} has no words to leave out")
    clauses, parameters = [], {}
    for n, typed in enumerate(asked):
        parameters[f"without_{n}"] = only_without(typed) or NOTHING
        clauses.append(f"id not in (select rowid from {index} where {index} match :without_{n})")
    return FilterArguments(clauses, parameters, [f"without {typed}" for typed in asked])


@hookimpl
def filters_from_request(request: Any) -> FilterArguments | None:
    typed = request.args.get("_search")
    if typed is None or fts_query(typed) != NOTHING:
        return None
    return FilterArguments([], {}, ["there is no word to look for"])


@hookimpl
def asgi_wrapper() -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def words_and_fields(scope: Any, receive: Any, send: Any) -> None:
            # a page of its own does the same with what is typed there
            if scope["type"] == "http" and not scope["path"].endswith("/-/search"):
                scope = scope | {"query_string": fields_apart(scope["query_string"])}
            await app(scope, receive, send)

        return words_and_fields

    return wrap
