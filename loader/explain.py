"""What was found in one abstract, for whoever asked about that one: as data, and as lines.

In: a record and its extraction. Out: an `Explanation`: its `document` is what `litsette explain
--json` prints, its `lines` are the same laid out for a reader, as pieces of text with a style.

A document has `position`, `first_line`, `last_line`, `id`, `title`, `label`, `text` (the abstract
as the source has it) and the lists

- `sentences`: `start_char`, `end_char`, `role`, `text` (plain), `claims` (`kind`, `text`,
  `evidence`) and `measurements` (`start_char`, `end_char`, `text` as written, `kind`, `low`,
  `high`, `spread`, `unit`, `metric`, `baseline`, `subject`, `qualifier`);
- `names` (`name`, `expansion`, `kind`), `acronyms` (`short`, `long`), `mentions` (`name`, `kind`,
  `places` with `start_char`, `end_char`), `links` (`url`, `kind`, `host`, `anonymous`) and
  `topics` (`term`, `evidence`).

Offsets count Unicode code points in `text`; spans are half open. Words are those of the tables
of the database (`docs/schema.md`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from loader.model import Extraction, Record

# They turn text around on a terminal, so that it reads as what it is not.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ROLE_WIDTH = 12  # "background" is the longest
_INDENT = 4 + _ROLE_WIDTH  # of a sentence and of what stands below it
_NARROWEST = 20  # characters of text a line, however narrow the terminal


class Piece(NamedTuple):
    """Text with the name of its style: "label", "number", "claim", "soft", a role, or none."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was found in one abstract. `title` is plain text, None where there is none."""

    record: Record
    title: str | None
    said: Extraction

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON; the shape stands at the head of this module."""
        return _document(self.record, self.title, self.said)

    def lines(self, width: int | None = None) -> Iterator[list[Piece]]:
        """Everything, as lines for a reader.

        `width` is that of the terminal in characters; without it no line is broken. Characters
        that turn the direction of text around are written `<U+202E>`.
        """
        return _lines(self.document(), width)


def _document(record: Record, title: str | None, said: Extraction) -> dict[str, Any]:
    claims: dict[int, list[dict[str, Any]]] = {}
    for claim in said.claims:
        claims.setdefault(claim.sentence, []).append(
            {"kind": claim.kind, "text": claim.text, "evidence": claim.evidence}
        )
    numbers: dict[int, list[dict[str, Any]]] = {}
    for m, (start, end) in zip(said.measurements, said.measurement_chars, strict=True):
        values = {"start_char": start, "end_char": end, "text": record.text[start:end]}
        for name in ("kind", "low", "high", "spread", "unit", "metric", "baseline", "subject"):
            values[name] = getattr(m, name)
        numbers.setdefault(m.sentence, []).append(values | {"qualifier": m.qualifier})
    return {
        "position": record.position,
        "first_line": record.first_line,
        "last_line": record.last_line,
        "id": record.external_id,
        "title": title,
        "label": said.label,
        "text": record.text,
        "sentences": [
            {
                "start_char": s.start_char, "end_char": s.end_char, "role": s.role,
                "text": s.text, "claims": claims.get(n, []), "measurements": numbers.get(n, []),
            }
            for n, s in enumerate(said.sentences)
        ],
        "names": [asdict(name) for name in said.names],
        "acronyms": [asdict(acronym) for acronym in said.acronyms],
        "mentions": [
            {
                "name": m.name, "kind": m.kind,
                "places": [{"start_char": start, "end_char": end} for start, end in places],
            }
            for m, places in zip(said.mentions, said.mention_chars, strict=True)
        ],
        "links": [asdict(link) for link in said.links],
        "topics": [asdict(topic) for topic in said.topics],
    }  # fmt: skip


def _lines(found: dict[str, Any], width: int | None) -> Iterator[list[Piece]]:
    yield [Piece(_shown(found["label"] or "(no text)"), "label")]
    if found["title"] and found["title"] != found["label"]:
        yield [Piece(_shown(found["title"]))]
    yield []
    for n, sentence in enumerate(found["sentences"], 1):
        yield from _sentence(n, sentence, width)
    listed = list(_lists(found))
    if listed:
        yield []
    for name, items in listed:
        for nth, item in enumerate(items):
            head = Piece(f"{'' if nth else name:<{_INDENT}}", "soft")
            yield from _wrapped([head], item, "", width)


def _sentence(n: int, sentence: dict[str, Any], width: int | None) -> Iterator[list[Piece]]:
    role = sentence["role"]
    head = [Piece(f"{n:>2}  ", "soft"), Piece(f"{role:<{_ROLE_WIDTH}}", role)]
    yield from _wrapped(head, sentence["text"], role, width)
    for claim in sentence["claims"]:
        words = f"because of “{claim['evidence']}”"
        if claim["text"] != sentence["text"]:
            words += f", in “{claim['text']}”"
        head = [Piece(" " * _INDENT), Piece(f"claim {claim['kind']}: ", "claim")]
        yield from _wrapped(head, words, "soft", width)
    for m in sentence["measurements"]:
        head = [Piece(" " * _INDENT), Piece(f"number {_shown(m['text'])}: ", "number")]
        yield from _wrapped(head, ", ".join(_said(m)), "soft", width)


def _said(m: dict[str, Any]) -> Iterator[str]:
    """What is known of a number, in words."""
    yield m["kind"].replace("_", " ")
    if m["low"] is not None and m["low"] != m["high"]:
        yield f"{_number(m['low'])} to {_number(m['high'])}"
    elif m["high"] is not None:
        yield _number(m["high"])
    if m["spread"] is not None:
        yield f"± {_number(m['spread'])}"
    if m["unit"]:
        yield f"in {m['unit']}" if m["kind"] != "bound" else m["unit"]
    for name in ("metric", "baseline", "subject", "qualifier"):
        if m[name]:
            yield f"{name} “{m[name]}”"


def _number(value: float) -> str:
    return f"{value:,.10g}" if abs(value) < 1e15 else f"{value:g}"


def _lists(found: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What is said of the whole abstract: a heading and its items; nothing that is empty."""
    lists = {
        "names": [
            f"{x['name']}, {x['kind']}" + (f": {x['expansion']}" if x["expansion"] else "")
            for x in found["names"]
        ],
        "acronyms": [f"{x['short']}: {x['long']}" for x in found["acronyms"]],
        "mentions": [f"{x['name']}, {x['kind']}" for x in found["mentions"]],
        "links": [
            f"{x['url']}, {x['kind']}" + (", anonymous" if x["anonymous"] else "")
            for x in found["links"]
        ],
        "topics": [f"{x['term']}, because of “{x['evidence']}”" for x in found["topics"]],
    }
    return ((name, items) for name, items in lists.items() if items)


def _wrapped(head: list[Piece], text: str, style: str, width: int | None) -> Iterable[list[Piece]]:
    """`head` and behind it `text`, over as many lines as the width asks for."""
    text = _shown(" ".join(text.split()))
    if width is None:
        return [[*head, Piece(text, style)]]
    taken = sum(len(piece.text) for piece in head)
    first, *others = textwrap.wrap(
        text,
        max(width, _INDENT + _NARROWEST),
        initial_indent=" " * taken,
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
    return [[*head, Piece(first[taken:], style)], *([Piece(line, style)] for line in others)]


def _shown(text: str) -> str:
    return _TURNING.sub(lambda m: f"<U+{ord(m[0]):04X}>", text)
