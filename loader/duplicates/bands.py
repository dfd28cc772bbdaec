"""Signatures to pairs of rows that resemble each other, without looking at all pairs.

In: an array of MinHash values, a row a text. Out: pairs of row numbers. Locality-sensitive
hashing: rows that share a band fall into one bucket (Leskovec et al., Mining of Massive
Datasets, chapter 3); pairs of a bucket are kept where their signatures agree often enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

CROWD: Final = 32  # distinct texts in a bucket; three times what makes a template
NEIGHBOURS: Final = 8  # looked at on either side in a larger bucket
CLOSEST: Final = 12  # pairs kept of a text that resembles more than CROWD others
RESEMBLES: Final = 0.25  # estimated Jaccard of word 2-grams
ROWS: Final = 3  # values in a band: 42 bands of a text, 16 of a title; and as many again

_Ints = NDArray[np.int64]
_Keys = NDArray[np.uint64]
_Flags = NDArray[np.bool_]


def meet(
    values: NDArray[np.uint32], fresh: _Flags, order: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Pairs (i < j) of rows, at least one of them fresh, that share a band and are alike.

    `order` gives a text's place among others of a bucket too large for all its pairs; it must
    not depend on arrival.
    """
    columns = np.ascontiguousarray(values.T)
    met = []
    everything = np.arange(len(values))
    all_fresh = bool(fresh.all())
    for band in _bands(len(columns)):
        keys = columns[band[0]].astype(np.uint64)
        for row in band[1:]:
            keys *= np.uint64(0x9E3779B97F4A7C15)
            keys ^= keys >> np.uint64(29)
            keys += columns[row]
        rows = everything if all_fresh else _shared(keys, fresh)
        met.append(_bucket_pairs(keys[rows], rows, fresh, order))
    # np.unique would hash, which takes ten times as long
    pairs = np.sort(np.concatenate(met))
    pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))[: len(pairs)]]
    agree = np.concatenate([_agreement(values, part) for part in _slices(pairs)])
    alike = agree >= RESEMBLES * len(columns)
    pairs, agree = pairs[alike], agree[alike]
    for code in _thinned(pairs, agree, len(values)).tolist():
        yield code >> 32, code & 0xFFFFFFFF


def _bands(count: int) -> Iterator[tuple[int, ...]]:
    """The columns of each band: three in a row, then three a third of the columns apart.

    The second grouping finds most of what the first misses: at a Jaccard of .4 one misses 6 %
    of the pairs, both 0.4 %.
    """
    yield from ((i, i + 1, i + 2) for i in range(0, count, ROWS))
    third = count // ROWS
    yield from ((i, i + third, i + 2 * third) for i in range(third))


def _shared(keys: _Keys, fresh: _Flags) -> _Ints:
    """The rows that have a key that a fresh row has too (and a few that only look so)."""
    low = (keys & np.uint64(0xFFFFF)).astype(np.int64)
    seen = np.zeros(1 << 20, np.bool_)
    seen[low[fresh]] = True
    return np.flatnonzero(seen[low])


def _bucket_pairs(keys: _Keys, rows: _Ints, fresh: _Flags, order: Sequence[str]) -> _Ints:
    """All pairs in each bucket of up to CROWD rows, and neighbours in the larger ones."""
    sort = np.argsort(keys, kind="stable")
    keys, rows = keys[sort], rows[sort]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sizes = np.diff(np.append(starts, len(keys)))
    for bucket in np.flatnonzero(sizes > CROWD).tolist():
        place = slice(starts[bucket], starts[bucket] + sizes[bucket])
        rows[place] = sorted(rows[place].tolist(), key=order.__getitem__)
    behind = np.repeat(starts + sizes, sizes) - np.arange(len(keys)) - 1
    reach = np.where(np.repeat(sizes, sizes) > CROWD, np.minimum(behind, NEIGHBOURS), behind)
    found = [np.empty(0, np.int64)]
    at = np.flatnonzero(reach)
    step = 1
    while len(at):
        one, two = rows[at], rows[at + step]
        codes = (np.minimum(one, two) << 32) | np.maximum(one, two)
        found.append(codes[fresh[one] | fresh[two]])
        step += 1
        at = at[reach[at] >= step]
    return np.concatenate(found)


def _slices(pairs: _Ints) -> Iterator[_Ints]:
    """`pairs` in parts small enough for the cache; one empty part where there are none."""
    yield from (pairs[start : start + 4096] for start in range(0, max(1, len(pairs)), 4096))


def _agreement(values: NDArray[np.uint32], pairs: _Ints) -> _Ints:
    """In how many values the signatures of each pair agree."""
    found: _Ints = (values[pairs >> 32] == values[pairs & 0xFFFFFFFF]).sum(axis=1)
    return found


def _thinned(pairs: _Ints, agree: _Ints, count: int) -> _Ints:
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
    thinned: _Ints = pairs[keep]
    return thinned
