"""What is left when a load is killed? kill -9 at random moments while readers read.

In: a number of moments. Out: a line for each; exit code 1 where the database is not sound
afterwards, holds a part of the file, or a reader saw a part of it.

    python benchmarks/kill.py [--moments 50] [--abstracts 1000]
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.corpus import write_texts  # noqa: E402
from loader import build  # noqa: E402
from loader.serve import seed_files  # noqa: E402

_LOAD = [sys.executable, "-c", "from loader.cli import cli; cli()", "load"]


class Killed(NamedTuple):
    """What a kill left: after how long, papers before and after, faults, counts that were read."""

    seconds: float
    before: int
    after: int
    faults: list[str]
    read: set[int]


def load_time(texts: Path, database: Path) -> float:
    """Seconds that the whole load takes, into a copy that is thrown away."""
    copy = database.with_name("timed.db")
    shutil.copy(database, copy)
    begin = time.monotonic()
    subprocess.run(
        [*_LOAD, str(texts), "--db", str(copy)], cwd=ROOT, check=True, capture_output=True
    )
    taken = time.monotonic() - begin
    for path in database.parent.glob("timed.db*"):
        path.unlink()
    return taken


def kill_after(seconds: float, texts: Path, database: Path) -> Killed:
    """Load a file into the database, kill it after so long, and look at what is left."""
    counts: set[int] = set()
    done = threading.Event()

    def reader() -> None:
        conn = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=10)
        while not done.is_set():
            counts.add(_papers(conn))
            time.sleep(0.005)
        conn.close()

    with sqlite3.connect(database) as conn:
        before = _papers(conn)
    conn.close()
    readers = [threading.Thread(target=reader) for _ in range(3)]
    process = subprocess.Popen(
        [*_LOAD, str(texts), "--db", str(database)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for thread in readers:
        thread.start()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done.set()
    for thread in readers:
        thread.join()
    with sqlite3.connect(database) as conn:
        after = _papers(conn)
    conn.close()
    return Killed(seconds, before, after, list(build.check(database)), counts)


def _papers(conn: sqlite3.Connection) -> int:
    return int(conn.execute("select count(*) from papers").fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--abstracts", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, bad = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory(prefix="kill-") as name:
        folder = Path(name)
        database = folder / "seeds.db"
        build.load(seed_files(), database)
        texts = write_texts(folder / "more.txt", options.abstracts, seed=5)
        whole = load_time(texts, database)
        for n in range(options.moments):
            copy = folder / f"{n}.db"
            shutil.copy(database, copy)
            found = kill_after(chance.uniform(0, 1.05 * whole), texts, copy)
            # a reader may see the file after the commit, never a part
            part = found.read - {found.before, found.after}
            all_or_nothing = found.after == found.before or found.after > found.before + 100
            good = not found.faults and not part and all_or_nothing
            bad += not good
            print(
                f"killed after {found.seconds:5.2f} of {whole:.2f} s: {found.before} papers, then "
                f"{found.after}; {'sound' if good else [*found.faults[:3], part]}",
                flush=True,
            )
            for path in folder.glob(f"{n}.db*"):
                path.unlink()
    print(f"{options.moments} moments, {bad} bad")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
