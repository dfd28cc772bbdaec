"""A group of entries, its edges and people's decisions to clusters and verdicts.

In: the entries of one or more connected groups, every edge among them, the decisions. Out: a
`Settlement`. Templates, vetoes and people are heard here. What comes out depends on the
contents of the entries only, not on ids, on the order of edges, or on which edges `find` left
out of a crowd.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any, Final

from loader.duplicates.bands import CROWD
from loader.duplicates.finding import COPIES
from loader.duplicates.keeping import keep_key
from loader.duplicates.pairs import AUTOMATIC, POSSIBLE, Reading, compare, match_metadata
from loader.model import Candidate, Decision, Edge, Settlement, Verdict

TEMPLATE: Final = 10  # distinct near neighbours; with more a text is a template
LONG_WORDS: Final = 30  # a shorter text with more than TEMPLATE copies is a placeholder
LEADERS: Final = 20  # texts that the members of a template family are compared with

_NO_TEXT: Final = hashlib.sha256(b"").hexdigest()

_Pair = tuple[int, int]
_TextPair = tuple[str, str]
_METHODS = ("user", "exact", "normalized", "identifier", "near")


def settle(
    members: Sequence[Candidate], edges: Sequence[Edge], decisions: Sequence[Decision] = ()
) -> Settlement:
    """Which of `members` are one paper, and a verdict with its reason for every pair that counts.

    `edges` are those `find` gave among the members; an edge to another entry is ignored. A
    decision applies where entries of both its keys (a text or one of `Candidate.keys`) are
    members, and wins over every rule; of two about the same keys the later wins.

    In each verdict `a` is the entry absorbed or asked about (`duplicates.entry_id`) and `b` the
    other (`duplicates.other_entry_id`): the kept entry where the two resemble, else the
    nearest entry of the paper. A paper of k entries has k - 1 verdicts "duplicate", each entry
    but the kept one being `a` once; between two papers there is at most one verdict.
    """
    linked = {i for edge in edges for i in (edge.a, edge.b)}
    heard = {text for d in decisions for text in (d.text_hash, d.other_text_hash)}
    grouped = [
        entry
        for entry in members
        if entry.id in linked or not heard.isdisjoint((entry.text_hash, *entry.keys))
    ]
    settled = _Group(grouped, edges, decisions).settle()
    ids = {entry.id for entry in grouped}
    alone = [(entry.id,) for entry in members if entry.id not in ids]
    return replace(settled, clusters=tuple(sorted([*settled.clusters, *alone])))


@dataclass(frozen=True, slots=True)
class _Said:
    """A decision about a pair of texts, as evidence."""

    verdict: Verdict
    evidence: str


@dataclass(frozen=True, slots=True)
class _Crowd:
    """Why an entry has too much company to merge."""

    reason: str
    large: bool  # so large that `find` may have left out edges
    by_copies: bool = False  # it is the same text or title over and over


def _hear(decisions: Sequence[Decision]) -> dict[_TextPair, _Said]:
    """The last decision about each pair of texts."""
    said = {}
    order = sorted(decisions, key=lambda d: (d.decided_at, d.verdict, d.decided_by, d.note))
    for d in order:
        if _NO_TEXT in (d.text_hash, d.other_text_hash):
            continue  # it would be about all entries without a text
        one, two = sorted((d.text_hash, d.other_text_hash))
        evidence = "a person said so"
        if d.decided_by:
            evidence = f"{d.decided_by} said so"
        if d.decided_at:
            evidence += f" on {d.decided_at[:10]}"
        if d.note:
            evidence += f": {d.note}"
        said[one, two] = _Said(d.verdict, evidence)
    return said


class _Clusters:
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


class _Group:
    """The members by rank: 0 is the one `keep` would choose of all."""

    def __init__(
        self, members: Sequence[Candidate], edges: Sequence[Edge], decisions: Sequence[Decision]
    ) -> None:
        self.entries = sorted(members, key=keep_key)
        self.index = {entry.id: i for i, entry in enumerate(self.entries)}
        self.readings: dict[int, Reading] = {}
        self.said = _hear(decisions)
        self.by_text: dict[str, list[int]] = defaultdict(list)
        for i, entry in enumerate(self.entries):
            for key in (entry.text_hash, *entry.keys):
                self.by_text[key].append(i)
        self.families: dict[int, list[tuple[int, Edge]]] = defaultdict(list)  # by its leader
        self.family_sizes: dict[int, int] = {}
        self.pairs: dict[_Pair, Edge] = {}
        for edge in edges:
            one, two = self.index.get(edge.a), self.index.get(edge.b)
            if one is not None and two is not None and one != two:
                self.pairs[min(one, two), max(one, two)] = edge

    # --- looking at pairs ---------------------------------------------------------------

    def reading(self, i: int) -> Reading:
        if i not in self.readings:
            self.readings[i] = Reading(self.entries[i])
        return self.readings[i]

    def pair(self, i: int, j: int) -> Edge | None:
        """The edge of a pair, compared now where `find` did not."""
        key = (min(i, j), max(i, j))
        return self.pairs.get(key) or compare(self.reading(key[0]), self.reading(key[1]))

    def verdict(self, pair: _Pair, edge: Edge, verdict: Verdict, evidence: str) -> Edge:
        """A row about a pair: the entry of lower rank is absorbed or asked about."""
        kept, other = (self.entries[i].id for i in sorted(pair))
        return Edge(other, kept, verdict, edge.method, edge.score, evidence)

    # --- the steps ------------------------------------------------------------------------

    def settle(self) -> Settlement:
        self.straighten_copies()
        crowds = self.crowds()
        accepted, asked = self.judge(crowds)
        clusters = self.free_clusters()
        said = [pair for pair, edge in accepted.items() if edge.method == "user"]
        if said:
            # what a person joins are the papers that the rules make of the rest; no veto of a
            # rule between the two may then take one of them apart
            alone = self.free_clusters()
            for pair, edge in self.in_order(accepted):
                if edge.method != "user":
                    alone.join(*pair, person=False)
            for one, two in said:
                ours, theirs = (set(alone.members[alone.find(i)]) for i in (one, two))
                for i in ours & clusters.apart.keys():
                    clusters.apart[i] -= theirs
                for i in theirs & clusters.apart.keys():
                    clusters.apart[i] -= ours
        joined: dict[_Pair, Edge] = {}
        for pair, edge in self.in_order(accepted):
            if clusters.join(*pair, person=edge.method == "user"):
                joined[pair] = edge
            else:
                evidence = (
                    f"{edge.evidence}, but one of the two papers is told apart from the other"
                )
                asked[pair] = replace(edge, verdict="possible", evidence=evidence)
        groups: dict[int, list[int]] = defaultdict(list)
        for i in range(len(self.entries)):
            groups[clusters.find(i)].append(i)
        rows = [*self.merges(groups, joined), *self.questions(clusters, asked)]
        return Settlement(
            clusters=tuple(
                sorted(tuple(sorted(self.entries[i].id for i in g)) for g in groups.values())
            ),
            verdicts=tuple(sorted(rows, key=lambda e: (self.index[e.b], self.index[e.a]))),
        )

    def in_order(self, accepted: Mapping[_Pair, Edge]) -> list[tuple[_Pair, Edge]]:
        """The pairs to join, the surest first."""
        return sorted(
            accepted.items(), key=lambda p: (_METHODS.index(p[1].method), -p[1].score, p[0])
        )

    def free_clusters(self) -> _Clusters:
        """Every entry by itself, and what must not come together."""
        clusters = _Clusters([(entry.text_hash, *entry.keys) for entry in self.entries])
        for (one, two), said in self.said.items():
            if said.verdict != "duplicate":
                clusters.apart_texts[one].add(two)
                clusters.apart_texts[two].add(one)
        for (i, j), edge in self.pairs.items():
            # as alike as copies are, and yet no copies: something vetoed it
            if edge.verdict != "duplicate" and edge.score >= AUTOMATIC:
                clusters.apart[i].add(j)
                clusters.apart[j].add(i)
        return clusters

    def straighten_copies(self) -> None:
        """Many entries with one text: a star each text and title, whatever `find` left out."""
        same: dict[str, list[int]] = defaultdict(list)
        for i, entry in enumerate(self.entries):
            if entry.plain:
                same[entry.plain_hash].append(i)
        large = {text: copies for text, copies in same.items() if len(copies) > COPIES}
        if not large:
            return
        inside = {i: text for text, copies in large.items() for i in copies}
        self.pairs = {
            (i, j): edge
            for (i, j), edge in self.pairs.items()
            if i not in inside or inside[i] != inside.get(j)
        }
        for copies in large.values():
            first: dict[str, int] = {}
            for i in copies:
                hub = first.setdefault(self.reading(i).title_joined, i)
                for other in {hub, copies[0]} - {i}:
                    edge = self.pair(other, i)
                    if edge:
                        self.pairs[min(other, i), max(other, i)] = edge

    def crowds(self) -> dict[int, _Crowd]:
        """The entries that have too much company to merge."""
        near: dict[int, set[str]] = defaultdict(set)
        by_text: set[int] = set()
        for (i, j), edge in self.pairs.items():
            if edge.method in ("near", "identifier"):
                near[i].add(self.content(j))
                near[j].add(self.content(i))
            if edge.method == "near":
                by_text.update((i, j))
        counts = {i: len(contents - {self.content(i)}) for i, contents in near.items()}
        copies = self.copies()
        self.gather_families({i for i, count in counts.items() if count > TEMPLATE} | copies.keys())
        found = {}
        for i, count in counts.items():
            if count > TEMPLATE:
                size = self.family_sizes.get(i, 0)
                # in a small family every pair was compared; in a large one `find` left some out
                others = str(count) if 0 < size <= CROWD else str(size - 1) if size else "many"
                what = "a template" if i in by_text else "an identifier"
                found[i] = _Crowd(f"shares {what} with {others} others", not 0 < size <= CROWD)
        return found | copies

    def copies(self) -> dict[int, _Crowd]:
        """The entries whose text or title too many others have too, to mean the same paper."""
        same: dict[str, list[int]] = defaultdict(list)
        for i in range(len(self.entries)):
            same[self.content(i)].append(i)
        found: dict[int, _Crowd] = {}
        for group in same.values():
            if len(group) <= TEMPLATE:
                continue
            titles = {self.reading(i).title_joined for i in group} - {""}
            first = self.reading(group[0])
            if len(titles) > TEMPLATE or len(first.words) < LONG_WORDS:
                what = "text" if first.informative else "title"
                reason = f"shares its {what} with {len(group) - 1} others"
                found.update(dict.fromkeys(group, _Crowd(reason, large=True, by_copies=True)))
        return found

    def gather_families(self, crowd: Set[int]) -> None:
        """Put each entry of a crowd to the first one of it that it resembles."""
        leaders: list[int] = []
        for i in sorted(crowd):
            for leader in leaders:
                edge = self.pair(leader, i)
                if edge and (edge.score >= POSSIBLE or edge.method == "identifier"):
                    self.families[leader].append((i, edge))
                    break
            else:
                if len(leaders) < LEADERS:
                    leaders.append(i)
        for leader, family in self.families.items():
            for i in (leader, *(i for i, _ in family)):
                self.family_sizes[i] = len(family) + 1

    def content(self, i: int) -> str:
        """What an entry says, as a key; with neither text nor title it is like no other."""
        entry = self.entries[i]
        return entry.plain_hash if entry.plain else self.reading(i).title_joined or f"#{i}"

    def merges_in_crowd(self, i: int, j: int, crowds: Mapping[int, _Crowd]) -> bool:
        """May two entries of a crowd merge all the same?"""
        one, two = self.reading(i), self.reading(j)
        fields = match_metadata(one, two)
        if fields.title == 100 and fields.authors is not False:
            if one.informative and one.words == two.words:
                return True
            return bool(fields.authors and (fields.same_place or fields.shared))
        if any(k in crowds and crowds[k].by_copies for k in (i, j)):
            return False
        return self.entries[i].plain_hash == self.entries[j].plain_hash

    def judge(self, crowds: Mapping[int, _Crowd]) -> tuple[dict[_Pair, Edge], dict[_Pair, Edge]]:
        """The pairs to merge, and those to ask about, with people and crowds heard."""
        accepted: dict[_Pair, Edge] = {}
        asked: dict[_Pair, Edge] = {}
        nearest: dict[int, tuple[float, _Pair]] = {}
        for pair, edge in self.pairs.items():
            company = [crowds[i] for i in pair if i in crowds]
            if edge.verdict == "duplicate" and (not company or self.merges_in_crowd(*pair, crowds)):
                accepted[pair] = edge
            elif len(company) < 2:
                reason = f", but {company[0].reason}" if company else ""
                verdict = "possible" if edge.verdict == "duplicate" else edge.verdict
                asked[pair] = replace(edge, verdict=verdict, evidence=edge.evidence + reason)
            elif edge.verdict == "duplicate" and not (company[0].large or company[1].large):
                for i in pair:
                    nearest[i] = min(nearest.get(i, (0.0, pair)), (-edge.score, pair))
        for _, pair in nearest.values():
            edge = self.pairs[pair]
            evidence = f"{edge.evidence}, but {crowds[pair[0]].reason}"
            asked[pair] = replace(edge, verdict="possible", evidence=evidence)
        for leader, family in self.families.items():
            for i, edge in family:
                if (leader, i) not in accepted and (leader, i) not in asked:
                    evidence = f"{edge.evidence}, but {crowds[i].reason}"
                    asked[leader, i] = replace(edge, verdict="possible", evidence=evidence)
        for (one, two), said in self.said.items():
            for pair in self.pairs_of(one, two):
                known = self.pair(*pair)
                score = known.score if known else 0.0
                ids = sorted(self.entries[i].id for i in pair)
                edge = Edge(ids[0], ids[1], said.verdict, "user", score, said.evidence)
                accepted.pop(pair, None)
                asked.pop(pair, None)
                (accepted if said.verdict == "duplicate" else asked)[pair] = edge
        return accepted, asked

    def pairs_of(self, one: str, two: str) -> Iterator[_Pair]:
        """Pairs that link all entries of two texts: each with the first of the other."""
        ours, theirs = self.by_text.get(one, []), self.by_text.get(two, [])
        if ours and theirs:
            found = {(min(ours[0], j), max(ours[0], j)) for j in theirs}
            found |= {(min(i, theirs[0]), max(i, theirs[0])) for i in ours}
            yield from (pair for pair in sorted(found) if pair[0] != pair[1])

    def merges(
        self, groups: Mapping[int, Sequence[int]], joined: Mapping[_Pair, Edge]
    ) -> Iterator[Edge]:
        """The k - 1 verdicts of each cluster: to the kept entry, else to the nearest."""
        links: dict[int, list[int]] = defaultdict(list)
        for i, j in joined:
            links[i].append(j)
            links[j].append(i)
        for group in groups.values():
            kept = group[0]
            waiting: list[tuple[bool, float, int, int]] = []
            reached = {kept}
            near = kept
            while True:
                for other in links[near]:
                    edge = joined[min(near, other), max(near, other)]
                    if other not in reached:
                        heappush(waiting, (near != kept, -edge.score, near, other))
                while waiting and waiting[0][3] in reached:
                    heappop(waiting)
                if not waiting:
                    break
                _, _, hub, near = heappop(waiting)
                reached.add(near)
                edge = joined[min(hub, near), max(hub, near)]
                yield Edge(
                    self.entries[near].id, self.entries[hub].id, "duplicate",
                    edge.method, edge.score, edge.evidence,
                )  # fmt: skip

    def questions(self, clusters: _Clusters, asked: Mapping[_Pair, Edge]) -> Iterator[Edge]:
        """At most one verdict between two papers: a person's, else the most alike pair's."""
        best: dict[_Pair, tuple[Any, _Pair, Edge]] = {}
        for pair, edge in asked.items():
            i, j = (clusters.find(k) for k in pair)
            if i == j:
                continue
            order = (edge.method != "user", -edge.score, edge.verdict, pair)
            papers = (min(i, j), max(i, j))
            if papers not in best or order < best[papers][0]:
                best[papers] = (order, pair, edge)
        for _, pair, edge in best.values():
            yield self.verdict(pair, edge, edge.verdict, edge.evidence)
