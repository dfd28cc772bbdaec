"""Values of fields, as people write them, to values that can be compared.

In: a year, a list of authors, a DOI, an address ... as a source has it. Out: the same in one
form, or None where it cannot be understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_COLLECTION = re.compile(r"^(?P<venue>.*?)[\s,:'’-]*\b(?P<year>19\d\d|20\d\d)\b")
_DOI = re.compile(r"(?<![\d.])10\.\d+(?:\.\d+)*/\S+")
_DOI_ADDRESS = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.I)
_DOI_PREFIX = re.compile(rf"^(?:{_DOI_ADDRESS.pattern}|doi:)\s*", re.I)
_WEB = re.compile(r"https?://", re.I)
_PAGE = re.compile(r"/(?:full|fulltext|abstract|e?pdf|meta|html?|references)/?$|\.pdf$", re.I)
_DOI_TAIL = "./,;:\"'>]}"
_ARXIV = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf|html)/|^arxiv:\s*|10\.48550/arxiv\.)"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w-]+)", re.I)


def collection_facts(title: str) -> tuple[str | None, int | None]:
    """Venue and year of a collection's title: "ICLR 2026 Papers" -> ("ICLR", 2026)."""
    match = _COLLECTION.match(title)
    if not match:
        return None, None
    return match["venue"].strip() or None, int(match["year"])


def year_of(value: object) -> int | None:
    """A year between 1500 and 2099 that the value states, else None.

    The value is a number, a text, or a date as CSL JSON has it, `{"date-parts": [[2020, 1]]}`.
    """
    if isinstance(value, dict):
        parts = value.get("date-parts")
        while isinstance(parts, list) and parts:
            parts = parts[0]
        value = parts if parts else value.get("raw")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = _YEAR.search(str(value))
    return int(match[1]) if match else None


def doi_of(value: str) -> str | None:
    """A DOI in lower case without its resolver, else None. DOIs ignore case (ISO 26324).

    Of an address of a publisher that holds one, too: without what leads to a page or a file.
    """
    value = value.strip()
    if _WEB.match(value):
        value = unquote(re.split("[?#]", value, maxsplit=1)[0])
        if not _DOI_ADDRESS.match(value):
            value = _PAGE.sub("", value)
    match = _DOI.search(_DOI_PREFIX.sub("", value))
    if not match:
        return None
    doi = match[0].rstrip(_DOI_TAIL)
    while doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1].rstrip(_DOI_TAIL)
    return doi.casefold() if "/" in doi else None


def people(value: object) -> tuple[str, ...] | None:
    """Names of authors from a list, a list of objects or one string; None where it is neither.

    A string is split at ";", else at " and ", else at "," where each part has a blank inside
    (so "Doe, J." stays one name).
    """
    if isinstance(value, str):
        text = " ".join(value.split())
        if ";" in text:
            parts = text.split(";")
        elif re.search(r"\sand\s", text):
            parts = re.split(r",?\sand\s", text)
            if len(parts) > 1 and all(" " in p.strip() for p in parts[0].split(",")):
                parts[:1] = parts[0].split(",")
        elif all(" " in p.strip() for p in text.split(",")):
            parts = text.split(",")
        else:
            parts = [text]
    elif isinstance(value, list):
        parts = []
        for item in value:
            if isinstance(item, dict):
                parts.append(_person(item))
            elif isinstance(item, str):
                parts.append(" ".join(item.split()))
            else:
                return None
    else:
        return None
    return tuple(dict.fromkeys(p.strip() for p in parts if p.strip()))


def _person(item: dict[str, object]) -> str:
    name = item.get("name") or item.get("full_name")
    if isinstance(name, str):
        return " ".join(name.split())
    parts = (item.get(k) for k in ("given", "first", "first_name", "family", "last", "last_name"))
    return " ".join(p.strip() for p in parts if isinstance(p, str) and p.strip())


def terms(value: object) -> tuple[str, ...] | None:
    """Keywords from a list or from a string with ";" or ",", each once; None where neither."""
    if isinstance(value, str):
        parts = value.split(";" if ";" in value else ",")
    elif isinstance(value, list) and all(isinstance(v, str) for v in value):
        parts = value
    else:
        return None
    return tuple(dict.fromkeys(" ".join(p.split()) for p in parts if p.strip()))


def identifiers(
    *, doi: str | None, url: str | None, external_id: str | None, others: Iterable[str] = ()
) -> tuple[str, ...]:
    """What names the work across sources: "doi:...", "arxiv:...", "openreview:...", sorted.

    `others` are such names as well, or addresses.
    """
    found = set()
    for value in (doi, url, external_id, *others):
        if not value:
            continue
        if match := _ARXIV.search(value):
            found.add(f"arxiv:{match[1].casefold()}")
        elif match := _OPENREVIEW.search(value):
            found.add(f"openreview:{match[1]}")
    for value in (doi, *filter(_names_doi, (url, external_id, *others))):
        if value and "10.48550/" not in value and (clean := doi_of(value)):
            found.add(f"doi:{clean}")
    return tuple(sorted(found))


def _names_doi(value: str | None) -> bool:
    """Is a value that need not be a DOI one: "10.1000/abc", "doi:...", "https://doi.org/..."?"""
    return bool(value and (_DOI_PREFIX.match(value.strip()) or _DOI.fullmatch(value.strip())))
