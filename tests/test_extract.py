"""Any text gives records with places that are right, or nothing; never an exception."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import fuzz
from loader import build

SIGNS = st.lists(st.sampled_from(fuzz.UNITS), max_size=60).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400) | SIGNS | st.tuples(st.text(max_size=80), SIGNS).map("".join))
def test_any_text_gives_records_with_right_places(text: str) -> None:
    assert fuzz.faults(text, build.extract(text)) == []


def test_mutated_abstracts_and_junk_take_linear_time() -> None:
    seen = set()
    for kind, text in fuzz.texts(400, seed=7):
        _, wrong = fuzz.tried(text)
        assert wrong == [], (kind, text[:300])
        seen.add(kind)
    assert seen >= {"abstract", "junk", "soup", "foreign"}


def test_the_same_seed_gives_the_same_texts() -> None:
    assert list(fuzz.texts(50, seed=3)) == list(fuzz.texts(50, seed=3))
    assert list(fuzz.texts(50, seed=3)) != list(fuzz.texts(50, seed=4))


@pytest.mark.parametrize("unit", ["{", "$1", "(AB) ", "A-B-", "\\textbf{", "we show that ", "1, "])
def test_long_texts_of_anything(unit: str) -> None:
    text = unit * (40_000 // len(unit))
    _, wrong = fuzz.tried(text)
    assert wrong == []


def test_faults_are_seen() -> None:
    text = "We gain 3 points. It is better."
    said = build.extract(text)
    assert fuzz.faults(text, said) == []
    longer = replace(said, plain=said.plain + " More.")
    assert "text behind the last sentence" in fuzz.faults(text + " More.", longer)
    assert "a sentence outside the source" in fuzz.faults(text[:-1], said)
    assert fuzz.faults(text, replace(said, sentences=()))


@pytest.mark.parametrize("text", fuzz.FOREIGN, ids=lambda text: text[:12])
def test_other_languages_give_sentences_and_no_claims(text: str) -> None:
    said = build.extract(text)
    assert len(said.sentences) >= 2
    assert len(said.claims) == 0


@pytest.mark.parametrize("text", ["", " ", "\n", "{", "$", "\ud800", "\u202e", "."])
def test_next_to_nothing_is_no_fault(text: str) -> None:
    assert fuzz.faults(text, build.extract(text)) == []
