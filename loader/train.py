"""Annotated abstracts to the weights of roles and claims.

In: `gold/dev.jsonl` of a data directory (hand-annotated conference abstracts, see its
`GUIDE.md`) and `claims/csabstruct/train.jsonl` (Cohan et al. 2019, allenai/
sequential_sentence_classification, Apache-2.0). Out: a `weights.Model`, and with
`python -m loader.train --data DIR` the file `weights.json`. Needs scikit-learn, which only
this module does. The same data gives the same weights. The seeds are never trained on.

CSAbstruct is ten times larger but noisier and older, so it only gives the weights of roles to
begin with: its strongest ones, which the annotated abstracts then correct. (Penalizing the
distance from given weights is the adaptation of Chelba and Acero, 2006.)
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse  # type: ignore[import-untyped]
from scipy.optimize import minimize  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression

from loader import claims, roles, text, weights
from loader.features import looks
from loader.model import CLAIM_KINDS, ROLES, ClaimKind, Role

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
_ROLE_PENALTY = 4.0
_NOISY_PENALTY = 35.0  # where annotators were unsure: CSAbstruct
_STRONG = 8  # hundredths; the weights from there on are given to begin with
_CLAIM_FREEDOM = 1.0  # C of the regression
# The probability from which on a claim counts as made. Between .35 and .45 F1 of the usual kinds
# hardly changes; the higher one invents fewer. The cues of the rare kinds are surer than it says.
_PROBABILITY = {"theory": 0.3, "sota": 0.25, "first": 0.35, "release": 0.2}
_USUAL_PROBABILITY = 0.4
_PARTS = 4  # the claims learn from roles as the model gives them to abstracts it has not seen


@dataclass(frozen=True, slots=True)
class Example:
    """One annotated abstract. `claims` is None where only roles are known.

    `weight`: how much it counts, from 0 to 1; less where its annotators were unsure.
    """

    sentences: tuple[str, ...]
    roles: tuple[Role, ...]
    claims: tuple[frozenset[ClaimKind], ...] | None = None
    weight: float = 1.0


def read_gold(path: Path) -> list[Example]:
    """The abstracts of a gold file (JSON lines), sentences as plain text."""
    examples = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        marked = row["sentences"]
        examples.append(
            Example(
                tuple(text.to_plain(row["text"][s["start"] : s["end"]]).plain for s in marked),
                tuple(s["role"] for s in marked),
                tuple(frozenset(s["claims"]) for s in marked),
            )
        )
    return examples


def read_csabstruct(path: Path) -> list[Example]:
    """The abstracts of a CSAbstruct file (JSON lines); they have roles only.

    Its labels carry confidences; an abstract counts by the square of their mean.
    """
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Example(
            tuple(s.strip() for s in row["sentences"]),
            tuple(row["labels"]),
            weight=float(np.mean(row["confs"])) ** 2,
        )
        for row in rows
    ]


def train(
    examples: Sequence[Example],
    *,
    begin: weights.Model | None = None,
    penalty: float | None = None,
) -> weights.Model:
    """The model that these abstracts teach. Where they have no claims, it finds none.

    `begin` has the weights of roles to begin with, as `beginning` makes them. `penalty` holds
    the weights of roles near those; None takes one by how sure the annotators were.
    """
    if penalty is None:
        unsure = any(example.weight < 1 for example in examples)
        penalty = _NOISY_PENALTY if unsure else _ROLE_PENALTY
    model = _with_roles(examples, penalty, begin)
    marked = [example for example in examples if example.claims is not None]
    return _with_claims(model, marked, penalty, begin) if marked else model


def beginning(examples: Sequence[Example]) -> weights.Model:
    """The strongest weights of roles that these abstracts teach, for `train` to begin with."""
    model = train(examples)
    strong = np.abs(model.table).max(axis=1) >= _STRONG
    names = [name for name, at in model.index.items() if strong[at]]
    rows = [0, *(model.index[name] for name in names)]
    return dataclasses.replace(
        model, index={name: at for at, name in enumerate(names, 1)}, table=model.table[rows]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains on the annotated abstracts of `DATA` and writes the weights beside this module."""
    parser = argparse.ArgumentParser(description="Train the weights of roles and claims.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, default=weights.FILE, metavar="FILE")
    options = parser.parse_args(arguments)
    paths = [options.data / "gold" / "dev.jsonl", options.data / "claims/csabstruct/train.jsonl"]
    for path in paths:
        if not path.is_file():
            sys.exit(f"{path}: no such file; --data names the folder of annotated abstracts")
    examples, more = read_gold(paths[0]), read_csabstruct(paths[1])
    begin = beginning(more)
    stored = weights.to_dict(train(examples, begin=begin))
    about = [
        "Weights of roles and claims, in hundredths; see loader/features.py for the names.",
        f"Made by `make train` from {len(examples)} annotated conference abstracts"
        " (gold/dev.jsonl). Columns: labels.",
        f"The weights of roles began with the {len(begin.index)} strongest of {len(more):,}"
        " abstracts of CSAbstruct's train split.",
    ]
    options.out.write_text(weights.text_of(stored, about), encoding="utf-8")
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes")


# --- Roles: a linear chain, the likelihood by forward and backward sums ----------------------


class _Names:
    """The features that occur in at least two abstracts, and rows of them as a matrix."""

    def __init__(self, abstracts: Iterable[Sequence[Sequence[str]]]) -> None:
        counted: Counter[str] = Counter()
        for rows in abstracts:
            counted.update({name for row in rows for name in row})
        kept = sorted(name for name, count in counted.items() if count > 1)
        self.index = {name: at for at, name in enumerate(kept)}

    def matrix(self, rows: Iterable[Sequence[str]]) -> sparse.csr_matrix:
        columns: list[int] = []
        ends = [0]
        for row in rows:
            columns += [at for at in map(self.index.get, row) if at is not None]
            ends.append(len(columns))
        shape = (len(ends) - 1, len(self.index))
        return sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=shape)


def _with_roles(
    examples: Sequence[Example], penalty: float, begin: weights.Model | None
) -> weights.Model:
    rows = [
        [[*look.own, *look.around, *look.cues] for look in looks(example.sentences)]
        for example in examples
    ]
    names = _Names(rows)
    matrix = names.matrix(row for abstract in rows for row in abstract)
    labels = np.array([ROLES.index(role) for example in examples for role in example.roles])
    lengths = np.array([len(example.sentences) for example in examples])
    counts = np.array([example.weight for example in examples])
    given = dict(begin.index) if begin else {}
    index = {name: at for at, name in enumerate(dict.fromkeys([*names.index, *given]), 1)}
    table = np.zeros((len(index) + 1, len(ROLES) + len(CLAIM_KINDS)))
    offset = np.zeros((matrix.shape[0], len(ROLES)))
    if begin:
        given_rows = begin.table[:, : len(ROLES)] / 100
        for name, at in given.items():
            table[index[name], : len(ROLES)] = given_rows[at]
        every = (begin.known(row) for abstract in rows for row in abstract)
        offset = np.array([given_rows[at].sum(axis=0) for at in every])
    own, steps, start, end = _chain(matrix, labels, lengths, counts, penalty, offset)
    table[[index[name] for name in names.index], : len(ROLES)] += own
    none = np.zeros(len(CLAIM_KINDS))
    kept = map(weights.hundredths, (table, start, end, steps, none, none + 1))
    return weights.Model(index, *kept)


def _chain(
    matrix: sparse.csr_matrix,
    labels: Whole,
    lengths: Whole,
    counts: Floats,
    penalty: float,
    offset: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Weights of features, of steps, of the first and the last role, of highest likelihood.

    `offset` is what is given to each role of each sentence besides.
    """
    kinds, (count, width) = len(ROLES), matrix.shape
    many, longest = len(lengths), int(lengths.max())
    mask = np.arange(longest) < lengths[:, None]
    place = np.zeros((many, longest), dtype=np.int64)
    place[mask] = np.arange(count)
    gold = labels[place]
    wanted = np.zeros((count, kinds))
    each = np.repeat(counts, lengths)[:, None]
    wanted[np.arange(count), labels] = each[:, 0]
    transposed = matrix.T.tocsr()
    begins = place[:, 0]
    ends = place[np.arange(many), lengths - 1]
    stepped = np.zeros((kinds, kinds))
    for t in range(1, longest):
        on = mask[:, t]
        np.add.at(stepped, (gold[on, t - 1], gold[on, t]), counts[on])
    cuts = np.cumsum([width * kinds, kinds * kinds, kinds])

    def parts(values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        own, steps, start, end = np.split(values, cuts)
        return own.reshape(width, kinds), steps.reshape(kinds, kinds), start, end

    def loss(values: Floats) -> tuple[float, Floats]:
        own, steps, start, end = parts(values)
        scores = (matrix @ own + offset)[place]
        forward, backward = np.zeros_like(scores), np.zeros_like(scores)
        forward[:, 0] = scores[:, 0] + start
        for t in range(1, longest):
            moved = _logsum(forward[:, t - 1, :, None] + steps, 1) + scores[:, t]
            forward[:, t] = np.where(mask[:, t, None], moved, forward[:, t - 1])
        total = _logsum(forward[:, -1] + end, 1)
        backward[:, -1] = end
        for t in range(longest - 2, -1, -1):
            moved = _logsum(steps + (scores[:, t + 1] + backward[:, t + 1])[:, None], 2)
            backward[:, t] = np.where(mask[:, t + 1, None], moved, end)
        chance = np.exp(forward + backward - total[:, None, None])[mask] * each
        expected = np.zeros((kinds, kinds))
        for t in range(1, longest):
            on = mask[:, t]
            pair = forward[on, t - 1, :, None] + steps + (scores[on, t] + backward[on, t])[:, None]
            expected += (np.exp(pair - total[on, None, None]) * counts[on, None, None]).sum(0)
        right = (wanted * (matrix @ own + offset)).sum() + (stepped * steps).sum()
        right += (counts * (start[labels[begins]] + end[labels[ends]])).sum()
        cost = (counts * total).sum() - right + penalty / 2 * (own**2).sum()
        cost += ((steps**2).sum() + (start**2).sum() + (end**2).sum()) / 4
        slope = np.concatenate(
            [
                (transposed @ (chance - wanted) + penalty * own).ravel(),
                (expected - stepped + steps / 2).ravel(),
                (chance - wanted)[begins].sum(0) + start / 2,
                (chance - wanted)[ends].sum(0) + end / 2,
            ]
        )
        return float(cost), slope

    zero = np.zeros(width * kinds + kinds * kinds + 2 * kinds)
    options = {"maxiter": 200, "ftol": 1e-7}
    return parts(minimize(loss, zero, jac=True, method="L-BFGS-B", options=options).x)


def _logsum(values: Floats, axis: int) -> Floats:
    most = values.max(axis)
    summed: Floats = most + np.log(np.exp(values - np.expand_dims(most, axis)).sum(axis))
    return summed


# --- Claims: a regression a kind -------------------------------------------------------------


def _with_claims(
    model: weights.Model, examples: Sequence[Example], penalty: float, begin: weights.Model | None
) -> weights.Model:
    given = _unseen_roles(examples, penalty, begin)
    rows = [
        [list(row) for row in claims.weighed(example.sentences, example_roles)]
        for example, example_roles in zip(examples, given, strict=True)
    ]
    names = _Names(rows)
    index = dict(model.index)
    for name in names.index:
        index.setdefault(name, len(index) + 1)
    table = np.zeros((len(index) + 1, model.table.shape[1]), dtype=np.int64)
    table[: len(model.table)] = model.table
    bias = np.zeros(len(CLAIM_KINDS))
    matrix = names.matrix(row for abstract in rows for row in abstract)
    for column, kind in enumerate(CLAIM_KINDS):
        chosen = [name for name in names.index if claims.is_weighed(name, kind)]
        made = [kind in found for example in examples for found in example.claims or ()]
        if not any(made):
            bias[column] = -10
            continue
        regression = LogisticRegression(C=_CLAIM_FREEDOM, solver="liblinear", random_state=0)
        regression.fit(matrix[:, [names.index[name] for name in chosen]], made)
        table[[index[name] for name in chosen], len(ROLES) + column] = weights.hundredths(
            regression.coef_[0]
        )
        bias[column] = regression.intercept_[0]
    least = np.array([_PROBABILITY.get(kind, _USUAL_PROBABILITY) for kind in CLAIM_KINDS])
    threshold = np.log(least / (1 - least))
    ends = map(weights.hundredths, (bias, threshold))
    return weights.Model(index, table, model.start, model.end, model.steps, *ends)


def _unseen_roles(
    examples: Sequence[Example], penalty: float, begin: weights.Model | None
) -> list[list[Role]]:
    """The roles of each abstract as a model gives them that was trained on the others."""
    given: list[list[Role]] = [list(example.roles) for example in examples]
    if len(examples) < 2 * _PARTS:
        return given
    for part in range(_PARTS):
        others = [example for n, example in enumerate(examples) if n % _PARTS != part]
        model = _with_roles(others, penalty, begin)
        for n in range(part, len(examples), _PARTS):
            given[n] = roles.assign(examples[n].sentences, model)
    return given


if __name__ == "__main__":
    main()
