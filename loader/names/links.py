"""Links: the addresses an abstract gives, with what lies there.

In: the source of an abstract, in which `\\url{}`, `\\href{}{}` and `[text](address)` still stand.
Out: `Link`s, each address once, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loader.model import Link, LinkKind

_ENDING: Final = r"[^\s<>\"“”{}|^`]{0,2000}"
_ADDRESS: Final = re.compile(
    r"(?:https?://|(?<![\w./@-])(?:www\.[\w-]{1,60}\.|(?:github|gitlab|huggingface|bitbucket|zenodo"
    r"|osf|anonymous\.4open|[\w-]{1,60}\.github)\.(?:com|co|org|io|science)(?:/|(?<=\.github\.io))))"
    + _ENDING,
    re.IGNORECASE,
)
_END: Final = re.compile(_ENDING)
_SIGNS: Final = ("www.", ".com/", ".co/", ".org/", ".io", "4open")  # where there is no "://"
_CODE_HOSTS: Final = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sr.ht"}
)
_DATA_HOSTS: Final = frozenset(
    {"zenodo.org", "kaggle.com", "figshare.com", "physionet.org", "data.mendeley.com"}
)
_VIDEO_HOSTS: Final = frozenset({"youtube.com", "youtu.be", "vimeo.com", "bilibili.com"})
_ANONYMOUS: Final = re.compile(r"anonymous|4open\.science|anon[-_.]|anon$", re.IGNORECASE)
# what the words in front of an address say, in small letters
_CODE: Final = re.compile(
    r"\b(?:codes?|implementations?|repositor(?:y|ies)|software|scripts?|packages?|tools?|library|"
    r"toolkit|source)\b"
)
_DATA: Final = re.compile(
    r"\b(?:data|datasets?|data sets?|benchmarks?|corpus|corpora|annotations?|lists? of|prompts?|"
    r"questions|recordings)\b"
)
_PROJECT: Final = re.compile(
    r"\b(?:(?:project|demo|web) ?(?:web ?)?(?:page|site)|home ?page|web ?page|web ?site|project|"
    r"demos?|more details|videos?|visuali[sz]ations?)\b"
)
_ENDS: Final = ".,;:!?'’”*_…"
_PAIRS: Final = {")": "(", "]": "["}
_REACH: Final = 160  # characters in front of an address that tell what lies there


def find(source: str) -> list[Link]:
    """Every address of `source`, without punctuation or markup at its end."""
    found: dict[str, Link] = {}
    for start, written in _addresses(source):
        url = _trimmed(written, source, start)
        host = re.sub(r"^(?:https?://)?(?:www\.)?", "", url, flags=re.IGNORECASE)
        host = re.split(r"[/:?#]", host, maxsplit=1)[0].lower()
        if "." not in host:
            continue
        before = source[max(0, start - _REACH) : start]
        link = Link(url, _kind(host, url, before), host, bool(_ANONYMOUS.search(url)))
        found.setdefault(url.rstrip("/"), link)
    return list(found.values())


def _addresses(source: str) -> Iterator[tuple[int, str]]:
    """Where the addresses of `source` begin, and what stands there up to a space or a quote."""
    if "://" not in source:
        dotted = "www." in source or ".io" in source or "4open" in source
        if ("/" in source or dotted) and any(sign in source for sign in _SIGNS):
            yield from ((m.start(), m[0]) for m in _ADDRESS.finditer(source))
        return
    plainly: list[tuple[int, str]] = []  # those that begin with "http", by far the most
    rest, behind = [], 0
    at = source.find("://")
    while at >= 0:
        start = at - 5 if source[max(0, at - 5) : at].casefold() == "https" else at - 4
        end = at + 1
        if start >= behind and source[start : start + 4].lower() == "http":
            found = _END.match(source, at + 3)
            end = found.end() if found else end
            plainly.append((start, source[start:end]))
            rest.append(source[behind:start])
            behind = end
        at = source.find("://", end)
    rest.append(source[behind:])
    if any(sign in part for part in map(str.lower, rest) for sign in (*_SIGNS, ".science/")):
        yield from ((m.start(), m[0]) for m in _ADDRESS.finditer(source))
    else:
        yield from plainly


def _trimmed(raw: str, source: str, start: int) -> str:
    """`raw` without what closes the sentence or the markup around it."""
    if source[start - 2 : start] == "](":
        depth = 0
        for at, c in enumerate(raw):
            depth += (c == "(") - (c == ")")
            if depth < 0:
                raw = raw[:at]
                break
    raw = (
        raw.split("](", 1)[0]
        .replace("\\_", "_")
        .replace("\\%", "%")
        .replace("\\#", "#")
        .replace("\\&", "&")
    )
    raw = re.split(r"\\|\*\*|\$", raw, maxsplit=1)[0]
    while raw:
        if raw[-1] in _ENDS or (
            raw[-1] in _PAIRS and raw.count(raw[-1]) > raw.count(_PAIRS[raw[-1]])
        ):
            raw = raw[:-1]
        else:
            break
    return raw


def _kind(host: str, url: str, before: str) -> LinkKind:
    """What lies there: what the words in front of it say, then what its host is for."""
    clause = re.split(r"(?<=[.!?])\s+(?=[A-Z])", before)[-1]
    clause = clause.rsplit("](http", 1)[0] if clause.endswith("](") else clause
    clause = clause.lower()
    said = [
        kind
        for kind, rule in (("code", _CODE), ("data", _DATA), ("project", _PROJECT))
        if rule.search(clause)
    ]
    if host in _VIDEO_HOSTS:
        return "other"
    anonymous = _ANONYMOUS.search(host) is not None
    if "huggingface.co/datasets" in url or host in _DATA_HOSTS or host.endswith("dataverse.org"):
        return "data"
    if "code" in said and (host in _CODE_HOSTS or anonymous or "project" not in said):
        return "code"
    if "project" in said and host not in _CODE_HOSTS:
        return "project"
    if "data" in said:
        return "data"
    if host in _CODE_HOSTS or anonymous:
        return "code"
    if (
        host.endswith((".github.io", ".gitlab.io"))
        or host == "sites.google.com"
        or "project" in said
    ):
        return "project"
    return "other"
