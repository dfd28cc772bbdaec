"""SQL of visitors may call what our rooms do: `claims(text)`, `similarity(one, other)` ...

In: a connection. Out: the connection with the functions of `loader.functions`.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette import hookimpl

from loader.functions import FUNCTIONS


@hookimpl
def prepare_connection(conn: sqlite3.Connection) -> None:
    for function in FUNCTIONS:
        conn.create_function(
            function.name, len(function.parameters), function.call, deterministic=True
        )


@hookimpl
def extra_template_vars() -> dict[str, Any]:
    return {"sql_functions": FUNCTIONS}
