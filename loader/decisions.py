"""What people decided, as CSV that survives a rebuild and can be passed on.

In: decisions with an excerpt of each text; or a CSV. Out: the CSV; or decisions. A line holds
one decision. Excerpts are for reading: only verdict, keys, basis, note, who and when are loaded.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TextIO, get_args

from loader.model import EVERY, Basis, Decision, LoadError, Verdict

COLUMNS: Final = (
    "verdict", "excerpt", "other_excerpt", "note", "decided_by", "decided_at", "basis",
    "text_hash", "other_text_hash",
)  # fmt: skip
VERDICTS: Final[dict[str, Verdict]] = {  # as people say them, and as they are stored
    "same": "duplicate", "duplicate": "duplicate", "version": "version", "distinct": "distinct",
}  # fmt: skip
LONGEST_NOTE: Final = 2_000  # characters

_NEEDED = ("verdict", "text_hash", "other_text_hash")
_HASH = re.compile(r"[0-9a-f]{64}")
_PLACE = re.compile(r"[0-9a-f]{64}:[1-9][0-9]{0,11}")
_GROUP = re.compile(r"(?:text|template):[0-9a-f]{64}|(?:doi|arxiv|openreview|id|row):\S.{0,999}")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def clean_note(note: str) -> str:
    """A note as it is stored: without control characters, at most `LONGEST_NOTE` long."""
    return _CONTROL.sub("", note.replace("\r\n", "\n")).strip()[:LONGEST_NOTE]


def write(decisions: Iterable[tuple[Decision, str, str]], out: TextIO) -> int:
    """Write decisions, each with an excerpt of both texts; returns how many."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    written = 0
    for d, excerpt, other_excerpt in decisions:
        writer.writerow([
            d.verdict, excerpt, other_excerpt, d.note, d.decided_by, d.decided_at, d.basis,
            d.text_hash, d.other_text_hash,
        ])  # fmt: skip
        written += 1
    return written


def read(path: Path) -> list[tuple[int, Decision]]:
    """The decisions of a CSV, each with its line.

    Raises LoadError with file and line where one cannot be used.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            # some spreadsheets write semicolons or tabs
            first = file.readline(10_000)
            delimiter = max(",;\t", key=first.count)
            file.seek(0)
            return list(_decisions(csv.reader(file, delimiter=delimiter, strict=True), str(path)))
    except OSError as error:
        raise LoadError(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    except UnicodeDecodeError as error:
        raise LoadError("not UTF-8; save it as CSV in UTF-8", file=str(path)) from error


def _decisions(rows: Any, file: str) -> Iterator[tuple[int, Decision]]:
    header: list[str] | None = None
    begin = 1
    while True:
        begin = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise LoadError(f"not valid CSV: {error}", file=file, line=begin) from error
        if row is None:
            break
        if not any(cell.strip() for cell in row):
            continue
        if header is None:
            header = [cell.strip().removeprefix("\ufeff").casefold() for cell in row]
            twice = [name for name in COLUMNS if header.count(name) > 1]
            if twice:
                raise LoadError(f"the column {twice[0]} stands twice", file=file, line=begin)
            missing = [name for name in _NEEDED if name not in header]
            if missing:
                raise LoadError(
                    f"no column {missing[0]}; the first line must name the columns "
                    f"{', '.join(_NEEDED)}",
                    file=file,
                    line=begin,
                )
            continue
        if len(row) != len(header):
            raise LoadError(
                f"{len(row)} cells, the first line has {len(header)}", file=file, line=begin
            )
        try:
            yield begin, _decision(dict(zip(header, row, strict=True)))
        except ValueError as error:
            raise LoadError(str(error), file=file, line=begin) from error
    if header is None:
        raise LoadError("the file is empty; export writes what is expected here", file=file, line=1)


def _decision(cells: dict[str, str]) -> Decision:
    """One line as a decision; ValueError says what is wrong."""
    said = cells["verdict"].strip().casefold()
    if said not in VERDICTS:
        raise ValueError(f"the verdict is {said[:40]!r}; it must be duplicate, version or distinct")
    basis = cells.get("basis", "").strip() or "text"
    if basis not in get_args(Basis):
        raise ValueError(f"the basis is {basis[:40]!r}; it must be text, record, place or group")
    keys = sorted(cells[name].strip() for name in ("text_hash", "other_text_hash"))
    if basis == "group":
        if keys[1] != EVERY or not _GROUP.fullmatch(keys[0]):
            raise ValueError(
                f"{keys[0][:70]!r} is no group; a hash must begin with text:, template: or the kind"
                f" of an identifier, and the other must be {EVERY}"
            )
        return _made(cells, keys, VERDICTS[said], "group")
    keys = sorted(key.casefold() for key in keys)
    shape = _PLACE if basis == "place" else _HASH
    for key in keys:
        if not shape.fullmatch(key):
            what = "a SHA-256, a colon and a position" if basis == "place" else "a SHA-256"
            raise ValueError(f"{key[:70]!r} is not {what}")
    if keys[0] == keys[1]:
        raise ValueError("both hashes are the same; a decision is about two texts")
    return _made(cells, keys, VERDICTS[said], basis)  # type: ignore[arg-type]


def _made(cells: dict[str, str], keys: list[str], verdict: Verdict, basis: Basis) -> Decision:
    when = cells.get("decided_at", "").strip()
    if when and not _TIME.fullmatch(when):
        raise ValueError(f"decided_at is {when[:40]!r}; it must be like 2026-01-31T12:00:00Z")
    return Decision(
        keys[0], keys[1], verdict, clean_note(cells.get("note", "")),
        clean_note(cells.get("decided_by", ""))[:100], when, basis,
    )  # fmt: skip
