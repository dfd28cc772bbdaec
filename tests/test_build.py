"""The path of data, on the real seeds and on small files made here."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from loader import build, search
from loader.build import papers
from loader.model import LoadError
from tests.conftest import CASES, ROOT, SEEDS

Rows = Callable[..., list[tuple]]


def dump(path: Path) -> list[str]:
    """The database as SQL, without the times of loading."""
    conn = sqlite3.connect(path)
    conn.execute("update sources set loaded_at = ''")
    lines = list(conn.iterdump())
    conn.close()
    return lines


def knowledge(path: Path) -> list[list[tuple]]:
    """All that a database says, without the ids that count up in the order of loading."""
    conn = sqlite3.connect(path)
    queries = [
        "select name, sha256, record_count from sources order by sha256",
        "select s.sha256, e.position, e.text_hash, e.paper_id from entries e"
        " join sources s on s.id = e.source_id order by 1, 2",
        "select p.id, label, abstract, e.text, e.external_id, p.doi, p.venue, p.year, entry_count,"
        " source_count, claim_count, measurement_count, has_code, search_text from papers p"
        " join entries e on e.id = p.entry_id order by 1",
        "select paper_id, position, role, text, start_char, end_char from sentences order by 1, 2",
        "select c.paper_id, s.position, c.kind, c.text, c.evidence from claims c"
        " join sentences s on s.id = c.sentence_id order by 1, 2, 3",
        "select paper_id, kind, low, high, unit, metric, baseline, subject, text, start_char"
        " from measurements order by paper_id, start_char, end_char",
        "select paper_id, name, expansion, kind from names order by 1, 2",
        "select paper_id, short, long from acronyms order by 1, 2, 3",
        "select paper_id, name, kind from mentions order by 1, 2",
        "select paper_id, url, kind from links order by 1, 2",
        "select p.paper_id, t.term, p.evidence from paper_topics p"
        " join topics t on t.id = p.topic_id order by 1, 2",
        "select old_id, paper_id from paper_aliases order by 1",
        "select min(a.text_hash, b.text_hash), max(a.text_hash, b.text_hash), verdict, method,"
        " score, evidence, group_key, a.record_hash, b.record_hash"
        " from duplicates d join entries a on a.id = d.entry_id"
        " join entries b on b.id = d.other_entry_id order by 1, 2, 3, 4, 5, 6, 7, 8, 9",
        "select q.score, q.evidence, q.pairs, min(q.paper_id, q.other_paper_id),"
        " max(q.paper_id, q.other_paper_id) from open_questions q order by 1, 2, 3, 4, 5",
    ]
    found = [conn.execute(sql).fetchall() for sql in queries]
    conn.close()
    return found


def test_seeds_give_2_sources_38_entries_27_papers_11_duplicates(rows: Rows) -> None:
    assert rows(
        "select (select count(*) from sources), (select count(*) from entries),"
        " (select count(*) from papers),"
        " (select count(*) from duplicates where verdict = 'duplicate'),"
        " (select count(*) from duplicates)"
    ) == [(2, 38, 27, 11, 11)]
    assert rows("select name, collection, venue, year, record_count from sources order by id") == [
        ("000_a72667b9c9901c21.txt", "ICLR 2026 Papers", "ICLR", 2026, 19),
        ("001_f009447e9f89ab84.txt", "ICLR 2026 Papers", "ICLR", 2026, 19),
    ]
    assert rows("select distinct venue, year from papers") == [("ICLR", 2026)]
    assert rows("select source_count, count(*) from papers group by 1") == [(1, 16), (2, 11)]


def test_every_offset_gives_the_words_of_the_source(rows: Rows) -> None:
    texts = {}
    for paper_id, text in rows(
        "select p.id, e.text from papers p join entries e on e.id = p.entry_id"
    ):
        texts[paper_id] = text
    files = {p.name: p.read_text("utf-8").split("\n") for p in SEEDS}
    for name, first, last, text in rows(
        "select s.name, e.first_line, e.last_line, e.text from entries e"
        " join sources s on s.id = e.source_id"
    ):
        assert "\n".join(files[name][first - 1 : last]).strip() == text
    by_paper: dict[int, list[tuple[int, int, str]]] = {}
    for paper_id, start, end, plain in rows(
        "select paper_id, start_char, end_char, text from sentences order by paper_id, position"
    ):
        by_paper.setdefault(paper_id, []).append((start, end, plain))
        written = texts[paper_id][start:end]
        assert written == written.strip() != ""
        if not any(mark in written for mark in ("\\", "*", "$", "--", "``")):
            assert plain.split() == written.split()
    assert set(by_paper) == set(texts)
    for paper_id, spans in by_paper.items():
        joined = "".join(texts[paper_id][start:end] for start, end, _ in spans)
        assert "".join(joined.split()) == "".join(texts[paper_id].split())
    numbers = rows("select paper_id, start_char, end_char, text from measurements")
    assert len(numbers) > 30
    for paper_id, start, end, text in numbers:
        assert texts[paper_id][start:end] == text != ""
    places = rows(
        "select m.paper_id, m.name, x.start_char, x.end_char from mention_places x"
        " join mentions m on m.id = x.mention_id"
    )
    assert len(places) > 20
    for paper_id, _name, start, end in places:
        assert texts[paper_id][start:end].strip()


def test_chosen_papers_say_what_they_say(rows: Rows) -> None:
    (hadola,) = rows(
        "select id, label, source_count, has_code from papers where label like 'HaDola%'"
    )
    assert hadola[1].startswith("HaDola: human uncertainty-aware data selection")
    assert hadola[2:] == (1, 0)
    assert rows(
        "select name, expansion from names where paper_id = ? and name = 'HaDola'", hadola[:1]
    )
    assert ("HU", "human uncertainty") in rows(
        "select short, long from acronyms where paper_id = ?", hadola[:1]
    )
    assert {("VQAv2",), ("VizWiz",)} <= set(
        rows("select name from mentions where paper_id = ? and kind = 'dataset'", hadola[:1])
    )
    assert rows(
        "select m.low, m.high, m.unit, m.kind, m.metric, m.text from measurements m"
        " join names n on n.paper_id = m.paper_id where n.name = 'BIT'"
    ) == [(24.69, 10.22, "%", "from_to", "word error rate", "from 24.69% to 10.22%")]
    moe = "select paper_id from names where name = 'Straggler Effect'"
    assert rows(f"select url, kind, host from links where paper_id in ({moe})") == [
        ("https://github.com/CASE-Lab-UMD/Capacity-Aware-MoE", "code", "github.com")
    ]
    assert rows(
        f"select text, kind, low, unit from measurements where paper_id in ({moe})"
        " order by start_char"
    ) == [
        ("30\\%", "change", 30.0, "%"),
        ("0.9\\%", "change", -0.9, "%"),
        ("0.2\\%", "change", 0.2, "%"),
        ("1.85$\\times$", "ratio", 1.85, "×"),
    ]


def test_every_label_is_a_name_a_person_would_use(rows: Rows) -> None:
    labels = [label for (label,) in rows("select label from papers")]
    assert len(set(labels)) == 27
    for label in labels:
        assert 5 <= len(label) <= 100
        assert any(c.isalpha() for c in label)
        assert not label.endswith(("...", "…", ",", ":"))
        assert "\\" not in label
        assert "**" not in label


def test_the_same_files_give_the_same_database(library: Path, tmp_path: Path) -> None:
    build.load(SEEDS, tmp_path / "a.db")
    build.load(SEEDS, tmp_path / "b.db")
    assert dump(tmp_path / "a.db") == dump(tmp_path / "b.db")
    assert knowledge(tmp_path / "a.db") == knowledge(library)


def test_the_order_of_loading_does_not_matter(library: Path, tmp_path: Path) -> None:
    for n, order in enumerate(itertools.permutations(SEEDS)):
        for path in order:
            build.load([path], tmp_path / f"{n}.db")
        assert knowledge(tmp_path / f"{n}.db") == knowledge(library)
        assert list(build.check(tmp_path / f"{n}.db")) == []


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    build.load(SEEDS, path)
    before = path.read_bytes()
    report = build.load(SEEDS, path)
    assert [f.already_loaded for f in report.files] == [True, True]
    assert path.read_bytes() == before


def test_reports_add_up(tmp_path: Path) -> None:
    report = build.load(SEEDS, tmp_path / "a.db")
    first, second = report.files
    assert (first.read, first.loaded, first.rejected) == (19, 19, 0)
    assert (first.papers_new, first.papers_known, first.duplicates) == (19, 0, 0)
    assert (second.papers_new, second.papers_known, second.duplicates) == (8, 11, 11)
    assert (report.papers, report.taken_back, report.questions) == (27, 0, 0)


def test_case_crlf(tmp_path: Path) -> None:
    unix = tmp_path / "lf.txt"
    unix.write_bytes((CASES / "crlf.txt").read_bytes().replace(b"\r\n", b"\n"))
    build.load([CASES / "crlf.txt", unix], tmp_path / "a.db")
    conn = sqlite3.connect(tmp_path / "a.db")
    assert conn.execute(
        "select count(*), count(distinct text_hash), count(distinct paper_id) from entries"
    ).fetchone() == (4, 2, 2)
    assert not any("\r" in line for line in conn.iterdump())
    conn.close()


def test_case_escaped_percent(tmp_path: Path) -> None:
    build.load([CASES / "esc_percent.txt"], tmp_path / "a.db")
    conn = sqlite3.connect(tmp_path / "a.db")
    assert conn.execute("select abstract from papers").fetchone()[0] == (
        "The toy probe is right in 64% of draws. It runs 18% faster than the plain one and loses "
        "0.7% on the ToyGrid set."
    )
    numbers = conn.execute("select abs(low), unit from measurements order by start_char").fetchall()
    assert numbers == [(64, "%"), (18, "%"), (0.7, "%")]
    conn.close()


def test_case_abstract_prefix(tmp_path: Path) -> None:
    build.load([CASES / "prefix.txt"], tmp_path / "a.db")
    conn = sqlite3.connect(tmp_path / "a.db")
    found = conn.execute(
        "select p.abstract, e.text from papers p join entries e on e.id = p.entry_id order by e.id"
    ).fetchall()
    conn.close()
    assert [plain for plain, _ in found] == [
        "We present NimbusNet, a small network for cloud masks with 71.4% accuracy.",
        "Abstract Meaning Representation (AMR) parsing is costly. We cut its time by 40%.",
        "Sparse routing is brittle. We add memory.",
    ]
    assert found[0][1].startswith("Abstract We present")
    assert found[2][1].startswith("ABSTRACT: Sparse")


def test_case_same_file_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    build.load([CASES / "twice.txt"], path)
    before = path.read_bytes()
    build.load([CASES / "twice.txt"], path)
    assert path.read_bytes() == before
    copy = tmp_path / "copy.txt"
    copy.write_text((CASES / "twice.txt").read_text("utf-8") + "\n", "utf-8")
    report = build.load([copy], path)
    # too short to be known by its words alone: a paper of its own, but asked about
    assert (report.files[0].papers_new, report.files[0].duplicates) == (1, 2)


def test_case_claim_traceable(tmp_path: Path) -> None:
    build.load([CASES / "trace.txt"], tmp_path / "a.db")
    conn = sqlite3.connect(tmp_path / "a.db")
    found = conn.execute(
        "select m.low, m.text, substr(e.text, m.start_char + 1, m.end_char - m.start_char)"
        " from measurements m join papers p on p.id = m.paper_id"
        " join entries e on e.id = p.entry_id order by m.start_char"
    ).fetchall()
    conn.close()
    assert found == [(0.812, "0.812", "0.812"), (0.79, "0.79", "0.79"), (0.8, "0.8", "0.8")]


def test_case_nul_byte(tmp_path: Path) -> None:
    report = build.load([CASES / "nul.txt"], tmp_path / "a.db")
    assert (report.papers, report.files[0].removed) == (2, 1)
    assert report.files[0].notes == ["1 control characters taken out of texts"]
    conn = sqlite3.connect(tmp_path / "a.db")
    assert conn.execute("select removed_count from entries order by id").fetchall() == [(1,), (0,)]
    conn.close()


def test_titles_alone_are_papers_without_sentences(built: Callable) -> None:
    rows = [
        {"id": "a", "title": "Masks for \\textbf{clouds}", "year": 2020, "keywords": ["Clouds"]},
        {"id": "b", "title": "Sparse routing", "abstract": "", "authors": ["A. Doe"]},
    ]
    conn = built("a.jsonl", "\n".join(map(json.dumps, rows)))
    assert conn.execute(
        "select label, title, abstract, year, sentence_count from papers order by label"
    ).fetchall() == [
        ("Masks for clouds", "Masks for clouds", "", 2020, 0),
        ("Sparse routing", "Sparse routing", "", None, 0),
    ]
    assert conn.execute("select name from authors").fetchall() == [("A. Doe",)]
    assert conn.execute("select term, spelling from keywords join paper_keywords").fetchall() == [
        ("clouds", "Clouds")
    ]


def test_merging_keeps_the_longest_text_and_what_it_lacks(built: Callable) -> None:
    text = (
        "We present NimbusNet, a small network for cloud masks. On the SkyTwo benchmark it reaches "
        "71.4% accuracy, 2.3 points above the previous best."
    )
    rows = [
        {"id": "m1", "abstract": text, "doi": "10.1/toy", "authors": ["A. Doe"]},
        {"id": "m2", "abstract": f"**{text}**", "venue": "Toys", "year": 2020, "doi": "n/a"},
    ]
    for n, order in enumerate(itertools.permutations(rows)):
        conn = built(f"{n}.jsonl", "\n".join(map(json.dumps, order)), db=f"{n}.db")
        assert conn.execute(
            "select e.external_id, p.doi, p.venue, p.year, p.entry_count, p.source_count"
            " from papers p join entries e on e.id = p.entry_id"
        ).fetchall() == [("m2", "10.1/toy", "Toys", 2020, 2, 1)]
        assert conn.execute("select count(*) from paper_authors").fetchone() == (1,)
        # what is no DOI stays with its entry and is told, and nobody follows it
        assert ("n/a",) in conn.execute("select doi from entries").fetchall()
        (given,) = conn.execute("select e.external_id from paper_fields f join entries e"
                                " on e.id = f.entry_id where field = 'doi'").fetchall()  # fmt: skip
        assert given == ("m1",)
        assert "“n/a”" in conn.execute("select notes from sources").fetchone()[0]


def test_ids_come_from_the_content(built: Callable) -> None:
    conn = built("a.txt", "Toy 2020 Papers\n\nWe mask.\n\nWe route.\n")
    other = built("b.txt", "Toy 2021 Papers\n\nWe route.\n", db="b.db")
    ids = {text: i for i, text in conn.execute("select id, abstract from papers")}
    assert other.execute("select id from papers").fetchall() == [(ids["We route."],)]
    assert all(0 < i < 2**48 for i in ids.values())


def test_placeholders_of_two_papers_share_no_id(built: Callable) -> None:
    rows = [
        {"id": n, "title": f"Study {word}", "abstract": "No abstract available."}
        for n, word in enumerate(["of clouds", "in routing", "on speech"])
    ]
    conn = built("a.jsonl", "\n".join(map(json.dumps, rows)))
    other = built("b.jsonl", "\n".join(map(json.dumps, reversed(rows))), db="b.db")
    ids = dict(conn.execute("select title, id from papers"))
    assert len(set(ids.values())) == 3
    assert dict(other.execute("select title, id from papers")) == ids


@pytest.mark.parametrize("name", ["missing", "directory", "empty"])
def test_a_file_that_cannot_be_read_stops_all(tmp_path: Path, name: str) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "empty").touch()
    with pytest.raises(LoadError, match=name):
        build.load([SEEDS[0], tmp_path / name], tmp_path / "a.db")
    assert not (tmp_path / "a.db").exists()


def test_only_rejects_load_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n{"id": 2}\n', "utf-8")
    with pytest.raises(LoadError, match=r"a\.jsonl:1: no record could be loaded"):
        build.load([tmp_path / "a.jsonl"], tmp_path / "a.db")
    assert list(tmp_path.glob("*.db*")) == []


def test_rejects_stand_in_the_database(built: Callable) -> None:
    conn = built("a.jsonl", '{"id": 1, "abstract": "We mask."}\n{"id": 2}\nnonsense\n')
    assert conn.execute(
        "select record_count, loaded_count, reject_count from sources"
    ).fetchall() == [(3, 1, 2)]
    assert conn.execute("select first_line, excerpt from rejects order by 1").fetchall() == [
        (2, '{"id": 2}'),
        (3, "nonsense"),
    ]


@pytest.mark.parametrize("kind", ["text", "foreign", "older", "directory", "nowhere"])
def test_databases_that_are_none_of_ours_stay_as_they_are(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "some.db"
    if kind == "text":
        path.write_text("not a database, but a long enough text to look at\n" * 50, "utf-8")
    elif kind == "directory":
        path.mkdir()
    elif kind == "nowhere":
        path = tmp_path / "no" / "such.db"
    else:
        conn = sqlite3.connect(path)
        conn.execute("create table t (x)")
        if kind == "older":
            conn.execute("pragma application_id = 0x6c697473")
        conn.commit()
        conn.close()
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(LoadError) as caught:
        build.load(SEEDS, path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert (tmp_path / "no").exists() is False


def test_a_failure_on_the_way_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    build.load(SEEDS[:1], path)
    before = dump(path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(papers, "_paper_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build.load(SEEDS[1:], path)
    assert dump(path) == before
    with pytest.raises(KeyboardInterrupt):
        build.load(SEEDS[1:], tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_a_killed_load_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    build.load(SEEDS[:1], path)
    before = dump(path)
    big = tmp_path / "big.jsonl"
    with big.open("w", encoding="utf-8") as out:
        for n in range(3_000):
            text = f"We study toy number {n} of the trial. It reaches {n / 7:.2f}% on set {n * 13}."
            out.write(json.dumps({"id": n, "abstract": text}) + "\n")
    program = (
        "import sys; from pathlib import Path; from loader import build\n"
        "def tell(step, done, whole):\n"
        "    if step == 'reading abstracts' and done > 500: print('now', flush=True)\n"
        "build.load([Path(sys.argv[1])], Path(sys.argv[2]), tell)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(big), str(path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"now\n"
        os.kill(process.pid, signal.SIGKILL)
    time.sleep(0.05)
    assert list(build.check(path)) == []
    assert dump(path) == before


def test_ids_that_merging_retires_lead_to_the_paper(built: Callable) -> None:
    text = (
        "Sparse routing is brittle under drift. We study a router with memory and show that it "
        "needs 4x fewer tokens on three synthetic tasks. The router keeps a short list of the "
        "experts that were used last, and asks them first when the inputs shift."
    )
    first = built("a.txt", f"Toy 2020 Papers\n\n{text}\n", db="first.db")
    other = built("b.txt", f"Toy 2020 Papers\n\n{text} It is small.\n", db="other.db")
    ids = {conn.execute("select id from papers").fetchone()[0] for conn in (first, other)}
    assert len(ids) == 2
    both = built("a.txt", f"Toy 2020 Papers\n\n{text}\n")
    both.close()
    both = built("b.txt", f"Toy 2020 Papers\n\n{text} It is small.\n")
    assert both.execute("select id, entry_count from papers").fetchall() == [(min(ids), 2)]
    assert both.execute("select old_id, paper_id from paper_aliases").fetchall() == [
        (max(ids), min(ids))
    ]
    kept = both.execute(
        "select text from entries where id = (select entry_id from papers)"
    ).fetchone()
    assert kept[0].endswith("It is small.")


def test_claims_and_names_are_found_in_chinese(built: Callable[..., sqlite3.Connection]) -> None:
    text = "本文提出了机器茶壶。 We propose TeaNet, a network that boils 水壶 well."
    conn = built("tea.txt", f"Tea 2026\n\n{text}\n")
    for index, word in (("papers_fts", "机器"), ("claims_fts", "水壶")):
        found = conn.execute(
            f"select count(*) from {index} where {index} match ?", [search.fts_query(word)]
        ).fetchone()[0]
        assert found > 0, index
    indexed = conn.execute("select f.text, n.name from names_fts f join names n on n.id = f.rowid")
    assert all(name in text for text, name in indexed)
