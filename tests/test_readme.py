"""What the README promises, as far as it can be checked here."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from loader import build
from loader.cli import cli
from loader.formats import open_source
from tests.conftest import ROOT, free_port, running

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


RECIPES = [r.strip() for r in blocks("sql")[0].split(";\n") if r.strip()]


def test_readme_is_short_and_its_pictures_exist() -> None:
    assert len(README.splitlines()) < 300
    pictures = re.findall(r"(?:\]\(|src=\")(docs/[^)\"]+\.png)", README)
    assert len(pictures) >= 4
    for picture in pictures:
        assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")
        assert (ROOT / picture).stat().st_size < 300_000
    for link in re.findall(r"\]\(((?!http)[^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_there_are_ten_recipes() -> None:
    assert len(RECIPES) == 10


@pytest.mark.parametrize("sql", RECIPES, ids=lambda sql: sql.splitlines()[0][:40])
def test_recipes_run_and_find_something(library: Path, sql: str) -> None:
    conn = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    assert conn.execute(sql).fetchall()
    conn.close()


def test_a_table_becomes_json_lines_as_shown(tmp_path: Path) -> None:
    (script,) = [b for b in blocks("sh") if "csv.DictReader" in b]
    table = '"Authors","Title","Abstract"\r\n"Oak, A.","Über Teiche","We sail,\nfar."\r\n'
    (tmp_path / "export.csv").write_text(table, "utf-8-sig", newline="")
    script = script.replace("python", shlex.quote(sys.executable), 1)
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True)
    (record,) = open_source(tmp_path / "export.jsonl").records()
    assert (record.title, record.text) == ("Über Teiche", "We sail,\nfar.")
    assert record.authors


def test_commands_and_make_targets_exist() -> None:
    typed = "\n".join(blocks("sh"))
    named = set(re.findall(r"`litsette ([\w-]+)", README))
    named |= set(re.findall(r"^litsette ([\w-]+)", typed, re.MULTILINE))
    assert named >= set(cli.commands)
    assert named <= set(cli.commands)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z]+)", typed + README, re.MULTILINE):
        assert f"\n{target}:" in makefile
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for target in ("serve", "build", "test", "lint", "docs", "bench", "screenshots", "clean"):
        assert f"make {target} " in listed


def test_rooms_exist() -> None:
    table = README.partition("## The rooms of the house")[2].partition("\n## ")[0]
    for path in re.findall(r"`((?:loader|plugins|tests|benchmarks)/[\w./]*)`", table):
        assert (ROOT / path).exists(), path


def test_the_plain_datasette_command_serves_the_site(library: Path, tmp_path: Path) -> None:
    (script,) = [b for b in blocks("sh") if "datasette serve" in b]
    vacuum, _, serve = script.partition("datasette serve")
    (tmp_path / "published").mkdir()
    copy = re.search(r"publish-copy (published/library\.db)", vacuum)[1]
    build.publish(library, tmp_path / copy)
    words = shlex.split("serve" + serve.replace("\\\n", " "), comments=True)
    words = [str(tmp_path / w) if w.startswith("published/") else w for w in words]
    port = free_port()
    command = [sys.executable, "-m", "datasette", *words, "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with running(command, f"{address}/", cwd=ROOT) as home:
        assert "27" in home
        rows = json.load(urllib.request.urlopen(f"{address}/library/papers.json?_shape=array"))
        assert len(rows) == 27
        question = f"{address}/library/gains_over_baseline.json?_shape=array&baseline=DPO"
        assert json.load(urllib.request.urlopen(question))
