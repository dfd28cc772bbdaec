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
from loader.duplicates.cliques import cliques
from loader.duplicates.clusters import Clusters
from loader.duplicates.finding import COPIES
from loader.duplicates.keeping import keep_key
from loader.duplicates.pairs import (
    AUTOMATIC,
    KINDS,
    PLACEHOLDER,
    POSSIBLE,
    Reading,
    compare,
    match_metadata,
    one_name,
    shared_ids,
)
from loader.model import EVERY, Candidate, Decision, Edge, Settlement, Verdict

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
    but the kept one being `a` once; between two papers there is at most one verdict. Pairs that
    one answer settles (one text, one DOI or one template over and over) have the same `group`.
    """
    linked = {i for edge in edges for i in (edge.a, edge.b)}
    heard = {text for d in decisions for text in (d.text_hash, d.other_text_hash)}
    grouped = [
        entry
        for entry in members
        if entry.id in linked
        or not heard.isdisjoint((entry.text_hash, *entry.keys, *_shared(entry)))
    ]
    settled = _Group(grouped, edges, decisions).settle()
    ids = {entry.id for entry in grouped}
    alone = [(entry.id,) for entry in members if entry.id not in ids]
    return replace(settled, clusters=tuple(sorted([*settled.clusters, *alone])))


@dataclass(frozen=True, slots=True)
class _Said:
    """A decision about a pair of texts or a group, as evidence."""

    verdict: Verdict
    evidence: str


@dataclass(frozen=True, slots=True)
class _Crowd:
    """Why an entry has too much company to merge."""

    reason: str
    large: bool  # so large that `find` may have left out edges
    by_copies: bool = False  # it is the same text or title over and over


def _hear(decisions: Sequence[Decision]) -> tuple[dict[_TextPair, _Said], dict[str, _Said]]:
    """The last decision about each pair of texts, and about each group."""
    pairs: dict[_TextPair, _Said] = {}
    groups: dict[str, _Said] = {}
    order = sorted(decisions, key=lambda d: (d.decided_at, d.verdict, d.decided_by, d.note))
    for d in order:
        if _NO_TEXT in (d.text_hash, d.other_text_hash):
            continue  # it would be about all entries without a text
        one, two = sorted((d.text_hash, d.other_text_hash))
        evidence = "a person said so"
        if d.decided_by:
            evidence = f"{d.decided_by} said so"
        if d.basis == "group":
            evidence += " of the whole group"
        if d.decided_at:
            evidence += f" on {d.decided_at[:10]}"
        if d.note:
            evidence += f": {d.note}"
        if two == EVERY:
            groups[one] = _Said(d.verdict, evidence)
        else:
            pairs[one, two] = _Said(d.verdict, evidence)
    return pairs, groups


def _shared(entry: Candidate) -> tuple[str, ...]:
    """The groups that an entry can be of, by itself."""
    return (
        f"text:{entry.plain_hash}",
        f"template:{entry.plain_hash}",
        entry.name,
        *entry.identifiers,
    )


def _but(evidence: str, reason: str) -> str:
    same = "the same text"
    if evidence.endswith(same) and reason.startswith(same):
        return evidence.removesuffix(same) + reason
    return f"{evidence}{'; ' if ', but ' in evidence else ', but '}{reason}"


class _Group:
    """The members by rank: 0 is the one `keep` would choose of all."""

    def __init__(
        self, members: Sequence[Candidate], edges: Sequence[Edge], decisions: Sequence[Decision]
    ) -> None:
        self.entries = sorted(members, key=keep_key)
        self.index = {entry.id: i for i, entry in enumerate(self.entries)}
        self.readings: dict[int, Reading] = {}
        self.said, self.said_of_groups = _hear(decisions)
        self.by_text: dict[str, list[int]] = defaultdict(list)
        for i, entry in enumerate(self.entries):
            for key in (entry.text_hash, *entry.keys):
                self.by_text[key].append(i)
        self.families: dict[int, list[tuple[int, Edge]]] = defaultdict(list)  # by its leader
        self.family_sizes: dict[int, int] = {}
        self.family_names: dict[int, str] = {}
        self.leaders: dict[int, int] = {}  # of each member of a family
        self.same: dict[str, list[int]] = defaultdict(list)  # by text, or title without one
        self.named: dict[str, list[int]] = defaultdict(list)  # by identifier
        for i, entry in enumerate(self.entries):
            if entry.plain or entry.title:
                self.same[entry.plain_hash].append(i)
            for identifier in filter(None, (entry.name, *entry.identifiers)):
                self.named[identifier].append(i)
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
        return Edge(other, kept, verdict, edge.method, edge.score, evidence, edge.group)

    def group_of(self, pair: _Pair, edge: Edge) -> str:
        """What a pair that is asked about shares with many others, "" where it stands alone."""
        one, two = (self.entries[i] for i in pair)
        equal = one.plain_hash == two.plain_hash and one.plain_hash in self.same
        if equal and (edge.method in ("exact", "normalized") or not one.plain):
            return f"text:{one.plain_hash}"
        if edge.method == "identifier":
            return (*self.identifiers_of(pair), *one_name(one, two), "")[0]
        for identifier in self.identifiers_of(pair):  # of a supplement: alike or not, one question
            if len(self.named[identifier]) > TEMPLATE:
                return identifier
        ours, theirs = (self.leaders.get(i) for i in pair)
        if ours is None or theirs is None:
            return ""
        return self.family_name(min(ours, theirs))

    def identifiers_of(self, pair: _Pair) -> list[str]:
        """The identifiers that both entries of a pair state."""
        one, two = (set(self.entries[i].identifiers) for i in pair)
        return sorted(one & two)

    def family_name(self, leader: int) -> str:
        """The name of a family: the member that people heard of it by, else its leader."""
        if leader not in self.family_names:
            members = (leader, *(i for i, _ in self.families[leader]))
            names = [f"template:{self.entries[i].plain_hash}" for i in members]
            said = sorted(self.said_of_groups.keys() & set(names))
            self.family_names[leader] = said[0] if said else names[0]
        return self.family_names[leader]

    def why(self, group: str) -> str:
        """Why pairs of this group are no duplicates by themselves; "" where they are few."""
        kind, _, key = group.partition(":")
        if kind == "text":
            copies = self.same[key]
            what = "text" if self.entries[copies[0]].plain else "title"
            return f"the same {what} stands in {len(copies):,} entries" if len(copies) > 2 else ""
        count = len(self.named.get(group, ()))
        return f"{count:,} entries share this {KINDS.get(kind, kind)}" if count > 2 else ""

    # --- the steps ------------------------------------------------------------------------

    def settle(self) -> Settlement:
        self.straighten_copies()
        self.straighten_weak()
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
        left: set[_Pair] = set()
        for pair, edge in self.in_order(accepted):
            if clusters.join(*pair, person=edge.method == "user"):
                joined[pair] = edge
            else:
                evidence = _but(edge.evidence, "one of the two papers is told apart from the other")
                asked[pair] = replace(edge, verdict="possible", evidence=evidence)
                left.add(pair)
        groups: dict[int, list[int]] = defaultdict(list)
        for i in range(len(self.entries)):
            groups[clusters.find(i)].append(i)
        rows = [*self.merges(groups, joined), *self.questions(clusters, asked, left)]
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

    def free_clusters(self) -> Clusters:
        """Every entry by itself, and what must not come together."""
        clusters = Clusters([(entry.text_hash, *entry.keys) for entry in self.entries])
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
        large = {
            text: copies
            for text, copies in same.items()
            if len(copies) > COPIES and self.reading(copies[0]).informative
        }
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

    def is_weak(self, pair: _Pair, edge: Edge) -> bool:
        """Is it no likeness, but a reason why two equal names or empty words are not one paper?"""
        if edge.score or edge.verdict != "possible":
            return False
        return edge.method != "identifier" or not self.identifiers_of(pair)

    def straighten_weak(self) -> None:
        """Entries with one id, or one text that says nothing: each linked to their first."""
        weak = [pair for pair, edge in self.pairs.items() if self.is_weak(pair, edge)]
        if not weak:
            return
        for pair in weak:
            del self.pairs[pair]
        linked = {i for pair in weak for i in pair}
        keys = {self.entries[i].plain_hash for i in linked if not self.reading(i).informative}
        groups = [self.same[key] for key in sorted(keys) if key in self.same]
        names = {self.entries[i].name for i in linked} - {""}
        groups += [self.named[name] for name in sorted(names)]
        for first, *others in groups:
            for i in others:
                edge = self.pair(first, i)
                # two texts that say that there is no abstract are nothing to ask about
                if edge and (len(others) > 1 or PLACEHOLDER not in edge.evidence):
                    self.pairs[first, i] = edge

    def crowds(self) -> dict[int, _Crowd]:
        """The entries that have too much company to merge."""
        near: dict[int, set[str]] = defaultdict(set)
        by_text: set[int] = set()
        for (i, j), edge in self.pairs.items():
            if edge.method in ("near", "identifier") and not self.is_weak((i, j), edge):
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
            if first.candidate.plain and not first.informative:
                continue  # such a text links nothing anyway
            if len(titles) > TEMPLATE or len(first.words) < LONG_WORDS:
                what = "text" if first.informative else "title"
                reason = f"the same {what} stands in {len(group):,} entries"
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
                self.leaders[i] = leader
        self.keep_families()

    def keep_families(self) -> None:
        """What people said of a template holds when it has few members left, too."""
        for group in self.said_of_groups:
            anchors = self.same.get(group.removeprefix("template:"), ())
            if not anchors or anchors[0] in self.leaders:
                continue
            for (i, j), edge in self.pairs.items():
                if anchors[0] in (i, j) and edge.method == "near" and edge.score >= POSSIBLE:
                    other = j if i == anchors[0] else i
                    if self.leaders.setdefault(other, anchors[0]) == anchors[0]:
                        self.families[anchors[0]].append((other, edge))
            self.leaders[anchors[0]] = anchors[0]

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
            if edge.verdict == "duplicate" and self.told_apart(pair, edge):
                asked[pair] = self.question(pair, replace(edge, verdict="possible"), None)
            elif edge.verdict == "duplicate" and (
                not company or self.merges_in_crowd(*pair, crowds)
            ):
                accepted[pair] = edge
            elif len(company) < 2 or self.is_weak(pair, edge):
                crowd = company[0] if len(company) == 1 else None
                asked[pair] = self.question(pair, edge, crowd)
            elif edge.verdict == "duplicate" and not (company[0].large or company[1].large):
                for i in pair:
                    nearest[i] = min(nearest.get(i, (0.0, pair)), (-edge.score, pair))
        for _, pair in nearest.values():
            asked[pair] = self.question(pair, self.pairs[pair], crowds[pair[0]])
        for leader, family in self.families.items():
            for i, edge in family:
                pair = min(leader, i), max(leader, i)
                if pair not in accepted and pair not in asked:
                    asked[pair] = self.question(
                        pair, replace(edge, verdict="possible"), crowds.get(i)
                    )
        self.hear_of_groups(accepted, asked)
        for (one, two), said in self.said.items():
            for pair in self.pairs_of(one, two):
                known = self.pair(*pair)
                score = known.score if known else 0.0
                ids = sorted(self.entries[i].id for i in pair)
                group = asked[pair].group if pair in asked else ""
                evidence = said.evidence
                one_id = one_name(*(self.entries[i] for i in pair))
                if both := [*self.identifiers_of(pair), *one_id]:
                    evidence += f"; same {shared_ids(both)}"
                edge = Edge(ids[0], ids[1], said.verdict, "user", score, evidence, group)
                accepted.pop(pair, None)
                asked.pop(pair, None)
                (accepted if said.verdict == "duplicate" else asked)[pair] = edge
        return accepted, asked

    def question(self, pair: _Pair, edge: Edge, crowd: _Crowd | None) -> Edge:
        """A pair that does not merge, with the reason, and with the group that it is asked in."""
        verdict = "possible" if edge.verdict == "duplicate" else edge.verdict
        group = self.group_of(pair, edge) if verdict == "possible" else ""
        reason = self.why(group) or (crowd.reason if crowd else "")
        evidence = _but(edge.evidence, reason) if reason else edge.evidence
        return replace(edge, verdict=verdict, evidence=evidence, group=group)

    def told_apart(self, pair: _Pair, edge: Edge) -> bool:
        """Did people say of the group of a pair that it is many papers?"""
        if not self.said_of_groups:
            return False
        group = self.group_of(pair, edge)
        said = self.said_of_groups.get(group)
        if not said or said.verdict == "duplicate":
            return False
        copies = _Crowd("", large=True, by_copies=group.startswith("text:"))
        return not self.merges_in_crowd(*pair, {pair[0]: copies})

    def hear_of_groups(self, accepted: dict[_Pair, Edge], asked: dict[_Pair, Edge]) -> None:
        """What people said of whole groups, in place of the questions."""
        if not self.said_of_groups:
            return
        for pair, edge in list(asked.items()):
            answer = self.said_of_groups.get(edge.group)
            if answer and edge.verdict == "possible":
                del asked[pair]
                into = accepted if answer.verdict == "duplicate" else asked
                into[pair] = replace(
                    edge, verdict=answer.verdict, method="user", evidence=answer.evidence
                )
        for group, said in self.said_of_groups.items():
            if said.verdict != "duplicate":
                continue
            first, *others = self.members_of(group) or [0]
            for i in others:
                if (first, i) not in accepted:
                    known = self.pair(first, i)
                    ids = sorted((self.entries[first].id, self.entries[i].id))
                    accepted[first, i] = Edge(
                        ids[0], ids[1], "duplicate", "user", known.score if known else 0.0,
                        said.evidence, group,
                    )  # fmt: skip

    def members_of(self, group: str) -> list[int]:
        """The entries that a group names, the kept one first."""
        kind, _, key = group.partition(":")
        if kind == "text":
            return self.same.get(key, [])
        if kind != "template":
            return self.named.get(group, [])
        for leader, family in self.families.items():
            if self.family_name(leader) == group:
                return sorted((leader, *(i for i, _ in family)))
        return []

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
                    edge.method, edge.score, edge.evidence, edge.group,
                )  # fmt: skip

    def questions(
        self, clusters: Clusters, asked: Mapping[_Pair, Edge], left: Set[_Pair]
    ) -> Iterator[Edge]:
        """At most one verdict between two papers: a person's, else the most alike pair's.

        What tells two papers apart says more than pairs that were `left` apart for it.
        """
        best: dict[_Pair, tuple[Any, _Pair, Edge]] = {}
        for pair, edge in asked.items():
            i, j = (clusters.find(k) for k in pair)
            if i == j:
                continue
            order = (edge.method != "user", pair in left, -edge.score, edge.verdict, pair)
            papers = (min(i, j), max(i, j))
            if papers not in best or order < best[papers][0]:
                best[papers] = (order, pair, edge)
        kept: dict[int, int] = {}  # the first entry of each paper
        for papers in best:
            for root in papers:
                if root not in kept:
                    kept[root] = min(clusters.members[root])
        alone = {
            (min(kept[i], kept[j]), max(kept[i], kept[j])): (i, j)
            for (i, j), (_, _, edge) in best.items()
            if edge.verdict == "possible" and edge.method == "near" and not edge.group
        }
        for firsts, (leader, size) in cliques(alone).items():
            order, pair, edge = best[alone[firsts]]
            evidence = _but(edge.evidence, f"{size} papers resemble each other so")
            group = f"template:{self.entries[leader].plain_hash}"
            best[alone[firsts]] = (order, pair, replace(edge, evidence=evidence, group=group))
        for _, pair, edge in best.values():
            yield self.verdict(pair, edge, edge.verdict, edge.evidence)
