"""Where a sentence, claim or number stands: file, lines, characters and the words around it.

In: a database, a table and the id of a row. Out: what `row.html` shows above its values; of rows
without a place the paper they belong to.
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
_OF_PAPERS = ("names", "mentions", "acronyms", "links")
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
    sentence = conn.execute(_SENTENCE, (row["sentence_id"],)).fetchone()
    if sentence is None:
        return None
    place = {**sentence}
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


def read_paper_of(conn: sqlite3.Connection, table: str, row_id: int) -> Any:
    """The paper that row `row_id` of `table` belongs to, of an entry also its file and lines.

    None for other tables and where there is none. `conn` gives rows by name.
    """
    if table == "entries":
        asked = """select e.paper_id, p.label, o.name as source, e.source_id, e.position,
            e.first_line, e.last_line from entries e join papers p on p.id = e.paper_id
            join sources o on o.id = e.source_id where e.id = ?"""
    elif table in _OF_PAPERS:
        asked = f"""select x.paper_id, p.label, null as source from {table} x
            join papers p on p.id = x.paper_id where x.id = ?"""
    else:
        return None
    return conn.execute(asked, (row_id,)).fetchone()


@hookimpl
def extra_template_vars(
    template: str | None, table: str | None, request: Any, datasette: Any
) -> Any:
    if not template or not template.startswith("row") or table is None:
        return None
    if table not in _PLACES and table not in ("entries", *_OF_PAPERS):
        return None

    def read(conn: sqlite3.Connection) -> dict[str, Any]:
        row_id = int(request.url_vars["pks"])
        place, belongs = read_place(conn, table, row_id), read_paper_of(conn, table, row_id)
        return {"place": place, "belongs": belongs}

    async def place() -> dict[str, Any]:
        found: dict[str, Any] = await datasette.get_database("library").execute_fn(read)
        return found

    return place
