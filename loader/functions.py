"""What the rooms do, as functions of SQL: text in, text or JSON out.

In: values of SQL. Out: `FUNCTIONS`, each with its name, what it does and an example. Whatever a
visitor passes gives a result: NULL gives NULL, numbers are read as text, and of a long text only
the begin is read, so that no call takes longer than a moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from loader.build import extract
from loader.duplicates import likeness
from loader.model import Extraction
from loader.text import to_plain

LONGEST: Final = 50_000  # characters that are read: about 0.1 s
COMPARED: Final = 10_000  # characters that are compared; the time is quadratic
_REMEMBERED = 32  # claims(x) and measurements(x) of one row read it once


class Function(NamedTuple):
    """A function of SQL: `call` takes as many values as `parameters` names, and never raises."""

    name: str
    parameters: tuple[str, ...]
    does: str
    example: str
    call: Callable[..., Any]

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"


def _text(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> Extraction:
    return extract(text)


def plain_text(value: Any) -> str | None:
    """The text without LaTeX, Markdown and HTML."""
    return None if value is None else to_plain(_text(value)[:LONGEST]).plain


def sentences(value: Any) -> str | None:
    """A JSON list of the sentences: text, role and place in the source."""
    if value is None:
        return None
    found = _read(_text(value)[:LONGEST])
    return _json(
        {"text": s.text, "role": s.role, "start_char": s.start_char, "end_char": s.end_char}
        for s in found.sentences
    )


def claims(value: Any) -> str | None:
    """A JSON list of the claims: kind, text, evidence and the index of the sentence."""
    if value is None:
        return None
    found = _read(_text(value)[:LONGEST])
    return _json(
        {"kind": c.kind, "text": c.text, "evidence": c.evidence, "sentence": c.sentence}
        for c in found.claims
    )


def measurements(value: Any) -> str | None:
    """A JSON list of the numbers, with the columns of the table measurements."""
    if value is None:
        return None
    text = _text(value)[:LONGEST]
    found = _read(text)
    return _json(
        {
            "kind": m.kind, "low": m.low, "high": m.high, "spread": m.spread, "unit": m.unit,
            "metric": m.metric, "baseline": m.baseline, "subject": m.subject,
            "qualifier": m.qualifier, "text": text[start:end], "sentence": m.sentence,
        }
        for m, (start, end) in zip(found.measurements, found.measurement_chars, strict=True)
    )  # fmt: skip


def similarity(one: Any, other: Any) -> float | None:
    """How alike two texts are, from 0 to 100."""
    if one is None or other is None:
        return None
    return round(likeness(_text(one)[:COMPARED], _text(other)[:COMPARED]), 1)


def _json(rows: Any) -> str:
    return json.dumps(list(rows), ensure_ascii=False)


FUNCTIONS: Final = (
    Function(
        "plain_text", ("text",), "The text without LaTeX, Markdown and HTML.",
        "select plain_text(text) as plain, text from entries limit 5", plain_text,
    ),
    Function(
        "sentences", ("text",),
        "A JSON list of its sentences, each with text, role, start_char and end_char.",
        "select p.label, s.value ->> 'role' as role, s.value ->> 'text' as sentence\n"
        "from papers p, json_each(sentences(p.abstract)) s\nlimit 20", sentences,
    ),
    Function(
        "claims", ("text",),
        "A JSON list of its claims, each with kind, text, evidence and the sentence, from 0.",
        "select claims('We propose TeaNet, the first network that boils water.') as claims",
        claims,
    ),
    Function(
        "measurements", ("text",),
        "A JSON list of its numbers: kind, low, high, spread, unit, metric, baseline, subject, "
        "qualifier, text and the sentence, from 0.",
        "select measurements('TeaNet is 2.5x faster than PotNet.') as numbers", measurements,
    ),
    Function(
        "similarity", ("one", "other"),
        "How alike two texts are in their words, from 0 to 100.",
        "select a.label, b.label as other_label, similarity(a.abstract, b.abstract) as score\n"
        "from papers a join papers b on a.id < b.id\norder by score desc\nlimit 10", similarity,
    ),
)  # fmt: skip
