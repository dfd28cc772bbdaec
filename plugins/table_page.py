"""What stands around the rows of a table: filters that are set, as chips; ways to sort.

In: the query string of a table page and its facets. Out: names in words and addresses.
Addresses are relative (`?a=1`): they lead to the same table wherever the site is mounted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from datasette import hookimpl

from loader.model import SAID

Pair = tuple[str, str]

# columns and facets as people say them; others are said as they are spelt
WORDS = {
    "claim_count": "claims",
    "claims_first": "claims a first",
    "claims_sota": "claims the state of the art",
    "claims_theory": "has theory",
    "has_code": "gives code",
    "host": "host",
    "kind": "kind",
    "kinds": "claims",
    "measurement_count": "numbers",
    "paper_id": "paper",
    "promises_code": "promises code",
    "source_count": "number of files",
    "source_id": "file",
}
KINDS = {"claims", "introduces", "kind"}  # facets and columns with kinds of things
YES_NO = {
    "anonymous",
    "claims_first",
    "claims_sota",
    "claims_theory",
    "has_code",
    "promises_code",
}
_SAID = {
    "exact": "",
    "not": "is not ",
    "contains": "contains ",
    "notcontains": "does not contain ",
    "startswith": "starts with ",
    "endswith": "ends with ",
    "like": "is like ",
    "notlike": "is not like ",
    "glob": "matches ",
    "gt": "above ",
    "gte": "at least ",
    "lt": "below ",
    "lte": "at most ",
    "in": "one of ",
    "notin": "none of ",
    "isnull": "is not known",
    "notnull": "is known",
    "isblank": "is blank",
    "notblank": "is not blank",
}
_NO_VALUE = {"isnull", "notnull", "isblank", "notblank"}

# columns that a page shows when asked: sums and keys for machines, what stands on a row's own page
DETAILS: dict[str, tuple[str, ...]] = {
    "papers": (
        *("id", "entry_id", "doi", "url", "volume", "number", "pages", "entry_count"),
        *("sentence_count", "name_count", "mention_count", "promises_code", "claims_first"),
        *("claims_sota", "claims_theory", "search_text"),
    ),
    "sources": ("sha256", "format", "encoding", "venue", "year", "ignored_fields", "notes"),
    "entries": (
        *("external_id", "text_hash", "plain_hash", "record_hash", "content_id", "removed_count"),
        *("volume", "number", "pages", "keywords", "identifiers", "last_line"),
    ),
    "decisions": ("text_hash", "other_text_hash"),
    "duplicates": ("group_key", "question_id"),
    "measurements": ("start_char", "end_char"),
    "sentences": ("start_char", "end_char"),
}
_NOTHING = (None, "", "[]", "{}")

# column, descending, what the order is called
SORTS: dict[str, tuple[tuple[str, bool, str], ...]] = {
    "papers": (
        ("claim_count", True, "most claims"),
        ("measurement_count", True, "most numbers"),
        ("source_count", True, "most files"),
        ("year", True, "newest"),
        ("label", False, "name"),
    ),
    "measurements": (("high", True, "largest"), ("metric", False, "metric")),
    "duplicates": (("score", False, "lowest score"), ("score", True, "highest score")),
}


class Chip(NamedTuple):
    """A filter that is set: in words, and the address without it."""

    name: str
    value: str
    remove: str


class Sort(NamedTuple):
    """An order: in words, its address, and whether it is the one shown."""

    name: str
    address: str
    current: bool


def pairs_of(query_string: str) -> list[Pair]:
    """The arguments of an address, in order, empty ones included."""
    return parse_qsl(query_string, keep_blank_values=True)


def said(name: str, titles: Mapping[str, str] | None = None) -> str:
    """A column or facet as people say it; `titles` is what metadata.yml calls facets."""
    return (titles or {}).get(name) or WORDS.get(name, name.replace("_", " "))


def said_value(name: str, value: object, label: object = None) -> str:
    """A value of a column or facet as people say it; `label` is what a facet calls it."""
    if name in YES_NO and str(value) in ("0", "1"):
        return "yes" if str(value) == "1" else "no"
    if name in KINDS and str(value) in SAID:
        return SAID[str(value)]
    text = str(value if label is None or label == "" else label)
    return text or ("(no unit)" if name == "unit" else "(empty)")


def chips(
    pairs: Sequence[Pair], facets: Iterable[Any], titles: Mapping[str, str] | None = None
) -> list[Chip]:
    """The filters among the arguments, in words.

    `facets` (results of Datasette's facets) names the values it knows, `titles` the facets.
    """
    labels = {
        (facet["name"], str(result["value"])): result["label"]
        for facet in facets
        for result in facet["results"]
    }
    found = []
    for i, (key, value) in enumerate(pairs):
        words = _in_words(key, value, labels, titles or {})
        if words:
            rest = [pair for j, pair in enumerate(pairs) if j != i and pair[0] != "_next"]
            found.append(Chip(*words, remove="?" + urlencode(rest)))
    return found


def _in_words(
    key: str, value: str, labels: dict[tuple[str, str], object], titles: Mapping[str, str]
) -> Pair | None:
    if key.startswith("_many_"):
        name = key.removeprefix("_many_")
        return said(name, titles), said_value(name, value, labels.get((name, value)))
    if key == "_search" or key.startswith("_search_"):
        return ("words", value) if value else None
    if key == "_without":
        return ("without", value.strip().lstrip("-")) if value.strip() else None
    if key == "_field":
        name, _, wanted = value.partition(":")
        if name.startswith("-"):
            return name[1:], f"not {wanted}"
        return name, wanted.strip('"')
    if key == "_where":
        return "where", value
    if key == "_through":
        return "through", _through(value)
    if key.startswith("_") and "__" not in key:
        return None
    name, _, operator = key.rpartition("__")
    if not name or operator not in _SAID:
        name, operator = key, "exact"
    if operator in _NO_VALUE:
        return said(name), _SAID[operator]
    return said(name), _SAID[operator] + said_value(name, value, labels.get((name, value)))


def _through(value: str) -> str:
    try:
        parts = json.loads(value)
        return f"{said(parts['table'])} {parts['value']}"
    except (ValueError, KeyError, TypeError):
        return value


def with_arguments(pairs: Sequence[Pair], **new: str | None) -> str:
    """The address with some arguments replaced (None: removed), from its first page."""
    rest = [pair for pair in pairs if pair[0] not in new and pair[0] != "_next"]
    return "?" + urlencode(rest + [(key, value) for key, value in new.items() if value is not None])


def sorts(table: str, pairs: Sequence[Pair], sort: str | None, sort_desc: str | None) -> list[Sort]:
    """The orders worth a click for a table, given the one that is set."""
    found = []
    for column, descending, name in SORTS.get(table, ()):
        new: dict[str, str | None] = {"_sort": None, "_sort_desc": None}
        new["_sort_desc" if descending else "_sort"] = column
        current = (sort_desc if descending else sort) == column
        found.append(Sort(name, with_arguments(pairs, **new), current))
    return found


def folded(table: str, rows: Sequence[Sequence[Any]], pairs: Sequence[Pair]) -> list[str]:
    """The columns of a page that are shown when asked for: details, and those without a value.

    `rows` are Datasette's cells. None where the address chooses columns; what it sorts or
    filters by stays.
    """
    keys = {key for key, _ in pairs}
    if keys & {"_col", "_nocol"}:
        return []
    wanted = {key.partition("__")[0] for key in keys}
    wanted |= {value for key, value in pairs if key in ("_sort", "_sort_desc")}
    empty = [
        cells[0]["column"]
        for cells in zip(*rows, strict=True)
        if all(cell["raw"] in _NOTHING for cell in cells)
    ]
    names = [cell["column"] for cell in rows[0]] if rows else []
    return [n for n in names if (n in DETAILS.get(table, ()) or n in empty) and n not in wanted]


@hookimpl
def extra_template_vars(
    template: str | None, database: str | None, table: str | None, request: Any, datasette: Any
) -> Any:
    if not template or not template.startswith("table") or not table or not request:
        return None
    pairs = pairs_of(request.query_string)
    many = (datasette.table_metadata(database, table) or {}).get("many") or {}
    titles = {name: facet["title"] for name, facet in many.items() if facet.get("title")}
    return {
        "said": lambda name: said(name, titles),
        "said_value": said_value,
        "chips": lambda facets: chips(pairs, facets, titles),
        "folded_of": lambda rows: folded(table, rows, pairs),
        "sorts": lambda sort, sort_desc: sorts(table, pairs, sort, sort_desc),
        "with_arguments": lambda **new: with_arguments(pairs, **new),
        "other_arguments": lambda *names: [p for p in pairs if p[0] not in (*names, "_next")],
    }
