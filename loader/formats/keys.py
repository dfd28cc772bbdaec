"""The names that files give to fields, to ours.

In: an object of a JSON line. Out: the same with our names, where what is meant is beyond doubt;
what a key that is not understood may have been meant for.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

KNOWN: Final = frozenset(
    "id abstract text title author authors year journal venue doi pages volume number url "
    "keywords arxiv openreview".split()
)
# names of which one value is taken, the first that says something
_TWINS: Final = {
    "abstract": ("abstract", "text"), "authors": ("authors", "author"),
    "venue": ("venue", "journal"),
}  # fmt: skip
# as arXiv, OpenAlex, Semantic Scholar, Crossref (CSL), PubMed, Scopus, Web of Science and
# spreadsheets have them; case, blanks, "_" and "-" do not count
_OTHERS: Final = {
    "id": "_id paperid uid identifier recordid entryid citationkey citekey key eid pmid corpusid",
    "abstract": "summary abstracttext paperabstract abstractnote ab",
    "title": "papertitle articletitle documenttitle primarytitle ti",
    "authors": "authornames authorfullnames authorlist creators creator au",
    "year": "publicationyear pubyear publishedyear yearpublished publicationdate pubdate published"
    " issued py",
    "venue": "journaltitle journalname publicationtitle sourcetitle containertitle booktitle"
    " conference conferencename publicationname so jo",
    "doi": "doiurl doilink di",
    "url": "link paperurl urls ur",
    "volume": "vol vl",
    "number": "issue issuenumber",
    "pages": "page pagerange pagestart startpage",
    "keywords": "keyword authorkeywords indexterms kw",
    "arxiv": "arxivid arxivnumber eprint",
    "openreview": "openreviewid",
}
_FIELDS: Final = {name: name for name in KNOWN} | {
    name.replace("_", ""): field for field, names in _OTHERS.items() for name in names.split()
}
_RANKS: Final = {name: rank for rank, name in enumerate(_FIELDS)}
_NESTED: Final = frozenset(("externalids", "ids"))  # objects of names of the work
_ALIKE: Final = 0.8  # of a misspelt key, by difflib


@lru_cache(4096)
def _form(key: str) -> str:
    return "".join(c for c in key.strip().casefold() if c not in ' _-\t\ufeff"')


def named(row: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """`row` by our names, and for each of our names the key that stood for it.

    Where several keys mean one field, ours wins, then ours in other case, then the others in a
    fixed order; keys that are not used keep their name.
    """
    if row.keys() <= KNOWN:
        return dict(row), {}
    found = {key: value for key, value in row.items() if key in KNOWN}
    keys: dict[str, str] = {}
    rest = [key for key in row if key not in KNOWN]
    for key in rest:
        if _form(key) in _NESTED and isinstance(row[key], dict):
            names = {_form(k): v for k, v in row[key].items() if isinstance(v, str)}
            for field in ("doi", "arxiv"):
                if names.get(field) and not found.get(field):
                    found[field], keys[field] = names[field], f"{key}.{field}"
    for key in sorted(rest, key=lambda key: _RANKS.get(_form(key), 0)):
        field = _FIELDS.get(_form(key), "")
        if not field:
            if _form(key) not in _NESTED:
                found[key] = row[key]
        elif row[key] in (None, "", [], {}):
            continue
        elif any(found.get(twin) for twin in _TWINS.get(field, (field,))):
            found[key] = row[key]
        else:
            found[field], keys[field] = row[key], key
    return found, keys


@lru_cache(256)
def meant(key: str) -> str:
    """The field that a key may be a misspelling of, as "abstract" of "abstrct"; "" where none."""
    if _form(key) in _FIELDS:
        return ""
    return next(iter(difflib.get_close_matches(_form(key)[:40], sorted(KNOWN), 1, _ALIKE)), "")
