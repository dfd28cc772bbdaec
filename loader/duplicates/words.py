"""Candidates to what is compared of them: words, marks of identity, citation.

In: strings as a source has them. Out: folded words (no case, accents, punctuation, section
labels, copyright tails), title words, surnames, first pages.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from loader.model import Candidate

# a text is compared up to here, or one abstract of 10 MB would cost minutes
MAX_CHARACTERS: Final = 20_000
MAX_TITLE: Final = 1_000

_MARKS = re.compile(r"[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_BEYOND = re.compile(r"[^\x00-\x7f]{1,100}")
_STOPS = {"©": "©", "。": ". ", "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"}
# scripts written without spaces: each character is a word
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_WORD = re.compile(r"[^\W_]+")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}

_LABEL_WORDS = (
    r"(?:background|objectives?|aims?|purpose|introduction|context|rationale|importance|setting"
    r"|design|methods?|methodology|patients|participants|interventions?|measurements?|results?"
    r"|findings|main results|main outcomes?(?: measures?)?|outcome measures?|outcomes?"
    r"|conclusions?|interpretation|discussion|significance|funding|summary|abstract"
    r"|trial registration|limitations?|unlabelled|methods and results|materials? and methods"
    r"|patients and methods|methods/results|background and aims?|aims? and objectives?"
    r"|(?:study )?(?:question|selection)|data (?:sources?|extraction|synthesis)"
    r"|methodology/principal findings|conclusions?/significance|background/aims?)"
)
# "Results: we", "RESULTS We", "Results We" at the start of a sentence; without a colon or
# capitals a capital must follow, or "Results show that" would lose its subject
_LABEL = re.compile(
    rf"(?:(?i:{_LABEL_WORDS})\s*:\s"
    r"|(?:BACKGROUND|OBJECTIVES?|AIMS?|PURPOSE|INTRODUCTION|METHODS?|RESULTS?|CONCLUSIONS?"
    r"|FINDINGS|INTERPRETATION|DISCUSSION|SUMMARY|ABSTRACT)\s*[.:]?\s"
    r"|(?:Background|Objectives?|Aims?|Purpose|Introduction|Methods?|Results?|Conclusions?"
    r"|Findings|Interpretation|Discussion|Summary|Abstract)[.]?\s(?=[A-Z]))"
)
_FIRST_WORD = re.compile(r"[A-Za-z]{3,16}")
_LABEL_STARTS = frozenset(
    re.findall(
        r"\w+",
        "background objective objectives aim aims purpose introduction context rationale importance"
        " setting design method methods methodology patients participants intervention"
        " interventions measurement measurements result results findings main outcome outcomes"
        " conclusion conclusions interpretation discussion significance funding summary abstract"
        " trial limitation limitations unlabelled material materials study question selection data",
    )
)
_LABEL_PLACE = re.compile(r"[.!?;)\]\n]\s+|\n")
_TAIL = re.compile(
    r"(?:©|\(c\)\s*(?:19|20)\d\d|\bcopyright\b|\ball rights reserved\b|\bpublished by\b"
    r"|\bcrown copyright\b)[^\n]{0,300}$",
    re.IGNORECASE,
)
_TAIL_WORDS = ("©", "(c)", "copyright", "rights reserved", "published by")
# "Ann Example Stud 2017;38:765-771." before or without a copyright line
_OWN_CITATION = re.compile(
    r"(?<=[.!?)\]])\s+[^.!?\n]{0,80}\b(?:19|20)\d\d\s*[;:,]\s*[\d:()–-]+(?:\s*[–-]\s*\d+)?\.?\s*$"
)
_PLACEHOLDER = re.compile(
    r"\b(?:no|not|without|withheld|unavailable|missing|n/a|removed|withdrawn|pending|none|empty"
    r"|see)\b",
    re.IGNORECASE,
)
_TITLE_NOTE = re.compile(
    r"(?:[\[(<]\s?(?:published\s+)?(?:erratum|corrigendum|correction|abstract|comment"
    r"|see comment|retraction|original|corrected|letter|editorial)\b.*|\b(?:LA|TO|OT):\s.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOTICE = re.compile(
    r"\W*(?:(?:author|publisher)s?['’]?s?\s+)?(erratum|errata|corrigend(?:um|a)|correction|addendum"
    r"|retraction|retracted|expression of concern|withdrawn|comments?|commentary|reply|response"
    r"|rejoinder|reaction|letter)\b\s*(?:[:\](]|to\b|on\b|of\b|regarding\b|for\b|$)",
    re.IGNORECASE,
)
_SMALL = frozenset(("the", "of", "and", "in", "for", "on", "de", "la", "et", "und", "der"))
_PAGE = re.compile(r"[a-z]*\d+", re.IGNORECASE)
_INITIALS = re.compile(r"^(?:[A-Z]\.?[\s-]*){1,4}$")


@lru_cache(4096)
def _folded(run: str) -> str:
    """A run of characters beyond ASCII without accents, ligatures and its own punctuation."""
    text = _CJK.sub(r" \1 ", _MARKS.sub("", unicodedata.normalize("NFKD", run)))
    return "".join(c if c.isalnum() or c < "\x80" else _STOPS.get(c, " ") for c in text)


def fold(text: str) -> str:
    """`text` without accents, ligatures, soft hyphens; case and ASCII punctuation stay."""
    if text.isascii():
        return text
    return _BEYOND.sub(lambda run: _folded(run[0]), text)


def split(folded: str) -> list[str]:
    """The words of a folded text, in their own case."""
    # three times as fast as the pattern, and the same
    if folded.isascii():
        return folded.translate(_BLANKS).split()
    return _WORD.findall(folded)


def words(text: str) -> list[str]:
    """The words of `text`, folded and without case, in order."""
    return split(fold(text).casefold())


def body(plain: str) -> str:
    """The part of an abstract that is compared: no section labels, no copyright tail."""
    text = fold(plain[:MAX_CHARACTERS])
    kept: list[str] = []
    done = 0
    for place in (0, *[sentence.end() for sentence in _LABEL_PLACE.finditer(text)]):
        head = _FIRST_WORD.match(text, place)
        if not head or head[0].casefold() not in _LABEL_STARTS:
            continue
        label = _LABEL.match(text, place)
        if label and place >= done:
            kept += (text[done:place], " ")
            done = label.end()
    if kept:
        text = "".join(kept) + text[done:]
    # only the last third can be a tail; what is cut must follow a finished sentence
    window = max(2 * len(text) // 3, len(text) - 400)
    end = text[window:].casefold()
    if any(word in end for word in _TAIL_WORDS):
        tail = _TAIL.search(text, window)
        if tail and text[: tail.start()].rstrip()[-1:] in tuple(".!?)]"):
            text = text[: tail.start()]
    if text.rstrip()[-2:].strip(".)").isdigit():
        cited = _OWN_CITATION.search(text, max(window, len(text) - 120))
        text = text[: cited.start()] if cited else text
    return text


def is_placeholder(plain: str, count: int) -> bool:
    """Does a text of `count` words say only that there is no abstract?"""
    if count >= 30:
        return False
    folded = plain.casefold()
    return ("abstract" in folded or "summary" in folded) and bool(_PLACEHOLDER.search(plain))


def title_words(title: str | None) -> list[str]:
    """The words of a title without notes such as "[Erratum appears in ...]"."""
    if not title:
        return []
    title = title[:MAX_TITLE]
    return words(_TITLE_NOTE.sub("", title)) or words(title)


def title_key(title: str | None) -> str:
    """A title as it is compared: "" without one."""
    return " ".join(title_words(title))


def notice(text: str | None) -> str:
    """What a title or text announces itself as: "erratum", "comment" ... or ""."""
    found = _NOTICE.match(text[:200]) if text else None
    return found[1].casefold() if found else ""


def first_page(pages: str | None) -> str:
    """The first page, as "280" of "280-4" or "e201" of "E201", without leading zeros."""
    found = _PAGE.search(pages or "")
    return found[0].casefold().lstrip("0") if found else ""


def citation(candidate: Candidate) -> tuple[str, str, str] | None:
    """Year, volume and first page, where an entry states all three."""
    page = first_page(candidate.pages)
    volume = "".join(words(candidate.volume or ""))
    if candidate.year and volume and page:
        return str(candidate.year), volume, page
    return None


def same_venue(one: str | None, other: str | None) -> bool | None:
    """Are two venues one, in full or abbreviated? None where that cannot be told.

    "J. Hosp. Infect." is the Journal of Hospital Infection, "BMJ" the British Medical Journal.
    """
    names = [[w for w in words(name or "") if w not in _SMALL] for name in (one, other)]
    short, long = sorted(names, key=len)
    if not short:
        return None
    if all(a.startswith(b) or b.startswith(a) for a, b in zip(short, long, strict=False)):
        return True
    if short[0] == "".join(word[0] for word in long):
        return True
    # a name in another language, a series or a publisher put before it
    return None if set(short) & set(long) or len(long) > 4 else False


def surnames(authors: tuple[str, ...]) -> tuple[str, ...]:
    """The surnames of authors written "Doe, J.", "Doe J", "J. Doe" or "Jane Doe", folded."""
    found = []
    for author in authors:
        family, comma, _ = author.partition(",")
        if not comma:
            names = author.split()
            while len(names) > 1 and _INITIALS.match(names[-1]):
                names.pop()
            family = names[-1] if names else ""
        folded = "".join(words(family))
        if folded and folded not in ("etal", "al", "others"):
            found.append(folded)
    return tuple(found)
