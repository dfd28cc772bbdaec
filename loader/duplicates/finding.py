"""New entries and old ones to edges: every pair that resembles, without comparing all pairs.

In: new candidates; of the stored ones id, signature and hashes. Out: edges, each with a new
entry on one side at least.

Pairs worth comparing share a band of their signatures, the words of their text, an identifier
or a place in print. A bucket of up to `CROWD` distinct texts gives all its pairs. A larger one
(a template, a placeholder, a DOI shared by a supplement) gives each member its neighbours in
the order of the hashes of the texts: enough to show that it has too many to merge, and linear
in number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from functools import lru_cache
from typing import Final

import numpy as np

from loader.duplicates.bands import CROWD, NEIGHBOURS, meet
from loader.duplicates.pairs import Reading, compare
from loader.duplicates.signatures import TEXT_BYTES, matrix, parts, signature, signatures
from loader.duplicates.words import title_key
from loader.model import Candidate, Edge, Stored

COPIES: Final = 12  # entries with the same text of which all pairs are compared
READINGS: Final = 1000  # of candidates, kept in memory: some 20 kB each

_Pair = tuple[int, int]
_Fetch = Callable[[Sequence[int]], Sequence[Candidate]]


def find(
    new: Sequence[Candidate], old: Sequence[Stored] = (), fetch: _Fetch | None = None
) -> list[Edge]:
    """Every edge between a new entry and any other, new or old, sorted by (a, b).

    `fetch` loads the candidates of old ids and is called at most once; it is needed where there
    are old entries. What an edge says depends on its two entries alone. A pair of texts with
    thousands of copies, or of a template, gives a bounded number of edges; `settle` needs no
    more. After entries are removed, hand the rest of the groups they were in to `find` again.
    """
    shelf = _Shelf(new, old)
    pairs = sorted(shelf.pairs())
    wanted = sorted({shelf.ids[i] for pair in pairs for i in pair if i < shelf.first_new})
    candidates = {c.id: c for c in new}
    if wanted:
        if fetch is None:
            raise ValueError("old entries can only be compared with a function to fetch them")
        candidates.update((c.id, c) for c in fetch(wanted))
    read = lru_cache(READINGS)(lambda id: Reading(candidates[id]))
    found = (compare(read(shelf.ids[i]), read(shelf.ids[j])) for i, j in pairs)
    return sorted((edge for edge in found if edge), key=lambda edge: (edge.a, edge.b))


def stored(candidate: Candidate) -> Stored:
    """What `find` will need of an entry once it is old."""
    return Stored(
        candidate.id,
        signature(candidate) if candidate.signature is None else candidate.signature,
        candidate.text_hash,
        candidate.plain_hash,
        title_key(candidate.title),
        candidate.identifiers,
        candidate.name,
    )


class _Shelf:
    """All entries by index, the old ones first, with the keys they can meet under."""

    def __init__(self, new: Sequence[Candidate], old: Sequence[Stored]) -> None:
        self.first_new = len(old)
        self.ids = [entry.id for entry in old] + [c.id for c in new]
        self.text_hashes = [entry.text_hash for entry in old] + [c.text_hash for c in new]
        self.plain_hashes = [entry.plain_hash for entry in old] + [c.plain_hash for c in new]
        self.identifiers = [e.identifiers for e in old] + [c.identifiers for c in new]
        self.names = [entry.name for entry in old] + [c.name for c in new]
        self.title_keys = [entry.title_key for entry in old] + [title_key(c.title) for c in new]
        missing = iter(signatures(c for c in new if c.signature is None))
        self.signatures = [entry.signature for entry in old]
        self.signatures += [next(missing) if c.signature is None else c.signature for c in new]

    def pairs(self) -> set[_Pair]:
        """Pairs of indices (i < j, j new) to compare."""
        sizes = [len(sketch) for sketch in self.signatures]
        texts = [
            key if size >= TEXT_BYTES else ""
            for key, size in zip(self.plain_hashes, sizes, strict=True)
        ]
        found = set(self._copies(texts, COPIES))
        found.update(self._alike(texts, lambda sketch: sketch[:TEXT_BYTES]))
        if any(size not in (0, TEXT_BYTES) for size in sizes):
            places = [parts(sketch)[2] for sketch in self.signatures]
            found.update(self._copies(places, CROWD))
            found.update(self._copies(self.title_keys, CROWD))
            found.update(self._alike(self.title_keys, lambda sketch: parts(sketch)[1]))
        found.update(self._named())
        # no evidence, but a reason to say why they are not one
        blank = [
            key if size < TEXT_BYTES else ""
            for key, size in zip(self.plain_hashes, sizes, strict=True)
        ]
        for keys in (blank, self.names):
            found.update(self._to_the_first(keys))
        return found

    def _to_the_first(self, keys: Sequence[str]) -> Iterator[_Pair]:
        """Each entry with the first of those with its key."""
        for bucket in _buckets(keys, set(keys[self.first_new :])).values():
            first = min(bucket, key=lambda i: (self.text_hashes[i], self.ids[i]))
            for i in bucket:
                if i != first and max(i, first) >= self.first_new:
                    yield min(i, first), max(i, first)

    def _copies(self, keys: Sequence[Hashable], most: int) -> Iterator[_Pair]:
        """Pairs of entries with the same key; an empty one is none."""
        for bucket in _buckets(keys, set(keys[self.first_new :])).values():
            yield from self._all_or_next(bucket, most)

    def _named(self) -> Iterator[_Pair]:
        """Pairs of entries with an identifier in common."""
        named: dict[str, list[int]] = defaultdict(list)
        for i, identifiers in enumerate(self.identifiers):
            for identifier in identifiers:
                named[identifier].append(i)
        for bucket in named.values():
            if bucket[-1] >= self.first_new:
                yield from self._all_or_next(bucket, CROWD)

    def _all_or_next(self, bucket: Sequence[int], most: int) -> Iterator[_Pair]:
        """All pairs of a small bucket; of a large one each entry with its neighbours."""
        if len(bucket) <= most:
            for at, j in enumerate(bucket):
                if j >= self.first_new:
                    yield from ((i, j) for i in bucket[:at])
            return
        ranked = sorted(bucket, key=lambda i: (self.text_hashes[i], self.ids[i]))
        ring = ranked + ranked[:NEIGHBOURS]
        for at, i in enumerate(ranked):
            # the first of all stands for its copies
            for j in (ranked[0], *ring[at + 1 : at + 1 + NEIGHBOURS]):
                if i != j and max(i, j) >= self.first_new:
                    yield min(i, j), max(i, j)

    def _alike(self, keys: Sequence[str], part: Callable[[bytes], bytes]) -> Iterator[_Pair]:
        """Pairs of entries under different keys whose parts of the signature are alike."""
        first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
        first.pop("", None)
        distinct = list(first)
        if len(distinct) < 2:
            return
        values = matrix([part(self.signatures[i]) for i in first.values()])
        new_keys = set(keys[self.first_new :])
        fresh = np.array([key in new_keys for key in distinct])
        met = list(meet(values, fresh, distinct))
        entries = _buckets(keys, {distinct[row] for pair in met for row in pair})
        for left, right in met:
            ours, theirs = entries[distinct[left]], entries[distinct[right]]
            for i in ours[:COPIES]:
                for j in theirs[:COPIES]:
                    if max(i, j) >= self.first_new:
                        yield min(i, j), max(i, j)
            # copies beyond those are linked to their own text; one of them meets the other too
            for one, two in ((ours, theirs), (theirs, ours)):
                if len(one) > COPIES and one[-1] >= self.first_new:
                    yield min(one[-1], two[0]), max(one[-1], two[0])


def _buckets(keys: Sequence[Hashable], wanted: Set[Hashable]) -> dict[Hashable, list[int]]:
    """The indices at which each wanted key stands, in order; an empty key is none."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for i in [i for i, key in enumerate(keys) if key in wanted]:
        found[keys[i]].append(i)
    for empty in ("", b""):
        found.pop(empty, None)
    return found
