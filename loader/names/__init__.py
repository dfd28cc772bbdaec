"""Names: what an abstract introduces, abbreviates, mentions and links to.

In: the text of an abstract with its markup (`Plain`), its sentences as spans of the plain text and
their roles. Out: `Found`. One noun a module: `acronyms`, `own` (names), `mentions`, `links`; they
share `candidates` (stretches that look like names), `emphasis` and the `lexicon` of known names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from loader.model import Acronym, Link, Mention, Name, Role, Span
from loader.names import acronyms, candidates, emphasis, links, mentions, own
from loader.names.context import Abstract
from loader.names.lexicon import known_names
from loader.text import Plain

__all__ = ["Found", "find"]


class Found(NamedTuple):
    """What `find` finds, each in the order of the text."""

    names: tuple[Name, ...]
    acronyms: tuple[Acronym, ...]
    mentions: tuple[Mention, ...]
    links: tuple[Link, ...]


def find(plain: Plain, sentences: Sequence[Span], roles: Sequence[Role]) -> Found:
    """Names, acronyms, mentions and links of one abstract; linear in its length.

    `sentences` are spans of `plain.plain`, `roles` their roles in the same order. The places of
    mentions are spans of `plain.plain`. LoadError where `names.yml` is broken.
    """
    text = Abstract(plain.plain, sentences, roles)
    known = known_names()
    emphasised = emphasis.spans(plain)
    definitions = acronyms.find(plain.plain, sentences)
    definitions += [
        d
        for d in emphasis.spelled(plain.plain, emphasised)
        if all(d.short != other.short for other in definitions)
    ]
    looks = candidates.find(plain.plain, known, frozenset(text.starts))
    definitions += own.titles(text, looks, definitions)
    named = own.find(text, looks, definitions, emphasised, known.fields)
    mentioned = mentions.find(text, looks, definitions, named, known.fields)
    return Found(
        tuple(o.name for o in named),
        tuple(Acronym(d.short, d.long) for d in definitions),
        tuple(mentioned),
        tuple(links.find(plain.source)),
    )
