"""Sentences: where they end, and that their spans lose nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.sentences import source_spans, split
from loader.text import to_plain

STRESS = Path(__file__).parent / "data" / "sentence_stress.txt"


def parts(source: str) -> list[str]:
    plain = to_plain(source)
    return [source[start:end] for start, end in source_spans(plain, split(plain))]


def test_stress_lines() -> None:
    lines = [line.split("|") for line in STRESS.read_text(encoding="utf-8").splitlines()]
    wrong = [line for line in lines if parts(" ".join(line)) != line]
    assert len(lines) == 34
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(
    "sentences",
    [
        ["Abstract We moor.", "It holds."],
        ["**Moor holds.**", "*Does it?*", "Yes."],
        ["It rises (Doe et al. 2021; see Sec. 4).", "It falls."],
        ["This is the state of the art.", "We go on."],
        ["It took 5 sec.", "We stop."],
        ["Roe et al. (2020) agree.", "Others do not."],
        ["Three goals: (1) speed, (2) size. (3) cost.", "All are met."],
        ["See https://example.org/a.b?c=d.", "It is there."],
        [r"It holds \citep{doe}.", r"\textbf{Second}, it pays."],
        ["We moor in calm water", "- and in wind", "- and at night"],
    ],
)
def test_splits(sentences: list[str]) -> None:
    joint = "\n" if sentences[0].startswith("We moor in") else " "
    assert parts(joint.join(sentences)) == sentences


def test_paragraphs_end_sentences() -> None:
    assert parts("It rises\n\nIt falls.") == ["It rises", "It falls."]


def test_a_missing_space_is_seen() -> None:
    text = "We test many small samples of water.To this end, we moor."
    assert parts(text) == ["We test many small samples of water.", "To this end, we moor."]


def test_other_scripts() -> None:
    assert parts("海潮会变。我们等待。") == ["海潮会变。", "我们等待。"]


_PIECES = st.sampled_from(
    [
        *'().!?…"“” \n$*}{',
        "a",
        "We ",
        "e.g. ",
        "i.e., ",
        "3.5",
        "(1) ",
        "。",
        "**",
        "\\cite{a}",
        "\\% ",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=50).map("".join)))
def test_joined_spans_cover_the_text(source: str) -> None:
    plain = to_plain(source)
    spans = split(plain)
    at = 0
    for span in spans:
        assert span.start < span.end
        assert not plain.plain[at : span.start].strip()
        assert plain.plain[span.start : span.end] == plain.plain[span.start : span.end].strip()
        at = span.end
    assert not plain.plain[at:].strip()
    found = source_spans(plain, spans)
    assert len(found) == len(spans)
    at = 0
    for (start, end), span in zip(found, spans, strict=True):
        assert not source[at:start].strip()
        assert start <= plain.starts[span.start]
        assert plain.ends[span.end - 1] <= end
        at = end
    if spans:
        assert not source[at:].strip()
