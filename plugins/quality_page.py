"""The page `/-/quality`: how claims, roles, numbers and names are made, and how often they err.

In: `quality.json` of the loader, which `benchmarks/quality.py` writes. Out: what `quality.html`
shows.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, NamedTuple

from datasette import hookimpl
from datasette.utils.asgi import Response

from loader.model import SAID

FEW = 30  # cases; a share of fewer says little

# what the scorer calls a field, what a reader does, and when a value is right
_FIELDS = (
    ("Sentences", (("sentences", "sentences", "both ends are"),)),
    (
        "What sentences do",
        (
            ("roles", "role", "the sentence and its role are"),
            ("claims", "claim", "the sentence and the kind of claim are"),
        ),
    ),
    (
        "Numbers",
        (
            ("measurements", "value", "the kind, the low and the high value are"),
            ("measurement spans", "place", "the kind and both ends in the source are"),
            ("measurement units", "unit", "the value and its unit are"),
            ("measurement metrics", "metric", "the value and what it measures are"),
            ("measurement baselines", "over", "the value and what it is compared with are"),
            ("measurement subjects", "on", "the value and what it holds for are"),
            ("measurement qualifiers", "qualifier", "the value and “up to”, “about” ... are"),
        ),
    ),
    (
        "Names",
        (
            ("names", "name introduced", "the name is"),
            ("name kinds", "its kind", "the name and its kind are"),
            ("name expansions", "its long form", "the name and its long form are"),
            ("acronyms", "acronym", "the short and the long form are"),
            ("mentions", "used or compared with", "the name is"),
            ("mention kinds", "its kind", "the name and its kind are"),
            ("links", "link", "the address and its kind are"),
        ),
    ),
)


class Share(NamedTuple):
    """How good one field or kind is. Shares are in whole percent, None where nothing was there."""

    name: str
    right_if: str
    precision: int | None  # of those found, so many are right
    recall: int | None  # of those there are, so many are found
    cases: int  # that there are
    few: bool


def read_quality() -> dict[str, Any] | None:
    """What was measured, as the page shows it; None where nothing was."""
    file = files("loader") / "quality.json"
    return quality(json.loads(file.read_text("utf-8"))) if file.is_file() else None


def quality(measured: dict[str, Any]) -> dict[str, Any]:
    """The content of `quality.json` as sections of shares, in the order they are read."""
    fields, kinds = measured["fields"], measured["kinds"]
    return {
        "abstracts": measured["abstracts"],
        "sentences": measured["sentences"],
        "folds": measured["folds"],
        "claims": _share("claims", "", fields["claims"]),
        "numbers": _share("numbers", "", fields["measurements"]),
        "fields": [
            (title, [_share(name, right_if, fields[key]) for key, name, right_if in listed])
            for title, listed in _FIELDS
        ],
        "kinds": [
            (title, [_share(name, "", counts) for name, counts in kinds[key].items()])
            for key, title in (
                ("claims", "Claims by kind"),
                ("roles", "Roles"),
                ("measurements", "Numbers by kind"),
            )
        ],
    }


def _share(name: str, right_if: str, counts: dict[str, Any]) -> Share:
    precision, recall = _percent(counts["precision"]), _percent(counts["recall"])
    cases = counts["gold"]
    return Share(
        SAID.get(name, name.replace("_", " ")), right_if, precision, recall, cases, cases < FEW
    )


def _percent(share: float | None) -> int | None:
    """In whole percent; 100 only where nothing at all is wrong."""
    return None if share is None else min(round(100 * share), 100 if share == 1 else 99)


async def page(datasette: Any, request: Any) -> Response:
    """The answer to a request for `/-/quality`."""
    context = {"quality": read_quality(), "few": FEW}
    return Response.html(await datasette.render_template("quality.html", context, request=request))


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"^/-/quality$", page)]
