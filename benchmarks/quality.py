"""Quality of everything that is read from an abstract, beside other tools: same input, same run.

In: a folder with `gold/` (annotated abstracts and their scorer `score.py`) and `claims/` (public
labelled sets and their scorer `public.py`). Out: one table, and with `--write` the file
`loader/quality.json` that the page "How good is it?" shows.

    python benchmarks/quality.py --data ../shared [--cv 5] [--write] [--no-others]

Every figure is computed by those scorers from a database that was just loaded, so it is that of
the whole path. `dev.jsonl` is scored by cross-validation: the weights of roles and claims are
trained on four fifths (and begin with those of CSAbstruct, as `train` says), the fifth is loaded
with them. The other tools are those of the extra
`bench`; one that is not installed is said to be missing. Their answers are put into a database
of the same tables and given to the same scorers.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from loader import build, claims, roles, train
from loader.weights import Model

ROOT = Path(__file__).parent.parent
WRITTEN = ROOT / "loader" / "quality.json"
DEV, SEEDS = "gold/dev.jsonl", "gold/seeds.jsonl"
CSABSTRUCT, CSTRAIN = "claims/csabstruct/dev.jsonl", "claims/csabstruct/train.jsonl"
MEASEVAL, MED1250 = "claims/measeval.jsonl", "claims/med1250.jsonl"

# F1 that is asked for, on the seeds and on unseen abstracts
ASKED = {
    "sentences": (1.0, 0.98), "roles": (0.90, 0.88), "claims": (0.88, 0.82),
    "measurements": (0.97, 0.92), "measurement spans": (0.95, 0.88),
    "measurement units": (0.95, 0.88), "measurement metrics": (0.85, 0.72),
    "measurement baselines": (0.85, 0.72), "measurement subjects": (0.85, 0.72),
    "measurement qualifiers": (0.85, 0.72), "names": (0.90, 0.78), "name kinds": (0.85, 0.70),
    "acronyms": (0.97, 0.93), "mentions": (0.75, 0.65), "mention kinds": (0.70, 0.58),
    "links": (1.0, 0.95),
}  # fmt: skip

Abstract = tuple[str, str]  # its id and its text as in the source
Facts = dict[str, Counter[Any]]


class Line(NamedTuple):
    """A line of the table: what, on which text, by whom, the figure, and what is asked for."""

    what: str
    on: str
    tool: str
    figure: float | None  # None: the tool is missing
    note: str = ""
    asked: float = 0.0


# -- a database, ours or one of the answers of another tool ---------------------------------


@contextmanager
def loaded(abstracts: Iterable[Abstract], model: Model | None = None) -> Iterator[Any]:
    """A connection to a new database of these abstracts, loaded with these weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.jsonl"
        with path.open("w", encoding="utf-8") as out:
            for key, text in abstracts:
                print(json.dumps({"id": key, "abstract": text}), file=out)
        with (
            mock.patch.object(roles, "assign", partial(roles.assign, model=model)),
            mock.patch.object(claims, "find", partial(claims.find, model=model)),
        ):
            build.load([path], Path(folder) / "out.db")
        with closing(sqlite3.connect(Path(folder) / "out.db")) as db:
            yield db


Row = tuple[Any, ...]


class Answers:
    """What another tool says of abstracts, as a database that the scorers can read."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.executescript(
            "create table entries (external_id, text, paper_id);"
            "create table sentences (id integer primary key, paper_id, role, start_char, end_char);"
            "create table claims (sentence_id, kind);"
            "create table measurements (sentence_id, kind, low, high, unit, metric, baseline,"
            " subject, qualifier, start_char, end_char);"
            "create table names (paper_id, name, expansion, kind);"
            "create table acronyms (paper_id, short, long);"
            "create table mentions (paper_id, name, kind);"
            "create table links (paper_id, url, kind)"
        )

    def add(
        self,
        abstract: Abstract,
        sentences: Iterable[tuple[str | None, int, int]] = (),
        numbers: Iterable[tuple[int, int]] = (),
        acronyms: Iterable[tuple[str, str]] = (),
    ) -> None:
        """One abstract: its sentences with roles, its numbers and its acronyms."""
        key, text = abstract
        self.db.execute("insert into entries values (?, ?, ?)", (key, text, key))
        for role, start, end in sentences or [(None, 0, len(text))]:
            self.db.execute(
                "insert into sentences (paper_id, role, start_char, end_char) values (?, ?, ?, ?)",
                (key, role, start, end),
            )
        last = self.db.execute("select max(id) from sentences").fetchone()[0]
        self.db.executemany(
            "insert into measurements (sentence_id, start_char, end_char) values (?, ?, ?)",
            [(last, start, end) for start, end in numbers],
        )
        self.db.executemany(
            "insert into acronyms values (?, ?, ?)",
            [(key, short, long) for short, long in acronyms],
        )


# -- other tools ------------------------------------------------------------------------------


def other(name: str) -> Any:
    """A module, or None where its package is not installed."""
    package = name.partition(".")[0]
    return importlib.import_module(name) if importlib.util.find_spec(package) else None


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without white space at its edges."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, max(start, end - len(piece) + len(piece.rstrip()))


def by_pysbd(pysbd: Any) -> Callable[[str], list[tuple[int, int]]]:
    segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
    return lambda text: [trimmed(text, s.start, s.end) for s in segmenter.segment(text)]


def by_syntok(segmenter: Any) -> Callable[[str], list[tuple[int, int]]]:
    def split(text: str) -> list[tuple[int, int]]:
        return [
            (sentence[0].offset, sentence[-1].offset + len(sentence[-1].value))
            for paragraph in segmenter.analyze(text)
            for sentence in paragraph
        ]

    return split


def by_schwartz_hearst(module: Any) -> Callable[[str], list[tuple[str, str]]]:
    return lambda text: list(
        module.extract_abbreviation_definition_pairs(doc_text=text, most_common_definition=True)
        .items()
    )  # fmt: skip


def by_quantulum(parser: Any) -> Callable[[str], list[tuple[int, int]]]:
    def find(text: str) -> list[tuple[int, int]]:
        try:
            return [tuple(quantity.span) for quantity in parser.parse(text)]
        except Exception:  # it gives up on some texts
            return []

    return find


class Regression:
    """TF-IDF of words and pairs of words and the place of a sentence, and a regression."""

    def __init__(self, examples: Sequence[train.Example]) -> None:
        self.model = make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"\S+"),
            LogisticRegression(C=10, max_iter=300),
        )
        texts = [text for e in examples for text in self._placed(e.sentences)]
        self.model.fit(texts, [role for e in examples for role in e.roles])

    @staticmethod
    def _placed(sentences: Sequence[str]) -> list[str]:
        count = len(sentences)
        return [
            f"{' '.join(re.findall(r'[a-z]+|[0-9]+|%', text.lower()))}"
            f" @{n} @-{count - n} @@{10 * n // count}"
            for n, text in enumerate(sentences)
        ]

    def assign(self, sentences: Sequence[str]) -> list[str]:
        """The roles of the sentences of one abstract."""
        return list(self.model.predict(self._placed(sentences))) if sentences else []


# -- figures ----------------------------------------------------------------------------------


class Measured:
    """The folder of labelled text with its scorers, and the lines measured so far."""

    def __init__(self, data: Path, folds: int, others: bool) -> None:
        self.data, self.folds, self.others = data, folds, others
        self.gold = _module(data / "gold" / "score.py")
        self.public = _module(data / "claims" / "public.py")
        self.lines: list[Line] = []

    def line(self, *values: Any, **more: Any) -> None:
        self.lines.append(Line(*values, **more))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The lines of a gold file."""
        return [json.loads(line) for line in (self.data / name).open(encoding="utf-8")]

    def tally(self, db: Any, rows: Sequence[dict[str, Any]]) -> tuple[Facts, Facts]:
        """Facts that are wanted and facts that are found, by what the scorer calls them."""
        wanted: Facts = defaultdict(Counter)
        found: Facts = defaultdict(Counter)
        for row in rows:
            mine = self.gold.database_facts(db, row)
            if mine is None:
                sys.exit(f"{row['id']} is not in the database")
            for facts, more in ((wanted, self.gold.gold_facts(row)), (found, mine)):
                for name, counted in more.items():
                    facts[name].update(counted)
        return wanted, found

    def public_figures(self, db: Any, name: str) -> dict[str, float]:
        """What `public.py` says of a database."""
        path = str(self.data / name)
        scores: dict[str, float] = self.public.SCORE[self.public.kind(path)](db, path, False)
        return scores

    def public_abstracts(self, name: str) -> list[Abstract]:
        return [(key, text) for key, text, _ in self.public.records(str(self.data / name))]


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.exists():
        sys.exit(f"{path}: no such file; --data names the folder of labelled text")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def f1(wanted: Counter[Any], found: Counter[Any]) -> float:
    right = (wanted & found).total()
    return 2 * right / (wanted.total() + found.total() or 1)


def counted(wanted: Counter[Any], found: Counter[Any]) -> dict[str, Any]:
    """Counts, precision, recall and F1, rounded as they are written."""
    right, gold, had = (wanted & found).total(), wanted.total(), found.total()
    return {
        "gold": gold, "found": had, "right": right,
        "precision": round(right / had, 3) if had else None,
        "recall": round(right / gold, 3) if gold else None,
        "f1": round(2 * right / (gold + had), 3) if gold + had else None,
    }  # fmt: skip


def part(facts: Counter[Any], place: int, value: str) -> Counter[Any]:
    """The facts whose key has this value at this place."""
    return Counter({key: n for key, n in facts.items() if key[place] == value})


def of_seeds(m: Measured) -> None:
    rows = m.rows(SEEDS)
    with loaded((r["id"], r["text"]) for r in rows) as db:
        wanted, found = m.tally(db, rows)
    for name in m.gold.METRICS:
        asked = ASKED.get(name, (0, 0))[0]
        m.line(name, "seeds", "litsette", f1(wanted[name], found[name]), asked=asked)


def of_unseen(m: Measured) -> dict[str, Any]:
    """Cross-validation over dev.jsonl. Returns what is written for the site."""
    rows, examples = m.rows(DEV), train.read_gold(m.data / DEV)
    begin = train.beginning(train.read_csabstruct(m.data / CSTRAIN))
    wanted: Facts = defaultdict(Counter)
    found: Facts = defaultdict(Counter)
    regression = Answers()
    for fold in range(m.folds):
        mine = [row for n, row in enumerate(rows) if n % m.folds == fold]
        rest = [example for n, example in enumerate(examples) if n % m.folds != fold]
        with loaded(((r["id"], r["text"]) for r in mine), train.train(rest, begin=begin)) as db:
            for facts, more in zip((wanted, found), m.tally(db, mine), strict=True):
                for name, counts in more.items():
                    facts[name].update(counts)
            if m.others:
                _answer_roles(regression, db, Regression(rest))
    for name in m.gold.METRICS:
        asked = ASKED.get(name, (0, 0))[1]
        m.line(name, "unseen", "litsette", f1(wanted[name], found[name]), asked=asked)
    if m.others:
        w, f = m.tally(regression.db, rows)
        m.line("roles", "unseen", "TF-IDF regression", f1(w["roles"], f["roles"]))
    kinds = {
        "roles": ("roles", 2, ("background", "objective", "method", "result", "other")),
        "claims": (
            "claims", 2,
            ("problem", "contribution", "result", "theory", "sota", "first", "release"),
        ),
        "measurements": (
            "measurements", 1, ("level", "change", "ratio", "from_to", "amount", "bound"),
        ),
    }  # fmt: skip
    return {
        "abstracts": len(rows),
        "sentences": sum(len(row["sentences"]) for row in rows),
        "folds": m.folds,
        "fields": {n: counted(wanted[n], found[n]) for n in m.gold.METRICS},
        "kinds": {
            name: {
                value: counted(part(wanted[fact], at, value), part(found[fact], at, value))
                for value in values
            }
            for name, (fact, at, values) in kinds.items()
        },
    }


def _answer_roles(answers: Answers, db: Any, regression: Regression) -> None:
    """The roles that a regression gives to the sentences of a database."""
    for key, text, paper in db.execute(
        "select external_id, text, paper_id from entries order by id"
    ).fetchall():
        spans = db.execute(
            "select text, start_char, end_char from sentences where paper_id = ? order by position",
            [paper],
        ).fetchall()
        given = regression.assign([s[0] for s in spans])
        answers.add((key, text), [(role, s[1], s[2]) for role, s in zip(given, spans, strict=True)])


def of_csabstruct(m: Measured) -> None:
    abstracts = m.public_abstracts(CSABSTRUCT)
    examples = train.read_csabstruct(m.data / CSTRAIN)
    answers = Answers()
    for note, model, asked in (
        ("trained on its train split alone", train.train(examples), 0.68),
        ("as shipped", None, 0.0),
    ):
        with loaded(abstracts, model) as db:
            figures = m.public_figures(db, CSABSTRUCT)
            if model and m.others:
                _answer_roles(answers, db, Regression(examples))
        for name, figure in figures.items():
            least = asked if name == "micro-F1" else 0.0
            m.line(f"roles, {name}", "CSAbstruct", "litsette", figure, note, least)
    if m.others:
        for name, figure in m.public_figures(answers.db, CSABSTRUCT).items():
            note = "trained on its train split"
            m.line(f"roles, {name}", "CSAbstruct", "TF-IDF regression", figure, note)


def of_public(m: Measured) -> None:
    asked = {"exact-F1": 0.66, "overlap-F1": 0.87, "F1": 0.87}
    for what, name in (("numbers", MEASEVAL), ("acronyms", MED1250)):
        abstracts = m.public_abstracts(name)
        with loaded(abstracts) as db:
            figures = m.public_figures(db, name)
        for figure, value in figures.items():
            on = Path(name).stem
            m.line(f"{what}, {figure}", on, "litsette", value, asked=asked.get(figure, 0.0))
        if m.others:
            _others_on_public(m, what, name, abstracts)


def _others_on_public(m: Measured, what: str, name: str, abstracts: list[Abstract]) -> None:
    on = Path(name).stem
    package = "quantulum3" if what == "numbers" else "abbreviations"
    module = other("quantulum3.parser" if what == "numbers" else "abbreviations.schwartz_hearst")
    if module is None:
        m.line(what, on, package, None)
        return
    answers, start = Answers(), time.process_time()
    for abstract in abstracts:
        if what == "numbers":
            answers.add(abstract, numbers=by_quantulum(module)(abstract[1]))
        else:
            answers.add(abstract, acronyms=by_schwartz_hearst(module)(abstract[1]))
    note = f"{len(abstracts) / (time.process_time() - start):,.0f} abstracts/s"
    for figure, value in m.public_figures(answers.db, name).items():
        m.line(f"{what}, {figure}", on, package, value, note)


def of_others_on_gold(m: Measured) -> None:
    """Sentences and acronyms of the gold abstracts by the other tools."""
    makers = {
        ("sentences", "pysbd"): (other("pysbd"), by_pysbd),
        ("sentences", "syntok"): (other("syntok.segmenter"), by_syntok),
        ("acronyms", "abbreviations"): (
            other("abbreviations.schwartz_hearst"), by_schwartz_hearst,
        ),
    }  # fmt: skip
    for on, name in (("seeds", SEEDS), ("unseen", DEV)):
        rows = m.rows(name)
        for (what, tool), (module, maker) in makers.items():
            if module is None:
                m.line(what, on, tool, None)
                continue
            answers, start = Answers(), time.process_time()
            answer = maker(module)
            for row in rows:
                abstract = (row["id"], row["text"])
                if what == "sentences":
                    answers.add(abstract, [(None, *span) for span in answer(row["text"])])
                else:
                    answers.add(abstract, acronyms=answer(row["text"]))
            note = f"{len(rows) / (time.process_time() - start):,.0f} abstracts/s"
            wanted, found = m.tally(answers.db, rows)
            m.line(what, on, tool, f1(wanted[what], found[what]), note)


def of_cases(m: Measured) -> None:
    """The hard cases, judged as the tests judge them."""
    sys.path.insert(0, str(ROOT))
    numbers = importlib.import_module("tests.test_measurements")
    right = sum(map(numbers.outcome, numbers.TRICKY))
    share = f"{right} of {len(numbers.TRICKY)}"
    m.line("numbers, tricky.json", "cases", "litsette", right / 42, share, 38 / 42)
    lines = (ROOT / "tests/data/sentence_stress.txt").read_text("utf-8").splitlines()
    cases = [line.split("|") for line in lines]
    splitters: list[tuple[str, Any]] = [("litsette", _own_sentences)]
    if m.others:
        pysbd, syntok = other("pysbd"), other("syntok.segmenter")
        splitters += [
            ("pysbd", pysbd and by_pysbd(pysbd)),
            ("syntok", syntok and by_syntok(syntok)),
        ]
    for tool, split in splitters:
        if not split:
            m.line("sentences, stress lines", "cases", tool, None)
            continue
        right = 0
        for case in cases:
            text = " ".join(case)
            right += [text[start:end] for start, end in split(text)] == case
        asked = 33 / 34 if tool == "litsette" else 0.0
        share = f"{right} of {len(cases)}"
        m.line("sentences, stress lines", "cases", tool, right / len(cases), share, asked)


def _own_sentences(text: str) -> list[tuple[int, int]]:
    return [(s.start_char, s.end_char) for s in build.extract(text).sentences]


# -- what comes out ---------------------------------------------------------------------------


def table(lines: Sequence[Line]) -> Iterator[str]:
    """The lines for a terminal; what is below what is asked for is marked."""
    yield f"{'what':28}{'text':12}{'tool':20}{'F1':>7}{'asked':>8}"
    order = {line[:2]: n for n, line in reversed(list(enumerate(lines)))}
    for line in sorted(lines, key=lambda line: (order[line[:2]], line.tool != "litsette")):
        figure = "missing" if line.figure is None else f"{line.figure:.3f}"
        asked = f"{line.asked:.2f}" if line.asked else ""
        below = line.figure is not None and line.asked and round(line.figure, 3) < line.asked - 5e-4
        notes = "; ".join(filter(None, (line.note, "below" if below else "")))
        yield f"{line.what:28}{line.on:12}{line.tool:20}{figure:>7}{asked:>8}  {notes}".rstrip()
    missing = sorted({line.tool for line in lines if line.figure is None})
    if missing:
        yield f"Missing: {', '.join(missing)}. Install them with: pip install -e '.[bench]'"


def text_of(unseen: dict[str, Any]) -> str:
    """What the site shows, as JSON with a line a field; the same bytes for the same figures."""

    def fields(values: dict[str, Any], indent: str) -> str:
        inner = ",\n".join(f"{indent}  {json.dumps(k)}: {json.dumps(v)}" for k, v in values.items())
        return f"{{\n{inner}\n{indent}}}"

    kinds = ",\n".join(
        f"    {json.dumps(name)}: {fields(values, '    ')}"
        for name, values in unseen["kinds"].items()
    )
    about = (
        "How often each field is right; made by `make quality`, read by the page of the site."
        " Conference abstracts annotated by hand; roles and claims by cross-validation, each"
        " fold with weights trained on the others."
    )
    return (
        f'{{\n  "about": {json.dumps(about)},\n'
        + "".join(f'  "{k}": {unseen[k]},\n' for k in ("abstracts", "sentences", "folds"))
        + f'  "fields": {fields(unseen["fields"], "  ")},\n  "kinds": {{\n{kinds}\n  }}\n}}\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--cv", type=int, default=5, metavar="N", help="folds of dev.jsonl")
    parser.add_argument("--write", action="store_true", help=f"write {WRITTEN.name}")
    parser.add_argument("--no-others", action="store_true", help="only litsette")
    parser.add_argument("--unseen", action="store_true", help="only dev.jsonl by cross-validation")
    options = parser.parse_args()
    m = Measured(options.data, options.cv, not options.no_others)
    if not options.unseen:
        of_seeds(m)
    unseen = of_unseen(m)
    if not options.unseen:
        if m.others:
            of_others_on_gold(m)
        of_csabstruct(m)
        of_public(m)
        of_cases(m)
    print("\n".join(table(m.lines)))
    if options.write:
        WRITTEN.write_text(text_of(unseen), encoding="utf-8")
        print(f"{WRITTEN.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
