"""A filter on a column that a table has not, or with an operator that there is not, is told, and so
is a parameter that a question has not.

In: the arguments of a page. Out: nothing, or status 400 that names what there is. Datasette
itself leaves such a filter out, or compares the name of the column as a text, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from datasette import hookimpl
from datasette.filters import Filters
from datasette.plugins import pm
from datasette.utils import await_me_maybe
from datasette.utils.asgi import BadRequest, Request

MOST_ARGUMENTS = 100  # of one address; Datasette reads each of them many times
_QUESTION = re.compile(r"/library/(?:-/export/)?(\w+)(?:\.\w+)?")
_PARAMETER = re.compile(r"(?<!:):(\w+)")
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


def wrong_parameter(
    path: str, keys: Collection[str], questions: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """What is wrong with the arguments of a question's page, in words; None where it is right.

    `questions` is what metadata.yml says of them, by name.
    """
    match = _QUESTION.fullmatch(path)
    question = questions.get(match[1]) if match else None
    if question is None:
        return None
    there = list(dict.fromkeys([*(question.get("params") or ()),
                                *_PARAMETER.findall(question.get("sql") or "")]))  # fmt: skip
    for key in keys:
        if not key.startswith("_") and key not in there:
            told = f"there are: {', '.join(there)}" if there else "it has none"
            return f"This question has no parameter “{key[:80]}”; {told}"
    return None


@hookimpl
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def checked(scope: Any, receive: Any, send: Any) -> None:
            wrong = None
            if scope["type"] == "http" and scope.get("query_string"):
                request = Request(scope, receive)
                if scope["query_string"].count(b"&") >= MOST_ARGUMENTS:
                    wrong = f"An address may hold {MOST_ARGUMENTS} arguments at most"
                elif _QUESTION.fullmatch(request.path):
                    library = (datasette.metadata("databases") or {}).get("library") or {}
                    questions = library.get("queries") or {}
                    wrong = wrong_parameter(request.path, list(request.args), questions)
            if wrong:
                # as Datasette itself does, which this stands before
                await datasette.invoke_startup()
                for told in pm.hook.handle_exception(
                    datasette=datasette, request=request, exception=BadRequest(wrong)
                ):
                    response = await await_me_maybe(told)
                    if response is not None:
                        await response.asgi_send(send)
                        return
            await app(scope, receive, send)

        return checked

    return wrap


@hookimpl
def filters_from_request(datasette: Any, request: Any, database: str, table: str) -> Any:
    async def inner() -> None:
        columns = await datasette.get_database(database).table_columns(table)
        check(request.args, [*columns, "rowid"])

    return inner
