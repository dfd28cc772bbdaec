"""Topics: what an abstract is about, and a vocabulary that people can edit."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import text, topics
from loader.model import LoadError
from tests import timing

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))


def given_vocabulary(tmp_path: Path, content: str) -> topics.Vocabulary:
    path = tmp_path / "topics.yml"
    path.write_text(content, encoding="utf8")
    return topics.read(path)


def terms(plain: str) -> dict[str, str]:
    return {topic.term: topic.evidence for topic in topics.assign(plain)}


def test_vocabulary_has_two_levels_and_about_sixty_narrow_terms() -> None:
    vocabulary = topics.vocabulary()
    first = {term for term, broader in vocabulary if broader is None}
    assert len({term for term, _ in vocabulary}) == len(vocabulary)
    assert 8 <= len(first) <= 16
    assert 55 <= len(vocabulary) - len(first) <= 80
    assert {broader for _, broader in vocabulary if broader} <= first
    for term in (
        "large language models", "vision-language models", "reinforcement learning",
        "federated and decentralized learning", "benchmarks and data sets", "mixture of experts",
        "brain and biosignals",
    ):  # fmt: skip
        assert term in {t for t, _ in vocabulary}


def test_a_topic_brings_its_broader_topic_and_its_words() -> None:
    got = terms("We prune a Mixture-of-Experts model; MoEs are sparse.")
    assert got["mixture of experts"] == "Mixture-of-Experts, MoEs"
    assert got["architectures"] == "Mixture-of-Experts, MoEs"


def test_case_counts_only_in_single_words_with_capitals() -> None:
    assert "theorem proving" in terms("Proofs are checked in Lean.")
    assert "theorem proving" not in terms("A lean boat.")
    assert "black-box and Bayesian optimization" in terms("bayesian optimization of boats")
    assert "large language models" not in terms("The XLLM and LLMX boats.")


def test_a_weak_word_needs_a_second() -> None:
    assert "brain and biosignals" not in terms("As the brain does, boats forget.")
    assert "brain and biosignals" in terms("The brain of a boat is no human brain.")
    assert "brain and biosignals" in terms("We record EEG.")


def test_spaces_and_hyphens_are_one_and_plurals_are_understood() -> None:
    for words in ("knowledge graph", "knowledge-graphs", "Knowledge\nGraphs"):
        assert "retrieval and knowledge" in terms(f"We read {words} of boats.")
    assert "retrieval and knowledge" not in terms("knowledge graphical boats")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("The Mixture of Experts (MoE)", {"mixture of experts", "fast inference"}),
        ("federated multi-armed bandit", {"bandits and online learning",
                                          "federated and decentralized learning"}),
        ("Speech brain–computer interfaces", {"brain and biosignals", "speech and audio"}),
        ("Spiking Neural Networks (SNNs)", {"spiking and neuromorphic networks"}),
        ("Bayesian Optimization (BO)", {"black-box and Bayesian optimization"}),
        ("chest X-rays (CXRs)", {"medicine and health", "vision-language models"}),
        ("Computer-Aided Design (CAD)", {"design and engineering", "large language models"}),
    ],
)  # fmt: skip
def test_topics_of_the_seeds(words: str, wanted: set[str]) -> None:
    blocks = [b for path in SEEDS for b in path.read_text(encoding="utf8").split("\n\n")]
    block = next(b for b in blocks if words in b)
    assert wanted <= set(terms(text.to_plain(block).plain))


def test_every_seed_has_one_to_eight_narrow_topics() -> None:
    broader = dict(topics.vocabulary())
    for path in SEEDS:
        for block in path.read_text(encoding="utf8").split("\n\n")[1:]:
            narrow = [t for t in terms(text.to_plain(block).plain) if broader[t]]
            assert 1 <= len(narrow) <= 8, (block[:60], narrow)


@pytest.mark.parametrize(
    "words",
    [
        "We introduce TideBench, a large and multilingual benchmark of boats.",
        "We release a corpus of rowing songs.",
        "This paper presents Rowing Words (ROW), the first dataset of rowers' words.",
        "Then we collected a set of tidal images, a new data set.",
        "We construct a test set of oars.",
    ],
)
def test_who_builds_a_data_set_has_it_as_a_topic(words: str) -> None:
    assert "benchmarks and data sets" in terms(words)


@pytest.mark.parametrize(
    "words",
    [
        "We propose a method that beats all others on the benchmark.",
        "We introduce an oar. Each dataset shows its speed.",
        "We present tidal rowing, outperforming others on a dataset.",
        "On three carefully curated datasets our boats win.",
    ],
)
def test_who_uses_a_data_set_does_not(words: str) -> None:
    assert "benchmarks and data sets" not in terms(words)


def test_a_word_in_the_name_of_something_else_is_no_topic() -> None:
    got = terms("We align boats by direct preference policy optimization, a preference learning.")
    assert "alignment and preferences" in got
    assert "reinforcement learning" not in got
    assert "Bayesian methods and uncertainty" not in terms("A PAC-Bayesian bound of boats.")
    assert "detection and segmentation" not in terms("Tracking the drift of boats.")
    assert "privacy" not in terms("The model memorized the boats.")
    assert "diffusion and flow models" not in terms("The diffusion of boats in harbours.")


GOOD = """
- term: boats
  patterns: [boat, row*]
- term: sails
  broader: boats
  patterns: [SAIL, mast head]
  weak: [wind]
"""


def test_own_vocabulary(tmp_path: Path) -> None:
    vocabulary = given_vocabulary(tmp_path, GOOD)
    assert vocabulary.terms == (topics.Term("boats", None), topics.Term("sails", "boats"))
    got = topics.assign("Rowing with the wind.", vocabulary)
    assert [(t.term, t.evidence) for t in got] == [("boats", "Rowing")]
    got = topics.assign("A mast-head. Wind; wind, SAILs.", vocabulary)
    assert [(t.term, t.evidence) for t in got] == [
        ("boats", "mast-head, Wind, SAILs"),
        ("sails", "mast-head, Wind, SAILs"),
    ]


def test_alternatives_and_gaps(tmp_path: Path) -> None:
    vocabulary = given_vocabulary(
        tmp_path,
        """
- term: fleets
  patterns: [build|buy* ... new boat|ship]
- term: sails
  patterns: [sail]
""",
    )
    got = topics.assign("They buy, at last, a new ship with a sail.", vocabulary)
    assert [(t.term, t.evidence) for t in got] == [
        ("fleets", "buy, at last, a new ship"),
        ("sails", "sail"),
    ]
    got = topics.assign("We build sail by sail new-boats.", vocabulary)
    assert [t.term for t in got] == ["sails"]  # "by" ends the phrase
    got = topics.assign("We build red sail and new-boats.", vocabulary)
    assert [(t.term, t.evidence) for t in got] == [
        ("fleets", "build red sail and new-boats"),
        ("sails", "sail"),
    ]
    assert not topics.assign("We build. New boats.", vocabulary)
    assert not topics.assign("We build a newer boat.", vocabulary)


def test_a_longer_pattern_goes_before_a_shorter_one_with_any_ending(tmp_path: Path) -> None:
    vocabulary = given_vocabulary(
        tmp_path, "- {term: a, patterns: [row*]}\n- {term: b, patterns: [row boat]}"
    )
    assert [t.term for t in topics.assign("The row boat.", vocabulary)] == ["b"]


def test_an_exact_pattern_and_one_with_any_ending(tmp_path: Path) -> None:
    vocabulary = given_vocabulary(
        tmp_path,
        "- {term: a, patterns: [row]}\n- {term: b, patterns: [row*]}\n"
        "- {term: c, patterns: [oar]}\n- {term: d, patterns: [oar ... boat]}\n"
        "- {term: e, patterns: [sail]}\n- {term: f, patterns: [sails*]}",
    )
    for _ in range(2):  # what was found once is remembered
        assert [t.term for t in topics.assign("A row.", vocabulary)] == ["b"]
        assert [t.term for t in topics.assign("Two oars.", vocabulary)] == ["c"]
        assert [t.term for t in topics.assign("An oar in the boat.", vocabulary)] == ["d"]
        assert [t.term for t in topics.assign("An oar.", vocabulary)] == ["c"]
        assert [t.term for t in topics.assign("The sails.", vocabulary)] == ["f"]
        assert [t.term for t in topics.assign("A sail.", vocabulary)] == ["e"]


def test_words_begin_behind_what_is_no_letter_of_any_alphabet(tmp_path: Path) -> None:
    vocabulary = given_vocabulary(tmp_path, "- {term: a, patterns: [oar, oar lock]}")
    assert not topics.assign("Soßoar lock, éoar.", vocabulary)
    got = topics.assign("éoar lock–oar lock×oars", vocabulary)
    assert [t.evidence for t in got] == ["oar lock, oars"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a list of topics"),
        ("a: b", "not a list of topics"),
        ("- term: [", r"topics\.yml:\d+: is not YAML"),
        ("- boats", "topic number 1 is not a mapping"),
        ("- patterns: [a]", "topic number 1 has no term"),
        ("- term: a", "topic 'a' has no patterns"),
        ("- {term: a, patterns: b}", "topic 'a': patterns is not a list"),
        ("- {term: a, patterns: [b], weak: c}", "topic 'a': weak is not a list"),
        ("- {term: a, patterns: ['(b']}", r"topic 'a': pattern '\(b' is not words"),
        ("- {term: a, patterns: [b ... c ... d]}", "'b ... c ... d' is not words"),
        ("- {term: a, patterns: [b|]}", r"'b\\|' is not words"),
        ("- {term: a, patterns: [7]}", "topic 'a': pattern 7 is not words"),
        ("- {term: a, patterns: [b], colour: red}", "topic 'a': unknown field 'colour'"),
        ("- {term: a, patterns: [b]}\n- {term: a, patterns: [c]}", "topic 'a' stands twice"),
        ("- {term: a, broader: b, patterns: [c]}", "broader 'b' is no first-level topic"),
        ("- {term: a, broader: [b], patterns: [c]}", "topic 'a': broader is not a term"),
    ],
)  # fmt: skip
def test_a_broken_vocabulary_is_one_clear_error(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(LoadError, match=message):
        given_vocabulary(tmp_path, content)


def test_a_vocabulary_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"absent\.yml: cannot be read"):
        topics.read(tmp_path / "absent.yml")
    (tmp_path / "latin.yml").write_bytes(b"- term: \xff\xfe")
    with pytest.raises(LoadError, match=r"latin\.yml"):
        topics.read(tmp_path / "latin.yml")


@given(st.text(max_size=200))
def test_any_text_gives_topics_with_evidence(plain: str) -> None:
    for topic in topics.assign(plain):
        assert topic.evidence


def test_long_text_takes_linear_time() -> None:
    for piece in (
        "large language ",
        "a",
        "GPT",
        "in context ",
        "introduce ",
        "introduce a ",
        "we build, ",
    ):
        assert timing.grows_linearly(lambda n, p=piece: topics.assign(p * n), 5_000, 40_000)
