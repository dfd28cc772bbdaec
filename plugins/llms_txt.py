"""What a program should know before it reads the site: `/llms.txt`, in Markdown.

In: metadata.yml. Out: the tables and questions with their addresses of JSON and files, and how to
ask. Written for language models and for people who write scripts; see docs/api.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from datasette import Response, hookimpl

_TEXT = """# {title}

> {description}

Everything is read-only and needs no key. Links are paths of this site. Add `.json` to the address
of a page for its rows, page by page (`next_url` leads on; `?_shape=objects` for objects), or take
all rows as a file at `/library/-/export/NAME.FORMAT` (csv, xlsx, json, jsonl, md; bib and ris for
papers; the header x-row-count says how many). Filters: `?column=value`, `?column__contains=`,
`__gte`, `__in`, `?_search=words`, `?_sort_desc=column`, `?_many_topics=term`. SQL
(SQLite, one select, some seconds): {sql}

Every claim and number has a sentence, and every sentence its characters in the source file:
start_char and end_char count in entries.text of papers.entry_id. Claims and numbers are found by
rules and a small linear model, not by a language model; how often they are right: {quality}

## Search

- [Papers, claims and names]({search}): one search, as a page

## Tables

{tables}

## Questions

An empty parameter means any.

{questions}
"""


def written(metadata: Mapping[str, Any], address: Any) -> str:
    """The file; `address(path)` puts before a path of the site what the site lies under."""
    library = (metadata.get("databases") or {}).get("library") or {}
    tables = [
        f"- [{name}]({address(f'/library/{name}.json?_shape=objects')}): {_line(about)}"
        for name, about in (library.get("tables") or {}).items()
        if not about.get("hidden")
    ]
    questions = []
    for name, question in (library.get("queries") or {}).items():
        values = {"_shape": "objects", **(question.get("examples") or {})}
        where = address(f"/library/{name}.json?{urlencode(values)}")
        questions.append(f"- [{question.get('title') or name}]({where}): {_line(question)}")
    return _TEXT.format(
        title=metadata.get("title") or "litsette",
        description=_line(metadata),
        sql=address(
            "/library.json?sql=select+kind,+count(*)+from+claims+group+by+1&_shape=objects"
        ),
        quality=address("/-/quality"),
        search=address("/-/search?q=language+model"),
        tables="\n".join(tables),
        questions="\n".join(questions),
    )


def _line(about: Mapping[str, Any]) -> str:
    return " ".join(str(about.get("description") or "").split())


async def llms_txt(datasette: Any) -> Response:
    """The file, with the paths of this site."""
    return Response.text(written(datasette.metadata(), datasette.urls.path))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"/llms\.txt$", llms_txt)]
