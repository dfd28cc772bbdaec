"""Sentences to the claims they make.

In: the plain sentences of one abstract and their roles. Out: `Claim` records, none, one or more
a sentence, each with the clause that makes it and the words that weighed most.

Problem, contribution and result are learned from words, classes of words, neighbours and roles;
theory, sota, first and release are rare, so only their cues (`cues`) and roles are
weighed. Text in another language makes no claims.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Final

from loader import weights
from loader.features import Look, looks
from loader.memo import Memo
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

    `roles` has one role a sentence; `model` is the one shipped where none is given. Sentences
    behind `features.MOST` claim nothing.
    """
    seen = looks(sentences)
    if not seen or not _is_english(seen):
        return []
    model = model or weights.shipped()
    sum_of, found = model.sum_of, []
    every = zip(seen, model.own(seen), roles, _parts(seen, roles), strict=False)
    for index, (look, (rows, own), role, (placed, cued, elsewhere)) in enumerate(every):
        total = own + sum_of[placed] + sum_of[cued] + sum_of[elsewhere]
        kinds = model.kinds(total + sum(map(model.sums[f"{role}|"].__getitem__, look.told)))
        if kinds:
            worded = rows.union(model.known(cued)) if cued else rows
            told = _Told(sentences[index], look)
            for kind in kinds:
                claim = told.claim(index, kind, model.reasons(worded, kind, _REASONS))
                if claim is not None:
                    found.append(claim)
    return found


def weighed(sentences: Sequence[str], roles: Sequence[Role]) -> Iterator[Iterable[str]]:
    """For each sentence the features that its claims are learned from."""
    seen = looks(sentences)
    every = zip(seen, roles, _parts(seen, roles), strict=False)
    for look, role, (placed, cued, elsewhere) in every:
        told = [f"{role}|{name}" for name in look.told]
        yield [*look.own, *placed, *told, *cued, *elsewhere]


_Names = tuple[str, ...]


def _parts(seen: Sequence[Look], roles: Sequence[Role]) -> Iterator[tuple[_Names, _Names, _Names]]:
    """What is weighed of each sentence besides `Look.own` and what it tells in its role.

    That is its role among those around it, its cues, and how much proof there is elsewhere.
    """
    proofs = [not _THEORY.isdisjoint(look.cues) for look in seen]
    total = sum(proofs)
    befores, afters = ("-", *roles), (*roles[1:], "-")
    for look, proof, before, role, after in zip(seen, proofs, befores, roles, afters, strict=False):
        yield (
            _PLACED[before, role, after],
            _CUED[role, look.cues],
            _ELSEWHERE[
                min(3, total - proof), role, proof, "we=find" in look.acts, "=data" in look.told
            ],
        )


def _placed(roles: tuple[str, str, str]) -> _Names:
    before, role, after = roles
    return (f"R{role}", f"R<{before}{role}", f"R>{role}{after}")


def _cued(role_and_cues: tuple[str, _Names]) -> _Names:
    role, cues = role_and_cues
    return (*cues, *[role + cue for cue in cues], *map("*".join, combinations(cues, 2)))


def _elsewhere(about: tuple[int, str, bool, bool, bool]) -> _Names:
    """The features of the sentences that prove elsewhere: "we show" is theory among theorems."""
    count, role, proof, finds, data = about
    others = f"!elsewhere{count}"
    own = [others, others + role, f"{others}{role}{int(proof)}"]
    return (*own, *[others + "we=find"] * finds, *[others + "=data"] * data)


_PLACED: Final = Memo(_placed)
_CUED: Final = Memo(_cued)
_ELSEWHERE: Final = Memo(_elsewhere)


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
        " !sota !comparable"
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


def _is_english(seen: Sequence[Look]) -> bool:
    count = known = 0
    for look in islice(seen, 30):
        count += len(look.words)
        known += sum(map(_ENGLISH.__contains__, look.words))
        if count > 100:
            break
    return known * 12 >= count or count < 12


# --- Why ----------------------------------------------------------------------------------

_PARTS = re.compile(  # what each begins with stands first, so that it is soon found
    r"[;–—,](?:(?<=;) |(?<=[–—])|(?<=,) (?="
    r"(?:and|but|yet|so) (?:we|it|they|our|the|this|these|show|find|prove|demonstrate|achieve|"
    r"observe|propose|introduce|provide|establish|outperform|is|are|has)\b|"
    r"(?:while|whereas|although|which|thereby|achieving|outperforming|surpassing|improving|"
    r"reducing|yielding|demonstrating|showing|setting|establishing|making|leading|resulting|"
    r"obtaining|exceeding|attaining|highlighting|suggesting|indicating)\b))"
)
_LEADING = re.compile(r"^(?:and|but|yet|so|which|while|whereas|thereby) (?:also )?", re.IGNORECASE)
_REASONS = 6  # features that are asked why
_WORDS = 6  # of evidence
_IDLE: Final = listed(
    "a an the this that these those it its they their them we our us i to of in on at by for from"
    " with as into is are was were be been being has have had do does did will would can could may"
    " and or so than more very such here there which who whose what when where how also then each"
    " other some any all both one two between through within upon via per about over"
)
_HEAVY = 0.4  # of the heaviest word's weight
_FELT = 0.2  # the same: words that tell something and weigh less are no evidence
_SHARE = 0.75  # of the evidence that a clause must hold to stand for its sentence
_SHORTEST = 5  # words; less is no clause


class _Told:
    """A sentence that makes claims, and the words that make each."""

    def __init__(self, sentence: str, look: Look) -> None:
        self.sentence, self.look = sentence, look
        self.clauses = _clauses(sentence)

    def claim(self, index: int, kind: int, reasons: Sequence[tuple[int, str]]) -> Claim | None:
        """The claim for these reasons; None where none of its words speaks for it."""
        weight: dict[int, float] = {}
        for value, feature in reasons:
            places = self.look.places(feature)
            for place in places:
                weight[place] = weight.get(place, 0.0) + value / len(places)
        if not weight:
            return None
        weight = dict(sorted(weight.items()))
        return Claim(index, CLAIM_KINDS[kind], self.clause(weight), self.evidence(weight))

    def evidence(self, weight: Mapping[int, float]) -> str:
        """The heaviest words, those in a row together, in the order of the sentence.

        Words that say nothing by themselves are given beside others; where nothing else weighs,
        with the word behind them. `weight` is in that order too.
        """
        words, most = self.look.words, max(weight.values())
        felt = [n for n, value in weight.items() if value >= _FELT * most]
        heavy = [n for n in felt if weight[n] >= _HEAVY * most]
        telling = [n for n in felt if not _IS_IDLE[words[n]]]
        if telling:
            least = min(_HEAVY * most, max(map(weight.__getitem__, telling)))
            chosen = [n for n in telling if weight[n] >= least]
            chosen += [n for n in heavy if n not in chosen and (n - 1 in chosen or n + 1 in chosen)]
        else:
            behind = [n + 1 for n in heavy if n + 1 < len(words) and not _IS_IDLE[words[n + 1]]]
            chosen = heavy + behind
        chosen.sort()
        if len(chosen) > _WORDS:
            chosen = sorted(sorted(chosen, key=lambda n: -weight.get(n, 0.0))[:_WORDS])
        phrases: list[tuple[int, int]] = []
        for n in chosen:
            if phrases and n - phrases[-1][1] <= 2:
                phrases[-1] = (phrases[-1][0], n)
            else:
                phrases.append((n, n))
        spans = self.look.spans
        return ", ".join([self.sentence[spans[a][0] : spans[b][1]] for a, b in phrases])

    def clause(self, weight: Mapping[int, float]) -> str:
        """The clause that holds most of the evidence; else the sentence."""
        if len(self.clauses) > 1:
            enough, spans = _SHARE * sum(weight.values()), self.look.spans
            for start, end in self.clauses:
                first, last = bisect_left(spans, (start,)), bisect_left(spans, (end,))
                if last - first >= _SHORTEST:
                    within = sum([value for n, value in weight.items() if first <= n < last])
                    if within >= enough:
                        part = self.sentence[start:end].strip(" ,;–—")
                        return _LEADING.sub("", part, count=1) if start else part
        return self.sentence


_IS_IDLE: Final = Memo[str, bool](  # whether a word, or a mark, says nothing by itself
    lambda word: word in _IDLE or not (word[-1].isalnum() or word[-1] in "#%")
)


def _clauses(sentence: str) -> list[tuple[int, int]]:
    """The spans of the clauses; what stands in brackets is not divided."""
    begins, ends = [0], []
    depth = counted = behind = 0
    for cut in _PARTS.finditer(sentence):
        start, end = cut.span()
        if sentence[start] in "–—":
            if start > behind and sentence[start - 1] == " " == sentence[end : end + 1]:
                start, end = start - 1, end + 1
            elif sentence[start] == "–":
                continue
        behind = end
        depth += sentence.count("(", counted, start) - sentence.count(")", counted, start)
        counted = start
        if depth <= 0:
            ends.append(start)
            begins.append(end)
    return list(zip(begins, [*ends, len(sentence)], strict=True))
