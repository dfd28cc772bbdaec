"""A page to write SQL on: an editor with tables, columns, functions and examples at hand.

In: the schema of the database and metadata.yml. Out: the page `/library/-/sql`, and what the
page of a query shows beside its editor. With `?sql=` it leads to that page, which runs it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from datasette import Response, hookimpl

# what to begin with: a title and a query
EXAMPLES = (
    (
        "Numbers with the sentence they stand in",
        "select p.label, m.metric, m.low, m.high, m.unit, s.text as sentence, m.paper_id\n"
        "from measurements m\njoin papers p on p.id = m.paper_id\n"
        "join sentences s on s.id = m.sentence_id\nwhere m.kind = 'change'\n"
        "order by m.high desc\nlimit 50",
    ),
    (
        "Papers on a topic that give code",
        "select p.label, l.url, p.id as paper_id\nfrom papers p\n"
        "join paper_topics pt on pt.paper_id = p.id\njoin topics t on t.id = pt.topic_id\n"
        "join links l on l.paper_id = p.id and l.kind = 'code'\n"
        "where t.term = 'large language models'\norder by p.label",
    ),
    (
        "Full text, the best first",
        "select p.label, p.id as paper_id\nfrom papers_fts f\njoin papers p on p.id = f.rowid\n"
        "where papers_fts match escape_fts('reward model')\norder by f.rank\nlimit 20",
    ),
    (
        "The source's own words of each claim",
        "select p.label, c.kind,\n"
        "       substr(e.text, s.start_char + 1, s.end_char - s.start_char) as as_written,\n"
        "       c.paper_id\nfrom claims c\njoin sentences s on s.id = c.sentence_id\n"
        "join papers p on p.id = c.paper_id\njoin entries e on e.id = p.entry_id\nlimit 50",
    ),
    (
        "Words that few papers use",
        "select term, doc as papers\nfrom papers_fts_words\nwhere doc = 2 and length(term) > 6\n"
        "order by term\nlimit 50",
    ),
)


class Table(NamedTuple):
    """A table or view as a writer of SQL needs it: columns are (name, what it is)."""

    name: str
    description: str
    columns: list[tuple[str, str]]


async def tables_of(datasette: Any) -> list[Table]:
    """The tables and views that are not internal, in the order of metadata.yml."""
    database = datasette.get_database("library")
    described = ((datasette.metadata("databases") or {}).get("library") or {}).get("tables") or {}
    there = {*await database.table_names(), *await database.view_names()}
    hidden = set(await database.hidden_table_names())
    found = []
    for name, about in described.items():
        if name in there - hidden:
            said = about.get("columns") or {}
            columns = [(column, said.get(column, "")) for column in said]
            found.append(Table(name, " ".join((about.get("description") or "").split()), columns))
    return found


async def sql_page(datasette: Any, request: Any) -> Response:
    """The page with an example in its editor; a redirect to the answer of `?sql=`."""
    if (request.args.get("sql") or "").strip():
        answer = datasette.urls.database("library") + "?" + request.query_string
        return Response.redirect(answer)
    context = {"sql": EXAMPLES[0][1], "database": "library"}
    return Response.html(await datasette.render_template("sql.html", context, request=request))


@hookimpl
def extra_template_vars(template: str | None, datasette: Any) -> Any:
    if not template or not template.startswith(("query", "sql")):
        return None

    async def sql_tables() -> list[Table]:
        return await tables_of(datasette)

    return {"sql_tables": sql_tables, "sql_examples": EXAMPLES}


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"/library/-/sql$", sql_page)]
