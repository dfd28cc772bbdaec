"""The list of papers as cards.

In: a database and the ids of one page of papers. Out: what `_table-library-papers.html` shows.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from datasette import hookimpl

# the sentence that says best what a paper is about: its first claim of the first kind it has
LEADING = ("contribution", "result", "sota", "first", "theory", "release", "problem")
LONGEST = 600  # characters of an abstract that has no claims
TOPICS = 4


def read_cards(conn: sqlite3.Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    """A card for each paper, in the order of `ids`. `conn` gives rows by name."""
    wanted = json.dumps(list(ids))

    def rows(sql: str) -> list[Any]:
        return conn.execute(sql, {"ids": wanted, "longest": 4 * LONGEST}).fetchall()

    papers = {
        row["id"]: row
        for row in rows(
            """select id, label, venue, year, substr(abstract, 1, :longest) as abstract,
            length(abstract) as length, source_count, claim_count, measurement_count, has_code,
            promises_code, claims_first, claims_sota, claims_theory
            from papers where id in (select value from json_each(:ids))"""
        )
    }
    lead: dict[int, tuple[int, str]] = {}
    for claim in rows(
        """select c.paper_id, c.kind, s.text from claims c join sentences s on s.id = c.sentence_id
        where c.paper_id in (select value from json_each(:ids)) order by c.id"""
    ):
        rank = LEADING.index(claim["kind"])
        if claim["paper_id"] not in lead or rank < lead[claim["paper_id"]][0]:
            lead[claim["paper_id"]] = (rank, claim["text"])
    topics = defaultdict(list)
    for topic in rows(
        """select pt.paper_id, t.id, t.term from paper_topics pt join topics t on t.id = pt.topic_id
        where pt.paper_id in (select value from json_each(:ids)) and not exists (
            -- a narrower topic says more
            select 1 from topics narrow join paper_topics too on too.topic_id = narrow.id
            where narrow.broader_id = t.id and too.paper_id = pt.paper_id
        ) order by t.term"""
    ):
        topics[topic["paper_id"]].append(topic)
    return [
        {
            "paper": paper,
            "lead": lead[id][1] if id in lead else shortened(paper["abstract"]),
            "topics": topics[id][:TOPICS],
            "more_topics": len(topics[id][TOPICS:]),
        }
        for id in ids
        if (paper := papers.get(id)) is not None
    ]


def shortened(text: str, longest: int = LONGEST) -> str:
    """`text`, cut behind a word where it is longer than `longest` characters."""
    if len(text) <= longest:
        return text
    cut = text[:longest]
    return (cut.rsplit(None, 1)[0] if any(c.isspace() for c in cut) else cut) + " …"


@hookimpl
def extra_template_vars(template: str | None, datasette: Any) -> Any:
    if template != "table-library-papers.html":
        return None

    async def cards(rows: Sequence[Any]) -> list[dict[str, Any]]:
        ids = [row["id"] for row in rows]
        database = datasette.get_database("library")
        found: list[dict[str, Any]] = await database.execute_fn(lambda conn: read_cards(conn, ids))
        return found

    return {"cards": cards}
