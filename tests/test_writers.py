"""Citations: whatever a title holds, the format stays whole and the words stay the words."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.writers import (
    Paper,
    bare_doi,
    bibtex,
    citation_key,
    family_first,
    json_line,
    latex,
    markdown,
    markdown_text,
    plain,
    ris,
)

FULL = Paper(
    id=1295,
    label="Kettles",
    title="Boiling 100% of {water} with TeaNet & DPO_2",
    authors=("Ada de Souza", "Wu, Lin", "Kettle and Sons"),
    venue="Journal of Tea",
    year=2025,
    doi="https://doi.org/10.1/tea_(1)",
    volume="3",
    number="2",
    pages="4-9",
    collection="Tea 2025",
    abstract="We boil.\nTwice.",
    keywords=("tea*", "heat & steam"),
)
BARE = Paper(id=7, label="TeaNet: water that boils", collection="Tea 2026 Papers", year=2026)


def test_bibtex_escapes_and_keeps_case() -> None:
    assert bibtex(FULL) == (
        "@article{desouza2025_zz,\n"
        "  author = {Ada de Souza and Wu, Lin and {Kettle and Sons}},\n"
        "  title = {Boiling 100\\% of \\textbraceleft{}water\\textbraceright{} with {TeaNet}"
        " \\& {DPO\\_2}},\n"
        "  journal = {Journal of Tea},\n"
        "  year = {2025},\n"
        "  volume = {3},\n"
        "  number = {2},\n"
        "  pages = {4--9},\n"
        "  doi = {10.1/tea\\_(1)},\n"
        "  url = {https://doi.org/10.1/tea_(1)},\n"
        "  keywords = {tea*, heat \\& steam},\n"
        "}\n"
    )


def test_what_has_no_title_is_cited_by_label_collection_and_year() -> None:
    assert bibtex(BARE).splitlines()[:4] == [
        "@misc{teanet2026_7,",
        "  title = {{TeaNet:} water that boils},",
        "  howpublished = {Tea 2026 Papers},",
        "  year = {2026},",
    ]
    assert plain(BARE) == "[TeaNet: water that boils]. Tea 2026 Papers."
    assert markdown(BARE) == "**TeaNet: water that boils**. Tea 2026 Papers."
    assert "TI  - TeaNet: water that boils\r\nT2  - Tea 2026 Papers\r\nPY  - 2026\r\n" in ris(BARE)
    assert plain(Paper(1, "A thing", year=1999)) == "[A thing]. 1999."
    assert plain(Paper(1, "A thing")) == "[A thing]."


def test_ris_has_a_tag_a_line() -> None:
    assert ris(FULL).split("\r\n") == [
        "TY  - JOUR",
        "AU  - de Souza, Ada",
        "AU  - Wu, Lin",
        "AU  - Sons, Kettle and",
        "TI  - Boiling 100% of {water} with TeaNet & DPO_2",
        "T2  - Journal of Tea",
        "PY  - 2025",
        "VL  - 3",
        "IS  - 2",
        "SP  - 4",
        "EP  - 9",
        "DO  - 10.1/tea_(1)",
        "UR  - https://doi.org/10.1/tea_(1)",
        "AB  - We boil. Twice.",
        "KW  - tea",
        "KW  - heat & steam",
        "ID  - desouza2025_zz",
        "ER  - ",
        "",
    ]


def test_text_and_markdown_read_as_a_line() -> None:
    assert plain(FULL) == (
        "Ada de Souza, Wu, Lin and Kettle and Sons (2025). Boiling 100% of {water} with TeaNet "
        "& DPO_2. Journal of Tea 3(2), 4–9. https://doi.org/10.1/tea_(1)"
    )
    assert markdown(FULL) == (
        "[**Boiling 100% of \\{water\\} with TeaNet \\& DPO\\_2**]"
        "(<https://doi.org/10.1/tea_(1)>). "
        "Ada de Souza, Wu, Lin and Kettle and Sons. Journal of Tea 3(2), 4–9, 2025."
    )
    many = Paper(1, "x", title="T", authors=tuple(f"A{n} B" for n in range(9)), venue="V")
    assert plain(many) == "A0 B et al. T. V."


def test_json_lines_leave_out_what_is_not_known() -> None:
    assert json.loads(json_line(BARE)) == {
        "id": 7,
        "label": "TeaNet: water that boils",
        "year": 2026,
        "collection": "Tea 2026 Papers",
    }
    assert json.loads(json_line(FULL))["authors"] == list(FULL.authors)


@pytest.mark.parametrize(
    ("name", "turned"),
    [
        ("Ada Lovelace", "Lovelace, Ada"),
        ("Ludwig van der Berg", "van der Berg, Ludwig"),
        ("Van Gogh", "Gogh, Van"),
        ("Plato", "Plato"),
        ("Wu, Lin", "Wu, Lin"),
        ("", ""),
    ],
)
def test_names_are_turned_around(name: str, turned: str) -> None:
    assert family_first(name) == turned


def test_a_doi_is_bare_and_only_web_addresses_lead_anywhere() -> None:
    assert {bare_doi(d) for d in ("10.1/x", "doi: 10.1/x", "HTTPS://DX.DOI.ORG/10.1/x")} == {
        "10.1/x"
    }
    for url in ("javascript:alert(1)", "https://a b", "https://x>](y", "ftp://x"):
        paper = Paper(1, "x", url=url)
        assert paper.address == ""
        assert url not in markdown(paper)
        assert "UR" not in ris(paper)


ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
PAPERS = st.builds(
    Paper,
    id=st.integers(0, 2**53),
    label=ANY.filter(str.strip),
    title=st.none() | ANY,
    authors=st.lists(ANY, max_size=3).map(tuple),
    venue=st.none() | ANY,
    year=st.none() | st.integers(1, 3000),
    doi=st.none() | ANY,
    url=st.none() | ANY,
    pages=st.none() | ANY,
    abstract=ANY,
    keywords=st.lists(ANY, max_size=2).map(tuple),
)


@given(PAPERS)
def test_no_text_breaks_a_format(paper: Paper) -> None:
    entry = bibtex(paper)
    depth = 0
    for character in entry[entry.index("{") : -2]:  # BibTeX counts every brace
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 1
    assert depth == 1
    for line in entry.splitlines()[1:-1]:
        assert re.fullmatch(r"  [a-z]+ = \{.*\},", line)
        assert line.count("{") == line.count("}")
    assert re.fullmatch(r"[a-z][a-z0-9]*_[0-9a-z]+", citation_key(paper))

    lines = ris(paper).split("\r\n")
    assert lines[0].startswith("TY  - ")
    assert lines[-2:] == ["ER  - ", ""]
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines[:-1])
    assert sum(line.startswith(("TY", "ER")) for line in lines) == 2

    for text in (plain(paper), markdown(paper), json_line(paper)):
        assert "\n" not in text
        assert text
    assert json.loads(json_line(paper))["id"] == paper.id


@given(ANY)
def test_escapes_can_be_undone(text: str) -> None:
    words = " ".join(text.split())
    shown = re.sub(r"\\([\\`*_{}\[\]<>#|~$&!])", r"\1", markdown_text(text))
    assert [c for c in shown if c.isalnum()] == [c for c in words if c.isalnum()]
    assert not re.search(r"(?<!\\)[$&#%_]", latex(text))
