"""Entries to verdicts: which are one paper, how we know, and what is asked.

In: candidates. Out: signatures, edges, settlements.

    signature, stored   a candidate -> what to store of it
    closest             signatures, stored ones -> which resemble
    find                new candidates, stored ones -> edges
    settle              a group, its edges, people's decisions -> clusters and verdicts
    keep, keep_key      entries of one paper -> the one that stands for it
    likeness            two texts -> how alike they are, 0 to 100
    title_likeness      two titles -> the same
    strangers           two candidates -> have they nothing in common
    Reading, compare    two candidates -> what the pair alone suggests

The only room that compares texts. It knows no SQL and keeps no state.
"""

from loader.duplicates.closest import closest
from loader.duplicates.finding import find, stored
from loader.duplicates.keeping import keep, keep_key
from loader.duplicates.likeness import likeness, strangers, title_likeness
from loader.duplicates.pairs import Reading, compare
from loader.duplicates.settling import settle
from loader.duplicates.signatures import signature, signatures
from loader.duplicates.words import title_key
from loader.model import Stored

__all__ = [
    "Reading",
    "Stored",
    "closest",
    "compare",
    "find",
    "keep",
    "keep_key",
    "likeness",
    "settle",
    "signature",
    "signatures",
    "stored",
    "strangers",
    "title_key",
    "title_likeness",
]
