"""Roles: the shipped weights, the best sequence, and training."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import weights
from loader.features import MOST, looks, stem, tokens
from loader.model import CLAIM_KINDS, ROLES
from loader.roles import assign

ABSTRACT = [
    "Tide forecasts have become essential for harbour planning.",
    "However, existing models remain costly and fail in narrow straits.",
    "In this paper, we investigate whether small networks can forecast tides.",
    "We propose MoorNet, a recurrent network that shares weights across stations.",
    "Specifically, each station is encoded by its depth and its distance to the sea.",
    "Experiments on three benchmarks show that MoorNet reduces the error by 12%.",
    "Our code is available at https://example.org/moornet.",
]


def test_roles_of_an_abstract() -> None:
    assert assign(ABSTRACT) == [
        "background",
        "background",
        "objective",
        "method",
        "method",
        "result",
        "other",
    ]


def test_no_sentences_have_no_roles() -> None:
    assert assign([]) == []


def test_a_text_without_end_is_no_abstract() -> None:
    found = assign(["We moor."] * (MOST + 3))
    assert len(found) == MOST + 3
    assert found[MOST:] == ["other"] * 3


def test_the_best_sequence_is_found() -> None:
    """Against every sequence there is, with weights drawn by lot."""
    lot = np.random.default_rng(7)
    index = {"a": 1, "b": 2, "c": 3}
    table = np.zeros((4, len(ROLES) + len(CLAIM_KINDS)), dtype=np.int64)
    table[1:, : len(ROLES)] = lot.integers(-300, 300, size=(3, len(ROLES)))
    none = np.zeros(len(CLAIM_KINDS), dtype=np.int64)
    model = weights.Model(
        index,
        table,
        lot.integers(-300, 300, size=len(ROLES)),
        lot.integers(-300, 300, size=len(ROLES)),
        lot.integers(-300, 300, size=(len(ROLES), len(ROLES))),
        none,
        none,
    )
    sentences = ["a b", "c", "b c", "a"]
    scores = model.role_scores([model.known(look.own) for look in looks(sentences)])
    grid = np.meshgrid(*[range(len(ROLES))] * len(sentences), indexing="ij")
    total = model.start[grid[0]] + model.end[grid[-1]]
    for n, labels in enumerate(grid):
        total = total + scores[n][labels]
        if n:
            total = total + model.steps[grid[n - 1], labels]
    best = np.unravel_index(total.argmax(), total.shape)
    assert assign(sentences, model) == [ROLES[int(at)] for at in best]


def test_weights_file_is_small_and_survives_a_round_trip() -> None:
    assert weights.FILE.stat().st_size < 1_000_000
    stored = json.loads(weights.FILE.read_text(encoding="utf-8"))
    again = weights.to_dict(weights.from_dict(stored))
    for part in ("roles", "claims"):
        assert again[part] == stored[part]
    assert weights.text_of(again, stored["about"]) == weights.FILE.read_text(encoding="utf-8")


def test_training_learns_and_repeats_itself() -> None:
    train = pytest.importorskip("loader.train")
    words = ("alder", "birch", "cedar", "linden", "maple", "rowan")
    examples = [
        train.Example(
            (f"The {a} is widely known.", f"We propose {b} pruning.", f"It beats {a} by 3%."),
            ("background", "method", "result"),
            (frozenset(), frozenset({"contribution"}), frozenset({"result"})),
        )
        for a, b in zip(words, words[1:] + words[:1], strict=True)
    ]
    first, second = train.train(examples), train.train(examples)
    assert weights.to_dict(first) == weights.to_dict(second)
    assert "^we" in first.index
    once = train.train([*examples, train.Example(("Only zelkova.",), ("other",))])
    assert "zelkova" not in once.index
    found = assign(["The willow is widely known.", "We propose willow pruning."], first)
    assert found == ["background", "method"]


def test_tokens_and_stems() -> None:
    assert tokens("State-of-the-art: 3.5% (we're)") == [
        "state-of-the-art",
        ":",
        "#",
        "%",
        "(",
        "we're",
    ]
    assert {stem(w) for w in ("propose", "proposes", "proposed", "proposing")} == {"propos"}


@given(st.lists(st.text(max_size=80), max_size=12))
def test_every_sentence_has_a_role(sentences: list[str]) -> None:
    found = assign(sentences)
    assert len(found) == len(sentences)
    assert set(found) <= set(ROLES)
