"""Pictures of the site for the README: `make screenshots`.

In: the seeds, and Debian's chromium. Out: PNG files in docs/screenshots, each below 300 kB.
The site runs on a temporary database and a free port of 127.0.0.1, and is stopped afterwards.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "screenshots"
LARGEST = 300_000  # bytes; the README is read on slow lines too
DESK, PHONE = (1200, 800), (390, 844)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# a paper of which most is known: code, numbers of several kinds
PAPER = """select p.id from papers p join measurements m on m.paper_id = p.id group by p.id
    order by p.has_code + count(distinct m.kind) desc, p.claim_count desc, p.id limit 1"""


@contextmanager
def running(database: Path) -> Iterator[str]:
    """The address of a server of `database`; it is stopped at the end."""
    code = "import sys, pathlib, loader.serve as s; s.serve(pathlib.Path(sys.argv[1]), 0)"
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(database)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        if not found:
            raise SystemExit("the site did not start")
        yield found.group()
    finally:
        server.terminate()
        server.wait(timeout=10)
        server.stdout.close()


def main() -> None:
    """Load the seeds, serve them, take the pictures."""
    sys.path.insert(0, str(ROOT))
    from loader import build  # noqa: PLC0415  (found without being installed)

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise SystemExit("no chromium; install Debian's package of that name")
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "library.db"
        build.load(sorted((ROOT / "seeds").glob("*.txt")), database)
        with closing(sqlite3.connect(database)) as conn:
            paper = f"/library/papers/{conn.execute(PAPER).fetchone()[0]}"
        pictures = [
            ("home", "/", DESK, "light"),
            ("papers", "/library/papers?_many_claims=first", DESK, "light"),
            ("paper", paper, DESK, "light"),
            ("question", "/library/gains_over_baseline?baseline=DPO", DESK, "light"),
            ("charts", "/-/dashboards/library", DESK, "light"),
            ("home-dark", "/", DESK, "dark"),
            ("paper-phone", paper, PHONE, "light"),
        ]
        with running(database) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
            for name, path, (width, height), scheme in pictures:
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if scheme == "dark" else "light",
                )
                answer = page.goto(address + path)
                if answer is None or not answer.ok:
                    raise SystemExit(f"{path} does not answer")
                page.wait_for_load_state("networkidle")
                file = TARGET / f"{name}.png"
                page.screenshot(path=file)
                page.close()
                size = file.stat().st_size
                if size > LARGEST:
                    raise SystemExit(f"{file.name} has {size:,} bytes, more than {LARGEST:,}")
                print(f"{file.relative_to(ROOT)}: {size // 1000} kB")
            browser.close()


if __name__ == "__main__":
    main()
