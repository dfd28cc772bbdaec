"""The page `/-/find`: paste an abstract, see what it is or resembles, and what it says.

In: a text, or an id, DOI, arXiv or OpenReview id. Out: the papers of the library that it is,
resembles or stands in, with scores; its sentences with roles, claims and numbers. An id leads to
its paper. Nothing is stored, nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from datasette import Response, hookimpl
from datasette.utils.asgi import BadRequest

from loader import build
from loader.model import Extraction, LoadError, Sentence

LONGEST = 1_000_000  # characters of a text that is looked for
SHOWN = 300  # sentences on the page
LONGEST_NAME = 300  # characters; a longer text is no id
MATCHES = 20


class Piece(NamedTuple):
    """A stretch of a sentence, and the number that it states."""

    text: str
    number: dict[str, Any] | None


class Said(NamedTuple):
    """A sentence of the pasted text as it is shown."""

    role: str
    pieces: list[Piece]
    claims: list[Any]


def said(found: Extraction, most: int = SHOWN) -> list[Said]:
    """The first `most` sentences, cut where numbers begin and end, with their claims."""
    numbers: dict[int, list[Any]] = {}
    for number in found.measurements:
        numbers.setdefault(number.sentence, []).append(number)
    claims: dict[int, list[Any]] = {}
    for claim in found.claims:
        claims.setdefault(claim.sentence, []).append(claim)
    return [
        Said(s.role, _pieces(found.plain, s, numbers.get(i, [])), claims.get(i, []))
        for i, s in enumerate(found.sentences[:most])
    ]


def _pieces(plain: str, sentence: Sentence, numbers: list[Any]) -> list[Piece]:
    pieces, at = [], sentence.start
    for number in sorted(numbers, key=lambda n: (n.start, n.end)):
        if at <= number.start < number.end <= sentence.end:
            pieces.append(Piece(plain[at : number.start], None))
            pieces.append(Piece(plain[number.start : number.end], asdict(number)))
            at = number.end
    return [p for p in [*pieces, Piece(plain[at : sentence.end], None)] if p.text]


async def find(datasette: Any, request: Any) -> Response:
    """The page; of `?id=` a redirect to the paper where it means one."""
    path = Path(datasette.get_database("library").path)
    if request.method == "POST":
        try:
            form = await request.post_vars()
        except UnicodeDecodeError:
            raise BadRequest("the text is not UTF-8") from None
        typed = form.get("q", "")
    else:
        typed = request.args.get("q") or ""
    name = request.args.get("id") or ""
    page: dict[str, Any] = {"typed": typed, "name": name, "named": [], "matches": [], "said": []}
    if len(typed) > LONGEST:
        page |= {"typed": "", "too_long": True}
        return await _answer(datasette, request, page, 413)
    text = typed.replace("\r\n", "\n").strip()
    wanted = (name or text).strip()
    try:
        if wanted and len(wanted) <= LONGEST_NAME:
            page["named"] = await asyncio.to_thread(build.look_up, path, wanted)
            if name and len(page["named"]) == 1:
                paper = f"/library/papers/{page['named'][0].paper_id}"
                return Response.redirect(datasette.urls.path(paper))
        if text:
            page["matches"] = await asyncio.to_thread(build.match_text, path, text, None, MATCHES)
            found = await asyncio.to_thread(build.extract, text)
            page |= {"found": found, "said": said(found), "whole": len(found.sentences)}
            page["numbers"] = [asdict(n) for n in found.measurements[:SHOWN]]
    except LoadError as error:
        raise BadRequest(error.message) from error
    nothing = bool(name) and not page["named"]
    return await _answer(datasette, request, page, 404 if nothing else 200)


async def _answer(datasette: Any, request: Any, page: dict[str, Any], status: int) -> Response:
    return Response.html(await datasette.render_template("find.html", page, request), status=status)


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"^/-/find$", find)]
