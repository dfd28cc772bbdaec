"""Numbers beside each other: who beats whom, and one metric on one data set as a chart.

In: a database and what is asked for, any part of a name. Out: the pages `/library/-/beats` and
`/library/-/chart`.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from datasette import Response, hookimpl
from datasette.utils import sqlite_timelimit

from loader.versions import Kept

GROUPS = 40  # baselines on a page
EACH = 25  # numbers of a baseline there; the page about it has all
MOST = 1_000  # numbers that are looked at
BARS = 60  # bars of one chart
CHOICES = 300  # names that a field suggests
LIMIT_MS = 2_000

# what is no name: nobody knows from it who was beaten
_UNNAMED = re.compile(
    r"(?:(?:the|all|other|our|prior|previous|existing|current|recent|individual|strong\w*|best\w*|"
    r"leading|base|baselines?|standard|vanilla|conventional|traditional|competitive|original|"
    r"sota|state[- ]of[- ]the[- ]arts?|methods?|models?|approach\w*|end-to-end|text|observed|"
    r"works?|alternatives?|counterparts?|performing|single|comparable|competing)(?:[\s-]+|\Z))+\Z",
    re.IGNORECASE,
)


class Beaten(NamedTuple):
    """A baseline with the numbers that papers state against it, paper by paper."""

    baseline: str
    named: bool  # whether it is a name, not only "strongest baselines"
    papers: list[tuple[int, str, list[Any]]]  # id, label, rows


class Bar(NamedTuple):
    """A number as a bar from `start` to `end`, both in per cent of the width."""

    row: Any
    start: float
    end: float


class Chart(NamedTuple):
    """Numbers of one kind and unit, the largest first, and what they say in one sentence."""

    title: str
    said: str
    zero: float  # where zero is, in per cent of the width
    bars: list[Bar]
    left_out: int
    signed: bool = False  # changes: more or less, whichever of them is better


def like(text: str) -> str:
    """The pattern of `like ... escape '\\'` for any name with `text` in it."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", text[:200]) + "%"


_ROWS = """select m.id, m.paper_id, m.kind, m.low, m.high, m.spread, m.unit, m.metric, m.baseline,
    m.subject, m.qualifier, m.text, p.label
    from measurements m join papers p on p.id = m.paper_id"""


_COMPARING = "m.kind in ('change', 'ratio', 'from_to', 'level')"


def read_beaten(conn: sqlite3.Connection, baseline: str, metric: str) -> tuple[list[Beaten], int]:
    """The baselines that most numbers are stated against, names first, and how many are left out.

    Empty strings ask for any. `conn` gives rows by name.
    """
    values = {"like_baseline": like(baseline), "like_metric": like(metric)}
    where = "m.baseline is not null"
    if baseline:
        where += " and m.baseline like :like_baseline escape '\\'"
    if metric:
        where += f" and m.metric like :like_metric escape '\\' and {_COMPARING}"
    found = conn.execute(
        f"""select m.baseline, count(*) over () as total from measurements m where {where}
        group by m.baseline collate nocase order by count(*) desc, m.baseline limit :many""",
        {**values, "many": 10 * GROUPS},
    ).fetchall()
    names = [row["baseline"] for row in found]
    # what is no name is said most often and tells least
    chosen = sorted(names, key=lambda name: bool(_UNNAMED.match(name)))[:GROUPS]
    rows = [
        row
        for name in chosen
        for row in conn.execute(
            f"""{_ROWS} where m.baseline = :name collate nocase and {where} and {_COMPARING}
            limit {EACH}""",
            {**values, "name": name},
        )
    ]
    return beaten(rows), (found[0]["total"] if found else 0) - len(chosen)


def beaten(rows: Iterable[Any]) -> list[Beaten]:
    """Rows of measurements grouped by baseline, whatever its case, and paper."""
    spelt: dict[str, str] = {}
    grouped: dict[str, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        key = row["baseline"].lower()
        spelt.setdefault(key, row["baseline"])
        grouped[key][row["paper_id"]].append(row)
    found = [
        Beaten(
            spelt[key],
            not _UNNAMED.match(spelt[key]),
            sorted(
                ((paper, numbers[0]["label"], numbers) for paper, numbers in papers.items()),
                key=lambda beater: (beater[1], beater[0]),
            ),
        )
        for key, papers in grouped.items()
    ]
    return sorted(found, key=lambda b: (not b.named, -len(b.papers), b.baseline.lower()))


def read_compared(conn: sqlite3.Connection, metric: str, subject: str, baseline: str) -> list[Any]:
    """The numbers of a metric on a data set, the largest first within kind and unit.

    A number is on what its subject says, or on a data set that its sentence names.
    """
    rows: list[Any] = conn.execute(
        f"""{_ROWS} where m.kind <> 'amount' and m.high is not null
        and (:metric = '' or m.metric like :like_metric escape '\\')
        and (:baseline = '' or m.baseline like :like_baseline escape '\\')
        and (:subject = '' or m.subject like :like_subject escape '\\' or exists (
            select 1 from mention_places x join mentions n on n.id = x.mention_id
            where x.sentence_id = m.sentence_id and n.kind = 'dataset'
            and n.name like :like_subject escape '\\'))
        order by m.kind, m.unit, m.high desc, m.id limit :most""",
        {
            "metric": metric, "like_metric": like(metric), "subject": subject,
            "like_subject": like(subject), "baseline": baseline,
            "like_baseline": like(baseline), "most": MOST,
        },
    ).fetchall()  # fmt: skip
    return rows


_KINDS = {
    "level": "Levels reached", "change": "Changes", "ratio": "Ratios",
    "from_to": "From one to another",
}  # fmt: skip


def charts(rows: Sequence[Any]) -> list[Chart]:
    """A chart for each kind and unit of numbers, the one with most numbers first."""
    grouped: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows:
        if row["low"] is not None and row["high"] is not None:
            grouped[row["kind"], row["unit"] or ""].append(row)
    found = [_chart(kind, unit, group) for (kind, unit), group in grouped.items()]
    return sorted(found, key=lambda chart: (-len(chart.bars), chart.title))


def _chart(kind: str, unit: str, rows: list[Any]) -> Chart:
    rows = sorted(rows, key=lambda row: (-max(row["low"], row["high"]), row["id"]))
    shown = rows[:BARS]
    ends = [value for row in shown for value in (row["low"], row["high"])]
    low, high = min(0.0, *ends), max(0.0, *ends)
    width = (high - low) or 1.0

    def place(value: float) -> float:
        return float(round(100 * (value - low) / width, 2))

    bars = []
    for row in shown:
        start, end = sorted((row["low"], row["high"]))
        if start == end:  # a bar from zero; two ends are a bar between them
            start, end = min(0.0, start), max(0.0, end)
        bars.append(Bar(row, place(start), max(place(end), place(start) + 0.6)))
    said = f"{len(rows)} number{'s' * (len(rows) > 1)} of {len({r['paper_id'] for r in rows})} "
    said += f"paper{'s' * (len({r['paper_id'] for r in rows}) > 1)}"
    title = _KINDS.get(kind, kind) + (f", in {unit}" if unit else "")
    return Chart(title, said, place(0.0), bars, len(rows) - len(shown), kind == "change")


def read_choices(conn: sqlite3.Connection) -> dict[str, list[str]]:
    """Names for the fields: what is measured most often, on what, against what."""
    return {
        column: [
            name
            for (name,) in conn.execute(
                # from the index alone: the kind of each number would take ten times as long
                f"""select {column} from measurements where {column} is not null
                group by {column} collate nocase order by count(*) desc, {column} limit ?""",
                (CHOICES,),
            )
        ]
        for column in ("metric", "subject", "baseline")
    }


def read_pairs(conn: sqlite3.Connection) -> list[Any]:
    """Metrics with the data set they are measured on, those with most numbers first."""
    rows: list[Any] = conn.execute(
        """select metric, subject, count(*) as n, count(distinct paper_id) as papers
        from measurements where metric is not null and subject is not null and kind <> 'amount'
        group by metric collate nocase, subject collate nocase
        order by n desc, papers desc, metric, subject limit 24"""
    ).fetchall()
    return rows


_known = Kept()  # choices and pairs: 1 s at 100,000 papers
_answers = Kept(100)


def read_known(conn: sqlite3.Connection) -> dict[str, Any]:
    """What the fields suggest, and what there is to draw."""
    return {"choices": read_choices(conn), "pairs": read_pairs(conn)}


async def _page(
    datasette: Any, request: Any, template: str, read: Any, names: Sequence[str]
) -> Any:
    asked = {name: (request.args.get(name) or "").strip() for name in names}

    database = datasette.get_database("library")

    def look(conn: sqlite3.Connection) -> dict[str, Any]:
        with sqlite_timelimit(conn, LIMIT_MS):
            return dict(read(conn, **asked))

    context = {"asked": asked, "database": "library", **await _known(database, None, read_known)}
    context |= await _answers(database, (template, *asked.values()), look)
    return Response.html(await datasette.render_template(template, context, request=request))


async def beats(datasette: Any, request: Any) -> Any:
    """The page of baselines with the papers that state numbers against them."""

    def read(conn: sqlite3.Connection, baseline: str, metric: str) -> dict[str, Any]:
        found, left_out = read_beaten(conn, baseline, metric)
        return {"beaten": found, "left_out": left_out}

    return await _page(datasette, request, "beats.html", read, ("baseline", "metric"))


async def chart(datasette: Any, request: Any) -> Any:
    """The page of one metric on one data set."""

    def read(conn: sqlite3.Connection, **asked: str) -> dict[str, Any]:
        rows = read_compared(conn, **asked) if any(asked.values()) else []
        # what else there is stays where nothing is shown
        return {"rows": rows, "charts": charts(rows), **({"pairs": []} if rows else {})}

    return await _page(datasette, request, "chart.html", read, ("metric", "subject", "baseline"))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"/library/-/beats$", beats), (r"/library/-/chart$", chart)]
