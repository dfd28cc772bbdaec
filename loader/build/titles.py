"""What somebody types or pastes, taken apart: titles that it may be, and abstracts.

In: a text with or without a title, authors and the heading "Abstract" before it, or a record in
JSON. Out: the titles and abstracts that it may hold; papers whose title a text is, resembles, or
has words of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loader import duplicates as duplicates_room
from loader.database import Library
from loader.formats.keys import named

_LONGEST = 40  # words; a longer text is no title
_LEAST_TEXT = 8  # words of an abstract
_LIKE = 75.0  # of 100: titles this alike may be one
_LISTED = 50  # papers that have the words of a title
_HEADED = 3_000  # characters in which a heading may stand
_ABSTRACT = re.compile(r"^[#*\s]*abstract\b[*\s]*[:.]?[*\s]*", re.IGNORECASE | re.MULTILINE)
_TITLE = re.compile(r"^[#*\s]*(?:title\b\s*:\s*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A text and the title that stands above it, if there is one."""

    text: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Titled:
    """A paper found by a title."""

    paper_id: int
    entry_id: int
    score: float  # 0 to 100
    method: str  # title: it is that title or resembles it; words: its words stand in it
    evidence: str


def record_of(typed: str) -> Typed | None:
    """The text and title of one JSON object; None where it is none, or has neither."""
    if not typed.startswith("{"):
        return None
    try:
        row, _ = named(json.loads(typed))
    except (ValueError, RecursionError, AttributeError):
        return None
    title, text = row.get("title"), row.get("abstract") or row.get("text")
    if not any(isinstance(value, str) and value.strip() for value in (title, text)):
        return None
    return Typed(text if isinstance(text, str) else "", title if isinstance(title, str) else None)


def parts_of(typed: str) -> list[Typed]:
    """The text as it is, and what it may be with its title and authors set apart."""
    found = [Typed(typed)]
    first, _, rest = typed.partition("\n")
    title = _TITLE.sub("", first).strip(" *")
    if not rest.strip() or not title or len(title.split()) > _LONGEST:
        title = ""
    heading = _ABSTRACT.search(typed, 0, _HEADED)
    if heading and heading.start() and len(typed[: heading.start()].split()) > _LONGEST * 3:
        heading = None
    texts = [typed[heading.end() :]] if heading else []
    if title:
        texts.append(rest)
        texts.append(max(re.split(r"\n\s*\n", rest), key=len))
    for text in dict.fromkeys(t.strip() for t in texts):
        if len(text.split()) >= _LEAST_TEXT and text != typed:
            found.append(Typed(text, title or None))
    return found


def titles_of(parts: Iterable[Typed]) -> list[str]:
    """The titles that a text may be, or begin with."""
    found = []
    for part in parts:
        if part.title is None and len(part.text.split()) <= _LONGEST:
            found.append(" ".join(part.text.split()))
        elif part.title:
            found.append(part.title)
    return list(dict.fromkeys(found))


def titled(library: Library, typed: str, alike: Iterable[int]) -> Iterator[Titled]:
    """The papers whose title a text is, resembles, or has all words of.

    `alike` are entries whose title has a signature like that of the text.
    """
    key = duplicates_room.title_key(typed)
    words = list(dict.fromkeys(key.split()))
    if not words:
        return
    listed = list(alike)
    # without a letter or two to tell it by, every title has it
    if len(key) > 2 or not key.isascii():
        holds = " and ".join(["instr(title_key, ?)"] * len(words))
        listed += [
            row[0]
            for row in library.rows(
                f"select entry_id from signatures where {holds}"
                " order by length(title_key), title_key limit ?",
                [*words, _LISTED],
            )
        ]
    for entry, paper, title in library.rows_for(
        "select id, paper_id, title from entries where title is not null"
        " and id in (select value from json_each(:ids)) order by id",
        sorted(set(listed)),
    ):
        yield from _judged(key, words, title, "its title", paper, entry)
    called = " and ".join(["label like ?"] * len(words))
    for paper, label in list(
        library.rows(
            f"select id, label from papers where {called} order by length(label), label limit ?",
            [*(f"%{word}%" for word in words), _LISTED],
        )
    ):
        entry, own = next(library.rows("select entry_id, title from papers where id = ?", [paper]))
        if not own:  # what has a title is called by it
            yield from _judged(key, words, label, "what the paper is called", paper, entry)


def _judged(
    key: str, words: list[str], title: str, what: str, paper: int, entry: int
) -> Iterator[Titled]:
    score = duplicates_room.title_likeness(key, title)
    if score >= _LIKE:
        alike = "equal to" if score == 100 else f"{score:.0f}% like"
        said = f"what you typed is {alike} {what}; no abstract was compared"
        yield Titled(paper, entry, score, "title", said)
        return
    stated = duplicates_room.title_key(title).split()
    if all(any(_begins(other, word) for other in stated) for word in words):
        share = round(min(99.0, 100 * len(words) / len(stated)), 1)
        said = "it stands" if len(words) == 1 else f"its {len(words)} words stand"
        yield Titled(paper, entry, share, "words", f"{said} in {what}")


def _begins(word: str, typed: str) -> bool:
    """Is this the typed word, or a form of it: "routers" of "router"?"""
    return word == typed or (len(typed) > 3 and word.startswith(typed))
