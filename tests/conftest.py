"""What the tests share: the seeds, a database built from them, and ways to make small ones."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from datasette.app import Datasette

from loader import build
from loader.serve import datasette_for

# how long one example takes says more of the machine than of the code
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")

ROOT = Path(__file__).parent.parent
SEEDS = sorted((ROOT / "seeds").glob("*.txt"))
CASES = Path(__file__).parent / "data" / "cases"


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with both seed files, built once. Tests do not write to it."""
    path = tmp_path_factory.mktemp("library") / "seeds.db"
    build.load(SEEDS, path)
    return path


@pytest.fixture(scope="session")
def site(library: Path) -> Datasette:
    """The site of the seeds, in this process: `await site.client.get("/library/papers.json")`."""
    return datasette_for(library)


@pytest.fixture
def rows(library: Path) -> Iterator[Callable[..., list[tuple]]]:
    """Ask the database of the seeds: `rows(sql, parameters)`."""
    conn = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    yield lambda sql, parameters=(): conn.execute(sql, parameters).fetchall()
    conn.close()


@pytest.fixture
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    """The database of the seeds, to be read by column names."""
    connection = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


@pytest.fixture
def built(tmp_path: Path) -> Callable[..., sqlite3.Connection]:
    """Build a database from texts: `built("a.txt", "Title\\n\\nAbstract")`, name and content."""
    connections = []

    def make(*named: str, db: str = "test.db") -> sqlite3.Connection:
        files = []
        for name, content in zip(named[::2], named[1::2], strict=True):
            path = tmp_path / name
            path.write_text(content, "utf-8")
            files.append(path)
        build.load(files, tmp_path / db)
        conn = sqlite3.connect(tmp_path / db)
        connections.append(conn)
        return conn

    yield make
    for conn in connections:
        conn.close()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(command: Sequence[str], address: str, **options: Any) -> Iterator[str]:
    """Start a server, wait until it answers at `address`, give its home page, and end it."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    try:
        for _ in range(300):
            try:
                home = urllib.request.urlopen(address, timeout=10).read().decode()
                break
            except OSError:
                assert server.poll() is None, server.stdout and server.stdout.read()
                time.sleep(0.1)
        else:
            pytest.fail(f"nothing answers at {address}")
        yield home
    finally:
        server.terminate()
        server.wait(10)
        if server.stdout:
            server.stdout.close()
