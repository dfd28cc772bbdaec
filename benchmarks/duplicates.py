"""Duplicates: quality and speed beside other tools, same data, same run, one core.

In: a folder with labelled records, `make_corpus.py` and `abstracts_only.py`. Out: a table; for
each tool and data set the precision and recall of pairs, the recall when a pair that is asked
about counts too, and records a CPU second. Tools that are not installed are left out:
`pip install datasketch bib-dedupe` for all of them.

    python benchmarks/duplicates.py --data ../shared/duplicates [--large] [--whole]

`--large` adds how time and memory grow to 120,000 records, and 1,000 new ones beside 100,000.
`--whole` does so through whole loads into a database, and tells how long one text is looked for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import combinations, pairwise
from pathlib import Path

from rapidfuzz import fuzz

from loader import build, text
from loader.duplicates import find, settle, stored
from loader.formats import open_source
from loader.model import Candidate, Record

ALL_PAIRS = 3_000  # more is too many for a tool that compares all pairs

Pair = tuple[str, str]
Found = tuple[set[Pair], set[Pair]]  # merged, and asked about besides
Tool = Callable[[Sequence[Candidate], Sequence[str]], Found]


def candidates(path: Path) -> tuple[list[Candidate], list[str]]:
    """The records of a JSON lines file as the room sees them, and their ids in the file."""
    found, names = [], []
    for number, r in enumerate(r for r in open_source(path).records() if isinstance(r, Record)):
        plain = text.to_plain(r.text).plain
        words = text.normalize(plain or r.title or "")
        found.append(
            Candidate(
                number, r.text, plain, _digest(r.text), _digest(words), r.title, r.authors, r.year,
                r.venue, r.identifiers, r.volume, r.number, r.pages, name=f"id:{r.external_id}",
            )
        )  # fmt: skip
        names.append(str(r.external_id))
    return found, names


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()


def pairs(groups: Iterable[Iterable[str]]) -> set[Pair]:
    return {(a, b) for group in groups for a, b in combinations(sorted(group), 2)}


def _groups(names: Sequence[str], links: Iterable[tuple[int, int]]) -> list[list[str]]:
    parent = list(range(len(names)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in links:
        parent[root(i)] = root(j)
    groups = defaultdict(list)
    for i, name in enumerate(names):
        groups[root(i)].append(name)
    return list(groups.values())


# --- the tools -------------------------------------------------------------------------------


def litsette(entries: Sequence[Candidate], names: Sequence[str]) -> Found:
    edges = find(entries)
    settled = settle(entries, edges)
    group = {i: cluster for cluster in settled.clusters for i in cluster}
    merged = pairs([names[i] for i in cluster] for cluster in settled.clusters)
    asked = {
        (min(a, b), max(a, b))
        for row in settled.verdicts
        if row.verdict in ("possible", "version")
        for a in (names[i] for i in group[row.a])
        for b in (names[i] for i in group[row.b])
    }
    return merged, asked - merged


def datasketch(entries: Sequence[Candidate], names: Sequence[str]) -> Found:
    """MinHash over word 2-grams, then rapidfuzz: 95 merges, 75 is asked about."""
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415

    index = MinHashLSH(num_perm=126, params=(42, 3))
    kept = {}
    candidates = []
    for i, entry in enumerate(entries):
        words = entry.plain.casefold().split()
        if len(words) < 8:
            continue
        kept[i] = sketch = MinHash(num_perm=126)
        sketch.update_batch([f"{a} {b}".encode() for a, b in pairwise(words)])
        candidates += [(j, i) for j in index.query(sketch) if sketch.jaccard(kept[j]) >= 0.25]
        index.insert(i, sketch)
    return _verified(entries, names, candidates)


def all_pairs(entries: Sequence[Candidate], names: Sequence[str]) -> Found:
    """rapidfuzz on every pair of texts."""
    told = [i for i, entry in enumerate(entries) if entry.plain]
    return _verified(entries, names, combinations(told, 2))


def _verified(
    entries: Sequence[Candidate], names: Sequence[str], candidates: Iterable[tuple[int, int]]
) -> Found:
    folded = [text.normalize(entry.plain) for entry in entries]
    merged, asked = [], set()
    for i, j in candidates:
        score = fuzz.ratio(folded[i], folded[j], score_cutoff=75)
        if score >= 95:
            merged.append((i, j))
        elif score:
            asked.add((min(names[i], names[j]), max(names[i], names[j])))
    found = pairs(_groups(names, merged))
    return found, asked - found


def bib_dedupe(entries: Sequence[Candidate], names: Sequence[str]) -> Found:
    import pandas  # noqa: PLC0415
    from bib_dedupe.bib_dedupe import block, cluster, match, prep  # noqa: PLC0415

    rows = [
        {
            "ID": name, "ENTRYTYPE": "article", "title": entry.title or "",
            "author": "; ".join(entry.authors), "year": str(entry.year or ""),
            "journal": entry.venue or "", "volume": entry.volume or "",
            "number": entry.number or "", "pages": entry.pages or "", "abstract": entry.plain,
            "doi": next((i[4:] for i in entry.identifiers if i.startswith("doi:")), ""),
        }
        for name, entry in zip(names, entries, strict=True)
    ]  # fmt: skip
    matched = match(block(prep(pandas.DataFrame(rows), cpu=1, verbosity_level=0), cpu=1), cpu=1)
    merged = pairs(cluster(matched)) if len(matched) else set()
    maybe = matched[matched["duplicate_label"] == "maybe"] if len(matched) else matched
    asked = {
        (min(a, b), max(a, b)) for a, b in zip(maybe["ID_1"], maybe["ID_2"], strict=True)
    } if len(matched) else set()  # fmt: skip
    return merged, asked - merged


# --- the run ---------------------------------------------------------------------------------


def tools() -> dict[str, Tool]:
    """The tools that can be run here."""
    found: dict[str, Tool] = {"litsette": litsette}
    with suppress(ImportError):
        __import__("datasketch")
        found["datasketch + rapidfuzz"] = datasketch
    found["rapidfuzz, all pairs"] = all_pairs
    with suppress(ImportError):
        __import__("bib_dedupe.bib_dedupe")
        found["bib-dedupe"] = bib_dedupe
    return found


def compare(label: str, path: Path, truth: Iterable[Sequence[str]]) -> None:
    """A line of the table for each tool."""
    everything, all_names = candidates(path)
    wanted = [list(map(str, group)) for group in truth]
    for name, tool in tools().items():
        entries, names = everything, all_names
        if tool is all_pairs:
            entries, names = entries[:ALL_PAIRS], names[:ALL_PAIRS]
        present = set(names)
        want = pairs([i for i in group if i in present] for group in wanted)
        start = time.process_time()
        try:
            merged, asked = tool(entries, names)
        except Exception as fault:  # another tool's fault is a result too
            if tool is litsette:
                raise
            print(f"{label:24} {name:22} failed: {type(fault).__name__}: {str(fault)[:50]}")
            continue
        spent = time.process_time() - start
        right = len(want & merged)
        precision = right / len(merged) if merged else 1.0
        recall, found = right / len(want), len(want & (merged | asked)) / len(want)
        print(
            f"{label:24} {name:22} {len(entries):7,} {precision:10.4f} {recall:7.4f}"
            f" {found:14.4f} {len(entries) / spent:12,.0f}",
            flush=True,
        )


def clusters_of(path: Path) -> list[list[str]]:
    """The true groups of a made corpus."""
    groups = defaultdict(list)
    for line in path.open(encoding="utf-8"):
        row = json.loads(line)
        groups[row["truth"]].append(row["id"])
    return list(groups.values())


def large(small: Path, big: Path) -> None:
    """Time and memory from 12,000 to 120,000 records, and 1,000 new ones beside 100,000."""
    sizes, spent = [], []
    for path in (small, big):
        entries, _ = candidates(path)
        start = time.process_time()
        settle(entries, find(entries))
        spent.append(time.process_time() - start)
        sizes.append(len(entries))
        print(f"{sizes[-1]:9,} records: {sizes[-1] / spent[-1]:8,.0f} a CPU second")
    growth = math.log(spent[1] / spent[0]) / math.log(sizes[1] / sizes[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"growth exponent {growth:.2f}; {peak:,.0f} MB at most, with the records themselves")
    kept = [stored(entry) for entry in entries[:100_000]]
    new = entries[100_000:101_000]
    start = time.process_time()
    find(new, kept, lambda ids: [entries[i] for i in ids])
    took = time.process_time() - start
    print(f"{len(new):,} new beside {len(kept):,}: {took:.2f} CPU seconds")


def _loaded(path: Path, database: Path) -> tuple[float, float]:
    """CPU seconds and megabytes of `litsette load`, as a process of its own."""
    command = [sys.executable, "-c", "from loader.cli import cli; cli()", "load", str(path)]
    started = subprocess.Popen([*command, "--db", str(database)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(started.pid, 0)
    if status:
        raise SystemExit(f"{path}: the load failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def whole(folder: Path, big: Path, add: Callable[..., str]) -> None:
    """120,000 records through a whole load, 1,000 more, and one text looked for among them."""
    database = folder / "whole.db"
    spent, peak = _loaded(big, database)
    rows = [json.loads(line) for line in big.open(encoding="utf-8")]
    found = defaultdict(list)
    conn = sqlite3.connect(database)
    for name, paper in conn.execute("select external_id, paper_id from entries"):
        found[paper].append(name)
    conn.close()
    got, want = pairs(found.values()), pairs(clusters_of(big))
    print(
        f"{len(rows):9,} records through a whole load: {spent:,.0f} CPU seconds, {peak:,.0f} MB;"
        f" precision {len(got & want) / len(got):.4f}, recall {len(got & want) / len(want):.4f}"
    )
    fresh, edited = folder / "fresh.jsonl", folder / "edited.jsonl"
    add("make_corpus.py", "834", str(fresh), "--seed", "9")
    with edited.open("w", encoding="utf-8") as out:  # each with one word changed
        for n, row in enumerate(rows[:: len(rows) // 1000][:1000]):
            words = row["abstract"].split(" ")
            words[n % len(words)] = "changed"
            out.write(json.dumps({"id": f"e{n}", "abstract": " ".join(words)}) + "\n")
    for label, path in (("new", fresh), ("edited", edited)):
        alone, _ = _loaded(path, folder / f"{label}.db")
        beside, _ = _loaded(path, database)
        print(f"1,000 {label} ones beside them: {beside - alone:.2f} CPU seconds more than alone")
    times = []
    for row in rows[:: len(rows) // 20]:
        for asked in (row["abstract"], row["abstract"].partition(". ")[0]):
            start = time.perf_counter()
            build.match_text(database, asked)
            times.append(time.perf_counter() - start)
    times.sort()
    middle, slowest = 1000 * times[len(times) // 2], 1000 * times[-1]
    print(f"one text looked for: {middle:.0f} ms in the middle, {slowest:.0f} ms at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/duplicates"))
    parser.add_argument("--count", type=int, default=10_000, help="abstracts in the made corpus")
    parser.add_argument("--large", action="store_true", help="grow to 120,000 records")
    parser.add_argument("--whole", action="store_true", help="load 120,000 records for good")
    args = parser.parse_args()
    if not (args.data / "make_corpus.py").exists():
        raise SystemExit(f"{args.data}: no make_corpus.py there; give the folder with --data")
    print(
        f"{'data':24} {'tool':22} {'records':>7} {'precision':>10} {'recall':>7}"
        f" {'with possible':>14} {'records/s':>12}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(script: str, *words: str) -> str:
            command = [sys.executable, str(args.data / script), *words]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout

        for label in ("copper", "tafenoquine", "respiratory"):
            path = args.data / f"{label}.jsonl"
            truth = json.loads((args.data / f"{label}.clusters.json").read_text("utf-8"))
            compare(label, path, truth)
            if label != "respiratory":
                bare = folder / f"{label}.jsonl"
                bare.write_text(run("abstracts_only.py", str(path)), "utf-8")
                compare(f"{label}, abstracts only", bare, truth)
        corpus = folder / "corpus.jsonl"
        templates = str(args.count // 5)
        run("make_corpus.py", str(args.count), str(corpus), "--templates", templates)
        compare("corpus with templates", corpus, clusters_of(corpus))
        if args.large:
            big = folder / "big.jsonl"
            run("make_corpus.py", "10000", str(corpus))
            run("make_corpus.py", "100000", str(big))
            large(corpus, big)
        if args.whole:
            big = folder / "big.jsonl"
            run("make_corpus.py", "100000", str(big))
            whole(folder, big, run)


if __name__ == "__main__":
    main()
