"""Duplicates as pairs: a list that names both papers, and two abstracts side by side.

In: a database and the ids of rows of `duplicates`. Out: what `_table-library-duplicates.html`
and `row-library-duplicates.html` show.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from datasette import NotFound, hookimpl

LONGEST = 20_000  # characters of a text that are compared; the time is quadratic
LONGEST_TITLE = 1_000
_WORD = re.compile(r"\S+|\s+")


class Stretch(NamedTuple):
    """Some words of one text, and whether the other text has them at this place."""

    text: str
    shared: bool


def compare(one: str, other: str) -> tuple[list[Stretch], list[Stretch]]:
    """Both texts cut into stretches that they share and that only one of them has.

    The joined stretches are the text. Quadratic in the number of words that differ.
    """
    words, others = _WORD.findall(one), _WORD.findall(other)
    left: list[Stretch] = []
    right: list[Stretch] = []
    for kind, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        for side, text in ((left, "".join(words[a:b])), (right, "".join(others[c:d]))):
            if text:
                side.append(Stretch(text, kind == "equal"))
    return left, right


_ENTRY = """select e.id, e.paper_id, e.position, e.first_line, e.last_line, s.name as source,
    p.label, e.external_id, e.title, e.venue, e.year, e.doi,
    (select group_concat(value, ', ') from json_each(e.authors)) as authors{}
    from entries e join sources s on s.id = e.source_id join papers p on p.id = e.paper_id
    where e.id in (select value from json_each(?))"""


def read_pairs(conn: sqlite3.Connection, rows: Sequence[Any]) -> dict[int, Any]:
    """The entries of some rows of `duplicates`, by id. `conn` gives rows by name."""
    ids = json.dumps([row[side] for row in rows for side in ("entry_id", "other_entry_id")])
    return {row["id"]: row for row in conn.execute(_ENTRY.format(""), (ids,))}


def read_pair(conn: sqlite3.Connection, row_id: int) -> dict[str, Any]:
    """One row of `duplicates` with both entries and their texts compared word by word.

    Raises NotFound where it is gone: a load may end between the questions of a page.
    """
    row = conn.execute("select * from duplicates where id = ?", (row_id,)).fetchone()
    if row is None:
        raise NotFound("This pair is not there any more.")
    ids = json.dumps([row["entry_id"], row["other_entry_id"]])
    text = f", substr(e.text, 1, {LONGEST}) as text, length(e.text) as length"
    entries = {e["id"]: e for e in conn.execute(_ENTRY.format(text), (ids,))}
    kept, other = entries[row["other_entry_id"]], entries[row["entry_id"]]
    left, right = compare(kept["text"], other["text"])
    titled = compare(*((e["title"] or "")[:LONGEST_TITLE] for e in (kept, other)))
    return {
        "row": row,
        "sides": [(kept, left, titled[0]), (other, right, titled[1])],
        # with one title only there is nothing to compare
        "titles": bool(kept["title"] and other["title"] and titled[0] != titled[1]),
        "titled": bool(kept["title"] or other["title"]),
        "equal": kept["text"] == other["text"],
        "cut": max(kept["length"], other["length"]) > LONGEST,
    }


@hookimpl
def extra_template_vars(
    template: str | None, table: str | None, request: Any, datasette: Any
) -> Any:
    if not template or table != "duplicates":
        return None
    database = datasette.get_database("library")

    async def entries_of(rows: Sequence[Any]) -> dict[int, Any]:
        plain = [{key: _id(row[key]) for key in ("entry_id", "other_entry_id")} for row in rows]
        found: dict[int, Any] = await database.execute_fn(lambda conn: read_pairs(conn, plain))
        return found

    async def page() -> dict[str, Any]:
        row_id = int(request.url_vars["pks"])
        return {"pair": await database.execute_fn(lambda conn: read_pair(conn, row_id))}

    return page if template.startswith("row") else {"entries_of": entries_of}


def _id(cell: Any) -> int:
    """Datasette expands a foreign key to its value and label."""
    return int(cell["value"] if isinstance(cell, dict) else cell)
