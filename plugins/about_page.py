"""All that is known about one data set, model, method, name, topic or acronym.

In: a name, as any paper writes it, whatever its case. Out: the page `/library/-/about/NAME`, from
every mention: who introduces it, what it stands for, who uses it, which numbers are stated on
it, against it and in it, and, for a topic, what is claimed about it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from datasette import Response, hookimpl

from loader.facets import Counter, Link, counter_of
from loader.versions import Kept

MOST = 40  # rows of a section; all of them stand in the table it links to
CARDS = 12  # papers of a topic that are shown
BARS = 8
WIDE = 20  # a topic with more than one of so many papers

# what papers on a topic are counted by: a wide one has most papers of the library
_CLAIMS = Link("claims", "paper_id", "kind")
_USES = Link("mentions", "paper_id", "name")
_TOPICS = Link("paper_topics", "paper_id", "topic_id")


def read_about(
    conn: sqlite3.Connection, name: str, counter: Counter | None = None
) -> dict[str, Any] | None:
    """What is known about `name`; None where nothing is. `conn` gives rows by name.

    `counter` is that of the database in its present state.
    """

    def rows(sql: str, **more: Any) -> list[Any]:
        values = {"name": name, "most": MOST, "bars": BARS, "cards": CARDS, **more}
        return conn.execute(sql, values).fetchall()

    introduced = rows(
        """select n.*, p.label, count(*) over () as total
        from names n join papers p on p.id = n.paper_id
        where n.name = :name collate nocase order by n.id limit :most"""
    )
    meanings = rows(
        """select a.short, a.long, count(*) as papers, min(a.paper_id) as paper_id,
        min(p.label) as label, count(*) over () as total
        from acronyms a join papers p on p.id = a.paper_id
        where a.short = :name collate nocase
        group by lower(a.long) order by papers desc, a.long limit :most"""
    )
    mentions = rows(
        """select id, name, kind, paper_id, count(*) over () as total from mentions
        where name = :name collate nocase order by id limit :most"""
    )
    numbers = {
        part: rows(
            f"""select id, count(*) over () as total from measurements
            where {part} = :name collate nocase
            order by kind = 'amount', unit, high desc, id limit :most"""
        )
        for part in ("subject", "baseline", "metric")
    }
    topic = _topic(conn, rows, counter or Counter())
    people = rows(
        """select 'authors' as facet, name as term, (select count(*) from paper_authors
            where author_id = authors.id) as papers from authors where name = :name collate nocase
        union all select 'keywords', term, (select count(*) from paper_keywords
            where keyword_id = keywords.id) from keywords where term = :name collate nocase"""
    )
    parts = [introduced, meanings, mentions, *numbers.values(), people, topic]
    if not any(parts):
        return None
    spelt = next(
        row[key]
        for found, key in (
            ([topic["topic"]] if topic else [], "term"),
            (introduced, "name"),
            (mentions, "name"),
            (meanings, "short"),
            (people, "term"),
            ([{"name": name}], "name"),
        )
        for row in found
    )
    return {
        "name": spelt,
        "kinds": kinds_of(introduced, mentions, meanings, topic),
        "introduced": introduced,
        "meanings": meanings,
        "mentions": mentions,
        "numbers": numbers,
        "topic": topic,
        "listed": people,
        "together": _together(rows) if mentions or introduced else [],
    }


def kinds_of(
    introduced: Sequence[Any], mentions: Sequence[Any], meanings: Sequence[Any], topic: Any
) -> list[str]:
    """What papers say that a name is: `data set`, `topic`, `acronym` ..., each once."""
    kinds = [row["kind"] for row in [*introduced, *mentions]]
    said = ["data set" if kind == "dataset" else kind for kind in kinds]
    said += ["acronym"] * bool(meanings) + ["topic"] * bool(topic)
    return list(dict.fromkeys(said))


def _topic(conn: sqlite3.Connection, rows: Any, counter: Counter) -> dict[str, Any] | None:
    found = rows(
        """select t.id, t.term, b.term as broader from topics t
        left join topics b on b.id = t.broader_id where t.term = :name collate nocase"""
    )
    if not found:
        return None
    topic_id = found[0]["id"]
    here = "select paper_id as key from paper_topics where topic_id = :id"

    def counted(link: Link) -> dict[Any, int]:
        counter.read(conn, "papers", "id", link)
        weights = counter.weigh(conn, "papers", "id", here, {"id": topic_id})
        return counter.count("papers", "id", link, weights)

    def bars(counts: dict[Any, int], most: int | None = None) -> list[dict[str, Any]]:
        return [{"label": label, "n": n} for label, n in list(counts.items())[:most]]

    beside = {topic: n for topic, n in counted(_TOPICS).items() if topic != topic_id}
    terms = dict(rows("select id, term from topics")) if beside else {}
    count = rows("select count(*) as n from paper_topics where topic_id = :id", id=topic_id)
    total = rows("select count(*) as n from papers")
    # most papers are on a wide topic: the first of all papers by claims are soon found to be so
    wide = WIDE * count[0]["n"] > total[0]["n"]
    joined = "papers p indexed by papers_claim_count cross join paper_topics pt"
    return {
        "topic": found[0],
        "papers": count[0]["n"],
        "narrower": rows(
            """select t.term as label, (select count(*) from paper_topics
            where topic_id = t.id) as n from topics t where t.broader_id = :id
            order by n desc, t.term""",
            id=topic_id,
        ),
        "claims": bars(counted(_CLAIMS)),
        "uses": bars(counted(_USES), BARS),
        "beside": bars({terms[topic]: n for topic, n in beside.items()}, BARS),
        "cards": rows(
            f"""select p.id, p.label, pt.evidence
            from {joined if wide else "paper_topics pt join papers p"}
            on pt.paper_id = p.id and pt.topic_id = :id
            order by p.claim_count desc, p.id desc limit :cards""",
            id=topic_id,
        ),
    }


def _together(rows: Any) -> list[Any]:
    """What papers that use or introduce the name use beside it."""
    found: list[Any] = rows(
        """with papers_with as (
            select paper_id from mentions where name = :name collate nocase
            union select paper_id from names where name = :name collate nocase limit 500
        )
        select m.name as label, count(*) as n from papers_with w
        join mentions m on m.paper_id = w.paper_id where m.name <> :name collate nocase
        group by m.name order by n desc, m.name limit :bars"""
    )
    return found


_known = Kept(100)


async def about(datasette: Any, request: Any) -> Response:
    """The page; status 404 where no paper says the name."""
    name = unquote(request.url_vars["name"]).strip()
    database = datasette.get_database("library")
    found = await _known(database, name, lambda conn: read_about(conn, name, counter_of(database)))
    if found is None:
        # not NotFound: Datasette takes the escapes of such an address for an old spelling
        said = f"No paper introduces, uses or measures what is called “{name[:100]}”."
        told = {"title": None, "error": said, "status": 404}
        page = await datasette.render_template("error.html", told, request=request)
        return Response.html(page, status=404)
    page = await datasette.render_template(
        "about.html", {"about": found, "database": "library"}, request=request
    )
    return Response.html(page)


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"/library/-/about/(?P<name>.+)$", about)]
