"""Claims, numbers and mentions as what a reader reads: the sentence, with the words marked.

In: a database and ids of rows. Out: for each row its sentence in plain text in three parts,
before the words, the words and behind them, and the paper it stands in. Templates ask for it:
`reading("claims", ids)`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from datasette import hookimpl

from loader.text import to_plain

LONGEST = 5_000  # characters of a sentence; longer ones are cut


class Read(NamedTuple):
    """A row as it is read. `before + words + after` is the sentence, perhaps cut."""

    row: Any
    before: str
    words: str
    after: str


_SENTENCE = f"""p.label, s.text as sentence, s.position, s.start_char as sentence_start,
    substr(e.text, s.start_char + 1, min(s.end_char - s.start_char, {LONGEST})) as written"""
_JOINS = """join sentences s on s.id = {} join papers p on p.id = s.paper_id
    join entries e on e.id = p.entry_id"""
_ROWS = {
    "claims": f"""select c.*, {_SENTENCE} from claims c {_JOINS.format("c.sentence_id")}
        where c.id in (select value from json_each(?))""",
    "measurements": f"""select m.*, {_SENTENCE} from measurements m
        {_JOINS.format("m.sentence_id")} where m.id in (select value from json_each(?))""",
    # a mention is read where it first stands
    "mentions": f"""select m.*, x.start_char, x.end_char, x.sentence_id, x.places, {_SENTENCE}
        from mentions m join (
            select mention_id, min(start_char) as start_char, end_char, sentence_id,
            count(*) as places from mention_places
            where mention_id in (select value from json_each(?1)) group by mention_id
        ) x on x.mention_id = m.id {_JOINS.format("x.sentence_id")}""",
}


def parts_of(written: str, start: int, end: int) -> tuple[str, str, str]:
    """A sentence as its file writes it, in plain text, cut around `written[start:end]`.

    The words are empty where nothing of them is left in plain text.
    """
    plain = to_plain(written)
    inside = [i for i, (a, b) in enumerate(zip(plain.starts, plain.ends, strict=True))
              if a < end and b > start]  # fmt: skip
    if not inside:
        return plain.plain, "", ""
    left, right = inside[0], inside[-1] + 1
    return plain.plain[:left], plain.plain[left:right], plain.plain[right:]


def read_rows(conn: sqlite3.Connection, table: str, ids: Iterable[int]) -> dict[int, Read]:
    """Rows of claims, measurements or mentions by id, as they are read.

    `conn` gives rows by name. Ids that are not there are left out.
    """
    found = {}
    for row in conn.execute(_ROWS[table], (json.dumps(list(ids)),)):
        if table == "claims":
            text = row["sentence"][:LONGEST]
            at = text.find(row["text"])
            whole = at < 0  # a clause that was put together, or one that is cut
            start, end = (0, 0) if whole else (at, at + len(row["text"]))
            parts = text[:start], text[start:end], text[end:]
        else:
            begin = row["sentence_start"]
            parts = parts_of(row["written"], row["start_char"] - begin, row["end_char"] - begin)
        found[row["id"]] = Read(row, *parts)
    return found


@hookimpl
def extra_template_vars(datasette: Any) -> Any:
    async def reading(table: str, ids: Iterable[int]) -> dict[int, Read]:
        wanted = list(ids)
        database = datasette.get_database("library")
        found: dict[int, Read] = await database.execute_fn(
            lambda conn: read_rows(conn, table, wanted)
        )
        return found

    return {"reading": reading}
