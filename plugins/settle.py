"""Duplicates settled by a person: the open questions, and what the signed-in user says.

In: a database; a form with the id of a pair and a verdict, and whether it is said of the whole
group that the pair stands for. Out: the page `/library/-/duplicates`,
the buttons and the way to the next question on the page of a pair. Only the actor `root`, whom
the one-time address of `litsette serve` signs in, may say anything, and only where the database
may be written.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from datasette import Forbidden, NotFound, Response, hookimpl
from datasette.utils.asgi import BadRequest
from datasette.views.special import AuthTokenView

from loader import build
from loader.model import LoadError
from loader.versions import all_anew

ACTION = "litsette-settle"
PAGE = "/library/-/duplicates"
PAIR = "row-library-duplicates.html"
LISTED = 50  # questions on one page
# what the buttons say: the verdict that is stored (None takes back), and the message
SAID: dict[str, tuple[Any, str]] = {
    "same": ("duplicate", "Said: the same paper."),
    "version": ("version", "Said: another version."),
    "distinct": ("distinct", "Said: not the same."),
    "forget": (None, "Taken back."),
}

_QUESTION = """select q.id, q.score, q.method, q.evidence, q.paper_id, q.label, q.other_paper_id,
    q.other_label, q.pairs, s.name as source, a.first_line, t.name as other_source,
    b.first_line as other_first_line
    from open_questions q join entries a on a.id = q.entry_id
    join entries b on b.id = q.other_entry_id join sources s on s.id = a.source_id
    join sources t on t.id = b.source_id"""
_OPEN = "from duplicates where verdict = 'possible' and question_id = id"


def read_questions(conn: sqlite3.Connection, skip: int = 0) -> dict[str, Any]:
    """The open questions, the likeliest first, and how many pairs have which verdict."""
    verdicts = dict(
        tuple(row) for row in conn.execute("select verdict, count(*) from duplicates group by 1")
    )
    rows = conn.execute(
        f"{_QUESTION} order by q.score desc, q.id limit ? offset ?", (LISTED, skip)
    ).fetchall()
    whole = conn.execute(f"select count(*) {_OPEN}").fetchone()[0]
    return {
        "verdicts": verdicts,
        "whole": whole,
        "rows": rows,
        "skip": skip,
        "more": skip + len(rows) if skip + len(rows) < whole else None,
        "decisions": conn.execute("select count(*) from decisions").fetchone()[0],
    }


def read_way(conn: sqlite3.Connection, row_id: int) -> dict[str, Any]:
    """Where a pair stands among the open questions: number, whole, previous and next row.

    A pair that is none of them has the number None, and the first question comes next.
    """
    row = conn.execute("select * from duplicates where id = ?", (row_id,)).fetchone()
    whole = conn.execute(f"select count(*) {_OPEN}").fetchone()[0]
    found: dict[str, Any] = {"whole": whole, "number": None, "previous": None, "group": None}
    found["next"] = next_question(conn, row["score"], row_id) if row else None
    found["group"] = read_group(conn, row) if row and row["group_key"] else None
    if row and row["question_id"] == row_id:
        before = f"{_OPEN} and (score, -id) > (?, ?)"
        here = (row["score"], -row_id)
        found["number"] = 1 + conn.execute(f"select count(*) {before}", here).fetchone()[0]
        previous = conn.execute(f"select id {before} order by score, id desc limit 1", here)
        found["previous"] = next((r[0] for r in previous), None)
    return found


def read_group(conn: sqlite3.Connection, row: Any) -> dict[str, Any] | None:
    """The pairs that share something with this one: how many, what, what was said of all.

    None where it is the only one.
    """
    key = row["group_key"]
    count, entries = conn.execute(
        "select count(*), (select count(*) from (select entry_id from duplicates where group_key"
        " = :key union select other_entry_id from duplicates where group_key = :key))"
        " from duplicates where group_key = :key",
        {"key": key},
    ).fetchone()
    said = conn.execute(
        "select verdict from decisions where text_hash = ? and basis = 'group'", (key,)
    ).fetchone()
    if count < 2 and not said:
        return None
    return {
        "key": key,
        "pairs": count,
        "entries": entries,
        "shared": build.group_called(key),
        "said": said[0] if said else None,
        "question": row["question_id"] if row["question_id"] != row["id"] else None,
    }


def next_question(conn: sqlite3.Connection, score: float, row_id: int) -> int | None:
    """The open question after one with this score and id, else the first; None without any."""
    asked = f"select id {_OPEN} and id <> ?"
    order = "order by score desc, id limit 1"
    row = conn.execute(
        f"{asked} and (score, -id) < (?, ?) {order}", (row_id, score, -row_id)
    ).fetchone()
    row = row or conn.execute(f"{asked} {order}", (row_id,)).fetchone()
    return int(row[0]) if row else None


async def refusal(datasette: Any, actor: Any) -> str:
    """Why this visitor may not settle anything; "" where they may."""
    if not datasette.get_database("library").is_mutable:
        return "This library is published for reading only."
    if not await datasette.permission_allowed(actor, ACTION, default=False):
        return "To settle this, open the sign-in address that litsette serve printed."
    return ""


async def open_questions(datasette: Any, request: Any) -> Response:
    """The page of open questions; a form posted to it settles one."""
    if request.method == "POST":
        return await settle(datasette, request)
    start = request.args.get("from") or "0"
    if not (start.isascii() and start.isdigit() and len(start) < 10):
        raise BadRequest("from must be a number")
    database = datasette.get_database("library")
    found = await database.execute_fn(lambda conn: read_questions(conn, int(start)))
    page = {"asked": found, "refusal": await refusal(datasette, request.actor)}
    return Response.html(await datasette.render_template("open_questions.html", page, request))


async def sign_in(datasette: Any, request: Any) -> Response:
    """Datasette's own page that signs in once; the home page then says what this is good for."""
    response: Response = await AuthTokenView(datasette).get(request)
    said = "You are signed in: open Duplicates above to settle which papers are the same."
    datasette.add_message(request, said)
    return response


async def settle(datasette: Any, request: Any) -> Response:
    """Store what the signed-in user says about a pair; leads to the next question."""
    refused = await refusal(datasette, request.actor)
    if refused:
        raise Forbidden(refused)
    try:
        form = await request.post_vars()
    except UnicodeDecodeError:
        raise BadRequest("the form is not UTF-8") from None
    said, pair = form.get("verdict", ""), form.get("pair", "")
    if said not in SAID or not (pair.isascii() and pair.isdigit() and len(pair) < 19):
        raise BadRequest("the form must name a pair and a verdict")
    verdict, message = SAID[said]
    row_id, database = int(pair), datasette.get_database("library")
    rows = await database.execute("select * from duplicates where id = ?", (row_id,))
    row = rows.first()
    if row is None:
        raise NotFound("This pair is not there any more; it was settled with another one.")
    a, b, path = row["entry_id"], row["other_entry_id"], Path(database.path)
    who = str(request.actor.get("id", ""))
    group = form.get("group") == "on"
    try:
        if verdict is None:
            await asyncio.to_thread(build.forget, path, a, b, group)
        else:
            note = form.get("note", "")
            await asyncio.to_thread(build.decide, path, a, b, verdict, note, who, group)
    except LoadError as error:
        raise BadRequest(error.message) from error
    # the connections of the site see the new state with their next query
    all_anew(database)
    after = await database.execute_fn(lambda conn: next_question(conn, row["score"], row_id))
    left = await database.execute(f"select count(*) {_OPEN}")
    there = await database.execute("select 1 from duplicates where id = ?", (row_id,))
    count = left.rows[0][0]
    one = "" if count == 1 else "s"
    datasette.add_message(request, f"{message} {count:,} open question{one} left.")
    kept = row_id if there.first() else None
    undo = f"?{urlencode({'settled': kept})}" if kept else ""
    address = f"/library/duplicates/{after}{undo}" if after else PAGE + undo
    return Response.redirect(datasette.urls.path(address))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(rf"^{PAGE}$", open_questions), (r"^/-/auth-token$", sign_in)]


@hookimpl
def permission_allowed(actor: Any, action: str) -> bool | None:
    if action != ACTION:
        return None
    return bool(actor) and actor.get("id") == "root"


@hookimpl
def extra_template_vars(template: str | None, request: Any, datasette: Any) -> Any:
    if template != PAIR:
        return None

    async def way() -> dict[str, Any]:
        row_id = int(request.url_vars["pks"])
        database = datasette.get_database("library")
        found = await database.execute_fn(lambda conn: read_way(conn, row_id))
        settled = request.args.get("settled") or ""
        is_id = settled.isascii() and settled.isdigit()
        return {
            "way": found,
            "refusal": await refusal(datasette, request.actor),
            "settled": settled if is_id else None,
        }

    return way
