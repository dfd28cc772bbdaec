"""Write docs/schema.md and docs/commands.md from what they describe.

In: loader/schema.sql, metadata.yml and the --help texts. Out: the two documents; with --check
nothing is written, and the exit code is 1 where a document is out of step.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from loader.cli import cli

ROOT = Path(__file__).parent.parent
_WIDTH = 90


def schema(metadata: dict[str, Any], sql: str) -> str:
    """The schema as Markdown: a section a table, a row a column."""
    described = metadata["databases"]["library"]["tables"]
    conn = sqlite3.connect(":memory:")
    conn.executescript(sql)
    parts = [
        "# The tables",
        "Made from `loader/schema.sql` and `metadata.yml` by `make docs`. Names are a promise: "
        "columns may be added, none is renamed or removed.",
        "`start_char` and `end_char` count Unicode code points in `entries.text` of the paper's "
        "kept entry: `substr(text, start_char + 1, end_char - start_char)` is the source's own "
        "wording.",
    ]
    tables = conn.execute(
        "select name, type from pragma_table_list where schema = 'main'"
        " and type in ('table', 'view') and name not like 'sqlite_%' order by type, name"
    ).fetchall()
    for name, kind in tables:
        about = described[name]
        heading = f"## {name}" + (" (view)" if kind == "view" else "")
        internal = " Internal." if about.get("hidden") else ""
        parts.append(f"{heading}\n\n{' '.join(about['description'].split())}{internal}")
        keys = {
            row[3]: f"{row[2]}.{row[4] or 'id'}"
            for row in conn.execute(f"pragma foreign_key_list({name})")
        }
        rows = ["| column | type | what it is |", "| --- | --- | --- |"]
        for _, column, type_, *_ in conn.execute(f"pragma table_info({name})"):
            text = " ".join(str(about["columns"][column]).split()).replace("|", "\\|")
            points = f" → `{keys[column]}`" if column in keys else ""
            rows.append(f"| `{column}` | {type_.lower()}{points} | {text} |")
        parts.append("\n".join(rows))
    conn.close()
    return "\n\n".join(parts) + "\n"


def commands() -> str:
    """The --help texts as Markdown, as a terminal shows them."""
    parts = ["# The command", "Made from the `--help` texts by `make docs`."]
    top = click.Context(cli, info_name="litsette", terminal_width=_WIDTH, **cli.context_settings)
    for context in [top, *_below(top)]:
        said = context.command.get_help(context)
        parts.append(f"## {context.command_path} --help\n\n```\n{said}\n```")
    return "\n\n".join(parts) + "\n"


def _below(context: click.Context) -> Iterator[click.Context]:
    """The commands of a group, and theirs, by name."""
    if isinstance(context.command, click.Group):
        for name, command in sorted(context.command.commands.items()):
            inner = click.Context(command, parent=context, info_name=name)
            yield inner
            yield from _below(inner)


def documents() -> dict[Path, str]:
    """Each document and what it should say."""
    metadata = yaml.safe_load((ROOT / "metadata.yml").read_text("utf-8"))
    sql = (ROOT / "loader" / "schema.sql").read_text("utf-8")
    return {
        ROOT / "docs" / "schema.md": schema(metadata, sql),
        ROOT / "docs" / "commands.md": commands(),
    }


def main() -> None:
    stale = []
    for path, content in documents().items():
        if not path.exists() or path.read_text("utf-8") != content:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(content, "utf-8")
    print(", ".join(stale) or "nothing", "out of step" if "--check" in sys.argv else "written")
    sys.exit(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    main()
