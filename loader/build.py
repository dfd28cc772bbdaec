"""The path of data, read from top to bottom: files in, a database and a report out.

file -> source -> records -> entries -> duplicates -> papers -> sentences -> roles -> claims,
measurements, names, acronyms, mentions, links, topics -> search index.

Extraction (`extract`) is pure: text in, records out. A load is one transaction. Which entries
are one paper, which of them is kept and what the paper says depend on the texts alone, never on
the order of loading.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from loader import claims as claims_room
from loader import duplicates as duplicates_room
from loader import labels, measurements, names, roles, search, sentences, text, topics
from loader.check import faults, search_faults
from loader.database import (
    Library,
    create_library,
    has_schema,
    lay_schema,
    open_library,
    read_library,
    use_write_ahead_log,
)
from loader.explain import Explanation
from loader.formats import Reading, only_text, open_source
from loader.model import (
    Candidate,
    Decision,
    Edge,
    Extraction,
    LoadError,
    Record,
    Reject,
    Sentence,
    Stored,
)

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and how much there is (0 where unknown)."""

_BATCH = 1_000  # entries held at once between reading and writing
_NEAR_ID = 1_000  # how far from its content id a paper's id can lie after a collision
_ID_BITS = 48  # so that ids stay below 2^53, exact in JSON and JavaScript


@dataclass(slots=True)
class FileReport:
    """What became of one file; `read == loaded + rejected`, always."""

    name: str
    source_id: int
    already_loaded: bool = False
    read: int = 0
    loaded: int = 0
    rejects: list[Reject] = field(default_factory=list)
    papers_new: int = 0
    papers_known: int = 0
    duplicates: int = 0
    removed: int = 0  # control characters taken out of texts
    ignored_fields: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def rejected(self) -> int:
        return len(self.rejects)


@dataclass(slots=True)
class LoadReport:
    """What a load did, for whoever prints it."""

    files: list[FileReport]
    papers: int = 0  # in the database now
    taken_back: int = 0  # automatic merges of earlier loads that no longer hold
    questions: int = 0  # pairs that a person should look at, in the database now


# -- one abstract -------------------------------------------------------------------------


def extract(source_text: str, title: str | None = None) -> Extraction:
    """Everything that an abstract says. Pure; any string gives a result.

    `source_text` is the abstract with its markup, `title` the plain title where there is one.
    """
    plain = text.to_plain(source_text)
    spans = sentences.split(plain)
    chars = sentences.source_spans(plain, spans)
    texts = [plain.plain[s.start : s.end] for s in spans]
    assigned = roles.assign(texts)
    found_claims = claims_room.find(texts, assigned)
    named = names.find(plain, spans, assigned)
    known = [n.name for n in named.names] + [m.name for m in named.mentions]
    numbers = measurements.find(plain, spans, known)
    return Extraction(
        plain=plain.plain,
        label=labels.make(title, plain.plain, texts, assigned, found_claims, named.names),
        sentences=tuple(
            Sentence(t, role, *span, *char)
            for t, role, span, char in zip(texts, assigned, spans, chars, strict=True)
        ),
        claims=tuple(found_claims),
        measurements=tuple(numbers),
        measurement_chars=tuple(plain.source_span(m.start, m.end) for m in numbers),
        names=named.names,
        acronyms=named.acronyms,
        mentions=named.mentions,
        mention_chars=tuple(
            tuple(plain.source_span(*place) for place in m.places) for m in named.mentions
        ),
        links=named.links,
        topics=tuple(topics.assign(f"{title}. {plain.plain}" if title else plain.plain)),
    )


def explain(path: Path) -> Iterator[Explanation | Reject]:
    """What `extract` finds in each abstract of a file, in its order. Nothing is stored.

    The file is of any format that can be loaded, or a plain text that is one abstract. Raises
    LoadError where it cannot be read.
    """
    one = only_text(path)
    for record in [one] if one else open_source(path).records():
        if isinstance(record, Reject):
            yield record
        else:
            title = text.to_plain(record.title).plain if record.title else None
            yield Explanation(record, title, extract(record.text, title))


# -- many files ---------------------------------------------------------------------------


def load(paths: Sequence[Path], database: Path, progress: Progress | None = None) -> LoadReport:
    """Load files into a database, made where there is none. One transaction.

    Files whose bytes are already loaded are passed over. Raises LoadError, with nothing changed,
    where a file or the database cannot be used or no record of any file can be loaded.
    """
    tell = progress or (lambda _step, _done, _all: None)
    readings = [open_source(path) for path in paths]
    existed = database.exists()
    library = create_library(database)
    done = False
    try:
        if not has_schema(library):
            use_write_ahead_log(library)
        with library.transaction():
            if not has_schema(library):
                lay_schema(library)
            report = _load_all(library, readings, tell)
        done = True
    finally:
        library.close()
        if not done and not existed:
            for suffix in ("", "-wal", "-shm", "-journal"):
                database.with_name(database.name + suffix).unlink(missing_ok=True)
    return report


def _load_all(library: Library, readings: Sequence[Reading], tell: Progress) -> LoadReport:
    reports: list[FileReport] = []
    new: list[Candidate] = []
    owner: dict[int, FileReport] = {}  # entry id -> the file it came with
    stored = _stored_entries(library)
    for reading in readings:
        report, candidates = _load_source(library, reading, tell)
        reports.append(report)
        new.extend(candidates)
        owner.update((c.id, report) for c in candidates)
    result = LoadReport(reports)
    if new:
        result.taken_back = _settle(library, new, stored, tell)
        _count_papers(library, owner)
        library.refresh_statistics()
    elif not any(r.already_loaded for r in reports):
        first = next(r for r in reports if r.rejects)
        raise LoadError(
            f"no record could be loaded; the first one: {first.rejects[0].reason}",
            file=first.name,
            line=first.rejects[0].first_line,
        )
    result.papers = library.value("select count(*) from papers")
    result.questions = library.value("select count(*) from duplicates where verdict = 'possible'")
    return result


def _load_source(
    library: Library, reading: Reading, tell: Progress
) -> tuple[FileReport, list[Candidate]]:
    """One file into sources, entries and rejects."""
    source = reading.source
    known = library.value("select id from sources where sha256 = ?", [source.sha256])
    if known is not None:
        report = FileReport(source.name, known, already_loaded=True)
        return report, []
    report = FileReport(source.name, library.next_id("sources"))
    library.insert(
        "sources",
        [
            {
                "id": report.source_id, "name": source.name, "sha256": source.sha256,
                "format": source.format, "encoding": source.encoding,
                "collection": source.collection, "venue": source.venue, "year": source.year,
                "bytes": source.bytes, "record_count": 0, "loaded_count": 0, "reject_count": 0,
                "loaded_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        ],
    )  # fmt: skip
    candidates: list[Candidate] = []
    next_id = library.next_id("entries")
    stream = reading.records()
    while batch := list(islice(stream, _BATCH)):
        records = [r for r in batch if isinstance(r, Record)]
        report.rejects.extend(r for r in batch if isinstance(r, Reject))
        fresh = [
            _entry(next_id + n, report.source_id, record, source.venue, source.year)
            for n, record in enumerate(records)
        ]
        library.insert("entries", (row for row, _ in fresh))
        candidates.extend(candidate for _, candidate in fresh)
        next_id += len(fresh)
        report.removed += sum(r.removed for r in records)
        tell(f"reading {source.name}", len(candidates), 0)
    report.loaded = len(candidates)
    report.read = report.loaded + report.rejected
    report.ignored_fields = dict(sorted(reading.ignored_fields.items()))
    report.notes = list(_notes(report, source.encoding))
    next_reject = library.next_id("rejects")
    library.insert(
        "rejects",
        (
            {
                "id": next_reject + n, "source_id": report.source_id,
                "first_line": r.first_line, "reason": r.reason, "excerpt": r.excerpt,
            }
            for n, r in enumerate(report.rejects)
        ),
    )  # fmt: skip
    library.db.table("sources").update(
        report.source_id,
        {
            "record_count": report.read, "loaded_count": report.loaded,
            "reject_count": report.rejected, "ignored_fields": report.ignored_fields,
            "notes": report.notes,
        },
    )  # fmt: skip
    return report, candidates


def _notes(report: FileReport, encoding: str) -> Iterator[str]:
    if report.removed:
        yield f"{report.removed} control characters taken out of texts"
    if encoding not in ("utf-8", "utf-8-sig"):
        yield f"not UTF-8, read as {encoding}"


def _entry(
    entry_id: int, source_id: int, record: Record, venue: str | None, year: int | None
) -> tuple[dict[str, Any], Candidate]:
    """A record as a row of entries, and as the room of duplicates sees it."""
    plain = text.to_plain(record.text).plain
    plain_hash = _plain_hash(plain, record)
    candidate = Candidate(
        id=entry_id, text=record.text, plain=plain, text_hash=_sha256(record.text),
        plain_hash=plain_hash, title=record.title, authors=record.authors,
        year=record.year or year, venue=record.venue or venue, identifiers=record.identifiers,
        volume=record.volume, number=record.number, pages=record.pages,
    )  # fmt: skip
    content_id = int(plain_hash[: _ID_BITS // 4], 16) or 1
    row = {
        "id": entry_id, "source_id": source_id, "position": record.position,
        "first_line": record.first_line, "last_line": record.last_line,
        "external_id": record.external_id, "title": record.title, "text": record.text,
        "text_hash": candidate.text_hash, "plain_hash": plain_hash,
        "paper_id": content_id, "content_id": content_id, "removed_count": record.removed,
        "authors": record.authors, "year": record.year, "venue": record.venue,
        "doi": record.doi, "url": record.url, "volume": record.volume, "number": record.number,
        "pages": record.pages, "keywords": record.keywords, "identifiers": record.identifiers,
    }  # fmt: skip
    return row, candidate


def _plain_hash(plain: str, record: Record) -> str:
    """SHA-256 of the normalized text, of the title where there is no text.

    What has no letter or digit at all is hashed as it is.
    """
    words = text.normalize(plain) if record.text else text.normalize(record.title or "")
    return _sha256(words or record.text or record.title or "")


def _sha256(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8")).hexdigest()


# -- which entries are one paper ----------------------------------------------------------


@dataclass(slots=True)
class _Plan:
    """One paper of the new state: its id, its entries with the kept one first."""

    paper_id: int
    members: list[int]


def _stored_entries(library: Library) -> list[Stored]:
    """The entries of earlier loads, as the room of duplicates finds them again."""
    return [
        Stored(row[0], row[1], row[2], row[3], row[4], tuple(json.loads(row[5])))
        for row in library.rows(
            "select e.id, s.minhash, e.text_hash, e.plain_hash, s.title_key, e.identifiers"
            " from entries e join signatures s on s.entry_id = e.id order by e.id"
        )
    ]


def _settle(
    library: Library,
    new: Sequence[Candidate],
    stored: Sequence[Stored],
    tell: Progress,
) -> int:
    """Decide which entries are one paper, wherever new entries touch; write the papers.

    Returns how many automatic merges of earlier loads were taken back.
    """
    tell("finding duplicates", 0, len(new))
    signatures = duplicates_room.signatures(new)
    new = [replace(c, signature=s) for c, s in zip(new, signatures, strict=True)]
    fresh = {c.id: c for c in new}

    def fetch(ids: Sequence[int]) -> list[Candidate]:
        return [fresh[i] for i in ids if i in fresh] + _candidates(
            library, [i for i in ids if i not in fresh]
        )

    signed = [duplicates_room.stored(c) for c in new]
    library.insert(
        "signatures",
        ({"entry_id": s.id, "minhash": s.signature, "title_key": s.title_key} for s in signed),
    )
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
    return _decide(library, fresh, fetch, tell)


def _decide(
    library: Library,
    fresh: Mapping[int, Candidate],
    fetch: Callable[[Sequence[int]], list[Candidate]],
    tell: Progress,
) -> int:
    touched = _touched(library, fresh)
    facts = {
        row[0]: row[1:]
        for row in library.rows_for(
            "select id, content_id, paper_id, text_hash from entries"
            " where id in (select value from json_each(:ids))",
            sorted(touched),
        )
    }
    edges = _edges(library, touched)
    decisions = _decisions(library, {row[2] for row in facts.values()})
    asked = {i for e in edges for i in (e.a, e.b)}
    heard = {h for d in decisions for h in (d.text_hash, d.other_text_hash)}
    asked |= {i for i, row in facts.items() if row[2] in heard}
    settlement = duplicates_room.settle(fetch(sorted(asked)), edges, decisions)
    clusters = [list(c) for c in settlement.clusters]
    clusters += [[i] for i in sorted(touched - asked)]
    _write_verdicts(library, touched, settlement.verdicts)

    before = {
        row[0]: row[1]
        for row in library.rows_for(
            "select id, entry_id from papers where id in (select value from json_each(:ids))",
            sorted({row[1] for row in facts.values()}),
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
    plans = _paper_ids(library, ordered, facts, fresh, before)
    taken_back = _taken_back(plans, facts, fresh)
    _write_papers(library, plans, facts, before, tell)
    return taken_back


def _touched(library: Library, fresh: Iterable[int]) -> set[int]:
    """Every entry whose paper may change: reached over likenesses, papers or decisions."""
    seen = set(fresh)
    frontier = sorted(seen)
    have_decisions = bool(library.value("select count(*) from decisions"))
    neighbours = [
        "select other_entry_id from similarities"
        " where entry_id in (select value from json_each(:ids))",
        "select entry_id from similarities"
        " where other_entry_id in (select value from json_each(:ids))",
        "select b.id from entries a join entries b on b.paper_id = a.paper_id"
        " where a.id in (select value from json_each(:ids))",
    ]
    if have_decisions:
        for one, other in (("text_hash", "other_text_hash"), ("other_text_hash", "text_hash")):
            neighbours.append(
                f"select b.id from entries a join decisions d on d.{one} = a.text_hash"
                f" join entries b on b.text_hash = d.{other}"
                " where a.id in (select value from json_each(:ids))"
            )
    while frontier:
        found: set[int] = set()
        for sql in neighbours:
            found.update(row[0] for row in library.rows_for(sql, frontier))
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


def _decisions(library: Library, hashes: set[str]) -> list[Decision]:
    return [
        Decision(*row)
        for row in library.rows(
            "select text_hash, other_text_hash, verdict, note, decided_by, decided_at"
            " from decisions order by text_hash, other_text_hash"
        )
        if row[0] in hashes and row[1] in hashes
    ]


def _candidates(library: Library, ids: Sequence[int]) -> list[Candidate]:
    """Stored entries as the room of duplicates sees them."""
    return [
        Candidate(
            id=row[0], text=row[1], plain=text.to_plain(row[1]).plain, text_hash=row[2],
            plain_hash=row[3], title=row[4], authors=tuple(json.loads(row[5])), year=row[6],
            venue=row[7], identifiers=tuple(json.loads(row[8])), volume=row[9], number=row[10],
            pages=row[11],
        )
        for row in library.rows_for(
            "select e.id, e.text, e.text_hash, e.plain_hash, e.title, e.authors,"
            " coalesce(e.year, s.year), coalesce(e.venue, s.venue), e.identifiers, e.volume,"
            " e.number, e.pages from entries e join sources s on s.id = e.source_id"
            " where e.id in (select value from json_each(:ids)) order by e.id",
            ids,
        )
    ]  # fmt: skip


def _write_verdicts(library: Library, touched: set[int], verdicts: Sequence[Edge]) -> None:
    library.delete("duplicates", "entry_id", touched)
    library.delete("duplicates", "other_entry_id", touched)
    next_id = library.next_id("duplicates")
    library.insert(
        "duplicates",
        (
            {
                "id": next_id + n, "entry_id": v.a, "other_entry_id": v.b, "verdict": v.verdict,
                "method": v.method, "score": v.score, "evidence": v.evidence,
            }
            for n, v in enumerate(verdicts)
        ),
    )  # fmt: skip


def _paper_ids(
    library: Library,
    clusters: Sequence[list[int]],
    facts: Mapping[int, Sequence[Any]],
    fresh: Mapping[int, Candidate],
    before: Mapping[int, int],
) -> list[_Plan]:
    """An id for each cluster: the smallest content id of its entries.

    Two papers can have one content id (placeholders): then the one that had the id keeps it,
    and others take the next free one.
    """
    wanted = sorted((min(facts[i][0] for i in c), facts[c[0]][2], c) for c in clusters)
    bases = {base for base, _, _ in wanted}
    outside = {
        row[0]
        for row in library.rows_for(
            "select id from papers where id in (select value from json_each(:ids))", sorted(bases)
        )
        if row[0] not in before
    }
    plans: dict[int, list[int]] = {}
    waiting = []
    for base, _, cluster in wanted:
        had = sorted({facts[i][1] for i in cluster if i not in fresh})
        own = [p for p in had if base <= p < base + _NEAR_ID and p not in plans]
        if own:
            plans[own[0]] = cluster
        else:
            waiting.append((base, cluster))
    for base, cluster in waiting:
        free = base
        while free in plans or free in outside:
            free += 1
            if free not in before and library.value("select 1 from papers where id = ?", [free]):
                outside.add(free)
        plans[free] = cluster
    return [_Plan(paper_id, cluster) for paper_id, cluster in sorted(plans.items())]


def _taken_back(
    plans: Sequence[_Plan], facts: Mapping[int, Sequence[Any]], fresh: Mapping[int, Candidate]
) -> int:
    """How many papers came apart that were one before."""
    parts: dict[int, set[int]] = {}
    for plan in plans:
        for entry in plan.members:
            if entry not in fresh:
                parts.setdefault(facts[entry][1], set()).add(plan.paper_id)
    return sum(len(papers) - 1 for papers in parts.values())


# -- what is written of a paper -----------------------------------------------------------

_ENTRY = (
    "select e.id, e.text, e.title, coalesce(e.venue, s.venue) as venue,"
    " coalesce(e.year, s.year) as year, e.doi, e.url, e.volume, e.number, e.pages, e.authors,"
    " e.keywords, e.source_id, e.content_id, e.paper_id, e.text_hash"
    " from entries e join sources s on s.id = e.source_id"
    " where e.id in (select value from json_each(:ids))"
)


def _write_papers(
    library: Library,
    plans: Sequence[_Plan],
    facts: Mapping[int, Sequence[Any]],
    before: Mapping[int, int],
    tell: Progress,
) -> None:
    """Bring papers, all that hangs on them and the search index to the planned state."""
    old = sorted(before)
    library.forget_search(old)
    library.forget_contents(old)
    library.delete("papers", "id", old)
    library.move_entries(
        (plan.paper_id, entry)
        for plan in plans
        for entry in plan.members
        if facts[entry][1] != plan.paper_id
    )
    topic_ids = _sync_topics(library)
    people = _Register(library, "authors", "name")
    terms = _Register(library, "keywords", "term")
    ids = {t: library.next_id(t) for t in _NUMBERED}
    done = 0
    for start in range(0, len(plans), _BATCH):
        batch = plans[start : start + _BATCH]
        wanted = sorted(i for plan in batch for i in plan.members)
        cursor = library.conn.execute(_ENTRY, {"ids": json.dumps(wanted)})
        columns = [d[0] for d in cursor.description]
        entries = {row[0]: dict(zip(columns, row, strict=True)) for row in cursor}
        rows: dict[str, list[dict[str, Any]]] = {}
        for plan in batch:
            _paper_rows(
                plan, [entries[i] for i in plan.members], ids, rows, topic_ids, people, terms
            )
            done += 1
            tell("reading abstracts", done, len(plans))
        people.write()
        terms.write()
        for table in _WRITE_ORDER:
            library.insert(table, rows.get(table, []))
    _write_aliases(library, plans, facts, before)
    library.index_search((plan.paper_id for plan in plans), search.search_text)


def _write_aliases(
    library: Library,
    plans: Sequence[_Plan],
    facts: Mapping[int, Sequence[Any]],
    before: Mapping[int, int],
) -> None:
    """Ids of entries that another entry's id stands for, and ids that merging retired."""
    papers = {plan.paper_id for plan in plans}
    aliases: dict[int, int] = {}
    for plan in plans:
        for entry in plan.members:
            content_id, paper_id = facts[entry][0], facts[entry][1]
            aliases[content_id] = plan.paper_id
            if paper_id in before:
                aliases.setdefault(paper_id, plan.paper_id)
    library.delete("paper_aliases", "old_id", set(aliases) | papers)
    library.insert(
        "paper_aliases",
        (
            {"old_id": old_id, "paper_id": paper_id}
            for old_id, paper_id in sorted(aliases.items())
            if old_id not in papers
        ),
    )


class _Register:
    """Ids of texts that several papers share (authors, keywords); new ones are written once."""

    def __init__(self, library: Library, table: str, column: str) -> None:
        self.library, self.table, self.column = library, table, column
        known = library.rows(f"select id, {column} from {table}")
        self.ids: dict[str, int] = {value: i for i, value in known}
        self.fresh: list[dict[str, Any]] = []

    def id_of(self, value: str) -> int:
        if value not in self.ids:
            self.ids[value] = len(self.ids) + 1
            self.fresh.append({"id": self.ids[value], self.column: value})
        return self.ids[value]

    def write(self) -> None:
        self.library.insert(self.table, self.fresh)
        self.fresh = []


def _sync_topics(library: Library) -> dict[str, int]:
    """The vocabulary in the database; its terms with their ids."""
    known = {term: i for i, term in library.rows("select id, term from topics")}
    vocabulary = topics.vocabulary()
    for term, _ in vocabulary:
        if term not in known:
            known[term] = len(known) + 1
            library.insert("topics", [{"id": known[term], "term": term}])
    for term, broader in vocabulary:
        library.execute(
            "update topics set broader_id = ? where id = ? and broader_id is not ?",
            [broader and known[broader], known[term], broader and known[broader]],
        )
    return known


_NUMBERED = ("sentences", "claims", "measurements", "names", "acronyms", "mentions", "links")
_WRITE_ORDER = (
    "papers", "sentences", "claims", "measurements", "names", "acronyms", "mentions",
    "mention_places", "links", "paper_topics", "paper_authors", "paper_keywords", "paper_kinds",
    "paper_sources",
)  # fmt: skip


def _paper_rows(
    plan: _Plan,
    entries: Sequence[Mapping[str, Any]],
    ids: dict[str, int],
    rows: dict[str, list[dict[str, Any]]],
    topic_ids: Mapping[str, int],
    people: _Register,
    terms: _Register,
) -> None:
    """All rows of one paper; the kept entry is the first, what it lacks comes from the others."""
    kept, paper_id = entries[0], plan.paper_id

    def add(table: str, **values: Any) -> int:
        if table in ids:
            values = {"id": ids[table], **values}
            ids[table] += 1
        rows.setdefault(table, []).append(values)
        row_id: int = values.get("id", 0)
        return row_id

    def first(column: str) -> Any:
        return next((e[column] for e in entries if e[column] not in (None, "", "[]")), None)

    raw_title = first("title")
    title = text.to_plain(raw_title).plain if raw_title else None
    said = extract(kept["text"], title)
    kinds = Counter(c.kind for c in said.claims)
    has_code = any(link.kind == "code" for link in said.links)
    authors = json.loads(first("authors") or "[]")
    sources = Counter(e["source_id"] for e in entries)
    add(
        "papers",
        id=paper_id, label=said.label, title=title, abstract=said.plain, entry_id=kept["id"],
        venue=first("venue"), year=first("year"), doi=first("doi"), url=first("url"),
        volume=first("volume"), number=first("number"), pages=first("pages"),
        entry_count=len(entries), source_count=len(sources),
        sentence_count=len(said.sentences), claim_count=len(said.claims),
        measurement_count=len(said.measurements), name_count=len(said.names),
        mention_count=len(said.mentions),
        has_code=int(has_code), promises_code=int("release" in kinds and not has_code),
        claims_first=int("first" in kinds), claims_sota=int("sota" in kinds),
        claims_theory=int("theory" in kinds),
        search_text=search.search_text(
            said.label, title or "", said.plain, *(n.name for n in said.names), *authors
        ),
    )  # fmt: skip
    sentence_ids = [
        add(
            "sentences", paper_id=paper_id, position=n, role=s.role, text=s.text,
            start_char=s.start_char, end_char=s.end_char,
        )
        for n, s in enumerate(said.sentences, 1)
    ]  # fmt: skip
    for claim in said.claims:
        add(
            "claims", paper_id=paper_id, sentence_id=sentence_ids[claim.sentence],
            kind=claim.kind, text=claim.text, evidence=claim.evidence,
        )  # fmt: skip
    for m, (start, end) in zip(said.measurements, said.measurement_chars, strict=True):
        add(
            "measurements", paper_id=paper_id, sentence_id=sentence_ids[m.sentence], kind=m.kind,
            low=m.low, high=m.high, spread=m.spread, unit=m.unit, metric=m.metric,
            baseline=m.baseline, subject=m.subject, qualifier=m.qualifier,
            text=kept["text"][start:end], start_char=start, end_char=end,
        )  # fmt: skip
    for name in said.names:
        add("names", paper_id=paper_id, name=name.name, expansion=name.expansion, kind=name.kind)
    for acronym in said.acronyms:
        add("acronyms", paper_id=paper_id, short=acronym.short, long=acronym.long)
    for mention, chars in zip(said.mentions, said.mention_chars, strict=True):
        mention_id = add("mentions", paper_id=paper_id, name=mention.name, kind=mention.kind)
        for place, (start, end) in zip(mention.places, chars, strict=True):
            add(
                "mention_places", mention_id=mention_id,
                sentence_id=sentence_ids[_sentence_at(said.sentences, place.start)],
                start_char=start, end_char=end,
            )  # fmt: skip
    for link in said.links:
        add(
            "links", paper_id=paper_id, url=link.url, kind=link.kind, host=link.host,
            anonymous=int(link.anonymous),
        )  # fmt: skip
    for topic in said.topics:
        add(
            "paper_topics", paper_id=paper_id, topic_id=topic_ids[topic.term],
            evidence=topic.evidence,
        )  # fmt: skip
    for n, author in enumerate(authors, 1):
        add("paper_authors", paper_id=paper_id, author_id=people.id_of(author), position=n)
    spellings: dict[str, str] = {}
    for entry in entries:
        for spelling in json.loads(entry["keywords"]):
            spellings.setdefault(text.normalize(spelling) or spelling, spelling)
    for term, spelling in spellings.items():
        add("paper_keywords", paper_id=paper_id, keyword_id=terms.id_of(term), spelling=spelling)
    for kind, n in sorted(kinds.items()):
        add("paper_kinds", paper_id=paper_id, kind=kind, n=n)
    for source_id, n in sorted(sources.items()):
        add("paper_sources", paper_id=paper_id, source_id=source_id, n=n)


def _sentence_at(found: Sequence[Sentence], place: int) -> int:
    """The index of the sentence that holds this place of the plain text."""
    return max(bisect_right(found, place, key=lambda s: s.start) - 1, 0)


def _count_papers(library: Library, owner: Mapping[int, FileReport]) -> None:
    """For each file: papers first seen in it, papers known before, entries that are duplicates."""
    seen: set[int] = set()
    first_new = min(owner)
    for paper_id, oldest in library.rows_for(
        "select paper_id, min(id) from entries where paper_id in"
        " (select paper_id from entries where id in (select value from json_each(:ids)))"
        " group by paper_id",
        sorted(owner),
    ):
        if oldest < first_new:
            seen.add(paper_id)
    known_by: dict[int, set[int]] = {}
    before: dict[int, set[int]] = {}
    for entry, paper_id in library.rows_for(
        "select id, paper_id from entries"
        " where id in (select value from json_each(:ids)) order by id",
        sorted(owner),
    ):
        report = owner[entry]
        known = before.setdefault(report.source_id, set(seen))
        if paper_id in seen:
            report.duplicates += 1
            if paper_id in known:
                known_by.setdefault(report.source_id, set()).add(paper_id)
        else:
            report.papers_new += 1
            seen.add(paper_id)
    for report in {id(r): r for r in owner.values()}.values():
        report.papers_known = len(known_by.get(report.source_id, ()))


# -- what is asked of a database ----------------------------------------------------------


def ensure(database: Path) -> None:
    """Raise LoadError where this is not a database that can be read and served."""
    read_library(database).close()


def statistics(database: Path) -> dict[str, list[tuple[str, int]]]:
    """What a database holds: for each title, names and counts. Raises LoadError."""
    with closing(read_library(database)) as library:

        def ask(sql: str) -> list[tuple[str, int]]:
            return [(str(name), n) for name, n in library.rows(sql)]

        tables = ("sources", "entries", "papers", "sentences", "claims", "measurements", "names",
                  "acronyms", "mentions", "links", "rejects")  # fmt: skip
        return {
            "what is here": [(t, library.value(f"select count(*) from {t}")) for t in tables],
            "pairs by verdict": ask(
                "select verdict, count(*) from duplicates group by 1 order by 1"
            ),
            "claims by kind": ask(
                "select kind, count(*) from claims group by 1 order by 2 desc, 1"
            ),
            "measurements by kind": ask(
                "select kind, count(*) from measurements group by 1 order by 2 desc, 1"
            ),
            "papers by topic": ask(
                "select t.term, count(*) from paper_topics p join topics t on t.id = p.topic_id"
                " group by 1 order by 2 desc, 1 limit 10"
            ),
        }


def query(database: Path, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Columns and rows of one query, for reading only. Raises LoadError where SQLite refuses it."""
    library = read_library(database)
    try:
        cursor = library.conn.execute(sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        library.close()
        raise LoadError(f"SQLite refuses this query: {error}") from error
    columns = [d[0] for d in cursor.description or ()]

    def rows() -> Iterator[tuple[Any, ...]]:
        with closing(library):
            try:
                yield from cursor
            except sqlite3.Error as error:
                raise LoadError(f"the query failed: {error}") from error

    return columns, rows()


def check(database: Path) -> Iterator[str]:
    """The faults of a database, a line each. Raises LoadError where it is none of ours."""
    with closing(read_library(database)) as library:
        yield from faults(library)
    with closing(open_library(database)) as library:
        yield from search_faults(library)
