"""What `litsette explain` shows of an abstract: as lines, and as JSON with offsets."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from loader import build
from loader.cli import cli
from loader.explain import Explanation
from loader.model import Record
from tests.conftest import ROOT, SEEDS

TEXT = (
    "Large language models (LLMs) fail on *rare* words. We propose \\textbf{WordNest}, a method "
    "for rare words.  On GLUE it gains 3.2\\% over BERT, up to 5 points. "
    "Code: https://github.com/example/wordnest"
)


def run(*words: object, given: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(cli, ["explain", *map(str, words)], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def documents(*words: object, given: str | bytes | None = None) -> list[dict[str, Any]]:
    result = run(*words, "--json", given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_one_abstract_on_standard_input_as_json() -> None:
    [found] = documents("-", given=TEXT)
    assert found["text"] == TEXT
    said = build.extract(TEXT)
    assert (found["label"], found["title"], found["id"]) == (said.label, None, None)
    assert [s["role"] for s in found["sentences"]] == [s.role for s in said.sentences]
    assert [(s["start_char"], s["end_char"]) for s in found["sentences"]] == [
        (s.start_char, s.end_char) for s in said.sentences
    ]
    assert sum(len(s["claims"]) for s in found["sentences"]) == len(said.claims) > 0
    numbers = [m for s in found["sentences"] for m in s["measurements"]]
    assert [(m["text"], m["kind"], m["low"], m["unit"]) for m in numbers] == [
        ("3.2\\%", "change", 3.2, "%"),
        ("5 points", "change", 5.0, "points"),
    ]
    assert set(numbers[0]) == {
        "start_char", "end_char", "text", "kind", "low", "high", "spread", "unit", "metric",
        "baseline", "subject", "qualifier",
    }  # fmt: skip
    assert numbers[1]["qualifier"] == "up to"
    assert [n["name"] for n in found["names"]] == ["WordNest"]
    assert {"short": "LLM", "long": "large language model"} in [
        {k: v.lower() if k == "long" else v for k, v in a.items()} for a in found["acronyms"]
    ]
    assert {m["name"] for m in found["mentions"]} >= {"GLUE", "BERT"}
    for mention in found["mentions"]:
        for place in mention["places"]:
            assert TEXT[place["start_char"] : place["end_char"]] == mention["name"]
    assert [(x["url"], x["kind"]) for x in found["links"]] == [
        ("https://github.com/example/wordnest", "code")
    ]
    assert [t["term"] for t in found["topics"]] == [t.term for t in said.topics] != []


def test_offsets_lead_to_the_words_of_the_source() -> None:
    seen = 0
    for path in SEEDS:
        for found in documents(path):
            text = found["text"]
            assert text in path.read_text("utf-8")
            end = 0
            for sentence in found["sentences"]:
                assert text[end : sentence["start_char"]].strip() == ""
                end = sentence["end_char"]
                for m in sentence["measurements"]:
                    assert m["text"] == text[m["start_char"] : m["end_char"]] != ""
                    assert sentence["start_char"] <= m["start_char"] < m["end_char"] <= end
                    seen += 1
            assert end == len(text)
    assert seen > 50


def test_the_lines_say_what_the_json_says() -> None:
    result = run("-", given=TEXT)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    [found] = documents("-", given=TEXT)
    assert result.stdout.startswith(found["label"] + "\n\n")
    for n, sentence in enumerate(found["sentences"], 1):
        text = " ".join(sentence["text"].split())
        assert f"{n:>2}  {sentence['role']:<12}{text}\n" in result.stdout
        for claim in sentence["claims"]:
            assert f"claim {claim['kind']}: because of “{claim['evidence']}”" in result.stdout
    assert "number 3.2\\%: change, 3.2, in %, " in result.stdout
    assert "baseline “BERT”" in result.stdout
    assert "names           WordNest, method" in result.stdout
    assert "links           https://github.com/example/wordnest, code\n" in result.stdout


def test_each_abstract_of_a_file_is_explained(tmp_path: Path) -> None:
    assert len(documents(SEEDS[0])) == 19
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"id": "a", "title": "On **Rare** Words", "abstract": "We mask."}\n'
        '{"id": 2, "title": "Only a title"}\n',
        "utf-8",
    )
    first, second = documents(rows)
    assert (first["id"], first["title"], first["label"]) == ("a", "On Rare Words", "On Rare Words")
    assert (second["id"], second["text"], second["sentences"]) == ("2", "", [])
    assert [d["id"] for d in documents("-", given=rows.read_bytes())] == ["a", "2"]
    lines = run(rows).stdout
    assert lines.count("On Rare Words") == 1
    assert "\n\nOnly a title\n" in lines


def test_a_short_text_without_a_full_stop_is_an_abstract(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("We gain 3 points", "utf-8")
    assert [d["text"] for d in documents(path)] == ["We gain 3 points"]
    path.write_text("Some 2020 Papers\n\nWe gain 3 points\n", "utf-8")
    assert [d["text"] for d in documents(path)] == ["We gain 3 points"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "standard input: the file is empty; nothing to load"),
        (b"\n \n", "standard input:1: the file is blank; nothing to load"),
        (b"%PDF-1.4 ...", "standard input: not a text file; expected UTF-8 text"),
        (b"@article{a, title = {B}}", "standard input:1: this looks like BibTeX"),
    ],
)
def test_what_cannot_be_read_is_one_line(given: bytes, said: str) -> None:
    for options in ((), ("--json",)):
        result = run("-", *options, given=given)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"litsette: {said}")
        assert len(result.stderr.splitlines()) == 1


def test_a_missing_file_is_one_line_and_wrong_usage_exits_2() -> None:
    result = run("missing.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "litsette: missing.txt: no such file; check the path\n"
    assert run().exit_code == 2


def test_rejects_are_named_and_the_rest_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "abstract": "We mask."}\nnonsense\n', "utf-8")
    result = run(path, "--json")
    assert result.exit_code == 3
    assert result.stderr.startswith(f"litsette: {path}:2: not valid JSON")
    assert [d["text"] for d in json.loads(result.stdout)] == ["We mask."]
    path.write_text('{"id": 1}\n', "utf-8")
    result = run(path, "--json")
    assert (result.exit_code, result.stdout) == (1, "[]\n")


def test_characters_that_turn_text_around_are_written_out() -> None:
    lines = run("-", given="We gain \u202e3 points\u202c over\u2066 all.").stdout
    assert "\u202e" not in lines
    assert "<U+202E>" in lines
    assert "<U+2066>" in lines


def test_lines_are_broken_to_the_width() -> None:
    said = build.extract(TEXT * 4)
    shown = Explanation(Record(1, 1, 1, TEXT * 4), None, said)
    whole = ["".join(p.text for p in line) for line in shown.lines()]
    broken = ["".join(p.text for p in line) for line in shown.lines(60)]
    assert max(map(len, whole)) > 100
    assert all(len(line) <= 60 or " " not in line[17:].strip() for line in broken[2:])
    assert " ".join(" ".join(whole).split()) == " ".join(" ".join(broken).split())
    assert list(shown.lines(1)) != []


def on_terminal(**environment: str) -> str:
    """What the command writes to a terminal."""
    program = "import sys; from loader.cli import cli; cli(sys.argv[1:])"
    path = str(SEEDS[0])
    main, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program, "explain", path],
        stdout=terminal,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "", "TERM": "xterm", "COLUMNS": "80", **environment},
    ) as process:
        os.close(terminal)
        written = b""
        try:
            while piece := os.read(main, 1 << 16):
                written += piece
        except OSError:  # the other end of the terminal is closed
            pass
        assert process.wait() == 0
    os.close(main)
    return written.decode("utf-8").replace("\r\n", "\n")


def test_colour_on_a_terminal_unless_no_color() -> None:
    coloured, plain = on_terminal(), on_terminal(NO_COLOR="1")
    assert coloured.count("\x1b[") > 500
    assert "\x1b" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert bare.split() == plain.split() == run(SEEDS[0]).stdout.split()
    assert sum(len(line) > 80 for line in plain.splitlines()) < 50
