"""Is the database sound? Database in, faults out, a line each.

What is checked: SQLite's own integrity, foreign keys, hashes and positions of entries, offsets
of sentences, measurements and mentions against the source's words, counts that are stored
against the rows they count, duplicates against the entries of a paper, and the search index.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

from loader.database import Library
from loader.model import LoadError
from loader.search import search_text

_MOST_OF_A_KIND = 20  # faults shown of one kind; the rest is counted

# Each query returns a row for each fault: what the fault is in, and what is wrong there.
_FAULTS = {
    "sources": """
        select 'source ' || id || ' (' || name || ')', 'record_count ' || record_count || ' is not '
            || n || ' entries and ' || r || ' rejects'
        from (select s.id, s.name, s.record_count, s.loaded_count, s.reject_count,
                (select count(*) from entries e where e.source_id = s.id) as n,
                (select count(*) from rejects j where j.source_id = s.id) as r from sources s)
        where loaded_count <> n or reject_count <> r or record_count <> n + r""",
    "kept entry": """
        select 'paper ' || p.id, 'keeps entry ' || p.entry_id || ', which belongs to another paper'
        from papers p join entries e on e.id = p.entry_id where e.paper_id <> p.id""",
    "paper counts": """
        select 'paper ' || p.id, 'a stored count does not match its rows'
        from papers p
        left join (select paper_id, count(*) n, count(distinct source_id) s from entries group by 1)
            e on e.paper_id = p.id
        left join (select paper_id, count(*) n from sentences group by 1) s on s.paper_id = p.id
        left join (select paper_id, count(*) n, max(kind = 'first') f, max(kind = 'sota') o,
            max(kind = 'theory') t, max(kind = 'release') r from claims group by 1)
            c on c.paper_id = p.id
        left join (select paper_id, count(*) n from measurements group by 1) m on m.paper_id = p.id
        left join (select paper_id, count(*) n from names group by 1) a on a.paper_id = p.id
        left join (select paper_id, count(*) n from mentions group by 1) t on t.paper_id = p.id
        left join (select paper_id, max(kind = 'code') c from links group by 1)
            l on l.paper_id = p.id
        where p.entry_count <> coalesce(e.n, 0) or p.source_count <> coalesce(e.s, 0)
            or p.sentence_count <> coalesce(s.n, 0) or p.claim_count <> coalesce(c.n, 0)
            or p.measurement_count <> coalesce(m.n, 0) or p.name_count <> coalesce(a.n, 0)
            or p.mention_count <> coalesce(t.n, 0) or p.has_code <> coalesce(l.c, 0)
            or p.claims_first <> coalesce(c.f, 0) or p.claims_sota <> coalesce(c.o, 0)
            or p.claims_theory <> coalesce(c.t, 0)
            or p.promises_code <> (coalesce(c.r, 0) and not coalesce(l.c, 0))""",
    "kinds": """
        select 'paper ' || paper_id, 'paper_kinds does not match its claims of kind ' || kind
        from (select paper_id, kind, n from paper_kinds
            except select paper_id, kind, count(*) from claims group by 1, 2)
        union all
        select 'paper ' || paper_id, 'paper_kinds lacks its claims of kind ' || kind
        from (select paper_id, kind, count(*) as n from claims group by 1, 2
            except select paper_id, kind, n from paper_kinds)""",
    "paper sources": """
        select 'paper ' || paper_id, 'paper_sources does not match its entries'
        from (select paper_id, source_id, n from paper_sources
            except select paper_id, source_id, count(*) from entries group by 1, 2)
        union
        select 'paper ' || paper_id, 'paper_sources does not match its entries'
        from (select paper_id, source_id, count(*) from entries group by 1, 2
            except select paper_id, source_id, n from paper_sources)""",
    "duplicates": """
        select 'paper ' || p.id, 'has ' || p.entry_count || ' entries but '
            || count(d.id) || ' rows of verdict duplicate'
        from papers p
        left join entries e on e.paper_id = p.id
        left join duplicates d on d.entry_id = e.id and d.verdict = 'duplicate'
        group by p.id having count(d.id) <> p.entry_count - 1""",
    "pairs": """
        select 'duplicate ' || d.id, 'is of verdict ' || d.verdict || ' but its entries are '
            || iif(a.paper_id = b.paper_id, 'one paper', 'two papers')
        from duplicates d join entries a on a.id = d.entry_id
        join entries b on b.id = d.other_entry_id
        where (d.verdict = 'duplicate') <> (a.paper_id = b.paper_id)""",
    "belonging": """
        select 'claim ' || c.id, 'belongs to another paper than its sentence'
        from claims c join sentences s on s.id = c.sentence_id where s.paper_id <> c.paper_id
        union all
        select 'measurement ' || m.id, 'belongs to another paper than its sentence'
        from measurements m join sentences s on s.id = m.sentence_id where s.paper_id <> m.paper_id
        union all
        select 'mention ' || m.id, 'stands in a sentence of another paper'
        from mention_places x join mentions m on m.id = x.mention_id
        join sentences s on s.id = x.sentence_id where s.paper_id <> m.paper_id""",
    "measurement place": """
        select 'measurement ' || m.id, 'lies outside its sentence'
        from measurements m join sentences s on s.id = m.sentence_id
        where m.start_char < s.start_char or m.end_char > s.end_char""",
    "mention place": """
        select 'mention ' || x.mention_id, 'lies outside its sentence'
        from mention_places x join sentences s on s.id = x.sentence_id
        where x.start_char < s.start_char or x.end_char > s.end_char""",
    "sentence order": """
        select 'sentence ' || s.id, 'begins before the one before it ends'
        from sentences s join sentences b on b.paper_id = s.paper_id and b.position = s.position - 1
        where s.start_char < b.end_char""",
    "sentence positions": """
        select 'paper ' || paper_id, 'its sentences are not numbered 1 to ' || count(*)
        from sentences group by paper_id having min(position) <> 1 or max(position) <> count(*)""",
    "aliases": """
        select 'alias ' || a.old_id, 'is the id of a paper too'
        from paper_aliases a join papers p on p.id = a.old_id""",
}
# an index, its table, and the columns whose texts it holds; papers_fts compares itself
_INDEXED = {
    "papers_fts": ("papers", ""),
    "claims_fts": ("claims", "t.text, null"),
    "names_fts": ("names", "t.name, t.expansion"),
}


def faults(library: Library) -> Iterator[str]:
    """Every fault of the database as one line; nothing where it is sound."""
    for (said,) in library.rows(f"pragma integrity_check({_MOST_OF_A_KIND})"):
        if said != "ok":
            yield f"database: {said}"
    for table, rowid, parent, _ in library.rows("pragma foreign_key_check"):
        yield f"{table} {rowid}: points at a row of {parent} that does not exist"
    yield from _cut(_hashes(library))
    for sql in _FAULTS.values():
        yield from _cut(f"{where}: {what}" for where, what in library.rows(sql))
    yield from _cut(_wording(library))
    yield from _cut(_coverage(library))


def _cut(found: Iterator[str]) -> Iterator[str]:
    rest = 0
    for n, fault in enumerate(found):
        if n < _MOST_OF_A_KIND:
            yield fault
        else:
            rest += 1
    if rest:
        yield f"... and {rest} more of this kind"


def _hashes(library: Library) -> Iterator[str]:
    for entry_id, text, text_hash in library.rows("select id, text, text_hash from entries"):
        if hashlib.sha256(text.encode("utf-8")).hexdigest() != text_hash:
            yield f"entry {entry_id}: its text_hash is not the hash of its text"
        if text != text.strip() or "\r" in text or "\0" in text:
            yield f"entry {entry_id}: its text is not stripped of blanks, NUL or carriage returns"


def _wording(library: Library) -> Iterator[str]:
    """Measurements are the words of the source. Not in SQL: substr() counts from the start of the
    text each time, which takes long in long texts."""
    paper, text = None, ""
    for paper_id, measurement, start, end, written in library.rows(
        "select paper_id, id, start_char, end_char, text from measurements order by paper_id, id"
    ):
        if paper_id != paper:
            paper = paper_id
            text = (
                library.value(
                    "select text from entries where id ="
                    " (select entry_id from papers where id = ?)",
                    [paper_id],
                )
                or ""
            )
        if text[start:end] != written:
            yield f"measurement {measurement}: is not what stands at its place in the source"


def _coverage(library: Library) -> Iterator[str]:
    """Sentences and the white space between them are the whole abstract."""
    spans: dict[int, list[tuple[int, int]]] = {}
    query = (
        "select p.id, s.start_char, s.end_char from papers p join sentences s on s.paper_id = p.id"
    )
    for paper_id, start, end in library.rows(f"{query} order by p.id, s.position"):
        spans.setdefault(paper_id, []).append((start, end))
    for paper_id, text in library.rows(
        "select p.id, e.text from papers p join entries e on e.id = p.entry_id"
        " where p.abstract <> ''"
    ):
        place = 0
        for start, end in spans.get(paper_id, []):
            if text[place:start].strip() or end > len(text):
                break
            place = end
        if text[place:].strip():
            yield f"paper {paper_id}: its sentences leave out text at character {place}"


def search_faults(library: Library) -> Iterator[str]:
    """Faults of the search index. Its check is written as an insert, which changes nothing, so
    the database must be open for writing."""
    for index, (table, columns) in _INDEXED.items():
        held = library.value(f"select count(*) from {table}")
        indexed = library.value(f"select count(*) from {index}_docsize")
        if held != indexed:
            yield f"{index}: holds {indexed} rows, {table} has {held}"
            continue
        try:
            library.execute(f"insert into {index} ({index}, rank) values ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise LoadError(
                    "another program is writing to the database; check again when it is done",
                    file=str(library.path),
                ) from error
            yield f"{index}: does not match {table} ({error}); load the files again"
        if columns:
            yield from _cut(_other_words(library, index, table, columns))


def _other_words(library: Library, index: str, table: str, columns: str) -> Iterator[str]:
    for row_id, held, *texts in library.rows(
        f"select t.id, f.text, {columns} from {table} t left join {index} f on f.rowid = t.id"
    ):
        if held != search_text(*texts):
            yield f"{index}: does not match {table} {row_id}; load the files again"
