"""Questions: fields that suggest what the data has, and answers drawn as bars.

In: what metadata.yml says beside the SQL of a canned query, and the rows it gives. Out: what
`query.html` shows.

    suggest: {baseline: select distinct ...}  # values for a parameter, best first
    chart: {label: label, value: high, unit: unit}  # columns of the answer, as bars; also
        detail: metric   # a second line of the label
        only: {kind: change}  # only rows with these values
        said: Gain       # what the length is
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from datasette import hookimpl
from datasette.database import QueryInterrupted

from loader.facets import Version

CHOICES = 200  # values that a field suggests
BARS = 25
LIMIT_MS = 500  # for the suggestions of a field; without them it is still a field


# database -> what tells its version, the version last seen, and what fields suggested then
_known: WeakKeyDictionary[Any, tuple[Version, object, dict[str, list[str]]]] = WeakKeyDictionary()


class Bar(NamedTuple):
    """A row of an answer as a bar; `width` in per cent of the largest."""

    label: str
    detail: str
    value: float
    unit: str
    width: float


class Bars(NamedTuple):
    """An answer as bars, the first rows of it; `said` tells what the lengths are."""

    said: str
    bars: list[Bar]
    left_out: int


def bars_of(chart: dict[str, Any], rows: Sequence[Any]) -> Bars | None:
    """The rows of an answer as bars; None where fewer than two have a number to draw.

    `chart` is as in the module. Only rows of the commonest unit are drawn, as lengths of two
    units cannot be compared.
    """
    only = (chart.get("only") or {}).items()
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
    if len(drawable) < 2:
        return None
    largest = max(abs(row[chart["value"]]) for row in drawable[:BARS]) or 1
    bars = [
        Bar(
            str(row[chart["label"]]),
            str(row[chart["detail"]] or "") if "detail" in chart else "",
            row[chart["value"]],
            str(row[unit_column] or "") if unit_column else "",
            round(100 * abs(row[chart["value"]]) / largest, 2),
        )
        for row in drawable[:BARS]
    ]
    said = f"{chart.get('said') or chart['value'].replace('_', ' ')} by {chart['label']}"
    return Bars(said.replace("_", " ").replace("by label", "by paper"), bars, len(rows) - len(bars))


@hookimpl
def extra_template_vars(template: str | None, database: str | None, datasette: Any) -> Any:
    if not template or not template.startswith("query") or database != "library":
        return None

    async def choices(asked: dict[str, str] | None) -> dict[str, list[str]]:
        """For each parameter what its field suggests; `asked` is SQL by parameter."""
        found: dict[str, list[str]] = {}
        library = datasette.get_database("library")
        version, seen, known = _known.get(library) or (Version(library.connect), None, {})
        if version() != seen:
            seen, known = version(), {}
        _known[library] = (version, seen, known)
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
