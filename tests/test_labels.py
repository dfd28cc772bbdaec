"""Labels: what a person would call a paper."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import labels
from loader.model import Claim, Name, Role


def label(
    *sentences: str,
    names: Sequence[Name] = (),
    title: str | None = None,
    roles: Sequence[Role] | None = None,
    contributions: Sequence[int] = (),
) -> str:
    return labels.make(
        title,
        " ".join(sentences),
        sentences,
        roles or ["method"] * len(sentences),
        [Claim(i, "contribution", sentences[i], "") for i in contributions],
        names,
    )


def test_a_title_is_the_label() -> None:
    assert label("We row.", title="  Rowing\nwith tides. ") == "Rowing with tides"


def test_a_long_title_is_cut_at_a_word() -> None:
    title = "Rowing " * 20 + "with tides"
    got = label(title=title)
    assert len(got) <= labels.LONGEST
    assert title.startswith(got)
    assert not got.endswith((".", "…", " "))


@pytest.mark.parametrize(
    ("name", "sentence", "wanted"),
    [
        (
            Name("TaBo", "Tidal-Aware Learning for Robust Boat Optimization", "method"),
            "We propose Tidal-Aware Learning for Robust Boat Optimization (TaBo).",
            "TaBo: tidal-aware learning for robust boat optimization",
        ),
        (
            Name("B2B", "Boat-to-Boat", "method"),
            "Thus, we propose Boat-to-Boat (B2B), a new paradigm for talk between boats.",
            "B2B: boat-to-boat, a paradigm for talk between boats",
        ),
        (
            Name("ROWED", "ROw, Wait and End safely Docked", "method"),
            "It is ROw, Wait and End safely Docked (ROWED).",
            "ROWED: row, wait and end safely docked",
        ),
        (
            Name("LGBR", "LLM-Guided Bayesian Rowing on Open Water", "method"),
            "We use LLM-Guided Bayesian Rowing on Open Water (LGBR).",
            "LGBR: LLM-guided Bayesian rowing on open water",
        ),
        (
            Name("BoatBench", None, "benchmark"),
            "We introduce BoatBench, the first large-scale benchmark centered on tidal rowing.",
            "BoatBench: large-scale benchmark centered on tidal rowing",
        ),
        (
            Name("BoatQA-3D", None, "dataset"),
            "We propose the BoatQA-3D dataset, which serves as the first 3D boat question set.",
            "BoatQA-3D: 3D boat question set",
        ),
        (
            Name("RowNext", None, "method"),
            "We propose RowNext, which explicitly models tidal relations through oars.",
            "RowNext: modeling tidal relations through oars",
        ),
        (
            Name("RowGym", None, "system"),
            "We release the RowGym framework that translates tides into coherent rowing.",
            "RowGym: framework that translates tides into coherent rowing",
        ),
    ],
)
def test_a_name_with_its_long_form_or_what_it_is(name: Name, sentence: str, wanted: str) -> None:
    assert label(sentence, names=[name], contributions=[0]) == wanted


def test_a_problem_and_its_remedy() -> None:
    names = [Name("Tide Effect", None, "concept"), Name("Tide-Aware Oar Drop", None, "method")]
    got = label(
        "The Theory of Boats (ToB) is old.",
        "We define this as the Tide Effect.",
        "We propose Tide-Aware Oar Drop, which drops oars.",
        names=names,
    )
    assert got == "Tide effect and tide-aware oar drop in theory of boats"


def test_a_name_of_which_little_is_said_takes_the_aim() -> None:
    got = label(
        "This paper studies tidal harbour problems where boats drift.",
        "We propose a novel algorithm called TideSGD for this problem.",
        names=[Name("TideSGD", None, "method")],
        roles=["objective", "method"],
    )
    assert got == "TideSGD: tidal harbour problems where boats drift"


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        (
            "Here, we propose a powerful heuristic route for predicting the tides, thereby rowing.",
            "Heuristic route for predicting the tides",
        ),
        (
            "In this work, we propose to use oars of oak as the steering input, thereby rowing.",
            "Using oars of oak as the steering input",
        ),
        (
            "In this paper, we identify that still boats can be reached through a tidal attack.",
            "Still boats can be reached through a tidal attack",
        ),
        (
            "Our study addresses this gap by providing the first tidal results for rowing boats.",
            "Tidal results for rowing boats",
        ),
        (
            "We study how boats learn both to sail and to row.",
            "How boats learn both to sail and to row",
        ),
    ],
)
def test_a_contribution_without_its_frame(sentence: str, wanted: str) -> None:
    got = label("Boats matter a lot.", sentence, roles=["background", "method"], contributions=[1])
    assert got == wanted


def test_a_contribution_that_points_back_gives_way_to_a_finding() -> None:
    sentences = (
        "Leveraging tides, we apply this lens to boats during races.",
        "Experiments show that reduction at sea significantly accelerates rowing.",
    )
    got = labels.make(
        None,
        " ".join(sentences),
        sentences,
        ["method", "result"],
        [Claim(0, "contribution", sentences[0], ""), Claim(1, "result", sentences[1], "")],
        [],
    )
    assert got == "Reduction at sea significantly accelerates rowing"


@pytest.mark.parametrize(
    ("title", "plain", "wanted"),
    [
        (None, "", "Untitled abstract"),
        (None, "12345", "Untitled abstract: 12345"),
        ("2048", "", "Untitled abstract: 2048"),
        (None, "Über Boote", "Über Boote"),
    ],
)
def test_never_empty_and_never_a_number_alone(title: str | None, plain: str, wanted: str) -> None:
    assert labels.make(title, plain, [plain] if plain else [], ["other"], [], []) == wanted


@given(
    st.one_of(st.none(), st.text(max_size=150)),
    st.lists(st.text(max_size=150), max_size=4),
    st.lists(st.text(min_size=1, max_size=120), max_size=3),
)
def test_any_input_gives_a_label_of_at_most_100_characters(
    title: str | None, sentences: list[str], names: list[str]
) -> None:
    got = labels.make(
        title,
        " ".join(sentences),
        sentences,
        ["method"] * len(sentences),
        [Claim(0, "contribution", "", "")] if sentences else [],
        [Name(name, name[::-1] if len(name) % 2 else None, "method") for name in names],
    )
    assert 0 < len(got) <= labels.LONGEST
    assert any(c.isalpha() for c in got)
    assert not got.endswith(("...", "…"))


def test_long_sentences_take_linear_time() -> None:
    for piece in ("we propose a ", "a, ", "(", "TideX, a ", "of the "):
        started = time.process_time()
        label(piece * 20_000, names=[Name("TideX", None, "method")], contributions=[0])
        label(piece * 20_000, contributions=[0])
        assert time.process_time() - started < 3
