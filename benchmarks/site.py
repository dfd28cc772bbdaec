"""How quick is the site? A fixed walk over all kinds of pages, ours and bare Datasette beside it.

In: a database (made by corpus.py where none is named). Out: p50, p95 and the slowest answer, wall
and CPU time, the largest page; then the same with 20 readers at once, and with 20 readers while
10,000 abstracts are loaded into a copy. The server is a process of its own on one core, so times
are those a reader sees; other work on the machine makes wall time longer, not CPU time.

    python benchmarks/site.py [--db big.db] [--slow 10] [--bare] [--readers] [--load]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import corpus  # noqa: E402

READERS = 20
LOADED = 10_000
LARGEST = 300_000  # bytes of a page before charts
P95, SLOWEST = 150, 600  # milliseconds


class Answer(NamedTuple):
    """One answer: the address, milliseconds, bytes and status."""

    address: str
    wall: float
    cpu: float
    size: int
    status: int


def walk(db: Path) -> list[str]:
    """About 150 addresses: each kind of page, facets, wide filters, searches, all questions."""
    conn = sqlite3.connect(f"{db.absolute().as_uri()}?mode=ro", uri=True)

    def one(sql: str) -> object:
        return conn.execute(sql).fetchone()[0]

    papers = [
        row[0]
        for row in conn.execute("select id from papers where id % 997 = 3 order by id limit 8")
    ] or [one("select id from papers")]
    topics = [
        row[0]
        for row in conn.execute(
            "select t.term from paper_topics pt join topics t on t.id = pt.topic_id "
            "group by 1 order by count(*) desc limit 3"
        )
    ]
    found = ["/", "/library", "/-/dashboards/library", "/-/search"]
    found += [f"/library/papers/{paper}" for paper in papers]
    p = "/library/papers"
    found += [p, f"{p}?_view=table", f"{p}?_size=100", f"{p}?_sort_desc=claim_count"]
    found += [f"{p}?_sort=label", f"{p}?_sort_desc=year", f"{p}?year=2020", f"{p}?year__gt=2016"]
    found += [f"{p}?venue=ICML", f"{p}?has_code=1", f"{p}?has_code=0", f"{p}?claims_first=1"]
    found += [f"{p}?measurement_count__gte=1", f"{p}?claim_count__gt=2&year__gte=2015"]
    for topic in topics:
        found += [f"{p}?" + urlencode({"_many_topics": topic})]
        found += [f"{p}?" + urlencode({"_many_topics": topic, "year__gt": 2017, "has_code": 1})]
    found += [f"{p}?_many_claims={kind}" for kind in ("first", "result", "sota", "theory")]
    found += [f"{p}?_many_claims=result&_many_claims=first&year__gt=2018"]
    found += [f"{p}?_search={q}" for q in ("accuracy", "diffusion+planning", "copper", "improves")]
    found += [f"{p}?_search=graph&_many_claims=sota", f"{p}?_facet=venue&_facet_size=max"]
    for kind in ("result", "first", "contribution", "theory"):
        found += [f"/library/claims?kind={kind}"]
    c, m = "/library/claims", "/library/measurements"
    found += [c, f"{c}?_search=faster", f"{c}?_search=proposed+framework", f"{c}?_sort_desc=id"]
    found += [m, f"{m}?kind=ratio", f"{m}?kind=change&unit=%25", f"{m}?metric=accuracy"]
    found += [f"{m}?_sort_desc=high", f"{m}?high__gt=10", f"{m}?baseline=BERT", f"{m}?subject=COCO"]
    found += [
        f"{m}/5",
        f"{c}/5",
        "/library/sentences/5",
        "/library/entries/5",
        "/library/sources/1",
    ]
    for table in ("entries", "sources", "sentences", "names", "mentions", "links", "topics"):
        found += [f"/library/{table}"]
    found += ["/library/duplicates", "/library/paper_topics", "/library/duplicate_groups"]
    found += ["/library/open_questions", f"{p}?entry_id=1&_facet=year", f"{m}?_facet=unit"]
    found += [f"/-/search?q={q}" for q in ("language+model", "COCO", "faster", "sparse+routing")]
    found += [f"{p}.json?_shape=array", f"{c}.json?kind=first", f"{m}.json?_size=200"]
    described = yaml.safe_load((ROOT / "metadata.yml").read_text("utf-8"))["databases"]["library"]
    for name, question in described["queries"].items():
        found += [f"/library/{name}?{urlencode(question.get('examples', {}))}"]
        found += [f"/library/{name}"]
    sqls = ["select kind, count(*) from claims group by kind", "select * from papers limit 50"]
    found += ["/library?" + urlencode({"sql": sql}) for sql in sqls]
    ours = ["/-/quality", "/library/-/duplicates", "/library/-/sql", "/library/-/chart"]
    ours += [f"/library/-/about/{quote(str(name))}" for name in ("COCO", "BERT", *topics[:1])]
    ours += ["/library/-/chart?metric=accuracy&subject=COCO", "/library/-/beats", "/library/-/find"]
    conn.close()
    return found + ours


# -- a server, its answers ----------------------------------------------------------------

_SERVE = "import sys, pathlib, loader.serve as s; s.serve(pathlib.Path(sys.argv[1]), 0)"


@contextlib.contextmanager
def server(db: Path, bare: bool = False) -> Iterator[tuple[int, int]]:
    """A server of the database on one core: its port and process id."""
    if bare:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "datasette", "serve", str(db), "--port", str(port)]
        command += ["--setting", "sql_time_limit_ms", "60000"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    else:
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(db)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout
        found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found
        port = int(found[1])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {max(os.sched_getaffinity(0))})
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


def cpu_of(pid: int) -> float:
    """Seconds of CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(port: int, pid: int, address: str) -> Answer:
    """One request on a connection of its own."""
    before, begin = cpu_of(pid), time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", address)
    response = connection.getresponse()
    size = len(response.read())
    connection.close()
    wall = 1000 * (time.perf_counter() - begin)
    return Answer(address, wall, 1000 * (cpu_of(pid) - before), size, response.status)


def report(name: str, answers: list[Answer], slow: int = 0) -> None:
    """Print what a reader waits; the slowest addresses where asked."""
    answers = sorted(answers, key=lambda a: a.wall)
    walls = [a.wall for a in answers]
    cpus = sorted(a.cpu for a in answers)
    pages = [a for a in answers if ".json" not in a.address]
    largest = max(pages, key=lambda a: a.size)
    faults = sum(a.status >= 500 or a.status == 0 for a in answers)
    place = int(0.95 * len(walls)) - 1
    print(
        f"{name:<34} {len(answers):>5} answers  p50 {statistics.median(walls):>6.0f}  "
        f"p95 {walls[place]:>6.0f}  max {walls[-1]:>6.0f} ms wall;  "
        f"p50 {statistics.median(cpus):>5.0f}  p95 {cpus[place]:>5.0f}  max {cpus[-1]:>5.0f} "
        f"ms CPU;  "
        f"largest page {largest.size / 1000:,.0f} kB ({largest.address});  {faults} errors",
        flush=True,
    )
    for answer in answers[-slow:][::-1] if slow else []:
        print(f"    {answer.wall:>6.0f} ms  {answer.cpu:>6.0f} CPU  {answer.address[:110]}")


def walked(port: int, pid: int, addresses: list[str], rounds: int = 2) -> list[Answer]:
    """The walk, each address some times; all answers."""
    return [ask(port, pid, address) for _ in range(rounds) for address in addresses]


def crowd(
    port: int, pid: int, addresses: list[str], until: threading.Event | None = None
) -> list[Answer]:
    """20 readers at once, each with the walk from another place, a while to read between clicks.

    Each reads for 20 pages, or until the event is set.
    """
    answers: list[Answer] = []

    def reader(n: int) -> None:
        chance = random.Random(n)  # who all pause alike come in waves
        step = n * len(addresses) // READERS
        own = addresses[step:] + addresses[:step]
        for k in range(20 if until is None else 10**6):
            if until is not None and until.is_set():
                return
            try:
                answers.append(ask(port, pid, own[k % len(own)]))
            except OSError:
                answers.append(Answer(own[k % len(own)], 0, 0, 0, 0))
            time.sleep(chance.uniform(1, 5))

    threads = [threading.Thread(target=reader, args=(n,)) for n in range(READERS)]
    for n, thread in enumerate(threads):
        thread.start()
        time.sleep(2 / READERS if n else 0)
    for thread in threads:
        thread.join()
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", type=Path, help="a database; one of 100,000 papers is made")
    parser.add_argument("--slow", type=int, default=5, help="how many slow addresses to name")
    parser.add_argument("--bare", action="store_true", help="bare Datasette too")
    parser.add_argument("--readers", action="store_true", help="20 readers at once too")
    parser.add_argument("--load", action="store_true", help="20 readers while a load runs too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        db = options.db or Path(folder) / "library.db"
        if options.db is None:
            corpus.make(db)
        addresses = walk(db)
        with server(db) as (port, pid):
            report("litsette, first round", walked(port, pid, addresses, 1), options.slow)
            alone = walked(port, pid, addresses)
            report("litsette", alone, options.slow)
            if options.readers:
                report(f"litsette, {READERS} readers", crowd(port, pid, addresses), options.slow)
        if options.load:
            _load(db, Path(folder), addresses, options.slow)
        if options.bare:
            plain = Path(folder) / "bare" / "library.db"
            plain.parent.mkdir()
            plain.symlink_to(db.absolute())
            shared = [a for a in addresses if not _ours_only(a)]
            with server(plain, bare=True) as (port, pid):
                bare = walked(port, pid, shared, 1)
            report("bare Datasette, the pages it has", [a for a in bare if a.status == 200], 5)
            both = {a.address for a in bare if a.status == 200}
            report("litsette, the same pages", [a for a in alone if a.address in both])
    ordered = sorted(a.wall for a in alone)
    large = max(a.size for a in alone if ".json" not in a.address)
    good = ordered[int(0.95 * len(ordered)) - 1] <= P95 and ordered[-1] <= SLOWEST
    sys.exit(not good or large > LARGEST)


def _ours_only(address: str) -> bool:
    """Whether bare Datasette has no such page."""
    return "/-/" in address or "_many_" in address


def _load(db: Path, folder: Path, addresses: list[str], slow: int) -> None:
    """20 readers of a copy while 10,000 abstracts are loaded into it."""
    copy = folder / "loaded.db"
    shutil.copy(db, copy)
    texts = corpus.write_texts(folder / "more.txt", LOADED, seed=99, first=500_000)
    done = threading.Event()

    def load() -> None:
        command = [sys.executable, "-c", "from loader.cli import cli; cli()"]
        begin = time.monotonic()
        loaded = subprocess.run(
            [*command, "load", str(texts), "--db", str(copy)],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
        )
        print(f"loading ended with {loaded.returncode} in {time.monotonic() - begin:.0f} s")
        done.set()

    with server(copy) as (port, pid):
        walked(port, pid, addresses, 1)
        threading.Thread(target=load).start()
        report(f"litsette, {READERS} readers and a load", crowd(port, pid, addresses, done), slow)


if __name__ == "__main__":
    main()
