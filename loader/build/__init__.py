"""The path of data, read from top to bottom: files in, a database and a report out.

file -> source -> records -> entries -> duplicates -> papers -> sentences -> roles -> claims,
measurements, names, acronyms, mentions, links, topics -> search index.

    extraction   one abstract -> everything that it says
    loading      files -> sources, entries, rejects; then the rest
    entries      records -> rows and candidates
    settling     new entries, decisions -> which entries are one paper
    papers       papers of the new state -> rows, aliases, search index
    deciding     what people say of two entries -> groups settled anew
    contradictions  decisions that cannot all be true
    removing     a source taken out again
    naming       what people call a paper -> entries
    matching     any text -> the papers that it is or resembles
    asking       a database -> counts, rows, faults
    publishing   a database -> a copy to show to others

Extraction is pure: text in, records out. A load is one transaction. Which entries are one
paper, which of them is kept and what the paper says depend on the texts and on what people
decided, never on the order of loading.
"""

from loader.build.asking import check, ensure, query, statistics
from loader.build.contradictions import group_called
from loader.build.deciding import (
    Imported,
    Question,
    Settled,
    decide,
    export_decisions,
    forget,
    import_decisions,
    questions,
    settle_named,
)
from loader.build.extraction import explain, extract
from loader.build.loading import FileReport, LoadReport, load
from loader.build.matching import Match, match_text
from loader.build.naming import Place, look_up
from loader.build.papers import Progress
from loader.build.publishing import publish
from loader.build.removing import Removed, remove_source

__all__ = [
    "FileReport",
    "Imported",
    "LoadReport",
    "Match",
    "Place",
    "Progress",
    "Question",
    "Removed",
    "Settled",
    "check",
    "decide",
    "ensure",
    "explain",
    "export_decisions",
    "extract",
    "forget",
    "group_called",
    "import_decisions",
    "load",
    "look_up",
    "match_text",
    "publish",
    "query",
    "questions",
    "remove_source",
    "settle_named",
    "statistics",
]
