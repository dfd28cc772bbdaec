"""The nouns of litsette, as small typed records, and its one exception.

In: nothing (the leaf that every room imports). Out: records that the rooms hand to each
other, and `LoadError`.

Two kinds of offset occur, and a name always tells which:

- `start`, `end`: code points in the *plain* text of an abstract (`text.Plain.plain`);
- `start_char`, `end_char`: code points in the *source* text, `entries.text` in the database.

All spans are half open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

Role = Literal["background", "objective", "method", "result", "other"]
ClaimKind = Literal["problem", "contribution", "result", "theory", "sota", "first", "release"]
MeasurementKind = Literal["level", "change", "ratio", "from_to", "amount", "bound"]
Qualifier = Literal["up to", "at least", "more than", "less than", "about", "average", "only"]
NameKind = Literal[
    "method", "model", "dataset", "benchmark", "framework", "concept", "attack", "system"
]
MentionKind = Literal["dataset", "model", "method"]
LinkKind = Literal["code", "data", "project", "other"]
Verdict = Literal["duplicate", "version", "possible", "distinct"]
DuplicateMethod = Literal["exact", "normalized", "near", "identifier", "user"]
Basis = Literal["text", "record", "place", "group"]

ROLES: Final[tuple[Role, ...]] = get_args(Role)
EVERY: Final = "~all"  # the other side of a decision about a group
CLAIM_KINDS: Final[tuple[ClaimKind, ...]] = get_args(ClaimKind)
# kinds as people say them, where they are spelt otherwise
SAID: Final = {"sota": "state of the art", "from_to": "from … to", "dataset": "data set"}


class LoadError(Exception):
    """A file, a record or a database that cannot be used.

    `str()` gives the one line a person reads: `file:line: what is wrong; what to do`.
    `line` counts from 1 and is None where the fault has no line.
    """

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.file, self.line = message, file, line

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return f"{where}: {self.message}" if where else self.message


class Span(NamedTuple):
    """A half-open stretch of the plain text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Record:
    """One abstract as a file states it, before anything is concluded from it."""

    position: int  # from 1, in the order of the file
    first_line: int  # from 1
    last_line: int
    text: str  # the abstract exactly as in the file; "" where there is only a title
    external_id: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    url: str | None = None
    volume: str | None = None
    number: str | None = None
    pages: str | None = None
    keywords: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()  # "doi:10.1/x", "arxiv:2501.00001", "openreview:abc"
    removed: int = 0  # NUL and control characters taken out of the text


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that was read and cannot be loaded, with the reason."""

    first_line: int
    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class Source:
    """One file, as a whole."""

    name: str  # without directories
    sha256: str  # of its bytes
    format: str
    encoding: str
    bytes: int
    collection: str | None = None  # the title that the file gives itself
    venue: str | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence claims. `text` is the plain clause that makes the claim."""

    sentence: int  # index into the sentences of the abstract
    kind: ClaimKind
    text: str
    evidence: str  # the words that weighed most


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number worth querying; values as shared by all abstracts, see `docs/schema.md`."""

    sentence: int  # index into the sentences of the abstract
    kind: MeasurementKind
    low: float | None
    high: float | None
    unit: str
    start: int  # span of the numeric expression in the plain text
    end: int
    spread: float | None = None  # of "412.7 ± 9.3"
    metric: str | None = None
    baseline: str | None = None
    subject: str | None = None
    qualifier: Qualifier | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """Something the paper itself introduces."""

    name: str
    expansion: str | None
    kind: NameKind


@dataclass(frozen=True, slots=True)
class Acronym:
    """A short form and its long form, both of which stand in the abstract, in the singular."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Something named that the paper uses or compares with, at every place it stands."""

    name: str
    kind: MentionKind
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """An address in the abstract. `anonymous`: it hides its authors (anonymous.4open.science)."""

    url: str
    kind: LinkKind
    host: str
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """A term of the vocabulary and the words of the text that made it apply."""

    term: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its role, its plain text and its place in plain text and source."""

    text: str
    role: Role
    start: int
    end: int
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that one abstract says, as one value. Made by `build.extract`."""

    plain: str
    label: str
    sentences: tuple[Sentence, ...]
    claims: tuple[Claim, ...]
    measurements: tuple[Measurement, ...]
    measurement_chars: tuple[tuple[int, int], ...]  # in the source, one a measurement
    names: tuple[Name, ...]
    acronyms: tuple[Acronym, ...]
    mentions: tuple[Mention, ...]
    mention_chars: tuple[tuple[tuple[int, int], ...], ...]  # in the source, one a place
    links: tuple[Link, ...]
    topics: tuple[Topic, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry as the room of duplicates sees it. `id` is any integer, unique among entries."""

    id: int
    text: str  # the abstract as in the source
    plain: str  # its plain text; "" where there is only a title
    text_hash: str
    plain_hash: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identifiers: tuple[str, ...] = ()  # "doi:10.1/x", "arxiv:2501.00001", "openreview:abc"
    volume: str | None = None
    number: str | None = None
    pages: str | None = None
    signature: bytes | None = None  # of `duplicates.signature`, where it is known already
    keys: tuple[str, ...] = ()  # by what decisions name it, beside its text: see `Decision`
    name: str = ""  # the id its source gives it: "id:..."; "row:FILE:..." where it only counts rows


class Stored(NamedTuple):
    """What the room of duplicates needs of an entry that an earlier load has stored."""

    id: int
    signature: bytes
    text_hash: str
    plain_hash: str
    title_key: str = ""  # of `duplicates.title_key`
    identifiers: tuple[str, ...] = ()
    name: str = ""  # as in `Candidate`


@dataclass(frozen=True, slots=True)
class Edge:
    """A likeness of two entries found by the room of duplicates, `a < b` by id.

    In the verdicts of a `Settlement`, `a` is the entry absorbed or asked about, `b` the other.
    """

    a: int
    b: int
    verdict: Verdict  # what this pair alone suggests, before templates and users are heard
    method: DuplicateMethod
    score: float  # 0 to 100
    evidence: str  # a sentence a person can read
    group: str = ""  # what many pairs share that are asked about at once: see `Decision`


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person said about two entries; keyed by content, so it survives a rebuild.

    `text_hash < other_text_hash`. By its basis each names every entry with this text ("text":
    the hash of the text), or with this text and the same title, authors, year and so on
    ("record": the hash of all of them), or the one entry at a place ("place": the hash of the
    file, a colon and the position). The first of the three that tells the two entries apart is
    taken; a text of few words could be anybody's, so it names nothing by itself.

    "group" is about all pairs that one question stands for: `text_hash` is what they share
    ("text:" and a plain_hash, an identifier such as "doi:10.1/x", `Candidate.name`, or "template:"
    and the plain_hash of one of the family), `other_text_hash` is `EVERY`. What is said of a
    single pair wins over what is said of its group, but a group that is one paper is all of it.
    """

    text_hash: str
    other_text_hash: str
    verdict: Verdict
    note: str = ""
    decided_by: str = ""
    decided_at: str = ""
    basis: Basis = "text"


@dataclass(frozen=True, slots=True)
class Settlement:
    """Which entries are one paper, and every verdict with its reason."""

    clusters: tuple[tuple[int, ...], ...]  # every entry id once, sorted within and among
    verdicts: Sequence[Edge]  # k - 1 duplicate rows a cluster; possible, version, distinct rows
