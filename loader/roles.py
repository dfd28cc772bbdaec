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
    seen = looks(sentences)
    scores = model.role_scores(seen)
    steps = list(zip(*model.steps.tolist(), strict=True))  # of each role, from every role
    best = [a + b for a, b in zip(scores[0], model.start.tolist(), strict=True)]
    came: list[list[int]] = []
    for score in scores[1:]:
        froms: list[int] = []
        sums: list[float] = []
        for own, into in zip(score, steps, strict=True):
            reached = list(map(add, best, into))
            most = max(reached)
            froms.append(reached.index(most))
            sums.append(most + own)
        came.append(froms)
        best = sums
    last = [a + b for a, b in zip(best, model.end.tolist(), strict=True)]
    at = last.index(max(last))
    path = [at]
    for froms in reversed(came):
        at = froms[at]
        path.append(at)
    path.reverse()
    rest: list[Role] = ["other"] * (len(sentences) - len(path))
    return [ROLES[at] for at in path] + rest
