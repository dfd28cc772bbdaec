"""The page of one paper: its abstract with everything marked that was found in it.

In: a database and the id of a paper. Out: what `row-library-papers.html` shows.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from datasette import NotFound, hookimpl

from loader.text import Plain, to_plain
from loader.versions import Kept

TEMPLATE = "row-library-papers.html"
LONGEST = 100_000  # characters of one text on a page; more hangs browsers
MOST_NUMBERS = 200  # rows of the table of numbers
RELATED = 6
COMMON = 2_000  # what more papers share than this tells nothing about any two
RARE_WORDS = 10  # of an abstract, by which papers of similar wording are found
_WORD = re.compile(r"[^\W\d_]{5,}")  # shorter ones say little


class Piece(NamedTuple):
    """A stretch of a sentence that is marked the same way throughout."""

    text: str
    measurement: Any  # the row of the number that stands here, or None
    claimed: bool  # part of the clause or sentence that makes a claim


class Marked(NamedTuple):
    """A sentence as it is shown."""

    sentence: Any
    pieces: list[Piece]
    claims: list[Any]


class Relative(NamedTuple):
    """Another paper, and what it has in common with this one."""

    paper_id: int
    label: str
    reasons: list[str]


def plain_span(plain: Plain, start_char: int, end_char: int) -> tuple[int, int]:
    """Where `plain.source[start_char:end_char]` stands in `plain.plain`, half open.

    Markup that became nothing gives an empty span. Logarithmic in the length of the text.
    """
    start = bisect_right(plain.ends, start_char)
    return start, max(start, bisect_left(plain.starts, end_char))


def mark(
    plain: Plain, sentences: Sequence[Any], claims: Sequence[Any], measurements: Sequence[Any]
) -> list[Marked]:
    """The sentences in plain text, cut where a number or a claim begins or ends.

    Rows are read by name: `id`, `start_char`, `end_char` of sentences; `sentence_id`, `text` of
    claims; `sentence_id`, `start_char`, `end_char` of measurements. The joined pieces of a
    sentence are its plain text.
    """
    claims_of, measurements_of = defaultdict(list), defaultdict(list)
    for claim in claims:
        claims_of[claim["sentence_id"]].append(claim)
    for measurement in measurements:
        measurements_of[measurement["sentence_id"]].append(measurement)
    marked = []
    for sentence in sentences:
        start, end = plain_span(plain, sentence["start_char"], sentence["end_char"])
        text = plain.plain[start:end]
        numbers = []
        for measurement in measurements_of[sentence["id"]]:
            left, right = plain_span(plain, measurement["start_char"], measurement["end_char"])
            if start <= left < right <= end:
                numbers.append((left - start, right - start, measurement))
        clauses = []
        for claim in claims_of[sentence["id"]]:
            at = text.find(claim["text"])
            # a clause that was put together is not there as it is: then all of the sentence
            clauses.append((at, at + len(claim["text"])) if at >= 0 else (0, len(text)))
        marked.append(Marked(sentence, _pieces(text, numbers, clauses), claims_of[sentence["id"]]))
    return marked


def _pieces(
    text: str, numbers: Iterable[tuple[int, int, Any]], clauses: Iterable[tuple[int, int]]
) -> list[Piece]:
    pieces: list[Piece] = []

    def add(start: int, end: int, measurement: Any) -> None:
        cuts = sorted({start, end} | {c for span in clauses for c in span if start < c < end})
        for left, right in pairwise(cuts):
            claimed = any(a <= left and right <= b for a, b in clauses)
            pieces.append(Piece(text[left:right], measurement, claimed))

    clauses, at = list(clauses), 0
    for start, end, measurement in sorted(numbers, key=lambda number: number[:2]):
        if start >= at:  # of two numbers that overlap, the first is shown
            add(at, start, None)
            add(start, end, measurement)
            at = end
    add(at, len(text), None)
    return pieces


def related(conn: sqlite3.Connection, paper_id: int) -> list[Relative]:
    """Papers that share data sets, baselines, names, topics or rare words, best first.

    What few papers share weighs more: each thing in common counts its weight times
    log(papers / papers that have it).
    """
    total = conn.execute("select count(*) from papers").fetchone()[0]
    scores: dict[int, float] = defaultdict(float)
    reasons: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for own, having, weight, words in _IN_COMMON:
        for key, thing in conn.execute(own, (paper_id,)).fetchall():
            # one more than is common tells that it is
            rows = conn.execute(having, {"key": key, "id": paper_id, "limit": COMMON + 1})
            others = {row[0] for row in rows}
            if len(others) <= COMMON:
                worth = weight * math.log1p(total / (len(others) + 1))
                for other in others:
                    scores[other] += worth
                    reasons[other][words].append(thing)
    for other, worth, shared in alike(conn, paper_id, total):
        scores[other] += worth
        reasons[other]["similar wording: {}"] = shared
    best = sorted(scores, key=lambda other: (-scores[other], other))[:RELATED]
    labels = dict(
        conn.execute(
            "select id, label from papers where id in (select value from json_each(?))",
            (json.dumps(best),),
        ).fetchall()
    )
    return [
        Relative(
            other,
            labels[other],
            [words.format(_listed(things)) for words, things in reasons[other].items()],
        )
        for other in best
    ]


def _listed(things: Sequence[str], most: int = 4) -> str:
    more = f" and {len(things) - most} more" if len(things) > most else ""
    return ", ".join(things[:most]) + more


def alike(
    conn: sqlite3.Connection, paper_id: int, total: int
) -> list[tuple[int, float, list[str]]]:
    """Papers that share rare words with this one: id, weight and the words, rarest first."""

    def words(text: str) -> set[str]:
        return set(_WORD.findall(text.lower()))

    abstract = "select substr(abstract, 1, 20000) from papers where id = ?"
    own = words(conn.execute(abstract, (paper_id,)).fetchone()[0])
    counts = conn.execute(
        """select v.term, v.doc from json_each(?) w join papers_fts_words v on v.term = w.value
        where v.doc between 2 and ? order by v.doc, v.term limit ?""",
        (json.dumps(sorted(own)), min(COMMON, max(total // 4, 2)), RARE_WORDS),
    ).fetchall()
    if len(counts) < 2:
        return []
    rare = {term: math.log1p(total / doc) / 2 for term, doc in counts}
    near = conn.execute(
        """select p.id, substr(p.abstract, 1, 20000)
        from papers_fts f join papers p on p.id = f.rowid
        where papers_fts match ? and p.id <> ? order by f.rank limit 40""",
        (" OR ".join(f'"{word}"' for word in rare), paper_id),
    )
    found = []
    for other, text in near:
        shared = [word for word in rare if word in words(text)]
        if len(shared) > 1:  # one word alone is chance
            found.append((other, sum(rare[word] for word in shared), shared))
    return found


_MENTIONING = """select paper_id from mentions
    where name = :key collate nocase and paper_id <> :id limit :limit"""
# what a paper has, who else has it, the weight, and how the reason reads
_IN_COMMON = (
    (
        "select name, name from names where paper_id = ?",
        _MENTIONING,
        4.0,
        "uses {}, which this paper introduces",
    ),
    (
        "select name, name from mentions where paper_id = ?",
        """select paper_id from names
        where name = :key collate nocase and paper_id <> :id limit :limit""",
        4.0,
        "introduces {}",
    ),
    (
        """select distinct baseline, baseline from measurements
        where paper_id = ? and baseline is not null""",
        """select distinct paper_id from measurements
        where baseline = :key collate nocase and paper_id <> :id limit :limit""",
        3.0,
        "both compare with {}",
    ),
    (
        "select name, name from mentions where paper_id = ? and kind = 'dataset'",
        _MENTIONING,
        3.0,
        "both use the data of {}",
    ),
    (
        "select name, name from mentions where paper_id = ? and kind <> 'dataset'",
        _MENTIONING,
        2.0,
        "both name {}",
    ),
    (
        """select t.id, t.term from paper_topics p join topics t on t.id = p.topic_id
        where p.paper_id = ?""",
        """select paper_id from paper_topics
        where topic_id = :key and paper_id <> :id limit :limit""",
        1.0,
        "both on {}",
    ),
)


def read_paper(conn: sqlite3.Connection, paper_id: int) -> dict[str, Any]:
    """Everything known about one paper, by section of its page.

    `conn` gives rows by name. Raises NotFound where the paper is gone.
    """

    def rows(sql: str) -> list[Any]:
        return conn.execute(sql, {"id": paper_id, "longest": LONGEST}).fetchall()

    found = rows("select * from papers where id = :id")
    if not found:
        raise NotFound("This paper is not there any more.")
    paper = found[0]
    text = rows(
        """select substr(text, 1, :longest) from entries
        where id = (select entry_id from papers where id = :id)"""
    )[0][0]
    here = "where paper_id = :id and end_char <= :longest"
    sentences = rows(f"select * from sentences {here} order by position")
    claims = rows(
        f"""select * from claims where sentence_id in (select id from sentences {here})
        order by sentence_id, id"""
    )
    measurements = rows(f"select * from measurements {here} order by start_char")
    return {
        "paper": paper,
        "marked": mark(to_plain(text), sentences, claims, measurements),
        "cut": len(sentences) < paper["sentence_count"],
        "sentences": sentences,
        "claims": claims,
        "measurements": measurements[:MOST_NUMBERS],
        # a topic that a narrower one of this paper implies says little
        "topics": rows(
            """select t.id, t.term, pt.evidence, exists (
                select 1 from topics narrow join paper_topics too on too.topic_id = narrow.id
                where narrow.broader_id = t.id and too.paper_id = pt.paper_id
            ) as implied
            from paper_topics pt join topics t on t.id = pt.topic_id
            where pt.paper_id = :id order by implied, t.term"""
        ),
        "names": rows("select * from names where paper_id = :id order by id"),
        "acronyms": rows("select * from acronyms where paper_id = :id order by short"),
        "mentions": rows("select * from mentions where paper_id = :id order by kind, name"),
        "links": rows("select * from links where paper_id = :id order by kind, url"),
        "authors": rows(
            """select a.id, a.name from paper_authors pa join authors a on a.id = pa.author_id
            where pa.paper_id = :id order by pa.position"""
        ),
        "keywords": rows(
            """select k.id, k.term from paper_keywords pk join keywords k on k.id = pk.keyword_id
            where pk.paper_id = :id order by k.term"""
        ),
        "entries": rows(
            """select e.id, e.source_id, e.position, e.first_line, e.last_line, e.external_id,
            e.title, substr(e.text, 1, :longest) as text, length(e.text) as length,
            s.name as source, s.collection,
            e.id = (select entry_id from papers where id = :id) as kept
            from entries e join sources s on s.id = e.source_id
            where e.paper_id = :id order by kept desc, e.source_id, e.position limit 200"""
        ),
        # of a paper with several entries: what each of them gave
        "given": {
            row["entry_id"]: row["fields"]
            for row in rows(
                """select entry_id, group_concat(field, ', ') as fields
                from paper_fields where paper_id = :id group by entry_id"""
            )
        },
        # pairs of one group (one text, DOI or template) are told once
        "duplicates": rows(
            """select d.*, max(d.score), count(*) as pairs, p.id as other_paper_id,
                p.label as other_label
            from duplicates d
            join entries a on a.id = d.entry_id join entries b on b.id = d.other_entry_id
            join papers p on p.id = iif(a.paper_id = :id, b.paper_id, a.paper_id)
            where d.entry_id in (select id from entries where paper_id = :id)
            or d.other_entry_id in (select id from entries where paper_id = :id)
            group by d.verdict, iif(d.verdict <> 'duplicate' and d.group_key <> '',
                d.group_key, d.id)
            order by d.verdict, d.score desc limit 200"""
        ),
        "related": related(conn, paper_id),
    }


_pages = Kept(50)


@hookimpl
def extra_template_vars(template: str, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE:
        return None

    async def page() -> dict[str, Any]:
        paper_id = int(request.url_vars["pks"])
        database = datasette.get_database("library")
        page = await _pages(database, paper_id, lambda conn: read_paper(conn, paper_id))
        return {"page": page}

    return page
