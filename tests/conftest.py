"""What the tests share: the seeds, a database built from them, and ways to make small ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

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
