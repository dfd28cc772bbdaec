"""The command line: options in, one call, counts out. The only room that knows click.

Exit codes: 0 all loaded (or already there), 1 nothing loaded or a fault, 2 wrong usage,
3 loaded, with rejects.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from loader import __version__, build
from loader.model import LoadError, Reject

_DATABASE = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("library.db"),
    show_default=True,
    help="The database.",
)
_MOST_SHOWN = 5  # rejects shown a file; all of them stand in the table rejects


def _one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """A LoadError becomes one line on standard error and exit code 1."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> Any:
        try:
            return command(*args, **options)
        except LoadError as error:
            click.echo(f"litsette: {error}", err=True)
            sys.exit(1)
        except BrokenPipeError:  # the reader of our output has seen enough
            sys.stderr.close()
            sys.exit(0)

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="litsette")
def cli() -> None:
    """Turn files of paper abstracts into a database that people explore.

    Begin with: litsette load FILE... and then: litsette serve
    """


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@_DATABASE
@_one_line_errors
def load(files: tuple[Path, ...], database: Path) -> None:
    """Load FILES into the database, made where there is none.

    A file is a collection title and abstracts separated by blank lines, or JSON lines with "id"
    and "abstract" or "title". All files are loaded or none; a record that cannot be used is
    reported and kept in the table rejects. A file loaded before changes nothing.

    \b
    Example:
      litsette load seeds/*.txt --db library.db
    """
    with _progress() as tell:
        report = build.load(files, database, tell)
    for file in report.files:
        _print_file(file)
    click.echo(f"{database}: {_count(report.papers, 'paper')}")
    if report.taken_back:
        click.echo(f"{_count(report.taken_back, 'automatic merge')} of earlier loads taken back")
    if report.questions:
        click.echo(
            f"{_count(report.questions, 'pair')} may be duplicates: see the view open_questions"
        )
    click.echo(f"Explore it: litsette serve --db {database}")
    if any(file.rejects for file in report.files):
        sys.exit(3 if any(file.loaded for file in report.files) else 1)


def _print_file(file: build.FileReport) -> None:
    if file.already_loaded:
        click.echo(f"{file.name}: already loaded, nothing changed")
        return
    click.echo(
        f"{file.name}: {file.read} read = {file.loaded} loaded + {file.rejected} rejected; "
        f"papers: {file.papers_new} new, {file.papers_known} already known; "
        f"{_count(file.duplicates, 'duplicate')} found"
    )
    for reject in file.rejects[:_MOST_SHOWN]:
        click.echo(f"  {file.name}:{reject.first_line}: rejected: {reject.reason}")
    if file.rejected > _MOST_SHOWN:
        click.echo(f"  ... and {file.rejected - _MOST_SHOWN} more: see the table rejects")
    if file.ignored_fields:
        fields = ", ".join(f"{name} ({n})" for name, n in file.ignored_fields.items())
        click.echo(f"  fields not used (records): {fields}")
    for note in file.notes:
        click.echo(f"  note: {note}")


@cli.command()
@_DATABASE
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True)
@click.option("--open", "open_browser", is_flag=True, help="Open the site in a browser.")
@_one_line_errors
def serve(database: Path, port: int, open_browser: bool) -> None:
    """Serve the database as a site on 127.0.0.1.

    Where there is no database the seed files that come with litsette are loaded first.

    \b
    Example:
      litsette serve --db library.db --port 8001 --open
    """
    from loader import serve as site  # noqa: PLC0415 (Datasette takes a second to import)

    if not database.exists():
        click.echo(f"{database}: no such database yet, loading the seed files")
        with _progress() as tell:
            report = build.load(site.seed_files(), database, tell)
        for file in report.files:
            _print_file(file)
    else:
        build.ensure(database)
    site.serve(database, port, open_browser)


@cli.command()
@_DATABASE
@_one_line_errors
def stats(database: Path) -> None:
    """Tell what the database holds.

    \b
    Example:
      litsette stats --db library.db
    """
    for title, rows in build.statistics(database).items():
        click.echo(title)
        width = max((len(f"{n:,}") for _, n in rows), default=0)
        for name, n in rows:
            click.echo(f"  {n:>{width},}  {name}")


@cli.command()
@click.argument("sql")
@_DATABASE
@click.option("--csv", "form", flag_value="csv", help="Comma separated values.")
@click.option("--json", "form", flag_value="json", help="A JSON array of objects.")
@_one_line_errors
def query(sql: str, database: Path, form: str | None) -> None:
    """Run one SQL query, for reading only, and print its rows.

    \b
    Example:
      litsette query "select kind, count(*) from claims group by kind" --csv
    """
    columns, rows = build.query(database, sql)
    if form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    elif form == "json":
        found = [dict(zip(columns, map(_json_value, row), strict=True)) for row in rows]
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    elif columns:
        click.echo(tabulate(rows, headers=columns, disable_numparse=True))


def _json_value(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


_STYLES: dict[str, dict[str, Any]] = {
    "label": {"bold": True},
    "number": {"fg": "yellow"},
    "claim": {"fg": "cyan", "bold": True},
    "soft": {"dim": True},
    "background": {},
    "objective": {"fg": "magenta"},
    "method": {"fg": "blue"},
    "result": {"fg": "green"},
    "other": {"dim": True},
    "": {},
}


@cli.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="A JSON array, an object an abstract.")
@_one_line_errors
def explain(file: str, as_json: bool) -> None:
    """Show what is found in the abstracts of FILE, "-" for standard input.

    Each sentence with its role, its claims and the words that weighed most, its numbers with
    all that they say; then names, acronyms, mentions, links and topics. Nothing is stored. FILE
    is one abstract, or any file that can be loaded. In colour on a terminal, unless NO_COLOR is
    set. The JSON gives the abstract as "text" and places as "start_char" and "end_char" in it;
    its fields are those of the tables. Exit code 3 where a record cannot be used.

    \b
    Example:
      litsette explain abstract.txt
      litsette explain - --json < abstract.txt
    """
    shown = rejected = 0
    with _as_path(file) as path:
        for found in build.explain(path):
            if isinstance(found, Reject):
                rejected += 1
                where = "standard input" if file == "-" else file
                click.echo(f"litsette: {where}:{found.first_line}: {found.reason}", err=True)
                continue
            if as_json:
                click.echo(",\n" if shown else "[", nl=bool(not shown))
                click.echo(json.dumps(found.document(), ensure_ascii=False, indent=2), nl=False)
            else:
                _print_found(found, apart=bool(shown))
            shown += 1
    if as_json:
        click.echo("\n]" if shown else "[]")
    if rejected:
        sys.exit(3 if shown else 1)


def _print_found(found: Any, apart: bool) -> None:
    terminal = sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR")
    if apart:
        click.echo()
    for line in found.lines(shutil.get_terminal_size().columns if terminal else None):
        parts = (click.style(piece.text, **_STYLES[piece.style]) for piece in line)
        click.echo("".join(parts).rstrip(), color=colour)


@contextmanager
def _as_path(file: str) -> Iterator[Path]:
    """The path of a file; of a copy of standard input for "-", which errors call by its name."""
    if file != "-":
        yield Path(file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        with path.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        try:
            yield path
        except LoadError as error:
            error.file = "standard input"
            raise


@cli.command()
@_DATABASE
@_one_line_errors
def check(database: Path) -> None:
    """Check that the database is sound; a line for each fault.

    Looks at SQLite's own integrity, foreign keys, hashes, offsets into the sources, stored counts
    and the search index. Exit code 1 where there is a fault.

    \b
    Example:
      litsette check --db library.db
    """
    found = 0
    for fault in build.check(database):
        click.echo(fault)
        found += 1
    if found:
        sys.exit(1)
    click.echo(f"{database}: sound")


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


@contextmanager
def _progress() -> Iterator[build.Progress]:
    """A progress line on standard error: on a terminal only, and after a second of work."""
    start = last = time.monotonic()
    shown = False

    def tell(step: str, done: int, whole: int) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if now - start < 1 or now - last < 0.1:
            return
        last, shown = now, True
        if whole and done:
            filled = 30 * done // whole
            bar = f"[{'#' * filled}{'-' * (30 - filled)}] {done:,} of {whole:,}"
        else:
            bar = f"{done:,}" if done else ""
        click.echo(f"\r\x1b[K{step} {bar}", nl=False, err=True)

    try:
        yield tell if sys.stderr.isatty() else (lambda _step, _done, _whole: None)
    finally:
        if shown:
            click.echo("\r\x1b[K", nl=False, err=True)
