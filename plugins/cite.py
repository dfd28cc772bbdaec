"""How to cite a paper: what the page of a paper shows under "Cite".

In: a database and the id of a paper. Out: the citation in BibTeX, RIS and plain text.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette import NotFound, hookimpl

from loader.writers import Paper, bibtex, plain, ris

TEMPLATE = "row-library-papers.html"


def read_cited(conn: sqlite3.Connection, paper_id: int) -> Paper:
    """What is known of a paper, for citing it. `conn` gives rows by name.

    Raises NotFound where the paper is gone.
    """
    row = conn.execute(
        """select p.id, p.label, p.title, p.venue, p.year, p.doi, p.url, p.volume, p.number,
        p.pages, s.collection from papers p join entries e on e.id = p.entry_id
        join sources s on s.id = e.source_id where p.id = ?""",
        (paper_id,),
    ).fetchone()
    if row is None:
        raise NotFound("This paper is not there any more.")
    authors = conn.execute(
        """select a.name from paper_authors pa join authors a on a.id = pa.author_id
        where pa.paper_id = ? order by pa.position""",
        (paper_id,),
    )
    return Paper(**dict(row), authors=tuple(name for (name,) in authors))


def citations(paper: Paper) -> dict[str, str]:
    """The name of each format and the citation in it."""
    return {"Text": plain(paper), "BibTeX": bibtex(paper), "RIS": ris(paper)}


@hookimpl
def extra_template_vars(template: str, request: Any, datasette: Any) -> Any:
    if template != TEMPLATE:
        return None

    async def page() -> dict[str, Any]:
        paper_id = int(request.url_vars["pks"])
        database = datasette.get_database("library")
        paper = await database.execute_fn(lambda conn: read_cited(conn, paper_id))
        return {"citations": citations(paper)}

    return page
