"""The command as people type it: output, exit codes, one line for what goes wrong."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loader import __version__
from loader.cli import cli
from tests.conftest import CASES, SEEDS


def run(*words: object) -> Result:
    result = CliRunner().invoke(cli, [str(w) for w in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_load_tells_what_became_of_each_file(tmp_path: Path) -> None:
    result = run("load", *SEEDS, "--db", tmp_path / "a.db")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "000_a72667b9c9901c21.txt: 19 read = 19 loaded + 0 rejected; "
        "papers: 19 new, 0 already known; 0 duplicates found",
        "001_f009447e9f89ab84.txt: 19 read = 19 loaded + 0 rejected; "
        "papers: 8 new, 11 already known; 11 duplicates found",
        f"{tmp_path / 'a.db'}: 27 papers",
        f"Explore it: litsette serve --db {tmp_path / 'a.db'}",
    ]
    again = run("load", *SEEDS, "--db", tmp_path / "a.db")
    assert again.exit_code == 0
    assert again.stdout.count("already loaded, nothing changed") == 2


def test_load_with_rejects_exits_3(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "abstract": "We mask.", "mood": "good"}\nnonsense\n', "utf-8")
    result = run("load", path, "--db", tmp_path / "a.db")
    assert result.exit_code == 3
    assert "a.jsonl: 2 read = 1 loaded + 1 rejected" in result.stdout
    assert "a.jsonl:2: rejected: not valid JSON" in result.stdout
    assert "fields not used (records): mood (1)" in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("load", "missing.txt"),
        ("stats",),
        ("query", "select 1"),
        ("check",),
    ],
)
def test_what_is_missing_gives_one_line_and_exit_1(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = run(*words, "--db", tmp_path / "none.db")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("litsette: ")
    assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_wrong_usage_exits_2() -> None:
    assert run("load").exit_code == 2
    assert run("serve", "--port", "70000").exit_code == 2
    assert run("nonsense").exit_code == 2


def test_query_prints_a_table_csv_and_json(library: Path) -> None:
    sql = "select kind, count(*) as n from links group by kind order by kind"
    table = run("query", sql, "--db", library).stdout
    assert table.splitlines()[0].split() == ["kind", "n"]
    rows = list(csv.reader(io.StringIO(run("query", sql, "--db", library, "--csv").stdout)))
    assert rows[0] == ["kind", "n"]
    found = json.loads(run("query", sql, "--db", library, "--json").stdout)
    assert [[r["kind"], str(r["n"])] for r in found] == rows[1:] != []


@pytest.mark.parametrize("sql", ["selec", "delete from papers", "select 1; select 2", ""])
def test_query_refuses_what_is_no_query(library: Path, sql: str) -> None:
    before = library.read_bytes()
    result = run("query", sql, "--db", library)
    assert result.exit_code == (1 if sql else 0)
    assert len(result.stderr.splitlines()) == (1 if sql else 0)
    assert library.read_bytes() == before


def test_stats_and_check(library: Path) -> None:
    stats = run("stats", "--db", library).stdout
    assert "27  papers" in stats
    assert "11  duplicate" in stats
    result = run("check", "--db", library)
    assert (result.exit_code, result.stdout) == (0, f"{library}: sound\n")


def test_nul_byte_loads_with_a_note_and_exit_0(tmp_path: Path) -> None:
    result = run("load", CASES / "nul.txt", "--db", tmp_path / "a.db")
    assert result.exit_code == 0
    assert "note: 1 control characters taken out" in result.stdout


def test_help_has_an_example_for_each_command() -> None:
    assert run("--version").stdout == f"litsette, version {__version__}\n"
    for name in cli.commands:
        assert "Example:\n" in run(name, "--help").stdout


def test_a_closed_pipe_is_no_error(library: Path) -> None:
    program = "from loader.cli import cli; cli()"
    sql = "select a.text from sentences a, sentences b"
    with subprocess.Popen(
        [sys.executable, "-c", program, "query", sql, "--csv", "--db", str(library)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
