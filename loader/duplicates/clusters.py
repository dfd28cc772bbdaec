"""Pairs that are joined, and pairs that must stay apart, to clusters.

In: the keys of entries, pairs of entries. Out: which entries are one cluster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


class Clusters:
    """Union-find that knows which texts and which entries must not come together."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.parent = list(range(len(texts)))
        self.members = [[i] for i in range(len(texts))]
        self.texts = [set(keys) for keys in texts]
        self.apart_texts: dict[str, set[str]] = defaultdict(set)
        self.apart: dict[int, set[int]] = defaultdict(set)

    def find(self, i: int) -> int:
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def join(self, i: int, j: int, *, person: bool) -> bool:
        """Make one cluster of two, unless a member of one must stay apart from one of the other.

        What a person joins only another person's word keeps apart.
        """
        i, j = self.find(i), self.find(j)
        if i == j:
            return True
        if len(self.members[i]) < len(self.members[j]):
            i, j = j, i
        if self.apart_texts and any(
            text in self.apart_texts and self.apart_texts[text] & self.texts[i]
            for text in self.texts[j]
        ):
            return False
        if not person and any(
            self.find(other) == i
            for member in self.members[j]
            for other in self.apart.get(member, ())
        ):
            return False
        self.parent[j] = i
        self.members[i] += self.members[j]
        self.texts[i] |= self.texts[j]
        self.members[j], self.texts[j] = [], set()
        return True
