"""The home page: what is in the library, in numbers, bars and questions.

In: a database. Out: what `index.html` shows.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette import Response, hookimpl

from loader.versions import Kept

TEMPLATE = "index.html"
# of the questions in metadata.yml, beside "Who beats whom?"
QUESTIONS = (
    "gains_over_baseline",
    "speed_ups",
    "results_on_dataset",
    "claims_of_a_first",
    "sota_without_number",
    "papers_with_code",
    "acronyms_with_meanings",
)
BARS = 8
LOADS = 8


def read_home(conn: sqlite3.Connection) -> dict[str, Any]:
    """The numbers of a library. `conn` gives rows by name."""

    def rows(sql: str) -> list[Any]:
        return conn.execute(sql, {"bars": BARS, "loads": LOADS}).fetchall()

    counts = rows(
        """select (select count(*) from papers) as papers,
        (select count(*) from entries) as entries,
        (select count(*) from sources) as sources,
        (select count(*) from claims) as claims,
        (select count(*) from measurements) as measurements,
        (select count(*) from names) as names,
        (select count(*) from duplicates where verdict = 'duplicate') as duplicates,
        (select count(*) from duplicates where verdict = 'possible' and question_id = id)
            as questions,
        (select count(*) from papers where has_code = 1) as with_code"""
    )[0]
    return {
        "counts": counts,
        "claims": rows(
            "select kind as label, count(*) as n from claims group by kind order by n desc"
        ),
        "measurements": rows(
            "select kind as label, count(*) as n from measurements group by kind order by n desc"
        ),
        "topics": rows(
            """select t.id, t.term as label, x.n from (
                select topic_id, count(*) as n from paper_topics
                -- the narrowest say more than their broader ones
                where topic_id not in (
                    select broader_id from topics where broader_id is not null
                ) group by topic_id order by n desc limit :bars
            ) x join topics t on t.id = x.topic_id order by x.n desc, t.term"""
        ),
        "gains": _largest(rows, "m.kind = 'change' and m.unit = '%'"),
        "ratios": _largest(rows, "m.kind = 'ratio'"),
        "loads": rows(
            """with firsts as (
                select min(source_id) as source_id from paper_sources group by paper_id
            ), news as (select source_id, count(*) as n from firsts group by source_id)
            select s.*, coalesce(news.n, 0) as new_papers
            from sources s left join news on news.source_id = s.id
            order by s.loaded_at desc, s.id desc limit :loads"""
        ),
        "overlaps": rows(
            """select a.id, a.name, b.id as other_id, b.name as other_name, x.n,
            (select count(*) from paper_sources where source_id = a.id) as size,
            (select count(*) from paper_sources where source_id = b.id) as other_size
            from (
                select one.source_id, other.source_id as other_id, count(*) as n
                from paper_sources one
                join paper_sources other on other.paper_id = one.paper_id
                    and other.source_id > one.source_id
                group by 1, 2 order by 3 desc limit :bars
            ) x join sources a on a.id = x.source_id join sources b on b.id = x.other_id"""
        ),
    }


def _largest(rows: Any, where: str) -> list[Any]:
    """The largest numbers, one a paper, with what they say and who says it."""
    found: list[Any] = rows(
        f"""select m.id, m.paper_id, m.kind, m.low, m.high, m.spread, m.unit, m.metric, m.baseline,
        m.subject, m.qualifier, max(m.high) as n, p.label as paper
        from (
            select * from measurements m where {where} and m.high > 0
            order by m.high desc limit 100
        ) m join papers p on p.id = m.paper_id
        group by m.paper_id order by n desc, m.id limit 6"""
    )
    return found


_numbers = Kept()  # counted anew only when the library changed (0.3 s at 100,000 papers)


async def home(datasette: Any, request: Any) -> Response:
    """The page `/`. Datasette's own view reads every table first, which nothing here shows."""
    await datasette.ensure_permissions(request.actor, ["view-instance"])
    page = {
        "metadata": datasette.metadata(),
        "alternate_url_json": datasette.urls.path("/.json"),
    }
    return Response.html(await datasette.render_template(TEMPLATE, page, request, "index"))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"/$", home)]


@hookimpl
def extra_template_vars(template: str, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE:
        return None

    async def page() -> dict[str, Any]:
        home = {**await _numbers(datasette.get_database("library"), TEMPLATE, read_home)}
        actor = request.actor if request else None
        queries = await datasette.get_canned_queries("library", actor)
        home["questions"] = [queries[name] for name in QUESTIONS if name in queries]
        home["dashboards"] = datasette.plugin_config("datasette-dashboards") or {}
        return {"home": home}

    return page
