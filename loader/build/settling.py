"""Which entries are one paper: settled anew for every group that is touched.

In: new entries, or entries about which something was decided. Out: papers, duplicates, aliases
and the search index brought to the new state. Runs within a transaction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from loader import duplicates as duplicates_room
from loader.build.entries import candidates, short_id
from loader.build.papers import Fact, Plan, Progress, write_papers
from loader.database import Library
from loader.model import EVERY, Basis, Candidate, Decision, Edge, Stored

Fetch = Callable[[Sequence[int]], list[Candidate]]
_SKETCHED = 5_000  # texts between two words of how far it is


def settle_new(
    library: Library, new: Sequence[Candidate], stored: Sequence[Stored], tell: Progress
) -> int:
    """Settle wherever new entries touch; the rows of the new entries are there already.

    Returns how many automatic merges of earlier loads were taken back.
    """
    signatures: list[bytes] = []
    for start in range(0, len(new), _SKETCHED):
        tell("sketching texts", start, len(new))
        signatures += duplicates_room.signatures(new[start : start + _SKETCHED])
    tell("finding duplicates", 0, 0)
    new = [replace(c, signature=s) for c, s in zip(new, signatures, strict=True)]
    fresh = {c.id: c for c in new}

    def fetch(ids: Sequence[int]) -> list[Candidate]:
        return [fresh[i] for i in ids if i in fresh] + candidates(
            library, [i for i in ids if i not in fresh]
        )

    signed = [duplicates_room.stored(c) for c in new]
    library.insert(
        "signatures",
        (
            {
                "entry_id": s.id, "minhash": s.signature, "text_hash": s.text_hash,
                "plain_hash": s.plain_hash, "title_key": s.title_key, "name": s.name,
            }
            for s in signed
        ),
    )  # fmt: skip
    compare_new(library, new, stored, fetch)
    tell("settling which are one paper", 0, 0)
    return settle_groups(library, fresh, fetch, tell, fresh=fresh)


def compare_new(
    library: Library, new: Sequence[Candidate], stored: Sequence[Stored], fetch: Fetch
) -> None:
    """Store every likeness of new entries among themselves and to stored ones."""
    edges = duplicates_room.find(new, stored, fetch)
    library.insert(
        "similarities",
        (
            {
                "entry_id": e.a, "other_entry_id": e.b, "verdict": e.verdict,
                "method": e.method, "score": e.score, "evidence": e.evidence,
            }
            for e in sorted(edges, key=lambda e: (e.a, e.b))
        ),
    )  # fmt: skip


def settle_groups(
    library: Library,
    seeds: Iterable[int],
    fetch: Fetch,
    tell: Progress,
    fresh: Collection[int] = (),
    left: Iterable[int] = (),
) -> int:
    """Settle the groups of the entries `seeds`; `fresh` are those that had no paper so far.

    `left` are the content ids of entries that were taken out: other papers may have those ids now.

    Papers that stay as they are are not written. Returns how many papers that rules had made of
    several entries came apart.
    """
    decided = _decided(library)
    touched = touched_by(library, seeds, decided)
    facts = facts_of(library, touched)
    edges = _edges(library, touched)
    heard = [(d, found) for d, found in decided if not touched.isdisjoint(found)]
    asked = {i for e in edges for i in (e.a, e.b)}
    asked |= {i for _, found in heard for i in found}
    settlement = duplicates_room.settle(fetch(sorted(asked)), edges, [d for d, _ in heard])
    clusters = [list(c) for c in settlement.clusters]
    clusters += [[i] for i in sorted(touched - asked)]
    _write_verdicts(library, touched, settlement.verdicts)
    rivals = _rivals(library, touched, {*left, *(f.content_id for f in facts.values())})
    facts |= facts_of(library, [i for members in rivals for i in members])
    clusters += rivals

    before = {
        row[0]: row[1]
        for row in library.rows_for(
            "select id, entry_id from papers where id in (select value from json_each(:ids))",
            sorted({fact.paper_id for fact in facts.values()}),
        )
    }
    kept_order = {}
    for cluster in clusters:
        if len(cluster) > 1:
            members = fetch(cluster)
            first = duplicates_room.keep(members).id
            rest = sorted((c for c in members if c.id != first), key=duplicates_room.keep_key)
            kept_order[min(cluster)] = [first, *(c.id for c in rest)]
    ordered = [kept_order.get(min(c), c) for c in clusters]
    plans = _paper_ids(library, ordered, facts, before)
    taken_back = _taken_back(plans, facts, fresh)
    same = _unchanged(plans, facts, fresh, before)
    write_papers(
        library,
        [plan for plan in plans if plan.paper_id not in same],
        facts,
        {paper: entry for paper, entry in before.items() if paper not in same},
        tell,
    )
    return taken_back


def touched_by(
    library: Library,
    seeds: Iterable[int],
    decided: Sequence[tuple[Decision, frozenset[int]]] | None = None,
) -> set[int]:
    """Every entry whose paper may change: reached over likenesses, papers or decisions."""
    seen = set(seeds)
    frontier = sorted(seen)
    by_decision: dict[int, list[int]] = defaultdict(list)
    named = [entries for _, entries in (_decided(library) if decided is None else decided)]
    for n, entries in enumerate(named):
        for entry in entries:
            by_decision[entry].append(n)
    waiting = set(range(len(named)))  # a decision about thousands leads to them once
    neighbours = [
        "select other_entry_id from similarities"
        " where entry_id in (select value from json_each(:ids))",
        "select entry_id from similarities"
        " where other_entry_id in (select value from json_each(:ids))",
        # not a join: thousands of new placeholders begin with one paper id
        "select id from entries where paper_id in"
        " (select paper_id from entries where id in (select value from json_each(:ids)))",
    ]
    while frontier:
        found: set[int] = set()
        for sql in neighbours:
            found.update(row[0] for row in library.rows_for(sql, frontier))
        if by_decision:
            reached = {n for entry in frontier for n in by_decision.get(entry, ())} & waiting
            waiting -= reached
            found.update(i for n in reached for i in named[n])
        frontier = sorted(found - seen)
        seen |= found
    return seen


def _edges(library: Library, touched: set[int]) -> list[Edge]:
    return [
        Edge(*row)
        for row in library.rows_for(
            "select entry_id, other_entry_id, verdict, method, score, evidence from similarities"
            " where entry_id in (select value from json_each(:ids))"
            " order by entry_id, other_entry_id",
            sorted(touched),
        )
    ]


def named_by(library: Library, key: str, basis: Basis) -> list[int]:
    """The entries that a key of a decision names."""
    if basis == "place":
        sha256, _, position = key.partition(":")
        rows = library.rows(
            "select e.id from sources s join entries e on e.source_id = s.id"
            " where s.sha256 = ? and e.position = ?",
            [sha256, int(position)],
        )
    elif basis == "group":
        kind, _, value = key.partition(":")
        by_value, values = "select entry_id from entry_identifiers where identifier = ?", [key]
        if kind in ("text", "template"):
            by_value, values = "select id from entries where plain_hash = ?", [value]
        elif kind == "id":
            by_value, values = "select id from entries where external_id = ?", [value]
        elif kind == "row":
            file, _, value = value.partition(":")
            by_value = (
                "select e.id from entries e join sources s on s.id = e.source_id"
                " where e.external_id = ? and substr(s.sha256, 1, 16) = ?"
            )
            values = [value, file]
        rows = library.rows(
            "select entry_id from duplicates where group_key = ? union"
            f" select other_entry_id from duplicates where group_key = ? union {by_value}"
            " order by 1",
            [key, key, *values],
        )
    else:
        rows = library.rows(f"select id from entries where {basis}_hash = ? order by id", [key])
    return [row[0] for row in rows]


def _decided(library: Library) -> list[tuple[Decision, frozenset[int]]]:
    """Every decision about entries of this library, with the entries that it is about."""
    found = []
    for row in library.rows(
        "select text_hash, other_text_hash, verdict, note, decided_by, decided_at, basis"
        " from decisions order by text_hash, other_text_hash"
    ):
        decision = Decision(*row)
        one = named_by(library, decision.text_hash, decision.basis)
        if decision.other_text_hash == EVERY:
            found.append((decision, frozenset(one)))
            continue
        other = one and named_by(library, decision.other_text_hash, decision.basis)
        if one and other:
            found.append((decision, frozenset([*one, *other])))
    return found


def _write_verdicts(library: Library, touched: set[int], verdicts: Sequence[Edge]) -> None:
    """Replace the rows about touched entries; a pair that had a row keeps its id."""
    known = {
        (min(row[1:]), max(row[1:])): row[0]
        for side in ("entry_id", "other_entry_id")
        for row in library.rows_for(
            "select id, entry_id, other_entry_id from duplicates"
            f" where {side} in (select value from json_each(:ids))",
            sorted(touched),
        )
    }
    next_id = library.next_id("duplicates")
    library.delete("duplicates", "id", known.values())
    fresh = count(next_id)
    ids = [known.get((min(v.a, v.b), max(v.a, v.b))) or next(fresh) for v in verdicts]
    asked: dict[str, tuple[float, int]] = {}  # the pair that stands for a group, the likeliest
    for row_id, v in zip(ids, verdicts, strict=True):
        if v.verdict == "possible" and (v.group not in asked or v.score > asked[v.group][0]):
            asked[v.group] = (v.score, row_id)
    library.insert(
        "duplicates",
        (
            {
                "id": row_id, "entry_id": v.a, "other_entry_id": v.b, "verdict": v.verdict,
                "method": v.method, "score": v.score, "evidence": v.evidence,
                "group_key": v.group,
                "question_id": None if v.verdict != "possible" else
                asked[v.group][1] if v.group else row_id,
            }
            for row_id, v in zip(ids, verdicts, strict=True)
        ),
    )  # fmt: skip


def facts_of(library: Library, entries: Iterable[int]) -> dict[int, Fact]:
    """What a paper's id is made of, and the paper that entries belong to now."""
    return {
        row[0]: Fact(*row[1:])
        for row in library.rows_for(
            "select e.id, e.content_id, e.paper_id, e.record_hash, s.sha256, e.position"
            " from entries e join sources s on s.id = e.source_id"
            " where e.id in (select value from json_each(:ids))",
            sorted(entries),
        )
    }


def _rivals(library: Library, touched: Collection[int], bases: Iterable[int]) -> list[list[int]]:
    """The entries of other papers that may be called by one of these ids."""
    papers = sorted(
        {
            row[1]
            for row in library.rows_for(
                "select id, paper_id from entries"
                " where content_id in (select value from json_each(:ids))",
                sorted(set(bases)),
            )
            if row[0] not in touched
        }
    )
    members: dict[int, list[int]] = defaultdict(list)
    for entry, paper in library.rows_for(
        "select id, paper_id from entries where paper_id in (select value from json_each(:ids))",
        papers,
    ):
        members[paper].append(entry)
    return list(members.values())


def _paper_ids(
    library: Library,
    clusters: Sequence[list[int]],
    facts: Mapping[int, Fact],
    before: Collection[int],
) -> list[Plan]:
    """An id for each cluster, made of what it says alone: its smallest content id.

    Of several papers with one content id (placeholders, versions of one text) the first by content
    has it. Another has the first 48 bits of the hash of its whole record, and where even the
    records are equal, those of the hash of its place.
    """
    called: dict[int, list[tuple[str, str, list[int]]]] = defaultdict(list)
    for cluster in clusters:
        base = min(facts[i].content_id for i in cluster)
        own = [facts[i] for i in cluster if facts[i].content_id == base]
        called[base].append((*min((f.record_hash, f.place) for f in own), cluster))
    plans: dict[int, list[int]] = {}
    waiting = []
    for base, rivals in called.items():
        rivals.sort(key=lambda rival: rival[:2])
        plans[base] = rivals[0][2]
        waiting += rivals[1:]

    def is_free(paper_id: int) -> bool:
        return paper_id not in plans and (
            paper_id in before or not library.value("select 1 from papers where id = ?", [paper_id])
        )

    for record_hash, place, cluster in sorted(waiting, key=lambda rival: rival[:2]):
        names = count(short_id(place))
        paper_id = short_id(record_hash)
        while not is_free(paper_id):
            paper_id = next(names)
        plans[paper_id] = cluster
    return [Plan(paper_id, cluster) for paper_id, cluster in sorted(plans.items())]


def _taken_back(plans: Sequence[Plan], facts: Mapping[int, Fact], fresh: Collection[int]) -> int:
    """How many papers came apart that were one before."""
    parts: dict[int, set[int]] = {}
    for plan in plans:
        for entry in plan.members:
            if entry not in fresh:
                parts.setdefault(facts[entry].paper_id, set()).add(plan.paper_id)
    return sum(len(papers) - 1 for papers in parts.values())


def _unchanged(
    plans: Sequence[Plan],
    facts: Mapping[int, Fact],
    fresh: Collection[int],
    before: Mapping[int, int],
) -> set[int]:
    """The papers whose entries are the same as before: what they say is the same too."""
    sizes = Counter(fact.paper_id for entry, fact in facts.items() if entry not in fresh)
    return {
        plan.paper_id
        for plan in plans
        if plan.paper_id in before
        and sizes[plan.paper_id] == len(plan.members)
        and all(i not in fresh and facts[i].paper_id == plan.paper_id for i in plan.members)
    }
