"""Files to records: what each format gives, and what is said of files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loader.formats import open_source
from loader.formats.fields import collection_facts, doi_of, identifiers, people, terms, year_of
from loader.formats.files import clean
from loader.model import LoadError, Record, Reject
from tests.conftest import CASES, SEEDS


def read(path: Path) -> list[Record | Reject]:
    return list(open_source(path).records())


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_seed_files_hold_19_abstracts_each() -> None:
    for path in SEEDS:
        reading = open_source(path)
        records = list(reading.records())
        assert (reading.source.collection, reading.source.venue, reading.source.year) == (
            "ICLR 2026 Papers",
            "ICLR",
            2026,
        )
        assert [r.position for r in records] == list(range(1, 20))
        lines = path.read_text("utf-8").split("\n")
        for record in records:
            assert record.text == "\n".join(lines[record.first_line - 1 : record.last_line]).strip()


def test_line_ends_do_not_matter(tmp_path: Path) -> None:
    windows = CASES / "crlf.txt"
    unix = write(tmp_path / "lf.txt", windows.read_bytes().replace(b"\r\n", b"\n"))
    mac = write(tmp_path / "cr.txt", windows.read_bytes().replace(b"\r\n", b"\r"))
    assert b"\r" in windows.read_bytes()
    assert read(windows) == read(unix) == read(mac)
    assert [r.first_line for r in read(windows)] == [3, 5]


def test_nul_is_taken_out_and_counted() -> None:
    first, second = read(CASES / "nul.txt")
    assert first.text.startswith("We test a filter that removes noise.")
    assert (first.removed, second.removed) == (1, 0)


def test_an_abstract_can_have_several_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "A 2020 Papers\n\n\nOne line\nand another.  \n \n\tThird.\n")
    first, second = read(path)
    assert (first.text, first.first_line, first.last_line) == ("One line\nand another.", 4, 5)
    assert (second.text, second.first_line) == ("Third.", 7)


def test_a_first_line_that_is_an_abstract_is_no_title(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "We show that routing is brittle.\n\nWe mend it.\n")
    assert open_source(path).source.collection is None
    assert len(read(path)) == 2


def test_a_question_is_a_title(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "Do masks help?\n\nWe show that they do.\n")
    assert open_source(path).source.collection == "Do masks help?"
    assert [record.text for record in read(path)] == ["We show that they do."]


def test_json_lines_keep_every_known_field(tmp_path: Path) -> None:
    row = {
        "id": 7,
        "title": "Masks\u0000 for clouds",
        "abstract": "We mask.\r\nWell.",
        "author": "Doe, J.; Roe, R.",
        "year": "2019 Mar",
        "journal": "Toys",
        "doi": "https://doi.org/10.1000/ABC.",
        "pages": "1-2",
        "volume": 3,
        "number": "4",
        "url": "https://arxiv.org/abs/2501.01234v2",
        "keywords": "clouds, masks",
        "status": "Poster",
    }
    path = write(tmp_path / "a.jsonl", json.dumps(row) + "\n")
    reading = open_source(path)
    (record,) = reading.records()
    assert record == Record(
        position=1,
        first_line=1,
        last_line=1,
        text="We mask.\nWell.",
        external_id="7",
        title="Masks for clouds",
        authors=("Doe, J.", "Roe, R."),
        year=2019,
        venue="Toys",
        doi="10.1000/abc",
        url="https://arxiv.org/abs/2501.01234v2",
        volume="3",
        number="4",
        pages="1-2",
        keywords=("clouds", "masks"),
        identifiers=("arxiv:2501.01234", "doi:10.1000/abc"),
        removed=1,
    )
    assert reading.ignored_fields == {"status": 1}


def test_json_lines_that_cannot_be_used_are_rejected_with_line_and_reason(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "abstract": "Fine."}',
        "",
        '{"id": "b", "abstract": ',
        '{"id": "c", "year": 2020}',
        '{"id": "d", "abstract": 5}',
        '{"id": {"x": 1}, "abstract": "No."}',
        '["list"]',
        '{"id": "e", "title": "Only a title"}',
        "[" * 100_000,
        '{"id": "f", "abstract": "' + "\\ud800" + 'half a pair"}',
    ]
    records = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    rejects = [r for r in records if isinstance(r, Reject)]
    loaded = [r for r in records if isinstance(r, Record)]
    assert [r.first_line for r in rejects] == [3, 4, 5, 6, 7, 9]
    assert "not valid JSON" in rejects[0].reason
    assert '"abstract"' in rejects[1].reason
    assert [(r.position, r.external_id) for r in loaded] == [(1, "a"), (2, "e"), (3, "f")]
    assert loaded[1].text == ""
    assert loaded[2].text == "\ufffdhalf a pair"
    assert loaded[2].removed == 1


def test_unreadable_values_are_left_out_and_named(tmp_path: Path) -> None:
    row = {"id": "a", "abstract": "Fine.", "year": "in press", "authors": [5]}
    row["venue"] = ["x", "y"]
    reading = open_source(write(tmp_path / "a.jsonl", json.dumps(row)))
    (record,) = reading.records()
    assert (record.year, record.authors, record.venue) == (None, (), None)
    assert set(reading.ignored_fields) == {
        "year (not understood)",
        "authors (not understood)",
        "venue (not a string)",
    }


@pytest.mark.parametrize(
    "row",
    [
        {"ID": "x", "Title": "Tea", "ABSTRACT": "We boil.", "Author": "Doe, J.", "DOI": "10.1/T",
         "Journal": "Pots", "Year": "2020", "Issue": 2},
        {"paperId": "x", "title": "Tea", "summary": "We boil.", "authors": [{"name": "Doe, J."}],
         "externalIds": {"DOI": "10.1/T"}, "journal": "Pots", "published": "2020-03-01",
         "issue": "2"},
        {"_id": "x", "title": ["Tea"], "abstract": None, "text": "", "Paper Abstract": "We boil.",
         "author": [{"literal": "", "family": "Doe, J."}], "container-title": ["Pots"],
         "issued": {"date-parts": [[2020, 3]]}, "URL": "https://doi.org/10.1/T", "issue": "2"},
    ],
)  # fmt: skip
def test_other_names_of_fields_are_understood_and_told(tmp_path: Path, row: dict[str, Any]) -> None:
    reading = open_source(write(tmp_path / "a.jsonl", json.dumps(row)))
    (record,) = reading.records()
    assert isinstance(record, Record)
    assert (record.external_id, record.title, record.text) == ("x", "Tea", "We boil.")
    assert (record.authors, record.year, record.number) == (("Doe, J.",), 2020, "2")
    assert (record.venue, record.identifiers) == ("Pots", ("doi:10.1/t",))
    assert not reading.ignored_fields
    (note,) = reading.notes
    assert "as abstract" in note


def test_our_names_win_and_what_is_left_is_named(tmp_path: Path) -> None:
    row = {"summary": "Short.", "Abstract": "Mine.", "abstract": "Ours.", "abstrakt": "Theirs."}
    reading = open_source(write(tmp_path / "a.jsonl", json.dumps(row)))
    assert [r.text for r in reading.records() if isinstance(r, Record)] == ["Ours."]
    assert set(reading.ignored_fields) == {"summary", "Abstract", "abstrakt"}
    assert reading.notes == ("not used, and perhaps misspelt: abstrakt (abstract?)",)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"abstrct": "We boil."}, 'did you mean "abstract" by "abstrct"'),
        ({"content": {"title": "Tea"}, "n": 1}, 'it has "content", "n"'),
        ({}, "it has no key"),
    ],
)
def test_a_record_without_text_says_which_keys_it_has(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    (reject,) = read(write(tmp_path / "a.jsonl", json.dumps(row)))
    assert isinstance(reject, Reject)
    assert reason in reject.reason


def test_what_is_no_doi_stays_with_its_record_and_names_nothing(tmp_path: Path) -> None:
    dois = ["n/a", "10.1000/", "https://x.org/y", "10.1000/X. ", "(10.1000/a(1))"]
    lines = [json.dumps({"title": f"Tea {n}", "doi": doi}) for n, doi in enumerate(dois)]
    reading = open_source(write(tmp_path / "a.jsonl", "\n".join(lines)))
    records = [r for r in reading.records() if isinstance(r, Record)]
    assert [r.doi for r in records] == [*dois[:3], "10.1000/x", "10.1000/a(1)"]
    assert [r.identifiers for r in records[:3]] == [(), (), ()]
    assert records[4].identifiers == ("doi:10.1000/a(1)",)
    assert reading.notes == (
        "what is given as a DOI and is none: 3, first “n/a” on line 1; kept with the entry,"
        " not used",
    )


def test_titles_between_abstracts_and_second_paragraphs_are_pointed_at(tmp_path: Path) -> None:
    text = "We boil tea in a pot and see how long it takes until somebody drinks it."
    blocks = ["Trial 2020", "Tea in pots", text, "Tea in cups", text, f"Moreover, {text}"]
    reading = open_source(write(tmp_path / "a.txt", "\n\n".join(blocks)))
    assert len(list(reading.records())) == 5
    titles, parts = reading.notes
    assert titles.startswith("blocks that look like titles of the next: 2, first on line 3")
    assert parts.startswith("blocks that may go on with the one before: 1, first “Moreover, We")
    assert not any(open_source(seed).notes for seed in SEEDS)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "empty"),
        (b"\n \n\n", "blank"),
        (b"ICLR 2026 Papers\n\n", "no abstracts"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "not a text file"),
        (b"abc\x81\x8d\n\xff\xfe\x9d", "not a text file"),
        (b"@article{a,\n title={b}}\n", "BibTeX"),
        (b'[{"id": "a", "abstract": "b"}]', "JSON array"),
        (b"\xef\xbb\xbfid,title,abstract\n1,a,b\n", "table"),
        (b"a,b,c\n1,2,3", "table"),
        (b'"a, b";x;y\r\n\r\n1;"2;3";4\r\n', "table"),
        (b"name\tyear\tscore\nTea\t2026\t3\nPot\t2025\t\n", "table"),
        (b"% mine\n\n@article{a,\n title={b}}\n", "BibTeX"),
        (b"\nPMID- 123\nOWN - NLM\nAB  - x\n", "PubMed"),
        (b"%0 Journal Article\n%X x\n", "EndNote"),
        (b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAB x\n", "Web of Science"),
        (b'["a", "We boil tea."]\n["b", "We pour it."]\n', "arrays without names"),
        (b"1. \n\nTY  - JOUR\nAB  - x\nER  -\n", "RIS"),
        (b"<?xml version='1.0'?><a/>", "XML"),
    ],
)
def test_files_that_cannot_be_used_are_named_with_what_is_wrong(
    tmp_path: Path, content: bytes, what: str
) -> None:
    path = write(tmp_path / "file.txt", content)
    with pytest.raises(LoadError, match=what) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".csv", ".TSV", ".tab"])
def test_a_table_is_told_by_its_name_unless_it_is_json(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"a{suffix}", b"one,two\n1,2\n")
    with pytest.raises(LoadError, match=r"looks like a table .* JSON lines"):
        open_source(path)
    path = write(tmp_path / f"b{suffix}", b'{"id": "a", "abstract": "We boil tea."}\n')
    assert open_source(path).source.format == "jsonl"


@pytest.mark.parametrize(
    "content",
    [
        "We boil tea, coffee, and milk.",
        "Tea, milk, and sugar.\n\nPots, cups and pans.",
        "We boil tea in pots, in cups, and in whatever else the kitchen has to offer.\n\n"
        "Nobody measured it before, not here, and so we did it for nine long years.",
        "Tea 2026 Papers\n\na,b,c\n\n1,2,3",
    ],
)
def test_commas_alone_make_no_table(tmp_path: Path, content: str) -> None:
    assert open_source(write(tmp_path / "a.txt", content.encode())).source.format == "seed"


def test_missing_files_and_directories(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        open_source(tmp_path / "none.txt")
    with pytest.raises(LoadError, match="directory"):
        open_source(tmp_path)


def test_other_encodings_are_read_and_named(tmp_path: Path) -> None:
    text = "Trial 2020 Papers\n\nNaïve masks – they fail.\n"
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "cp1252"):
        reading = open_source(write(tmp_path / f"{encoding}.txt", text.encode(encoding)))
        assert [r.text for r in reading.records()] == ["Naïve masks – they fail."]
        assert reading.source.encoding == encoding


def test_a_wrong_byte_does_not_change_the_encoding(tmp_path: Path) -> None:
    text = "Trial 2020 Papers\n\nNaïve masks – they fail.\n\nSo does – XX – this.\n\nNot – this.\n"
    path = write(tmp_path / "a.txt", text.encode().replace(b"XX", b"\xff\x80"))
    reading = open_source(path)
    assert reading.source.encoding == "utf-8"
    assert [r.text for r in reading.records()] == [
        "Naïve masks – they fail.",
        "So does – \ufffd\ufffd – this.",
        "Not – this.",
    ]
    assert reading.notes == ("bytes that are not utf-8 became U+FFFD, first on line 5",)


def test_one_wrong_byte_on_the_only_line_beyond_ascii_does_not_either(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "Trial 2020 Papers\n\nCafé naïve X 日本.\n".encode())
    path.write_bytes(path.read_bytes().replace(b"X", b"\xff"))
    reading = open_source(path)
    assert [r.text for r in reading.records()] == ["Café naïve \ufffd 日本."]
    assert reading.notes == ("bytes that are not utf-8 became U+FFFD, first on line 3",)


def test_a_key_with_two_values_loses_none_in_silence(tmp_path: Path) -> None:
    lines = [
        '{"id": "1", "abstract": "We mask clouds.", "abstract": "We route."}',
        '{"id": "2", "abstract": "We mask clouds.", "abstract": "We mask clouds."}',
        '{"\\ufeff\\"Authors\\"": "A. Oak", "abstract": "We sail."}',
    ]
    twice, same, marked = open_source(write(tmp_path / "a.jsonl", "\n".join(lines))).records()
    assert isinstance(twice, Reject)
    assert twice.reason == '"abstract" stands twice, with two values; keep one of them'
    assert (twice.first_line, same.text) == (1, "We mask clouds.")
    assert len(marked.authors) == 1


def test_a_title_with_a_year_needs_no_blank_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "ICLR 2026 Papers\nWe mask clouds.\nWell.\n\nWe route.\n")
    reading = open_source(path)
    assert (reading.source.venue, reading.source.year) == ("ICLR", 2026)
    found = [(r.first_line, r.last_line, r.text) for r in reading.records()]
    assert found == [(2, 3, "We mask clouds.\nWell."), (5, 5, "We route.")]


def test_clean_counts_what_it_takes_out() -> None:
    assert clean("  a\r\nb\rc\x00\x07\td \n") == ("a\nb\nc\td", 2)


@pytest.mark.parametrize(
    ("title", "facts"),
    [
        ("ICLR 2026 Papers", ("ICLR", 2026)),
        ("NeurIPS 2024 Datasets and Benchmarks Track", ("NeurIPS", 2024)),
        ("Collection of Trial Papers", (None, None)),
        ("2019", (None, 2019)),
    ],
)
def test_collection_facts(title: str, facts: tuple[str | None, int | None]) -> None:
    assert collection_facts(title) == facts


def test_fields() -> None:
    assert people("A. Doe, B. Roe and C. Poe") == ("A. Doe", "B. Roe", "C. Poe")
    assert people("Doe, J.") == ("Doe, J.",)
    assert people([{"name": "A  Doe"}, {"given": "B", "family": "Roe"}]) == ("A Doe", "B Roe")
    assert people(5) is None
    assert terms("a; b, c;") == ("a", "b, c")
    assert year_of("c2011.") == 2011
    assert year_of(True) is None
    assert doi_of("DOI: 10.1/TOY ") == "10.1/toy"
    assert (
        doi_of("https://teas.example/doi/10.1/S0140%2805%29/full?from=list#top") == "10.1/s0140(05)"
    )
    assert doi_of("https://doi.org/10.1/abstract") == "10.1/abstract"
    assert identifiers(
        doi=None, url="https://openreview.net/forum?id=Ab_1-x", external_id="arXiv:2501.01234"
    ) == ("arxiv:2501.01234", "openreview:Ab_1-x")
