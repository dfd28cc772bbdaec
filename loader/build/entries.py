"""A record as a row of entries, and entries as the room of duplicates sees them.

In: records of a file, or ids of stored entries. Out: rows and candidates.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from loader import text
from loader.database import Library
from loader.model import Candidate, Record, Source, Stored

# "7", "p7", "rec12": counted up in a file, and no name of the same record in another file
_COUNTED = re.compile(r"\D{0,3}\d{1,6}")
_ID_BITS = 48  # so that ids stay below 2^53, exact in JSON and JavaScript


def entry_of(
    entry_id: int, source_id: int, record: Record, source: Source
) -> tuple[dict[str, Any], Candidate]:
    """A record of a source as a row of entries, and as the room of duplicates sees it."""
    plain = text.to_plain(record.text).plain
    plain_hash = _plain_hash(plain, record)
    text_hash = _sha256(record.text)
    record_hash = _record_hash(record)
    candidate = Candidate(
        id=entry_id, text=record.text, plain=plain, text_hash=text_hash,
        plain_hash=plain_hash, title=record.title, authors=record.authors,
        year=record.year or source.year, venue=record.venue or source.venue,
        identifiers=record.identifiers, volume=record.volume, number=record.number,
        pages=record.pages, keys=(record_hash, place_key(source.sha256, record.position)),
        name=record_name(record.external_id, source.sha256),
    )  # fmt: skip
    content_id = short_id(plain_hash)
    row = {
        "id": entry_id, "source_id": source_id, "position": record.position,
        "first_line": record.first_line, "last_line": record.last_line,
        "external_id": record.external_id, "title": record.title, "text": record.text,
        "text_hash": text_hash, "plain_hash": plain_hash, "record_hash": record_hash,
        "paper_id": content_id, "content_id": content_id, "removed_count": record.removed,
        "authors": record.authors, "year": record.year, "venue": record.venue,
        "doi": record.doi, "url": record.url, "volume": record.volume, "number": record.number,
        "pages": record.pages, "keywords": record.keywords, "identifiers": record.identifiers,
    }  # fmt: skip
    return row, candidate


def short_id(digest: str) -> int:
    """The first 48 bits of a hash, as an id."""
    return int(digest[: _ID_BITS // 4], 16) or 1


def _plain_hash(plain: str, record: Record) -> str:
    """SHA-256 of the normalized text, of the title where there is no text.

    What has no letter or digit at all is hashed as it is.
    """
    words = text.normalize(plain) if record.text else text.normalize(record.title or "")
    return _sha256(words or record.text or record.title or "")


def _record_hash(record: Record) -> str:
    """SHA-256 of all that a record states, wherever it stands."""
    return _sha256(
        json.dumps(
            [
                record.text, record.external_id, record.title, record.authors, record.year,
                record.venue, record.doi, record.url, record.volume, record.number, record.pages,
                record.keywords, record.identifiers,
            ]
        )
    )  # fmt: skip


def place_key(sha256: str, position: int) -> str:
    """What a decision calls the entry at a place of a file, where nothing else tells it apart."""
    return f"{sha256}:{position}"


def record_name(external_id: str | None, sha256: str) -> str:
    """The id that a source gives a record, with the file where it means nothing elsewhere."""
    if not external_id:
        return ""
    if _COUNTED.fullmatch(external_id):
        return f"row:{sha256[:16]}:{external_id}"
    return f"id:{external_id}"


def _sha256(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8")).hexdigest()


def stored_entries(library: Library) -> list[Stored]:
    """The entries of earlier loads, as the room of duplicates finds them again."""
    named: dict[int, tuple[str, ...]] = {}
    for entry, identifier in library.rows(
        "select entry_id, identifier from entry_identifiers order by entry_id, identifier"
    ):
        named[entry] = (*named.get(entry, ()), identifier)
    return [
        Stored(entry, minhash, text_hash, plain_hash, title_key, named.get(entry, ()), name)
        for entry, minhash, text_hash, plain_hash, title_key, name in library.conn.execute(
            "select entry_id, minhash, text_hash, plain_hash, title_key, name from signatures"
            " order by entry_id"
        )
    ]


def candidates(library: Library, ids: Sequence[int]) -> list[Candidate]:
    """Stored entries as the room of duplicates sees them."""
    return [
        Candidate(
            id=row[0], text=row[1], plain=text.to_plain(row[1]).plain, text_hash=row[2],
            plain_hash=row[3], title=row[4], authors=tuple(json.loads(row[5])), year=row[6],
            venue=row[7], identifiers=tuple(json.loads(row[8])), volume=row[9], number=row[10],
            pages=row[11], keys=(row[12], place_key(row[13], row[14])),
            name=record_name(row[15], row[13]),
        )
        for row in library.rows_for(
            "select e.id, e.text, e.text_hash, e.plain_hash, e.title, e.authors,"
            " coalesce(e.year, s.year), coalesce(e.venue, s.venue), e.identifiers, e.volume,"
            " e.number, e.pages, e.record_hash, s.sha256, e.position,"
            " e.external_id"
            " from entries e join sources s on s.id = e.source_id"
            " where e.id in (select value from json_each(:ids)) order by e.id",
            ids,
        )
    ]  # fmt: skip
