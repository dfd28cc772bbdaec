"""Claims: each kind, its clause and its evidence, and what claims nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.claims import find
from loader.model import CLAIM_KINDS, ROLES, ClaimKind
from loader.roles import assign
from tests.test_roles import ABSTRACT


def kinds(sentences: list[str]) -> list[set[ClaimKind]]:
    found = find(sentences, assign(sentences))
    return [{c.kind for c in found if c.sentence == n} for n in range(len(sentences))]


def test_claims_of_an_abstract() -> None:
    assert kinds(ABSTRACT) == [
        set(),
        {"problem"},
        set(),
        {"contribution"},
        set(),
        {"result"},
        {"release"},
    ]


@pytest.mark.parametrize(
    ("sentence", "role", "kind"),
    [
        ("MoorNet outperforms all existing methods on every benchmark.", "result", "sota"),
        ("It sets a new state of the art on two benchmarks.", "result", "sota"),
        ("To our knowledge, this is the first model of tides at this scale.", "result", "first"),
        ("We present the first benchmark for harbour planning.", "method", "first"),
        ("We prove a regret bound of O(√T) and a matching lower bound.", "result", "theory"),
        ("Code and data are publicly available on GitHub.", "other", "release"),
    ],
)
def test_rare_kinds(sentence: str, role: str, kind: str) -> None:
    at = ROLES[ROLES.index(role)]  # type: ignore[arg-type]
    found = find([*ABSTRACT[:5], sentence], [*assign(ABSTRACT[:5]), at])
    assert kind in {c.kind for c in found if c.sentence == 5}


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("In the first stage, each station is encoded by its depth.", "first"),
        ("We use state-of-the-art language models as a backbone of the encoder.", "sota"),
        ("The method reads open data of the harbour authority.", "release"),
    ],
)
def test_what_only_looks_like_a_claim(sentence: str, kind: str) -> None:
    found = find([*ABSTRACT[:4], sentence], [*assign(ABSTRACT[:4]), "method"])
    assert kind not in {c.kind for c in found if c.sentence == 4}


def test_a_claim_shows_its_clause_and_its_evidence() -> None:
    sentences = [
        *ABSTRACT[:3],
        "We propose MoorNet, a new network for tides, and we show that it reduces the error by 3%.",
    ]
    found = {c.kind: c for c in find(sentences, assign(sentences)) if c.sentence == 3}
    claim = found["contribution"]
    assert claim.text in sentences[3]
    assert "propose" in claim.evidence
    for part in claim.evidence.split(", "):
        assert part in sentences[3]


def test_evidence_says_something() -> None:
    sentences = [
        "Tides are hard to tell.",
        "To address these gaps, we then moor boats in this harbour and design a clock for them.",
        "In all of these tests, it reduces the error of the tides by 3%.",
    ]
    idle = set("a the to in of it we for this these them all and by then".split())
    found = find(sentences, ["background", "method", "result"])
    assert {"contribution", "result"} <= {claim.kind for claim in found}
    for claim in found:
        assert any(not set(part.lower().split()) <= idle for part in claim.evidence.split(", "))


def test_another_language_claims_nothing() -> None:
    sentences = [
        "Gezeitenmodelle sind für die Planung von Häfen seit langem unverzichtbar geworden.",
        "Wir stellen ein neues Verfahren vor, das die Gewichte aller Stationen teilt.",
        "Versuche zeigen, dass der Fehler auf drei Datensätzen um 12% sinkt.",
    ]
    assert find(sentences, assign(sentences)) == []


def test_no_sentences_claim_nothing() -> None:
    assert find([], []) == []


_SENTENCES = st.lists(
    st.one_of(
        st.text(max_size=80),
        st.lists(
            st.sampled_from(
                ["we", "propose", "a", "new", ";", "outperforms", "sota", ".", "(", "—", "3%", "İ"]
            ),
            max_size=25,
        ).map(" ".join),
    ),
    max_size=10,
)


@given(_SENTENCES)
def test_claims_are_sound(sentences: list[str]) -> None:
    order = []
    for claim in find(sentences, assign(sentences)):
        assert claim.text in sentences[claim.sentence]
        assert claim.evidence
        assert all(part in sentences[claim.sentence] for part in claim.evidence.split(", "))
        order.append((claim.sentence, CLAIM_KINDS.index(claim.kind)))
    assert order == sorted(set(order))
