"""To show a library to others: the copy, the steps of the Dockerfile, a load that is killed."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from benchmarks import kill
from benchmarks.corpus import write_texts
from loader import build
from loader.cli import cli
from loader.model import LoadError
from loader.serve import SETTINGS, datasette_for
from plugins.base_path import path_only, with_base, without_base
from tests.conftest import ROOT, free_port, running


def test_the_copy_is_packed_and_names_nobody(library: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    shutil.copy(library, own)
    build.decide(own, 1, 2, "version", "", "Mona Whosaidit")
    with sqlite3.connect(own) as conn:
        conn.execute("pragma journal_mode = wal")
        conn.execute(
            "insert into decisions (text_hash, other_text_hash, verdict, note, decided_by)"
            " values ('a', 'b', 'distinct', 'a note', 'Mona Whosaidit')"
        )
        conn.commit()
        out = tmp_path / "library.db"
        # the database is in use
        result = CliRunner().invoke(cli, ["publish-copy", str(out), "--db", str(own)])
        assert result.exit_code == 0, result.output
    conn.close()
    assert re.fullmatch(r".*library\.db: \d+\.\d MB\n", result.output)
    assert b"Whosaidit" not in out.read_bytes()
    copy = sqlite3.connect(f"{out.as_uri()}?immutable=1", uri=True)
    assert copy.execute("pragma journal_mode").fetchone() == ("delete",)
    assert copy.execute("select decided_by, note from decisions order by note").fetchall() == [
        ("", ""),
        ("", "a note"),
    ]
    dates = "select decided_at from decisions where verdict = 'version'"
    assert copy.execute(dates).fetchone() != ("",)  # as the README says
    (evidence,) = copy.execute("select evidence from duplicates where method = 'user'").fetchone()
    assert evidence.startswith("a person said so on ")
    assert copy.execute("select count(*) from papers").fetchone() == (27,)
    copy.close()
    assert sorted(p.name for p in tmp_path.glob("library*")) == ["library.db"]
    assert list(build.check(out)) == []


def test_a_copy_never_takes_the_place_of_a_file(library: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    with pytest.raises(LoadError, match="exists"):
        build.publish(library, there)
    assert there.read_text() == "mine"
    with pytest.raises(LoadError, match="folder"):
        build.publish(library, tmp_path / "no" / "library.db")
    with pytest.raises(LoadError, match="no such database"):
        build.publish(tmp_path / "none.db", tmp_path / "out.db")


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with what they say."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line.split(None, 1) for line in text.splitlines() if line and line[0] != "#"]
    return [(name, said) for name, said in lines]


class Image(NamedTuple):
    """What the steps of the Dockerfile made: the folder, the environment, the command."""

    root: Path
    environment: dict[str, str]
    command: list[str]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The steps, but for what needs a registry or another user."""
    folder = tmp_path_factory.mktemp("image")
    root, shims = folder / "srv", folder / "bin"
    root.mkdir()
    shims.mkdir()
    for name, code in [
        ("litsette", "from loader.cli import cli; cli()"),
        ("datasette", "from datasette.cli import cli; cli()"),
    ]:
        script = shims / name
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
        script.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{shims}:{os.environ['PATH']}",
        "PYTHONPATH": str(root),  # as if it were installed
    }
    command: list[str] = []
    installed = 0
    for name, said in steps():
        if name == "COPY":
            *sources, target = shlex.split(said)
            for source in sources:
                where = root / target
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, where)
                else:
                    shutil.copy(ROOT / source, where / Path(source).name)
        elif name == "RUN" and "pip install" in said:
            assert shlex.split(said)[-3:] == ["--constraint", "constraints.txt", "."]
            installed += 1
        elif name == "RUN" and not said.startswith("useradd"):
            subprocess.run(said, shell=True, cwd=root, env=environment, check=True, timeout=60)
        elif name == "CMD":
            command = json.loads(said)
    assert installed == 1
    return Image(root, environment, command)


def test_the_image_holds_a_copy_and_our_settings(image: Image) -> None:
    assert sorted(p.name for p in (image.root / "published").iterdir()) == ["library.db"]
    assert not list(image.root.glob("built.db*"))
    words = image.command
    assert "0.0.0.0" in words
    places = [n + 1 for n, word in enumerate(words) if word == "--setting"]
    given = {
        words[n]: {"off": "False", "on": "True"}.get(words[n + 1], words[n + 1]) for n in places
    }
    assert given == {name: str(SETTINGS[name]) for name in given}
    assert set(given) >= {"suggest_facets", "sql_time_limit_ms", "max_returned_rows"}


def follow(address: str) -> None:
    """Every link of some pages of the site at `address` is a path below /papers/ and leads on."""

    def read(path: str) -> str:
        # the name is one that nobody has: a server in front may pass on any
        request = urllib.request.Request(address + path, headers={"Host": "nowhere.invalid"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return str(answer.read().decode("utf-8", "replace"))

    pages = [
        "/library/papers?_size=5&_many_topics=reinforcement+learning",
        "/library/claims?_size=5&kind=gain",
        "/library/measurements?_size=5",
        "/library/gains_over_baseline",
        "/library/-/duplicates",
        "/-/dashboards/library",
    ]
    seen = set()
    for page in pages:
        text = read(page)
        assert "nowhere.invalid" not in text
        links = {html.unescape(link) for link in re.findall(r'(?:href|src|action)="([^"]+)"', text)}
        for link in sorted(links):
            if link.startswith(("https://", "http://", "#", "data:")):
                continue
            here = "/papers" + page.partition("?")[0] if link.startswith("?") else ""
            assert re.match(r"/papers/(?!papers(?:/|$))", here + link), (page, link)
            seen.add((here + link).partition("#")[0].removeprefix("/papers"))
        assert not page.startswith("/library/papers") or 'rel="next"' in text
    for link in sorted(seen):
        read(link)  # raises where there is none
    assert len(seen) > 100


def test_the_image_serves_the_site_behind_another_server(image: Image) -> None:
    root, environment, command = image.root, image.environment, list(image.command)
    port = free_port()
    command[command.index("0.0.0.0")] = "127.0.0.1"
    command[command.index("--port") + 1] = str(port)
    command += ["--setting", "base_url", "/papers/"]  # as behind another server
    address = f"http://127.0.0.1:{port}/papers"
    with running(command, f"{address}/", cwd=root, env=environment) as home:
        assert "27 papers" in home
        assert not re.findall(r'(?:href|src|action)="/(?!papers/)', home)
        export = re.search(
            r'href="(/papers/library/-/export/claims\.jsonl[^"]*)"',
            urllib.request.urlopen(f"{address}/library/claims").read().decode(),
        )
        assert export
        found = urllib.request.urlopen(f"http://127.0.0.1:{port}{export[1]}")
        assert len(found.read().splitlines()) == int(found.headers["x-row-count"]) > 100
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{address}/library/-/duplicates", data=b"verdict=same&pair=1")
        assert refused.value.code == 403
        for root_of_site in (address, address.removesuffix("/papers")):  # passed on, or stripped
            follow(root_of_site)


def test_only_a_whole_part_of_the_path_is_taken_off() -> None:
    def paths(path: str) -> tuple[str, bytes]:
        scope = {"type": "http", "path": path, "raw_path": path.encode(), "root_path": "/x"}
        changed = without_base(scope, "/papers/")
        assert changed["root_path"] == "/x"
        return changed["path"], changed["raw_path"]

    assert paths("/papers/library/papers") == ("/library/papers", b"/library/papers")
    assert paths("/papers/") == paths("/papers") == ("/", b"/")
    for path in ("/papersx/y", "/library/papers/1", "/"):
        assert paths(path) == (path, path.encode())
    assert with_base("/library", "/papers/") == "/papers/library"
    for address in ("/papers/library", "//other/x", "https://other/x", "?a=1"):
        assert with_base(address, "/papers/") == address
    assert path_only("http://host:1/papers/library?a=http://b/c") == (
        "/papers/library?a=http://b/c"
    )
    assert path_only("https://host") == "/"
    assert path_only("/library?a=//b") == "/library?a=//b"


async def test_a_redirect_stays_below_the_path(library: Path) -> None:
    site = datasette_for(library, base_url="/papers/")
    found = await site.client.get("/library/papers/", follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (302, "/papers/library/papers")
    page = (await site.client.get("/library/claims")).text
    assert re.search(r'href="/papers/library/claims"[^>]* aria-current', page)


def test_a_killed_load_leaves_all_or_nothing(library: Path, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "more.txt", 150, seed=5)
    for n, seconds in enumerate((0.7, 1.4, 2.3)):
        database = tmp_path / f"{n}.db"
        shutil.copy(library, database)
        found = kill.kill_after(seconds, texts, database)
        assert found.faults == []
        assert found.before == 27
        assert found.after in (27, 177)
        assert found.read <= {27, found.after}


@pytest.mark.parametrize("base", ["/", "/papers/"])
async def test_what_programs_follow_names_no_host(library: Path, base: str) -> None:
    site = datasette_for(library, base_url=base)

    async def read(path: str) -> Any:
        # a name that the server in front passes on, or that somebody made up
        return await site.client.get(path, headers={"host": "nowhere.invalid"})

    address, seen = "/library/claims.json?_size=100&_nofacet=1", 0
    while address:
        found = await read(address)
        assert b"nowhere.invalid" not in found.content
        seen += len(found.json()["rows"])
        address = found.json()["next_url"] or ""
        assert not address or address.startswith(f"{base}library/claims.json?")
    assert seen == found.json()["filtered_table_rows_count"] > 100
    facets = (await read("/library/papers.json?_size=1")).json()["facet_results"]
    assert facets["year"]["results"][0]["toggle_url"].startswith(f"{base}library/papers.json?")
    page = await read("/library/claims?_size=1")
    assert page.headers["link"].startswith(f"<{base}library/claims.json?_size=1>; rel=")
    told = (await read("/llms.txt")).text
    links = re.findall(r"\]\((\S+)\)", told)
    assert len(links) > 40
    assert all(link.startswith(base + "library") or "/-/search" in link for link in links)
    assert "nowhere.invalid" not in told
    for link in links[::8]:
        assert (await read(link)).status_code == 200
