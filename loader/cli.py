"""The command line: options in, one call, counts out. The only room that knows click.

Exit codes: 0 all loaded (or already there), 1 nothing loaded or a fault, 2 wrong usage,
3 loaded, with rejects, 130 interrupted.
"""

from __future__ import annotations

import csv
import getpass
import json
import math
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from loader import __version__, build, interrupts
from loader.model import LoadError, Reject, Verdict

_DATABASE = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("library.db"),
    show_default=True,
    help="The database.",
)
_MOST_ROWS = 10_000  # in a table, which must be whole before its widths are known
_MOST_SHOWN = 5  # rejects shown a file; all of them stand in the table rejects


def _one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """A LoadError becomes one line on standard error and exit code 1, Ctrl-C one and 130."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> Any:
        try:
            with interrupts.heard_by_command():
                return command(*args, **options)
        except KeyboardInterrupt:
            click.echo(interrupts.line(), err=True)
            sys.exit(interrupts.EXIT)
        except LoadError as error:
            click.echo(f"litsette: {error}", err=True)
            sys.exit(1)
        except UnicodeEncodeError as error:
            if error.encoding == "utf-8":  # what was typed has bytes that are no text
                what = "a name or a text given here has bytes that are not UTF-8; write it in UTF-8"
            else:
                what = f"the output is to be in {error.encoding}; set PYTHONIOENCODING=utf-8"
            click.echo(f"litsette: {what}", err=True)
            sys.exit(1)
        except BrokenPipeError:  # the reader of our output has seen enough
            sys.stderr.close()
            sys.exit(0)
        except OSError as error:  # a full disk behind standard output
            click.echo(f"litsette: cannot write: {error.strerror}", err=True)
            sys.exit(1)

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
    and "abstract" or "title"; "-" is standard input, a source named stdin. All files are loaded or
    none; a record that cannot be used is reported and kept in the table rejects. A file loaded
    before changes nothing.

    \b
    Example:
      litsette load seeds/*.txt --db library.db
    """
    with ExitStack() as copies, _progress() as tell:
        paths = [copies.enter_context(_as_path(str(file))) for file in files]
        report = build.load(paths, database, tell)
    for file in report.files:
        _print_file(file)
    click.echo(f"{database}: {_count(report.papers, 'paper')}")
    if report.taken_back:
        click.echo(f"{_count(report.taken_back, 'automatic merge')} of earlier loads taken back")
    if report.questions:
        asked = _count(report.questions, "open question")
        click.echo(f"{asked}, what may be duplicates: litsette duplicates")
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

    site.listen(port).close()  # a port in use is said before anything is loaded
    if not database.exists():
        click.echo(f"{database}: no such database yet, loading the seed files")
        with _progress() as tell:
            report = build.load(site.seed_files(), database, tell)
        for file in report.files:
            _print_file(file)
    else:
        build.ensure(database)
    site.serve(database, port, open_browser)


@cli.command("publish-copy")
@click.argument("out", type=click.Path(path_type=Path))
@_DATABASE
@_one_line_errors
def publish_copy(out: Path, database: Path) -> None:
    """Write a copy of the database to the new file OUT, to show it to others.

    One packed file without a write-ahead log. What was decided about duplicates stays in it, with
    dates and notes; the names of those who decided do not. The database may be in use. Call the
    copy library.db and serve it with datasette serve -i, as the README tells.

    \b
    Example:
      litsette publish-copy published/library.db
    """
    size = build.publish(database, out)
    click.echo(f"{out}: {size / 1e6:,.1f} MB")


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


@cli.command(context_settings={"ignore_unknown_options": True})  # SQL can begin with --
@click.argument("sql")
@_DATABASE
@click.option("--csv", "form", flag_value="csv", help="Comma separated values.")
@click.option("--json", "form", flag_value="json", help="A JSON array of objects.")
@click.option(
    "--timeout",
    type=click.FloatRange(0),
    default=60,
    show_default=True,
    help="Seconds that SQLite may work for it, 0: any time.",
)
@_one_line_errors
def query(sql: str, database: Path, form: str | None, timeout: float) -> None:
    """Run one SQL query, for reading only, and print its rows.

    Functions of its own, as on the site: plain_text(x), sentences(x), claims(x), measurements(x)
    and similarity(a, b). Ctrl-C stops it, and so does the time that it may take; the time that a
    reader of its output takes does not count. A table shows 10,000 rows, --csv and --json all.

    \b
    Example:
      litsette query "select kind, count(*) from claims group by kind" --csv
    """
    columns, rows = build.query(database, sql, timeout)
    if form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([v.hex() if isinstance(v, bytes) else v for v in row] for row in rows)
    elif form == "json":
        names = _distinct(columns)
        before = "["
        for row in rows:
            shown = json.dumps(
                dict(zip(names, map(_json_value, row), strict=True)), ensure_ascii=False, indent=2
            )
            click.echo(f"{before}\n{shown}".replace("\n", "\n  "), nl=False)
            before = ","
        click.echo("[]" if before == "[" else "\n]")
    elif columns:
        listed = list(islice(rows, _MOST_ROWS))
        click.echo(tabulate(listed, headers=columns, disable_numparse=True))
        if next(rows, None) is not None:
            said = f"these are the first {_MOST_ROWS:,} rows; --csv and --json print all"
            click.echo(f"litsette: {said}", err=True)


def _json_value(value: Any) -> Any:
    """Bytes as hexadecimal digits; infinity, which JSON does not have, as a string."""
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def _distinct(columns: list[str]) -> list[str]:
    """Names of columns for an object: the second `a` is `a_2`."""
    names: list[str] = []
    for column in columns:
        name, n = column, 1
        while name in names:
            n += 1
            name = f"{column}_{n}"
        names.append(name)
    return names


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
        path = Path(folder) / "stdin"
        with path.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        try:
            yield path
        except LoadError as error:
            if error.file in (str(path), path.name):
                error.file = "standard input"
            raise


_OWN_DATABASE = click.option(
    "--db", "database", type=click.Path(path_type=Path), help="The database. [default: library.db]"
)
_NOTE = click.option("--note", default="", help="Why, in your words.")
_GROUP = click.option(
    "--group", is_flag=True, help="Say it of every pair that the question stands for."
)
_FORCE = click.option(
    "--force", is_flag=True, help="Also where A and B have nothing in common, and may be a slip."
)
_BY = click.option("--by", default="", help="Who says it. [default: your login name]")
_VERDICTS: dict[str, tuple[Verdict | None, str]] = {
    "same": ("duplicate", "A and B are one paper: merge them."),
    "version": ("version", "A and B are versions of one work: link them, do not merge them."),
    "distinct": ("distinct", "A and B are not the same: keep them apart, or undo a merge."),
    "forget": (
        None,
        "Take back what was said of A and B: the rules decide again. Where their texts are not here"
        " any more, A and B can be the two keys of the decision, as export writes them.",
    ),
}


@cli.group(invoke_without_command=True)
@_DATABASE
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="0: all.")
@click.option("--json", "as_json", is_flag=True, help="A JSON array, an object a question.")
@click.pass_context
@_one_line_errors
def duplicates(context: click.Context, database: Path, limit: int, as_json: bool) -> None:
    """List the pairs that may be one paper, the likeliest first; or settle one.

    A and B are ids of papers (also those that merging retired), of entries, or of the sources,
    DOIs, arXiv or OpenReview ids, or FILE:LINE. Where one can mean several things, say which:
    paper:5, entry:5, id:5, doi:..., arxiv:..., openreview:...

    What you say wins over every rule and is remembered: in this database and, through export
    and import, in every other one. Say another thing about A and B to change your mind, or forget
    to let the rules decide. One question can stand for a whole group (one text, DOI or template
    over and over): --group says it of all of them, also of those that are loaded later; what is
    said of a single pair wins over it. What contradicts what was said of others (A is C, C is D,
    but A is not D) is refused.

    \b
    Example:
      litsette duplicates
      litsette duplicates same 147541923843482 spring.jsonl:14 --note "camera-ready"
      litsette duplicates export decisions.csv
    """
    context.obj = database
    if context.invoked_subcommand:
        return
    whole, listed = build.questions(database, limit)
    if as_json:
        click.echo(json.dumps([asdict(q) for q in listed], ensure_ascii=False, indent=2))
        return
    click.echo(f"{_count(whole, 'open question')} in {database}")
    for question in listed:
        click.echo(f"\n{question.score:.1f} {question.method}: {question.evidence}")
        if question.pairs > 1:
            click.echo(f"   stands for {question.pairs:,} such pairs: settle all with --group")
        for name, paper, label, place in zip(
            "AB", question.papers, question.labels, question.places, strict=True
        ):
            click.echo(f"   {name}  {paper}  {label} ({place})")
    if whole > len(listed):
        click.echo(f"\n... and {whole - len(listed):,} more: --limit 0 lists all")
    if listed:
        click.echo("\nSettle one: litsette duplicates same|version|distinct A B, or in the browser")


def _settling(name: str, verdict: Verdict | None, text: str) -> None:
    """A command of `duplicates` that says one verdict."""
    joins = verdict in ("duplicate", "version")
    more: Callable[[Callable[..., Any]], Callable[..., Any]] = _FORCE if joins else (lambda c: c)

    @duplicates.command(name, help=text)
    @click.argument("a")
    @click.argument("b")
    @_GROUP
    @more
    @_NOTE
    @_BY
    @_OWN_DATABASE
    @click.pass_context
    @_one_line_errors
    def say(
        context: click.Context,
        a: str,
        b: str,
        group: bool,
        note: str,
        by: str,
        database: Path | None,
        force: bool = False,
    ) -> None:
        settled = build.settle_named(
            database or context.obj, a, b, verdict, note, by or _login_name(), group, force
        )
        if not settled.papers:
            click.echo(f"taken back; {_count(settled.questions, 'open question')} left")
            return
        now = "one paper" if len(settled.papers) == 1 else "two papers"
        linked = ", linked as versions" if verdict == "version" else ""
        click.echo(f"{now} now{linked}: {' and '.join(settled.said_of)}")
        for paper, label in settled.papers:
            click.echo(f"  {paper}  {label}")
        if settled.group:
            pairs = _count(settled.pairs, "pair")
            click.echo(f"said of all that share {settled.group}: {pairs} now, and what comes later")
        click.echo(f"{_count(settled.questions, 'open question')} left")


for _name, (_verdict, _text) in _VERDICTS.items():
    _settling(_name, _verdict, _text)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no such user, as in some containers
        return ""


@duplicates.command("export")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_OWN_DATABASE
@click.pass_context
@_one_line_errors
def export_decisions(context: click.Context, file: Path, database: Path | None) -> None:
    """Write all that was said to FILE, a CSV ("-": standard output).

    A line a decision, keyed by the hashes of the texts, with the beginning of each to read.
    """
    to_terminal = str(file) == "-"
    written = build.export_decisions(database or context.obj, None if to_terminal else file)
    if not to_terminal:
        click.echo(f"{file}: {_count(written, 'decision')}")


@duplicates.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@_OWN_DATABASE
@click.pass_context
@_one_line_errors
def import_decisions(context: click.Context, file: Path, database: Path | None) -> None:
    """Load what was said from FILE, a CSV that export wrote, and settle at once.

    Of two decisions about one pair the later is kept. One that contradicts what others say (A is
    C, C is D, but A is not D) is rejected, with its line and the decisions that say otherwise.
    Where a line cannot be read nothing is loaded. Exit code 3 where some are rejected, 1 where all.
    """
    found = build.import_decisions(database or context.obj, file)
    click.echo(
        f"{file}: {found.read} read = {found.loaded} loaded + {len(found.rejected)} rejected;"
        f" loaded: {found.new} new, {found.changed} changed, {found.known} already known,"
        f" {found.older} older than what is known"
    )
    for line, reason in found.rejected:
        click.echo(f"  {file}:{line}: rejected: {reason}")
    if found.elsewhere:
        click.echo(f"  {found.elsewhere} about texts that are not here; kept for when they are")
    click.echo(f"{_count(found.papers, 'paper')} now")
    if found.rejected:
        sys.exit(3 if found.loaded else 1)


@cli.command()
@click.argument("source")
@_DATABASE
@_one_line_errors
def remove(source: str, database: Path) -> None:
    """Remove a SOURCE, a loaded file by its name or id, and all that only it says.

    The library is then as if the file had never been loaded. Decisions stay.

    \b
    Example:
      litsette remove 001_f009447e9f89ab84.txt
    """
    with _progress() as tell:
        removed = build.remove_source(database, source, tell)
    click.echo(
        f"{removed.name}: {_count(removed.entries, 'entry', 'entries')} removed; "
        f"papers: {removed.papers_before} before, {removed.papers} now"
    )


@cli.command()
@click.argument("what", metavar="TEXT|FILE")
@_DATABASE
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="A JSON array, an object a match.")
@_one_line_errors
def find(what: str, database: Path, limit: int, as_json: bool) -> None:
    """Find what in the library is a TEXT, or resembles it, the best first.

    TEXT is an abstract, a part of one, a title or words of it, or an id, DOI, arXiv or OpenReview
    id; or a FILE with one text ("-": standard input), also with title and authors above the
    abstract, or as one JSON object. Each match has a score from 0 to 100 and what matched: the
    whole text (duplicate, version, possible), the title or words of it, or a part. Exit code 1
    where there is none.

    \b
    Example:
      litsette find "straggler effect"
      litsette find abstract.txt --json
    """
    typed = _text_of(what).strip()
    if not typed:
        raise LoadError("there is nothing to look for; give a text, an id, or a file with a text")
    named = [] if "\n" in typed else build.look_up(database, typed)
    matches = build.match_text(database, typed, most=limit)
    if not named and not matches and typed == what.strip() and _is_path(typed):
        raise LoadError("no such file, and nothing in the library is called so", file=typed)
    if as_json:
        listed = [{"verdict": "id", **asdict(place)} for place in named]
        listed += [asdict(match) for match in matches]
        click.echo(json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        for place in named:
            click.echo(f"   id  {place.label}\n       paper {place.paper_id}, {place.where}")
        for match in matches:
            click.echo(f"{match.score:5.1f}  {match.label}")
            said = dict.fromkeys((match.verdict, match.method))  # "part" is both
            click.echo(f"       {', '.join(said)}: {match.evidence}")
            click.echo(f"       paper {match.paper_id}, {match.where}")
        if not named and not matches:
            few = len(typed.split()) < 4 and "; the site searches for words in abstracts"
            click.echo(f"nothing in {database} is this text or resembles it{few or ''}")
    if not named and not matches:
        sys.exit(1)


_SUFFIXES = tuple(".txt .json .jsonl .ndjson .csv .tsv .md .tex .bib .ris .xml .html .pdf".split())
_IDENTIFIER = re.compile(r"(?i)(?:https?:|doi:|arxiv:|openreview:|id:|10\.\d)")


def _is_path(typed: str) -> bool:
    """Does a text look like the name of a file, and not like an identifier?"""
    if not typed or len(typed.split()) > 1 or _IDENTIFIER.match(typed):
        return False
    return "/" in typed or "\\" in typed or typed.casefold().endswith(_SUFFIXES)


def _text_of(what: str) -> str:
    """The text that is meant: of a file, where there is one of this name."""
    if what == "-":
        raw = sys.stdin.buffer.read()
    else:
        path = Path(what)
        try:
            if not path.is_file():
                if _is_path(what) and path.is_dir():
                    raise LoadError("this is a folder; name a file with one text", file=what)
                return what
        except (OSError, ValueError):  # too long for a name
            return what
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise LoadError(f"cannot be read: {error.strerror}", file=what) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


@cli.command()
@_DATABASE
@_one_line_errors
def check(database: Path) -> None:
    """Check that the database is sound; a line for each fault.

    Looks at SQLite's own integrity, foreign keys, hashes, offsets into the sources, stored counts,
    the search index, and decisions about duplicates that contradict each other. Exit code 1 where
    there is a fault.

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


def _count(n: int, noun: str, many: str = "") -> str:
    return f"{n:,} {noun if n == 1 else many or noun + 's'}"


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
