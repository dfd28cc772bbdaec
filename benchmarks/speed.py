"""How fast abstracts become records and a database, on one core.

In: the sentences of the seeds, recombined so that no two abstracts are alike. Out: abstracts a
second for the extraction alone and for the whole path, and how time grows with the length of
one text.

    python benchmarks/speed.py [--count 2000]
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from loader import build
from loader.formats import open_source
from loader.model import Record

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))


def abstracts() -> Iterator[str]:
    """Abstracts without end, no two alike: sentences of the seeds recombined, and a quarter of
    their longer words replaced by others. The same ones each time."""
    chance = random.Random(7)
    texts = [r.text for path in SEEDS for r in open_source(path).records() if isinstance(r, Record)]
    pool = [sentence for text in texts for sentence in re.split(r"(?<=[.?!])\s+", text)]
    words = sorted(set(re.findall(r"\b[a-z]{6,}\b", " ".join(texts))))

    def other(match: re.Match[str]) -> str:
        return chance.choice(words) if chance.random() < 0.25 else match[0]

    while True:
        chosen = chance.sample(pool, chance.randint(6, 9))
        yield re.sub(r"\b[a-z]{6,}\b", other, " ".join(chosen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=2_000, help="abstracts to read")
    count = parser.parse_args().count
    texts = list(islice(abstracts(), count))
    build.extract(texts[0])  # weights and vocabularies are read once
    start = time.process_time()
    for text in texts:
        build.extract(text)
    spent = time.process_time() - start
    print(f"extraction alone     {count / spent:8,.0f} abstracts/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.txt"
        path.write_text("Speed 2020 Papers\n\n" + "\n\n".join(texts), "utf-8")
        start = time.process_time()
        report = build.load([path], Path(folder) / "many.db")
        spent = time.process_time() - start
    print(f"files to database    {count / spent:8,.0f} abstracts/s, {report.papers:,} papers")
    for size in (10_000, 100_000, 1_000_000):
        text = " ".join(islice(abstracts(), size // 1_000))[:size]
        start = time.process_time()
        build.extract(text)
        print(f"one abstract of {size:9,} characters: {time.process_time() - start:.2f} s")


if __name__ == "__main__":
    main()
