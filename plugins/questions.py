"""Questions: fields that suggest what the data has, and answers drawn as bars.

In: what metadata.yml says beside the SQL of a canned query, and the rows it gives. Out: what
`query.html` shows.

    suggest: {baseline: select distinct ...}  # values for a parameter, best first
    chart: {label: label, value: high, unit: unit}  # columns of the answer, as bars; also
        other: low       # the other end of the value; what is farther from zero is drawn
        detail: metric   # a second line of the label
        only: {kind: change}  # only rows with these values
        said: Gain       # what the length is
        note: seconds    # what to bear in mind, behind it
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from datasette import hookimpl
from datasette.database import QueryInterrupted

from loader.versions import version_of

CHOICES = 200  # values that a field suggests
BARS = 25
LIMIT_MS = 500  # for the suggestions of a field; without them it is still a field


# database -> the version last seen, and what fields suggested then
_known: WeakKeyDictionary[Any, tuple[object, dict[str, list[str]]]] = WeakKeyDictionary()


class Bar(NamedTuple):
    """A row of an answer as a bar from `start` to `end`, in per cent of the width."""

    label: str
    detail: str
    value: float
    unit: str
    start: float
    end: float


class Bars(NamedTuple):
    """An answer as bars, the first rows of it; `said` tells what the lengths are."""

    said: str
    bars: list[Bar]
    zero: float  # where zero is, in per cent of the width
    only: list[str]  # which rows alone are drawn, in words
    left_out: int  # rows that are not drawn


def bars_of(chart: dict[str, Any], rows: Sequence[Any]) -> Bars | None:
    """The rows of an answer as bars; None where fewer than two have a number to draw.

    `chart` is as in the module. Only rows of the commonest unit are drawn, as lengths of two
    units cannot be compared.
    """
    only = (chart.get("only") or {}).items()
    told = [f"{name} {value}" for name, value in only]
    drawable = [
        row
        for row in rows
        if isinstance(row[chart["value"]], int | float) and all(row[k] == v for k, v in only)
    ]
    unit_column = chart.get("unit")
    if unit_column and drawable:
        units = [row[unit_column] for row in drawable]
        commonest = max(dict.fromkeys(units), key=units.count)
        drawable = [row for row in drawable if row[unit_column] == commonest]
        told += [f"in {commonest}" if commonest else "without a unit"] * (len(set(units)) > 1)
    if len(drawable) < 2:
        return None
    told += [f"the first {BARS}"] * (len(drawable) > BARS)
    drawable = drawable[:BARS]
    values = [_farther(row[chart["value"]], row[chart.get("other", chart["value"])])
              for row in drawable]  # fmt: skip
    low, high = min(0, *values), max(0, *values)
    zero = 100 * -low / ((high - low) or 1)
    ends = [zero + 100 * value / ((high - low) or 1) for value in values]
    bars = [
        Bar(
            str(row[chart["label"]]),
            str(row[chart["detail"]] or "") if "detail" in chart else "",
            value,
            str(row[unit_column] or "") if unit_column else "",
            round(min(zero, end), 2),
            round(max(zero, end), 2),
        )
        for row, value, end in zip(drawable, values, ends, strict=True)
    ]
    said = f"{chart.get('said') or chart['value'].replace('_', ' ')} by {chart['label']}"
    said = said.replace("_", " ").replace("by label", "by paper")
    return Bars(said, bars, round(zero, 2), told, len(rows) - len(bars))


def _farther(value: float, other: Any) -> float:
    """Of two ends the one farther from zero; the second may be missing."""
    return float(other) if isinstance(other, int | float) and abs(other) > abs(value) else value


@hookimpl
def extra_template_vars(template: str | None, database: str | None, datasette: Any) -> Any:
    if not template or not template.startswith("query") or database != "library":
        return None

    async def choices(asked: dict[str, str] | None) -> dict[str, list[str]]:
        """For each parameter what its field suggests; `asked` is SQL by parameter."""
        found: dict[str, list[str]] = {}
        library = datasette.get_database("library")
        seen, known = _known.get(library) or (None, {})
        now = version_of(library)
        if now != seen:
            known = {}
        _known[library] = (now, known)
        for name, sql in (asked or {}).items():
            if sql in known:
                found[name] = known[sql]
                continue
            try:
                rows = await datasette.execute(
                    "library", f"select * from ({sql}) limit {CHOICES}", custom_time_limit=LIMIT_MS
                )
            except (QueryInterrupted, sqlite3.Error):
                continue
            found[name] = [str(row[0]) for row in rows.rows if row[0] not in (None, "")]
            known[sql] = found[name]
        return found

    return {"choices": choices, "bars_of": bars_of}
