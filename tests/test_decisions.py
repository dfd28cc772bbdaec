"""What people decide, what removing a source restores, what merging keeps."""

from __future__ import annotations

import csv
import json
import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loader import build
from loader.decisions import VERDICTS
from loader.decisions import read as read_csv
from loader.model import LoadError
from tests.test_build import knowledge

KETTLE = (
    "Kettles boil slowly at altitude, and nobody has measured by how much. We heat 40 kettles at "
    "nine heights and fit a model of the time to boil. The model predicts the time within 3 "
    "seconds. It fails for kettles without a lid. A table for tea houses is included."
)
BRIDGE = (
    "Footbridges sway when crowds fall into step. We fix sensors to three bridges for a year and "
    "record every crossing. Sway begins near 160 walkers and grows with the square of their "
    "number. Dampers tuned to the second mode halve it. The records are open."
)
BEES = (
    "Bees that return from lavender dance differently, or so keepers say. We film 1,200 dances at "
    "two hives and read their angles with a small network. The angles differ by 2 degrees at most, "
    "which wind explains. Keepers may have seen the slower wing beat, which we find as well."
)
INK = (
    "Old ledgers fade, and scanners raise the stain as well as the ink. We train a filter on pairs "
    "of pages before and after washing. It restores 91% of the digits that clerks could no longer "
    "read. No page was harmed. The filter runs on a telephone, and archives use it already."
)
# one sentence that could be anybody's, with a blank to fill
FAMILY = (
    "The weather station at {} has measured rain and wind every hour since it was founded. This "
    "note describes its instruments, the gaps of its record and how they were filled. The data are "
    "kept by the regional office and can be had on request. Please cite this note when you use "
    "them, and tell the office of errors that you find. The station is visited twice a year."
)
TOWNS = (
    "Abau Brill Corve Dunmo Elwick Farne Gosta Hulme Ibrox Jarne Kells Lorne Marle Norby Oxton"
).split()


def record(name: str, text: str = "", **fields: Any) -> dict[str, Any]:
    return {"id": name, "abstract": text, **fields}


def load(path: Path, *batches: Sequence[dict[str, Any]]) -> build.LoadReport:
    """Load batches of records, each as a file of its own, one after the other."""
    for batch in batches:
        file = path.with_name(
            "-".join(r.get("id", "") for r in batch)[:60] + f"-{len(batch)}.jsonl"
        )
        file.write_text("\n".join(map(json.dumps, batch)) + "\n", "utf-8")
        report = build.load([file], path)
    return report


def ask(path: Path, sql: str, parameters: Sequence[object] = ()) -> list[tuple]:
    conn = sqlite3.connect(path)
    found = conn.execute(sql, parameters).fetchall()
    conn.close()
    return found


def papers(path: Path) -> set[frozenset[str]]:
    """The papers as sets of the ids that sources give their entries."""
    found: dict[int, set[str]] = {}
    for paper, name in ask(path, "select paper_id, external_id from entries"):
        found.setdefault(paper, set()).add(name)
    return {frozenset(names) for names in found.values()}


def entry(path: Path, name: str) -> int:
    return ask(path, "select id from entries where external_id = ?", [name])[0][0]


def say(path: Path, one: str, other: str, verdict: str, **more: str) -> build.Settled:
    return build.settle_named(path, f"id:{one}", f"id:{other}", VERDICTS[verdict], **more)


def changed(text: str, word: str, other: str) -> str:
    assert word in text
    return text.replace(word, other)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


# -- what people say ------------------------------------------------------------------------


def test_a_merge_can_be_undone_and_the_old_id_comes_back(db: Path) -> None:
    a, b = record("a", KETTLE), record("b", KETTLE + " It is free.")
    load(db, [a])
    (alone,) = ask(db, "select id from papers")
    load(db, [b])
    assert papers(db) == {frozenset("ab")}
    merged = knowledge(db)
    ids = {row[0] for row in ask(db, "select content_id from entries")}
    (retired,) = ids - {ask(db, "select id from papers")[0][0]}
    assert ask(db, "select old_id from paper_aliases") == [(retired,)]

    settled = build.settle_named(db, str(min(ids)), str(retired), "distinct", "other kettles")
    assert papers(db) == {frozenset("a"), frozenset("b")}
    assert {paper for paper, _ in settled.papers} == ids >= set(alone)
    assert ask(db, "select old_id from paper_aliases") == []
    assert ask(db, "select verdict, method from duplicates") == [("distinct", "user")]
    (evidence,) = ask(db, "select evidence from duplicates")[0]
    assert evidence.endswith(": other kettles")
    assert list(build.check(db)) == []

    build.settle_named(db, str(min(ids)), str(retired), None)
    assert knowledge(db) == merged
    assert ask(db, "select count(*) from decisions") == [(0,)]


def test_what_is_said_wins_over_every_rule_at_once(db: Path) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE), record("c", BEES)])
    assert len(say(db, "a", "b", "same").papers) == 1
    assert papers(db) == {frozenset("ab"), frozenset("c")}
    assert ask(db, "select entry_count, methods from duplicate_groups") == [(2, "user")]
    say(db, "b", "c", "version")
    assert ask(db, "select verdict from duplicates where method = 'user' order by 1") == [
        ("duplicate",),
        ("version",),
    ]
    # the later word about the same two counts
    say(db, "a", "b", "distinct")
    assert papers(db) == {frozenset("a"), frozenset("b"), frozenset("c")}
    assert ask(db, "select count(*) from decisions") == [(2,)]
    # the search follows
    hits = "select rowid from papers_fts where papers_fts match '\"kettles\"'"
    assert len(ask(db, hits)) == 1
    assert list(build.check(db)) == []


def test_what_is_said_outlives_loads_and_rebuilds(db: Path, tmp_path: Path) -> None:
    first = [record("a", KETTLE), record("b", changed(KETTLE, "slowly", "badly"))]
    second = [record("c", BRIDGE), record("d", BEES)]
    load(db, first)
    say(db, "a", "b", "distinct", note="=other\n\"kettles\", 'really'", by="Kim")
    load(db, second)
    say(db, "c", "d", "same")
    load(db, [record("e", KETTLE + " See the appendix.")])
    assert not any({"a", "b"} <= paper for paper in papers(db))
    file = tmp_path / "said.csv"
    assert build.export_decisions(db, file) == 2
    assert "Kettles boil slowly at altitude" in file.read_text("utf-8")

    for mark in ";\t":  # as spreadsheets write it
        rows = csv.reader(file.read_text("utf-8").splitlines(keepends=True))
        with (tmp_path / "sheet.csv").open("w", encoding="utf-8-sig", newline="") as out:
            csv.writer(out, delimiter=mark, lineterminator="\r\n").writerows(rows)
        assert read_csv(tmp_path / "sheet.csv") == read_csv(file)

    other = tmp_path / "other.db"
    load(other, second, [record("e", KETTLE + " See the appendix.")], first)
    assert {"c", "d"} not in papers(other)
    report = build.import_decisions(other, file)
    assert (report.read, report.new, report.elsewhere) == (2, 2, 0)
    assert knowledge(other)[1:] == knowledge(db)[1:]
    assert ask(other, "select * from decisions order by 1") == ask(
        db, "select * from decisions order by 1"
    )
    again = build.import_decisions(other, file)
    assert (again.read, again.known, again.new, again.changed) == (2, 2, 0, 0)
    # said before anything is loaded that it is about
    early = tmp_path / "early.db"
    load(early, [record("z", INK)])
    assert build.import_decisions(early, file).elsewhere == 2
    load(early, second, first)
    assert {"c", "d"} in papers(early)
    assert not any({"a", "b"} <= paper for paper in papers(early))


def test_a_later_word_is_not_overwritten_by_an_older_file(db: Path, tmp_path: Path) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE)])
    say(db, "a", "b", "same")
    file = tmp_path / "said.csv"
    build.export_decisions(db, file)
    text = file.read_text("utf-8")
    (when,) = ask(db, "select decided_at from decisions")[0]
    file.write_text(text.replace("duplicate,", "version,").replace(when, "2001-01-01"), "utf-8")
    assert build.import_decisions(db, file).older == 1
    assert papers(db) == {frozenset("ab")}
    file.write_text(text.replace("duplicate,", "version,").replace(when, "2999-01-01"), "utf-8")
    assert build.import_decisions(db, file).changed == 1
    assert papers(db) == {frozenset("a"), frozenset("b")}


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("", 1, "the file is empty"),
        ("verdict,text_hash\n", 1, "no column other_text_hash"),
        ("H\nmaybe,{a},{b}\n", 2, "the verdict is 'maybe'"),
        ("H\n\nsame,xyz,{b}\n", 3, "'xyz' is not a SHA-256"),
        ("H\nsame,{a},{a}\n", 2, "both hashes are the same"),
        ("H\nsame,{a},{b}\nsame,{a}\n", 3, "2 cells"),
        ("verdict,Verdict,text_hash,other_text_hash\n", 1, "the column verdict stands twice"),
        ("verdict;text_hash;other_text_hash\nsame;{a}\n", 2, "2 cells"),
        ('H\nsame,{a},{b}\nsame,"{a},{b}\n', 3, "not valid CSV"),
        ("verdict,text_hash,other_text_hash,basis\nsame,{a},{b},mood\n", 2, "the basis is 'mood'"),
        ("verdict,text_hash,other_text_hash,basis\nsame,{a},{b},place\n", 2, "a colon"),
        ("verdict,text_hash,other_text_hash,decided_at\nsame,{a},{b},noon\n", 2, "decided_at"),
    ],
)
def test_a_broken_csv_gives_file_and_line_and_changes_nothing(
    db: Path, tmp_path: Path, content: str, line: int, said: str
) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE)])
    before = knowledge(db)
    content = content.replace("H\n", "verdict,text_hash,other_text_hash\n")
    file = tmp_path / "said.csv"
    file.write_text(content.replace("{a}", "a" * 64).replace("{b}", "b" * 64), "utf-8")
    with pytest.raises(LoadError) as caught:
        build.import_decisions(db, file)
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert said in str(caught.value)
    assert (knowledge(db), ask(db, "select count(*) from decisions")) == (before, [(0,)])


@given(st.text(max_size=400))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_csv_is_read_or_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "said.csv"
    file.write_text(f"verdict,text_hash,other_text_hash\n{content}", "utf-8", "surrogatepass")
    refused = ""
    try:
        read_csv(file)
    except LoadError as error:
        refused = str(error)
    assert not refused or refused.startswith(f"{file}:")


def test_equal_texts_are_told_apart_by_record_or_place(db: Path) -> None:
    nothing = "No abstract available."
    load(
        db,
        [
            record("a", nothing, title="On the sleep of otters"),
            record("b", nothing, title="On the sleep of sea otters"),
            record("c", nothing, title="Harbours without tide"),
            record("d", "", title="Winter feed for ponies"),
            record("e", "", title="Ponies and their feed in winter"),
        ],
        [record("f", "We mask clouds.")],
        [{"abstract": "We mask clouds."}],
    )
    before = papers(db)
    assert len(before) == 7
    say(db, "a", "b", "same")
    assert papers(db) == before - {frozenset("a"), frozenset("b")} | {frozenset("ab")}
    say(db, "d", "e", "same")
    assert frozenset("de") in papers(db)
    assert ask(db, "select distinct basis from decisions") == [("record",)]
    one, other = (row[0] for row in ask(db, "select id from entries where text like 'We mask%'"))
    build.decide(db, one, other, "duplicate")
    assert ask(db, "select basis, count(*) from decisions group by 1") == [("record", 3)]
    assert len(papers(db)) == 4
    build.decide(db, one, other, "distinct")
    assert ask(db, "select count(*) from decisions") == [(3,)]
    assert len(ask(db, "select * from papers")) == 5
    assert list(build.check(db)) == []


def test_equal_records_are_told_apart_by_their_place(db: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"Toy 2020 Papers\n\n{KETTLE}\n\n{KETTLE}\n", "utf-8")
    build.load([tmp_path / "a.txt"], db)
    assert len(ask(db, "select * from papers")) == 1
    build.decide(db, 1, 2, "distinct")
    assert len(ask(db, "select * from papers")) == 2
    assert ask(db, "select basis from decisions") == [("place",)]
    other = tmp_path / "b.db"
    build.load([tmp_path / "a.txt"], other)
    build.export_decisions(db, tmp_path / "said.csv")
    build.import_decisions(other, tmp_path / "said.csv")
    assert len(ask(other, "select * from papers")) == 2


def test_a_word_about_a_placeholder_is_not_one_about_all_of_them(db: Path) -> None:
    nothing = "There is no abstract for this article."
    load(db, [record(f"p{n}", nothing, title=f"Letter from {t}") for n, t in enumerate(TOWNS)])
    load(db, [record("k", KETTLE)])
    say(db, "p3", "k", "same")
    assert [paper for paper in papers(db) if len(paper) > 1] == [frozenset({"p3", "k"})]


def told(path: Path) -> list[tuple]:
    return ask(path, "select text_hash, other_text_hash, verdict from decisions order by 1, 2")


@pytest.mark.parametrize(
    ("before", "now", "against"),
    [
        (["a c same", "c d same"], "a d distinct", ["a c same", "c d same"]),
        (["a c same", "c d same"], "d a version", ["a c same", "c d same"]),
        (["a c same", "a d distinct"], "c d same", ["a d distinct", "a c same"]),
        (["a c same", "a d version"], "d c same", ["a d version", "a c same"]),
        (["a c same", "c d version"], "a d distinct", ["c d version", "a c same"]),
        (["a b version", "b c distinct"], "a c same", ["a b version", "b c distinct"]),
    ],
)
def test_what_contradicts_earlier_words_is_refused(
    db: Path, before: list[str], now: str, against: list[str]
) -> None:
    load(db, [record(n, t) for n, t in zip("abcd", (KETTLE, BRIDGE, BEES, INK), strict=True)])
    for words in before:
        say(db, *words.split(), by="Kim")  # type: ignore[misc]
    stored, known = told(db), knowledge(db)
    with pytest.raises(LoadError, match="contradicts what was said before") as caught:
        say(db, *now.split())
    line = str(caught.value)
    assert "\n" not in line
    said = {"same": "are the same paper", "version": "are versions", "distinct": "are not the same"}
    for one, other, verdict in map(str.split, against):
        assert any(
            f"entry:{entry(db, x)} (a-b-c-d-4.jsonl:{entry(db, x)}) and entry:{entry(db, y)} "
            f"(a-b-c-d-4.jsonl:{entry(db, y)}) {said[verdict]}" in line
            for x, y in ((one, other), (other, one))
        ), line
    assert line.count("Kim") == len(against)
    assert (told(db), knowledge(db)) == (stored, known)
    # what the line advises helps
    command = line.rpartition("litsette duplicates forget ")[2].split()
    build.settle_named(db, *command, None)
    say(db, *now.split())
    assert list(build.check(db)) == []


def test_one_may_change_ones_mind_about_a_pair(db: Path) -> None:
    load(db, [record(n, t) for n, t in zip("abc", (KETTLE, BRIDGE, BEES), strict=True)])
    say(db, "a", "b", "same")
    say(db, "b", "c", "same")
    for word in ("distinct", "version", "same", "distinct"):
        say(db, "c", "b", word)
        assert len(told(db)) == 2
    assert papers(db) == {frozenset("ab"), frozenset("c")}
    # a name of the whole paper means the pair that somebody joined
    a_or_b = ask(db, "select content_id from entries where external_id = 'b'")[0][0]
    kept = ask(db, "select id from papers where entry_count = 2")[0][0]
    build.settle_named(db, str(a_or_b), f"entry:{entry(db, 'a')}", "distinct")
    assert kept
    assert [row[2] for row in told(db)] == ["distinct", "distinct"]


def test_words_about_texts_and_about_records_are_held_together(db: Path) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE)])
    say(db, "a", "b", "same")
    load(db, [record("c", KETTLE, title="Kettles at height")])
    with pytest.raises(LoadError, match="contradicts"):
        say(db, "a", "c", "distinct")
    say(db, "a", "b", "distinct")
    say(db, "a", "c", "distinct")
    assert len(papers(db)) == 3


def test_contradictions_in_a_csv_are_rejected_line_by_line(db: Path, tmp_path: Path) -> None:
    texts = dict(zip("abcd", (KETTLE, BRIDGE, BEES, INK), strict=True))
    load(db, [record(name, text) for name, text in texts.items()])
    say(db, "a", "b", "same")
    keys = dict(ask(db, "select external_id, text_hash from entries"))
    rows = ["b c same", "a c distinct", "b a version", "c d version", "d a same", "c d distinct"]
    file = tmp_path / "said.csv"
    lines = [f"{v},{keys[x]},{keys[y]},2999-01-01" for x, y, v in map(str.split, rows)]
    header = "verdict,text_hash,other_text_hash,decided_at"
    file.write_text("\n".join([header, *lines]) + "\n", "utf-8")
    report = build.import_decisions(db, file)
    assert [line for line, _ in report.rejected] == [3, 7]
    assert (report.read, report.loaded, report.new, report.changed) == (6, 4, 3, 1)
    assert all("litsette duplicates forget entry:" in reason for _, reason in report.rejected)
    assert papers(db) == {frozenset("ad"), frozenset("bc")}
    assert list(build.check(db)) == []


def test_what_was_said_of_texts_that_are_gone_can_be_taken_back(db: Path) -> None:
    load(db, [record("a", KETTLE)], [record("b", BRIDGE), record("c", BEES)])
    say(db, "a", "b", "same")
    say(db, "b", "c", "same")
    keys = dict(ask(db, "select external_id, text_hash from entries"))
    build.remove_source(db, 2)
    load(db, [record("c", BEES)])
    with pytest.raises(LoadError, match="a text that is not here") as caught:
        say(db, "a", "c", "distinct")
    command = str(caught.value).rpartition("litsette duplicates forget ")[2].split()
    assert set(command) == {keys["a"], keys["b"]} or set(command) == {keys["b"], keys["c"]}
    build.settle_named(db, *command, None)
    say(db, "a", "c", "distinct")
    assert len(told(db)) == 2


def test_contradictions_that_came_in_another_way_are_listed(db: Path) -> None:
    load(db, [record(n, t) for n, t in zip("abc", (KETTLE, BRIDGE, BEES), strict=True)])
    say(db, "a", "b", "same")
    say(db, "b", "c", "same")
    a, c = (ask(db, f"select text_hash from entries where external_id = '{n}'")[0][0] for n in "ac")
    conn = sqlite3.connect(db)
    conn.execute(
        "insert into decisions (text_hash, other_text_hash, verdict, decided_at)"
        " values (?, ?, 'distinct', '2999-01-01')",
        sorted((a, c)),
    )
    conn.commit()
    conn.close()
    (line,) = build.check(db)
    assert line.startswith("decisions: entry:")
    assert "are not the same (2999-01-01), but entry:" in line
    load(db, [record("d", KETTLE + " It is free.")])  # and nothing breaks
    assert len(papers(db)) == 2
    assert len(list(build.check(db))) == 1


def test_thousands_of_decisions_are_held_together_in_time(db: Path, tmp_path: Path) -> None:
    load(db, [record("a", KETTLE)])
    lines = ["verdict,text_hash,other_text_hash"]
    for n in range(3_000):
        verdict = "same" if n % 3 else "distinct"
        lines.append(f"{verdict},{0 if n % 3 else 9:064x},{10 + n:064x}")
    lines.append(f"same,{0:064x},{9:064x}")
    file = tmp_path / "said.csv"
    file.write_text("\n".join(lines), "utf-8")
    report = build.import_decisions(db, file)
    assert (report.new, report.rejected, report.elsewhere) == (3_001, (), 3_001)


def test_a_paper_that_a_person_joins_stays_whole(db: Path) -> None:
    """Of three entries that rules merge, one resembles the fourth; the others are vetoed."""
    load(
        db,
        [record("a", KETTLE), record("b", f"**{KETTLE}**"), record("c", KETTLE + " It is free.")],
        [record("d", changed(KETTLE, "40 kettles", "60 kettles"))],
    )
    assert papers(db) == {frozenset("abc"), frozenset("d")}
    say(db, "b", "d", "same")
    assert papers(db) == {frozenset("abcd")}
    say(db, "b", "d", "distinct")
    assert papers(db) == {frozenset("abc"), frozenset("d")}
    say(db, "a", "d", "same")
    assert {"a", "d"} <= next(paper for paper in papers(db) if "d" in paper)
    assert not any({"b", "d"} <= paper for paper in papers(db))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("id:a", "id:nope", "'id:nope' is no paper, entry, id"),
        ("99999", "id:a", "'99999' is no paper"),
        ("id:a", "id:a", "both are entry 1"),
        ("twin", "id:a", "'twin' can mean entry:"),
        ("2", "id:a", "'2' can mean entry:2"),
        ("10.1/none", "id:a", "'10.1/none' is no paper"),
        ("", "id:a", "'' is no paper"),
    ],
)
def test_names_that_mean_nothing_or_much_are_refused(
    db: Path, one: str, other: str, said: str
) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE), record("2", BEES)])
    load(db, [record("twin", INK)])
    load(db, [record("twin", FAMILY.format("Abau"))])
    before = knowledge(db)
    with pytest.raises(LoadError) as caught:
        build.settle_named(db, one, other, "distinct")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert knowledge(db) == before


def test_entries_that_do_not_exist_or_are_one_are_refused(db: Path) -> None:
    load(db, [record("a", KETTLE), record("b", BRIDGE)])
    with pytest.raises(LoadError, match="there is no entry 7"):
        build.decide(db, 1, 7, "duplicate")
    with pytest.raises(LoadError, match="both are entry 1"):
        build.decide(db, 1, 1, "duplicate")
    with pytest.raises(LoadError, match="not possible"):
        build.decide(db, 1, 2, "possible")
    with pytest.raises(LoadError, match="nothing to take back"):
        build.forget(db, 1, 2)
    with pytest.raises(LoadError, match="no such database"):
        build.decide(db.with_name("none.db"), 1, 2, "duplicate")


@pytest.mark.parametrize(
    "name",
    ["id:a", "a", "entry:1", "doi:10.5555/TOY", "https://doi.org/10.5555/toy", "10.5555/Toy",
     "arXiv:2501.00001", "https://arxiv.org/abs/2501.00001v2", "a-b-2.jsonl:1"],
)  # fmt: skip
def test_every_name_leads_to_the_paper(db: Path, name: str) -> None:
    a = record("a", KETTLE, doi="10.5555/toy", url="https://arxiv.org/abs/2501.00001")
    load(db, [a, record("b", KETTLE + " More.")], [record("c", INK)])
    (place,) = build.look_up(db, name)
    assert place.paper_id == ask(db, "select paper_id from entries where id = 1")[0][0]
    assert place.where == "a-b-2.jsonl:1"
    for (old,) in ask(db, "select old_id from paper_aliases union all select id from papers"):
        assert build.look_up(db, str(old))


def test_a_pair_that_stays_keeps_its_address(db: Path) -> None:
    load(db, [record("a", KETTLE), record("b", changed(KETTLE, "40 kettles", "60 kettles"))])
    load(db, [record("c", changed(KETTLE, "40 kettles", "70 kettles"))])
    rows = dict(ask(db, "select id, verdict from duplicates"))
    assert set(rows.values()) == {"possible"}
    row = min(rows)
    build.decide(
        db,
        *ask(db, "select entry_id, other_entry_id from duplicates where id = ?", [row])[0],
        "distinct",
    )
    after = dict(ask(db, "select id, verdict from duplicates"))
    assert after[row] == "distinct"
    assert set(after) == set(rows)


# -- groups ---------------------------------------------------------------------------------

NOTE = "This note was imported without its text, please consult the printed volume of the year."


def lot(kind: str, first: int, count: int) -> list[dict[str, Any]]:
    """Records that share one text, one DOI or one template, each a paper of its own."""
    numbers = range(first, first + count)
    if kind == "text":
        return [record(f"p{n}", NOTE, title=f"Letter {n} from {TOWNS[n % 15]}") for n in numbers]
    if kind == "doi":
        subjects = "otters", "tides", "looms", "kilns", "ferns"
        return [
            record(f"p{n}", title=f"{TOWNS[n % 15]} and its {subjects[n // 15 % 5]} in {1000 + n}",
                   doi="10.5555/Suppl.1")
            for n in numbers
        ]  # fmt: skip
    return [record(f"p{n}", FAMILY.format(f"{TOWNS[n % 15]}{n // 15}ia")) for n in numbers]


def questions_of(path: Path) -> list[tuple]:
    return ask(path, "select entry_id, other_entry_id, pairs, evidence from open_questions")


@pytest.mark.parametrize("kind", ["text", "doi", "template"])
def test_one_question_stands_for_a_group_and_one_answer_settles_it(
    db: Path, tmp_path: Path, kind: str
) -> None:
    load(db, [*lot(kind, 0, 60), record("other", INK)])
    assert len(papers(db)) == 61
    ((a, b, pairs, evidence),) = questions_of(db)
    best = "select max(score) from duplicates where verdict = 'possible'"
    assert ask(db, "select score from open_questions") == ask(db, best)
    assert pairs == 59
    expected = {"text": "the same text stands in 60 entries", "doi": "60 entries share this DOI",
                "template": "shares a template with 59 others"}  # fmt: skip
    assert expected[kind] in evidence
    # each entry has its reason
    assert ask(db, "select count(*) from (select entry_id from duplicates union"
                   " select other_entry_id from duplicates)") == [(60,)]  # fmt: skip
    assert build.questions(db)[1][0].pairs == 59
    before = knowledge(db)
    file = tmp_path / "said.csv"

    settled = build.decide(db, a, b, "distinct", "all letters", "Kim", group=True)
    assert settled.questions == 0
    assert ask(db, "select verdict, method, count(*) from duplicates group by 1, 2") == [
        ("distinct", "user", 59)
    ]
    assert "Kim said so of the whole group" in ask(db, "select evidence from duplicates")[0][0]
    load(db, lot(kind, 60, 20))  # what comes later is settled as well
    assert (len(papers(db)), questions_of(db)) == (81, [])
    build.export_decisions(db, file)

    # one of them is another after all
    say(db, "p3", "p4", "same")
    assert frozenset({"p3", "p4"}) in papers(db)
    assert len(papers(db)) == 80
    assert list(build.check(db)) == []

    # undone, everything is as it was
    build.remove_source(db, 2)
    build.forget(db, entry(db, "p3"), entry(db, "p4"))
    with pytest.raises(LoadError, match="add --group"):
        build.forget(db, a, b)
    build.forget(db, a, b, group=True)
    assert knowledge(db) == before

    # and said elsewhere
    assert build.import_decisions(db, file).new == 1
    assert questions_of(db) == []
    other = tmp_path / "other.db"
    load(other, [record("other", INK)])
    assert build.import_decisions(other, file).elsewhere == 1
    load(other, lot(kind, 0, 30), lot(kind, 30, 30))
    assert (len(papers(other)), questions_of(other)) == (61, [])


@pytest.mark.parametrize("kind", ["text", "doi", "template"])
def test_a_group_can_be_one_paper(db: Path, kind: str) -> None:
    load(db, lot(kind, 0, 40))
    (a, b, *_) = questions_of(db)[0]
    assert len(build.decide(db, a, b, "duplicate", group=True).papers) == 1
    assert len(papers(db)) == 1
    load(db, lot(kind, 40, 3))
    assert len(papers(db)) == 1
    with pytest.raises(LoadError, match=r"the 4\d entries with (the|one) .* same paper .*--group"):
        say(db, "p1", "p2", "distinct")
    build.decide(db, a, b, "version", group=True)
    assert len(papers(db)) == 43
    assert ask(db, "select distinct verdict from duplicates") == [("version",)]
    say(db, "p1", "p2", "distinct")
    with pytest.raises(LoadError, match="are not the same"):
        build.decide(db, a, b, "duplicate", group=True)
    assert list(build.check(db)) == []


@pytest.mark.parametrize("kind", ["text", "template"])
def test_what_was_said_of_a_group_holds_when_it_is_small(db: Path, kind: str) -> None:
    load(db, lot(kind, 0, 4), lot(kind, 4, 30))
    (a, b, *_) = questions_of(db)[0]
    build.decide(db, a, b, "distinct", group=True)
    if kind == "template":  # it is known by the texts that are left
        anchor = ask(db, "select text_hash from decisions")[0][0].removeprefix("template:")
        left = ask(db, "select source_id from entries where plain_hash = ?", [anchor])[0][0]
        build.remove_source(db, 3 - left)
    else:
        build.remove_source(db, 2)
    assert len(papers(db)) == ask(db, "select count(*) from entries")[0][0]
    assert questions_of(db) == []


def test_a_few_that_all_resemble_each_other_are_settled_together(db: Path) -> None:
    texts = [changed(KETTLE, "40 kettles", f"{n} kettles") for n in range(41, 49)]
    load(db, [record(f"k{n}", text) for n, text in enumerate(texts[:6])])
    ((a, b, pairs, evidence),) = questions_of(db)
    assert pairs == 15
    assert "6 papers resemble each other so" in evidence
    build.decide(db, a, b, "distinct", group=True)
    load(db, [record(f"l{n}", text) for n, text in enumerate(texts[6:])])
    assert (len(papers(db)), questions_of(db)) == (8, [])
    build.decide(db, a, b, "duplicate", group=True)
    assert len(papers(db)) == 1
    build.forget(db, a, b, group=True)
    assert [row[2] for row in questions_of(db)] == [28]
    assert list(build.check(db)) == []


@pytest.mark.parametrize("kind", ["text", "doi"])
def test_any_two_of_a_group_stand_for_it(db: Path, kind: str) -> None:
    load(db, lot(kind, 0, 40))
    for one, other in (("p5", "p6"), ("p20", "p31")):
        a, b = entry(db, one), entry(db, other)
        build.decide(db, a, b, "distinct", group=True)
        assert questions_of(db) == []
        build.forget(db, a, b, group=True)
        assert len(questions_of(db)) == 1


def test_rows_of_no_group_do_not_hide_the_group(db: Path) -> None:
    load(db, lot("doi", 0, 40))
    members = [entry(db, name) for name in ("p5", "p6", "p7", "p8")]
    conn = sqlite3.connect(db)
    with conn:  # each of the two is also asked about with another, by themselves
        for one, other in (members[::2], members[1::2]):
            conn.execute(
                "insert into duplicates"
                " (entry_id, other_entry_id, verdict, method, score, evidence)"
                " values (?, ?, 'possible', 'near', 90, 'made')",
                (other, one),
            )
    conn.close()
    build.decide(db, members[0], members[1], "distinct", group=True)
    assert ask(db, "select basis from decisions") == [("group",)]


def test_a_pair_without_a_group_is_refused_as_one(db: Path) -> None:
    load(db, [record("a", KETTLE), record("b", changed(KETTLE, "40 kettles", "60 kettles"))])
    for act in (lambda: build.decide(db, 1, 2, "distinct", group=True),
                lambda: build.forget(db, 1, 2, group=True)):  # fmt: skip
        with pytest.raises(LoadError, match="no group"):
            act()


# -- the order of loading -------------------------------------------------------------------

POOL = [
    record("k1", KETTLE, doi="10.5555/kettle"),
    record("k2", f"**{KETTLE}**", year=2020),
    record("k3", changed(KETTLE, "slowly", "badly"), venue="Teas"),
    record("k4", changed(KETTLE, "40 kettles", "60 kettles")),
    record("b1", BRIDGE, title="Sway of footbridges under crowds"),
    record("b2", BRIDGE.replace(" The records are open.", "")),
    record("b3", BRIDGE, title="Sway of footbridges under crowds: an erratum"),
    record("e1", BEES),
    record("e2", BEES + " " + INK),
    record("i1", INK, keywords=["ink", "paper"]),
    record("s1", "We mask clouds."),
    record("s2", "We mask clouds."),
    record("t1", title="Ponies and their feed in winter", authors=["A. Doe"], year=2001),
    record("t2", title="Ponies and their feed in winter.", authors=["Ann Doe"], year=2001),
    *(record(f"f{n}", FAMILY.format(town)) for n, town in enumerate(TOWNS)),
]
SAID = [("k1", "k3", "distinct"), ("e1", "i1", "same"), ("s1", "s2", "same"), ("f1", "f2", "same"),
        ("b1", "b3", "version")]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[frozenset[str]]]:
    """The pool loaded at once, then decided; and its papers."""
    path = tmp_path_factory.mktemp("whole") / "a.db"
    load(path, POOL)
    for said in SAID:
        say(path, *said)
    build.export_decisions(path, path.with_name("said.csv"))
    return path, papers(path)


def test_the_pool_is_settled_as_a_person_would(whole: tuple[Path, set[frozenset[str]]]) -> None:
    found = {paper for paper in whole[1] if len(paper) > 1}
    assert frozenset({"k1", "k2"}) in found
    assert frozenset({"f1", "f2"}) in found
    assert frozenset({"s1", "s2"}) in found
    assert frozenset({"e1", "i1"}) in found
    assert not any({"k1", "k3"} <= paper for paper in found)


@pytest.mark.parametrize("seed", range(8))
def test_neither_order_nor_batches_matter(
    whole: tuple[Path, set[frozenset[str]]], db: Path, seed: int
) -> None:
    chance = random.Random(seed)
    shuffled = chance.sample(POOL, len(POOL))
    cuts = sorted(chance.sample(range(1, len(POOL)), chance.randint(0, 5)))
    batches = [shuffled[a:b] for a, b in zip([0, *cuts], [*cuts, len(POOL)], strict=True)]
    at = chance.randint(1, len(batches))
    load(db, *batches[:at])
    build.import_decisions(db, whole[0].with_name("said.csv"))
    if batches[at:]:
        load(db, *batches[at:])
    assert papers(db) == whole[1]
    verdicts = (
        "select min(a.text_hash, b.text_hash), max(a.text_hash, b.text_hash), verdict, method,"
        " score from duplicates d join entries a on a.id = d.entry_id"
        " join entries b on b.id = d.other_entry_id order by 1, 2, 3, 4, 5"
    )
    assert ask(db, verdicts) == ask(whole[0], verdicts)
    assert list(build.check(db)) == []


NOBODYS = "No abstract available."
RIVALS = [  # papers that would all be called by one id
    *(record(f"n{n}", NOBODYS) for n in range(4)),
    record("n0", NOBODYS, title="On the sleep of otters"),
    record("n9", NOBODYS, title="Harbours without tide"),
    {"abstract": NOBODYS},
    {"abstract": NOBODYS},
    *(record(f"l{n}", title="Letter", authors=[f"{town}, A."]) for n, town in enumerate(TOWNS[:5])),
    record("v1", INK, title="The washing of ledgers", venue="Inks", year=2019, pages="1-9"),
    record("v2", INK, title="The washing of ledgers", venue="Teas", year=2021, pages="77-92"),
    record("v3", INK, title="The washing of ledgers", venue="Bees", year=2023, pages="5-6"),
    {"abstract": "We mask clouds."},
    {"abstract": "We mask clouds."},
    record("k5", KETTLE, venue="Pots", doi="10.5555/pot"),  # as k1 and k3, it lends to k2
    # nothing but an identifier in common
    record("d1", title="A lamp at the harbour", doi="10.5555/lamp"),
    record("d2", title="Winter nights of sailors", url="https://doi.org/10.5555/LAMP"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The pool and the rivals in seven files, in no order."""
    folder = tmp_path_factory.mktemp("files")
    listed = random.Random(5).sample([*POOL, *RIVALS], len(POOL) + len(RIVALS))
    made = []
    for n in range(7):
        made.append(folder / f"{n}.jsonl")
        made[-1].write_text("\n".join(map(json.dumps, listed[n::7])) + "\n", "utf-8")
    return made


@pytest.fixture(scope="module")
def at_once(files: list[Path]) -> list[list[tuple]]:
    path = files[0].with_name("once.db")
    build.load(files, path)
    return knowledge(path)


@pytest.mark.parametrize("seed", range(10))
def test_ids_of_papers_depend_on_what_they_say_alone(
    files: list[Path], at_once: list[list[tuple]], db: Path, seed: int
) -> None:
    chance = random.Random(seed)
    shuffled = chance.sample(files, len(files))
    cuts = sorted(chance.sample(range(1, 7), chance.randint(0, 6)))
    for a, b in zip([0, *cuts], [*cuts, 7], strict=True):
        build.load(shuffled[a:b], db)
    found = knowledge(db)
    assert found == at_once
    assert list(build.check(db)) == []
    # and so it is after files have come and gone
    gone = chance.sample(range(1, 8), chance.randint(1, 3))
    names = dict(ask(db, "select id, name from sources"))
    for source in gone:
        build.remove_source(db, source)
    left = db.with_name("left.db")
    build.load([f for f in files if f.name not in {names[g] for g in gone}], left)
    assert knowledge(db) == knowledge(left)
    build.load([f for f in shuffled if f.name in {names[g] for g in gone}], db)
    assert knowledge(db) == at_once


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decided", [False, True])
def test_removing_a_source_restores_what_was_before(
    whole: tuple[Path, set[frozenset[str]]], db: Path, seed: int, decided: bool
) -> None:
    chance = random.Random(100 + seed)
    shuffled = chance.sample(POOL, len(POOL))
    cut = chance.randint(5, len(POOL) - 5)
    load(db, shuffled[:cut])
    if decided:
        build.import_decisions(db, whole[0].with_name("said.csv"))
    before = knowledge(db)
    fields = ask(db, "select paper_id, field, entry_id from paper_fields order by 1, 2, 3")
    load(db, shuffled[cut:])
    removed = build.remove_source(db, 2)
    assert removed.entries == len(POOL) - cut
    assert knowledge(db) == before
    assert ask(db, "select paper_id, field, entry_id from paper_fields order by 1, 2, 3") == fields
    assert ask(db, "select count(*) from authors where id not in"
                   " (select author_id from paper_authors)") == [(0,)]  # fmt: skip
    assert list(build.check(db)) == []


def test_the_last_source_can_be_removed_and_loaded_again(db: Path) -> None:
    load(db, POOL)
    before = knowledge(db)
    build.remove_source(db, ask(db, "select name from sources")[0][0])
    for table in ("entries", "papers", "duplicates", "similarities", "signatures", "sentences",
                  "paper_aliases", "authors", "keywords", "entry_identifiers"):  # fmt: skip
        assert ask(db, f"select count(*) from {table}") == [(0,)], table
    assert list(build.check(db)) == []
    load(db, POOL)
    assert knowledge(db) == before


def test_sources_that_are_not_there_or_share_a_name_are_refused(db: Path, tmp_path: Path) -> None:
    load(db, [record("a", KETTLE)])
    with pytest.raises(LoadError, match=r"no source is called 'b\.txt'"):
        build.remove_source(db, "b.txt")
    (tmp_path / "x").mkdir()
    for folder, text in ((tmp_path, BRIDGE), (tmp_path / "x", BEES)):
        (folder / "b.txt").write_text(f"Toy 2020 Papers\n\n{text}\n", "utf-8")
        build.load([folder / "b.txt"], db)
    with pytest.raises(LoadError, match="say the id: 2, 3"):
        build.remove_source(db, "b.txt")
    assert build.remove_source(db, 3).papers == 2


def test_a_template_that_comes_later_takes_merges_back(db: Path) -> None:
    family = [record(f"f{n}", FAMILY.format(town)) for n, town in enumerate(TOWNS)]
    alike = [
        record("m1", FAMILY.format("Abau")),
        record("m2", FAMILY.format("Abau").replace("founded", "first founded")),
    ]
    load(db, alike)
    assert papers(db) == {frozenset({"m1", "m2"})}
    report = load(db, family[1:])
    assert report.taken_back == 1
    assert frozenset({"m1"}) in papers(db)
    evidence = ask(db, "select group_concat(evidence) from duplicates")[0][0]
    assert "template" in evidence
    # what a person said is not taken back
    say(db, "m1", "m2", "same")
    assert load(db, [record("late", FAMILY.format("Zwiesel"))]).taken_back == 0
    assert frozenset({"m1", "m2"}) in papers(db)


# -- nothing is lost ------------------------------------------------------------------------


def test_borrowed_fields_say_where_they_come_from(db: Path) -> None:
    load(
        db,
        [record("long", KETTLE + " It is free.", keywords=["Tea"])],
        [record("full", KETTLE, title="Kettles at height", authors=["A. Doe"], venue="Teas",
                year=2021, doi="10.5555/kettle", url="https://x.org/k",
                keywords=["heights", "tea"])],
        [record("other", BRIDGE, title="Sway", year=2022)],
    )  # fmt: skip
    given_by = ask(
        db,
        "select field, external_id from paper_fields f join entries e on e.id = f.entry_id",
    )
    borrowed = ("title", "authors", "venue", "year", "doi", "url", "keywords")
    assert set(given_by) == {*((field, "full") for field in borrowed), ("keywords", "long")}
    assert ask(db, "select title, venue, year, doi, url from papers where entry_count = 2") == [
        ("Kettles at height", "Teas", 2021, "10.5555/kettle", "https://x.org/k")
    ]
    assert ask(db, "select kept.external_id from papers p join entries kept on kept.id = p.entry_id"
                   " where p.entry_count = 2") == [("long",)]  # fmt: skip
    # every id leads there, and on undoing, to its own paper again
    assert {build.look_up(db, n)[0].paper_id for n in ("long", "full", "10.5555/kettle")} == set(
        ask(db, "select id from papers where entry_count = 2")[0]
    )
    say(db, "long", "full", "distinct")
    assert ask(db, "select count(*) from paper_fields") == [(0,)]
    assert build.look_up(db, "10.5555/kettle")[0].label == "Kettles at height"


# -- what a text is -------------------------------------------------------------------------


def test_a_text_finds_itself_what_resembles_it_and_what_holds_it(db: Path) -> None:
    load(db, POOL)
    best = build.match_text(db, KETTLE)[0]
    assert (best.verdict, best.method, best.score) == ("duplicate", "exact", 100)
    assert best.where.endswith(".jsonl:1")
    found = build.match_text(db, changed(BRIDGE, "160 walkers", "190 walkers"))
    assert found[0].verdict in ("possible", "version")
    assert 75 <= found[0].score < 100
    assert "160" in found[0].evidence
    (part, *_) = build.match_text(db, "restores 91% of the digits that clerks could no longer")
    assert (part.verdict, part.method, part.score) == ("part", "part", 100)
    both = build.match_text(db, f"{KETTLE} Between them stands this. {' '.join(INK.split()[:40])}")
    assert [(m.verdict, m.evidence[:17]) for m in both][:1] == [("part", "5 of its 9 senten")]
    (titled, *_) = build.match_text(db, "Ponies and Their Feed in Winter")
    assert titled.label.startswith("Ponies")
    assert (titled.verdict, titled.method, titled.score) == ("title", "title", 100)
    assert titled.evidence == "what you typed is equal to its title; no abstract was compared"
    (like, *_) = build.match_text(db, "Ponies and the feed in winter")
    assert like.evidence.startswith("what you typed is 97% like its title")
    assert build.match_text(db, "Nothing of this kind was ever written in here.") == []
    assert len(build.match_text(db, FAMILY.format("Quern"), most=3)) == 3
    ranked = build.match_text(db, BEES)
    verdicts = ("duplicate", "title", "version", "possible", "part")
    order = [verdicts.index(match.verdict) for match in ranked]
    assert order == sorted(order)


@pytest.mark.parametrize(
    "above",
    [
        "Kettles at height\n",
        "# Kettles at height\n\nA. Doe and B. Roe, Abau\n\n",
        "Title: Kettles at height\nAuthors: A. Doe; B. Roe\nAbstract: ",
        "KETTLES AT HEIGHT\nA. Doe, University of Abau, and B. Roe\n\n**Abstract**\n\n",
        "{json}",
    ],
)
def test_what_stands_above_an_abstract_is_told_apart(db: Path, above: str) -> None:
    load(db, [record("a", KETTLE, title="Kettles at height"), record("b", KETTLE, title="Tea")])
    row = {"ID": 1, "Title": "Kettles at height", "Abstract": KETTLE}
    typed = json.dumps(row, indent=1) if above == "{json}" else above + KETTLE
    same, other = build.match_text(db, typed)
    assert (same.label, same.verdict, same.score) == ("Kettles at height", "duplicate", 100)
    assert (other.label, other.verdict) == ("Tea", "possible")
    assert "the titles differ" in other.evidence


@pytest.mark.parametrize(
    ("typed", "label", "method"),
    [
        ("Deep tea", "Deep tea", "title"),
        ("Ponies and there feed in winter", "Ponies and their feed in winter", "title"),
        ("TEA!", "Deep tea", "words"),
        ("winter pony", "", ""),
        ("feed ponies", "Ponies and their feed in winter", "words"),
        ("pon", "", ""),
        ("Schrodinger", "The kettle of Schrödinger", "words"),
        ("the", "The kettle of Schrödinger", "words"),
        ("茶道", "論茶道之美", "words"),
    ],
)
def test_a_title_or_words_of_it_find_the_paper(
    db: Path, typed: str, label: str, method: str
) -> None:
    titles = ("Deep tea", "Ponies and their feed in winter", "The kettle of Schrödinger")
    load(db, [record(f"id{title}", title=title) for title in (*titles, "論茶道之美")])
    found = build.match_text(db, typed)
    assert [(m.label, m.method) for m in found] == ([(label, method)] if label else [])


def test_words_find_what_a_paper_without_title_is_called(library: Path) -> None:
    (found,) = build.match_text(library, "hadola")
    assert found.label.startswith("HaDola: human")
    assert (found.verdict, found.method) == ("title", "words")


@given(st.text(max_size=300))
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_can_be_looked_for(whole: tuple[Path, set[frozenset[str]]], text: str) -> None:
    assert isinstance(build.match_text(whole[0], text), list)
    assert isinstance(build.look_up(whole[0], text), list)


# -- bad input ------------------------------------------------------------------------------


def test_thousands_of_placeholders_stay_apart_and_can_be_decided(db: Path) -> None:
    nothing = "Abstract not available for this paper."
    load(db, [record(f"p{n}", nothing) for n in range(5_000)])
    assert ask(db, "select count(*) from papers") == [(5_000,)]
    ((_, _, pairs, evidence),) = questions_of(db)
    assert pairs == 4_999
    assert evidence == ("the same text, but it says only that there is no abstract; the same text "
                        "stands in 5,000 entries")  # fmt: skip
    assert "equal ones are not merged" in ask(db, "select notes from sources")[0][0]
    settled = say(db, "p7", "p4000", "same")
    assert len(settled.papers) == 1
    assert ask(db, "select count(*), max(entry_count) from papers") == [(4_999, 2)]
    assert ask(db, "select basis from decisions") == [("record",)]
    build.match_text(db, nothing)
    assert list(build.check(db)) == []


def test_a_doi_of_a_supplement_merges_nothing(db: Path) -> None:
    doi = "10.5555/supplement.1"
    load(
        db,
        [record(n, t, doi=doi) for n, t in zip("abcd", (KETTLE, BRIDGE, BEES, INK), strict=True)],
    )
    assert len(papers(db)) == 4
    assert {p.paper_id for p in build.look_up(db, doi)} == {
        r[0] for r in ask(db, "select id from papers")
    }
    with pytest.raises(LoadError, match="can mean"):
        build.settle_named(db, doi, "id:a", "duplicate")
    evidence = [row[0] for row in ask(db, "select evidence from duplicates")]
    assert evidence
    assert all("DOI" in line for line in evidence)


def test_one_id_for_two_papers_merges_nothing(db: Path) -> None:
    load(db, [record("a", KETTLE), record("a", BRIDGE)])
    assert ask(db, "select count(*) from papers") == [(2,)]
    assert len(build.look_up(db, "a")) == 2
    reason = "select evidence from duplicates"
    assert ask(db, reason) == [("same id, but the abstracts differ",)]
    # also in another file, but not where ids only count records
    load(db, [record("a", BEES), record("7", INK), record("r7", title="A lamp at the harbour")])
    load(db, [record("7", FAMILY.format("Abau")), record("r7", title="Winter feed for ponies")])
    assert ask(db, reason) == [("same id, but the abstracts differ; 3 entries share this id",)] * 2
    load(db, [record("r9", ""), record("r8", title="Tea"), record("r8", title="Bees in winter")])
    assert ("same id, but the titles differ: “Bees in winter” and “Tea”",) in ask(db, reason)
    empty = 'no "abstract", "text" or "title"; it has "id", "abstract" (empty)'
    assert ask(db, "select reason from rejects") == [(empty,)]


def test_an_abstract_of_a_million_characters_can_be_decided_and_found(db: Path) -> None:
    words = random.Random(5)
    vast = " ".join(f"w{words.randrange(10**6)}." if n % 12 == 11 else f"w{words.randrange(10**6)}"
                    for n in range(130_000))  # fmt: skip
    assert len(vast) > 900_000
    load(db, [record("a", vast), record("b", KETTLE)])
    say(db, "a", "b", "version")
    assert ask(db, "select verdict from duplicates") == [("version",)]
    assert build.match_text(db, vast)[0].score == 100


def test_a_retired_id_leads_to_its_paper_after_loads_and_removals(tmp_path: Path) -> None:
    text = "Kettles were weighed each hour for a week, and the lids of half of them leak steam."
    pair = [
        json.dumps({"id": "a", "title": "Lids of kettles", "abstract": text}),
        json.dumps({"id": "b", "title": "Cooking without gas", "abstract": text}),
    ]
    (tmp_path / "pair.jsonl").write_text("\n".join(pair), "utf-8")
    (tmp_path / "more.jsonl").write_text(pair[0].replace('"a"', '"c"'), "utf-8")
    db = tmp_path / "library.db"
    build.load([tmp_path / "pair.jsonl"], db)
    ids = {row[0] for row in ask(db, "select id from papers")}
    assert len(ids) == 2
    build.settle_named(db, "id:a", "id:b", "duplicate")
    (retired,) = ids - {row[0] for row in ask(db, "select id from papers")}
    aliases = ask(db, "select old_id, paper_id from paper_aliases")
    assert retired in dict(aliases)
    build.load([tmp_path / "more.jsonl"], db)
    assert ask(db, "select old_id, paper_id from paper_aliases") == aliases
    build.remove_source(db, "more.jsonl")
    assert ask(db, "select old_id, paper_id from paper_aliases") == aliases
