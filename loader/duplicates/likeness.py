"""How alike two texts are, as one number for people who ask."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rapidfuzz import fuzz

from loader.duplicates.words import title_key
from loader.model import Candidate
from loader.text import normalize, to_plain

# of the words of the shorter text; two abstracts of one field share a third
_SHARED: Final = 0.5


def likeness(one: str, other: str) -> float:
    """0 (nothing in common) to 100 (the same words in any order); markup and case do not count.

    The larger of rapidfuzz's `ratio` and `token_sort_ratio` of the normalized words, as for
    near duplicates. 0 where a text has no words. Quadratic in the length of the texts.
    """
    words, others = (normalize(to_plain(text).plain) for text in (one, other))
    if not words or not others:
        return 0.0
    return max(fuzz.ratio(words, others), fuzz.token_sort_ratio(words, others))


def title_likeness(one: str, other: str) -> float:
    """0 to 100, of the words of two titles in their order; a lost subtitle counts little."""
    return fuzz.ratio(title_key(one), title_key(other))


def strangers(one: Candidate, other: Candidate) -> bool:
    """Do two entries share no identifier, id, title or text, and less than half of their words?

    A guard against slips of those who name two entries, no rule: linear in the texts.
    """
    if set(one.identifiers) & set(other.identifiers) or (one.name and one.name == other.name):
        return False
    if one.text_hash == other.text_hash:
        return False
    titles = title_key(one.title), title_key(other.title)
    if titles[0] and titles[0] == titles[1]:
        return False
    ours, theirs = (
        Counter(normalize(" ".join(filter(None, (c.title, c.plain)))).split()) for c in (one, other)
    )
    shorter = min(ours.total(), theirs.total())
    return (ours & theirs).total() < _SHARED * shorter
