"""The learned weights of roles and claims, as a small readable file.

In: `weights.json`, which `train` writes, or a model just trained. Out: `Model`, which looks
features up. Weights are stored as hundredths in whole numbers; a feature that was seen in one
abstract only has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from loader.model import CLAIM_KINDS, ROLES

FILE: Final = Path(__file__).with_name("weights.json")
Floats = npt.NDArray[np.float64]
_KINDS: Final = len(ROLES)  # the columns of the claims begin behind those of the roles


@dataclass(frozen=True, slots=True)
class Model:
    """Weights of features for five roles and seven kinds of claim, and of role after role."""

    index: Mapping[str, int]
    table: Floats  # a row a feature; a column a role, then one a kind of claim
    start: Floats
    end: Floats
    steps: Floats  # from the role of one sentence (row) to the next (column)
    bias: Floats  # a number a kind of claim
    threshold: Floats  # a sum above it makes the claim

    def role_scores(self, rows: Iterable[Iterable[str]]) -> Floats:
        """A row a sentence, a column a role."""
        return self._sums(rows, slice(0, _KINDS))

    def claim_scores(self, rows: Iterable[Iterable[str]]) -> Floats:
        """A row a sentence, a column a kind of claim: above 0 where the claim is made."""
        return self._sums(rows, slice(_KINDS, None)) + (self.bias - self.threshold)

    def claim_weight(self, feature: str, kind: int) -> float:
        """How much a feature speaks for a claim; 0 where it is not known."""
        at = self.index.get(feature)
        return 0.0 if at is None else float(self.table[at, _KINDS + kind])

    def _sums(self, rows: Iterable[Iterable[str]], columns: slice) -> Floats:
        places: list[int] = []
        begins: list[int] = []
        known = self.index.get
        for row in rows:
            begins.append(len(places))
            places.append(0)  # the first row holds zeros, so that no sum is empty
            places += [at for at in map(known, row) if at is not None]
        if not begins:
            return np.zeros((0, len(range(*columns.indices(self.table.shape[1])))))
        sums: Floats = np.add.reduceat(self.table[places, columns], begins, axis=0)
        return sums


@cache
def shipped() -> Model:
    """The model that comes with the loader."""
    return from_dict(json.loads(FILE.read_text(encoding="utf-8")))


def from_dict(stored: Mapping[str, Any]) -> Model:
    """The model that `to_dict` made `stored` of."""
    roles, claims = stored["roles"], stored["claims"]
    names = sorted({*roles["features"], *claims["features"]})
    table = np.zeros((len(names) + 1, len(ROLES) + len(CLAIM_KINDS)))
    index = {name: at for at, name in enumerate(names, 1)}
    for name, values in roles["features"].items():
        table[index[name], :_KINDS] = values
    for name, values in claims["features"].items():
        table[index[name], _KINDS:] = values
    return Model(
        index,
        table / 100,
        np.array(roles["start"]) / 100,
        np.array(roles["end"]) / 100,
        np.array(roles["steps"]) / 100,
        np.array(claims["bias"]) / 100,
        np.array(claims["threshold"]) / 100,
    )


def to_dict(model: Model) -> dict[str, Any]:
    """What is stored of a model; features without weight are left out."""

    def whole(values: Floats) -> list[Any]:
        rounded: list[Any] = np.rint(values * 100).astype(int).tolist()
        return rounded

    stored: dict[str, Any] = {
        "roles": {
            "labels": list(ROLES),
            "start": whole(model.start),
            "end": whole(model.end),
            "steps": whole(model.steps),
            "features": {},
        },
        "claims": {
            "labels": list(CLAIM_KINDS),
            "bias": whole(model.bias),
            "threshold": whole(model.threshold),
            "features": {},
        },
    }
    for name in sorted(model.index):
        values = whole(model.table[model.index[name]])
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
