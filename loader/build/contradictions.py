"""Decisions of people that cannot all be true: found before one is stored, and afterwards.

In: decisions with the entries that they name. Out: the earlier decisions that say otherwise, and
one line that tells them. "Same" goes on from pair to pair (A and C, C and D: A and D); what was
said to be apart, as versions or as distinct papers, must not be joined by such a chain, and two
papers are either versions or distinct.
"""

from __future__ import annotations

import shlex
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from loader.build.naming import where
from loader.build.settling import named_by
from loader.database import Library
from loader.model import EVERY, Decision

_MOST_SAID = 3  # decisions that a line tells; the rest is counted
_WORDS = {
    "duplicate": "are the same paper",
    "version": "are versions of one work",
    "distinct": "are not the same",
}

_Node = int | str  # an entry, or the key of a decision: its entries may not be here yet
_Way = dict[_Node, tuple["Told", _Node] | None]  # how each node was reached


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A decision and what it names: the two keys with their entries."""

    decision: Decision
    ours: tuple[_Node, ...]
    theirs: tuple[_Node, ...]

    @property
    def joins(self) -> bool:
        return self.decision.verdict == "duplicate"

    @property
    def here(self) -> bool:
        """Does each key name an entry of this library?"""
        return len(self.ours) > 1 and (self.of_group or len(self.theirs) > 1)

    @property
    def of_group(self) -> bool:
        """Is it about all pairs of a group? Then `theirs` is empty."""
        return self.decision.other_text_hash == EVERY

    @property
    def sides(self) -> tuple[tuple[tuple[_Node, ...], tuple[_Node, ...]], ...]:
        """Each side with the other."""
        return (self.ours, self.theirs), (self.theirs, self.ours)


def told(library: Library, decision: Decision) -> Told:
    """A decision with the entries of this library that it names."""
    keys = decision.text_hash, decision.other_text_hash
    sides: list[tuple[_Node, ...]] = [
        () if key == EVERY else (key, *named_by(library, key, decision.basis)) for key in keys
    ]
    return Told(decision, sides[0], sides[1])


class Said:
    """Decisions that agree; each new one is held against them."""

    def __init__(self, decisions: Iterable[Told] = ()) -> None:
        self._joining: dict[_Node, dict[Told, None]] = defaultdict(dict)
        self._parting: dict[_Node, dict[Told, None]] = defaultdict(dict)
        self._parent: dict[_Node, _Node] = {}
        self._size: dict[_Node, int] = {}
        for one in decisions:
            self.add(one)

    def add(self, new: Told) -> None:
        nodes = (*new.ours, *new.theirs)
        at = self._joining if new.joins else self._parting
        for node in nodes:
            at[node][new] = None
        if new.joins:
            for node in nodes[1:]:
                self._join(nodes[0], node)

    def remove(self, old: Told) -> None:
        at = self._joining if old.joins else self._parting
        for node in (*old.ours, *old.theirs):
            at[node].pop(old, None)

    def against(self, new: Told) -> list[Decision]:
        """The decisions that, together, say otherwise than `new`; none where it agrees."""
        if new.of_group:
            return self._within(new) if new.joins else []  # a pair may be an exception
        # walk the smaller side; mostly nothing parts it from anything
        near, far = new.ours, new.theirs
        if sum(map(self._weight, near)) > sum(map(self._weight, far)):
            near, far = far, near
        here = self._reach(near)
        if not new.joins:
            met = _first(far, here)
            if met is not None:
                return _chain(here, met)
        partings = self._partings(here)
        if not partings:
            return []
        there = self._reach(far)
        for parting, beyond in partings:
            met = _first(beyond, there)
            if met is not None and (new.joins or parting.decision.verdict != new.decision.verdict):
                return [parting.decision, *self._between(here, parting), *_chain(there, met)]
        return self._third(here, there, partings) if new.joins else []

    def _within(self, new: Told) -> list[Decision]:
        """What parts two members of a group that is said to be one paper."""
        here = self._reach(new.ours)
        for parting, beyond in self._partings(here):
            met = _first(beyond, here)
            if met is not None:
                return [parting.decision, *self._between(here, parting), *_chain(here, met)]
        return []

    def _third(
        self, here: _Way, there: _Way, partings: list[tuple[Told, tuple[_Node, ...]]]
    ) -> list[Decision]:
        """Joined, would the two be versions of a third paper and distinct from it as well?"""
        others: dict[Told, None] = {parting: None for parting, _ in self._partings(there)}
        for parting, beyond in partings:
            if all(other.decision.verdict == parting.decision.verdict for other in others):
                continue
            third = self._reach(beyond)
            for other, _ in self._partings(third):
                if other in others and other.decision.verdict != parting.decision.verdict:
                    return [
                        parting.decision, other.decision, *self._between(here, parting),
                        *self._between(there, other),
                    ]  # fmt: skip
        return []

    def _partings(self, reached: _Way) -> list[tuple[Told, tuple[_Node, ...]]]:
        """What parts nodes that were reached from others, with the other side."""
        found = {one: None for node in reached for one in self._parting.get(node, ())}
        return [
            (one, other)
            for one in found
            for side, other in one.sides
            if _first(side, reached) is not None
        ]

    def _between(self, reached: _Way, parting: Told) -> list[Decision]:
        met = _first((*parting.ours, *parting.theirs), reached)
        return [] if met is None else _chain(reached, met)

    def _reach(self, start: Iterable[_Node]) -> _Way:
        """Every node that decisions join with `start`."""
        reached: _Way = dict.fromkeys(start)
        waiting = deque(reached)
        used: set[Told] = set()
        while waiting:
            node = waiting.popleft()
            for one in self._joining.get(node, ()):
                if one not in used:
                    used.add(one)
                    for other in (*one.ours, *one.theirs):
                        if other not in reached:
                            reached[other] = (one, node)
                            waiting.append(other)
        return reached

    # How many nodes were ever joined with one: tells the smaller side, and is not undone.

    def _root(self, node: _Node) -> _Node:
        while (parent := self._parent.get(node, node)) != node:
            self._parent[node] = self._parent.get(parent, parent)
            node = parent
        return node

    def _weight(self, node: _Node) -> int:
        return self._size.get(self._root(node), 1)

    def _join(self, one: _Node, other: _Node) -> None:
        one, other = self._root(one), self._root(other)
        if one != other:
            if self._size.get(one, 1) < self._size.get(other, 1):
                one, other = other, one
            self._size[one] = self._size.get(one, 1) + self._size.get(other, 1)
            self._parent[other] = one


def _first(nodes: Iterable[_Node], reached: Mapping[_Node, Any]) -> _Node | None:
    return next((node for node in nodes if node in reached), None)


def _chain(reached: _Way, node: _Node) -> list[Decision]:
    """The decisions that lead to a node from where the walk began."""
    found: list[Decision] = []
    while step := reached[node]:
        found.append(step[0].decision)
        node = step[1]
    return found[::-1]


def every_decision(library: Library) -> Iterator[Decision]:
    """What people said, by its keys."""
    for row in library.rows(
        "select text_hash, other_text_hash, verdict, note, decided_by, decided_at, basis"
        " from decisions order by text_hash, other_text_hash"
    ):
        yield Decision(*row)


def contradictions(library: Library) -> Iterator[str]:
    """Each decision that earlier ones contradict, a line each."""
    held = Said()
    for decision in sorted(every_decision(library), key=lambda d: d.decided_at):
        new = told(library, decision)
        earlier = held.against(new)
        if earlier:
            yield f"decisions: {said(library, decision)}, but {refusal(library, earlier)}"
        else:
            held.add(new)


def refusal(library: Library, earlier: list[Decision]) -> str:
    """The decisions that say otherwise, and how one is taken back, in one line."""
    listed = "; ".join(said(library, decision) for decision in earlier[:_MOST_SAID])
    more = f"; and {len(earlier) - _MOST_SAID} more" if len(earlier) > _MOST_SAID else ""
    which = "one of these" if len(earlier) > 1 else "that"
    here = sorted(earlier, key=lambda d: _pair(library, d)[:6] != "entry:")
    command = f"litsette duplicates forget {_pair(library, here[0])}"
    return f"{listed}{more}; take {which} back first: {command}"


def _pair(library: Library, decision: Decision) -> str:
    """How a command names a decision: by entries, by its keys where these are not here."""
    if decision.other_text_hash == EVERY:
        sql = "select entry_id, other_entry_id from duplicates where group_key = ? limit 1"
        for one, other in library.rows(sql, [decision.text_hash]):
            return f"entry:{one} entry:{other} --group"
    names = _names(library, decision)
    if not all(name.startswith("entry:") for name in names):
        names = [decision.text_hash, decision.other_text_hash]
    return " ".join(map(shlex.quote, names))


def group_called(group: str) -> str:
    """What the pairs of a group share (`duplicates.group_key`), in words."""
    kind, _, value = group.partition(":")
    if kind == "row":
        return f"the id {value.partition(':')[2]} in one file"
    said = {"text": "the same text", "template": "one template"}
    names = {"doi": "DOI", "arxiv": "arXiv id", "openreview": "OpenReview id", "id": "id"}
    return said.get(kind) or f"the {names.get(kind, kind)} {value}"


def said(library: Library, decision: Decision) -> str:
    """A decision in words: what it names, the verdict, who said it and when."""
    if decision.other_text_hash == EVERY:
        count = len(named_by(library, decision.text_hash, decision.basis))
        shared = group_called(decision.text_hash)
        return f"the {count:,} entries with {shared} {_WORDS[decision.verdict]}{_by(decision)}"
    names = []
    for name in _names(library, decision):
        entry = name.removeprefix("entry:")
        names.append(f"{name} ({where(library, int(entry))})" if entry != name else name)
    return f"{names[0]} and {names[1]} {_WORDS[decision.verdict]}{_by(decision)}"


def _by(decision: Decision) -> str:
    by = ", ".join(filter(None, (decision.decided_by, decision.decided_at[:10])))
    return f" ({by})" if by else ""


def _names(library: Library, decision: Decision) -> list[str]:
    """What a command calls the two sides of a decision."""
    found = []
    for key in (decision.text_hash, decision.other_text_hash):
        entries = named_by(library, key, decision.basis)
        found.append(f"entry:{entries[0]}" if entries else f"a text that is not here ({key[:12]})")
    return found
