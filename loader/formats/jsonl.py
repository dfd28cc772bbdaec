"""JSON lines: one object a line, with an id and an abstract, a title or both.

In: the lines of a file. Out: records. Fields are known by the names that `keys` lists. Those that
are not known are counted, so that the report can name them; a value of the wrong type is left out
and counted likewise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from loader.formats.fields import doi_of, identifiers, people, terms, year_of
from loader.formats.files import Lines, clean
from loader.formats.keys import KNOWN, meant, named
from loader.formats.remarks import Remarks
from loader.model import Record, Reject

_EXCERPT = 80
_MOST_NAMED = 6  # keys that a reason names
_ARXIV_ID = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?")
_OPENREVIEW_ID = re.compile(r"[\w-]{6,20}")


def looks_like(line: str) -> bool:
    """Whether a file that begins with this line is meant as JSON lines."""
    rest = line[1:].lstrip()
    return line == "{}" or rest.startswith('"')


def is_list(line: str) -> bool:
    """Whether a line is a JSON array."""
    try:
        return isinstance(json.loads(line), list)
    except (ValueError, RecursionError):
        return False


class _Twice(Exception):
    """A key of an object that has two values."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        for key, value in pairs:
            if value != row[key]:
                raise _Twice(key)
    return row


def read(lines: Lines, remarks: Remarks) -> Iterator[Record | Reject]:
    """The records of the file; `remarks` hears of fields that were not used as they stand."""
    position = 0
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_once)
        except _Twice as error:
            reason = f'"{_shown(error.key)}" stands twice, with two values; keep one of them'
            yield Reject(number, reason, clean(line.strip()[:_EXCERPT])[0])
            continue
        except (ValueError, RecursionError) as error:
            what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            if isinstance(error, json.JSONDecodeError):
                what = error.msg
                if error.msg == "Extra data":
                    what += "; one object a line, and nothing behind it"
            yield Reject(number, f"not valid JSON: {what}", line.strip()[:_EXCERPT])
            continue
        record = _record(row, position + 1, number, remarks)
        if isinstance(record, str):
            yield Reject(number, record, clean(line.strip()[:_EXCERPT])[0])
            continue
        position += 1
        yield record


def _record(stated: Any, position: int, line: int, remarks: Remarks) -> Record | str:
    """A record, or the reason why what a line states is none."""
    if not isinstance(stated, dict):
        return "not a JSON object"
    row, keys = named(stated)
    for key in ("abstract", "text", "title"):
        row[key] = _only(row.get(key))
        if row[key] is not None and not isinstance(row[key], str):
            return f'"{keys.get(key, key)}" is not a string'
    external_id = row.get("id")
    if isinstance(external_id, bool) or not isinstance(external_id, str | int | None):
        return f'"{keys.get("id", "id")}" is neither a string nor an integer'
    abstract_key = "abstract" if row["abstract"] else "text"
    text, removed = clean(row[abstract_key] or "")
    title, removed_title = clean(row["title"] or "")
    if not text and not title:
        return _empty(stated)
    unused = [k for k in row if k not in KNOWN]
    if abstract_key == "abstract" and row["text"]:
        unused.append("text")

    def string(*names: str) -> str | None:
        for name in names:
            value = _only(row.get(name))
            if value is None or value == "":
                continue
            if isinstance(value, str | int) and not isinstance(value, bool):
                return " ".join(clean(str(value))[0].split()) or None
            unused.append(f"{keys.get(name, name)} (not a string)")
        return None

    def parsed(parse: Any, empty: Any, *names: str) -> Any:
        for name in names:
            if row.get(name) not in (None, "", []):
                value = parse(_clean_all(row[name]))
                if value is not None:
                    return value
                unused.append(f"{keys.get(name, name)} (not understood)")
        return empty

    def other(name: str, shape: re.Pattern[str], address: str) -> Iterator[str]:
        value = string(name)
        bare = value and value.removeprefix("arXiv:")
        if value and bare and shape.fullmatch(bare):
            yield address + bare
        elif value and "/" in value:
            yield value
        elif value:
            unused.append(f"{keys.get(name, name)} (not understood)")

    raw_doi, url = string("doi"), string("url")
    doi = doi_of(raw_doi) if raw_doi else None
    if raw_doi and not doi:
        remarks.dois.add(line, raw_doi)
    external = None if external_id is None else clean(str(external_id))[0] or None
    others = (
        *other("arxiv", _ARXIV_ID, "arxiv:"),
        *other("openreview", _OPENREVIEW_ID, "https://openreview.net/forum?id="),
    )
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
        doi=doi or raw_doi,
        url=url,
        volume=string("volume"),
        number=string("number"),
        pages=string("pages"),
        keywords=parsed(terms, (), "keywords"),
        identifiers=identifiers(doi=raw_doi, url=url, external_id=external, others=others),
        removed=removed + removed_title,
    )
    remarks.ignored.update(clean(key)[0] for key in unused)
    for name, key in keys.items():
        remarks.renamed.setdefault(clean(key)[0].strip("\ufeff"), name)
    return record


def _only(value: Any) -> Any:
    """The text in a list of one; anything else as it is."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    return value


def _empty(row: Mapping[str, Any]) -> str:
    """The reason why an object says nothing, with the key that may be meant."""
    for key in row:
        ours = meant(key)
        if ours in ("abstract", "text", "title") and isinstance(row[key], str) and row[key]:
            return f'no "abstract", "text" or "title"; did you mean "{ours}" by "{_shown(key)}"?'
    there = ", ".join(
        f'"{_shown(key)}"{" (empty)" if value in (None, "", []) else ""}'
        for key, value in islice(row.items(), _MOST_NAMED)
    )
    more = f" and {len(row) - _MOST_NAMED} more" if len(row) > _MOST_NAMED else ""
    return f'no "abstract", "text" or "title"; it has {there or "no key"}{more}'


def _shown(key: str) -> str:
    return clean(key[:_EXCERPT])[0]


def _clean_all(value: Any) -> Any:
    """The value with control characters taken out of every string in it (one level of lists)."""
    if isinstance(value, str):
        return clean(value)[0]
    if isinstance(value, list):
        return [_clean_all(v) if not isinstance(v, list) else v for v in value]
    if isinstance(value, dict):
        return {k: clean(v)[0] if isinstance(v, str) else v for k, v in value.items()}
    return value
