"""Which entry of a paper is kept, by content and never by arrival.

In: candidates. Out: an order of them, and the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loader.model import Candidate


def keep_key(candidate: Candidate) -> tuple[Any, ...]:
    """The order of preference among entries: by content, then by place, never by arrival.

    The id decides only where the keys of the candidates are not known.
    """
    fields = (
        candidate.title or "",
        candidate.authors,
        str(candidate.year or ""),
        candidate.venue or "",
        candidate.identifiers,
        candidate.volume or "",
        candidate.number or "",
        candidate.pages or "",
    )
    stated = sum(map(bool, fields)) + len(candidate.identifiers)
    return (
        -len(candidate.text), candidate.text_hash, -stated, -len(candidate.authors),
        -len(candidate.title or ""), fields, candidate.keys, candidate.id,
    )  # fmt: skip


def keep(members: Sequence[Candidate]) -> Candidate:
    """The entry that stands for a paper: the longest text, then the smallest hash of it.

    Among equal texts the one that states most, then the first by what it states, then by the hash
    of its file; never by arrival. ValueError where there are no members.
    """
    return min(members, key=keep_key)
