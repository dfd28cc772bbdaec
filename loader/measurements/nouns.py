"""The nearest noun phrases around a number, and whether one is of a metric.

In: a `Reading` and a token of it. Out: the noun phrase to the left or right, or None.
"""

from __future__ import annotations

from typing import Final

from loader.measurements.lexicon import BEATING, METRIC_HEADS
from loader.measurements.phrases import Phrase, Reading

_COMPARING: Final = frozenset("over than upon against versus vs".split()) | BEATING
METHODS: Final = frozenset("method methods baseline baselines approach approaches".split())
PROCESSES: Final = frozenset(
    "training inference decoding generation sampling prefill prefilling pretraining "
    "pre-training convergence rendering indexing".split()
)


def last_noun(reading: Reading, i: int) -> Phrase | None:
    """The nearest noun phrase that ends at token `i` or a little before it."""
    for k in range(i, max(-1, i - 8), -1):
        if reading.cls(k) == "N" and (phrase := reading.phrase_ending(k)):
            return phrase
    return None


def last_metric(reading: Reading, i: int) -> Phrase | None:
    """The nearest phrase to the left that ends in a word that things are measured by."""
    for k in range(i, -1, -1):
        if reading.low(k) == "time" and reading.low(k - 1) == "real":
            continue
        if reading.cls(k) == "N" and reading.is_metric(k) and (phrase := reading.phrase_ending(k)):
            if _is_rival(reading, phrase) or _is_setting(reading, phrase):
                continue
            return phrase
    return None


def next_metric(reading: Reading, i: int) -> Phrase | None:
    """The nearest such phrase to the right, within the clause."""
    depth = 0
    for k in range(i, min(len(reading.tokens), i + 14)):
        low = reading.low(k)
        depth += (low == "(") - (low == ")")
        if low in (";", ".") or depth < 0 or (low == "," and not depth):
            return None
        if reading.cls(k) == "#" and not depth and reading.low(k - 1) not in ("and", ",", "/"):
            return None
        if reading.cls(k) == "N" and reading.is_metric(k):
            last = k
            if reading.low(last) == "error" and reading.low(last + 1) == "bars":
                continue
            while reading.cls(last + 1) == "N" and reading.is_metric(last + 1):
                last += 1
            return reading.phrase_ending(last)
    return None


def _is_rival(reading: Reading, phrase: Phrase) -> bool:
    """Whether a phrase is what something is held against: "improves over cross-entropy"."""
    low = reading.low(phrase.last)
    k = phrase.first - 1
    k -= reading.cls(k) == "D"
    return "-" in low and low not in METRIC_HEADS and reading.low(k) in _COMPARING


def _is_setting(reading: Reading, phrase: Phrase) -> bool:
    """Whether a phrase only tells how it was measured: "at equal memory"."""
    return reading.low(phrase.first - 1) == "at" and reading.low(phrase.last + 1) != "of"
