"""A numeric expression of a text, before anything is concluded from it.

In: nothing. Out: `Quantity`, which `numerals` makes and every later room reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from loader.model import Qualifier

Form = Literal["value", "range", "from_to", "bound", "word"]


@dataclass(slots=True)
class Quantity:
    """A numeric expression as written. `low` is where a from-to starts."""

    start: int
    end: int
    low: float | None
    high: float | None
    unit: str = ""  # a symbol or word that is a unit, else ""
    form: Form = "value"
    signed: bool = False  # an explicit + or - stands before it
    mark: Qualifier | None = None  # of ~, <, ≥, a trailing +
    scale: str = ""  # K, M, B, T where the number was written with one
    decimal: bool = False
    spread: float | None = None
    noun: str = ""  # of "4000-sample"
    of_scale: bool = False  # "4.42/5": a value on a scale
    member: bool = False  # continues a list, a slash pair or "N of M"
    total: bool = False  # the M of "N of M"
    listed: bool = False  # followed by nothing but "," or "and" and the next number
