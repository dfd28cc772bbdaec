"""Candidates: the stretches of an abstract that have the form of a name.

In: the plain text. Out: `Candidate`s in the order of the text: known names, tokens with an
unusual spelling (`RoWer`, `Tide-Large`, `TPO`), and capitalised phrases within a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from loader.model import MentionKind
from loader.names.cues import HEADS
from loader.names.lexicon import Known, Lexicon
from loader.names.shapes import AFFIX, CAPITAL, ODD, shape
from loader.symbols import words as listed

Form = Literal["known", "technique", "odd", "phrase", "word", "field"]


class Candidate(NamedTuple):
    """A stretch of the plain text that may be a name."""

    name: str
    start: int
    end: int
    form: Form
    kind: MentionKind | None = None  # where it is known
    affix: bool = False  # "LSTM-based": only the front of a compound


# from the first capital or digit of a token on; what stands before it is added by `_tokens`
_TOKEN: Final = re.compile(r"[A-ZΑ-Ω\d][\w.+#*’'&^@·×‑-]*")
_LONGEST: Final = 80  # characters of a token
_GLUED: Final = re.compile(r"\.[A-Z][a-z]")  # a sentence ends and the next begins without a space
_JOINS: Final = frozenset("-‑.’'^@·×+")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.|github\.com/|huggingface\.co/)[^\s)\]}>]+")
_NEXT: Final = re.compile(r"[^\W_](?:[\w+#*’'&^@·×‑-]|\.(?=\d|[a-z]\w))*(?<=[\w+#*])|[’']\d\d\b")
_VERSION: Final = re.compile(
    r"-(?:19|20)\d\d(?!\w)| (?:v?\d{1,2}(?:\.\d+)?(?:[BMk](?:-\w+)?)?|20\d\d|[’']\d\d"
    r"|Sonnet|Opus|Haiku|Pro|Flash|Mini|Turbo|Instruct|Large|Kontext)(?![\w.]\w)"
    r"(?!\w| ?[%×]| points?\b)"
)
_POINT: Final = re.compile(r"\.\d+(?!\w)")
_YEAR: Final = re.compile(r" (?:20\d\d|[’']\d\d|v?\d\.\d(?![\d%]|\.\d| (?:%|points?|times)))\b")
_TITLE: Final = re.compile(r" (?:[a-z]+ )?[A-Z][A-Za-z]{2,}")
_TITLE_NEXT: Final = re.compile(r" ([A-Z][a-z]{2,}(?:-[a-z]+)?)\b(?! [A-Z])")
_GLUE: Final = frozenset(["of", "for", "the", "to", "via", "then"])
# techniques that are models
_MODELS: Final = tuple(
    ending + plural
    for ending in (
        "model",
        "network",
        "net",
        "machine",
        "forest",
        "encoder",
        "transformer",
        "field",
    )
    for plural in ("", "s")
)
_NO_NAME: Final = listed(
    "A After All Although An And As At Both But By Code Despite Due During Each Even "
    "Extensive Existing Figure Finally First For From Further Given Here How However I If "
    "Importantly In It Its Key Many Moreover More Most No Notably Of On Once One Our Prior "
    "Recent Results Second See Section Since So Some Specifically Such Surprisingly Table "
    "That The Their Then There These They Third This Those Through Thus To Today Together Two "
    "Under Unlike Using We What When Where Whereas Whether Which While Why With Without Yet"
)


def find(plain: str, lexicon: Lexicon, starts: frozenset[int]) -> list[Candidate]:
    """All candidates, none overlapping another. `starts`: where the sentences start."""
    found: list[Candidate] = []
    names, fields = lexicon.names, lexicon.fields
    phrases = _techniques(plain, lexicon)
    phrases.append((len(plain), len(plain)))
    linked = "www." in plain or (
        "/" in plain and ("://" in plain or ".com/" in plain or ".co/" in plain)
    )
    addresses = [m.span() for m in _ADDRESS.finditer(plain)] if linked else []
    addresses.append((len(plain), len(plain)))
    behind, next_phrase, next_address = 0, 0, 0
    for start, end in _tokens(plain):
        while addresses[next_address][1] <= start:
            next_address += 1
        if start >= addresses[next_address][0]:
            continue
        while phrases[next_phrase][1] <= start:
            next_phrase += 1
        if start < behind or start >= phrases[next_phrase][0]:
            continue
        word = plain[start:end]
        if word in _NO_NAME and (len(word) < 4 or start in starts):
            continue
        options = names.get(word)
        if options and (used := _known(plain, end, options)):
            behind = _versions(plain, used[0])
            found.append(Candidate(plain[start:behind], start, behind, "known", used[1]))
        elif word[1:].islower() and word.isalpha() and word[0].isupper() and word not in fields:
            # nothing unusual, as most tokens
            behind = _phrase(plain, start, end, starts, found)
        else:
            behind = _unknown(plain, start, end, starts, found)
    covered = [(c.start, c.end) for c in found] if len(phrases) > 1 else []
    for start, end in phrases[:-1]:
        at = bisect_right(covered, (start, len(plain))) - 1
        if at >= 0 and covered[at][1] > start:
            continue
        phrase = plain[start:end].lower().replace("-", " ")
        kind = lexicon.small.get(phrase, "model" if phrase.endswith(_MODELS) else "method")
        found.append(Candidate(plain[start:end], start, end, "technique", kind))
    return found


def _tokens(plain: str) -> Iterator[tuple[int, int]]:
    """Where the tokens are that have a capital or a digit in them."""
    behind = 0
    for token in _TOKEN.finditer(plain):
        start, end = token.span()
        if start < behind:
            continue
        if start > behind and plain[start - 1] not in " (":
            while start > behind and ((c := plain[start - 1]).isalnum() or c in _JOINS):
                start -= 1
            while not plain[start].isalnum():
                start += 1
        text = token[0]
        if "." in text and (glued := _GLUED.search(text)):
            end = token.start() + glued.start()
        while plain[end - 1] in ".-‑’'&^@·×":
            end -= 1
        behind = end
        if end - start <= _LONGEST:
            yield start, end


def _techniques(plain: str, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where the names in small letters stand."""
    found: list[tuple[int, int]] = []
    small = plain.lower()
    if len(small) != len(plain):  # so with a few rare letters, and then places would be wrong
        return found
    small = f" {small}"
    search, at = lexicon.techniques.search, 0
    while match := search(small, at):
        start, at = match.span()
        if small[start].isalnum():
            at = start + 1  # within a word
        else:
            found.append((start, at - 1))
    return found


def _known(plain: str, end: int, options: Sequence[Known]) -> tuple[int, MentionKind] | None:
    """Where the longest known name ends whose first word ends at `end`, and its kind."""
    for known in options:
        if plain.startswith(known.rest, end):
            stop = end + len(known.rest)
            if not known.rest or stop == len(plain) or not plain[stop].isalnum():
                return stop, known.kind
    return None


def _versions(plain: str, end: int) -> int:
    """Where the versions and years behind a name end: `AIME 2025`, `Llama 3 8B`, `v2` `.0`."""
    if plain.startswith(".", end) and plain[end - 1].isdigit():
        point = _POINT.match(plain, end)
        end = point.end() if point else end
    while _dated(plain, end) and (version := _VERSION.match(plain, end)):
        end = version.end()
    return end


def _dated(plain: str, end: int) -> bool:
    """Whether a version or a year may stand behind: a hyphen, or a space and no small word."""
    if plain.startswith(" ", end):
        return not plain[end + 1 : end + 2].islower() or plain.startswith("v", end + 1)
    return plain.startswith("-", end)


def _unknown(
    plain: str, start: int, end: int, starts: frozenset[int], found: list[Candidate]
) -> int:
    """Adds what a token that is no known name may be; where to read on."""
    what, name, length, kind, affix, titled = shape(plain[start:end])
    behind, end = end, start + length
    if what == "number":
        if start and plain[start - 1] in "/’'":
            _again(plain, start, end, found)
    elif what == "field":
        found.append(Candidate(name, start, end, "field", None, affix))
    elif what == "known":
        found.append(Candidate(name, start, end, "known", kind, affix))
    elif what == "odd" and not (titled and _TITLE.match(plain, end)):
        if kind or (length > 2 and _dated(plain, end) and _YEAR.match(plain, end)):
            stop = _versions(plain, end)
            if stop > end:
                name, end = plain[start:stop], stop
        elif (
            not affix
            and plain[end + 1 : end + 2].isupper()
            and (more := _TITLE_NEXT.match(plain, end))
            and more[1].lower() not in HEADS
        ):
            name, end = plain[start : more.end()], more.end()
        found.append(Candidate(name, start, end, "known" if kind else "odd", kind, affix))
        return max(end, behind)
    elif what != "none" and not affix:
        return _phrase(plain, start, end, starts, found)
    return behind


def _again(plain: str, start: int, end: int, found: list[Candidate]) -> None:
    """`CIFAR-10/100` and `Brain-to-Text ’24 and ’25`: the second name is a number only."""
    if found and start - found[-1].end < 7:
        last = found[-1]
        front = last.name.rstrip("0123456789")
        if front and front != last.name:
            name = front + plain[start:end]
            found.append(last._replace(name=name, start=start, end=end))


def _phrase(
    plain: str, start: int, end: int, starts: frozenset[int], found: list[Candidate]
) -> int:
    """A capitalised phrase, `Local Learning Coefficient`, or a capitalised word in a sentence."""
    text = plain[start:end]
    first = start in starts or start == 0
    if text in _NO_NAME and (first or len(text) < 4):
        return end
    if first and text.endswith(("ed", "ing")) and plain.startswith((" to ", " of ", " for "), end):
        return end  # "Compared to KIVI"
    behind, words, glue = end, 1, 0
    while words + glue < 9 and plain.startswith(" ", behind):
        word = _NEXT.match(plain, behind + (3 if plain.startswith(" & ", behind) else 1))
        if word is None:
            break
        written = word[0]
        if written.islower():
            if written not in _GLUE or glue == 3:
                break
            glue += 1
            behind = word.end()
        elif CAPITAL.fullmatch(written) or (written.isalpha() and ODD.search(written)):
            words += 1
            end = behind = word.end()
        else:
            break
    if words > 1:
        text = plain[start:end]
        affix = AFFIX.search(text) if "-" in text else None
        found.append(Candidate(text, start, end, "phrase", None, affix is not None))
    elif not first and not plain.startswith(("-", "–"), end):
        found.append(Candidate(text, start, end, "word"))
    return end
