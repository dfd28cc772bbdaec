"""The learned weights of roles and claims, as a small readable file.

In: `weights.json`, which `train` writes, or a model just trained. Out: `Model`, which looks
features up. Weights are hundredths in whole numbers, so that a sum is the same in whatever
order it is made; a feature that was seen in one abstract only has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain, compress
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from loader.features import Look, is_stemmed, is_worded, stem
from loader.model import CLAIM_KINDS, ROLES

FILE: Final = Path(__file__).with_name("weights.json")
_FAINT: Final = 4  # hundredths: no reason that a person would be given
Whole = npt.NDArray[np.int64]
_KINDS: Final = len(ROLES)  # the columns of the claims begin behind those of the roles


class _Rows(dict[str, int | None]):
    """The row of the feature that a mark and a word make, None where it has none."""

    _MOST: Final = 50_000

    def __init__(self, index: Mapping[str, int], mark: str) -> None:
        super().__init__()
        self._index, self._mark = index, mark

    def __missing__(self, word: str) -> int | None:
        if len(self) >= self._MOST:
            self.clear()
        at = self._index.get(self._mark + word)
        self[word] = at
        return at


class _Words(dict[str, tuple[int | None, int | None, Mapping[str, int] | None]]):
    """For each word its row, that of its stem, and those with the words behind it."""

    _MOST: Final = 50_000

    def __init__(self, index: Mapping[str, int]) -> None:
        super().__init__()
        self._index = index
        self._pairs: dict[str, dict[str, int]] = {}
        for name, at in index.items():
            left, _, right = name.partition("_")
            if left and right and name[0] != "^":
                self._pairs.setdefault(left, {})[right] = at

    def __missing__(self, word: str) -> tuple[int | None, int | None, Mapping[str, int] | None]:
        if len(self) >= self._MOST:
            self.clear()
        found = self._index.get
        stemmed = found("~" + stem(word)) if is_stemmed(word) else None
        self[word] = (found(word), stemmed, self._pairs.get(word))
        return self[word]


@dataclass(slots=True)
class Model:
    """Weights of features for five roles and seven kinds of claim, and of role after role.

    All are hundredths.
    """

    index: Mapping[str, int]
    table: Whole  # a row a feature, the first for none; a column a role, then one a kind
    start: Whole
    end: Whole
    steps: Whole  # from the role of one sentence (row) to the next (column)
    bias: Whole  # a number a kind of claim
    threshold: Whole  # a sum above it makes the claim
    _names: list[str] = field(init=False, repr=False)
    _words: _Words = field(init=False, repr=False)
    _rows: dict[str, _Rows] = field(init=False, repr=False)  # by what begins a feature
    _last: tuple[Sequence[Look], list[list[int]]] = field(init=False, repr=False)
    _parts: tuple[Whole, Whole] = field(init=False, repr=False)  # of the table: roles, claims
    _reasons: list[list[int]] = field(init=False, repr=False)  # a list a kind

    def __post_init__(self) -> None:
        self._names = ["", *self.index]
        self._words = _Words(self.index)
        self._rows = {mark: _Rows(self.index, mark) for mark in "^<>+"}
        self._last = ((), [])
        self._parts = (self.table[:, :_KINDS].copy(), self.table[:, _KINDS:].copy())
        worded = np.array([bool(name) and is_worded(name) for name in self._names])
        speaking = self.table[:, _KINDS:] * worded[:, None]
        self._reasons = np.where(speaking > _FAINT, speaking, 0).T.tolist()

    def known(self, features: Iterable[str]) -> list[int]:
        """The rows of the table for these features, and the first one, which holds zeros."""
        found = self.index.get
        return [0, *[at for name in features if (at := found(name))]]

    def own(self, seen: Sequence[Look]) -> list[list[int]]:
        """For each sentence what `known` gives for `Look.own`; remembered for the same looks."""
        if seen is not self._last[0]:
            self._last = (seen, list(map(self._own, seen)))
        return self._last[1]

    def around(self, look: Look) -> list[int]:
        """The rows of `Look.around`, without the first one of the table."""
        rows, found = self._rows, self.index.get
        sought = [*map(rows["<"].__getitem__, look.before)]
        sought += map(rows[">"].__getitem__, look.behind)
        sought += map(rows["+"].__getitem__, look.earlier)
        sought += map(found, look.place)
        return list(filter(None, sought))

    def _own(self, look: Look) -> list[int]:
        words, found = look.words, self.index.get
        sought: set[int | None] = {*map(found, look.told), *map(found, look.acted)}
        if words:
            alone, stems, nexts = zip(*map(self._words.__getitem__, words), strict=True)
            pairs = zip(nexts[:-1], words[1:], strict=True)
            sought.update(alone, stems)
            sought.update([near[word] for near, word in pairs if near and word in near])
            sought.update(map(self._rows["^"].__getitem__, words[:4]))
            sought.update(map(found, look.firsts))
        sought.discard(None)
        return [0, *cast("set[int]", sought)]

    def role_scores(self, rows: Sequence[Sequence[int]]) -> Whole:
        """A row a sentence, a column a role; `rows` as `known` gives them."""
        return _sums(rows, self._parts[0])

    def claim_scores(self, rows: Sequence[Sequence[int]]) -> Whole:
        """A row a sentence, a column a kind of claim: above 0 where the claim is made."""
        return _sums(rows, self._parts[1]) + (self.bias - self.threshold)

    def reasons(self, row: Sequence[int], kind: int, count: int) -> list[tuple[int, str]]:
        """The `count` features of a row whose words speak most for a claim, heaviest first."""
        column = self._reasons[kind]
        values = [*map(column.__getitem__, row)]
        speaking = sorted(
            zip(filter(None, values), compress(row, values), strict=True), reverse=True
        )
        return [(value, self._names[at]) for value, at in speaking[:count]]


def _sums(rows: Sequence[Sequence[int]], table: Whole) -> Whole:
    begins = [0, *accumulate(map(len, rows))]
    chosen = table.take(list(chain.from_iterable(rows)), axis=0)
    sums: Whole = np.add.reduceat(chosen, begins[:-1], axis=0)
    return sums


@cache
def shipped() -> Model:
    """The model that comes with the loader."""
    return from_dict(json.loads(FILE.read_text(encoding="utf-8")))


def hundredths(values: npt.NDArray[np.float64]) -> Whole:
    """Learned weights as they are kept."""
    return np.rint(values * 100).astype(np.int64)


def from_dict(stored: Mapping[str, Any]) -> Model:
    """The model that `to_dict` made `stored` of."""
    roles, claims = stored["roles"], stored["claims"]
    names = sorted({*roles["features"], *claims["features"]})
    table = np.zeros((len(names) + 1, len(ROLES) + len(CLAIM_KINDS)), dtype=np.int64)
    index = {name: at for at, name in enumerate(names, 1)}
    for name, values in roles["features"].items():
        table[index[name], :_KINDS] = values
    for name, values in claims["features"].items():
        table[index[name], _KINDS:] = values
    return Model(
        index,
        table,
        np.array(roles["start"]),
        np.array(roles["end"]),
        np.array(roles["steps"]),
        np.array(claims["bias"]),
        np.array(claims["threshold"]),
    )


def to_dict(model: Model) -> dict[str, Any]:
    """What is stored of a model; features without weight are left out."""
    stored: dict[str, Any] = {
        "roles": {
            "labels": list(ROLES),
            "start": model.start.tolist(),
            "end": model.end.tolist(),
            "steps": model.steps.tolist(),
            "features": {},
        },
        "claims": {
            "labels": list(CLAIM_KINDS),
            "bias": model.bias.tolist(),
            "threshold": model.threshold.tolist(),
            "features": {},
        },
    }
    for name in sorted(model.index):
        values = model.table[model.index[name]].tolist()
        for part, kept in (("roles", values[:_KINDS]), ("claims", values[_KINDS:])):
            if any(kept):
                stored[part]["features"][name] = kept
    return stored


def text_of(stored: Mapping[str, Any], about: Sequence[str]) -> str:
    """The file of a stored model: a line a feature, the same bytes for the same weights."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    parts = [f'"about":{json.dumps(list(about), ensure_ascii=False, indent=1)}']
    for part in ("roles", "claims"):
        fields = [
            f'"{name}":{line(value)}' for name, value in stored[part].items() if name != "features"
        ]
        listed = ",\n".join(
            f"{line(name)}:{line(values)}" for name, values in stored[part]["features"].items()
        )
        fields.append(f'"features":{{\n{listed}\n}}')
        parts.append(f'"{part}":{{\n' + ",\n".join(fields) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
