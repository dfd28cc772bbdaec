"""Emphasis: what the source sets in bold, italics or small capitals.

In: a `Plain`, whose source keeps the markup. Out: the emphasised spans of the plain text, and
names that are spelled by emphasised letters: "a **h**uman uncertainty-**a**ware ... framework".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from loader.model import Span
from loader.names.acronyms import Definition
from loader.text import Plain

# each choice begins with its sign, so that a text without signs is passed over quickly
_MARKED: Final = re.compile(
    r"\\(?:textbf|textit|textsc|texttt|textsf|emph|mathbf|mathcal|mathrm|underline|textrm|bf|it|"
    r"sc)\b\s*"
    r"\{?(?:\\(?:textbf|textit|textsc|texttt|emph|bf|it)\b\s*\{?)?([^{}$\\]{1,90})"
    r"|\*\*{0,2}([^*\n]{1,90})\*{1,3}|_(?<![A-Za-z0-9\\]_)([^_\n]{1,90})_(?![A-Za-z0-9])|"
    r"`([^`\n]{1,60})`"
)

_TOKEN: Final = re.compile(r"[^\W_][\w-]*\w")


def spans(text: Plain) -> list[Span]:
    """What is emphasised, as spans of the plain text, in order."""
    source = text.source
    if "*" not in source and "\\" not in source and "_" not in source and "`" not in source:
        return []
    found = []
    for marked in _MARKED.finditer(source):
        first, last = marked.span(marked.lastindex or 0)
        start, end = bisect_left(text.starts, first), bisect_right(text.ends, last)
        while start < end and text.plain[start].isspace():
            start += 1
        while end > start and (text.plain[end - 1].isspace() or text.plain[end - 1] in ".,:;"):
            end -= 1
        if start < end:
            found.append(Span(start, end))
    return found


def spelled(plain: str, emphasised: Sequence[Span]) -> list[Definition]:
    """Names spelled by emphasised letters in a row of words, with these words as long form."""
    found = []
    run: list[Span] = []
    for span in (*emphasised, None):
        if (
            span is not None
            and _is_letters(plain, span)
            and (not run or _goes_on(plain, run[-1], span))
        ):
            run.append(span)
            continue
        if len(run) > 1 and (definition := _definition(plain, run)):
            found.append(definition)
        run = [span] if span is not None and _is_letters(plain, span) else []
    return found


def _is_letters(plain: str, span: Span) -> bool:
    """Up to four letters that are part of a longer word."""
    if span.end - span.start > 4 or not plain[span.start : span.end].isalnum():
        return False
    after = span.end < len(plain) and plain[span.end].isalnum()
    return after or (span.start > 0 and plain[span.start - 1].isalnum())


def _goes_on(plain: str, last: Span, span: Span) -> bool:
    between = plain[last.end : span.start]
    return len(between) < 60 and not re.search(r"[.;:()]", between)


def _definition(plain: str, run: Sequence[Span]) -> Definition | None:
    letters = "".join(plain[span.start : span.end] for span in run).casefold()
    start, end = run[0].start, run[-1].end
    while start > 0 and plain[start - 1].isalnum():
        start -= 1
    while end < len(plain) and plain[end].isalnum():
        end += 1
    before, after = _tokens(plain, max(0, start - 60), start), _tokens(plain, end, end + 60)
    for token in (*reversed(before), *after):
        plainly = re.sub(r"[\W_]", "", token[0]).casefold()
        if plainly == letters or (len(plainly) > 2 and plainly.startswith(letters)):
            long = " ".join(plain[start:end].split())
            return Definition(token[0], long, Span(*token.span()), Span(start, end))
    return None


def _tokens(plain: str, start: int, end: int) -> list[re.Match[str]]:
    return list(_TOKEN.finditer(plain, start, min(end, len(plain))))
