"""What a number is of, against what it is held and what it holds for.

In: a `Reading` and its drafts. Out: the same drafts with metric, baseline, subject and
qualifier, where the sentence (or, for the name of the paper's own data, the abstract) says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from loader.measurements.kinds import Draft
from loader.measurements.lexicon import (
    BEATING,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COLLECTIONS,
    COMPARATIVES,
    CONTAINERS,
    MODEL_LIKE,
    NUMBER_WORDS,
    OWN_METRIC,
)
from loader.measurements.phrases import Phrase, Reading

_INTRODUCES: Final = re.compile(
    r"\b(?:introduc(?:es?|ing)|present(?:s|ing)?|propos(?:es?|ing)|releas(?:es?|ing)|construct(?:s|ing|ed)?"
    r"|buil(?:ds?|t|ding)|develop(?:s|ed|ing)?|compil(?:es?|ed|ing)|creat(?:es?|ed|ing)|curat(?:es?|ed|ing)"
    r"|yields?|resulting in|called|named|termed|dubbed|namely|proposed)\b"
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:using|based|built|from|for|with|on|like|such|over|than|via|by|of|to|that|which|in)\b|[.;:]\s"
)
_NAME_SHAPE: Final = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9])[A-Z][\w-]{2,}\b")


class Context:
    """What the whole abstract adds: the known names, and the paper's own among them."""

    def __init__(self, text: str, known: Sequence[str]) -> None:
        self.text = text
        self.known = sorted({k for k in known if len(k) > 1}, key=len, reverse=True)
        self._own: str | None = None
        self._sought = False

    @property
    def own(self) -> str | None:
        """The name that the paper introduces first, if it can be seen."""
        if not self._sought:
            self._sought = True
            best = len(self.text)
            for match in _INTRODUCES.finditer(self.text):
                window = self.text[match.end() : match.end() + 100]
                if stop := _ELSEWHERE.search(window):
                    # a bracket right behind a long form may still hold the name
                    window = window[: stop.start()]
                for name in self.known:
                    place = window.find(name)
                    if 0 <= place < best:
                        best, self._own = place, name
                if self._own is None and not self.known and (shape := _NAME_SHAPE.search(window)):
                    self._own = shape[0]
                if self._own is not None:
                    break
        return self._own

    def name_at(self, place: int) -> str | None:
        """The longest known name that begins at `place` of the text and ends a word there."""
        for name in self.known:
            if self.text.startswith(name, place):
                following = self.text[place + len(name) : place + len(name) + 1]
                if not following.isalnum():
                    return name
        return None


class Cue(NamedTuple):
    """A baseline or subject phrase, the token that announces it and its rank (0 the best)."""

    token: int
    last: int
    text: str
    rank: int


def fill(reading: Reading, drafts: Sequence[Draft], context: Context) -> None:
    """Sets metric, baseline, subject and qualifier of `drafts`."""
    if not drafts:
        return
    measured = [d for d in drafts if d.kind != "amount"]
    if measured:
        baselines = _baseline_cues(reading, context)
        subjects = _subject_cues(reading, context, drafts)
        for draft in measured:
            draft.metric = _metric(reading, draft)
            draft.subject = _subject(reading, draft, drafts, subjects)
            draft.baseline = _baseline(reading, draft, drafts, baselines)
        _parenthesised(reading, measured, baselines)
        _inherit(reading, drafts, measured)
        _versus(reading, measured)
        _respectively(reading, measured, context)
    for draft in drafts:
        if draft.kind == "amount":
            draft.subject = _owner(reading, draft, context)


# --- metric -----------------------------------------------------------------------------------


def _metric(reading: Reading, draft: Draft) -> str | None:
    found = _metric_phrase(reading, draft)
    if found is None:
        return draft.metric
    phrase = reading.trimmed(found)
    if phrase is None:
        return None
    if draft.qualifier is None and any(
        reading.low(i) in ("average", "averaged")
        for i in range(max(0, found.first - 1), found.last + 1)
    ):
        draft.qualifier = "average"
    return reading.words(phrase)


def _metric_phrase(reading: Reading, draft: Draft) -> Phrase | None:
    if draft.kind == "bound":
        return _bound_metric(reading, draft)
    if draft.kind in ("change", "ratio"):
        return _changed(reading, draft)
    if draft.kind == "from_to":
        return _verb_object(reading, draft, draft.lead) or _named_before(reading, draft)
    return _level_metric(reading, draft)


def _bound_metric(reading: Reading, draft: Draft) -> Phrase | None:
    if draft.noun is not None and reading.cls(draft.place + 1) == "N":
        return draft.noun
    lead = draft.lead
    if reading.low(lead) == "as" and reading.low(lead - 1) in (
        "scale",
        "scales",
        "scaling",
        "grows",
    ):
        lead -= 1
    if reading.low(lead) in ("of", "is", "by", "=", "from", "to", "as"):
        if reading.low(lead) in ("from", "to", "by"):
            return _verb_object(reading, draft, lead) or _last_noun(reading, lead - 1)
        return _last_noun(reading, lead - 1)
    return _last_noun(reading, lead)


def _last_noun(reading: Reading, i: int) -> Phrase | None:
    """The nearest noun phrase that ends at token `i` or a little before it."""
    for k in range(i, max(-1, i - 8), -1):
        if reading.cls(k) == "N" and (phrase := reading.phrase_ending(k)):
            return phrase
    return None


def _changed(reading: Reading, draft: Draft) -> Phrase | None:
    """What a change or a ratio is of."""
    after = draft.place + 1
    word = reading.low(after)
    if draft.comes_after and draft.driver is not None:
        return _of_change_noun(reading, draft, draft.driver)
    if word == "as" and reading.low(after + 1) in ("fast", "quickly"):
        draft.metric = "speed"
        return None
    while word in ("average", "absolute", "relative", "more", "less", "as"):
        if word in ("more", "less") and reading.cls(after + 1) == "N":
            break
        after += 1
        word = reading.low(after)
    if word in COMPARATIVES or word in ("fast", "quickly"):
        phrase = reading.phrase_from(after + 1)
        if phrase is not None:
            return _until_head(reading, phrase)
        if word in ("faster", "slower", "quicker"):
            draft.metric = "speed"
            return None
    if draft.kind == "ratio" and draft.noun is not None:
        noun = next(
            (
                i
                for i in range(draft.noun.first, draft.noun.last + 1)
                if reading.low(i) in CHANGE_NOUNS
            ),
            None,
        )
        if noun is not None:
            draft.driver, draft.comes_after = noun, True
            return _of_change_noun(reading, draft, noun)
        if reading.cls(after) in "ND" and reading.low(draft.lead) != "by":
            return draft.noun
    if word == "in" and (phrase := reading.phrase_from(after + 1)):
        if reading.is_metric(phrase.last):
            return phrase
    driver = draft.driver
    if driver is not None:
        low = reading.low(driver)
        if low in CHANGE_NOUNS and not (low in CHANGE_VERBS and reading.low(draft.lead) == "by"):
            found = _of_change_noun(reading, draft, driver)
            if found is not None:
                return found
            return _last_metric(reading, driver)
        if low in BEATING:
            return None
        if driver == draft.lead and draft.noun is not None:
            return draft.noun
        found = _verb_object(reading, draft, draft.lead)
        if found is not None:
            return found
    if draft.noun is not None and draft.kind == "change":
        if reading.cls(after) == "N":
            return _until_head(reading, draft.noun)
    return _last_metric(reading, draft.lead)


def _of_change_noun(reading: Reading, draft: Draft, noun: int) -> Phrase | None:
    """`accuracy` of "drop in accuracy" and of "accuracy drop"."""
    low = reading.low(noun)
    keep = low in OWN_METRIC
    before = reading.phrase_ending(noun) if reading.cls(noun - 1) == "N" or keep else None
    if draft.comes_after and before is not None and before.first <= draft.place:
        before = Phrase(draft.place + 1, before.last)
    following = None
    if reading.low(noun + 1) in ("in", "of", "on", "for") and reading.cls(noun + 2) in "NDR":
        following = reading.phrase_from(noun + 2)
        if (
            following is not None
            and reading.low(noun + 1) in ("on", "for")
            and not reading.is_metric(following.last)
        ):
            following = None
    if keep:
        if following is not None and draft.kind == "ratio":
            return Phrase(noun, following.last)
        return (
            reading.trimmed(Phrase(draft.place + 1, noun))
            if draft.comes_after
            else before or Phrase(noun, noun)
        )
    described = (
        reading.trimmed(Phrase(before.first, noun - 1)) if before and before.first < noun else None
    )
    if following is not None and not (described and reading.is_metric(described.last)):
        return _until_head(reading, following)
    if described is not None:
        return described
    if low.startswith("degrad"):
        draft.metric = "performance"
    return None


def _until_head(reading: Reading, phrase: Phrase) -> Phrase:
    """A phrase cut behind the first word that things are measured by, if nothing nominal follows."""
    for i in range(phrase.first, phrase.last):
        if reading.is_metric(i) and reading.low(i + 1) in CHANGE_NOUNS:
            return Phrase(phrase.first, i)
    return phrase


_OF_KEPT: Final = frozenset(
    "number amount rate probability quality size volume fraction proportion percentage length degree "
    "deviation speed cost level use".split()
)


def _verb_object(reading: Reading, draft: Draft, lead: int) -> Phrase | None:
    """What stands between the verb of change and the number; its subject where that is nothing.

    "improves the test accuracy of X by 3%" and "accuracy drops by 3%".
    """
    verb = None
    for i in range(lead, max(-1, lead - 24), -1):
        if (
            reading.low(i) in CHANGE_VERBS
            and not (reading.low(i) in CHANGE_NOUNS and reading.low(i + 1) in ("of", "in"))
            and reading.cls(i + 1) != "X"
        ):
            verb = i
            break
        if reading.low(i) in (";", ":"):
            return None
    if verb is None:
        return None
    first = verb + 1
    while reading.cls(first) in "DR":
        first += 1
    if reading.cls(first) == "N":
        phrase = reading.phrase_from(first)
        if phrase is not None and phrase.last < draft.place:
            if reading.low(phrase.last + 1) == "of" and reading.low(phrase.last) in _OF_KEPT:
                last = phrase.last
                while reading.low(last + 1) == "of" and (more := reading.phrase_from(last + 2)):
                    if more.last >= draft.place:
                        break
                    last = more.last
                return Phrase(phrase.first, last)
            return phrase
    # intransitive or passive: the subject
    i = verb - 1
    while i >= 0 and (
        reading.cls(i) in "VR" or reading.low(i) in ("are", "is", "to", "which", "that")
    ):
        i -= 1
    return reading.phrase_ending(i) if i >= 0 and reading.cls(i) == "N" else None


def _named_before(reading: Reading, draft: Draft) -> Phrase | None:
    lead = draft.lead
    if reading.low(lead) in ("(", ":", "of", "=", "by"):
        lead -= 1
    return _last_metric(reading, lead)


def _last_metric(reading: Reading, i: int) -> Phrase | None:
    """The nearest phrase to the left that ends in a word that things are measured by."""
    for k in range(i, -1, -1):
        if reading.cls(k) == "N" and reading.is_metric(k) and (phrase := reading.phrase_ending(k)):
            return phrase
    return None


def _next_metric(reading: Reading, i: int) -> Phrase | None:
    for k in range(i, min(len(reading.tokens), i + 14)):
        if reading.low(k) in (";", "."):
            return None
        if reading.cls(k) == "N" and reading.is_metric(k):
            while reading.cls(k + 1) == "N" and reading.is_metric(k + 1):
                k += 1
            return reading.phrase_ending(k)
    return None


def _level_metric(reading: Reading, draft: Draft) -> Phrase | None:
    lead = draft.lead
    low = reading.low(lead)
    after = reading.low(draft.place + 1)
    if after == "of" and draft.unit == "%":
        phrase = reading.phrase_from(draft.place + 2)
        if phrase is not None:
            return phrase
    if low in ("of", "=", "as", "≥", "≤", ">", "<"):
        before = lead - 1
        phrase = reading.phrase_ending(before) if reading.cls(before) == "N" else None
        if phrase is not None:
            return phrase
    noun = draft.noun
    if noun is not None and any(reading.is_metric(i) for i in range(noun.first, noun.last + 1)):
        last = max(i for i in range(noun.first, noun.last + 1) if reading.is_metric(i))
        return Phrase(noun.first, last)
    if reading.cls(lead) == "N" and (reading.is_metric(lead) or draft.quantity.decimal):
        phrase = reading.phrase_ending(lead)
        if phrase is not None:
            return phrase
    if low in ("(", ":") and reading.is_metric(lead - 1):
        return reading.phrase_ending(lead - 1)
    if low in ("to", "at"):
        phrase = _verb_object(reading, draft, lead - 1)
        if phrase is not None:
            return phrase
    if low in (
        "is",
        "was",
        "are",
        "were",
        "reaches",
        "reached",
        "stays",
        "remains",
        "exceeds",
        "exceeding",
    ):
        k = lead - 1
        while k >= 0 and reading.cls(k) == "P" and reading.low(k) not in ("of", "in"):
            k -= 1
        phrase = _last_metric(reading, k) or (
            reading.phrase_ending(k) if reading.cls(k) == "N" else None
        )
        if phrase is not None:
            return phrase
    return _last_metric(reading, lead) or _next_metric(reading, draft.place + 1)


# --- baseline ---------------------------------------------------------------------------------

_ARTICLES: Final = frozenset("the a an its their our his her this these those".split())
_VAGUE: Final = frozenset(
    "several many multiple various diverse different numerous some other others average ones that those "
    "it them itself one ones both".split()
) | frozenset(NUMBER_WORDS)
_NOT_BASELINES: Final = frozenset(
    "time seeds runs trials steps epochs iterations expected random years tasks datasets benchmarks "
    "previously before ever others rest one two half reported domains languages settings".split()
)


def _chain(reading: Reading, first: int, of: bool = True) -> Phrase | None:
    """A noun phrase with the counts in it, its "of ..." and what "and" joins to it."""
    while reading.low(first) in _ARTICLES:
        first += 1
    i = first
    size = len(reading.tokens)
    last = None
    while i < size and i < first + 18:
        cls, low = reading.cls(i), reading.low(i)
        if cls == "N" or (cls in "DR" and low and reading.cls(i + 1) in "NDR#"):
            if cls == "N":
                last = i
                if low in _PLURAL_HEADS and _capital(reading, i + 1):
                    break
        elif (
            (
                cls == "#"
                and not reading.quantities[reading.tokens[i].quantity].unit
                and (reading.cls(i + 1) in "ND" or reading.low(i + 1) in ("of", "out"))
                and (last is None or reading.cls(i - 1) in "CDP")
            )
            or low in ("&", "’")
            or (cls == "C" and reading.low(i - 1).endswith("-"))
        ):
            pass
        elif low in ("and", "or", "of", "out") and last == i - 1 and reading.cls(i + 1) in "NDR#":
            if low == "of" and not of:
                break
            if low != "of" and not _joins(reading, i + 1):
                break
        elif low == "out" and reading.low(i + 1) == "of":
            pass
        elif low == "of" and reading.low(i - 1) == "out":
            pass
        elif low == "," and last == i - 1 and _lists(reading, i):
            pass
        else:
            break
        i += 1
    return Phrase(first, last) if last is not None and last >= first else None


_PLURAL_HEADS: Final = frozenset("benchmarks datasets tasks models benchmark dataset".split())


def _capital(reading: Reading, i: int) -> bool:
    return i < len(reading.tokens) and reading.text[reading.tokens[i].start].isupper()


def _joins(reading: Reading, i: int) -> bool:
    """Whether a noun phrase at `i` belongs to the one before "and", no new clause or number."""
    start = i
    while reading.cls(i) in "NDR" and reading.low(i) and i < start + 8:
        i += 1
    if i == start and reading.cls(i) == "#":
        return reading.cls(i + 1) == "N"
    if reading.low(start) in CHANGE_VERBS or reading.low(start) in COMPARATIVES:
        return False
    return i > start and reading.cls(i) not in "V#" and not (reading.low(i) == "by")


def _lists(reading: Reading, comma: int) -> bool:
    """Whether a comma goes on with a list of names: "NQ, SVAMP, and SQuAD"."""
    i = comma + 1
    if reading.low(i) in ("and", "or"):
        i += 1
    token = reading.tokens[i] if i < len(reading.tokens) else None
    if token is None or token.cls != "N" or not reading.text[token.start].isupper():
        return False
    return reading.low(i + 1) in (",", "and", ".", "or", ")", "") or i + 1 >= len(reading.tokens)


def _baseline_cues(reading: Reading, context: Context) -> list[Cue]:
    cues = []
    for i, token in enumerate(reading.tokens):
        low = token.low
        first, rank = i + 1, 0
        if low in ("over", "upon"):
            if reading.cls(i - 1) == "V" and reading.low(i - 1) not in CHANGE_VERBS:
                continue
        elif low in ("than", "versus", "vs"):
            if reading.low(i - 1) in ("rather", "other"):
                continue
            if reading.low(first) == ".":
                first += 1
            if reading.low(first) in ("with", "using", "under", "for", "in"):
                continue
        elif low == "compared" or (
            low in ("relative", "comparison") and reading.low(first) in ("to", "with")
        ):
            if reading.low(first) not in ("to", "with", "against"):
                continue
            first += 1
        elif low == "against":
            rank = 2
        elif low in BEATING:
            rank = 1
        else:
            continue
        if reading.cls(first) not in "NDR#" or not reading.low(first) and reading.cls(first) != "#":
            continue
        if reading.cls(first) == "#" and not (reading.cls(first + 1) == "N" and rank == 1):
            continue
        phrase = _chain(reading, first)
        if phrase is None:
            continue
        text = _named(reading, phrase, context, shorten=False)
        head = reading.low(phrase.last)
        if text is None or head in _NOT_BASELINES or text.lower() in _VAGUE:
            continue
        cues.append(Cue(i, phrase.last, text, rank))
    return cues


def _baseline(
    reading: Reading, draft: Draft, drafts: Sequence[Draft], cues: Sequence[Cue]
) -> str | None:
    if draft.kind == "bound" or not cues:
        return None
    following = [d.place for d in drafts if d.place > draft.place and d.kind != "amount"]
    next_place = following[0] if following else len(reading.tokens)
    near = [c for c in cues if draft.place < c.token < next_place and c.rank < 2]
    if near and draft.kind != "level":
        return near[0].text
    start, end = _clause(reading, draft.place)
    cues = [c for c in cues if start <= c.token < end]
    if draft.kind == "level":
        later = [
            c
            for c in cues
            if c.token > draft.place and (c.rank == 1 or reading.low(c.token) in ("than",))
        ]
        if later:
            return later[0].text
        beaten = [c for c in cues if c.last == draft.lead - 1 and c.rank == 1]
        return beaten[0].text if beaten else None
    before = [c for c in cues if c.token < draft.place and c.rank < 2]
    if before and before[-1].rank == 1 and draft.follows is None:
        return before[-1].text
    later = [c for c in cues if c.token > draft.place and c.rank < 2]
    if later and not before:
        return later[0].text
    if before:
        return (
            before[-1].text
            if not later or later[0].token - draft.place > draft.place - before[-1].token
            else later[0].text
        )
    against = [c for c in cues if c.token > draft.place]
    return against[0].text if against and draft.metric is None else None


def _clause(reading: Reading, place: int) -> tuple[int, int]:
    """The tokens around `place` up to a colon or semicolon outside brackets."""
    start, end = 0, len(reading.tokens)
    depth = 0
    for i, token in enumerate(reading.tokens):
        if token.low in ("(", "["):
            depth += 1
        elif token.low in (")", "]"):
            depth -= 1
        elif token.low in (";", ":") and depth <= 0:
            if i < place:
                start = i
            else:
                end = i
                break
    return start, end


# --- subject ----------------------------------------------------------------------------------

_GENERIC_HEADS: Final = frozenset("benchmark benchmarks dataset datasets corpus test-set".split())
_SETTINGS: Final = frozenset(
    "task tasks setting settings regime regimes evaluation benchmark benchmarks scenario scenarios "
    "dataset datasets domain environment environments noise split splits problems "
    "data games".split()
)
_NEVER: Final = frozenset(
    "average total addition particular contrast practice comparison terms order time times scale "
    "inference cost test-time case cases least most fact which general turn line".split()
)


def _subject_cues(reading: Reading, context: Context, drafts: Sequence[Draft]) -> list[Cue]:
    cues = []
    for i, token in enumerate(reading.tokens):
        low = token.low
        if low not in ("on", "across", "in", "for", "at", "under", "against", "to", "within"):
            continue
        first = i + 1
        if reading.low(i - 1).startswith(_BEFORE_OTHER_ON):
            continue
        if low == "on" and reading.low(first) == "both":
            first += 1
        if reading.low(first) in ("a", "the") and reading.low(first + 1) == "single":
            first += 2
        name_place = first
        while reading.low(name_place) in _ARTICLES:
            name_place += 1
        named = name_place < len(reading.tokens) and context.name_at(
            reading.tokens[name_place].start
        )
        if low in ("against", "within") and not named:
            continue
        if low == "to" and not (
            named and any(reading.low(k).startswith("appl") for k in range(max(0, i - 6), i))
        ):
            continue
        if low == "at" and reading.low(first) in (
            "its",
            "their",
            "test",
            "training",
            "inference",
            "no",
        ):
            continue
        if reading.low(first) in _VAGUE:
            continue
        phrase = _chain(reading, first, of=False)
        if phrase is None:
            continue
        head = reading.low(phrase.last)
        if (
            head in _NEVER
            or reading.low(phrase.first) in _NEVER
            or reading.low(phrase.first) in _VAGUE
        ):
            continue
        if (
            low in ("in", "under", "across")
            and not named
            and head not in _SETTINGS
            and reading.cls(phrase.first) != "#"
        ):
            continue
        if low in ("in",) and (reading.is_metric(phrase.last) or reading.cls(phrase.first) == "#"):
            continue
        if low == "on" and reading.is_metric(phrase.last) and not named:
            continue
        if any(d.place == phrase.first and d.kind != "amount" for d in drafts):
            continue
        text = _named(reading, phrase, context, shorten=True)
        if (
            text is None
            or reading.low(phrase.first) == head
            and head in (_GENERIC_HEADS | _SETTINGS)
        ):
            continue
        rank = 0 if low == "on" else 1 if named else 3 if low == "for" else 2
        cues.append(Cue(i, phrase.last, text, rank))
    return cues


# "trained on X", "the effect on X": what stands there is no place where a value holds.
_BEFORE_OTHER_ON: Final = (
    "train", "fine-tun", "finetun", "pretrain", "pre-train", "based", "rel", "depend", "focus", "operat",
    "condition", "buil", "impact", "effect", "influence", "emphasi", "bound", "learn", "inspired",
)  # fmt: skip
_EXAMPLES: Final = frozenset("including like namely e.g i.e".split())
_HEAD_OF_NAME: Final = frozenset(
    "benchmark benchmarks dataset datasets model models test set corpus data suite".split()
)


def _named(reading: Reading, phrase: Phrase, context: Context, shorten: bool) -> str | None:
    """The words of a phrase; of "the X benchmark" only the name."""
    first, last = phrase
    if shorten:
        k = last + 1
        if reading.low(k) in _EXAMPLES or (reading.low(k) == "such" and reading.low(k + 1) == "as"):
            k += 2 if reading.low(k) == "such" else 1
            if _capital(reading, k) and (examples := _chain(reading, k, of=False)):
                return reading.words(examples)
        for k in range(first + 1, last + 1):
            if reading.cls(k) == "#" and context.name_at(reading.tokens[first].start):
                last = k - 1
                break
        name = context.name_at(reading.tokens[first].start)
        end = last
        while end > first and reading.low(end) in _HEAD_OF_NAME:
            end -= 1
        if end < last:
            token = reading.tokens[end]
            written = reading.text[token.start : token.end]
            begin = reading.tokens[first]
            capital = any(c.isupper() for c in reading.text[begin.start : begin.end])
            if name or (capital and any(c.isupper() for c in written)):
                last = end
    return reading.words(Phrase(first, last)) or None


def _subject(
    reading: Reading, draft: Draft, drafts: Sequence[Draft], cues: Sequence[Cue]
) -> str | None:
    if not cues:
        return None
    following = [d.place for d in drafts if d.place > draft.place and d.kind != "amount"]
    next_place = following[0] if following else len(reading.tokens)
    group = next((d for d in reversed(drafts) if _chained(d, draft)), draft)
    start, end = _clause(reading, draft.place)
    cues = [c for c in cues if start <= c.token < end and (c.rank < 3 or draft.kind == "bound")]
    for last, limit in ((draft, next_place), (group, end)):
        near = sorted((c for c in cues if last.place < c.token < limit), key=lambda c: c.rank)
        near = [
            c
            for c in near
            if not any(reading.cls(k) == "V" for k in range(last.place + 1, c.token))
        ]
        near = [
            c
            for c in near
            if not any(
                d.place in range(last.place + 1, c.token) for d in drafts if d.kind != "amount"
            )
        ]
        if near:
            return near[0].text
    leading = [c for c in cues if c.token <= start + 1]
    if leading:
        return leading[-1].text
    before = [c for c in cues if c.token < draft.place]
    if before:
        best = min(c.rank for c in before)
        return [c for c in before if c.rank == best][-1].text
    return None


def _chained(last: Draft, first: Draft) -> bool:
    """Whether `last` continues `first`, over any number of members between."""
    step: Draft | None = last
    while step is not None:
        if step is first:
            return True
        step = step.follows
    return False


def _parenthesised(reading: Reading, measured: Sequence[Draft], cues: Sequence[Cue]) -> None:
    """ "GLM-OCR: 0.715" and "the baseline (0.704)": the word before is the subject."""
    for draft in measured:
        if draft.kind != "level":
            continue
        low = reading.low(draft.lead)
        before = draft.lead - 1
        if low == ":" and reading.cls(before) == "N" and not reading.is_metric(before):
            phrase = reading.phrase_ending(before)
            if phrase is not None:
                draft.subject = reading.words(phrase)
        if low == "(":
            cue = next((c for c in cues if c.last == before), None)
            if cue is not None:
                draft.subject, draft.baseline = cue.text, None


def _versus(reading: Reading, measured: Sequence[Draft]) -> None:
    """In "0.30 vs. 0.32 at full precision" the first is held against what the second is of."""
    for this, other in zip(measured, measured[1:], strict=False):
        between = reading.text[this.quantity.end : other.quantity.start]
        match = re.fullmatch(
            r"(?:\s(?:at|with|for|on|in)\s([\w-]+(?:\s[\w-]+)?))?,?\s\(?(?:vs\.?|versus|against|compared (?:to|with))\s",
            between,
        )
        if match is None or this.kind != "level":
            continue
        other.metric = this.metric
        this.baseline, this.subject = other.subject, match[1]


def _inherit(reading: Reading, drafts: Sequence[Draft], measured: Sequence[Draft]) -> None:
    """What coordinated measurements share: metric, baseline and qualifier forwards, subject both ways."""
    for draft in measured:
        parent = draft.follows
        if parent is None or parent.kind == "amount":
            continue
        own_noun = draft.comes_after or (draft.noun is not None and draft.quantity.unit)
        if draft.metric is None or not own_noun:
            draft.metric = (
                draft.metric if draft.metric and own_noun else parent.metric or draft.metric
            )
        if draft.baseline is None:
            draft.baseline = parent.baseline
        if draft.subject is None:
            draft.subject = parent.subject
        if (
            draft.qualifier is None
            and parent.qualifier in ("up to", "average", "about")
            and draft.kind == parent.kind
        ):
            draft.qualifier = parent.qualifier
    for n in range(len(measured) - 2, -1, -1):
        draft, following = measured[n], measured[n + 1]
        if draft.subject is None and following.kind != "bound" and draft.kind != "bound":
            between = reading.text[draft.quantity.end : following.quantity.start]
            if ";" not in between:
                draft.subject = following.subject
        if draft.metric is None and following.follows is draft:
            draft.metric = following.metric


def _respectively(reading: Reading, measured: Sequence[Draft], context: Context) -> None:
    """Pairs the values of a list with the items of another: "A and B ... 1% and 2%, respectively"."""
    said = any(t.low == "respectively" for t in reading.tokens)
    group = [measured[-1]]
    for draft in reversed(measured[:-1]):
        if group[0].follows is draft:
            group.insert(0, draft)
    if len(group) < 2:
        if not said:
            return
        for draft in reversed(measured[:-1]):
            if draft.kind == group[0].kind:
                group.insert(0, draft)
    for size in (len(group), len(group) // 2):
        if size < 2:
            continue
        items = _list_of(reading, size)
        if items is None:
            continue
        step = len(group) // size
        first = items[0]
        attribute = "subject"
        if all(reading.is_metric(p.last) for p in items):
            attribute = "metric"
        elif not said:
            continue
        elif any(
            reading.low(k) in BEATING or reading.low(k) in ("over", "than")
            for k in range(max(0, first.first - 6), first.first)
        ):
            attribute = "baseline"
        elif not all(context.name_at(reading.tokens[p.first].start) for p in items) and reading.low(
            first.first - 1
        ) not in ("on", "the", "for", "both"):
            continue
        for n, draft in enumerate(group[: size * step]):
            setattr(draft, attribute, _named(reading, items[n // step], context, shorten=True))
        return


def _list_of(reading: Reading, size: int) -> list[Phrase] | None:
    """A list of `size` noun phrases in the sentence: "A, B and C"."""
    for i, token in enumerate(reading.tokens):
        if token.low != "and":
            continue
        phrase = reading.phrase_from(i + 1)
        if phrase is None:
            continue
        items = [phrase]
        k = i - 1
        while len(items) < size:
            if reading.low(k) == ",":
                k -= 1
            before = reading.phrase_ending(k) if reading.cls(k) == "N" else None
            if before is None:
                break
            items.insert(0, before)
            k = before.first - 1
            if reading.low(k) not in (",", "and"):
                break
        if len(items) == size and not any(reading.cls(p.first) == "#" for p in items):
            last = items[-1]
            if last.last > last.first and reading.low(last.last) in CHANGE_NOUNS:
                items[-1] = Phrase(last.first, last.last - 1)
            return items
    return None


# --- whose amount -----------------------------------------------------------------------------


def _owner(reading: Reading, draft: Draft, context: Context) -> str | None:
    """The data set, benchmark or model that an amount is of, where it is that of something."""
    place = draft.place
    after = place + 1
    if draft.unit == "parameters" and draft.quantity.scale:
        return _model_of(reading, draft, context)
    if draft.unit == "bit" or draft.quantity.noun:
        phrase = reading.phrase_from(after + bool(draft.quantity.noun))
        if phrase is not None:
            if draft.quantity.noun:
                return context.name_at(reading.tokens[phrase.first].start)
            if _capital(reading, phrase.first):
                return reading.words(phrase)
        return None
    if draft.unit == "%":
        return _share_of(reading, after, context)
    if reading.cls(place - 1) == "N":
        for k in range(max(0, place - 4), place):
            if (name := context.name_at(reading.tokens[k].start)) and reading.tokens[k].start + len(
                name
            ) == reading.tokens[place - 1].end:
                return name
    held = False
    for i in range(place - 1, max(-1, place - 40), -1):
        low = reading.low(i)
        if low in CONTAINERS:
            held = True
        if low in _USES and reading.cls(i - 1) in "NR" and i >= draft.lead - 1:
            held = True
        if (
            low in ("of", ":", "with", "on")
            and held is False
            and reading.low(i - 1) in COLLECTIONS
            and i >= draft.lead - 1
        ):
            held = True
        if reading.low(i) in (
            "evaluate",
            "evaluated",
            "evaluating",
            "compare",
            "compared",
            "experiments",
        ):
            return None
        if (
            low in _MAKES
            and not held
            and (name := context.own)
            and reading.text.find(name, reading.tokens[i].end, draft.quantity.start) >= 0
        ):
            return name
        if held and (name := context.name_at(reading.tokens[i].start)):
            return name
        if (
            held
            and low in COLLECTIONS
            and reading.low(i - 1)
            in ("our", "this", "the", "final", "resulting", "challenging", "new")
        ):
            return context.own
    if held:
        return context.own
    return None


_USES: Final = frozenset("uses using requires needs".split())
_MAKES: Final = frozenset(
    "introduce introducing present presenting propose release releasing compile construct create build "
    "yields develop curate contribute".split()
)


def _share_of(reading: Reading, after: int, context: Context) -> str | None:
    """The name in "0.4% of SA-1B" and in "2% of the parameters on Llama"."""
    if reading.low(after) != "of":
        return None
    phrase = reading.phrase_from(after + 1)
    if phrase is None:
        return None
    if name := context.name_at(reading.tokens[phrase.first].start):
        return name
    if reading.low(phrase.last + 1) in ("on", "in", "of") and phrase.last + 2 < len(reading.tokens):
        return context.name_at(reading.tokens[phrase.last + 2].start)
    return None


def _model_of(reading: Reading, draft: Draft, context: Context) -> str | None:
    i = draft.place + 1
    if reading.low(i) == ")":
        before = reading.phrase_ending(draft.lead - 1)
        following = reading.phrase_from(i + 1)
        if following is not None and reading.low(following.last) in MODEL_LIKE:
            return reading.words(following)
        return reading.words(before) if before and reading.low(draft.lead) == "(" else None
    if reading.low(i) in ("parameter", "parameters"):
        i += 1
    phrase = reading.phrase_from(i)
    if phrase is None:
        for k in range(draft.place - 1, -1, -1):
            if name := context.name_at(reading.tokens[k].start):
                return name
        return None
    for k in range(phrase.first, phrase.last + 1):
        if name := context.name_at(reading.tokens[k].start):
            return name
    if reading.low(phrase.last) in MODEL_LIKE and reading.low(phrase.last) not in (
        "model",
        "models",
    ):
        return reading.words(phrase)
    return None
