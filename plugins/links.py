"""How cells of tables and queries are shown: links where they lead somewhere, else plain text.

An address is a link if it is http or https and nothing else; code has a badge. Ids of papers,
entries, sentences and so on lead to their rows, and so do the labels of papers. Text stands in
`<bdi>`, and characters that turn its direction around are shown as marks.
"""

import re
import unicodedata
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from datasette import hookimpl
from markupsafe import Markup, escape

from loader.text import readable

# columns with the id of a row elsewhere
TABLES = {
    "paper_id": "papers",
    "other_paper_id": "papers",
    "entry_id": "entries",
    "other_entry_id": "entries",
    "sentence_id": "sentences",
    "claim_id": "claims",
    "measurement_id": "measurements",
    "mention_id": "mentions",
    "source_id": "sources",
    "other_source_id": "sources",
    "topic_id": "topics",
    "broader_id": "topics",
    "author_id": "authors",
    "keyword_id": "keywords",
}
# columns that name a paper, and where its id stands in the same row
LABELS = {"label": "paper_id", "other_label": "other_paper_id"}

# columns with numbers as their files write them: (table, column), None for the answer of a query
WRITTEN = {("measurements", "text"), (None, "stated")}

# columns of long texts, which rows of a list show the begin of: characters
BEGINS = {
    ("papers", "abstract"): 200,
    ("papers", "search_text"): 100,
    ("entries", "text"): 200,
    ("entries", "text_hash"): 10,
    ("entries", "plain_hash"): 10,
    ("entries", "record_hash"): 10,
    ("sources", "sha256"): 10,
}

LONGEST_CELL = 100_000  # characters on the page of one row; more would hang a browser

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\{}|^\x00-\x20\x7f-\x9f]+")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# whether the page shows one row: then cells are not shortened
_one_row: ContextVar[bool] = ContextVar("one_row", default=False)


def shown(text: str, longest: int = 0) -> Markup:
    """Text as markup: escaped, in `<bdi>`, turning characters as marks, cut behind `longest`.

    0 cuts nothing.
    """
    if longest and len(text) > longest:
        text = text[:longest] + "…"

    def mark(match: re.Match[str]) -> str:
        character = match.group()
        name = unicodedata.name(character).lower()
        return f'<span class="bidi" title="{name}">U+{ord(character):04X}</span>'

    return Markup(f"<bdi>{_TURNING.sub(mark, str(escape(text)))}</bdi>")


def is_address(text: str) -> bool:
    """Whether the whole text is one address of the web, and safe to lead to."""
    return _ADDRESS.fullmatch(text) is not None and not _TURNING.search(text)


def address_link(url: str, kind: object = None, longest: int = 0) -> Markup:
    """An address as a link that passes nothing on, with a badge where `kind` is code."""
    text = url if not longest or len(url) <= longest else url[:longest] + "…"
    badge = Markup(' <span class="badge code">code</span>') if kind == "code" else ""
    return Markup('<a href="{}" rel="nofollow noopener">{}</a>{}').format(url, text, badge)


def value_in(row: Any, column: str) -> Any:
    """The value of a column of a row, None where it has no such column."""
    if row is None or column not in row.keys():  # noqa: SIM118 - sqlite3.Row contains values
        return None
    value = row[column]
    return value["value"] if isinstance(value, dict) else value


def cell(
    row: Any,
    value: Any,
    column: str,
    *,
    url: Callable[[str, int], str],
    table: str | None = None,
    longest: int = 0,
) -> Markup | None:
    """A cell as markup, None where Datasette's own is right.

    `url(table, id)` is the address of a row; text is cut behind `longest`, 0 cuts nothing.
    """
    label = None
    if isinstance(value, dict):  # a foreign key with the name of its row
        value, label = value["value"], value["label"]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return Markup(f"{value:.0f}")  # 664 is what people wrote, not 664.0
    if value is None or isinstance(value, bytes | float):
        return None
    if column in TABLES and isinstance(value, int):
        text = shown(str(value if label is None else label), longest)
        return Markup('<a href="{}">{}</a>').format(url(TABLES[column], value), text)
    if not isinstance(value, str) or value == "":
        return None
    if column in LABELS:
        paper = value_in(row, "id" if table == "papers" else LABELS[column])
        if isinstance(paper, int):
            return Markup('<a href="{}">{}</a>').format(url("papers", paper), shown(value, longest))
    if (table, column) in WRITTEN and (read := readable(value)) != value:
        if not longest or longest >= LONGEST_CELL:  # the page of one row has room for both
            both = Markup(
                '{} <span class="soft small">in the file, with its markup:</span> <code>{}</code>'
            )
            return both.format(shown(read, longest), shown(value, longest))
        title = f"in the file, with its markup: {value[:longest]}"
        return Markup('<span title="{}">{}</span>').format(title, shown(read, longest))
    if is_address(value):
        return address_link(value, value_in(row, "kind"), longest)
    return shown(value, longest)


@hookimpl
def render_cell(
    row: Any, value: Any, column: str, table: str | None, database: str, datasette: Any
) -> Markup | None:
    longest = LONGEST_CELL
    if not _one_row.get():
        longest = BEGINS.get((table or "", column), datasette.setting("truncate_cells_html"))

    def url(other: str, row_id: int) -> str:
        return str(datasette.urls.row(database, other, str(row_id)))

    return cell(row, value, column, url=url, table=table, longest=longest)


@hookimpl
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def knowing_the_page(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                inside = scope["path"].removeprefix(datasette.setting("base_url")).strip("/")
                _one_row.set(inside.count("/") == 2 and not inside.startswith("-"))
            await app(scope, receive, send)

        return knowing_the_page

    return wrap
