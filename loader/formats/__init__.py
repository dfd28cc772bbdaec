"""Files to records: the only room that knows formats.

In: a path. Out: a `Reading`, the source as a whole and an iterator over its records
and rejects. A file is told by its content; only a table by its name as well. Each format is a
module with a `read(reading) -> Iterator[Record | Reject]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from loader.formats import jsonl, seed
from loader.formats.files import Lines, inspect
from loader.formats.remarks import Remarks
from loader.model import LoadError, Record, Reject, Source

_LOOK_AHEAD = 100  # lines
_TABLES = (".csv", ".tsv", ".tab")
_TABLE = "a table (CSV or TSV)"
_QUOTED = re.compile(r'"[^"]*"')
_WORDY = 12  # words of a line that is a sentence, not a row of a table
# what stands at the beginning of a line in no abstract
_TAGGED = {
    "RIS": re.compile(r"TY  ?- [A-Z]{3,}"),
    "PubMed's format (nbib)": re.compile(r"PMID ?- ?\d+$"),
    "EndNote's format (enw)": re.compile(r"%0 [A-Z]\w+( \w+)*$"),
    "Web of Science's format": re.compile(r"FN (?:Clarivate|Thomson|ISI)\b|PT [A-Z]$"),
    "BibTeX": re.compile(r"\s*@[A-Za-z]{3,20}\s*[{(]\s*[^\s,{}()=]+\s*,"),
}

_PARSERS: dict[str, Callable[[Lines, Remarks], Iterator[Record | Reject]]] = {
    "seed": seed.read,
    "jsonl": jsonl.read,
}


@dataclass(slots=True)
class Reading:
    """A file that can be read: what it is, and its records, one at a time."""

    path: Path
    source: Source
    remarks: Remarks = field(default_factory=Remarks)  # filled while reading
    of_bytes: tuple[str, ...] = ()  # what a person should know of how the file is encoded

    @property
    def ignored_fields(self) -> Counter[str]:
        """Fields that were not used, with in how many of the records read so far."""
        return self.remarks.ignored

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the file, as far as it is read."""
        return (*self.of_bytes, *self.remarks.lines())

    def records(self) -> Iterator[Record | Reject]:
        """Every record of the file in its order, or the reason why one cannot be used."""
        lines = Lines(self.path, self.source.encoding)
        self.remarks = Remarks()
        return _PARSERS[self.source.format](lines, self.remarks)


def open_source(path: Path) -> Reading:
    """Look at a file and tell what it is.

    Raises LoadError where it is missing, a directory, empty, not text, in a format that is
    not read, or without a single abstract.
    """
    facts = inspect(path)
    lines = Lines(path, facts.encoding)
    shape = _shape(path, lines)
    source = Source(
        name=path.name, sha256=facts.sha256, format=shape, encoding=facts.encoding, bytes=facts.size
    )
    if shape == "seed":
        collection, venue, year = seed.collection(lines)
        source = replace(source, collection=collection, venue=venue, year=year)
    reading = Reading(path, source)
    if facts.broken_line:
        reading.of_bytes = (
            f"bytes that are not {facts.encoding} became U+FFFD, first on line {facts.broken_line}",
        )
    if not any(True for _ in reading.records()):
        raise LoadError(
            "no abstracts in this file; expected abstracts separated by blank lines, or JSON lines",
            file=str(path),
        )
    return reading


def only_text(path: Path) -> Record | None:
    """A plain text that is one block, as one abstract; None where the file is anything else.

    `open_source` takes a single short line for the title of a collection. Raises LoadError
    like `open_source`.
    """
    lines = Lines(path, inspect(path).encoding)
    return seed.only_block(lines) if _shape(path, lines) == "seed" else None


def _shape(path: Path, lines: Lines) -> str:
    for number, line in islice(lines, _LOOK_AHEAD):  # Ovid and others write lines before the first
        for tagged, tag in _TAGGED.items():
            if tag.match(line[:200]):
                raise _unread(tagged, path, number)
    for number, line in lines:
        start = line.strip()
        if not start:
            continue
        if start[0] == "{" and jsonl.looks_like(start):
            return "jsonl"
        if name := _foreign(start):
            raise _unread(name, path, number)
        if path.suffix.casefold() in _TABLES or _is_table(lines):
            raise _unread(_TABLE, path, number)
        return "seed"
    raise LoadError("the file is blank; nothing to load", file=str(path), line=1)


def _unread(name: str, path: Path, line: int) -> LoadError:
    return LoadError(
        f"this looks like {name}, which is not read yet; convert it to JSON lines "
        '({"id": ..., "title": ..., "abstract": ...}, one a line; see the README)',
        file=str(path),
        line=line,
    )


def _foreign(start: str) -> str | None:
    """The name of a well-known format that this first line belongs to, if it is one."""
    low = start.casefold()
    if start[0] == "[" and (len(start) == 1 or start[1:].lstrip()[:1] in ('{"', "{", "]")):
        return "a JSON array"
    if start.startswith('["') and jsonl.is_list(start):
        return "JSON lines of arrays without names"
    if start == "{":
        return "a JSON object over several lines"
    if (
        start[0] == "@"
        and low.split("{")[0].split("(")[0][1:].strip().isalpha()
        and ("{" in start or "(" in start)
    ):
        return "BibTeX"
    if low.startswith(("<?xml", "<!doctype", "<html")):
        return "XML or HTML"
    columns = {c.strip().strip('"') for c in low.replace("\t", ",").split(",")}
    if len(columns) > 1 and "abstract" in columns:
        return _TABLE
    return None


def _is_table(lines: Lines) -> bool:
    """Have all lines (two or more) two or more of one delimiter, as many each, and few words?"""
    delimiters: dict[str, int] = {}
    rows = 0
    for _, line in lines:
        if not line.strip():
            continue
        if sum(word.strip("\"'.,;:()").isalpha() for word in line.split()) >= _WORDY:
            return False
        plain = _QUOTED.sub("", line)
        counts = {d: n for d in ",;\t" if (n := plain.count(d)) > 1}
        delimiters = {d: n for d, n in counts.items() if not rows or delimiters.get(d) == n}
        if not delimiters:
            return False
        rows += 1
    return rows > 1
