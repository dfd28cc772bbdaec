"""The rules of the house, held by reading the code."""

from __future__ import annotations

import ast
import importlib.util
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

LOADER = ROOT / "loader"
PLUGINS = ROOT / "plugins"
MEANING = {
    "text", "sentences", "roles", "claims", "measurements", "names", "topics", "labels",
    "duplicates",
}  # fmt: skip
LEARNED = {"cues", "features", "weights"}  # what the two rooms that are trained share
ROOMS = {p.stem for p in LOADER.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
ROOMS -= {"__init__", "cli", "build", "functions", "serve"}
ONLY_IN = {
    "click": {"cli"},
    "tabulate": {"cli"},
    "sqlite_utils": {"database"},
    "rapidfuzz": {"duplicates", "search"},
    "datasette": {"serve"},
    "uvicorn": {"serve"},
    "numpy": {"duplicates", "facets", "weights", "train"},
}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def room_of(path: Path) -> str:
    """The room that a module belongs to: `loader/names/links.py` -> names."""
    return path.relative_to(LOADER).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The top package and the full name of everything that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                package = path.relative_to(ROOT).parts[: -node.level]
                module = ".".join([*package, *module.split(".")]).rstrip(".")
            if module == "loader":
                yield from (("loader", f"loader.{alias.name}") for alias in node.names)
            else:
                yield module.split(".")[0], module


def rooms_imported(path: Path) -> set[str]:
    found = {name.split(".")[1] for top, name in imports(path) if top == "loader" and "." in name}
    return found - {"__version__"}


@pytest.mark.parametrize("path", modules(LOADER), ids=lambda p: str(p.relative_to(LOADER)))
def test_imports_go_one_way(path: Path) -> None:
    room, used = room_of(path), rooms_imported(path)
    used -= {room}
    if room == "__main__":
        assert used <= {"cli", "interrupts"}
    elif room in ("cli", "__init__"):
        assert used <= {"build", "serve", "model", "interrupts"}
    elif room == "build":
        assert not used & {"cli", "serve"}
    elif room == "functions":  # several rooms, for SQL
        assert used <= {"build", "duplicates", "model", "text"}
    elif room == "serve":
        assert used <= {"model", "versions", "warming"}
    elif room == "facets":
        assert used <= {"versions"}
    elif room in MEANING:
        shared = LEARNED if room in ("roles", "claims") else set()
        assert used <= {"model", "text", "symbols", "memo"} | shared
    elif room == "train":
        assert used <= {"model", "text", "roles", "claims"} | LEARNED
    elif room in LEARNED:
        assert used <= {"model", "symbols", "memo"} | LEARNED
    elif room == "check":
        assert used <= {"model", "database", "search"}
    elif room == "database":
        assert used <= {"model", "interrupts"}
    elif room == "search":
        assert used <= {"model", "forms"}
    elif room == "exports":
        assert used <= {"writers"}
    else:
        assert used <= {"model"}, f"{room} imports {used}"
    for top, name in imports(path):
        if top in ONLY_IN:
            assert room in ONLY_IN[top], f"{room} imports {name}"


@pytest.mark.parametrize("path", sorted(PLUGINS.glob("*.py")), ids=lambda p: p.name)
def test_plugins_import_datasette_and_one_room(path: Path) -> None:
    allowed = {"datasette", "loader", "markupsafe", "jinja2", *sys.stdlib_module_names}
    tops = {top for top, _ in imports(path)}
    assert tops <= allowed, tops - allowed
    assert len(rooms_imported(path) - {"model", "versions"}) <= 1
    assert not tops & {p.stem for p in PLUGINS.glob("*.py")}


@pytest.mark.parametrize(
    "path", [*modules(LOADER), *sorted(PLUGINS.glob("*.py"))], ids=lambda p: p.name
)
def test_modules_and_public_names_say_what_they_do(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree), f"{path}: no docstring"
    assert path.stem not in ("utils", "helpers", "misc", "common")
    hooks = path.parent == PLUGINS
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name.startswith("_") or (hooks and node.decorator_list):
                continue
            assert ast.get_docstring(node), f"{path}: {node.name} has no docstring"


def test_every_dependency_states_its_reason() -> None:
    inside = False
    for line in (ROOT / "pyproject.toml").read_text("utf-8").splitlines():
        if line.startswith(("dependencies = [", "test = [", "bench = [", "dev = [")):
            inside = True
        elif line.startswith("]"):
            inside = False
        elif inside and line.strip().startswith('"') and "litsette[" not in line:
            before = line.strip()
            assert "#" in before or before.startswith(('"datasette>', '"types-')), line


def test_tables_of_the_schema_are_strict_and_described() -> None:
    conn = sqlite3.connect(":memory:")
    conn.executescript((LOADER / "schema.sql").read_text("utf-8"))
    described = yaml.safe_load((ROOT / "metadata.yml").read_text("utf-8"))["databases"]["library"][
        "tables"
    ]
    listed = conn.execute(
        "select name, type, strict from pragma_table_list where schema = 'main'"
        " and type in ('table', 'view') and name not like 'sqlite_%'"
    ).fetchall()
    assert len(listed) > 25
    for name, kind, strict in listed:
        assert kind == "view" or strict, f"{name} is not strict"
        columns = {row[1] for row in conn.execute(f"pragma table_info({name})")}
        assert described[name]["description"].strip()
        assert set(described[name]["columns"]) == columns, name
        assert all(str(text).strip() for text in described[name]["columns"].values())
        for key in conn.execute(f"pragma foreign_key_list({name})").fetchall():
            indexed = conn.execute(
                "select 1 from pragma_index_list(?) l, pragma_index_info(l.name) i"
                " where i.seqno = 0 and i.name = ?"
                " union select 1 from pragma_table_info(?) where name = ? and pk = 1",
                [name, key[3], name, key[3]],
            ).fetchall()
            assert indexed, f"{name}.{key[3]} points at {key[2]} without an index"
    conn.close()


def test_generated_documents_are_in_step() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    for path, content in generate.documents().items():
        assert path.read_text("utf-8") == content, f"{path.name} is out of step: run make docs"


def test_nothing_of_the_project_loads_from_elsewhere() -> None:
    for path in [*PLUGINS.rglob("*.html"), *PLUGINS.rglob("*.css"), *PLUGINS.rglob("*.js")]:
        text = path.read_text("utf-8")
        for needle in ('src="http', "src='http", "url(http", 'url("http', '<link href="http'):
            assert needle not in text, f"{path.name}: {needle}"
