"""Settling and finding on the site: who may, what is stored, what is shown, what is refused."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from datasette.database import Database

from loader import build
from loader.serve import datasette_for
from plugins.find_page import said
from plugins.posts import LARGEST, limited
from plugins.settle import next_question, read_questions, read_way
from tests.test_decisions import BRIDGE, INK, KETTLE, POOL, ask, changed, load, lot, record, say

PAGE = "/library/-/duplicates"
HOSTILE = '<script>alert(1)</script> "quoted" & =cmd() \u202e javascript:alert(2) <img onerror=x>'


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with open questions. Tests work on copies of it."""
    path = tmp_path_factory.mktemp("pool") / "a.db"
    load(path, POOL)
    conn = sqlite3.connect(path)
    conn.execute("pragma wal_checkpoint(truncate)")
    conn.close()
    return path


@pytest.fixture
def db(pool: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(pool, tmp_path / "a.db"))


class Visitor:
    """Somebody with a browser: cookies are kept, forms carry their token."""

    def __init__(self, site: Datasette) -> None:
        self.site, self.cookies = site, dict[str, str]()

    async def get(self, path: str, status: int = 200) -> Any:
        response = await self.site.client.get(path, cookies=self.cookies)
        self.cookies.update(response.cookies)
        assert response.status_code == status, response.text[-500:]
        return response

    async def post(self, path: str, status: int, token: bool = True, **form: str) -> Any:
        if token:
            await self.get("/-/find")  # a page with a form sets the cookie
            form["csrftoken"] = self.cookies["ds_csrftoken"]
        response = await self.site.client.post(path, data=form, cookies=self.cookies)
        self.cookies.update(response.cookies)
        assert response.status_code == status, response.text[-500:]
        return response


def visitor(db: Path, actor: str = "") -> Visitor:
    found = Visitor(datasette_for(db))
    if actor:
        found.cookies["ds_actor"] = found.site.sign({"a": {"id": actor}}, "actor")
    return found


def asked(db: Path) -> list[int]:
    return [r[0] for r in ask(db, "select id from open_questions order by score desc, id")]


async def test_the_page_of_a_pair_marks_its_titles(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    titled = [record(n, KETTLE, title=f"Kettles {rest}") for n, rest in ("ax", "by", "cx")]
    load(db, [*titled, record("d", KETTLE)])
    pages = [
        (await visitor(db).get(f"/library/duplicates/{row}")).text
        for (row,) in ask(db, "select id from duplicates")
    ]
    differ = [page for page in pages if "The titles differ: what only one of them has" in page]
    assert len(differ) == 1
    assert {"Kettles <del>x</del>", "Kettles <ins>y</ins>"} <= set(
        re.findall(r">(Kettles <(?:del|ins)>.*?)</a>", differ[0])
    )
    assert sum("without a title" in page for page in pages) == 1
    (paper,) = ask(db, "select id from papers")[0]
    listed = (await visitor(db).get(f"/library/papers/{paper}")).text
    assert re.findall(r", titled <bdi>(.*?)</bdi>", listed) == ["Kettles y"]


async def test_the_one_time_address_signs_in_once(db: Path) -> None:
    reader = visitor(db)
    token = reader.site._root_token
    await reader.get("/-/auth-token?token=wrong", 403)
    response = await reader.get(f"/-/auth-token?token={token}", 302)
    assert response.cookies["ds_actor"]
    assert "You are signed in: open Duplicates" in (await reader.get("/")).text
    page = (await reader.get(f"/library/duplicates/{asked(db)[0]}")).text
    assert 'value="distinct"' in page
    await visitor(db).get(f"/-/auth-token?token={token}", 403)
    used = (await reader.get(f"/-/auth-token?token={token}", 403)).text
    assert "start it again: it prints a new one" in used
    assert "Not allowed" in used
    assert "()" not in used


async def test_the_last_answer_is_told_as_such(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, [*lot("text", 0, 20), record("k", KETTLE)])
    owner, (row,) = visitor(db, "root"), asked(db)
    await owner.post(PAGE, 302, pair=str(row), verdict="distinct")
    assert "1 open question left." in (await owner.get(PAGE)).text
    await owner.post(PAGE, 302, pair=str(asked(db)[0]), verdict="distinct", group="on")
    page = (await owner.get(PAGE)).text
    assert "0 open questions left." in page
    assert "All pairs are settled" in page
    assert "Nothing here resembles" not in page


async def test_questions_are_listed_the_likeliest_first(db: Path) -> None:
    page = (await visitor(db).get(PAGE)).text
    ids = asked(db)
    places = [page.index(f'href="/library/duplicates/{row}"') for row in ids]
    assert places == sorted(places)
    assert f"{len(ids)} open questions" in page
    for path in (f"{PAGE}?from=x", f"{PAGE}?from=-1"):
        await visitor(db).get(path, 400)
    assert "j</kbd>" in page


async def test_others_may_read_but_not_settle(db: Path) -> None:
    row, before = asked(db)[0], ask(db, "select * from duplicates order by id")
    for actor in ("", "kim"):
        other = visitor(db, actor)
        page = (await other.get(f"/library/duplicates/{row}")).text
        assert "<button name" not in page
        assert "sign-in address" in page
        response = await other.post(PAGE, 403, pair=str(row), verdict="same")
        assert "sign-in address" in response.text
        # a request without any cookie passes the check of the token
        bare = await other.site.client.post(PAGE, data={"pair": str(row), "verdict": "same"})
        assert bare.status_code == 403
    # nor is anybody trusted for an address or a header
    forged = await visitor(db).site.client.post(
        PAGE,
        data={"pair": str(row), "verdict": "same"},
        headers={"x-forwarded-for": "127.0.0.1", "authorization": "Bearer root"},
    )
    assert forged.status_code == 403
    assert ask(db, "select * from duplicates order by id") == before
    assert ask(db, "select count(*) from decisions") == [(0,)]


async def test_a_form_without_its_token_is_refused(db: Path) -> None:
    owner = visitor(db, "root")
    row = str(asked(db)[0])
    await owner.get(f"/library/duplicates/{row}")
    await owner.post(PAGE, 403, token=False, pair=row, verdict="same")
    await owner.post(PAGE, 403, token=False, pair=row, verdict="same", csrftoken="guessed")
    assert ask(db, "select count(*) from decisions") == [(0,)]


@pytest.mark.parametrize("word", ["same", "version", "distinct"])
async def test_a_word_is_stored_and_leads_to_the_next_question(db: Path, word: str) -> None:
    owner, ids = visitor(db, "root"), asked(db)
    papers = ask(db, "select count(*) from papers")[0][0]
    response = await owner.post(PAGE, 302, pair=str(ids[0]), verdict=word, note=HOSTILE)
    assert response.headers["location"].startswith(f"/library/duplicates/{ids[1]}?settled={ids[0]}")
    verdict = {"same": "duplicate"}.get(word, word)
    assert ask(db, "select verdict, method from duplicates where id = ?", [ids[0]]) == [
        (verdict, "user")
    ]
    assert ask(db, "select verdict, note, decided_by from decisions") == [
        (verdict, HOSTILE, "root")
    ]
    assert ask(db, "select count(*) from papers") == [(papers - (word == "same"),)]
    assert list(build.check(db)) == []

    page = (await owner.get(response.headers["location"])).text
    assert "open questions left" in page
    assert f'href="/library/duplicates/{ids[0]}"' in page
    page = (await owner.get(f"/library/duplicates/{ids[0]}")).text
    assert "<script>alert" not in page
    assert "U+202E" in page
    response = await owner.post(PAGE, 302, pair=str(ids[0]), verdict="forget")
    assert ask(db, "select count(*) from decisions") == [(0,)]
    assert asked(db) == ids


async def test_what_contradicts_earlier_words_is_refused(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, [record("a", KETTLE), record("b", f"**{KETTLE}**"), record("c", BRIDGE)])
    say(db, "a", "c", "same")
    say(db, "c", "b", "same")
    row = ask(db, "select id from duplicates where method = 'normalized'")[0][0]
    page = (await visitor(db, "root").post(PAGE, 400, pair=str(row), verdict="distinct")).text
    assert "contradicts what was said before: entry:" in page
    assert "litsette duplicates forget entry:" in page
    assert ask(db, "select count(*) from decisions") == [(2,)]


async def test_one_answer_settles_a_group(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, [*lot("text", 0, 20), record("k", KETTLE)])
    (row,) = asked(db)
    owner = visitor(db, "root")
    page = (await owner.get(PAGE)).text
    assert "1 open question" in page
    assert "one answer settles 19 pairs" in page
    page = (await owner.get(f"/library/duplicates/{row}")).text
    assert "20 entries share <bdi>the same text</bdi>" in page
    shown, _, folded = page.partition('<details class="more">')
    assert "group_key</dt>" in folded.partition("</details>")[0]
    assert "group_key</dt>" not in shown
    assert 'name="group"' in shown
    assert 'name="group" checked' in page
    other = ask(db, "select max(id) from duplicates")[0][0]
    page = (await owner.get(f"/library/duplicates/{other}")).text
    assert "asked about together" in page
    hub = ask(db, "select paper_id from open_questions union all select other_paper_id from"
                  " open_questions")  # fmt: skip
    pages = [(await owner.get(f"/library/papers/{paper}")).text for (paper,) in hub]
    assert sum("and 18 pairs more like it" in page for page in pages) == 1
    page = (await owner.get(f"/library/duplicates/{other}")).text
    assert 'name="group">' in page
    # of one pair only
    await owner.post(PAGE, 302, pair=str(other), verdict="distinct")
    assert ask(db, "select pairs from open_questions") == [(18,)]
    await owner.post(PAGE, 302, pair=str(row), verdict="distinct", group="on")
    assert asked(db) == []
    page = (await owner.get(f"/library/duplicates/{row}")).text
    assert "settled together" in page
    await owner.post(PAGE, 400, pair=str(row), verdict="forget")
    await owner.post(PAGE, 302, pair=str(row), verdict="forget", group="on")
    assert asked(db) == [row]
    assert "open question" in (await owner.get("/")).text


async def test_after_the_last_question_comes_the_list(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    load(db, [record("a", KETTLE), record("b", changed(KETTLE, "40 kettles", "60 kettles"))])
    (row,) = asked(db)
    owner = visitor(db, "root")
    response = await owner.post(PAGE, 302, pair=str(row), verdict="distinct")
    assert response.headers["location"].startswith(PAGE)
    page = (await owner.get(response.headers["location"])).text
    assert "No open questions" in page
    assert "1 told apart" in page


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"pair": "1"}, 400),
        ({"pair": "x", "verdict": "same"}, 400),
        ({"pair": "1", "verdict": "maybe"}, 400),
        ({"pair": "²", "verdict": "same"}, 400),
        ({"pair": "9" * 18, "verdict": "same"}, 404),
    ],
)
async def test_forms_that_say_nothing_are_refused(
    db: Path, form: dict[str, str], status: int
) -> None:
    await visitor(db, "root").post(PAGE, status, **form)


async def test_a_published_library_answers_403(db: Path) -> None:
    conn = sqlite3.connect(db)
    conn.execute("pragma journal_mode = delete")
    conn.close()
    owner = visitor(db, "root")
    owner.site.remove_database("library")
    owner.site.add_database(Database(owner.site, path=str(db), is_mutable=False), name="library")
    row = str(asked(db)[0])
    page = (await owner.get(f"/library/duplicates/{row}")).text
    assert "for reading only" in page
    assert "<button name" not in page
    await owner.post(PAGE, 403, pair=row, verdict="same")
    assert "the same" in (await owner.post("/-/find", 200, q=KETTLE)).text


def test_the_way_through_the_questions(db: Path) -> None:
    conn = sqlite3.connect(db)
    conn.row_factory = sqlite3.Row
    ids = asked(db)
    seen = [ids[0]]
    while (way := read_way(conn, seen[-1]))["number"] < len(ids):
        assert way["number"] == len(seen)
        assert way["previous"] == (seen[-2] if len(seen) > 1 else None)
        seen.append(way["next"])
    assert seen == ids
    assert read_way(conn, ids[-1])["next"] == ids[0]
    merged = ask(db, "select id from duplicates where verdict = 'duplicate'")[0][0]
    assert read_way(conn, merged)["number"] is None
    assert next_question(conn, 101, 0) == ids[0]
    assert [r["id"] for r in read_questions(conn)["rows"]] == ids
    assert read_questions(conn, skip=len(ids))["rows"] == []
    conn.close()


# -- finding --------------------------------------------------------------------------------


async def test_a_pasted_text_is_found_and_read(db: Path) -> None:
    reader = visitor(db)
    page = (await reader.post("/-/find", 200, q=INK)).text
    assert "the same" in page
    assert "<b>91%</b>" in page
    assert "data-role=" in page
    got = (await reader.get("/-/find?q=" + INK.split(".")[2].replace("%", "%25"))).text
    assert "a part" in got
    nothing = (await reader.post("/-/find", 200, q="Nothing of the kind is written here.")).text
    assert "Nothing in the library" in nothing


async def test_an_id_leads_to_its_paper(db: Path) -> None:
    reader = visitor(db)
    for name in ("k1", "10.5555/kettle", "doi:10.5555/KETTLE"):
        response = await reader.get(f"/-/find?id={name}", 302)
        paper = ask(db, "select paper_id from entries where external_id = 'k1'")[0][0]
        assert response.headers["location"] == f"/library/papers/{paper}"
        assert f"/library/papers/{paper}" in (await reader.get(f"/-/search?q={name}")).text
        page = (await reader.get(f"/library/papers/{paper}")).text
        assert re.search(r"record 1, line 1, id (<[^>]*>)*k1", page)
    await reader.get("/-/find?id=nobody", 404)
    load(db, [record("k1", changed(BRIDGE, "walkers", "hikers") + " Twice.")])
    several = (await reader.get("/-/find?id=k1")).text
    assert several.count('class="card link"') == 2


async def test_hostile_text_is_shown_as_text(db: Path) -> None:
    reader = visitor(db)
    load(db, [record("x", HOSTILE + " " + KETTLE, title="<b>x</b>" + HOSTILE)])
    for text in (HOSTILE, HOSTILE + " " + KETTLE, "</textarea>" + HOSTILE, "\x00\ud7ff{{ 7*7 }}"):
        page = (await reader.post("/-/find", 200, q=text)).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "</textarea>&lt;" not in page
        assert 'href="javascript' not in page
    for row in asked(db):
        assert "<script>alert" not in (await reader.get(f"/library/duplicates/{row}")).text


async def test_too_much_text_is_refused(db: Path) -> None:
    reader = visitor(db)
    page = (await reader.post("/-/find", 413, q="word " * 210_000)).text
    assert "longer than 1,000,000 characters" in page
    response = await reader.post("/-/find", 413, q="%" * (LARGEST // 3 + 1))
    assert response.text == "This is too much for a form; send less.\n"
    body = b"q=\xff\xfe"
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for cookies in ({}, reader.cookies):
        broken = await reader.site.client.post(
            "/-/find", content=body, headers=headers, cookies=cookies
        )
        assert broken.status_code == 400


async def test_a_large_body_is_not_read_to_its_end() -> None:
    read = 0

    async def receive() -> dict[str, Any]:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": b"x" * 1_000, "more_body": True}

    async def app(_scope: Any, receive: Callable[[], Any], _send: Any) -> None:
        while (await receive())["more_body"]:
            pass

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await limited(app, 10_000)({"type": "http", "method": "POST"}, receive, send)
    assert (read, sent[0]["status"]) == (11, 413)


def test_said_joins_to_the_plain_text() -> None:
    found = build.extract(f"{INK} {BRIDGE}")
    shown = said(found)
    joined = " ".join("".join(p.text for p in s.pieces) for s in shown)
    assert joined.split() == found.plain.split()
    assert sum(p.number is not None for s in shown for p in s.pieces) >= 2
    assert len(said(found, 2)) == 2


async def test_a_paper_says_which_entry_gave_what(db: Path) -> None:
    paper = ask(db, "select paper_id from entries where external_id = 'k1'")[0][0]
    assert "gives doi" in (await visitor(db).get(f"/library/papers/{paper}")).text
