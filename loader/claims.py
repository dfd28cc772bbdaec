"""Sentences to the claims they make.

In: the plain sentences of one abstract and their roles. Out: `Claim` records, none, one or more
a sentence, each with the clause that makes it and the words that weighed most.

Problem, contribution and result are learned from words, classes of words, neighbours and roles;
theory, sota, first and release are rare, so only their cues (`features.CUES`) and roles are
weighed. Text in another language makes no claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from loader import weights
from loader.features import CUES, classes_of, cues, features, places, stem, tokens
from loader.model import CLAIM_KINDS, Claim, Role
from loader.symbols import words as listed

RARE: Final = ("theory", "sota", "first", "release")
_THEORY = frozenset(("!proves", "!theory_shows", "!bound", "!guarantee", "!prove"))
_ENGLISH = listed(
    "the of and to in a is that we for with on are by this as our can be an from which it at not"
    " have has or these their but both more than"
)
_ACTS = ("we=", "paper=", "tests=", "it=", "name=")


def find(
    sentences: Sequence[str], roles: Sequence[Role], model: weights.Model | None = None
) -> list[Claim]:
    """The claims of an abstract, in the order of its sentences and of `CLAIM_KINDS`.

    `roles` has one role a sentence; `model` is the one shipped where none is given.
    """
    if not sentences or not _is_english(sentences):
        return []
    model = model or weights.shipped()
    rows = list(weighed(sentences, roles))
    scores = model.claim_scores(rows).tolist()
    found: list[Claim] = []
    for index, score in enumerate(scores):
        if max(score) <= 0:
            continue
        for kind, value in enumerate(score):
            if value > 0:
                claim = _claim(sentences[index], rows[index], index, kind, model)
                if claim is not None:
                    found.append(claim)
    return found


def weighed(sentences: Sequence[str], roles: Sequence[Role]) -> Iterator[list[str]]:
    """For each sentence the features that its claims are learned from."""
    cued = [cues(sentence) for sentence in sentences]
    proofs = [not _THEORY.isdisjoint(found) for found in cued]
    total = sum(proofs)
    before = "-"
    for index, row in enumerate(features(sentences)):
        role = roles[index]
        after = roles[index + 1] if index + 1 < len(roles) else "-"
        own = [f"R{role}", f"R<{before}{role}", f"R>{role}{after}"]
        own += [f"{role}|{name}" for name in row if name[0] == "=" or name.startswith(_ACTS)]
        found = cued[index]
        own += found
        own += [role + cue for cue in found]
        own += [f"{cue}*{other}" for n, cue in enumerate(found) for other in found[n + 1 :]]
        # how much proof there is elsewhere: "we show" is theory among theorems
        others = f"!elsewhere{min(3, total - proofs[index])}"
        own += [others, others + role, f"{others}{role}{int(proofs[index])}"]
        own += [others + name for name in ("we=find", "#", "=data") if name in row]
        yield [*row, *own]
        before = role


def is_cue(feature: str) -> bool:
    """Whether a feature is weighed for the rare kinds too."""
    return "!" in feature or feature[0] == "R" or feature in _CUE_LIKE


_CUE_LIKE = listed(
    "=prove =proof =code =sota =gain =lack =base we=prove @-0 @0 tests=find we=intro we=find"
)


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
_SHARE = 0.75  # of the evidence that a clause must hold to stand for its sentence


def _claim(
    sentence: str, row: Sequence[str], index: int, kind: int, model: weights.Model
) -> Claim | None:
    words = places(sentence)
    weight = [0.0] * len(words)
    lowered = [word for word, _, _ in words]
    for feature in row:
        value = model.claim_weight(feature, kind)
        if value > 0:
            at = _where(feature, sentence, words, lowered)
            for place in at:
                weight[place] += value / len(at)
    most = max(weight, default=0.0)
    if most <= 0:
        return None  # only its place and its neighbours speak for it
    clause = _clause(sentence, words, weight)
    return Claim(index, CLAIM_KINDS[kind], clause, _evidence(sentence, words, weight))


def _where(
    feature: str, sentence: str, words: Sequence[tuple[str, int, int]], lowered: Sequence[str]
) -> list[int]:
    """The tokens of the sentence that made a feature; none for its place and neighbours."""
    first = feature[0]
    if first in "@<>+R" or "|" in feature or "!elsewhere" in feature:
        return []
    if "!" in feature:
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
        return [n for n, word in enumerate(lowered) if feature[1:] in classes_of(word)]
    for mark in "&=":
        left, sign, right = feature.partition(mark)
        if sign and right and left.isalpha():
            wanted = {left, right}
            return [n for n, word in enumerate(lowered) if not wanted.isdisjoint(classes_of(word))]
    left, sign, right = feature.partition("_")
    if sign and left and right:
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
