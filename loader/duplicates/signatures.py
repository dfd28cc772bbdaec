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
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..model import Candidate
from .words import MAX_CHARACTERS, citation, title_words, words

TEXT_VALUES: Final = 126
TITLE_VALUES: Final = 48
TEXT_BYTES: Final = 4 * TEXT_VALUES
TITLE_BYTES: Final = 4 * TITLE_VALUES
CITATION_BYTES: Final = 8
MIN_WORDS: Final = 8  # a shorter text says too little to be compared

_U32 = NDArray[np.uint32]
_CHUNK = 4096  # 2-grams hashed at once: 2 MB of hashes

# odd multipliers and offsets of the permutations; part of the stored format, never to change
_random = np.random.RandomState(20260)
_MULTIPLIERS: Final[_U32] = _random.randint(0, 1 << 32, TEXT_VALUES, np.uint32) | np.uint32(1)
_OFFSETS: Final[_U32] = _random.randint(0, 1 << 32, TEXT_VALUES, np.uint32)


class _WordHashes(dict[str, int]):
    def __missing__(self, word: str) -> int:
        value = self[word] = zlib.crc32(word.encode("utf8", "surrogatepass"))
        return value


def _minhash(hashes: _U32, values: int) -> bytes:
    """The signature of a text given as the hashes of its words, at least one."""
    if len(hashes) == 1:
        hashes = np.repeat(hashes, 2)
    grams = hashes[:-1] * np.uint32(0x9E3779B1) + hashes[1:]
    grams ^= grams >> np.uint32(16)
    grams *= np.uint32(0x85EBCA6B)
    grams ^= grams >> np.uint32(13)
    lowest = np.full(values, 0xFFFFFFFF, np.uint32)
    for start in range(0, len(grams), _CHUNK):
        part = grams[start : start + _CHUNK, None] * _MULTIPLIERS[:values]
        part += _OFFSETS[:values]
        np.minimum(lowest, part.min(axis=0), out=lowest)
    return lowest.astype("<u4").tobytes()


def signatures(candidates: Iterable[Candidate]) -> list[bytes]:
    """The signature of each candidate, in order; see the module for what it holds."""
    known = _WordHashes()
    found = []
    for candidate in candidates:
        parts = []
        for tokens, least, values in (
            (words(candidate.plain[:MAX_CHARACTERS]), MIN_WORDS, TEXT_VALUES),
            (title_words(candidate.title), 1, TITLE_VALUES),
        ):
            if len(tokens) >= least:
                hashes = np.array([known[token] for token in tokens], np.uint32)
                parts.append(_minhash(hashes, values))
        place = citation(candidate)
        if place:
            key = "|".join(place).encode("utf8", "surrogatepass")
            parts.append(
                zlib.crc32(key).to_bytes(4, "little") + zlib.adler32(key).to_bytes(4, "little")
            )
        found.append(b"".join(parts))
    return found


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
