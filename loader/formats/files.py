"""Bytes to lines: encodings, line ends and control characters.

In: a path. Out: facts about the file (hash, size, encoding) and its lines, numbered from 1.
A file is read twice, once for the facts and once for its records, and never held whole.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from loader.model import LoadError

_CHUNK = 1 << 20
# Control characters but tab and line feed, and halves of surrogate pairs, which UTF-8 cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# More of them than this share, and the bytes are no text (a stray NUL in an abstract is).
_MOST_CONTROL = 0.02
_BINARY = (b"SQLite format 3\0", b"PK\x03\x04", b"%PDF-", b"\x89PNG", b"\x1f\x8b", b"\xff\xd8\xff")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a file before it is understood."""

    sha256: str
    size: int
    encoding: str
    broken_line: int | None = None  # the first line with bytes that the encoding does not know


def inspect(path: Path) -> Facts:
    """Hash, size and encoding of a file. Raises LoadError where it cannot be read as text."""
    name = str(path)
    if path.is_dir():
        raise LoadError("this is a directory; name the files in it", file=name)
    if not path.exists():
        raise LoadError("no such file; check the path", file=name)
    if not path.is_file():
        raise LoadError("not a regular file; save it to disk first", file=name)
    digest, size, control = hashlib.sha256(), 0, 0
    decoder = codecs.getincrementaldecoder("utf-8")()
    start, utf8 = b"", True
    try:
        with path.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                start = start or chunk[:16]
                digest.update(chunk)
                size += len(chunk)
                control += sum(chunk.count(bytes([c])) for c in (*range(9), *range(14, 32)))
                if utf8:
                    try:
                        decoder.decode(chunk)
                    except UnicodeDecodeError:
                        utf8 = False
    except OSError as error:
        raise LoadError(f"cannot be read: {error.strerror}", file=name) from error
    if not size:
        raise LoadError("the file is empty; nothing to load", file=name)
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return Facts(digest.hexdigest(), size, _checked(path, "utf-32"))
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Facts(digest.hexdigest(), size, _checked(path, "utf-16"))
    if start.startswith(_BINARY) or control > _MOST_CONTROL * size:
        raise LoadError("not a text file; expected UTF-8 text", file=name)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        utf8 = False
    encoding = "utf-8-sig" if start.startswith(codecs.BOM_UTF8) else "utf-8"
    if utf8:
        return Facts(digest.hexdigest(), size, encoding)
    seen = _utf8_of(path)
    if seen.characters > seen.broken:  # UTF-8 with a few bytes gone wrong
        return Facts(digest.hexdigest(), size, encoding, seen.first_line)
    return Facts(digest.hexdigest(), size, _checked(path, "cp1252"))


def _checked(path: Path, encoding: str) -> str:
    """`encoding`, if the whole file can be decoded by it."""
    try:
        with path.open(encoding=encoding) as handle:
            while handle.read(_CHUNK):
                pass
    except (UnicodeDecodeError, UnicodeError):
        raise LoadError(
            "not a text file in UTF-8, UTF-16 or Windows-1252; save it as UTF-8",
            file=str(path),
            line=_utf8_of(path).first_line or None,
        ) from None
    return encoding


class _Utf8(NamedTuple):
    characters: int  # beyond ASCII
    broken: int  # places that are not UTF-8
    first_line: int  # of these


def _utf8_of(path: Path) -> _Utf8:
    """How much of a file is UTF-8 beyond ASCII, and how much cannot be."""
    characters = broken = first = 0
    with path.open("rb") as handle:
        for number, line in enumerate(handle, 1):
            if line.isascii():
                continue
            said = line.decode("utf-8", "replace")
            wrong = said.count("\ufffd") - line.count(b"\xef\xbf\xbd")
            if wrong > 0 and not first:
                first = number
            broken += wrong
            characters += sum(c > "\x7f" for c in said) - wrong
    return _Utf8(characters, broken, first)


class Lines:
    """The lines of a text file, numbered from 1, without their ends (LF, CR LF or CR)."""

    def __init__(self, path: Path, encoding: str) -> None:
        self.path, self.encoding = path, encoding

    def __iter__(self) -> Iterator[tuple[int, str]]:
        try:
            # folds line ends to \n; bytes gone wrong become U+FFFD, `inspect` has told where
            with self.path.open(encoding=self.encoding, errors="replace") as handle:
                for number, line in enumerate(handle, 1):
                    yield number, line.removesuffix("\n")
        except (OSError, UnicodeError) as error:
            raise LoadError("the file changed while it was read", file=str(self.path)) from error


def clean(text: str) -> tuple[str, int]:
    """`text` as it is stored: line ends as \\n, no control characters, stripped at both ends.

    Returns the text and how many characters were taken out; half a surrogate pair becomes
    U+FFFD and counts too.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _CONTROL.search(text):
        return text.strip(), 0
    kept, removed = _CONTROL.subn(lambda m: "\ufffd" if m[0] >= "\ud800" else "", text)
    return kept.strip(), removed
