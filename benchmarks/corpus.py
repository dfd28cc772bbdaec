"""A large library of invented papers: 100,000 of them with about 900,000 claims and numbers.

In: a number of papers and a seed of chance. Out: a database, the same for the same numbers. A
small part is invented word by word and read by the loader; the rest are copies of what the
loader wrote, under ids, names, years and venues of their own, so that it takes a minute. Texts are
shared by copies, so `litsette check` finds it sound, and no two papers are duplicates.

    python benchmarks/corpus.py [--papers 100000] big.db
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from loader import build, search  # noqa: E402
from loader.database import Library, open_library  # noqa: E402

ORIGINALS = 1_000  # read by the loader
VENUES = ["ICML", "NeurIPS", "ACL", "CVPR", "AAAI", "KDD", "EMNLP"]

_AREAS = """language model, diffusion model, graph neural network, reinforcement learning agent,
    vision transformer, speech recognizer, recommender, time series forecaster, federated learner,
    protein folder, robot policy, retrieval system, code generator, reward model, tokenizer"""
_TASKS = """question answering, image segmentation, machine translation, link prediction, planning,
    summarization, anomaly detection, object tracking, theorem proving, code repair, dialogue,
    molecule design, weather forecasting, speech synthesis, pose estimation, visual grounding"""
_WORDS = """sparse dense causal spectral latent modular hybrid robust adaptive gated tiny masked
    cascaded guided mirrored layered rotating frozen elastic quiet folded braided amber velvet
    hollow lunar tidal copper woven linear""".split()
_METHODS = """routing pruning attention alignment distillation sampling decoding caching tuning
    merging ranking memory search regularization compression""".split()
_SETS = """ImageNet COCO GLUE SQuAD MMLU GSM8K HumanEval CIFAR-10 LibriSpeech WikiText-103 VQAv2
    MNIST KITTI Cityscapes HotpotQA TriviaQA""".split()
_BASES = "BERT GPT-4 DPO PPO LoRA ResNet Mamba LLaMA CLIP Whisper AdamW T5".split()
_METRICS = ["accuracy", "F1 score", "latency", "word error rate", "BLEU", "recall", "mAP"]
_HOSTS = ["github.com", "gitlab.com", "huggingface.co"]

_SENTENCES = (
    "Although {task} matters, existing {area}s fail on rare {word} inputs.",
    "However, current methods for {task} suffer from {word} {method} and high cost.",
    "Prior work on {task} relies on {base} and ignores {word} structure.",
    "We propose {name}, a {word} {method} framework for {task}.",
    "We introduce {name}, which combines {word} {method} with a {area}.",
    "To our knowledge, this is the first {word} approach to {task} with a {area}.",
    "Experiments on {set} show that {name} improves {metric} by {n}% over {base}.",
    "On {set}, {name} reaches {n}.{m} {metric}, compared with {n2}.{m} for {base}.",
    "{name} achieves state-of-the-art results on {set} and {set2}.",
    "It is {m}.{m2}x faster than {base} and reduces memory from {n} GB to {m} GB.",
    "The {metric} rises from {n2}.{m2} to {n}.{m} on {set2}.",
    "We prove that {word} {method} converges at a rate of O(1/sqrt(T)).",
    "We train on {n2},000 examples and evaluate {m} {area}s on {set2}.",
    "The gain holds across {m2} seeds, with at most {m}% loss in {metric}.",
    "We release code and models at https://{host}/{path}.",
    "These results suggest that {word} {method} is a practical way to {task}.",
)  # fmt: skip


def invented(chance: random.Random, number: int) -> str:
    """One abstract of about six sentences; another number gives another one."""
    areas, tasks = ([" ".join(x.split()) for x in s.split(",")] for s in (_AREAS, _TASKS))
    word, method = chance.choice(_WORDS), chance.choice(_METHODS)
    name = f"{word[:3].title()}{method[:3].title()}{_letters(number)}"
    said = []
    for sentence in _SENTENCES:
        if chance.random() < 0.7 and "{name}, " not in sentence:
            continue
        said.append(
            sentence.format(
                area=chance.choice(areas), task=chance.choice(tasks), word=chance.choice(_WORDS),
                method=chance.choice(_METHODS), name=name, set=chance.choice(_SETS),
                set2=chance.choice(_SETS), base=chance.choice(_BASES), path=name.lower(),
                metric=chance.choice(_METRICS), host=chance.choice(_HOSTS),
                n=chance.randint(40, 98), n2=chance.randint(11, 39),
                m=chance.randint(2, 9), m2=chance.randint(1, 9),
            )
        )  # fmt: skip
    return " ".join(said)


def _letters(number: int) -> str:
    """A number as capitals, so that every name is one of its own."""
    text = ""
    while number or not text:
        number, rest = divmod(number, 26)
        text = chr(65 + rest) + text
    return text


def write_texts(path: Path, number: int, seed: int, first: int = 0) -> Path:
    """A file of `number` invented abstracts that can be loaded; returns its path."""
    chance = random.Random(seed)
    texts = [invented(chance, first + n) for n in range(number)]
    path.write_text("\n\n".join(["Invented Papers 2026", *texts]) + "\n", "utf-8")
    return path


def make(database: Path, papers: int = 100_000, seed: int = 7) -> None:
    """Write a library of `papers` papers (a multiple of 1,000, or fewer) to a new file."""
    originals = min(papers, ORIGINALS)
    texts = write_texts(database.with_name(f"{database.stem}-0000.txt"), originals, seed)
    build.load([texts], database)
    texts.unlink()
    library = open_library(database)
    with library.transaction():
        _copy(library, max(0, round(papers / originals) - 1))
        library.refresh_statistics()
    library.conn.execute("pragma wal_checkpoint(truncate)")
    library.close()


# what refers to what; ids of papers are spread, all others count on
_NUMBERED = {
    "entries": ("paper_id", "source_id"), "sentences": ("paper_id",),
    "claims": ("paper_id", "sentence_id"), "measurements": ("paper_id", "sentence_id"),
    "names": ("paper_id",), "acronyms": ("paper_id",), "mentions": ("paper_id",),
    "links": ("paper_id",),
}  # fmt: skip
_LINKS = ("paper_topics", "paper_kinds", "paper_sources", "mention_places", "signatures")


def _copy(library: Library, copies: int) -> None:
    """Copy all rows so many times, table by table, in the order of ids."""
    conn = library.conn
    steps = {t: library.value(f"select coalesce(max(id), 0) from {t}") for t in _NUMBERED}
    span = 2**48 // (copies + 1)  # ids of papers stay below 2^53
    conn.execute("create temp table copy (k integer primary key)")
    conn.executemany("insert into copy values (?)", ((k,) for k in range(1, copies + 1)))
    venue = "case k % {} {} end".format(
        len(VENUES), " ".join(f"when {n} then '{v}'" for n, v in enumerate(VENUES))
    )
    shifts = {
        "paper_id": f"paper_id / {copies + 1} + k * {span}",
        "entry_id": f"entry_id + k * {steps['entries']}",
        "sentence_id": f"sentence_id + k * {steps['sentences']}",
        "mention_id": f"mention_id + k * {steps['mentions']}",
        "source_id": "source_id + k",
    }
    # the originals move into the first part of the ids
    conn.execute("pragma defer_foreign_keys = on")
    library.forget_search([row[0] for row in library.rows("select id from papers")])
    for table in ("entries", *_NUMBERED, *_LINKS):
        if "paper_id" in _columns(library, table) and table != "entries":
            conn.execute(f"update {table} set paper_id = paper_id / {copies + 1}")
    conn.execute(f"update entries set paper_id = paper_id / {copies + 1}")
    conn.execute("delete from paper_aliases")
    conn.execute(f"update papers set id = id / {copies + 1}, venue = 'ICLR', year = 2026")
    shifts["paper_id"] = f"paper_id + k * {span}"
    special = {
        "sources": {
            "id": "id + k", "sha256": "printf('%064x', k)", "venue": venue,
            "name": "printf('invented-%04d.txt', k)", "year": "2015 + k % 12",
            "collection": f"'Invented ' || {venue} || ' ' || (2015 + k % 12)",
        },
        "papers": {
            "id": f"id + k * {span}", "venue": venue, "year": "2015 + k % 12",
            "label": "label || ' ' || k",
        },
    }  # fmt: skip
    for table in ("sources", "papers", *_NUMBERED, *_LINKS):
        chosen = []
        for column in _columns(library, table):
            value = special.get(table, {}).get(column) or shifts.get(column, column)
            if column == "id" and table in steps:
                value = f"id + k * {steps[table]}"
            chosen.append(value)
        conn.execute(
            f"insert into {table} select {', '.join(chosen)} from copy cross join {table} "
            "order by k, " + ("id" if "id" in _columns(library, table) else chosen[0])
        )
    library.index_search((r[0] for r in library.rows("select id from papers")), search.search_text)


def _columns(library: Library, table: str) -> list[str]:
    return [row[1] for row in library.rows(f"pragma table_info({table})")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path, help="a new file")
    parser.add_argument("--papers", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.database.exists():
        sys.exit(f"{options.database} exists; name a new file")
    begin = time.monotonic()
    make(options.database, options.papers, options.seed)
    for title, rows in build.statistics(options.database).items():
        print(title, ", ".join(f"{n:,} {name}" for name, n in rows[:8]))
    print(f"{time.monotonic() - begin:.0f} s, {options.database.stat().st_size / 1e6:,.0f} MB")


if __name__ == "__main__":
    main()
