"""What the rooms do, called from SQL: right, quick and safe on any input."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.functions import FUNCTIONS, LONGEST, claims, measurements, plain_text, similarity
from loader.functions import sentences as sentences_of
from tests import timing


async def ask(site: Datasette, sql: str) -> list[dict]:
    address = "/library.json?" + urlencode({"sql": sql, "_shape": "objects"})
    answer = (await site.client.get(address)).json()
    assert answer["error"] is None, answer
    return answer["rows"]


def test_they_say_what_the_rooms_say() -> None:
    text = r"We propose \textbf{TeaNet}. It is 2.5$\times$ faster than PotNet on Kettles."
    assert plain_text(text) == "We propose TeaNet. It is 2.5× faster than PotNet on Kettles."
    assert [s["text"] for s in json.loads(sentences_of(text))] == [
        "We propose TeaNet.",
        "It is 2.5× faster than PotNet on Kettles.",
    ]
    assert "contribution" in {c["kind"] for c in json.loads(claims(text))}
    [number] = json.loads(measurements(text))
    assert (number["kind"], number["low"], number["unit"]) == ("ratio", 2.5, "×")
    assert number["baseline"] == "PotNet"
    assert number["text"] in text
    assert similarity(text, plain_text(text).upper()) == 100
    assert similarity("tea pot", "pot tea") == 100
    assert similarity("tea", "") == 0
    assert 20 < similarity("we boil tea in pots", "we boil coffee in cans") < 90


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
async def test_every_example_runs(site: Datasette, function) -> None:
    assert function.does
    assert await ask(site, function.example)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
async def test_any_value_gives_a_result(site: Datasette, function) -> None:
    for value in ("null", "1", "1.5", "x'ff00'", "''", "char(0)", "'%'", "x'c3'"):
        values = ", ".join([value] * len(function.parameters))
        [row] = await ask(site, f"select {function.name}({values}) as result")
        assert (row["result"] is None) is (value == "null")


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200) | st.integers() | st.floats() | st.binary(max_size=50) | st.none())
def test_no_value_raises(value: object) -> None:
    for function in FUNCTIONS:
        result = function.call(*[value] * len(function.parameters))
        assert (result is None) is (value is None)
        if isinstance(result, str):
            result.encode("utf-8")


def test_long_texts_take_a_moment() -> None:
    text = "We propose TeaNet, which is 2.5x faster than PotNet (see Fig. 3). " * 200_000
    for function in FUNCTIONS:
        arguments = [text] * len(function.parameters)
        assert timing.within(5, lambda f=function, a=arguments: f.call(*a))
    assert len(plain_text(text)) <= LONGEST
