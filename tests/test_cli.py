"""The command as people type it: output, exit codes, one line for what goes wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loader import __version__, build, interrupts, search
from loader.cli import _progress, cli
from loader.functions import FUNCTIONS, Function
from tests.conftest import CASES, SEEDS
from tests.test_decisions import BRIDGE, FAMILY, KETTLE, TOWNS, changed, load, lot, record


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


def test_load_reads_standard_input(tmp_path: Path) -> None:
    other, db = tmp_path / "other.txt", tmp_path / "a.db"
    other.write_text("We cool tea.\n", "utf-8")
    text = b"We boil tea.\n\nWe boil milk.\n"
    words = ["load", "-", str(other), "--db", str(db)]
    result = CliRunner().invoke(cli, words, input=text)
    assert result.exit_code == 0
    assert result.stdout.startswith("stdin: 2 read = 2 loaded + 0 rejected")
    assert "other.txt: 1 read" in result.stdout
    empty = CliRunner().invoke(cli, words, input=b"")
    assert (empty.exit_code, empty.stderr) == (
        1, "litsette: standard input: the file is empty; nothing to load\n"
    )  # fmt: skip
    other.unlink()
    missing = CliRunner().invoke(cli, words, input=text)
    assert missing.stderr.startswith(f"litsette: {other}: no such file")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_load_tells_on_a_terminal_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    class Shown(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    shown, clock = Shown(), count()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr("loader.cli.time.monotonic", lambda: next(clock))
    with _progress() as tell:
        build.load(SEEDS, tmp_path / "a.db", tell)
    told = f"reading {SEEDS[1].name} 19" in shown.getvalue()
    assert told is terminal
    assert (shown.getvalue() == "") is not terminal


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


@pytest.mark.parametrize(
    "sql",
    [
        "selec",
        "delete from papers",
        "select 1; select 2",
        "",
        "vacuum into 'zz.db'",
        "attach 'zz.db' as z",
        "pragma journal_mode = delete",
    ],
)
def test_query_refuses_what_is_no_query(library: Path, sql: str) -> None:
    before = library.read_bytes()
    result = run("query", sql, "--db", library)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert not Path("zz.db").exists()
    assert library.read_bytes() == before


def test_query_takes_a_comment_a_search_and_twin_columns(library: Path) -> None:
    sql = "-- papers\nselect count(*) as n, 1e999 as n from papers_fts where papers_fts match 'dpo'"
    assert json.loads(run("query", sql, "--db", library, "--json").stdout) == [
        {"n": 1, "n_2": "inf"}
    ]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_query_has_the_functions_of_the_site(library: Path, function: Function) -> None:
    assert json.loads(run("query", function.example, "--db", library, "--json").stdout)
    assert f"{function.name}(" in run("query", "--help").stdout


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


def test_duplicates_are_listed_settled_exported_and_found(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, [record("a", KETTLE, doi="10.5555/kettle")], [record("b", BRIDGE)])
    load(db, [record("c", changed(KETTLE, "40 kettles", "60 kettles"))])
    listed = run("duplicates", "--db", db).stdout
    assert listed.startswith(f"1 open question in {db}\n\n9")
    assert "c-1.jsonl:1" in listed
    (question,) = json.loads(run("duplicates", "--db", db, "--json").stdout)
    assert sorted(question["places"]) == ["a-1.jsonl:1", "c-1.jsonl:1"]

    said = run("duplicates", "same", "doi:10.5555/kettle", "id:c", "--note", "yes", "--db", db)
    assert said.stdout.startswith("one paper now: ")
    first = said.stdout.splitlines()[0]
    assert "(a-1.jsonl:1) and " in first
    assert first.endswith("(c-1.jsonl:1)")
    assert said.stdout.endswith("0 open questions left\n")
    for verdict in ("same", "version"):
        slip = run("duplicates", "--db", db, verdict, "1", "2")
        assert (slip.exit_code, slip.stdout) == (1, "")
        assert "have nothing in common; to join them all the same add --force" in slip.stderr
        assert "-1.jsonl:1) and " in slip.stderr
        assert len(slip.stderr.splitlines()) == 1
    assert run("duplicates", "--db", db, "version", "a", "b", "--force").stdout.startswith(
        "two papers now, linked as versions: "
    )
    file = tmp_path / "said.csv"
    assert run("duplicates", "export", file, "--db", db).stdout == f"{file}: 2 decisions\n"
    assert run("duplicates", "export", "-", "--db", db).stdout == file.read_text("utf-8")
    assert run("duplicates", "forget", "a", "c", "--db", db).exit_code == 0
    assert "1 open question" in run("duplicates", "--db", db).stdout
    back = run("duplicates", "import", file, "--db", db).stdout.splitlines()
    assert back[0].endswith(
        "2 read = 2 loaded + 0 rejected; loaded: 1 new, 0 changed, 1 already known,"
        " 0 older than what is known"
    )
    assert back[1] == "2 papers now"

    found = run("find", KETTLE, "--db", db)
    assert found.stdout.startswith("100.0  ")
    (tmp_path / "text.txt").write_bytes(b"\xef\xbb\xbf" + BRIDGE.encode())
    best = json.loads(run("find", tmp_path / "text.txt", "--db", db, "--json").stdout)[0]
    assert (best["verdict"], best["method"], best["score"]) == ("duplicate", "exact", 100)
    assert run("find", "10.5555/kettle", "--db", db).stdout.startswith("   id  ")
    nothing = run("find", "Nobody wrote a thing like this.", "--db", db)
    assert (nothing.exit_code, nothing.stdout.startswith("nothing in")) == (1, True)

    for words, said in (
        ("/no/such.txt", "/no/such.txt: no such file"),
        ("such.txt", "such.txt: no such file"),
        (f"{tmp_path}/", "this is a folder"),
        ("", "nothing to look for"),
        (" \n ", "nothing to look for"),
        ("--json no/such.txt", "no/such.txt: no such file"),
    ):
        wrong = run("find", *(words.split() if "--" in words else [words]), "--db", db)
        assert (wrong.exit_code, wrong.stdout) == (1, "")
        assert said in wrong.stderr
        assert len(wrong.stderr.splitlines()) == 1
    for words in ("10.5555/none", "encoder / decoder", "https://x.org/a.txt"):
        assert run("find", words, "--db", db).stdout.startswith("nothing in")

    assert run("remove", "c-1.jsonl", "--db", db).stdout == (
        "c-1.jsonl: 1 entry removed; papers: 2 before, 2 now\n"
    )
    assert run("check", "--db", db).exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("duplicates", "same", "nope", "id:a"), "'nope' is no paper"),
        (("duplicates", "distinct", "id:a", "id:a"), "both are entry 1"),
        (("duplicates", "forget", "id:a", "id:b"), "nothing to take back"),
        (("duplicates", "import", "none.csv"), "none.csv: cannot be read"),
        (("duplicates", "export", "no/such.csv"), "no/such.csv: cannot be written"),
        (("remove", "none.txt"), "no source is called 'none.txt'"),
    ],
)
def test_what_cannot_be_settled_gives_one_line_and_exit_1(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    db = tmp_path / "a.db"
    load(db, [record("a", KETTLE), record("b", BRIDGE)])
    result = run(*words, "--db", db)
    assert result.exit_code == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_answer_for_a_group_says_how_far_it_reaches(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, lot("doi", 0, 20))
    said = run("duplicates", "distinct", "p3", "p7", "--group", "--db", db).stdout
    assert "share the DOI 10.5555/suppl.1: 19 pairs now, and what comes later\n0 open" in said


def test_a_load_says_what_it_took_back_and_what_it_asks(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    founded = changed(FAMILY.format("Abau"), "founded", "first founded")
    load(db, [record("m1", FAMILY.format("Abau")), record("m2", founded)])
    rest = tmp_path / "rest.jsonl"
    lines = [record(f"f{n}", FAMILY.format(town)) for n, town in enumerate(TOWNS[1:])]
    rest.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    shown = run("load", rest, "--db", db).stdout
    assert "1 automatic merge of earlier loads taken back" in shown
    assert "may be duplicates: litsette duplicates" in shown


INTERRUPTED = "litsette: interrupted; nothing was changed\n"


def test_an_interrupt_while_it_starts_is_one_line() -> None:
    """Ctrl-C during the imports, which a module that interrupts stands for."""
    program = (
        "import runpy, sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'loader.cli':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        "runpy.run_module('loader', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", INTERRUPTED)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("where", ["reading", "in a function that SQLite calls", "commit"])
def test_ctrl_c_undoes_a_load_until_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    db = tmp_path / "a.db"
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(interrupts._State, "ours", True)
    pressed = []

    def press() -> None:
        pressed.append(True)
        os.kill(os.getpid(), signal.SIGINT)

    def search_text(*parts: str | None) -> str:
        # the loader calls it with all that a paper says, SQLite with a claim or a name
        if (where == "reading") == (len(parts) > 2):
            press()
        return " ".join(filter(None, parts))

    if where == "commit":
        monkeypatch.setattr(interrupts, "note_change", press)
    else:
        monkeypatch.setattr(search, "search_text", search_text)
    try:
        result = run("load", SEEDS[0], "--db", db)
    finally:
        signal.signal(signal.SIGINT, before)
    assert pressed
    if where == "commit":  # too late
        assert (result.exit_code, result.stderr) == (0, "")
        assert run("check", "--db", db).exit_code == 0
    else:
        assert (result.exit_code, result.stdout, result.stderr) == (130, "", INTERRUPTED)
        assert not list(tmp_path.iterdir())


ENDLESS = "with recursive n(x) as (select 1 union all select x + 1 from n) select {} from n"


def test_a_query_has_a_time_and_a_table_a_length(library: Path) -> None:
    for sql in (ENDLESS.format("count(*)"), ENDLESS.format("x") + " where x < 0"):
        slow = run("query", sql, "--db", library, "--timeout", 0.05)
        assert slow.exit_code == 1
        assert slow.stderr.startswith("litsette: the query was stopped after 0.05 seconds; --time")
    long = run("query", ENDLESS.format("x"), "--db", library)
    assert long.exit_code == 0
    assert long.stdout.splitlines()[-1].strip() == "10000"
    assert long.stderr == "litsette: these are the first 10,000 rows; --csv and --json print all\n"
    few = ENDLESS.format("x, 'a' || char(8232, 10) as t") + " limit 10001"
    assert json.loads(run("query", few, "--db", library, "--json").stdout)[-1] == {
        "x": 10_001, "t": "a\u2028\n"
    }  # fmt: skip
    none = ["query", "select 1 where 0", "--db", library, "--json"]
    assert json.loads(run(*none).stdout) == []


def test_the_time_of_a_query_is_that_of_sqlite(library: Path) -> None:
    _, rows = build.query(library, "select 1 union all select 2", seconds=0.2)
    for _ in rows:
        time.sleep(0.15)


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loader", "--version"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.strip() == f"litsette, version {__version__}"


def test_bytes_that_are_no_text_get_one_clear_line(library: Path) -> None:
    bad = "a\udcffb"  # as Python hands on a byte that is not UTF-8
    for words in (["find", bad], ["query", f"select '{bad}'"], ["remove", bad]):
        result = run(*words, "--db", library)
        assert result.exit_code == 1, result.exception
        assert len(result.output.splitlines()) == 1
        assert "UTF-8" in result.output
