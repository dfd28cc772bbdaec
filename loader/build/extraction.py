"""One abstract to everything that it says. Pure: text in, records out.

`explain` does the same for each abstract of a file, for people to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loader import claims as claims_room
from loader import labels, measurements, names, roles, sentences, text, topics
from loader.explain import Explanation
from loader.formats import only_text, open_source
from loader.model import Extraction, Reject, Sentence


def extract(source_text: str, title: str | None = None) -> Extraction:
    """Everything that an abstract says. Pure; any string gives a result.

    `source_text` is the abstract with its markup, `title` the plain title where there is one.
    """
    plain = text.to_plain(source_text)
    spans = sentences.split(plain)
    chars = sentences.source_spans(plain, spans)
    texts = [plain.plain[s.start : s.end] for s in spans]
    assigned = roles.assign(texts)
    found_claims = claims_room.find(texts, assigned)
    named = names.find(plain, spans, assigned)
    own = [n.name for n in named.names]
    known = own + [m.name for m in named.mentions]
    numbers = measurements.find(plain, spans, known, own)
    return Extraction(
        plain=plain.plain,
        label=labels.make(title, plain.plain, texts, assigned, found_claims, named.names),
        sentences=tuple(
            Sentence(t, role, *span, *char)
            for t, role, span, char in zip(texts, assigned, spans, chars, strict=True)
        ),
        claims=tuple(found_claims),
        measurements=tuple(numbers),
        measurement_chars=tuple(plain.source_span(m.start, m.end) for m in numbers),
        names=named.names,
        acronyms=named.acronyms,
        mentions=named.mentions,
        mention_chars=tuple(
            tuple(plain.source_span(*place) for place in m.places) for m in named.mentions
        ),
        links=named.links,
        topics=tuple(topics.assign(f"{title}. {plain.plain}" if title else plain.plain)),
    )


def explain(path: Path) -> Iterator[Explanation | Reject]:
    """What `extract` finds in each abstract of a file, in its order. Nothing is stored.

    The file is of any format that can be loaded, or a plain text that is one abstract. Raises
    LoadError where it cannot be read.
    """
    one = only_text(path)
    for record in [one] if one else open_source(path).records():
        if isinstance(record, Reject):
            yield record
        else:
            title = text.to_plain(record.title).plain if record.title else None
            yield Explanation(record, title, extract(record.text, title))
