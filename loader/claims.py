"""Sentences to the claims they make.

In: the plain sentences of one abstract and their roles. Out: `Claim` records, none, one or more
a sentence, each with the clause that makes it and the words that weighed most.

Problem, contribution and result are learned from words, classes of words, neighbours and roles;
theory, sota, first and release are rare, so only their cues (`features.CUES`) and roles are
weighed. Text in another language makes no claims.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Final

from loader import weights
from loader.features import Look, looks
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
    if not sentences or not _is_english(sentences):
        return []
    model = model or weights.shipped()
    seen = looks(sentences)
    more = map(model.known, _more(seen, roles))
    rows = [own + row[1:] for own, row in zip(model.own(seen), more, strict=True)]
    scores = model.claim_scores(rows).tolist()
    found: list[Claim] = []
    for index, look in enumerate(seen):
        kinds = [kind for kind, value in enumerate(scores[index]) if value > 0]
        if kinds:
            told = _Told(sentences[index], look)
            for kind in kinds:
                claim = told.claim(index, kind, model.reasons(rows[index], kind, _REASONS))
                if claim is not None:
                    found.append(claim)
    return found


def weighed(sentences: Sequence[str], roles: Sequence[Role]) -> Iterator[Iterable[str]]:
    """For each sentence the features that its claims are learned from."""
    seen = looks(sentences)
    return map(chain, [look.own for look in seen], _more(seen, roles))


def _more(seen: Sequence[Look], roles: Sequence[Role]) -> Iterator[list[str]]:
    """What is weighed of each sentence besides `Look.own`: its role, its cues and both."""
    cued = [tuple(look.cues) for look in seen]
    proofs = [not _THEORY.isdisjoint(cues) for cues in cued]
    total = sum(proofs)
    before = "-"
    for index, look in enumerate(seen):
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
        yield own
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


def _is_english(sentences: Sequence[str]) -> bool:
    seen = known = 0
    for look in islice(looks(sentences), 30):
        seen += len(look.words)
        known += sum(map(_ENGLISH.__contains__, look.words))
        if seen > 100:
            break
    return known * 12 >= seen or seen < 12


# --- Why ----------------------------------------------------------------------------------

_PARTS = re.compile(
    r"; | [–—] |—|, (?=(?:and|but|yet|so) (?:we|it|they|our|the|this|these|show|find|prove|"
    r"demonstrate|achieve|observe|propose|introduce|provide|establish|outperform|is|are|has)\b)|"
    r", (?=(?:while|whereas|although|which|thereby|achieving|outperforming|surpassing|improving|"
    r"reducing|yielding|demonstrating|showing|setting|establishing|making|leading|resulting|"
    r"obtaining|exceeding|attaining|highlighting|suggesting|indicating)\b)"
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
        self.spans = look.spans
        self.clauses = [
            (start, end, bisect_left(self.spans, (start,)), bisect_left(self.spans, (end,)))
            for start, end in _clauses(sentence)
        ]

    def claim(self, index: int, kind: int, reasons: Sequence[tuple[int, str]]) -> Claim | None:
        """The claim for these reasons; None where none of its words speaks for it."""
        weight = [0.0] * len(self.spans)
        for value, feature in reasons:
            at = self.look.places(feature)
            for place in at:
                weight[place] += value / len(at)
        if not any(weight):
            return None
        return Claim(index, CLAIM_KINDS[kind], self.clause(weight), self.evidence(weight))

    def evidence(self, weight: Sequence[float]) -> str:
        """The heaviest words, those in a row together, in the order of the sentence.

        Words that say nothing by themselves are given beside others; where nothing else weighs,
        with the word behind them.
        """
        words, most = self.look.words, max(weight)
        felt = [n for n, value in enumerate(weight) if value >= _FELT * most]
        heavy = {n for n in felt if weight[n] >= _HEAVY * most}
        telling = [n for n in felt if not _is_idle(words[n])]
        if telling:
            least = min(_HEAVY * most, max(weight[n] for n in telling))
            chosen = [n for n in telling if weight[n] >= least]
            chosen += [n for n in heavy.difference(chosen) if n - 1 in chosen or n + 1 in chosen]
        else:
            chosen = [*heavy]
            chosen += [n + 1 for n in heavy if n + 1 < len(words) and not _is_idle(words[n + 1])]
        chosen = sorted(chosen)
        if len(chosen) > _WORDS:
            chosen = sorted(sorted(chosen, key=lambda n: -weight[n])[:_WORDS])
        phrases: list[tuple[int, int]] = []
        for n in chosen:
            if phrases and n - phrases[-1][1] <= 2:
                phrases[-1] = (phrases[-1][0], n)
            else:
                phrases.append((n, n))
        spans = self.spans
        return ", ".join(self.sentence[spans[a][0] : spans[b][1]] for a, b in phrases)

    def clause(self, weight: Sequence[float]) -> str:
        """The clause that holds most of the evidence; else the sentence."""
        if len(self.clauses) > 1:
            enough = _SHARE * sum(weight)
            for start, end, first, last in self.clauses:
                if last - first >= _SHORTEST and sum(weight[first:last]) >= enough:
                    part = self.sentence[start:end].strip(" ,;–—")
                    return _LEADING.sub("", part, count=1) if start else part
        return self.sentence


def _is_idle(word: str) -> bool:
    """Whether a word, or a mark, says nothing by itself."""
    return word in _IDLE or not (word[-1].isalnum() or word[-1] in "#%")


def _clauses(sentence: str) -> list[tuple[int, int]]:
    """The spans of the clauses; what stands in brackets is not divided."""
    begins, ends = [0], []
    depth = counted = 0
    for cut in _PARTS.finditer(sentence):
        between = sentence[counted : cut.start()]
        depth += between.count("(") - between.count(")")
        counted = cut.start()
        if depth <= 0:
            ends.append(cut.start())
            begins.append(cut.end())
    return list(zip(begins, [*ends, len(sentence)], strict=True))
