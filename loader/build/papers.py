"""What is written of a paper: its row, all that hangs on it, its aliases, the search index.

In: the papers of the new state, as plans. Out: rows.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from loader import search, text, topics
from loader.build.entries import place_key
from loader.build.extraction import extract
from loader.database import Library
from loader.formats.fields import doi_of
from loader.model import Sentence

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and how much there is (0 where unknown)."""

_BATCH = 1_000  # papers held at once


@dataclass(slots=True)
class Plan:
    """One paper of the new state: its id, its entries with the kept one first."""

    paper_id: int
    members: list[int]


class Fact(NamedTuple):
    """What a paper's id is made of, and the paper that an entry belongs to so far."""

    content_id: int
    paper_id: int
    record_hash: str
    sha256: str
    position: int

    @property
    def place(self) -> str:
        return hashlib.sha256(place_key(self.sha256, self.position).encode()).hexdigest()


_ENTRY = (
    "select e.id, e.text, e.title, coalesce(e.venue, s.venue) as venue,"
    " coalesce(e.year, s.year) as year, e.doi, e.url, e.volume, e.number, e.pages, e.authors,"
    " e.keywords, e.source_id, e.content_id, e.paper_id, e.text_hash"
    " from entries e join sources s on s.id = e.source_id"
    " where e.id in (select value from json_each(:ids))"
)


def write_papers(
    library: Library,
    plans: Sequence[Plan],
    facts: Mapping[int, Fact],
    before: Mapping[int, int],
    tell: Progress,
) -> None:
    """Bring papers, all that hangs on them and the search index to the planned state."""
    old = sorted(before)
    listed = (
        "select old_id, paper_id from paper_aliases"
        " where paper_id in (select value from json_each(:ids))"
    )
    retired = {old_id: before[paper] for old_id, paper in library.rows_for(listed, old)}
    library.forget_search(old)
    library.forget_contents(old)
    library.delete("papers", "id", old)
    library.move_entries(
        (plan.paper_id, entry)
        for plan in plans
        for entry in plan.members
        if facts[entry].paper_id != plan.paper_id
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
    _write_aliases(library, plans, facts, before, retired)
    if plans:
        tell("filling the search index", 0, 0)
    library.index_search((plan.paper_id for plan in plans), search.search_text)


def _write_aliases(
    library: Library,
    plans: Sequence[Plan],
    facts: Mapping[int, Fact],
    before: Mapping[int, int],
    retired: Mapping[int, int],
) -> None:
    """Ids of entries that another entry's id stands for, and ids that merging retired.

    `retired` are those of before, each with an entry of the paper that it led to.
    """
    papers = {plan.paper_id for plan in plans}
    aliases: dict[int, int] = {}
    for plan in plans:
        had = {p for entry in plan.members if (p := facts[entry].paper_id) in before}
        for entry in plan.members:
            aliases[facts[entry].content_id] = plan.paper_id
        if len(had) > 1:
            for paper_id in had:
                aliases.setdefault(paper_id, plan.paper_id)
    paper_of = {entry: plan.paper_id for plan in plans for entry in plan.members}
    for old_id, entry in retired.items():
        if entry in paper_of:
            aliases.setdefault(old_id, paper_of[entry])
    library.delete("paper_aliases", "old_id", set(aliases) | papers)
    # entries of other papers can have the same content id
    taken = "select id from papers where id in (select value from json_each(:ids))"
    for (paper_id,) in list(library.rows_for(taken, aliases)):
        del aliases[paper_id]
    library.insert(
        "paper_aliases",
        ({"old_id": old_id, "paper_id": paper_id} for old_id, paper_id in sorted(aliases.items())),
    )


class _Register:
    """Ids of texts that several papers share (authors, keywords); new ones are written once."""

    def __init__(self, library: Library, table: str, column: str) -> None:
        self.library, self.table, self.column = library, table, column
        known = library.rows(f"select id, {column} from {table}")
        self.ids: dict[str, int] = {value: i for i, value in known}
        self.last = max(self.ids.values(), default=0)
        self.fresh: list[dict[str, Any]] = []

    def id_of(self, value: str) -> int:
        if value not in self.ids:
            self.last += 1
            self.ids[value] = self.last
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


_NOTHING = (None, "", "[]")
_FIELDS = (
    "title", "authors", "venue", "year", "doi", "url", "volume", "number", "pages", "keywords",
)  # fmt: skip
_NUMBERED = ("sentences", "claims", "measurements", "names", "acronyms", "mentions", "links")
_WRITE_ORDER = (
    "papers", "sentences", "claims", "measurements", "names", "acronyms", "mentions",
    "mention_places", "links", "paper_topics", "paper_authors", "paper_keywords", "paper_kinds",
    "paper_sources", "paper_fields",
)  # fmt: skip


def _paper_rows(
    plan: Plan,
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
        return next((e[column] for e in entries if _states(e, column)), None)

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
    if len(entries) > 1:
        for field in _FIELDS:
            given = [e["id"] for e in entries if _states(e, field)]
            for entry_id in given if field == "keywords" else given[:1]:
                add("paper_fields", paper_id=paper_id, field=field, entry_id=entry_id)
    for kind, n in sorted(kinds.items()):
        add("paper_kinds", paper_id=paper_id, kind=kind, n=n)
    for source_id, n in sorted(sources.items()):
        add("paper_sources", paper_id=paper_id, source_id=source_id, n=n)


def _states(entry: Mapping[str, Any], column: str) -> bool:
    """Does an entry state a field? What stands for a DOI and is none stays with its entry."""
    value = entry[column]
    return value not in _NOTHING and (column != "doi" or doi_of(value) is not None)


def _sentence_at(found: Sequence[Sentence], place: int) -> int:
    """The index of the sentence that holds this place of the plain text."""
    return max(bisect_right(found, place, key=lambda s: s.start) - 1, 0)
