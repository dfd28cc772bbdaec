"""Labels: what a person would call a paper."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import build, labels
from loader.model import Claim, Name, Role
from tests import timing
from tests.conftest import ROOT


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
    assert got == "TideSGD: algorithm for tidal harbour problems where boats drift"


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
            "Our study closes this gap by giving the first tidal results for rowing boats.",
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


@pytest.mark.parametrize(
    ("sentences", "wanted"),
    [
        # a second verb, a participle, a conjunction or an adjective is no end
        (
            [
                "We provide a framework for reading tides of the open harbour and reveal that "
                "boats drift far.",
            ],
            "Framework for reading tides of the open harbour",
        ),
        (
            [
                "This paper explores drift and slack in harbour-based rowing crews, aiming to "
                "find boats that may be left at home in the winter months of the year.",
            ],
            "Drift and slack in harbour-based rowing crews",
        ),
        (
            [
                "We propose a list of tidal marks for sustainable harbours believed to be known"
                " to those rowers who have lived there for more than a dozen years.",
            ],
            "List of tidal marks for sustainable harbours",
        ),
        (
            [
                "We study shapes of the tidal oars for two-master, single-sail boats under "
                "which a crew can row.",
            ],
            "Shapes of the tidal oars for two-master, single-sail boats",
        ),
        (
            [
                "We present a decoder of tides that fuses the drifting sails of the outer "
                "harbour with local or regional winds measured by rowers.",
            ],
            "Decoder of tides that fuses the drifting sails of the outer harbour",
        ),
        (
            [
                "We give the first fast algorithm for learning tides in the open rowing model "
                "of the outer harbour given by Fockens and Kleemann.",
            ],
            "Fast algorithm for learning tides in the open rowing model of the outer harbour",
        ),
        # the frame is found in the main clause, wherever it stands
        (
            [
                "Boats drift, and as we show sails tear.",
                "Motivated by storms, we design tidal sails for boats.",
            ],
            "Tidal sails for boats",
        ),
        (
            [
                "We formalize the above winds and develop a decentralized algorithm to steer "
                "boats in tidal winds.",
            ],
            "Decentralized algorithm to steer boats in tidal winds",
        ),
        ([
                "In this study, four kinds of sails for boats are proposed.",
            ], "Four kinds of sails for boats"),
        (
            [
                "Seeing boats adrift inspires a new tidal steering scheme for boats.",
            ],
            "Tidal steering scheme for boats",
        ),
        (
            [
                "We have then reverse engineered tidal clocks of boats.",
            ],
            "Reverse engineering tidal clocks of boats",
        ),
        # a statement that is too long gives its subject
        (
            [
                "We show that affine maps between harbours of tidal boats are a cheap way to "
                "carry rowers between boats that would otherwise never have met.",
            ],
            "Affine maps between harbours of tidal boats",
        ),
        (["This paper is a survey of ways to moor boats."], "Survey of ways to moor boats"),
        # headings of a structured abstract are no words of it
        (["OBJECTIVE: To moor tidal boats in harbours."], "Mooring tidal boats in harbours"),
        (["Results: Boats in harbours drift with tidal winds."],
         "Boats in harbours drift with tidal winds"),
        # what says nothing gives way to the aim or the topic
        (
            [
                "We study the tidal memory of rowing boats.",
                "So we ask two research questions.",
            ],
            "Tidal memory of rowing boats",
        ),
        (
            [
                "Tidal memory of boats has become popular with rowers.",
                "To fill this gap, we conduct extensive experiments.",
            ],
            "Tidal memory of boats",
        ),
        (
            [
                "Experiments on both small and large boats validate our ideas.",
                "This paper surveys ways of docking boats.",
            ],
            "Ways of docking boats",
        ),
        # "this task" is what is studied
        (
            [
                "This paper studies docking boats in harbours.",
                "Harbours drift.",
                "We present a tidal approach for this task.",
            ],
            "Tidal approach for docking boats in harbours",
        ),
    ],
)  # fmt: skip
def test_a_label_is_a_whole_phrase_that_names_the_topic(sentences: list[str], wanted: str) -> None:
    last = len(sentences) - 1
    got = label(*sentences, roles=["method"] * (last + 1), contributions=[last])
    assert got == wanted


@pytest.mark.parametrize(
    ("name", "sentences", "wanted"),
    [
        (
            Name("TideBench", None, "benchmark"),
            ["A key factor for boats is wind.",
             "We introduce a new benchmark, TideBench, to evaluate how boats drift.",
             "We also perform an extensive analysis."],
            "TideBench: benchmark to evaluate how boats drift",
        ),
        (
            Name("RowHammer", None, "method"),
            ["We present an approach to tidal rowing of boats.", "Tidal boats drift.",
             "Our method, RowHammer, is quick."],
            "RowHammer: approach to tidal rowing of boats",
        ),
        (
            Name("Harbourmaster", None, "system"),
            ["Personal mooring of boats is popular.",
             "We propose Harbourmaster, a unified system with three components.",
             "Harbourmaster is quick."],
            "Harbourmaster: unified system for personal mooring of boats",
        ),
        (
            Name("Sailor", None, "model"),
            ["Boats matter.", "We train Sailor, a family of rowing boats, and find it quick."],
            "Sailor: family of rowing boats",
        ),
        (
            Name("Linbo", None, "system"),
            ["We introduce a harbour search engine, Linbo, that finds idle boats."],
            "Linbo: harbour search engine that finds idle boats",
        ),
        (
            Name("OarNet", None, "model"),
            ["OarNets, which carry tidal memories, are quick.", "We train OarNets on boats."],
            "OarNet: carrying tidal memories",
        ),
        (
            Name("QROW", "Q-learning Rower for Kolmogorov Waves", "method"),
            ["We propose QROW."],
            "QROW: Q-learning rower for Kolmogorov waves",
        ),
        (
            Name("MOOR", "mooring of old rafts", "method"),
            ["We propose mooring of old rafts (MOOR) for harbours with many tides."],
            "MOOR: mooring of old rafts for harbours with many tides",
        ),
        (
            Name("HULL", None, "method"),
            ["We introduce three boat repairs: HULL, which enforces the sharing of planks."],
            "HULL: enforcing the sharing of planks",
        ),
        (
            Name("seafret", None, "concept"),
            ["We investigate memory in tidal boats.", "Boats drift, a habit that we term seafret."],
            "Memory in tidal boats",
        ),
    ],
)  # fmt: skip
def test_a_description_belongs_to_its_name(name: Name, sentences: list[str], wanted: str) -> None:
    roles: list[Role] = ["background", "method", "method"]
    if sentences[0].startswith("We"):
        roles[0] = "objective"
    contributions = [at for at, sentence in enumerate(sentences) if sentence.startswith("We ")]
    got = label(
        *sentences, names=[name], roles=roles[: len(sentences)], contributions=contributions
    )
    assert got == wanted


def test_labels_of_the_seeds() -> None:
    found = {
        build.extract(block).label
        for path in sorted((ROOT / "seeds").glob("*.txt"))
        for block in path.read_text(encoding="utf8").split("\n\n")[1:]
    }
    assert found >= {
        "HaDola: human uncertainty-aware data selection and automatic labeling",
        "Straggler effect and capacity-aware token drop in mixture of experts",
        "In-training reduction significantly accelerates optimization",
        "MIMIC-Ext-CXR-QBA: large-scale CXR VQA dataset derived from MIMIC-CXR",
        "FedFTRL: algorithm for federated multi-armed bandit problems",
        "BIT: brain-to-text, a framework that translates neural activity into coherent sentences",
        "Executable counterfactual: framework that operationalizes causal reasoning through code",
        "C2C: cache-to-cache, a paradigm for direct semantic communication between LLMs",
        "VaseVQA-3D: 3D visual question answering dataset for ancient Greek pottery analysis",
        "Heuristic route for predicting the data and width scales",
    }


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

        def read(n: int, piece: str = piece) -> None:
            label(piece * n, names=[Name("TideX", None, "method")], contributions=[0])
            label(piece * n, contributions=[0])

        assert timing.grows_linearly(read, 2_500, 20_000)


def test_letters_that_grow_with_their_case_do_not_make_it_too_long() -> None:
    for count in range(80, 110):
        text = f"We propose ß/1 {'x' * count}."
        assert len(build.extract(text).label) <= 100


def test_adverbs_in_a_row_are_read_in_one_way() -> None:
    def read(n: int) -> None:
        build.extract("This paper stud" + "respectively, " * n + "and more of boats.")

    assert timing.grows_linearly(read, 15, 120)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We present NightBench, 1,204 issues of twelve harbours. NightBench is hard: agents solve "
         "12% of NightBench.", "NightBench: 1,204 issues of twelve harbours"),
        ("We introduce HalfStale, which halves stale answers of caches. HalfStale is small.",
         "HalfStale, which halves stale answers of caches"),
    ],
)  # fmt: skip
def test_a_name_is_not_said_twice(text: str, wanted: str) -> None:
    assert build.extract(text).label == wanted


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("an O(√T) regret bound for bandits with delays", "O(√T) regret bound"),
        ("a rate of 2^(-k) for samplers (of two kinds)", "ate of 2^(-k) for samplers"),
    ],
)
def test_brackets_of_formulas_stay(said: str, told: str) -> None:
    got = build.extract(f"We derive {said}.").label
    assert told in got
    assert "two kinds" not in got
