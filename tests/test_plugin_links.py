"""Cells: links only where they are safe, text always as text."""

from __future__ import annotations

import re
import sqlite3
from typing import Any
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette
from markupsafe import escape

from plugins.links import LONGEST_CELL, cell, is_address, shown


def row(**values: Any) -> sqlite3.Row:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    columns = ", ".join(f"? as {name}" for name in values)
    result = connection.execute(f"select {columns}", list(values.values())).fetchone()
    connection.close()
    return result  # type: ignore[no-any-return]


def url(table: str, row_id: int) -> str:
    return f"/library/{table}/{row_id}"


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//example.org",
        "ftp://example.org",
        "see https://example.org",
        'https://example.org/"onmouseover="x',
        "https://example.org/<script>",
        "https://example.org/\u202egro",
        " https://example.org",
        "https://",
        "<img src=x onerror=alert(1)>",
        "=cmd()",
    ],
)
def test_all_but_addresses_of_the_web_are_text(text: str) -> None:
    assert not is_address(text)
    for column in ("url", "text", "doi"):
        markup = str(cell(row(**{column: text}), text, column, url=url))
        assert markup.startswith("<bdi>")
        assert "<a" not in markup
        assert "<script" not in markup
        assert "<img" not in markup


def test_an_address_is_a_link_that_passes_nothing_on() -> None:
    address = "https://github.com/a/b?c=1&d=2"
    plain = str(cell(row(url=address, kind="project"), address, "url", url=url))
    escaped = address.replace("&", "&amp;")
    assert plain == f'<a href="{escaped}" rel="nofollow noopener">{escaped}</a>'
    code = str(cell(row(url=address, kind="code"), address, "url", url=url))
    assert code == plain + ' <span class="badge code">code</span>'


def test_ids_and_labels_lead_to_their_rows() -> None:
    found = row(label="A <b>", paper_id=5, other_label="B", other_paper_id=6)
    assert str(cell(found, "A <b>", "label", url=url)) == (
        '<a href="/library/papers/5"><bdi>A &lt;b&gt;</bdi></a>'
    )
    assert 'href="/library/papers/6"' in str(cell(found, "B", "other_label", url=url))
    assert 'href="/library/papers/5"' in str(cell(found, 5, "paper_id", url=url))
    assert 'href="/library/sentences/9"' in str(cell(None, 9, "sentence_id", url=url))
    named = {"value": 3, "label": "a.txt"}
    assert str(cell(None, named, "source_id", url=url)) == (
        '<a href="/library/sources/3"><bdi>a.txt</bdi></a>'
    )
    unnamed = {"value": 3, "label": None}
    assert "<bdi>3</bdi>" in str(cell(None, unnamed, "entry_id", url=url))
    assert str(cell(row(label="A"), "A", "label", url=url)) == "<bdi>A</bdi>"
    in_table = row(id=8, label="A")
    assert "/papers/8" in str(cell(in_table, "A", "label", url=url, table="papers"))
    assert "href" not in str(cell(in_table, "A", "label", url=url, table="topics"))


def test_numbers_are_read_without_their_markup() -> None:
    def among(table: str | None, column: str, longest: int = 600) -> str:
        return str(cell(None, r"1.85$\times$", column, url=url, table=table, longest=longest))

    read = r'<span title="in the file, with its markup: 1.85$\times$"><bdi>1.85×</bdi></span>'
    assert among("measurements", "text") == among(None, "stated") == read
    alone = among("measurements", "text", LONGEST_CELL)  # on the page of its row
    read, _, raw = alone.partition('<span class="soft small">in the file, with its markup:</span>')
    assert (read, raw) == ("<bdi>1.85×</bdi> ", r" <code><bdi>1.85$\times$</bdi></code>")
    assert among("entries", "text") == among(None, "text") == r"<bdi>1.85$\times$</bdi>"
    assert str(cell(None, "~5K", "stated", url=url)) == "<bdi>~5K</bdi>"
    evil = str(cell(None, r'"><img src=x>\%', "stated", url=url, longest=600))
    assert "<img" not in evil
    assert 'title="in the file, with its markup: &#34;&gt;' in evil


def test_numbers_and_nothing_are_left_to_datasette() -> None:
    for value in (None, "", 5, 1.5, b"x"):
        assert cell(None, value, "text", url=url) is None
    assert cell(None, -664.0, "low", url=url) == "-664"
    assert cell(None, 1e300, "low", url=url) is None


def test_turning_characters_are_marks() -> None:
    markup = str(shown("a\u202eb\u2066<"))
    assert "\u202e" not in markup
    assert "\u2066" not in markup
    assert '<span class="bidi" title="right-to-left override">U+202E</span>' in markup
    assert markup.endswith("&lt;</bdi>")


def test_long_text_is_cut() -> None:
    assert str(shown("abcdef", 3)) == "<bdi>abc…</bdi>"
    assert str(shown("abc", 3)) == "<bdi>abc</bdi>"


async def test_tables_and_queries_link_papers(site: Datasette) -> None:
    for address in ("/library/claims", "/library/largest_ratios", "/library/entries"):
        html = (await site.client.get(address)).text
        assert re.search(r'href="/library/papers/\d+[#?"]', html), address
    links = (await site.client.get("/library/links")).text
    assert 'rel="nofollow noopener"' in links
    assert '<span class="badge code">code</span>' in links


async def test_the_page_of_a_row_shows_its_whole_text(site: Datasette) -> None:
    sql = "select id, text from entries order by length(text) desc limit 1"
    query = urlencode({"sql": sql, "_shape": "array"})
    (longest,) = (await site.client.get(f"/library.json?{query}")).json()
    assert len(longest["text"]) > site.setting("truncate_cells_html")
    ending = str(escape(longest["text"][-40:]))
    alone = (await site.client.get(f"/library/entries/{longest['id']}")).text
    among = (await site.client.get(f"/library/entries?id={longest['id']}")).text
    assert ending in alone
    assert ending not in among
