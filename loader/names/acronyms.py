"""Acronyms: short forms with the long forms that the abstract ties them to.

In: the plain text, where its sentences start, and where letters are set bold to spell a name.
Out: `Definition`s, the pairs with the place of each form.

A short form is tied to a long form by brackets, in either order ("supervised fine-tuning (SFT)",
"RAPPO (Reliable Alignment ...)"), or by a comma, a dash or a word such as "dubbed". Whether the two
belong together is decided by how cheaply the letters of the short form are found in the words of
the long one, read from the right: an initial costs nothing, further letters of a word a little,
a word left out more. Plain initials are tried first. This follows Schwartz and Hearst (2003) and
the ordered strategies of Ab3P (Sohn et al., 2008), as one cost in place of seventeen strategies.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from loader.model import Span
from loader.symbols import words as listed


class Definition(NamedTuple):
    """A short form and its long form, singular, with where each stands in the plain text."""

    short: str
    long: str
    short_span: Span
    long_span: Span


class _Part(NamedTuple):
    """A run of letters or digits of a long form: folded, its capitals, where it stands."""

    word: str
    raw: str
    start: int
    end: int
    inner: bool  # follows a hyphen or slash


_quickly: Final = tuple.__new__  # makes a NamedTuple without the checks of its own __new__

_ROUND: Final = re.compile(r"\(([^()]{1,160})\)")
_SQUARE: Final = re.compile(r"\[([^\[\]]{1,160})\]")
_PART: Final = re.compile(r"[^\W_]+(?:['’](?=s\b)s)?")
# "2,6-", "alpha-", "N-" in front of the word that the short form begins with
_PREFIX: Final = re.compile(
    r"(?<![\w-])(?:(?:\d[\d,'’]*|[A-Za-z]|alpha|beta|gamma|delta)[-‐,'’]+)+$"
)
_LEAD: Final = re.compile(
    r"(?:(?:i\.e\.|abbr\.|abbreviated(?: as| to)?|also known as|aka|called|coined|denoted(?: as| "
    r"by)?"
    r"|dubbed|hereafter|henceforth|namely|or|short|referred to as|termed|the|named|our)[,:]?\s+)+"
)
_TAIL: Final = re.compile(r"\s+(?:for short|hereafter|henceforth)$")
# a token with two capitals, from the first of them on
_CAPITALS: Final = re.compile(r"[A-Z][a-z0-9+.&-]*[A-Z][\w+&-]*")
_MARKS: Final = (", ", ": ", "; ", " – ", " — ", "—", " -- ", " - ")
_NAMING: Final = tuple(
    f"{word} "
    for word in (
        "abbr.",
        "abbreviated",
        "as",
        "by",
        "called",
        "coined",
        "dubbed",
        "i.e.,",
        "named",
        "namely",
        "or",
        "short",
        "termed",
        "to",
    )
)
_MARKS_NAMING: Final = _MARKS + _NAMING
# quicker tests for them
_LAST_TWO: Final = frozenset(sign[-2:] for sign in _MARKS_NAMING)
_FIRST_TWO: Final = frozenset(sign[:2] for sign in _MARKS)
_LINK: Final = re.compile(
    r"(?:,|:|;| [–—-]| --|—|\s)\s*(?:(?:abbreviated(?: as| to)?|abbr\.|called|coined|denoted(?: "
    r"as| by)?|dubbed|i\.e\.,?|named(?:ly)?|or|short|termed)\s+)?$"
)
_LINK_BEHIND: Final = re.compile(
    r"(?:,|:|;| [–—-]| --|—)\s*(?:i\.e\.,?\s+|short for\s+|namely,?\s+|which stands for\s+)?(?=\w)"
)
_GENERIC: Final = (
    "approach", "method", "framework", "algorithm", "technique", "strategy", "paradigm",
)  # fmt: skip
_GENERIC_TAIL: Final = re.compile(rf"\s+({'|'.join(_GENERIC)})\s*$")
# list marks, values with a unit, things that end in a sign
_NO_SHORT: Final = re.compile(r"[ivx]+|[\d.]+ .*|.*[^\w)]")
_UNEVEN: Final = frozenset("()[]")
_UNENDED: Final = frozenset(["and", "or", "of", "the", "to"])
_SMALL: Final = listed(
    "a an and as at by de for from in into is its la of on or over per the through to towards "
    "toward under using via with within without"
)
# behind these the head noun of a long form is over
HEAD_ENDS: Final = listed("of for with from between in on to via by through over under")
_DIGIT_WORDS: Final = {
    "1": ("one", "first", "single", "uni", "mono", "i"),
    "2": ("to", "two", "second", "double", "bi", "ii", "di"),
    "3": ("three", "third", "triple", "tri", "iii"),
    "4": ("for", "four", "fourth", "iv"),
    "5": ("five",),
    "6": ("six",),
    "7": ("seven",),
    "8": ("eight",),
}
_GREEK: Final = str.maketrans("αβγδεκλμπσθω", "abgdeklmpsto")
_LONGEST: Final = 20  # letters of a short form

# What it costs to find letters of a short form in a word, or to leave a word out.
_NEXT, _CAPITAL, _INNER, _NO_INITIAL = 0.12, 0.15, 0.35, 0.85
_SKIP_SMALL, _SKIP_INNER, _SKIP, _SMALL_INITIAL = 0.12, 0.6, 0.9, 0.15
_BUDGET, _STRICT = 0.6, 0.12  # allowed cost a letter


def find(plain: str, sentences: Sequence[Span]) -> list[Definition]:
    """All definitions in `plain`, in the order of the text, one a pair of forms."""
    starts = [span.start for span in sentences]
    found: dict[tuple[str, str], Definition] = {}
    for definition in _definitions(plain, starts):
        found.setdefault((definition.short.casefold(), definition.long.casefold()), definition)
    return sorted(found.values(), key=lambda d: (min(d.short_span.start, d.long_span.start), d))


@lru_cache(maxsize=4096)
def is_short(form: str) -> bool:
    """Whether `form` looks like a short form: 2 to 20 letters and digits, a capital or a digit
    among them (or a lower-case form of at most 5), at most two words."""
    if not 2 <= len(form) <= 24 or not (form[0].isalnum()):
        return False
    if form.count(" ") > 1 or _NO_SHORT.fullmatch(form):
        return False
    if sum(map(str.isalnum, form)) > _LONGEST or not any(map(str.isalpha, form)):
        return False
    small = form.lower()
    if small != form:
        return form[1:] != small[1:] or len(form) <= 6 or "-" in form
    return len(form) <= 5 and " " not in form


def align(short: str, parts: Sequence[_Part], budget: float, whole: bool = False) -> int | None:
    """The index of the part at which the long form of `short` begins, or None.

    `parts` are the words before (or in) a bracket; the last of them stands next to it.
    `whole`: the long form must begin at the first part.
    """
    letters = "".join(c for c in short.casefold().translate(_GREEK) if c.isalnum())
    if not letters or not parts:
        return None
    start = _initials(letters, parts)
    if start is not None and (not whole or start == 0):
        return start
    if not _in_order(letters, " ".join([part.word for part in parts])):
        return None
    for spelled in _spellings(letters):
        start = _cheapest(spelled, parts, budget * len(spelled), whole)
        if start is not None:
            return start
    return None


def _in_order(letters: str, text: str) -> bool:
    """Whether the letters stand in `text` in their order: a quick test before the closer one.
    Digits are left out, since words may spell them."""
    at = len(text)
    for c in reversed(letters):
        if c.isalpha():
            at = text.rfind(c, 0, at)
            if at < 0:
                return False
    return True


def singular(word: str) -> str:
    """The last word of `word` in the singular, where it is a regular English plural."""
    if word.endswith(("ss", "us", "is", "ics")) or not word.endswith("s") or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def _definitions(plain: str, starts: Sequence[int]) -> Iterator[Definition]:
    brackets = list(_ROUND.finditer(plain))
    if "[" in plain:
        brackets += _SQUARE.finditer(plain)
    for bracket in brackets:
        inside, at = bracket[1], bracket.start(1)
        definition = _short_inside(plain, starts, bracket.start(), inside, at)
        if definition is None and (" " in inside or "-" in inside):
            definition = _long_inside(plain, bracket.start(), inside, at)
        if definition is not None:
            yield definition
    for token in _CAPITALS.finditer(plain):
        start, end = token.span()
        near = plain[start - 2 : start]
        if (near in _LAST_TWO or near[-1:] == "—") and plain.endswith(_MARKS_NAMING, 0, start):
            definition = _before(plain, starts, start, end)
            if definition is not None:
                yield definition
        near = plain[end : end + 2]
        if (near in _FIRST_TWO or near[:1] == "—") and plain.startswith(_MARKS, end):
            while start > 0 and (plain[start - 1].isalnum() or plain[start - 1] in "-^"):
                start -= 1
            definition = _behind(plain, start, end)
            if definition is not None:
                yield definition


def _short_inside(
    plain: str, starts: Sequence[int], opens: int, inside: str, at: int
) -> Definition | None:
    """`large language models (LLMs)`."""
    first, form = 0, inside
    if not inside.isalnum():
        lead = _LEAD.match(inside)
        first = lead.end() if lead else 0
        stop = len(inside)
        for mark in ",;=":
            cut = inside.find(mark, first)
            stop = cut if 0 <= cut < stop else stop
        raw = inside[first:stop]
        tail = _TAIL.search(raw)
        form = (raw[: tail.start()] if tail else raw).strip(" \"'“”‘’*_`$")
    if not is_short(form):
        return _one_letter(plain, opens, form, at) if form == inside else None
    plural = len(form) > 2 and form[-1] == "s" and not form[-2].islower()
    short = form[:-1].rstrip("'’") if plural else form
    window = _window(starts, opens, short)
    where = at + inside.find(form, first)
    span = Span(where, where + len(form))
    start = _plain_initials(plain, window, opens, short.lower())
    if start is not None:
        return _pair(plain, short, span, start, opens)
    parts = _parts(plain, window, opens)
    begin = align(short, parts, _BUDGET)
    if begin is None and plural:
        short = form
        begin = align(short, parts, _BUDGET)
    return None if begin is None else _pair(plain, short, span, parts[begin].start, opens)


def _plain_initials(plain: str, window: int, opens: int, letters: str) -> int | None:
    """Where the words begin whose initials are just `letters`; most long forms are found so."""
    if not letters.isalpha():
        return None
    wanted = len(letters)
    words = _PART.findall(plain, max(window, opens - 12 * wanted), opens)  # mostly enough
    if len(words) <= wanted:
        words = _PART.findall(plain, window, opens)
        if len(words) < wanted:
            return None
    for at in range(-1, -wanted - 1, -1):
        if words[at][0].lower() != letters[at]:
            return None
    start = opens
    for word in words[: -wanted - 1 : -1]:
        start = plain.rfind(word, window, start)
    return start


def _one_letter(plain: str, opens: int, form: str, at: int) -> Definition | None:
    """`progesterone (P)`, but not `(A) first`."""
    if len(form) != 1 or not form.isupper():
        return None
    word = re.search(r"(?<![\w-])[a-z]{5,}\s?$", plain[max(0, opens - 30) : opens])
    if word is None or word[0][0] != form.casefold():
        return None
    start = max(0, opens - 30) + word.start()
    return _pair(plain, form, Span(at, at + 1), start, opens)


def _long_inside(plain: str, opens: int, inside: str, at: int) -> Definition | None:
    """`RAPPO (Reliable Alignment for Preference Policy Optimization)`."""
    stop = opens - plain.startswith(" ", opens - 1)
    form = plain[plain.rfind(" ", max(0, stop - 32), stop) + 1 : stop].strip("\"'“”‘’*_`$()[]")
    if len(form) < 2 or not is_short(form) or not any(c.isupper() for c in form):
        return None
    plural = len(form) > 2 and form[-1] == "s" and form[-2].isupper()
    short = form[:-1] if plural else form
    lead = _LEAD.match(inside)
    first = lead.end() if lead else 0
    ends = {len(inside)} | {cut for mark in ";," if (cut := inside.find(mark, first)) > 0}
    for end in sorted(ends, reverse=True):
        parts = _parts(plain, at + first, at + end)
        if len(parts) < 2 and len(inside) < 2 * len(short):
            continue
        # capitals throughout: nothing but a long form
        capitals = len(parts) > 2 and all(
            p.raw[0].isupper() or p.word in _SMALL or p.inner for p in parts
        )
        # capitals that spell the short form: "ROWED (ROw, Wait and End Docked)"
        spelled = "".join(filter(str.isupper, inside[first:end])).casefold() == short.casefold()
        spelled = spelled and end == min(ends)  # what follows a comma is left out if it can be
        share = 0.85 if capitals else _BUDGET * 0.6
        if spelled or align(short, parts, share, whole=True) == 0:
            where = plain.rfind(form, 0, opens)
            return _pair(
                plain, short, Span(where, where + len(form)), parts[0].start, parts[-1].end
            )
    return None


def _before(plain: str, starts: Sequence[int], start: int, end: int) -> Definition | None:
    """`tidal distillation, coined TiD`: the long form in front of a comma and the short form."""
    short = plain[start:end].rstrip(".")
    if len(short) < 3:
        return None
    last = plain[max(0, start - 2 - 24) : start - 2].rsplit(" ", 1)[-1]
    if short[-1].lower() not in last.lower() and plain.endswith(_MARKS, 0, start):
        return None  # the word in front of the mark has no part in it
    link = _LINK.search(plain, max(0, start - 24), start)
    if link is None or (link[0].isspace()):
        return None
    window = _window(starts, link.start(), short)
    parts = _parts(plain, window, link.start())
    begin = align(short, parts, _STRICT)
    if begin is None or len(parts) - begin < 2:
        return None
    return _pair(plain, short, Span(start, start + len(short)), parts[begin].start, link.start())


def _behind(plain: str, start: int, end: int) -> Definition | None:
    """`TAB, Tidal Anchor Balancing`, `TiCoP, a Tide Controlled Pre-training framework`."""
    short = plain[start:end]
    link = _LINK_BEHIND.match(plain, end)
    if link is None or len(short) < 3 or not is_short(short):
        return None
    first = plain[link.end()]
    if (
        first.isascii()
        and first.casefold() != short[0].casefold()
        and not plain.startswith(("a ", "an ", "the "), link.end())
    ):
        return None  # its first word cannot be that of a long form
    parts = _parts(plain, link.end(), min(len(plain), link.end() + 20 * len(short)))
    if len(parts) > 2 and parts[0].raw in ("a", "an", "the"):
        titled = parts[1:]
        small = (
            i
            for i, p in enumerate(titled)
            if p.raw.islower() and not p.inner and p.word not in _SMALL
        )
        titled = titled[: next(small, 0)]
        if len(titled) < 2 or align(short, titled, 0.25, whole=True) != 0:
            return None
        return _pair(plain, short, Span(start, end), titled[0].start, titled[-1].end)
    count = _initials_forward(short.casefold(), parts)
    if count is None:
        return None
    return _pair(plain, short, Span(start, end), parts[0].start, parts[count - 1].end)


def _pair(plain: str, short: str, short_span: Span, start: int, end: int) -> Definition | None:
    # a long form does not begin within a compound
    while start > 1 and plain[start - 1] in "-‐" and plain[start - 2].isalpha():
        if plain[max(0, start - 4) : start - 1].casefold() == "non":
            break
        start -= 2
        while start > 0 and plain[start - 1].isalpha():
            start -= 1
    if start > 0 and plain[start - 1] in "-‐,'’":
        prefix = _PREFIX.search(plain, max(0, start - 30), start)
        start = prefix.start() if prefix else start
    while plain[start:end].rstrip().endswith(_GENERIC):
        tail = _GENERIC_TAIL.search(plain, start, end)
        if tail is None or tail[1][0] == short[-1].casefold():
            break
        end = tail.start()
    long = plain[start:end].rstrip(" \"'“”‘’*_`$,:;-–—")
    end = start + len(long)
    if len(long) <= len(short) + 1 or short.casefold() == long.casefold():
        return None
    words = long.split()
    if short.casefold() in map(str.casefold, words) or not _UNEVEN.isdisjoint(long):
        return None
    if len(words) > 1 and words[-1] in _UNENDED:
        return None
    return Definition(short, _singular_form(words), short_span, Span(start, end))


def _singular_form(words: Sequence[str]) -> str:
    """The long form in the singular, but for "Mixture of Experts" and "labels for boats", whose
    plural is not that of the head noun."""
    long = " ".join(words)
    if not HEAD_ENDS.isdisjoint(map(str.casefold, words[1:-1])):
        return long
    last = words[-1].casefold()
    if "-" in last and any(f"-{word}-" in last for word in HEAD_ENDS):
        return long
    return singular(long)


def _window(starts: Sequence[int], end: int, short: str) -> int:
    """Where the words start among which the long form of `short` is looked for."""
    sentence = bisect_right(starts, end) - 1
    floor = starts[sentence] if sentence >= 0 else 0
    words = min(len(short) + 5, 2 * len(short))
    return max(floor, end - 9 * words - 40)


def _parts(plain: str, start: int, end: int) -> list[_Part]:
    parts = []
    for match in _PART.finditer(plain, start, end):
        first, last = match.span()
        raw = match[0]
        word = raw.casefold()
        word = word if word.isascii() else word.translate(_GREEK)
        inner = first > 0 and plain[first - 1] in "-/‐‑–"
        parts.append(_quickly(_Part, (word, raw, first, last, inner)))
    return parts


def _initials(letters: str, parts: Sequence[_Part]) -> int | None:
    """Where the words begin whose initials are `letters`, small words left out if need be."""
    wanted, at = len(letters) - 1, len(parts) - 1
    while at >= 0:
        part = parts[at]
        if part.word[0] == letters[wanted] or _spells(letters[wanted], part.word):
            if wanted == 0:
                return at
            wanted -= 1
        elif part.word not in _SMALL:
            return None
        at -= 1
    return None


def _initials_forward(letters: str, parts: Sequence[_Part]) -> int | None:
    """How many parts from the first on are spelled by the initials `letters`."""
    wanted = 0
    for count, part in enumerate(parts, 1):
        if part.word[0] == letters[wanted]:
            wanted += 1
            if wanted == len(letters):
                return count
        elif part.word not in _SMALL or wanted == 0:
            return None
    return None


def _spells(digit: str, word: str) -> bool:
    return digit.isdigit() and word in _DIGIT_WORDS.get(digit, ())


def _spellings(letters: str) -> Iterator[str]:
    """`a3c` as it stands and as `aaac`."""
    yield letters
    for at, c in enumerate(letters):
        if c in "234" and at > 0 and letters[at - 1].isalpha():
            yield letters[:at] + letters[at - 1] * (int(c) - 1) + letters[at + 1 :]
            return
        if c in "234" and at == 0 and len(letters) > 1:
            yield letters[1] * (int(c) - 1) + letters[1:]
            return


def _cheapest(letters: str, parts: Sequence[_Part], budget: float, whole: bool) -> int | None:
    """The part at which the cheapest long form of `letters` begins, if within `budget`.

    Reads the parts from the right; `open_` maps how many letters are still wanted to the least
    cost of having found the others.
    """
    open_: dict[int, float] = {len(letters): 0.0}
    best: int | None = None
    least = budget
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        skip = _SKIP_INNER if part.inner else _SKIP
        skip = _SKIP_SMALL if part.word in _SMALL else skip
        following: dict[int, float] = {}
        for wanted, cost in open_.items():
            if cost + skip <= least and cost + skip < following.get(wanted, 99.0):
                following[wanted] = cost + skip
            for taken, price in _takes(letters, wanted, part):
                left = wanted - taken
                total = cost + price
                if left == 0:
                    initial = part.word[0] == letters[0] or _spells(letters[0], part.word)
                    if initial and total < least - 1e-9 and (not whole or at == 0):
                        best, least = at, total
                elif total <= least and total < following.get(left, 99.0):
                    following[left] = total
        open_ = following
        if not open_:
            break
    return best


def _takes(letters: str, wanted: int, part: _Part) -> Iterator[tuple[int, float]]:
    """How many of the wanted letters, from the last, `part` can hold, each with its price."""
    word, raw = part.word, part.raw
    if _spells(letters[wanted - 1], word):
        yield 1, 0.0
    for taken in range(1, min(wanted, len(word)) + 1):
        chunk = letters[wanted - taken : wanted]
        if chunk[-1] not in word:
            break
        price, place = 0.0, 0
        if chunk[0] == word[0]:
            price, place = (_SMALL_INITIAL if word in _SMALL else 0.0), 1
            rest = chunk[1:]
        else:
            price, rest = _NO_INITIAL, chunk
            if len(raw) == len(word) and (at := word.find(chunk[0], 1)) > 0 and raw[at].isupper():
                price = 0.1
        for c in rest:
            at = word.find(c, place)
            if at < 0:
                break
            if at == place and place > 0:
                price += _NEXT
            elif len(raw) == len(word) and raw[at].isupper() and not raw.isupper():
                price += _CAPITAL
            else:
                price += _INNER
            place = at + 1
        else:
            yield taken, price
