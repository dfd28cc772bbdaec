"""What in the library is a given text, or resembles it.

In: a text that need not be in the library. Out: papers with score, method and reason, the best
first. Nothing is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loader import duplicates as duplicates_room
from loader import search, sentences, text
from loader.build.entries import candidates
from loader.build.naming import where
from loader.build.titles import Titled, Typed, parts_of, record_of, titled, titles_of
from loader.database import Library, read_library
from loader.model import Candidate, Edge

_CLOSEST = 50  # entries that are compared with a text
_BATCH = 2_000  # signatures held at once; they fit into the cache
_PART_WORDS = 4  # a shorter stretch stands in too many abstracts
_PHRASE = 12  # words of a stretch that are looked up before the whole is compared
_PARTS_READ = 50  # papers that have the phrase and are compared
_PARTS_ASKED = 20  # sentences that are looked for
_ORDER = ("duplicate", "title", "version", "possible", "words", "part")


@dataclass(frozen=True, slots=True)
class Match:
    """A paper that a text is, or resembles."""

    paper_id: int
    label: str
    # duplicate, version or possible as in the table duplicates; title: a paper of this title, or
    # with these words in it; part: shares sentences
    verdict: str
    method: str  # as in duplicates; title, words, part
    score: float  # 0 to 100; of a part: how much of the text stands in the abstract
    evidence: str
    entry_id: int
    where: str  # file:line


def match_text(
    database: Path, source_text: str, title: str | None = None, most: int = 10
) -> list[Match]:
    """The papers of a library that a text is or resembles, at most `most`, the best first.

    A title, authors and a heading above an abstract are told apart from it; a JSON object is a
    record. A text short enough for
    a title is looked for as one too, and its sentences in abstracts. Raises LoadError where the
    database cannot be read.
    """
    source_text = source_text.replace("\r\n", "\n").strip()
    if record := record_of(source_text):
        source_text, title = record.text.strip(), record.title
    read = text.to_plain(source_text)
    if not text.normalize(read.plain) and not title:
        return []
    parts = [Typed(source_text, title)] if title else parts_of(source_text)
    with closing(read_library(database)) as library:
        best: dict[int, Match] = {}
        for match in _matches(library, parts, titles_of(parts)):
            known = best.get(match.paper_id)
            if known is None or _rank_within(match) < _rank_within(known):
                best[match.paper_id] = match
        if len(best) < most:
            for match in _parts(library, read, most):
                best.setdefault(match.paper_id, match)
    return sorted(best.values(), key=_rank)[:most]


def _matches(library: Library, parts: Sequence[Typed], titles: Sequence[str]) -> Iterator[Match]:
    """The papers that a text is or resembles as a whole, and those that have its title."""
    asked = [_candidate(p.text, text.to_plain(p.text).plain, p.title) for p in parts]
    stored = library.conn.execute("select entry_id, minhash from signatures order by entry_id")
    batches = iter(lambda: stored.fetchmany(_BATCH), [])
    sketches = [duplicates_room.signature(candidate) for candidate in asked]
    sketches += [duplicates_room.signature(_candidate("", "", title)) for title in titles]
    alike = duplicates_room.closest(sketches, batches, _CLOSEST)
    for candidate, found in zip(asked, alike, strict=False):
        for edge in _edges(library, candidate, found):
            yield _match(library, edge.a or edge.b, edge.verdict, edge.method, edge)
    for title, found in zip(titles, alike[len(asked) :], strict=True):
        for paper in titled(library, title, found):
            yield _match(library, paper.entry_id, "title", paper.method, paper)


def _edges(library: Library, candidate: Candidate, alike: Iterable[int]) -> Iterator[Edge]:
    """What resembles a candidate, or has its text."""
    equal = [
        row[0]
        for key in ("text_hash", "plain_hash")
        for row in library.rows(
            f"select id from entries where {key} = ? order by id limit ?",
            [getattr(candidate, key), _CLOSEST],
        )
    ]
    reading = duplicates_room.Reading(candidate)
    for entry in candidates(library, sorted({*equal, *alike})):
        edge = duplicates_room.compare(reading, duplicates_room.Reading(entry))
        if edge:
            yield edge


def _match(library: Library, entry: int, verdict: str, method: str, found: Edge | Titled) -> Match:
    paper, label = next(
        library.rows(
            "select p.id, p.label from papers p join entries e on e.paper_id = p.id where e.id = ?",
            [entry],
        )
    )
    return Match(
        paper, label, verdict, method, round(found.score, 1), found.evidence, entry,
        where(library, entry),
    )  # fmt: skip


def _candidate(source_text: str, plain: str, title: str | None) -> Candidate:
    """A text that is in no file. Its id, 0, is that of no entry."""
    words = text.normalize(plain if source_text else title or "")
    return Candidate(
        id=0, text=source_text, plain=plain, title=title,
        text_hash=hashlib.sha256(source_text.encode("utf-8", "replace")).hexdigest(),
        plain_hash=hashlib.sha256(words.encode("utf-8", "replace")).hexdigest(),
    )  # fmt: skip


def _rank(match: Match) -> tuple[int, float, int]:
    kind = match.method if match.method in _ORDER else match.verdict
    return _ORDER.index(kind), -match.score, match.paper_id


def _rank_within(match: Match) -> tuple[bool, float, int, int]:
    """Which match of one paper tells most: that of a text before that of a title."""
    return match.verdict == "title", -match.score, _rank(match)[0], match.entry_id


def _parts(library: Library, plain: text.Plain, most: int) -> Iterator[Match]:
    """Papers in whose abstract sentences of a text stand, word for word."""
    stretches = [text.normalize(plain.plain[s.start : s.end]) for s in sentences.split(plain)]
    stretches = [s for s in stretches if s.count(" ") >= _PART_WORDS - 1]
    asked = stretches[:: len(stretches) // _PARTS_ASKED + 1]
    whole: dict[int, str] = {}
    entries: dict[int, tuple[str, int]] = {}
    found: dict[int, list[str]] = {}
    for stretch in asked:
        listed = stretch.split()
        middle = max(0, (len(listed) - _PHRASE) // 2)
        phrase = search.fts_query('"' + " ".join(listed[middle : middle + _PHRASE]) + '"')
        for paper, label, abstract, entry in library.rows(
            "select p.id, p.label, p.abstract, p.entry_id from papers_fts f"
            " join papers p on p.id = f.rowid where papers_fts match ? order by f.rank limit ?",
            [phrase, _PARTS_READ],
        ):
            if paper not in whole:
                whole[paper] = text.normalize(abstract)
                entries[paper] = (label, entry)
            if stretch in whole[paper]:  # its first and last word may be cut
                found.setdefault(paper, []).append(stretch)
    length = sum(map(len, asked))
    ranked = sorted(found.items(), key=lambda item: (-sum(map(len, item[1])), item[0]))
    for paper, stretches in ranked[:most]:
        label, entry = entries[paper]
        said = f"{len(stretches)} of its {len(asked)} sentences stand in the abstract"
        if len(asked) == 1:
            said = f"its {len(asked[0].split())} words stand in the abstract, one after the other"
        share = round(100 * sum(map(len, stretches)) / length, 1)
        yield Match(paper, label, "part", "part", share, said, entry, where(library, entry))
