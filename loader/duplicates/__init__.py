"""Entries to verdicts: which are one paper, how we know, and what is asked.

In: candidates. Out: signatures, edges, settlements.

    signature, stored   a candidate -> what to store of it
    find                new candidates, stored ones -> edges
    settle              a group, its edges, people's decisions -> clusters and verdicts
    keep, keep_key      entries of one paper -> the one that stands for it
    Reading, compare    two candidates -> what the pair alone suggests

The only room that compares texts. It knows no SQL and keeps no state.
"""

from ..model import Stored
from .finding import find, stored
from .keeping import keep, keep_key
from .pairs import Reading, compare
from .settling import settle
from .signatures import signature, signatures
from .words import title_key

__all__ = [
    "Reading",
    "Stored",
    "compare",
    "find",
    "keep",
    "keep_key",
    "settle",
    "signature",
    "signatures",
    "stored",
    "title_key",
]
