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
from loader.database import Library, read_library
from loader.model import Candidate, Edge

_TITLE_WORDS = 40  # a text with more is no title
_CLOSEST = 50  # entries that are compared with a text
_BATCH = 2_000  # signatures held at once; they fit into the cache
_PART_WORDS = 4  # a shorter stretch stands in too many abstracts
_PHRASE = 12  # words of a stretch that are looked up before the whole is compared
_PARTS_READ = 50  # papers that have the phrase and are compared
_PARTS_ASKED = 20  # sentences that are looked for
_ORDER = ("duplicate", "title", "version", "possible", "part")


@dataclass(frozen=True, slots=True)
class Match:
    """A paper that a text is, or resembles."""

    paper_id: int
    label: str
    # duplicate, version or possible as in the table duplicates; title: a paper of this title;
    # part: shares sentences
    verdict: str
    method: str
    score: float  # 0 to 100; of a part: how much of the text stands in the abstract
    evidence: str
    entry_id: int
    where: str  # file:line


def match_text(
    database: Path, source_text: str, title: str | None = None, most: int = 10
) -> list[Match]:
    """The papers of a library that a text is or resembles, at most `most`, the best first.

    A text short enough for a title is looked for as one too, and its sentences in abstracts. Raises
    LoadError where the database cannot be read.
    """
    source_text = source_text.replace("\r\n", "\n").strip()
    read = text.to_plain(source_text)
    plain, words = read.plain, text.normalize(read.plain)
    if not words and not title:
        return []
    asked = [_candidate(source_text, plain, title)]
    if not title and len(plain.split()) <= _TITLE_WORDS:
        asked.append(_candidate("", "", plain))  # it may be a title
    with closing(read_library(database)) as library:
        best: dict[int, Match] = {}
        for match in _matches(library, _edges(library, asked, title is None)):
            if match.paper_id not in best or _rank(match) < _rank(best[match.paper_id]):
                best[match.paper_id] = match
        if len(best) < most:
            for match in _parts(library, read, most):
                best.setdefault(match.paper_id, match)
    return sorted(best.values(), key=_rank)[:most]


def _edges(
    library: Library, asked: Sequence[Candidate], as_title: bool
) -> Iterator[tuple[Edge, bool]]:
    """What resembles the candidates; of each is told whether it was found by a title alone."""
    stored = library.conn.execute("select entry_id, minhash from signatures order by entry_id")
    batches = iter(lambda: stored.fetchmany(_BATCH), [])
    sketches = [duplicates_room.signature(candidate) for candidate in asked]
    alike = duplicates_room.closest(sketches, batches, _CLOSEST)
    for candidate, found in zip(asked, alike, strict=True):
        equal = [
            row[0]
            for key in ("text_hash", "plain_hash")
            for row in library.rows(
                f"select id from entries where {key} = ? order by id limit ?",
                [getattr(candidate, key), _CLOSEST],
            )
        ]
        reading = duplicates_room.Reading(candidate)
        for entry in candidates(library, sorted({*equal, *found})):
            edge = duplicates_room.compare(reading, duplicates_room.Reading(entry))
            if edge:
                yield edge, as_title and not candidate.plain


def _candidate(source_text: str, plain: str, title: str | None) -> Candidate:
    """A text that is in no file. Its id, 0, is that of no entry."""
    words = text.normalize(plain if source_text else title or "")
    return Candidate(
        id=0, text=source_text, plain=plain, title=title,
        text_hash=hashlib.sha256(source_text.encode("utf-8", "replace")).hexdigest(),
        plain_hash=hashlib.sha256(words.encode("utf-8", "replace")).hexdigest(),
    )  # fmt: skip


def _rank(match: Match) -> tuple[int, float, int]:
    return _ORDER.index(match.verdict), -match.score, match.paper_id


def _matches(library: Library, edges: Iterable[tuple[Edge, bool]]) -> Iterator[Match]:
    """Edges as matches."""
    for edge, by_title in edges:
        entry = edge.a or edge.b
        paper, label = next(
            library.rows(
                "select p.id, p.label from papers p join entries e on e.paper_id = p.id"
                " where e.id = ?",
                [entry],
            )
        )
        verdict, method, evidence = str(edge.verdict), str(edge.method), edge.evidence
        if by_title:
            alike = "equal to" if edge.score == 100 else f"{edge.score:.0f}% like"
            verdict = method = "title"
            evidence = f"what you typed is {alike} its title; no abstract was compared"
        yield Match(
            paper, label, verdict, method, edge.score, evidence, entry, where(library, entry)
        )


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
