"""New entries and old ones to edges: every pair that resembles, without comparing all pairs.

In: new candidates; of the stored ones id, signature and hashes. Out: edges, each with a new
entry on one side at least.

Pairs worth comparing share a band of their signatures (locality-sensitive hashing: Leskovec et
al., Mining of Massive Datasets, chapter 3), the words of their text, an identifier or a place
in print. A bucket of up to `CROWD` distinct texts gives all its pairs. A larger one (a template,
a placeholder, a DOI shared by a supplement) gives each member its neighbours in the order of
the hashes of the texts: enough to show that it has too many to merge, and linear in number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..model import Candidate, Edge, Stored
from .pairs import Reading, compare
from .signatures import TEXT_BYTES, matrix, parts, signature, signatures
from .words import title_key

CROWD: Final = 32  # distinct texts in a bucket; more than twice what makes a template
NEIGHBOURS: Final = 8  # compared on either side in a larger bucket
COPIES: Final = 12  # entries with the same text of which all pairs are compared
CLOSEST: Final = 16  # pairs kept of a text that resembles more than CROWD others
RESEMBLES: Final = 0.25  # estimated Jaccard of word 2-grams
ROWS: Final = 3  # values in a band: 42 bands of a text, 16 of a title

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
    readings = {c.id: Reading(c) for c in new}
    if wanted:
        if fetch is None:
            raise ValueError("old entries can only be compared with a function to fetch them")
        readings.update((c.id, Reading(c)) for c in fetch(wanted))
    found = (compare(readings[shelf.ids[i]], readings[shelf.ids[j]]) for i, j in pairs)
    return sorted((edge for edge in found if edge), key=lambda edge: (edge.a, edge.b))


def stored(candidate: Candidate) -> Stored:
    """What `find` will need of an entry once it is old."""
    return Stored(
        candidate.id,
        candidate.signature or signature(candidate),
        candidate.text_hash,
        candidate.plain_hash,
        title_key(candidate.title),
        candidate.identifiers,
    )


class _Shelf:
    """All entries by index, the old ones first, with the keys they can meet under."""

    def __init__(self, new: Sequence[Candidate], old: Sequence[Stored]) -> None:
        self.first_new = len(old)
        self.ids = [entry.id for entry in old] + [c.id for c in new]
        self.text_hashes = [entry.text_hash for entry in old] + [c.text_hash for c in new]
        self.plain_hashes = [entry.plain_hash for entry in old] + [c.plain_hash for c in new]
        self.identifiers = [e.identifiers for e in old] + [c.identifiers for c in new]
        self.title_keys = [entry.title_key for entry in old] + [title_key(c.title) for c in new]
        missing = iter(signatures(c for c in new if not c.signature))
        self.signatures = [entry.signature for entry in old]
        self.signatures += [c.signature or next(missing) for c in new]

    def pairs(self) -> set[_Pair]:
        """Pairs of indices (i < j, j new) to compare."""
        texts: dict[str, list[int]] = defaultdict(list)
        titles: dict[str, list[int]] = defaultdict(list)
        places: dict[bytes, list[int]] = defaultdict(list)
        named: dict[str, list[int]] = defaultdict(list)
        for i, sketch in enumerate(self.signatures):
            if len(sketch) >= TEXT_BYTES:
                texts[self.plain_hashes[i]].append(i)
            if len(sketch) not in (0, TEXT_BYTES):
                _, title, place = parts(sketch)
                if title:
                    titles[self.title_keys[i]].append(i)
                if place:
                    places[place].append(i)
            for identifier in self.identifiers[i]:
                named[identifier].append(i)
        found: set[_Pair] = set()
        for most, buckets in (
            (COPIES, texts.values()),
            (CROWD, titles.values()),
            (CROWD, named.values()),
            (CROWD, places.values()),
        ):
            for bucket in buckets:
                if len(bucket) > 1 and bucket[-1] >= self.first_new:
                    found.update(self._all_or_next(bucket, most))
        found.update(self._alike(texts, lambda sketch: sketch[:TEXT_BYTES]))
        found.update(self._alike(titles, lambda sketch: parts(sketch)[1]))
        return found

    def _all_or_next(self, bucket: Sequence[int], most: int) -> Iterator[_Pair]:
        """All pairs of a small bucket; of a large one each entry with its neighbours."""
        if len(bucket) <= most:
            for at, j in enumerate(bucket):
                if j >= self.first_new:
                    yield from ((i, j) for i in bucket[:at])
            return
        ranked = sorted(bucket, key=lambda i: (self.text_hashes[i], self.ids[i]))
        for at, i in enumerate(ranked):
            # the first of all stands for its copies
            for j in (ranked[0], *ranked[at + 1 : at + 1 + NEIGHBOURS]):
                if i != j and max(i, j) >= self.first_new:
                    yield min(i, j), max(i, j)

    def _alike(
        self, keyed: dict[str, list[int]], part: Callable[[bytes], bytes]
    ) -> Iterator[_Pair]:
        """Pairs of entries under different keys whose parts of the signature are alike."""
        if len(keyed) < 2:
            return
        groups = list(keyed.values())
        values = matrix([part(self.signatures[group[0]]) for group in groups])
        fresh = np.array([group[-1] >= self.first_new for group in groups])
        for left, right in _meet(values, fresh, list(keyed)):
            for i in groups[left][:COPIES]:
                for j in groups[right][:COPIES]:
                    if max(i, j) >= self.first_new:
                        yield min(i, j), max(i, j)
            # copies beyond those are linked to their own text; one of them meets the other too
            for one, two in ((left, right), (right, left)):
                if len(groups[one]) > COPIES and groups[one][-1] >= self.first_new:
                    i, j = groups[one][-1], groups[two][0]
                    yield min(i, j), max(i, j)


def _meet(
    values: NDArray[np.uint32], fresh: NDArray[np.bool_], order: Sequence[str]
) -> Iterator[_Pair]:
    """Pairs of rows, at least one of them fresh, that share a band and resemble each other."""
    # within a bucket rows stand in this order, whatever order they arrived in
    ranked = np.array(sorted(range(len(values)), key=order.__getitem__))
    met: list[NDArray[np.int64]] = []
    all_fresh = bool(fresh.all())
    for band in range(0, values.shape[1], ROWS):
        keys = values[:, band].astype(np.uint64)
        for row in range(1, ROWS):
            keys *= np.uint64(0x9E3779B97F4A7C15)
            keys ^= keys >> np.uint64(29)
            keys += values[:, band + row]
        rows = ranked if all_fresh else ranked[_shared(keys, fresh)[ranked]]
        met.append(_bucket_pairs(keys[rows], rows, fresh))
    pairs = np.unique(np.concatenate(met))
    agree = np.concatenate([_agreement(values, part) for part in _slices(pairs)])
    alike = agree >= RESEMBLES * values.shape[1]
    pairs, agree = pairs[alike], agree[alike]
    for code in _thinned(pairs, agree, len(values)).tolist():
        yield code >> 32, code & 0xFFFFFFFF


def _shared(keys: NDArray[np.uint64], fresh: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows have a key that a fresh row has too (and a few that only look so)."""
    low = (keys & np.uint64(0xFFFFF)).astype(np.int64)
    seen = np.zeros(1 << 20, np.bool_)
    seen[low[fresh]] = True
    found: NDArray[np.bool_] = seen[low]
    return found


def _bucket_pairs(
    keys: NDArray[np.uint64], rows: NDArray[np.int64], fresh: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """All pairs in each bucket of up to CROWD rows, and neighbours in the larger ones."""
    sort = np.argsort(keys, kind="stable")
    keys, rows = keys[sort], rows[sort]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sizes = np.diff(np.append(starts, len(keys)))
    size = np.repeat(sizes, sizes)
    left = (
        np.repeat(starts + sizes, sizes) - np.arange(len(keys)) - 1
    )  # rows behind it in its bucket
    reach = np.where(size > CROWD, np.minimum(left, NEIGHBOURS), left)
    found = []
    at = np.flatnonzero(reach)
    step = 1
    while len(at):
        one, two = rows[at], rows[at + step]
        codes = (np.minimum(one, two) << 32) | np.maximum(one, two)
        found.append(codes[fresh[one] | fresh[two]])
        step += 1
        at = at[reach[at] >= step]
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _slices(pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """`pairs` in parts small enough for the cache; one empty part where there are none."""
    yield from (pairs[start : start + 4096] for start in range(0, max(1, len(pairs)), 4096))


def _agreement(values: NDArray[np.uint32], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """In how many values the signatures of each pair agree."""
    found: NDArray[np.int64] = (values[pairs >> 32] == values[pairs & 0xFFFFFFFF]).sum(axis=1)
    return found


def _thinned(pairs: NDArray[np.int64], agree: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """All pairs but those of two crowded rows, which keep the most alike of either."""
    left, right = pairs >> 32, pairs & 0xFFFFFFFF
    degree = np.bincount(left, minlength=count) + np.bincount(right, minlength=count)
    crowded = (degree[left] > CROWD) & (degree[right] > CROWD)
    if not crowded.any():
        return pairs
    keep = ~crowded
    at = np.flatnonzero(crowded)
    ends = np.concatenate((left[at], right[at]))
    again = np.concatenate((at, at))
    sort = np.lexsort((pairs[again], -agree[again], ends))
    ends, again = ends[sort], again[sort]
    starts = np.flatnonzero(np.concatenate(([True], ends[1:] != ends[:-1])))
    sizes = np.diff(np.append(starts, len(ends)))
    place = np.arange(len(ends)) - np.repeat(starts, sizes)
    keep[again[place < CLOSEST]] = True
    thinned: NDArray[np.int64] = pairs[keep]
    return thinned
