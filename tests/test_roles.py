"""Roles: the shipped weights, the best sequence, and training."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import cues, weights
from loader.features import MOST, looks, stem, tokens
from loader.memo import Memo
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
    rows = [model.known(look.own) for look in looks(sentences)]
    scores = [table[at, : len(ROLES)].sum(axis=0) for at in rows]
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


def test_sums_are_those_of_the_named_features() -> None:
    """What is weighed without names against the rows of the names themselves."""
    model = weights.shipped()
    seen = looks([*ABSTRACT, *ABSTRACT[:1], "It is a short name, and we first model models."])
    for look, (rows, _), raised in zip(seen, model.own(seen), model.role_scores(seen), strict=True):
        assert rows - {0} == set(model.known(look.own)) - {0}
        named = model.known([*look.own, *look.around, *look.cues])
        score = model.table[named, : len(ROLES)].sum(axis=0).tolist()
        assert [value - raised[0] for value in raised] == [value - score[0] for value in score]


_TOLD = (
    "we prove proves a an the first -ever ever time state-of-the-art sota non-provable , ( o( 3 _"
    " achieves high-achieves over-prior than existing methods bounds convergence rate while low"
    " theorems to date largest code is publicly available formally theory é 2gains best record"
).split()


@given(st.lists(st.sampled_from(_TOLD), max_size=25), st.sampled_from([" ", "", "\x1c", "-"]))
def test_gates_only_save_time(words: list[str], between: str) -> None:
    """A cue is given where its first gate is open and its pattern stands; the rest is speed."""
    sentence = between.join(words)
    look = looks([sentence])[0]
    for name, cue in cues.CUES.items():
        opened = any(re.match(cues.GATES[name], word) for word in look.words)
        found = cue.search(sentence)
        assert (name in look.cues) == (opened and found is not None)
        if name in look.cues and found is not None and look.words:
            assert cues.place(name, sentence) == found.span()


def test_tokens_stand_where_they_are_said_to_stand() -> None:
    sentence = "It (in 2,5 s) beats 3 of 4 models: 50% - that's x²-norm 7."
    (look,) = looks([sentence])
    read = [sentence[start:end].lower() for start, end in look.spans]
    assert ["#" if part[0].isdigit() else part for part in read] == list(look.words)
    assert read[3] == "2,5"


def test_a_memo_forgets_in_time() -> None:
    asked: list[str] = []
    memo = Memo[str, int](lambda key: asked.append(key) or len(key), most=3)  # type: ignore[func-returns-value]
    assert [memo[key] for key in ("a", "bb", "a", "c", "d", "a")] == [1, 2, 1, 1, 1, 1]
    assert asked == ["a", "bb", "c", "d", "a"]
    assert memo["x" * 1000] == 1000
    assert len(memo) <= 3
    assert "x" * 1000 not in memo


@given(st.lists(st.text(max_size=80), max_size=12))
def test_every_sentence_has_a_role(sentences: list[str]) -> None:
    found = assign(sentences)
    assert len(found) == len(sentences)
    assert set(found) <= set(ROLES)
