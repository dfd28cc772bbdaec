"""Files into a database, in one transaction: sources, entries, rejects, then papers.

In: paths. Out: a report of what became of each file.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from loader import duplicates as duplicates_room
from loader import interrupts
from loader.build.entries import entry_of, stored_entries
from loader.build.papers import Progress
from loader.build.settling import settle_new
from loader.database import Library, create_library, has_schema, lay_schema, use_write_ahead_log
from loader.formats import Reading, open_source
from loader.model import Candidate, LoadError, Record, Reject

_BATCH = 1_000  # entries held at once between reading and writing
_TELLING = 0.05  # new entries, as a share of the old: fewer change nothing for a query planner


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
        with interrupts.held_back():
            gc.unfreeze()
            library.close()
            if not done and not existed:
                for suffix in ("", "-wal", "-shm", "-journal"):
                    database.with_name(database.name + suffix).unlink(missing_ok=True)
    return report


def _load_all(library: Library, readings: Sequence[Reading], tell: Progress) -> LoadReport:
    reports: list[FileReport] = []
    new: list[Candidate] = []
    owner: dict[int, FileReport] = {}  # entry id -> the file it came with
    # a hundred thousand tuples hold no cycles, and the collector would look for them all the time
    gc.disable()
    try:
        stored = stored_entries(library)
        gc.freeze()
    finally:
        gc.enable()
    for reading in readings:
        report, candidates = _load_source(library, reading, tell)
        reports.append(report)
        new.extend(candidates)
        owner.update((c.id, report) for c in candidates)
    result = LoadReport(reports)
    if new:
        result.taken_back = settle_new(library, new, stored, tell)
        _count_papers(library, owner)
        if len(new) >= _TELLING * len(stored):
            library.refresh_statistics()
    elif not any(r.already_loaded for r in reports):
        first = next(r for r in reports if r.rejects)
        raise LoadError(
            f"no record could be loaded; the first one: {first.rejects[0].reason}",
            file=first.name,
            line=first.rejects[0].first_line,
        )
    result.papers = library.value("select count(*) from papers")
    result.questions = library.value("select count(*) from open_questions")
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
            entry_of(next_id + n, report.source_id, record, source)
            for n, record in enumerate(records)
        ]
        library.insert("entries", (row for row, _ in fresh))
        library.insert(
            "entry_identifiers",
            (
                {"identifier": identifier, "entry_id": candidate.id}
                for _, candidate in fresh
                for identifier in sorted(set(candidate.identifiers))
            ),
        )
        candidates.extend(candidate for _, candidate in fresh)
        next_id += len(fresh)
        report.removed += sum(r.removed for r in records)
        tell(f"reading {source.name}", len(candidates), 0)
    report.loaded = len(candidates)
    report.read = report.loaded + report.rejected
    report.ignored_fields = dict(sorted(reading.ignored_fields.items()))
    blank = sum(bool(c.plain) and not duplicates_room.Reading(c).informative for c in candidates)
    report.notes = [*reading.notes, *_notes(report, source.encoding, blank)]
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


def _notes(report: FileReport, encoding: str, blank: int) -> Iterator[str]:
    if blank:
        yield (
            "texts of fewer than 8 words, or that say there is no abstract:"
            f" {blank:,}; equal ones are not merged for it"
        )
    if report.removed:
        yield f"{report.removed} control characters taken out of texts"
    if encoding not in ("utf-8", "utf-8-sig"):
        yield f"not UTF-8, read as {encoding}"


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
        if report.source_id not in before:
            before[report.source_id] = set(seen)
        if paper_id in seen:
            report.duplicates += 1
            if paper_id in before[report.source_id]:
                known_by.setdefault(report.source_id, set()).add(paper_id)
        else:
            report.papers_new += 1
            seen.add(paper_id)
    for report in {id(r): r for r in owner.values()}.values():
        report.papers_known = len(known_by.get(report.source_id, ()))
