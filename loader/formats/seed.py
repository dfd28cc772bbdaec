"""The seed format: a collection title, then abstracts separated by blank lines.

In: the lines of a file. Out: records, without titles. The first block is the collection title
where it is one short line that does not end like a sentence ("ICLR 2026 Papers"), or a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from loader.formats.fields import collection_facts
from loader.formats.files import Lines, clean
from loader.formats.remarks import Remarks
from loader.model import Record, Reject

_LONGEST_TITLE = 120  # characters; abstracts of one line are several times as long
_SENTENCE_END = re.compile(r"[.!?。！？]['\"’”)\]]*$")
_QUESTION = re.compile(r"[^.?!]{1,120}\?")  # "Do models read charts?"
_EXCERPT = 80
_HEADING = re.compile(r"#{1,6}\s+")  # of Markdown
_LONG = 3  # times as long as what may be its title
# how no abstract begins, but a second paragraph does
_GOES_ON = re.compile(
    r"[a-z]+[ ,]|(?:However|Moreover|Furthermore|Additionally|In addition|Besides|Finally|Lastly"
    r"|Consequently|Therefore|Thus|Hence|As a result|In contrast|Specifically|In particular"
    r"|Secondly|Thirdly)[ ,]|To \w+ (?:it|them|this)\b"
)


def collection(lines: Lines) -> tuple[str | None, str | None, int | None]:
    """Title of the collection, venue and year, each None where the file does not say."""
    title = next((text for is_title, *_, text in _parts(lines) if is_title), None)
    if title is None:
        return None, None, None
    title = _HEADING.sub("", clean(title)[0], count=1)
    return title, *collection_facts(title)


def read(lines: Lines, remarks: Remarks) -> Iterator[Record | Reject]:
    """The abstracts of the file."""
    position = 0
    before: tuple[int, str] | None = None  # line and text of a block that may be a title
    for is_title, first, last, block in _parts(lines):
        if is_title:
            continue
        text, removed = clean(block)
        if not text:
            yield Reject(first, "only control characters, no text", repr(block[:_EXCERPT]))
            continue
        position += 1
        remarks.blocks += 1
        if before and len(text) > _LONG * len(before[1]):
            remarks.titles.add(*before)
        elif position > 1 and _GOES_ON.match(text):
            remarks.parts.add(first, text)
        before = (first, text) if "\n" not in text and _is_title(text) else None
        yield Record(position, first, last, text, removed=removed)


def only_block(lines: Lines) -> Record | None:
    """The one block of the file as an abstract; None where it has several, or no text at all."""
    blocks = list(islice(_blocks(lines), 2))
    if len(blocks) != 1:
        return None
    [(first, last, block)] = blocks
    text, removed = clean(block)
    return Record(1, first, last, text, removed=removed) if text else None


def _parts(lines: Lines) -> Iterator[tuple[bool, int, int, str]]:
    """The blocks of the file, each with whether it is the title of the collection.

    A title without a blank line behind it counts where it names a year ("ICLR 2026 Papers").
    """
    for index, (first, last, block) in enumerate(_blocks(lines)):
        line, _, rest = block.partition("\n")
        if index or not _is_title(line):
            yield False, first, last, block
        elif not rest:
            yield True, first, last, block
        elif collection_facts(line)[1] and len(line) <= _LONGEST_TITLE // 2:
            yield True, first, first, line
            yield False, first + 1, last, rest
        else:
            yield False, first, last, block


def _is_title(line: str) -> bool:
    line = line.strip()
    sentence = _SENTENCE_END.search(line) and not _QUESTION.fullmatch(line)
    return len(line) <= _LONGEST_TITLE and not sentence


def _blocks(lines: Lines) -> Iterator[tuple[int, int, str]]:
    """First line, last line and text of each run of lines that are not blank."""
    block: list[str] = []
    first = last = 0
    for number, line in lines:
        if line.strip():
            first = first if block else number
            block.append(line)
            last = number
        elif block:
            yield first, last, "\n".join(block)
            block = []
    if block:
        yield first, last, "\n".join(block)
