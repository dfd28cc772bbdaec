"""Papers that nearly all resemble each other, to be asked about at once.

In: pairs of papers. Out: of each pair within such a family, its first paper and its size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

LEAST: Final = 4  # papers; three make three questions, which are answered as quickly
DENSE: Final = 2.0  # pairs for each paper but the first; a family of four has six pairs

_Pair = tuple[int, int]


def cliques(pairs: Iterable[_Pair]) -> dict[_Pair, _Pair]:
    """The pairs (each sorted) that lie in a family, with the family's first paper and its size.

    A family is a paper, in their order, and those paired with it, where they have `DENSE` times
    as many pairs among all of them. Each paper is in one family at most.
    """
    near: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    found: dict[_Pair, _Pair] = {}
    taken: set[int] = set()
    for leader in sorted(near):
        others = near[leader] - taken
        if leader in taken or len(others) < LEAST - 1:
            continue
        family = others | {leader}
        inside = {(a, b) for a in family for b in near[a] & family if a < b}
        if len(inside) >= DENSE * len(others):
            found.update(dict.fromkeys(inside, (leader, len(family))))
            taken |= family
    return found
