"""What people decide about two entries: stored by content, and heard at once.

In: two entries and a verdict; or a CSV of decisions. Out: the groups that are touched, settled
anew, in one transaction; a report. Decisions win over every rule, here and in every later load.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from loader import decisions as decisions_room
from loader import duplicates as duplicates_room
from loader import text
from loader.build.contradictions import (
    Said,
    Told,
    every_decision,
    group_called,
    refusal,
    told,
)
from loader.build.entries import candidates, place_key
from loader.build.naming import pair_called, where
from loader.build.settling import named_by, settle_groups
from loader.database import Library, open_library, read_library
from loader.model import EVERY, Basis, Decision, LoadError, Verdict

_TELLING_WORDS = 30  # a text with fewer may be that of many papers, and names none by itself
_EXCERPT = 80  # characters

DECIDABLE: tuple[Verdict, ...] = ("duplicate", "version", "distinct")


@dataclass(frozen=True, slots=True)
class Settled:
    """What a decision led to."""

    papers: tuple[tuple[int, str], ...]  # the papers of the two entries now, id and label: 1 or 2
    row_id: int | None  # the row of `duplicates` about the two
    questions: int  # open ones, in the database now
    said_of: tuple[str, ...] = ()  # the two as they were called before, with file and line
    group: str = ""  # what all the pairs share of which it was said, in words
    pairs: int = 1  # of which it was said


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a CSV of decisions; `read == loaded + rejected`, always."""

    read: int
    rejected: tuple[tuple[int, str], ...]  # line and reason: others said before contradict it
    new: int
    changed: int
    known: int  # already there, word for word
    older: int  # passed over for a later decision about the same two
    elsewhere: int  # about texts that this library does not hold; kept for when it does
    papers: int  # in the database now

    @property
    def loaded(self) -> int:
        return self.new + self.changed + self.known + self.older


@dataclass(frozen=True, slots=True)
class Question:
    """Two papers that may be one; a person should say."""

    row_id: int
    score: float
    method: str
    evidence: str
    papers: tuple[int, int]
    labels: tuple[str, str]
    entries: tuple[int, int]
    places: tuple[str, str]  # file:line
    pairs: int = 1  # that one answer settles
    group: str = ""  # what they share


def questions(database: Path, most: int = 0) -> tuple[int, list[Question]]:
    """How many questions are open, and the first `most` (0: all), the likeliest first."""
    with closing(read_library(database)) as library:
        rows = library.rows(
            "select q.id, q.score, q.method, q.evidence, q.paper_id, q.other_paper_id, q.label,"
            " q.other_label, q.entry_id, q.other_entry_id, s.name || ':' || a.first_line,"
            " t.name || ':' || b.first_line, q.pairs, q.group_key"
            " from open_questions q join entries a on a.id = q.entry_id"
            " join entries b on b.id = q.other_entry_id join sources s on s.id = a.source_id"
            " join sources t on t.id = b.source_id order by q.score desc, q.id limit ?",
            [most or -1],
        )
        found = [Question(*r[:4], *zip(r[4:12:2], r[5:12:2], strict=True), *r[12:]) for r in rows]
        return _open(library), found


def settle_named(
    database: Path,
    one: str,
    other: str,
    verdict: Verdict | None,
    note: str = "",
    by: str = "",
    group: bool = False,
    force: bool = True,
) -> Settled:
    """`decide` for entries as people call them (`forget` where `verdict` is None).

    What was said can be taken back by the keys of a decision as well, so also when its texts are
    not here any more. Raises LoadError where a name means nothing or several things, and without
    `force` where two papers that have nothing in common would be joined.
    """
    if verdict is None and _forgotten(database, one.strip(), other.strip()):
        with closing(read_library(database)) as library:
            return Settled((), None, _open(library))
    with closing(read_library(database)) as library:
        a, b = pair_called(library, one, other)
        said_of = tuple(_called(library, entry) for entry in (a, b))
        if verdict in ("duplicate", "version") and not force and _strangers(library, a, b):
            raise LoadError(
                f"{said_of[0]} and {said_of[1]} have nothing in common; to join them all the same"
                " add --force"
            )
    if verdict is None:
        return replace(forget(database, a, b, group), said_of=said_of)
    return replace(decide(database, a, b, verdict, note, by, group), said_of=said_of)


def _called(library: Library, entry: int) -> str:
    """The label of the paper of an entry, and where the entry stands."""
    label = library.value(
        "select p.label from papers p join entries e on e.paper_id = p.id where e.id = ?", [entry]
    )
    return f"{label} ({where(library, entry)})"


def _strangers(library: Library, a: int, b: int) -> bool:
    """Have two entries nothing in common, and does no row of `duplicates` say otherwise?"""
    listed = library.value(
        "select 1 from duplicates where min(entry_id, other_entry_id) = ?"
        " and max(entry_id, other_entry_id) = ? and method <> 'user'",
        [min(a, b), max(a, b)],
    )
    found = candidates(library, sorted({a, b}))
    return not listed and len(found) == 2 and duplicates_room.strangers(*found)


def decide(
    database: Path,
    a: int,
    b: int,
    verdict: Verdict,
    note: str = "",
    by: str = "",
    group: bool = False,
) -> Settled:
    """Store what a person said about the entries `a` and `b`, and settle their groups at once.

    With `group` it is said of every pair that is asked about together with these two (the same
    text, DOI or template over and over), now and later. An earlier decision about the same is
    replaced. How the two are named in `decisions` is told in `model.Decision`. Raises LoadError
    where an entry does not exist or both are one, or where decisions about others say otherwise
    (A is C, C is D, and now A is not D).
    """
    if verdict not in DECIDABLE:
        raise LoadError(f"a person can say {', '.join(DECIDABLE)}, not {verdict}")
    with closing(open_library(database)) as library, library.transaction():
        ways = _ways(library, a, b)
        shared, pairs = "", 1
        if group:
            one, other = _group_of(library, a, b), EVERY
            shared, pairs = group_called(one), _pairs_of(library, one)
            basis: Basis = "group"
            seeds = _withdraw(library, {basis: (one, other)}) | {a, b}
        else:
            seeds = _withdraw(library, ways) | {a, b}
            basis, keys = _safest(library, ways)
            one, other = sorted(keys)
        said_by, now = decisions_room.clean_note(by)[:100], datetime.now(UTC)
        decision = Decision(
            one, other, verdict, decisions_room.clean_note(note), said_by,
            now.strftime("%Y-%m-%dT%H:%M:%SZ"), basis,
        )  # fmt: skip
        earlier = Said(told(library, d) for d in every_decision(library)).against(
            told(library, decision)
        )
        if earlier:
            raise LoadError(f"this contradicts what was said before: {refusal(library, earlier)}")
        library.insert("decisions", [_row(decision)])
        seeds |= _named(library, [decision])
        _settle(library, seeds)
        return replace(_outcome(library, a, b), group=shared, pairs=pairs)


def forget(database: Path, a: int, b: int, group: bool = False) -> Settled:
    """Take back what a person said about two entries, or their group: the rules decide again.

    Raises LoadError where nothing was said.
    """
    with closing(open_library(database)) as library, library.transaction():
        ways = _ways(library, a, b)
        if group:
            ways = {"group": (_group_of(library, a, b), EVERY)}
        seeds = _withdraw(library, ways)
        if not seeds:
            what = f"the group of entries {a} and {b}" if group else f"entries {a} and {b}"
            hint = ""
            if not group and _said_of_group(library, a, b):
                hint = ", but somebody about their whole group: add --group"
            raise LoadError(f"nobody decided about {what}{hint or '; nothing to take back'}")
        _settle(library, seeds | {a, b})
        return _outcome(library, a, b)


def _forgotten(database: Path, one: str, other: str) -> bool:
    """Take back the decision that has these two keys; whether there was one."""
    with closing(open_library(database)) as library, library.transaction():
        keys = sorted((one, other))
        sql = "select basis from decisions where text_hash = ? and other_text_hash = ?"
        basis = library.value(sql, keys)
        if basis:
            _settle(library, _withdraw(library, {basis: (keys[0], keys[1])}))
        return bool(basis)


def _group_of(library: Library, a: int, b: int) -> str:
    """What two entries share with many others. Raises LoadError where they stand alone."""
    key = library.value(
        "select group_key from duplicates where min(entry_id, other_entry_id) = ?"
        " and max(entry_id, other_entry_id) = ?",
        [min(a, b), max(a, b)],
    )
    if not key:  # most members of a group have a row with one of them only
        of = "select group_key from duplicates where group_key <> '' and ? in "
        of += "(entry_id, other_entry_id)"
        key = library.value(f"{of} intersect {of} order by group_key limit 1", [a, b])
    if not key:
        raise LoadError(
            f"entries {a} and {b} share no group that is asked about; say it of the pair"
        )
    return str(key)


def _pairs_of(library: Library, key: str) -> int:
    return int(library.value("select count(*) from duplicates where group_key = ?", [key]))


def _said_of_group(library: Library, a: int, b: int) -> bool:
    return bool(
        library.value(
            "select 1 from duplicates d join decisions s on s.text_hash = d.group_key"
            " where min(d.entry_id, d.other_entry_id) = ? and max(d.entry_id, d.other_entry_id) = ?"
            " and s.basis = 'group'",
            [min(a, b), max(a, b)],
        )
    )


def export_decisions(database: Path, path: Path | None) -> int:
    """Write all decisions as CSV to `path`, to standard output where it is None; how many.

    Raises LoadError where the file cannot be written.
    """
    with closing(read_library(database)) as library:
        found = _with_excerpts(library)
        if path is None:
            return decisions_room.write(found, sys.stdout)
        try:
            with path.open("w", encoding="utf-8", newline="") as out:
                return decisions_room.write(found, out)
        except OSError as error:
            raise LoadError(f"cannot be written: {error.strerror}", file=str(path)) from error


def import_decisions(database: Path, path: Path) -> Imported:
    """Load a CSV of decisions and settle every group that is touched, in one transaction.

    Of two decisions about the same keys the later is kept, of two of one time the file's. One that
    contradicts what others say, here or further up in the file, is rejected. Raises LoadError with
    file and line, and nothing changed, where a line cannot be read.
    """
    listed = decisions_room.read(path)
    latest: dict[tuple[str, str], Decision] = {}
    rejected: list[tuple[int, str]] = []
    tally = {"new": 0, "changed": 0, "known": 0, "older": 0}
    with closing(open_library(database)) as library, library.transaction():
        held: dict[tuple[str, str], Told] = {
            _keys(d): told(library, d) for d in every_decision(library)
        }
        agreed = Said(held.values())
        for line, decision in listed:
            before = held.get(_keys(decision))
            if before and before.decision == decision:
                tally["known"] += 1
                continue
            if before and before.decision.decided_at > decision.decided_at:
                tally["older"] += 1
                continue
            if before:
                agreed.remove(before)
            new = told(library, decision)
            earlier = agreed.against(new)
            if earlier:
                rejected.append((line, refusal(library, earlier)))
                if before:
                    agreed.add(before)
                continue
            tally["changed" if before else "new"] += 1
            agreed.add(new)
            held[_keys(decision)] = new
            latest[_keys(decision)] = decision
        for one, other in latest:
            library.execute(
                "delete from decisions where text_hash = ? and other_text_hash = ?", [one, other]
            )
        library.insert("decisions", (_row(d) for d in latest.values()))
        _settle(library, _named(library, latest.values()))
        # a key with entries here is named with them
        heard = {_keys(d): held.get(_keys(d)) for _, d in listed}
        elsewhere = sum(t is not None and not t.here for t in heard.values())
        papers = library.value("select count(*) from papers")
    return Imported(len(listed), tuple(rejected), **tally, elsewhere=elsewhere, papers=papers)


def _keys(decision: Decision) -> tuple[str, str]:
    return decision.text_hash, decision.other_text_hash


def _settle(library: Library, seeds: Iterable[int]) -> None:
    settle_groups(
        library, seeds, lambda ids: candidates(library, ids), lambda _step, _done, _all: None
    )


def _ways(library: Library, a: int, b: int) -> dict[Basis, tuple[str, str]]:
    """The keys of two entries on each basis that tells them apart. Raises LoadError."""
    if a == b:
        raise LoadError(f"both are entry {a}; a decision is about two entries")
    facts = []
    for entry in (a, b):
        row = next(
            library.rows(
                "select e.text_hash, e.record_hash, s.sha256, e.position from entries e"
                " join sources s on s.id = e.source_id where e.id = ?",
                [entry],
            ),
            None,
        )
        if row is None:
            raise LoadError(f"there is no entry {entry}")
        facts.append((row[0], row[1], place_key(row[2], row[3])))
    one, other = facts
    bases: tuple[Basis, ...] = ("text", "record", "place")
    return {
        basis: (mine, yours)
        for basis, mine, yours in zip(bases, one, other, strict=True)
        if mine != yours
    }


def _safest(library: Library, ways: dict[Basis, tuple[str, str]]) -> tuple[Basis, tuple[str, str]]:
    """The widest basis on which each key names one paper only."""
    for basis, keys in ways.items():
        if basis == "place" or all(_names_one_paper(library, key, basis) for key in keys):
            return basis, keys
    raise LoadError("the two entries stand at one place")  # two entries never do


def _names_one_paper(library: Library, key: str, basis: Basis) -> bool:
    """Is a text long enough, or a record, that of one paper only?"""
    papers, start = next(
        library.rows(
            "select count(distinct paper_id), substr(min(text), 1, ?) from entries"
            f" where {basis}_hash = ?",
            [100 * _TELLING_WORDS, key],
        )
    )
    if papers != 1:
        return False
    words = text.normalize(text.to_plain(start).plain).split()
    return basis == "record" or len(words) >= _TELLING_WORDS


def _withdraw(library: Library, ways: dict[Basis, tuple[str, str]]) -> set[int]:
    """Delete what was said about two entries on any basis; the entries it was about."""
    about: set[int] = set()
    for basis, keys in ways.items():
        one, other = sorted(keys)
        said = "from decisions where text_hash = ? and other_text_hash = ? and basis = ?"
        if library.value(f"select 1 {said}", [one, other, basis]):
            about.update(named_by(library, one, basis), named_by(library, other, basis))
            library.execute(f"delete {said}", [one, other, basis])
    return about


def _named(library: Library, decisions: Iterable[Decision]) -> set[int]:
    return {
        entry
        for d in decisions
        for key in (d.text_hash, d.other_text_hash)
        for entry in named_by(library, key, d.basis)
    }


def _row(decision: Decision) -> dict[str, Any]:
    return {
        "text_hash": decision.text_hash, "other_text_hash": decision.other_text_hash,
        "verdict": decision.verdict, "note": decision.note, "decided_by": decision.decided_by,
        "decided_at": decision.decided_at, "basis": decision.basis,
    }  # fmt: skip


def _with_excerpts(library: Library) -> Iterator[tuple[Decision, str, str]]:
    for decision in every_decision(library):
        keys = (decision.text_hash, decision.other_text_hash)
        one, other = (_excerpt(library, key, decision.basis) for key in keys)
        yield decision, one, other


def _excerpt(library: Library, key: str, basis: Basis) -> str:
    """The beginning of what a key names and where it stands; "" where it is not here."""
    if key == EVERY:
        return "(every pair that shares it)"
    entries = named_by(library, key, basis)
    if not entries:
        return ""
    start = library.value(
        "select coalesce(title || '. ', '') || substr(text, 1, 400) from entries where id = ?",
        [entries[0]],
    )
    said = " ".join(str(start).split())
    cut = said[:_EXCERPT].rsplit(" ", 1)[0] + " ..." if len(said) > _EXCERPT else said
    return f"{cut} ({where(library, entries[0])})"


def _open(library: Library) -> int:
    return int(library.value("select count(*) from open_questions"))


def _outcome(library: Library, a: int, b: int) -> Settled:
    papers = library.rows(
        "select distinct p.id, p.label from papers p join entries e on e.paper_id = p.id"
        " where e.id in (?, ?) order by e.id = ?",
        [a, b, b],
    )
    row_id = library.value(
        "select id from duplicates where min(entry_id, other_entry_id) = ?"
        " and max(entry_id, other_entry_id) = ?",
        [min(a, b), max(a, b)],
    )
    return Settled(tuple((r[0], r[1]) for r in papers), row_id, _open(library))
