"""The learned weights of roles and claims, as a small readable file.

In: `weights.json`, which `train` writes, or a model just trained. Out: `Model`, which looks
features up. Weights are hundredths in whole numbers, so that a sum is the same in whatever
order it is made; a feature that was seen in one abstract only has none.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from loader.features import Look, is_stemmed, is_worded, stem
from loader.memo import Memo
from loader.model import CLAIM_KINDS, ROLES

FILE: Final = Path(__file__).with_name("weights.json")
_FAINT: Final = 4  # hundredths: no reason that a person would be given
Whole = npt.NDArray[np.int64]
_KINDS: Final = len(ROLES)  # the columns of the claims begin behind those of the roles
_COLUMNS: Final = _KINDS + len(CLAIM_KINDS)
# A row as one whole number, 32 bits a column: one addition adds all columns. With a half added to
# each, which no sum reaches, no column borrows from the next.
_BITS: Final = 32
_HALF: Final = 1 << 27
_HALVES: Final = sum(_HALF << (_BITS * column) for column in range(_COLUMNS))
_ROLES: Final = Struct(f"<{_KINDS}I")
# The kinds of claim whose columns, so raised, are above their half.
_MADE: Final = Memo[int, tuple[int, ...]](
    lambda halves: tuple(
        kind for kind in range(len(CLAIM_KINDS)) if halves & (_HALF << (_BITS * (_KINDS + kind)))
    )
)


_NONE: Final[Mapping[str, int]] = {}


@dataclass(slots=True)
class Model:
    """Weights of features for five roles and seven kinds of claim, and of role after role.

    All are hundredths. `sums[mark][name]` and `sum_of[names]` are packed rows: of the feature
    that a mark (`<`, `>`, `+`, `result|` ...) and a name make, and of several features together.
    """

    index: Mapping[str, int]
    table: Whole  # a row a feature, the first for none; a column a role, then one a kind
    start: Whole
    end: Whole
    steps: Whole  # from the role of one sentence (row) to the next (column)
    bias: Whole  # a number a kind of claim
    threshold: Whole  # a sum above it makes the claim
    sums: Mapping[str, Memo[str, int]] = field(init=False, repr=False)
    sum_of: Memo[tuple[str, ...], int] = field(init=False, repr=False)
    into: list[tuple[int, ...]] = field(init=False, repr=False)  # `steps`, by the next role
    _names: list[str] = field(init=False, repr=False)
    _packed: list[int] = field(init=False, repr=False)  # the rows of the table
    _pairs: Mapping[str, Mapping[str, int]] = field(init=False, repr=False)
    # of a word its rows, and those with the words behind it
    _words: Memo[str, tuple[tuple[int, ...], Mapping[str, int]]] = field(init=False, repr=False)
    _begins: tuple[Memo[str, int], ...] = field(init=False, repr=False)
    _last: tuple[Sequence[Look], list[tuple[set[int], int]]] = field(init=False, repr=False)
    _least: int = field(init=False, repr=False)
    # of a kind what each row says for it, times the number of rows, plus the row; 0 for nothing
    _speaking: list[array[int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._names = ["", *self.index]
        self._packed = _packed(self.table)
        self.sums = {
            mark: Memo(self._summing(mark)) for mark in ("<", ">", "+", *(f"{r}|" for r in ROLES))
        }
        self.sum_of = Memo(lambda names: sum(map(self._packed.__getitem__, self.known(names))))
        self.into = list(zip(*self.steps.tolist(), strict=True))
        self._words = Memo(self._of_word)
        pairs: dict[str, dict[str, int]] = {}
        for name, at in self.index.items():
            left, _, right = name.partition("_")
            if left and right and name[0] != "^":
                pairs.setdefault(sys.intern(left), {})[sys.intern(right)] = at
        self._pairs = pairs
        self._begins = tuple(Memo(self._finding(mark)) for mark in ("^", "^0", "^1"))
        self._last = ((), [])
        least = (self.bias - self.threshold).tolist()
        self._least = _HALVES + sum(
            (value - 1) << (_BITS * (_KINDS + kind)) for kind, value in enumerate(least)
        )
        worded = np.array([bool(name) and is_worded(name) for name in self._names])
        speaking = self.table[:, _KINDS:] * worded[:, None]
        places = np.arange(len(self._names))[:, None]
        speaking = np.where(speaking > _FAINT, speaking * len(self._names) + places, 0)
        self._speaking = [array("q", column.tolist()) for column in speaking.T]

    def _finding(self, mark: str) -> Callable[[str], int]:
        return lambda name: self.index.get(mark + name, 0)

    def _summing(self, mark: str) -> Callable[[str], int]:
        return lambda name: self._packed[self.index.get(mark + name, 0)]

    def _of_word(self, word: str) -> tuple[tuple[int, ...], Mapping[str, int]]:
        names = (word, "~" + stem(word)) if is_stemmed(word) else (word,)
        return tuple(self.known(names)[1:]), self._pairs.get(word, _NONE)

    def known(self, features: Iterable[str]) -> list[int]:
        """The rows of the table for these features, and the first one, which holds zeros."""
        found = self.index.get
        return [0, *[at for name in features if (at := found(name))]]

    def own(self, seen: Sequence[Look]) -> list[tuple[set[int], int]]:
        """For each sentence the rows of `Look.own` and their sum; remembered for the same looks.

        Among the rows is the first of the table.
        """
        if seen is not self._last[0]:
            self._last = (seen, list(map(self._own, seen)))
        return self._last[1]

    def _own(self, look: Look) -> tuple[set[int], int]:
        words, found = look.words, self.index.get
        rows: set[int] = set()
        if words:
            alone, nexts = zip(*map(self._words.__getitem__, words), strict=True)
            rows.update(*alone)
            pairs = zip(nexts, words[1:], strict=False)
            rows.update([near[word] for near, word in pairs if word in near])
        rows.update([found(name, 0) for name in (*look.told, *look.acted)])
        any_of_four, first, second = self._begins
        rows.update(map(any_of_four.__getitem__, words[:4]))
        if len(words) > 2:
            a, b, c = words[:3]
            rows.update((first[a], second[b], found(f"^{a}_{b}_{c}", 0)))
        return rows, sum(map(self._packed.__getitem__, rows))

    def role_scores(self, seen: Sequence[Look]) -> list[tuple[int, ...]]:
        """For each sentence a score a role; all scores are raised by the same number."""
        before, behind, earlier = (self.sums[mark].__getitem__ for mark in "<>+")
        sum_of = self.sum_of
        scores: list[tuple[int, ...]] = []
        done: set[str] = set()
        sum_of_done = _HALVES
        for look, (_, own) in zip(seen, self.own(seen), strict=True):
            total = own + sum_of_done + sum_of[look.place] + sum_of[look.cues]
            total += sum(map(before, look.before)) + sum(map(behind, look.behind))
            scores.append(_ROLES.unpack_from(total.to_bytes(_COLUMNS * _BITS // 8, "little")))
            for act in look.acts:
                if act not in done:
                    done.add(act)
                    sum_of_done += earlier(act)
        return scores

    def kinds(self, total: int) -> tuple[int, ...]:
        """The kinds of claim that a sentence makes whose rows have this sum."""
        return _MADE[(total + self._least) & _HALVES]

    def reasons(self, rows: set[int], kind: int, count: int) -> list[tuple[int, str]]:
        """The `count` features of these whose words speak most for a claim, heaviest first."""
        column, names = self._speaking[kind], self._names
        found = sorted([said for at in rows if (said := column[at])], reverse=True)
        heaviest = [divmod(said, len(names)) for said in found[:count]]
        return [(value, names[at]) for value, at in heaviest]


def _packed(table: Whole) -> list[int]:
    rows = (table + _HALF).astype("<u4").tobytes()
    size = _COLUMNS * _BITS // 8
    starts = range(0, len(rows), size)
    return [int.from_bytes(rows[at : at + size], "little") - _HALVES for at in starts]


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
    index = {sys.intern(name): at for at, name in enumerate(names, 1)}
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
