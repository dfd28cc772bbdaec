"""JSON lines: one object a line, with an id and an abstract, a title or both.

In: the lines of a file. Out: records. Fields that are not known are counted, so that the
report can name them; a value of the wrong type is left out and counted likewise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from loader.formats.fields import doi_of, identifiers, people, terms, year_of
from loader.formats.files import Lines, clean
from loader.model import Record, Reject

_KNOWN = frozenset(
    "id abstract text title author authors year journal venue doi pages volume number url "
    "keywords".split()
)
_EXCERPT = 80


def looks_like(line: str) -> bool:
    """Whether a file that begins with this line is meant as JSON lines."""
    rest = line[1:].lstrip()
    return line == "{}" or rest.startswith('"')


def read(lines: Lines, ignored: Counter[str]) -> Iterator[Record | Reject]:
    """The records of the file; `ignored` counts fields that were not used."""
    position = 0
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            if isinstance(error, json.JSONDecodeError):
                what = error.msg
            yield Reject(number, f"not valid JSON: {what}", line.strip()[:_EXCERPT])
            continue
        record = _record(row, position + 1, number, ignored)
        if isinstance(record, str):
            yield Reject(number, record, clean(line.strip()[:_EXCERPT])[0])
            continue
        position += 1
        yield record


def _record(row: Any, position: int, line: int, ignored: Counter[str]) -> Record | str:
    """A record, or the reason why the row is none."""
    if not isinstance(row, dict):
        return "not a JSON object"
    for key in ("abstract", "text", "title"):
        if row.get(key) is not None and not isinstance(row[key], str):
            return f'"{key}" is not a string'
    external_id = row.get("id")
    if isinstance(external_id, bool) or not isinstance(external_id, str | int | None):
        return '"id" is neither a string nor an integer'
    abstract_key = "abstract" if row.get("abstract") else "text"
    text, removed = clean(row.get(abstract_key) or "")
    title, removed_title = clean(row.get("title") or "")
    if not text and not title:
        return 'no "abstract", "text" or "title"'
    unused = [k for k in row if k not in _KNOWN]
    if abstract_key == "abstract" and row.get("text"):
        unused.append("text")

    def string(*keys: str) -> str | None:
        for key in keys:
            value = row.get(key)
            if value is None or value == "":
                continue
            if isinstance(value, str | int) and not isinstance(value, bool):
                return " ".join(clean(str(value))[0].split()) or None
            unused.append(f"{key} (not a string)")
        return None

    def parsed(parse: Any, empty: Any, *keys: str) -> Any:
        for key in keys:
            if row.get(key) not in (None, "", []):
                value = parse(_clean_all(row[key]))
                if value is not None:
                    return value
                unused.append(f"{key} (not understood)")
        return empty

    raw_doi, url = string("doi"), string("url")
    external = None if external_id is None else clean(str(external_id))[0] or None
    record = Record(
        position=position,
        first_line=line,
        last_line=line,
        text=text,
        external_id=external,
        title=" ".join(title.split()) or None,
        authors=parsed(people, (), "authors", "author"),
        year=parsed(year_of, None, "year"),
        venue=string("venue", "journal"),
        doi=raw_doi and (doi_of(raw_doi) or raw_doi),
        url=url,
        volume=string("volume"),
        number=string("number"),
        pages=string("pages"),
        keywords=parsed(terms, (), "keywords"),
        identifiers=identifiers(doi=raw_doi, url=url, external_id=external),
        removed=removed + removed_title,
    )
    ignored.update(clean(key)[0] for key in unused)
    return record


def _clean_all(value: Any) -> Any:
    """The value with control characters taken out of every string in it (one level of lists)."""
    if isinstance(value, str):
        return clean(value)[0]
    if isinstance(value, list):
        return [_clean_all(v) if not isinstance(v, list) else v for v in value]
    if isinstance(value, dict):
        return {k: clean(v)[0] if isinstance(v, str) else v for k, v in value.items()}
    return value
