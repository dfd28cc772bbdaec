"""Search: what is indexed and what is typed meet, and nothing typed is an error."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.forms import forms
from loader.search import (
    FIELDS,
    MOST_TERMS,
    NOTHING,
    Field,
    corrected,
    field_clause,
    field_evidence,
    field_words,
    fts_query,
    marked,
    nearest,
    only_without,
    parse,
    search_text,
    snippet,
    words,
)

TEXTS = {
    1: "We compare GPT-4.1 with C++ code and state-of-the-art R&D at 100% load.",
    2: "A Schrödinger bridge with α-divergence runs in O(n^2).",
    3: "我们提出了一种新的机器学习方法。",
    4: "The ﬁrst work on federated learning; not a survey, and or but.",
    5: "日本語のテキスト検索と 한국어 검색",
    6: "A method for federated averaging called FooNet.",
    7: "KettleNet outperforms pots, copies cups, and is planned for modelling of steam.",
}


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    """A table as schema.sql has it, filled with TEXTS."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create table papers (id integer primary key, search_text text)")
    connection.executemany(
        "insert into papers values (?, ?)", [(i, search_text(t)) for i, t in TEXTS.items()]
    )
    connection.execute(
        'create virtual table papers_fts using fts5 (search_text, content="papers", '
        'content_rowid="id", tokenize="unicode61 remove_diacritics 2")'
    )
    connection.execute("insert into papers_fts (papers_fts) values ('rebuild')")
    yield connection
    connection.close()


def found(index: sqlite3.Connection, typed: str) -> set[int]:
    sql = "select rowid from papers_fts where papers_fts match ?"
    return {row[0] for row in index.execute(sql, [fts_query(typed)])}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("GPT-4.1", {1}),
        ("gpt-4.1", {1}),
        ("GPT 4", {1}),
        ("state-of-the-art", {1}),
        ("C++", {1}),
        ("R&D", {1}),
        ("100%", {1}),
        ("schrodinger", {2}),
        ("Schrödinger", {2}),
        ("Schro\u0308dinger", {2}),
        ("O(n^2)", {2}),
        ("α-divergence", {2}),
        ("机器", {3}),
        ("学习 方法", {3}),
        ("机学", set()),
        ("検索", {5}),
        ("검색", {5}),
        ("first", {4}),
        ("ｆｅｄｅｒａｔｅｄ", {4, 6}),
        ("federated", {4, 6}),
        ("federated -survey", {6}),
        ('federated -"averaging called"', {4}),
        ("federated -survey -averaging", set()),
        ('"federated learning"', {4}),
        ('"learning federated"', set()),
        ("learning federated", {4}),
        ("“federated learning”", {4}),
        ('"federated aver"*', {6}),
        ("Foo*", {6}),
        ("Foo", set()),
        ("NOT", {4}),
        ("AND OR", {4}),
        ('"unclosed phrase', set()),
        ('"federated learning', {4}),
        ("foo:bar", set()),
        ("*", set()),
        ("", set()),
        ('"', set()),
        ("-survey", set()),
        ("federated\x00learning", {4}),
        ("outperform pots", {7}),
        ("outperformed", {7}),
        ("copy plans", {7}),
        ("Model", {7}),
        ("methods -outperform", {6}),
        ("pots -outperform", set()),
        ('pots -"outperform"', {7}),
        ('"outperform"', set()),
        ("OUTPERFORM", set()),
        ("outperfor*", {7}),
    ],
)
def test_typed_queries_find_what_they_mean(
    index: sqlite3.Connection, typed: str, expected: set[int]
) -> None:
    assert found(index, typed) == expected


def test_every_line_of_the_punctuation_case_is_a_query(index: sqlite3.Connection) -> None:
    lines = (
        (Path(__file__).parent / "data" / "cases" / "fts_queries.txt")
        .read_text("utf-8")
        .splitlines()
    )
    assert len(lines) >= 10
    for line in lines:
        found(index, line)


@pytest.mark.parametrize(
    "family",
    [
        "outperform outperforms outperformed outperforming",
        "improve improves improved improving",
        "study studies studied studying",
        "process processes processed processing",
        "model models modeled modelled modeling modelling",
        "plan plans planned planning",
        "rate rates rated rating",
        "embed embeds embedded embedding",
    ],
)
def test_regular_forms_find_each_other(family: str) -> None:
    words = family.split()
    for word in words:
        assert set(words) <= {word, *forms(word)}
        assert len(forms(word)) < 24


def test_what_is_no_form_is_left_alone() -> None:
    assert forms("news") == forms("during") == forms("cat") == forms("größe") == forms("gpt4") == ()
    assert "rat" not in forms("rating")
    assert "sped" not in forms("speed")
    assert not {"thi", "analysi", "focu"} & {*forms("this"), *forms("analysis"), *forms("focus")}


def test_what_was_typed_comes_before_its_other_forms() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table t using fts5 (body)")
    texts = ["it improves tea", "they improve tea", *["nothing of it"] * 8]
    connection.executemany("insert into t values (?)", [(text,) for text in texts])
    for typed, first in (("improve", 2), ("improves", 1)):
        found = connection.execute(
            "select rowid from t where t match ? order by rank", [fts_query(typed)]
        ).fetchall()
        assert found[0] == (first,)
        assert len(found) == 2
    connection.close()


def test_nothing_to_look_for_is_told() -> None:
    assert fts_query("") == fts_query(' * " -- ?!') == fts_query("-only -these") == NOTHING


def test_search_text_joins_parts_and_leaves_out_what_is_missing() -> None:
    assert search_text("A title", None, "", "words") == "A title\nwords"
    assert search_text("机器 ok").split() == ["机", "器", "ok"]


@settings(max_examples=400, deadline=None)
@given(typed=st.text(max_size=60))
def test_no_text_is_an_error(index: sqlite3.Connection, typed: str) -> None:
    found(index, typed)


@settings(max_examples=400, deadline=None)
@given(typed=st.lists(st.sampled_from([*'"-*()+^:{},.\x00\ud800', " ", "a", "机", "NOT", "NEAR"])))
def test_no_syntax_is_an_error(index: sqlite3.Connection, typed: list[str]) -> None:
    found(index, "".join(typed))


@pytest.mark.parametrize("unit", ["a ", "-a ", '"', "a* ", "机", '"a b" ', "(", "a\x00", "- "])
def test_long_queries_are_cut_not_refused(index: sqlite3.Connection, unit: str) -> None:
    found(index, "federated " + unit * 200_000)
    assert fts_query("a " * 1_000).count('"a"') == MOST_TERMS


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(
        st.text(st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x2FF), min_size=1),
        min_size=1,
        max_size=5,
    )
)
def test_a_text_is_found_by_its_own_words(words: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        'create virtual table t using fts5 (body, tokenize="unicode61 remove_diacritics 2")'
    )
    connection.execute("insert into t values (?)", [search_text(" ".join(words))])
    query = fts_query(" ".join(words))
    hits = connection.execute("select count(*) from t where t match ?", [query]).fetchone()[0]
    connection.close()
    assert hits == 1


# -- fields -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "rest", "fields"),
    [
        ("claim:first", "", [("claim", "first", False)]),
        ('tea dataset:"Tea Set" -name:x pot', "tea   pot", None),
        ("Claim:FIRST", "", [("claim", "FIRST", False)]),
        ("model:", "model:", []),
        ("foo:bar GPT-4.1", "foo:bar GPT-4.1", []),
        ('"a claim:first b"', '"a claim:first b"', []),
        ("http://claim:first", "http://claim:first", []),
        ("-topic:“tea pots”", "", [("topic", "tea pots", True)]),
        ("dataset: ImageNet", "", [("dataset", "ImageNet", False)]),
        ('tea topic:  "tea pots" -year: 2026', "tea", None),
        ("model: ", "model:", []),
        ("Method: we boil tea. " * 4, ("Method: we boil tea. " * 4).strip(), []),
    ],
)
def test_fields_are_told_from_words(typed: str, rest: str, fields: list | None) -> None:
    got = parse(typed)
    assert got.words == rest
    if fields is None and "year" in typed:
        fields = [("topic", "tea pots", False), ("year", "2026", True)]
    elif fields is None:
        fields = [("dataset", "Tea Set", False), ("name", "x", True)]
    assert [tuple(f) for f in got.fields] == fields


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", ["%", "first", "zq_b", "x' or 1 --", "100\\%"])
@pytest.mark.parametrize("excluded", [False, True])
def test_every_field_is_a_condition(rows, name: str, value: str, excluded: bool) -> None:
    sql, pattern = field_clause(Field(name, value, excluded), "id", "v")
    found = rows(f"select id from papers where {sql}", {"v": pattern})
    everything = rows("select id from papers")
    assert len(found) == (len(everything) if excluded else 0) or value in ("first", "%")


def test_fields_find_what_is_there(rows) -> None:
    def ids(field: Field) -> set[int]:
        sql, pattern = field_clause(field, "id", "v")
        return {i for (i,) in rows(f"select id from papers where {sql}", {"v": pattern})}

    first = {i for (i,) in rows("select id from papers where claims_first = 1")}
    assert ids(Field("claim", "First", False)) == first != set()
    assert len(ids(Field("claim", "First", True))) == 27 - len(first)
    name = rows("select name, paper_id from names order by id limit 1")[0]
    assert name[1] in ids(Field("name", name[0].lower(), False))
    for kind in ("dataset", "model", "method"):
        name, paper = rows("select name, paper_id from mentions where kind = ?", (kind,))[0]
        assert paper in ids(Field(kind, name.upper(), False))
    assert len(ids(Field("year", "2026", False))) == 27
    for one, other in (("state of the art", "state-of-the-art"), ("Outperform", "outperforms")):
        found = ids(Field("claim", one, False)) | ids(Field("claim", other, False))
        assert found == ids(Field("claim", one, False)) != set()
    # an example of the help: "federated and decentralized learning"
    topic = ids(Field("topic", "federated learning", False))
    assert topic == ids(Field("topic", "learning Federated*", False)) != set()
    assert len(topic) + len(ids(Field("topic", "federated learning", True))) == 27
    assert ids(Field("topic", "federated cooking", False)) == set()
    assert (
        ids(Field("name", "VaseVQA 3D", False)) == ids(Field("name", "vasevqa-3d", False)) != set()
    )


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_has_what_shows_it(rows, field: str) -> None:
    values = {"claim": "result", "year": "2026", "venue": "ICLR", "dataset": "a", "name": "a"}
    wanted = Field(field, values.get(field, "e"), False)
    clause, value = field_clause(wanted, "id", "v")
    papers = {i for (i,) in rows(f"select id from papers where {clause}", {"v": value})}
    sql, value = field_evidence(wanted)
    everything = json.dumps([i for (i,) in rows("select id from papers")])
    found = rows(sql, {"ids": everything, "value": value})
    assert {paper for paper, _, _ in found} == papers
    assert papers or field == "author"
    for _, text, name in found:
        assert any(s.found for s in marked(text, field_words(wanted, name))) or not name


def test_words_to_leave_out_alone_are_told() -> None:
    assert only_without('-tea -"green milk" -pot*') == '"tea" OR "green milk" OR "pot*"*'
    assert only_without("tea -milk") is only_without("") is only_without("-") is None


# -- what was found -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "typed", "found"),
    [
        ("We compare GPT-4.1 and GPT 4.", "gpt-4.1", ["GPT-4.1"]),
        ("A Schrödinger bridge, Schro\u0308dinger's", "schrodinger", 2),
        ("我们提出机器学习方法。", "机器学习", ["机器学习"]),
        ("用AI机器学习", "AI 学习", ["AI", "学习"]),
        ("teapots and tea pot", "tea", ["tea"]),
        ("teapots and tea pot", "tea*", ["teapots", "tea"]),
        ("用AI机器学习", "A* 学*", ["AI", "学"]),
        ("a reward-model, a reward  model", '"reward model"', ["reward-model", "reward  model"]),
        ("tea without milk", "tea -milk", ["tea"]),
        ("It improves, and improved", "improve", ["improves", "improved"]),
        ("It improves", '"improve"', []),
        ("İstanbul and ﬁrst", "first", ["ﬁrst"]),
        ("nothing", "!!", []),
        ("", "tea", []),
    ],
)
def test_words_found_are_marked(text: str, typed: str, found: list[str] | int) -> None:
    stretches = marked(text, typed)
    assert "".join(s.text for s in stretches) == text
    hits = [s.text for s in stretches if s.found]
    assert (len(hits) if isinstance(found, int) else hits) == found


def test_a_snippet_holds_what_was_looked_for() -> None:
    text = "Water boils. " * 60 + "The kettle sings of tea and heat. " + "Steam rises. " * 60
    parts = snippet(text, "kettle heat", 120)
    assert [s.text for s in parts if s.found] == ["kettle", "heat"]
    shown = "".join(s.text for s in parts)
    assert 60 < len(shown) < 200
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert shown.strip("… ") in text
    assert "".join(s.text for s in snippet(text, "absent", 120)).startswith("Water boils")
    assert "".join(s.text for s in snippet("short", "x")) == "short"


@settings(max_examples=60)
@given(st.text(max_size=300), st.text(max_size=40))
def test_marking_never_loses_a_character(text: str, typed: str) -> None:
    assert "".join(s.text for s in marked(text, typed)) == text
    shown = "".join(s.text for s in snippet(text, typed, 80))
    assert shown.removeprefix("… ").removesuffix(" …") in text
    parse(typed)


# -- did you mean -------------------------------------------------------------------------

VOCABULARY = {"federated": 9, "federation": 3, "learning": 20, "leaning": 1, "model": 7, "modal": 8}


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("federatde lerning", "federated learning"),
        ("federated learning", None),
        ("Fedrated -lerning", "federated -lerning"),
        ("modle", "model"),
        ("mdl", None),
        ("xyzzyplugh", None),
        ("feder*", None),
        ('claim:first "federated lerning" modle', 'claim:first "federated lerning" model'),
        ("机器学习", None),
    ],
)
def test_misspelt_words_are_corrected(typed: str, better: str | None) -> None:
    assert corrected(typed, VOCABULARY) == better


def test_the_commonest_of_the_nearest_is_meant() -> None:
    assert nearest("leraning", VOCABULARY) == "learning"
    assert nearest("mod", VOCABULARY) is None
    assert words("a-b tea* -milk Größe claim:first") == ["große"]
