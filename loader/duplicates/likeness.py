"""How alike two texts are, as one number for people who ask."""

from __future__ import annotations

from rapidfuzz import fuzz

from loader.text import normalize, to_plain


def likeness(one: str, other: str) -> float:
    """0 (nothing in common) to 100 (the same words in any order); markup and case do not count.

    The larger of rapidfuzz's `ratio` and `token_sort_ratio` of the normalized words, as for
    near duplicates. 0 where a text has no words. Quadratic in the length of the texts.
    """
    words, others = (normalize(to_plain(text).plain) for text in (one, other))
    if not words or not others:
        return 0.0
    return max(fuzz.ratio(words, others), fuzz.token_sort_ratio(words, others))
