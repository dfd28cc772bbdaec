"""Entries to signatures: small fixed-size sketches, alike where the texts are alike.

In: candidates. Out: bytes to be stored as they are. A signature has up to three parts, which
its length tells apart:

- 504 bytes: 126 MinHash values (little-endian, 32 bits) of the word 2-grams of the abstract,
  absent where that has fewer than `MIN_WORDS` words;
- 192 bytes: 48 MinHash values of the word 2-grams of the title, absent without a title;
- 8 bytes: a hash of year, volume and first page, absent where one of them is.

MinHash: Broder, On the resemblance and containment of documents, 1997.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from loader.duplicates.words import MAX_CHARACTERS, citation, fold, title_key, words
from loader.model import Candidate

TEXT_VALUES: Final = 126
TITLE_VALUES: Final = 48
TEXT_BYTES: Final = 4 * TEXT_VALUES
TITLE_BYTES: Final = 4 * TITLE_VALUES
CITATION_BYTES: Final = 8
MIN_WORDS: Final = 8  # a shorter text says too little to be compared

_U32 = NDArray[np.uint32]
_BATCH = 65_536  # characters hashed at once, so that they stay in the cache
_BLANK = 32

# odd multipliers, one a permutation; part of the stored format, never to change
_MULTIPLIERS: Final[_U32] = np.random.RandomState(20260).randint(
    0, 1 << 32, TEXT_VALUES, np.uint32
) | np.uint32(1)
# case and punctuation of ASCII go; bytes of other letters stay
_FOLDED = np.array(
    [ord(chr(b).lower()) if b > 127 or chr(b).isalnum() else _BLANK for b in range(128)]
    + list(range(128, 256)),
    np.uint8,
)
_BASE: Final = 0x01000193


@cache
def _powers(count: int) -> tuple[_U32, _U32]:
    """The first powers of the base of word hashes, and of its inverse, modulo 2 ** 32."""
    inverse = pow(_BASE, -1, 1 << 32)
    made = []
    for base in (_BASE, inverse):
        row = np.full(count, base, np.uint32)
        row[0] = 1
        made.append(np.multiply.accumulate(row, dtype=np.uint32))
    return made[0], made[1]


def _encoded(text: str) -> bytes:
    """A text as bytes of which `_FOLDED` leaves its words."""
    folded = fold(text)
    if not folded.isascii():
        folded = " ".join(words(folded))
    return folded.encode("utf8", "replace")


def _word_hashes(batch: Sequence[bytes]) -> tuple[_U32, NDArray[np.int64]]:
    """The hashes of all words of a batch, and how many words each of its texts has.

    A word hashes to the polynomial of its bytes: differences of running sums, shifted back.
    """
    data = _FOLDED[np.frombuffer(b" ".join((b"", *batch, b"")), np.uint8)]
    inside = data != _BLANK
    turns = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = turns[::2], turns[1::2]
    powers, inverses = _powers(1 << len(data).bit_length())
    sums = np.cumsum(data * powers[: len(data)], dtype=np.uint32)
    hashes = (sums[ends] - sums[starts]) * inverses[starts]
    lengths = np.array([len(text) + 1 for text in batch])
    counts = np.diff(np.searchsorted(starts, np.concatenate(([0], np.cumsum(lengths)))))
    return hashes, counts


def _minhash(hashes: _U32, counts: NDArray[np.int64], values: int) -> list[bytes]:
    """The signatures of texts given as the hashes of their words, one after the other."""
    if not len(counts):
        return []
    # a single word stands beside itself
    alone = counts == 1
    if alone.any():
        hashes = np.repeat(hashes, np.repeat(np.where(alone, 2, 1), counts))
        counts = np.where(alone, 2, counts)
    grams = hashes[:-1] * np.uint32(0x9E3779B1) + hashes[1:]
    # no 2-gram reaches from one text into the next
    grams = np.delete(grams, np.cumsum(counts)[:-1] - 1)
    grams ^= grams >> np.uint32(16)
    grams *= np.uint32(0x85EBCA6B)
    grams ^= grams >> np.uint32(13)
    starts = np.concatenate(([0], np.cumsum(counts - 1)[:-1]))
    lowest = np.empty((values, len(counts)), "<u4")
    permuted = np.empty_like(grams)
    for row, multiplier in zip(lowest, _MULTIPLIERS[:values], strict=True):
        np.multiply(grams, multiplier, out=permuted)
        np.minimum.reduceat(permuted, starts, out=row)
    return [row.tobytes() for row in np.ascontiguousarray(lowest.T)]


def _batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text) + 1
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _sketches(texts: Iterable[str], least: int, values: int) -> Iterator[bytes]:
    """The signature of each text; b"" below `least` words."""
    for batch in _batches(map(_encoded, texts)):
        hashes, counts = _word_hashes(batch)
        enough = counts >= least
        made = iter(_minhash(hashes[np.repeat(enough, counts)], counts[enough], values))
        yield from (next(made) if place else b"" for place in enough.tolist())


def _place(candidate: Candidate) -> bytes:
    cited = citation(candidate)
    if not cited:
        return b""
    key = "|".join(cited).encode("utf8", "surrogatepass")
    return zlib.crc32(key).to_bytes(4, "little") + zlib.adler32(key).to_bytes(4, "little")


def signatures(candidates: Iterable[Candidate]) -> list[bytes]:
    """The signature of each candidate, in order; see the module for what it holds."""
    listed = list(candidates)
    texts = _sketches((c.plain[:MAX_CHARACTERS] for c in listed), MIN_WORDS, TEXT_VALUES)
    titles = _sketches((title_key(c.title) for c in listed), 1, TITLE_VALUES)
    places = map(_place, listed)
    return [b"".join(parts) for parts in zip(texts, titles, places, strict=True)]


def signature(candidate: Candidate) -> bytes:
    """The signature of one candidate; `signatures` is faster for many."""
    return signatures((candidate,))[0]


def parts(signature: bytes) -> tuple[bytes, bytes, bytes]:
    """The text, title and citation parts of a signature, each empty where it is absent.

    ValueError where `signature` is none.
    """
    size = len(signature)
    text = TEXT_BYTES if size >= TEXT_BYTES else 0
    title = TITLE_BYTES if size - text >= TITLE_BYTES else 0
    if size - text - title not in (0, CITATION_BYTES):
        raise ValueError(f"a signature cannot have {size} bytes")
    return signature[:text], signature[text : text + title], signature[text + title :]


def matrix(rows: Sequence[bytes]) -> _U32:
    """Equally long parts of signatures as rows of an array."""
    return np.frombuffer(b"".join(rows), "<u4").reshape(len(rows), -1)
