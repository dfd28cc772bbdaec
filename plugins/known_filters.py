"""A filter on a column that a table has not, or with an operator that there is not, is told.

In: the arguments of a table's page. Out: nothing, or status 400 that names what there is. Datasette
itself leaves such a filter out, or compares the name of the column as a text, without a word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from datasette import hookimpl
from datasette.filters import Filters
from datasette.utils.asgi import BadRequest

OPERATORS = tuple(Filters._filters_by_key)


def unknown(key: str, columns: Collection[str]) -> str | None:
    """What is wrong with an argument of a table's page, in words; None where it is right."""
    if key.startswith("_") or key in columns:
        return None
    column, _, operator = key.rpartition("__") if "__" in key else (key, "", "exact")
    if column not in columns:
        return f"There is no column “{column[:80]}” here; there are: {', '.join(columns)}"
    if operator not in OPERATORS:
        return f"There is no operator “{operator[:80]}”; there are: {', '.join(OPERATORS)}"
    return None


def check(keys: Iterable[str], columns: Collection[str]) -> None:
    """Raises BadRequest for the first argument that is no filter of the table."""
    for key in keys:
        wrong = unknown(key, columns)
        if wrong:
            raise BadRequest(wrong)


@hookimpl
def filters_from_request(datasette: Any, request: Any, database: str, table: str) -> Any:
    async def inner() -> None:
        columns = await datasette.get_database(database).table_columns(table)
        check(request.args, [*columns, "rowid"])

    return inner
