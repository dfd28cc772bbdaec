"""Sentences of an abstract to their roles.

In: the plain sentences of one abstract, in order. Out: for each one of CSAbstruct's labels:
background, objective, method, result, other. A linear model weighs the features of each
sentence and of role after role; Viterbi finds the best sequence (a conditional random field,
Lafferty et al. 2001; labels of Cohan et al. 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from loader import weights
from loader.features import looks
from loader.model import ROLES, Role


def assign(sentences: Sequence[str], model: weights.Model | None = None) -> list[Role]:
    """The role of each sentence; `model` is the one shipped where none is given.

    Behind `features.MOST` sentences a text is no abstract: the rest is `other`.
    """
    if not sentences:
        return []
    model = model or weights.shipped()
    first, *others = model.role_scores(looks(sentences))
    into = model.into
    best = [*map(add, first, model.start.tolist())]
    bests: list[list[int]] = []  # of each sentence but the last, what ends in each role
    for score in others:
        bests.append(best)
        a, b, c, d, e = best
        best = [
            max(a + p, b + q, c + r, d + s, e + t) + own
            for (p, q, r, s, t), own in zip(into, score, strict=True)
        ]
    last = [*map(add, best, model.end.tolist())]
    at = last.index(max(last))
    path = [at]
    for best in reversed(bests):
        reached = [*map(add, best, into[at])]
        at = reached.index(max(reached))
        path.append(at)
    path.reverse()
    rest: list[Role] = ["other"] * (len(sentences) - len(path))
    return [ROLES[at] for at in path] + rest
