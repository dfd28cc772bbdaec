"""Where a sentence, claim or number stands: file, lines, characters and the words around it.

In: a database, a table and the id of a row. Out: what `row.html` shows above its values.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette import hookimpl

_PLACES = {
    "sentences": """select s.start_char, s.end_char, s.id as sentence_id, '' as marked
        from sentences s where s.id = :id""",
    "claims": """select s.start_char, s.end_char, s.id as sentence_id, c.text as marked
        from claims c join sentences s on s.id = c.sentence_id where c.id = :id""",
    "measurements": """select start_char, end_char, sentence_id, '' as marked
        from measurements where id = :id""",
}
_SENTENCE = """select s.paper_id, s.position as sentence_position, s.text as sentence,
    s.start_char as sentence_start, p.label, e.id as entry_id, e.first_line, e.last_line,
    substr(e.text, s.start_char + 1, s.end_char - s.start_char) as written, o.name as source
    from sentences s join papers p on p.id = s.paper_id
    join entries e on e.id = p.entry_id join sources o on o.id = e.source_id where s.id = ?"""


def read_place(conn: sqlite3.Connection, table: str, row_id: int) -> dict[str, Any] | None:
    """Where row `row_id` of `table` stands; None for other tables and where there is none.

    `before`, `marked` and `after` joined are the sentence: for a number as the file writes it,
    else in plain text. `conn` gives rows by name.
    """
    if table not in _PLACES:
        return None
    row = conn.execute(_PLACES[table], {"id": row_id}).fetchone()
    if row is None:
        return None
    place = {**conn.execute(_SENTENCE, (row["sentence_id"],)).fetchone()}
    if table == "measurements":
        text = place["written"]
        start = row["start_char"] - place["sentence_start"]
        end = row["end_char"] - place["sentence_start"]
    else:
        text = place["sentence"]
        start = max(0, text.find(row["marked"]))
        end = start + len(row["marked"]) if text.startswith(row["marked"], start) else start
    place.update(
        start_char=row["start_char"],
        end_char=row["end_char"],
        before=text[:start],
        marked=text[start:end],
        after=text[end:],
    )
    return place


@hookimpl
def extra_template_vars(
    template: str | None, table: str | None, request: Any, datasette: Any
) -> Any:
    if not template or not template.startswith("row") or table not in _PLACES:
        return None

    async def place() -> dict[str, Any]:
        row_id = int(request.url_vars["pks"])
        database = datasette.get_database("library")
        return {"place": await database.execute_fn(lambda conn: read_place(conn, table, row_id))}

    return place
