"""What a person should know of how a file was read, gathered while its records are made.

In: what a format meets. Out: counts of fields that were not used, and lines for the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from loader.formats.keys import meant

_MOST_NAMES = 12  # told in one line
_EXCERPT = 40  # characters


@dataclass(slots=True)
class Tally:
    """How often something was met, and where first."""

    count: int = 0
    line: int = 0
    excerpt: str = ""

    def add(self, line: int, excerpt: str = "") -> None:
        if not self.count:
            cut = len(excerpt) > _EXCERPT
            self.line, self.excerpt = line, excerpt[:_EXCERPT] + " ..." * cut
        self.count += 1


@dataclass(slots=True)
class Remarks:
    """Of one reading of one file."""

    ignored: Counter[str] = field(default_factory=Counter)  # fields, in how many records
    renamed: dict[str, str] = field(default_factory=dict)  # the file's name of a field -> ours
    dois: Tally = field(default_factory=Tally)  # what stands for a DOI and is none
    titles: Tally = field(default_factory=Tally)  # blocks that look like titles of the next
    blocks: int = 0
    parts: Tally = field(default_factory=Tally)  # blocks that look like parts of the one before

    def lines(self) -> Iterator[str]:
        """What is worth saying, a line each."""
        if self.renamed:
            names = [f"{name} as {ours}" for name, ours in self.renamed.items() if name != ours]
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            yield f"fields read under other names: {', '.join(names[:_MOST_NAMES])}{more}"
        slips = [f"{name} ({ours}?)" for name in self.ignored if (ours := meant(name))]
        if slips:
            yield f"not used, and perhaps misspelt: {', '.join(slips[:_MOST_NAMES])}"
        if self.dois.count:
            yield (
                f"what is given as a DOI and is none: {self.dois.count:,}, first"
                f" “{self.dois.excerpt}” on line {self.dois.line}; kept with the entry, not used"
            )
        # one is a heading; more are a habit of the file
        if self.titles.count > 1 and self.titles.count * 4 > self.blocks:
            yield (
                f"blocks that look like titles of the next: {self.titles.count:,}, first on line"
                f" {self.titles.line}; each was loaded as an abstract of its own. JSON lines can"
                ' hold "title" and "abstract"'
            )
        if self.parts.count:
            yield (
                f"blocks that may go on with the one before: {self.parts.count:,}, first"
                f" “{self.parts.excerpt}” on line {self.parts.line}; each was loaded as an abstract"
                " of its own. A blank line ends an abstract"
            )
