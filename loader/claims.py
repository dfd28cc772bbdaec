"""Sentences to the claims they make.

In: the plain sentences of one abstract and their roles. Out: `Claim` records, none, one or more
a sentence, each with the clause that makes it and the words that weighed most.

Problem, contribution and result are learned from words, classes of words, neighbours and roles;
theory, sota, first and release are rare, so only their cues (`features.CUES`) and roles are
weighed. Text in another language makes no claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import Final

from loader import weights
from loader.features import CUES, classes_of, looks, places, stem, tokens
from loader.model import CLAIM_KINDS, Claim, ClaimKind, Role
from loader.symbols import words as listed

RARE: Final = ("theory", "sota", "first", "release")
_THEORY = frozenset(("!proves", "!theory_shows", "!bound", "!guarantee", "!prove"))
_ENGLISH = listed(
    "the of and to in a is that we for with on are by this as our can be an from which it at not"
    " have has or these their but both more than"
)


def find(
    sentences: Sequence[str], roles: Sequence[Role], model: weights.Model | None = None
) -> list[Claim]:
    """The claims of an abstract, in the order of its sentences and of `CLAIM_KINDS`.

    `roles` has one role a sentence; `model` is the one shipped where none is given.
    """
    if not sentences or not _is_english(sentences):
        return []
    model = model or weights.shipped()
    rows = [model.known(row) for row in weighed(sentences, roles)]
    found: list[Claim] = []
    for index, score in enumerate(model.claim_scores(rows).tolist()):
        if max(score) > 0:
            words = places(sentences[index])
            for kind, value in enumerate(score):
                if value > 0:
                    reasons = model.reasons(rows[index], kind, _REASONS)
                    claim = _claim(sentences[index], words, reasons, index, kind)
                    if claim is not None:
                        found.append(claim)
    return found


def weighed(sentences: Sequence[str], roles: Sequence[Role]) -> Iterator[Iterable[str]]:
    """For each sentence the features that its claims are learned from."""
    cued = [look.cues for look in looks(sentences)]
    proofs = [not _THEORY.isdisjoint(cues) for cues in cued]
    total = sum(proofs)
    before = "-"
    for index, look in enumerate(looks(sentences)):
        role = roles[index]
        after = roles[index + 1] if index + 1 < len(roles) else "-"
        own = [f"R{role}", f"R<{before}{role}", f"R>{role}{after}"]
        own += [f"{role}|{name}" for name in look.told]
        cues = cued[index]
        if cues:
            own += cues
            own += [role + cue for cue in cues]
            own += map("*".join, combinations(cues, 2))
        # how much proof there is elsewhere: "we show" is theory among theorems
        others = f"!elsewhere{min(3, total - proofs[index])}"
        own += [others, others + role, f"{others}{role}{int(proofs[index])}"]
        own += [others + name for name in ("we=find", "=data") if name in look.told]
        yield chain(look.own, own)
        before = role


def is_weighed(feature: str, kind: ClaimKind) -> bool:
    """Whether a feature counts for a kind: any for the common ones, for the rare ones few."""
    if kind not in RARE:
        return True
    if "!elsewhere" in feature:
        return kind == "theory"
    if "!" in feature:
        return all(cue in _CUES_OF[kind] for cue in feature[feature.index("!") :].split("*"))
    if feature[0] == "R":
        return kind != "first" or feature[1] not in "<>"
    return feature in _OTHERS_OF[kind]


_CUES_OF: Final[dict[str, frozenset[str]]] = {
    "theory": listed("!proves !theory_shows !bound !guarantee !prove !theory"),
    "sota": listed(
        "!beats_sota !beats_prior !over_prior !reaches_sota !new_best !sota_result !sota_thing"
        " !sota !comparable !the_first !knowledge"
    ),
    "first": listed("!the_first !first_time !knowledge !first_what !first_step"),
    "release": listed("!available !releases !we_release !link"),
}
_OTHERS_OF: Final[dict[str, frozenset[str]]] = {
    "theory": listed("=prove =proof we=prove we=find tests=find we=intro"),
    "sota": listed("=gain =base tests=find =sota"),
    "first": listed("we=intro"),
    "release": listed("=code we=intro"),
}


def _is_english(sentences: Sequence[str]) -> bool:
    seen = known = 0
    for sentence in sentences[:30]:
        words = tokens(sentence)
        seen += len(words)
        known += sum(word in _ENGLISH for word in words)
    return known * 12 >= seen or seen < 12


# --- Why ----------------------------------------------------------------------------------

_PARTS = re.compile(
    r"; |(?: [–—] |—)|, (?=(?:and|but|yet|so) (?:we|it|they|our|the|this|these|show|find|prove|"
    r"demonstrate|achieve|observe|propose|introduce|provide|establish|outperform|is|are|has)\b)|"
    r", (?=(?:while|whereas|although|which|thereby|achieving|outperforming|surpassing|improving|"
    r"reducing|yielding|demonstrating|showing|setting|establishing|making|leading|resulting|"
    r"obtaining|exceeding|attaining|highlighting|suggesting|indicating)\b)"
)
_LEADING = re.compile(r"^(?:and|but|yet|so|which|while|whereas|thereby) (?:also )?", re.IGNORECASE)
_REASONS = 8  # features that are asked why
_SHARE = 0.75  # of the evidence that a clause must hold to stand for its sentence


def _claim(
    sentence: str,
    words: Sequence[tuple[str, int, int]],
    reasons: Sequence[tuple[float, str]],
    index: int,
    kind: int,
) -> Claim | None:
    weight = [0.0] * len(words)
    lowered = [word for word, _, _ in words]
    classed = [classes_of(word) for word in lowered]
    for value, feature in reasons:
        at = _where(feature, sentence, words, lowered, classed)
        for place in at:
            weight[place] += value / len(at)
    if not any(weight):
        return None  # only its place and its neighbours speak for it
    clause = _clause(sentence, words, weight)
    return Claim(index, CLAIM_KINDS[kind], clause, _evidence(sentence, words, weight))


def _where(
    feature: str,
    sentence: str,
    words: Sequence[tuple[str, int, int]],
    lowered: Sequence[str],
    classed: Sequence[tuple[str, ...]],
) -> list[int]:
    """The tokens of the sentence that made a feature."""
    first = feature[0]
    if first == "!" or (first.isalpha() and "!" in feature):
        at: list[int] = []
        for part in feature[feature.index("!") :].split("*"):
            cue = CUES[part].search(sentence.lower())
            if cue is not None:
                a, b = cue.span()
                at += [n for n, (_, start, end) in enumerate(words) if start < b and a < end]
        return at
    if first == "^":
        return list(range(min(len(words), feature.count("_") + 1)))
    if first == "~":
        return [n for n, word in enumerate(lowered) if stem(word) == feature[1:]]
    if first == "=":
        return [n for n, names in enumerate(classed) if feature[1:] in names]
    left, sign, right = feature.partition("=")
    if right and left:
        return [n for n, names in enumerate(classed) if right in names]
    left, sign, right = feature.partition("_")
    if left and right:
        pairs = pairwise(lowered)
        return [n + k for n, pair in enumerate(pairs) if pair == (left, right) for k in (0, 1)]
    left, sign, right = feature.partition(":")
    if sign and left and right:
        return [n for n, word in enumerate(lowered) if stem(word) == right]
    return [n for n, word in enumerate(lowered) if word == feature]


def _evidence(sentence: str, words: Sequence[tuple[str, int, int]], weight: Sequence[float]) -> str:
    """The heaviest words, those in a row together, in the order of the sentence."""
    least = max(weight) * 0.4
    ranked = sorted(range(len(words)), key=lambda n: (-weight[n], n))[:6]
    chosen = sorted(n for n in ranked if weight[n] >= least)
    phrases: list[list[int]] = []
    for n in chosen:
        if phrases and n - phrases[-1][-1] <= 2:
            phrases[-1].append(n)
        else:
            phrases.append([n])
    return ", ".join(sentence[words[part[0]][1] : words[part[-1]][2]] for part in phrases)


def _clause(sentence: str, words: Sequence[tuple[str, int, int]], weight: Sequence[float]) -> str:
    """The part of the sentence that holds most of the evidence; else the sentence."""
    cuts = [(0, 0)]
    depth_at = 0
    depth = 0
    for cut in _PARTS.finditer(sentence):
        between = sentence[depth_at : cut.start()]
        depth += between.count("(") - between.count(")")
        depth_at = cut.start()
        if depth <= 0:
            cuts.append(cut.span())
    if len(cuts) == 1:
        return sentence
    total = sum(weight)
    ends = [*(start for start, _ in cuts[1:]), len(sentence)]
    for (_, start), end in zip(cuts, ends, strict=True):
        inside = [n for n, (_, a, b) in enumerate(words) if start <= a and b <= end]
        if len(inside) >= 5 and sum(weight[n] for n in inside) >= _SHARE * total:
            part = sentence[start:end].strip(" ,;–—")
            return _LEADING.sub("", part, count=1) if start else part
    return sentence
