"""One text and all stored signatures to the entries that it may resemble.

In: signatures of what is asked about; the stored ones, in batches. Out: ids, the most alike first.
Every stored signature is looked at, which takes a millisecond for a thousand and needs no index;
`finding` is for many entries at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from loader.duplicates.bands import RESEMBLES
from loader.duplicates.signatures import (
    CITATION_BYTES,
    TEXT_BYTES,
    TITLE_BYTES,
    matrix,
    parts,
)

# how long a signature with a title is
TITLED: Final = frozenset(
    TITLE_BYTES + text + place for text in (0, TEXT_BYTES) for place in (0, CITATION_BYTES)
)


def closest(
    asked: Sequence[bytes], stored: Iterable[Sequence[tuple[int, bytes]]], most: int
) -> list[list[int]]:
    """For each asked signature the ids of at most `most` stored ones that resemble it.

    A text is held against texts and a title against titles; `RESEMBLES` of the values must agree.
    """
    wanted = [parts(signature)[:2] for signature in asked]
    found: list[list[tuple[int, int]]] = [[] for _ in asked]
    for batch in stored:
        texts = [row for row in batch if len(row[1]) >= TEXT_BYTES]
        titles: list[tuple[int, bytes]] = []
        if any(title for _, title in wanted):
            titled = [row for row in batch if len(row[1]) in TITLED]
            titles = [(i, parts(sketch)[1]) for i, sketch in titled]
        for rows, part in ((texts, 0), (titles, 1)):
            if not rows:
                continue
            ids = np.array([i for i, _ in rows])
            size = TEXT_BYTES if part == 0 else len(rows[0][1])
            values = matrix([sketch[:size] for _, sketch in rows])
            for sketches, alike in zip(wanted, found, strict=True):
                if sketches[part]:
                    agree = (values == matrix([sketches[part]])[0]).sum(axis=1)
                    at = np.flatnonzero(agree >= RESEMBLES * values.shape[1])
                    alike.extend(zip((-agree[at]).tolist(), ids[at].tolist(), strict=True))
    return [[i for _, i in sorted(alike)[:most]] for alike in found]
