"""Links: the addresses an abstract gives, with what lies there.

In: the source of an abstract, in which `\\url{}`, `\\href{}{}` and `[text](address)` still stand.
Out: `Link`s, each address once, in order.
"""

from __future__ import annotations

import re
from typing import Final

from loader.model import Link, LinkKind

_ADDRESS: Final = re.compile(
    r"(?:https?://|(?<![\w./@-])(?:www\.[\w-]{1,60}\.|(?:github|gitlab|huggingface|bitbucket|zenodo"
    r"|osf|anonymous\.4open|[\w-]{1,60}\.github)\.(?:com|co|org|io|science)(?:/|(?<=\.github\.io))))"
    r"[^\s<>\"“”{}|^`]{0,2000}",
    re.IGNORECASE,
)
_SIGNS: Final = ("://", "www.", ".com/", ".co/", ".org/", ".io", "4open")
_CODE_HOSTS: Final = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "sr.ht"}
)
_DATA_HOSTS: Final = frozenset(
    {"zenodo.org", "kaggle.com", "figshare.com", "physionet.org", "data.mendeley.com"}
)
_VIDEO_HOSTS: Final = frozenset({"youtube.com", "youtu.be", "vimeo.com", "bilibili.com"})
_ANONYMOUS: Final = re.compile(r"anonymous|4open\.science|anon[-_.]|anon$", re.IGNORECASE)
_CODE: Final = re.compile(
    r"\b(?:codes?|implementations?|repositor(?:y|ies)|software|scripts?|packages?|tools?|library|"
    r"toolkit|source)\b",
    re.IGNORECASE,
)
_DATA: Final = re.compile(
    r"\b(?:data|datasets?|data sets?|benchmarks?|corpus|corpora|annotations?|lists? of|prompts?|"
    r"questions|recordings)\b",
    re.IGNORECASE,
)
_PROJECT: Final = re.compile(
    r"\b(?:(?:project|demo|web) ?(?:web ?)?(?:page|site)|home ?page|web ?page|web ?site|project|"
    r"demos?|more details|videos?|visuali[sz]ations?)\b",
    re.IGNORECASE,
)
_ENDS: Final = ".,;:!?'’”*_…"
_PAIRS: Final = {")": "(", "]": "["}
_REACH: Final = 160  # characters in front of an address that tell what lies there


def find(source: str) -> list[Link]:
    """Every address of `source`, without punctuation or markup at its end."""
    if not any(sign in source for sign in _SIGNS):
        return []
    found: dict[str, Link] = {}
    for match in _ADDRESS.finditer(source):
        url = _trimmed(match[0], source, match.start())
        host = re.sub(r"^(?:https?://)?(?:www\.)?", "", url, flags=re.IGNORECASE)
        host = re.split(r"[/:?#]", host, maxsplit=1)[0].lower()
        if "." not in host:
            continue
        before = source[max(0, match.start() - _REACH) : match.start()]
        link = Link(url, _kind(host, url, before), host, bool(_ANONYMOUS.search(url)))
        found.setdefault(url.rstrip("/"), link)
    return list(found.values())


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
    said = {
        kind: m
        for kind, rule in (("code", _CODE), ("data", _DATA), ("project", _PROJECT))
        for m in [_last(rule, clause)]
        if m >= 0
    }
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


def _last(rule: re.Pattern[str], clause: str) -> int:
    at = -1
    for match in rule.finditer(clause):
        at = match.start()
    return at
