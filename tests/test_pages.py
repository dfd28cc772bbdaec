"""Every page of the site answers, says what the database says, and shows text as text."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from array import array
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import yaml
from datasette import NotFound
from datasette.app import Datasette
from markupsafe import Markup

from loader.model import LoadError
from loader.serve import (
    SETTINGS,
    datasette_for,
    is_local,
    listen,
    only_local,
    seed_files,
    site_root,
)
from loader.text import Plain, to_plain
from plugins.aliases import old_paper
from plugins.cite import read_cited
from plugins.home import QUESTIONS, read_home
from plugins.pairs_page import compare, read_pair
from plugins.paper_page import mark, plain_span, read_paper, related
from plugins.papers_page import read_cards, shortened
from plugins.provenance import read_place
from plugins.quality_page import quality, read_quality
from plugins.table_page import chips, folded, pairs_of, said, said_value, sorts, with_arguments
from plugins.written import as_read, count, digits, kind, quantity, shown
from tests.conftest import ROOT, SEEDS

METADATA: dict[str, Any] = yaml.safe_load((site_root() / "metadata.yml").read_text("utf-8")) or {}
LIBRARY = METADATA.get("databases", {}).get("library", {})


@pytest.fixture(scope="module")
def site(library: Path) -> Datasette:
    return datasette_for(library)


@pytest.fixture
def conn(library: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{library.as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


async def html(site: Datasette, path: str, status: int = 200) -> str:
    response = await site.client.get(path)
    assert response.status_code == status, f"{path}: {response.status_code} {response.text[-800:]}"
    return response.text


class Page(HTMLParser):
    """The elements of a page: `(tag, attributes)` in order, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def site_map(library: Path) -> list[str]:
    """An address of every kind of page: all tables, a row of each, all questions and charts."""
    conn = sqlite3.connect(library)
    paths = ["/", "/library", "/-/search", "/-/search?q=model", "/library?sql=select+1"]
    paths.append("/-/quality")
    for (table,) in conn.execute(
        "select name from sqlite_master where type in ('table', 'view') and name not like '%fts%'"
    ).fetchall():
        paths.append(f"/library/{table}")
        key = [row[1] for row in conn.execute(f"pragma table_info({table})") if row[5]]
        row = conn.execute(f"select {', '.join(key) or '1'} from {table} limit 1").fetchone()
        if key and row:
            paths.append(f"/library/{table}/{','.join(quote(str(value)) for value in row)}")
    conn.close()
    for name, query in LIBRARY.get("queries", {}).items():
        paths += [f"/library/{name}", f"/library/{name}?{urlencode(query.get('examples', {}))}"]
    for slug, board in METADATA.get("plugins", {}).get("datasette-dashboards", {}).items():
        paths += ["/-/dashboards", f"/-/dashboards/{slug}"]
        paths += [f"/-/dashboards/{slug}/{chart}" for chart in board["charts"]]
    return paths


async def test_every_page_answers(site: Datasette, library: Path) -> None:
    paths = site_map(library)
    assert len(paths) > 60
    for path in paths:
        page = Page(await html(site, path))
        assert len(page.all("h1")) == 1, path
        assert page.all("html")[0]["lang"] == "en"
        assert {"id": "main"}.items() <= page.all("main")[0].items()
        for tag, attribute in (("script", "src"), ("link", "href"), ("img", "src")):
            for element in page.all(tag):
                address = element.get(attribute) or "/"
                assert address.startswith(("/", "http://localhost/")), f"{path}: {address}"
        for field in page.all("input"):
            named = field.get("type") in ("hidden", "submit", "checkbox")
            assert named or field.get("aria-label") or "<label" in await html(site, path), path


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nope", 404),
        ("/library/nope", 404),
        ("/library/papers/1", 404),
        ("/library/papers/x", 404),
        ("/library/claims/99999999", 404),
        ("/library?sql=delete+from+papers", 400),
        ("/library/papers?zz__exact=1", 400),
        ("/library/papers?zz=1", 400),
        ("/library/papers?year__zz=1", 400),
    ],
)
async def test_errors_are_pages_of_the_site(site: Datasette, path: str, status: int) -> None:
    page = Page(await html(site, path, status))
    assert len(page.all("h1")) == 1
    assert page.all("nav")


async def test_filters_that_are_none_are_told_with_those_there_are(site: Datasette) -> None:
    for path in ("papers.json", "open_questions.json", "-/export/papers.csv"):
        answer = await site.client.get(f"/library/{path}?zz__gt=1")
        assert answer.status_code == 400
        told = answer.json()["error"] if path.endswith("json") else answer.text
        assert "no column “zz”" in told
        assert "label" in answer.text
    wrong = await site.client.get("/library/papers.json?year__zz=1")
    assert "no operator “zz”" in wrong.json()["error"]
    assert "notcontains" in wrong.json()["error"]
    known = "papers.json?year__gte=1&label__notnull=1&_sort=id&_many_topics=vision&_size=1"
    assert (await site.client.get(f"/library/{known}")).status_code == 200


async def test_home_says_what_is_here(site: Datasette, conn: sqlite3.Connection) -> None:
    page = Page(await html(site, "/")).text
    assert "27 papers from 2 files" in page
    assert "38" in page
    home = read_home(conn)
    assert home["counts"]["papers"] == 27
    assert home["counts"]["entries"] == 38
    assert home["counts"]["duplicates"] == 11
    for bars, table in (("claims", "claims"), ("measurements", "measurements")):
        n = conn.execute(f"select count(*) from {table}").fetchone()[0]
        assert sum(row["n"] for row in home[bars]) == n > 0
        assert [row["n"] for row in home[bars]] == sorted(
            (r["n"] for r in home[bars]), reverse=True
        )
    assert [row["n"] for row in home["overlaps"]] == [11]
    assert {row["new_papers"] for row in home["loads"]} == {19, 8}
    assert all(
        s["record_count"] == s["loaded_count"] + s["reject_count"] == 19 for s in home["loads"]
    )
    for name in QUESTIONS:
        assert LIBRARY["queries"][name]["title"] in page


async def test_home_follows_the_database(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "changing.db"
    shutil.copy(library, path)
    site = datasette_for(path)
    assert "27 papers" in await html(site, "/")
    with sqlite3.connect(path) as changed:
        changed.execute("pragma foreign_keys = off")
        changed.execute("delete from papers where id = (select min(id) from papers)")
    changed.close()
    assert "26 papers" in await html(site, "/")


async def test_home_of_an_empty_library(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    empty = sqlite3.connect(path)
    empty.executescript((ROOT / "loader" / "schema.sql").read_text("utf-8"))
    empty.close()
    assert "Nothing is loaded yet" in await html(datasette_for(path), "/")


async def test_only_pages_with_rows_carry_the_charts_of_tables(
    site: Datasette, library: Path
) -> None:
    paper = sqlite3.connect(library).execute("select id from papers").fetchone()[0]
    for path, wanted in [
        ("/", False),
        (f"/library/papers/{paper}", False),
        ("/library/papers", False),
        ("/library/papers?_view=table", True),
        ("/library/claims", True),
    ]:
        assert ("datasette_vega/main" in await html(site, path)) is wanted, path


# -- papers -------------------------------------------------------------------------------


async def test_papers_are_cards_or_a_table(site: Datasette, conn: sqlite3.Connection) -> None:
    cards = await html(site, "/library/papers?_size=100")
    assert len(Page(cards).all("article")) == 27
    labels = [row[0] for row in conn.execute("select label from papers")]
    shown_text = " ".join(Page(cards).text.split())
    assert all(" ".join(label.split()) in shown_text for label in labels)
    table = Page(await html(site, "/library/papers?_size=100&_view=table"))
    assert not table.all("article")
    assert len(table.all("tr")) == 28


async def test_filters_are_chips_that_can_be_removed(site: Datasette) -> None:
    page = Page(await html(site, "/library/papers?has_code=1&source_count__gte=1&_view=cards"))
    removals = [a for a in page.all("a") if a.get("class") == "chip" and "aria-label" in a]
    spoken = {a["aria-label"]: a["href"] for a in removals}
    assert spoken == {
        "gives code: yes; remove this filter": "?source_count__gte=1&_view=cards",
        "number of files: at least 1; remove this filter": "?has_code=1&_view=cards",
    }


def test_cards_lead_with_what_a_paper_contributes(conn: sqlite3.Connection) -> None:
    ids = [row[0] for row in conn.execute("select id from papers order by id")]
    cards = read_cards(conn, ids[::-1])
    assert [card["paper"]["id"] for card in cards] == ids[::-1]
    for card in cards:
        kinds = dict(
            conn.execute(
                "select s.text, c.kind from claims c join sentences s on s.id = c.sentence_id"
                " where c.paper_id = ? order by c.kind <> 'contribution'",
                (card["paper"]["id"],),
            ).fetchall()
        )
        assert card["lead"]
        assert card["lead"] in kinds or not kinds


def test_shortened_cuts_behind_a_word() -> None:
    assert shortened("one two three", 13) == "one two three"
    assert shortened("one two three", 9) == "one two …"
    assert shortened("x" * 30, 10) == "x" * 10 + " …"


# -- one paper ----------------------------------------------------------------------------


def latex() -> Plain:
    """`a \\textbf{30}\\% gain` as plain text, with the map that such markup has."""
    source = r"a \textbf{30}\% gain"
    plain = "a 30% gain"
    starts = array("q", [0, 1, 10, 11, 13, 15, 16, 17, 18, 19])
    ends = array("q", [1, 2, 11, 12, 15, 16, 17, 18, 19, 20])
    assert source[starts[4] : ends[4]] == r"\%"
    return Plain(source, plain, starts, ends)


def test_places_in_the_source_are_found_in_the_plain_text() -> None:
    text = latex()
    assert plain_span(text, 0, 20) == (0, 10)
    assert plain_span(text, 10, 15) == (2, 5)  # 30}\%
    assert plain_span(text, 2, 13) == (2, 4)  # \textbf{30}
    assert plain_span(text, 2, 10) == (2, 2)  # only markup: nothing
    for start in range(10):
        for end in range(start + 1, 11):
            assert plain_span(text, *text.source_span(start, end)) == (start, end)


def test_a_number_and_a_clause_are_marked_in_their_sentence() -> None:
    sentence = {"id": 1, "start_char": 0, "end_char": 20}
    number = {"id": 7, "sentence_id": 1, "start_char": 10, "end_char": 15}
    clause = {"sentence_id": 1, "text": "30% gain"}
    [shown_sentence] = mark(latex(), [sentence], [clause], [number])
    assert [(p.text, p.measurement, p.claimed) for p in shown_sentence.pieces] == [
        ("a ", None, False),
        ("30%", number, True),
        (" gain", None, True),
    ]
    assert shown_sentence.claims == [clause]
    for whole in ("a 30% gain", "a gain of 30%"):  # or no part of it as it stands
        [shown_sentence] = mark(latex(), [sentence], [{"sentence_id": 1, "text": whole}], [])
        assert [(p.text, p.claimed) for p in shown_sentence.pieces] == [("a 30% gain", True)]


def test_abstracts_are_marked_without_losing_a_character(conn: sqlite3.Connection) -> None:
    seen = 0
    for (paper_id,) in conn.execute("select id from papers").fetchall():
        page = read_paper(conn, paper_id)
        text = conn.execute(
            "select text from entries where id = ?", (page["paper"]["entry_id"],)
        ).fetchone()[0]
        plain = to_plain(text)
        assert len(page["marked"]) == len(page["sentences"]) > 0
        shown_ids = []
        for sentence in page["marked"]:
            row = sentence.sentence
            start, end = plain_span(plain, row["start_char"], row["end_char"])
            assert "".join(p.text for p in sentence.pieces) == plain.plain[start:end]
            assert plain.plain[start:end].split() == row["text"].split()
            for piece in sentence.pieces:
                if piece.measurement:
                    row = piece.measurement
                    start, end = plain_span(plain, row["start_char"], row["end_char"])
                    assert piece.text == plain.plain[start:end] != ""
                    shown_ids.append(piece.measurement["id"])
        assert sorted(shown_ids) == sorted(m["id"] for m in page["measurements"])
        seen += len(shown_ids)
    assert seen > 20


async def test_a_paper_page_holds_all_that_is_known(
    site: Datasette, conn: sqlite3.Connection
) -> None:
    for (paper_id,) in conn.execute("select id from papers").fetchall():
        page = Page(await html(site, f"/library/papers/{paper_id}"))
        known = read_paper(conn, paper_id)
        text = page.text
        assert known["paper"]["label"] in text
        for section, column in [
            ("topics", "term"),
            ("names", "name"),
            ("acronyms", "long"),
            ("mentions", "name"),
            ("links", "url"),
            ("entries", "source"),
            ("duplicates", "evidence"),
        ]:
            for row in known[section]:
                assert row[column] in text, f"{paper_id}: {section} {row[column]}"
        for entry in known["entries"]:
            assert f"line {entry['first_line']}" in text
            assert entry["text"] in text  # as in the file
        numbers = [a for a in page.all("a") if a.get("class") == "number"]
        assert len(numbers) == len(known["measurements"])
        assert all(a["aria-label"] for a in numbers)
        claims = [a["href"] for a in page.all("a") if a.get("class") == "claim"]
        assert claims == [f"/library/claims/{c['id']}" for c in known["claims"]]


def test_related_papers_come_with_reasons(conn: sqlite3.Connection) -> None:
    found = 0
    for (paper_id,) in conn.execute("select id from papers").fetchall():
        relatives = related(conn, paper_id)
        assert paper_id not in [r.paper_id for r in relatives]
        assert len({r.paper_id for r in relatives}) == len(relatives)
        assert all(r.reasons and r.label for r in relatives)
        found += len(relatives)
    assert found > 27


@pytest.mark.parametrize("table", ["sentences", "claims", "measurements"])
def test_a_row_leads_back_to_its_words(conn: sqlite3.Connection, table: str) -> None:
    for row in conn.execute(f"select * from {table}").fetchall():
        place = read_place(conn, table, row["id"])
        assert place is not None
        sentence = place["before"] + place["marked"] + place["after"]
        if table == "measurements":
            assert place["marked"] == row["text"]
            assert sentence == place["written"]
        else:
            assert sentence == place["sentence"]
            if table == "claims":
                assert place["marked"] in ("", row["text"])
    assert read_place(conn, "papers", 1) is None
    assert read_place(conn, table, -1) is None


async def test_the_page_of_a_retired_id_leads_on(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "merged.db"
    shutil.copy(library, path)
    with sqlite3.connect(path) as merged:
        paper = merged.execute("select id from papers").fetchone()[0]
        merged.execute("insert into paper_aliases values (123, ?)", (paper,))
    merged.close()
    client = datasette_for(path).client
    for ending in ("", ".json"):
        response = await client.get(f"/library/papers/123{ending}")
        assert response.status_code == 301
        assert response.headers["location"] == f"/library/papers/{paper}{ending}"
    assert (await client.get("/library/papers/124")).status_code == 404
    assert old_paper("/library/papers/12/x") is None
    assert old_paper("/library/claims/12") is None


# -- pairs --------------------------------------------------------------------------------


def test_texts_are_compared_word_by_word() -> None:
    left, right = compare("we gain 3 points here", "we gain 4 points")
    assert "".join(s.text for s in left) == "we gain 3 points here"
    assert "".join(s.text for s in right) == "we gain 4 points"
    assert [s.text for s in left if not s.shared] == ["3", " here"]
    assert [s.text for s in right if not s.shared] == ["4"]
    assert compare("", "") == ([], [])


def test_pairs_show_both_entries(conn: sqlite3.Connection) -> None:
    rows = conn.execute("select * from duplicates where verdict = 'duplicate'").fetchall()
    assert len(rows) == 11
    for row in rows:
        pair = read_pair(conn, row["id"])
        (kept, *_), (absorbed, *_) = pair["sides"]
        assert (absorbed["id"], kept["id"]) == (row["entry_id"], row["other_entry_id"])
        assert kept["paper_id"] == absorbed["paper_id"]


# -- text is text -------------------------------------------------------------------------

HOSTILE = (
    "We propose <script>alert(1)</script> and <img src=x onerror=alert(2)> to reach 12% more "
    "speed than {{ 7 * 7 }} and \u202eevil\u202c text, see javascript:alert(3) for the code. "
    'It is the first "><svg onload=alert(4)> of =cmd() kinds; we outperform &amp; all baselines.'
)


async def test_hostile_text_is_shown_and_never_run(
    built: Callable[..., sqlite3.Connection], tmp_path: Path
) -> None:
    conn = built("evil<b>.txt", f"<i>Papers</i> 2026\n\n{HOSTILE}\n\n{HOSTILE} Twice.\n")
    conn.execute(
        "insert into links (paper_id, url, kind, host)"
        " select id, 'javascript:alert(5)', 'code', '' from papers"
    )
    conn.commit()
    site = datasette_for(tmp_path / "test.db")
    paths = [p for p in site_map(tmp_path / "test.db") if "/-/dashboards" not in p]
    paths += ["/-/search?q=" + quote('"><svg onload=alert(6)>'), "/library/papers?_search=<b>"]
    paths += ["/library/papers?label=" + quote("<svg onload=alert(7)>")]
    for path in paths:
        page = Page(await html(site, path))
        assert not page.all("svg"), path
        assert not page.all("img"), path
        for tag, attributes in page.elements:
            assert not any(name.startswith("on") for name in attributes), (path, tag)
            assert not (attributes.get("href") or "").lower().startswith("javascript"), path
    paper = conn.execute("select id from papers").fetchone()[0]
    raw = await html(site, f"/library/papers/{paper}")
    assert "<script>alert" not in raw
    assert "\u202e" not in raw
    assert "U+202E" in raw
    assert "{{ 7 * 7 }}" in raw


def test_text_is_isolated_and_its_marks_are_visible() -> None:
    assert shown("a<b>&") == "<bdi>a&lt;b&gt;&amp;</bdi>"
    assert "\u202e" not in shown("x\u202ey")
    assert "U+202E" in shown("x\u202ey")


# -- how good it is -----------------------------------------------------------------------


async def test_the_page_of_quality_shows_what_was_measured(site: Datasette) -> None:
    written = json.loads((ROOT / "loader" / "quality.json").read_text("utf-8"))
    page = Page(await html(site, "/-/quality"))
    shown_quality = read_quality()
    assert shown_quality is not None
    shares = [s for _, listed in shown_quality["fields"] for s in listed]
    assert len(shares) == len(written["fields"]) - 1  # bounds are shown as a kind of number
    for title, listed in shown_quality["kinds"]:
        assert title in page.text
        shares += listed
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", await html(site, "/-/quality"))
    assert len(rows) == len(shares)
    for share, row in zip(shares, rows, strict=True):
        cells = Page(row).text
        assert cells.startswith(share.name)
        for value in (share.precision, share.recall):
            assert ("none" if value is None else f"{value}%") in cells
    assert f"{written['sentences']:,} sentences" in page.text
    assert "no language model" in page.text.lower()
    assert "Look at the sentence" in page.text


def test_shares_come_from_counts() -> None:
    counts = {"gold": 40, "found": 50, "right": 30, "precision": 0.6, "recall": 0.75, "f1": 0.667}
    none = {"gold": 0, "found": 0, "right": 0, "precision": None, "recall": None, "f1": None}
    written = json.loads((ROOT / "loader" / "quality.json").read_text("utf-8"))
    fields = dict.fromkeys(written["fields"], counts)
    kinds = {name: dict.fromkeys(listed, none) for name, listed in written["kinds"].items()}
    shown_quality = quality({**written, "fields": fields, "kinds": kinds})
    assert shown_quality["claims"][2:] == (60, 75, 40, False)
    assert shown_quality["kinds"][0][1][0][2:] == (None, None, 0, True)
    for counted in (*written["fields"].values(), *written["kinds"]["claims"].values()):
        assert counted["right"] <= min(counted["gold"], counted["found"])
        assert counted["precision"] == round(counted["right"] / counted["found"], 3)
        assert counted["recall"] == round(counted["right"] / counted["gold"], 3)


async def test_counts_of_claims_and_numbers_lead_to_how_good_they_are(
    site: Datasette, conn: sqlite3.Connection
) -> None:
    paper = conn.execute("select id from papers order by measurement_count desc").fetchone()[0]
    for path in ("/", "/library/claims", "/library/measurements", f"/library/papers/{paper}"):
        page = await html(site, path)
        inside = Page(page.partition("<main")[2].partition("</main>")[0])
        assert sum(a.get("href") == "/-/quality" for a in inside.all("a")) == 1, path


def test_details_and_empty_columns_of_a_table_are_folded() -> None:
    def rows(**columns: list[Any]) -> list[list[dict[str, Any]]]:
        return [
            [{"column": name, "raw": raw} for name, raw in zip(columns, values, strict=True)]
            for values in zip(*columns.values(), strict=True)
        ]

    some = rows(
        name=["a", "b"], sha256=["x", "y"], notes=["[]", "{}"], year=[None, ""], bytes=[0, 5]
    )
    assert folded("sources", some, []) == ["sha256", "notes", "year"]
    assert folded("names", some, []) == ["notes", "year"]
    assert folded("sources", some, [("sha256__contains", "x"), ("_sort", "year")]) == ["notes"]
    assert folded("sources", some, [("_nocol", "bytes")]) == []
    assert folded("sources", [], []) == []


async def test_a_row_is_called_by_what_it_is(site: Datasette, conn: sqlite3.Connection) -> None:
    number, label = conn.execute(
        "select m.id, p.label from measurements m join papers p on p.id = m.paper_id"
        " where m.unit = '×' and m.low = m.high"
    ).fetchone()
    page = await html(site, f"/library/measurements/{number}")
    heading = page.partition("<h1>")[2].partition("</h1>")[0]
    assert heading.startswith(f"Number {number}: ")
    assert "×" in heading
    assert "Without a value: " in page
    name, called = conn.execute("select id, name from names where name = 'C2C'").fetchone()
    page = await html(site, f"/library/names/{name}")
    assert f"/library/-/about/{called}" in page
    assert re.search(r"In <a href=\"/library/papers/\d+\"><bdi>C2C", page)
    entry = await html(site, "/library/entries/2")
    assert re.search(r"record 2, line \d+", entry)
    assert label


async def test_questions_stand_in_groups(site: Datasette) -> None:
    page = await html(site, "/library")
    groups = list(dict.fromkeys(q["group"] for q in LIBRARY["queries"].values()))
    places = [page.index(f"<h2>{group}</h2>") for group in groups]
    assert places == sorted(places)
    assert len(groups) == 5
    cards = page[: page.index('id="tables"')].count('class="card link"')
    assert cards == len(LIBRARY["queries"]) + 2


# -- words and numbers --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"low": 30, "high": 30, "unit": "%"}, "30%"),
        ({"low": -40, "high": -25, "unit": "%"}, "−40 to −25%"),
        ({"low": 24.69, "high": 10.22, "unit": "%", "kind": "from_to"}, "24.69 → 10.22%"),
        ({"low": 1.85, "high": 1.85, "unit": "×"}, "1.85×"),
        ({"low": 42e6, "high": 42e6, "unit": "QA pairs"}, "42,000,000 QA pairs"),
        ({"low": 412.7, "high": 412.7, "unit": "ms", "spread": 9.3}, "412.7 ± 9.3 ms"),
        ({"low": None, "high": None, "unit": "O(sqrt(T))"}, "O(sqrt(T))"),
        ({"low": None, "high": 5, "unit": ""}, "5"),
        ({"low": 0.1 + 0.2, "high": 0.1 + 0.2, "unit": ""}, "0.3"),
    ],
)
def test_quantities_are_written_in_one_way(values: dict[str, Any], text: str) -> None:
    assert quantity({"kind": "level", "spread": None} | values) == text


def test_what_is_written_is_read_and_can_be_looked_up() -> None:
    assert as_read(r"30\%") == Markup(r'<bdi title="in the file, with its markup: 30\%">30%</bdi>')
    assert as_read("~5K") == shown("~5K")
    assert "<img" not in as_read(r'$x$<img src="x">')


def test_counts_take_the_right_word() -> None:
    assert count(1, "paper") == "1 paper"
    assert count(2000, "paper") == "2,000 papers"
    assert count(0, "entry", "entries") == "0 entries"
    assert count(None) == "0"
    assert digits(1e20) == "1e+20"


def test_filters_are_said_in_words() -> None:
    pairs = pairs_of(
        "_many_topics=a+b&has_code=0&year__gt=2020&doi__notnull=1&_where=1%3D1&_search=x"
        "&_through=%7B%22table%22%3A%22paper_topics%22%2C%22value%22%3A3%7D&_sort=id&_next=9&venue="
    )
    facets = [{"name": "topics", "results": [{"value": "a b", "label": "A and B"}]}]
    found = chips(pairs, facets, {"topics": "subjects"})
    assert [(chip.name, chip.value) for chip in found] == [
        ("subjects", "A and B"),
        ("gives code", "no"),
        ("year", "above 2020"),
        ("doi", "is known"),
        ("where", "1=1"),
        ("words", "x"),
        ("through", "paper topics 3"),
        ("venue", "(empty)"),
    ]
    for chip, gone in zip(found, ["_many_topics", "has_code", "year__gt"], strict=False):
        left = {key for key, _ in pairs_of(chip.remove[1:])}
        assert left == {key for key, _ in pairs} - {gone, "_next"}
    assert said("no_such_column") == "no such column"
    assert said_value("has_code", 1) == "yes"
    assert said_value("claims", "sota") == "state of the art"
    assert said_value("kind", "from_to") == kind("from_to") == "from … to"
    assert said_value("names", "sota") == "sota"
    assert chips(pairs_of("_through=%7Bx"), []) == [("through", "{x", "?")]


def test_orders_keep_the_filters() -> None:
    pairs = pairs_of("has_code=1&_sort_desc=year&_next=5")
    orders = sorts("papers", pairs, None, "year")
    assert [order.name for order in orders if order.current] == ["newest"]
    by_name = next(order for order in orders if order.name == "name")
    assert by_name.address == "?has_code=1&_sort=label"
    assert sorts("topics", pairs, None, None) == []
    assert with_arguments(pairs, _sort_desc=None, _view="table") == "?has_code=1&_view=table"


# -- the server ---------------------------------------------------------------------------


async def test_the_database_is_always_called_library(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "another name.db"
    shutil.copy(library, path)
    site = datasette_for(path)
    assert [name for name in site.databases if name != "_internal"] == ["library"]
    rows = (await site.client.get("/library/papers.json?_shape=objects")).json()["rows"]
    assert len(rows) == 27
    assert all(row["label"] for row in rows)
    assert site.setting("suggest_facets") is False
    assert SETTINGS["facet_time_limit_ms"] < SETTINGS["sql_time_limit_ms"]


async def test_the_site_can_stand_under_a_path(library: Path) -> None:
    site = datasette_for(library, base_url="/lit/")
    paper = sqlite3.connect(library).execute("select id from papers").fetchone()[0]
    for path in ("/", "/library/papers", f"/library/papers/{paper}", "/library", "/-/search?q=a"):
        page = Page(await html(site, path))
        for tag, attribute in (
            ("a", "href"),
            ("link", "href"),
            ("script", "src"),
            ("form", "action"),
        ):
            for element in page.all(tag):
                address = element.get(attribute) or ""
                assert not address.startswith("/") or address.startswith("/lit/"), (path, address)
    assert "../-/static/app.css" in (await site.client.get("/static/app.css")).text


def test_the_seeds_come_with_the_site() -> None:
    assert [path.name for path in seed_files()] == [path.name for path in SEEDS]


def test_a_missing_database_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such database; load a file first"):
        datasette_for(tmp_path / "none.db")


def test_a_port_in_use_is_one_clear_line() -> None:
    with listen(0) as first:
        port = first.getsockname()[1]
        with pytest.raises(LoadError, match=f"port {port} is in use; choose another"):
            listen(port)
    with pytest.raises(LoadError, match="port 99999 cannot be used"):
        listen(99999)


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8001", True),
        ("localhost:8001", True),
        ("LOCALHOST", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost@evil.example", False),
        ("127.0.0.1:80@evil.example", False),
        ("evil.example:8001", False),
        ("", False),
    ],
)
async def test_only_this_machine_is_answered(host: str, local: bool) -> None:
    assert is_local(host) is local
    reached, sent = [], []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        reached.append(scope["path"])

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/", "headers": [(b"host", host.encode())]}
    await only_local(app)(scope, None, send)
    assert bool(reached) is local
    assert [m["status"] for m in sent if "status" in m] == ([] if local else [400])
    sent.clear()
    await only_local(app)(scope | {"headers": scope["headers"] * 2}, None, send)
    assert sent[0]["status"] == 400


async def test_a_question_says_kinds_in_words(site: Datasette) -> None:
    page = await html(site, "/library/gains_over_baseline")
    assert "<bdi>from … to</bdi>" in page
    assert ">from_to<" not in page.partition("<tbody>")[2]


def test_what_a_load_took_away_is_told_as_such(conn: sqlite3.Connection) -> None:
    # between two questions of one page
    for read in (read_pair, read_cited, read_paper):
        with pytest.raises(NotFound, match="not there any more"):
            read(conn, -1)
    assert read_place(conn, "claims", -1) is None
