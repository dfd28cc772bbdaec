"""Two entries to what the pair alone suggests: duplicate, version, possible, or nothing.

In: two `Reading`s (a candidate with its words). Out: an `Edge` or None. A pure function of the
two, symmetric, so the order in which entries are met cannot matter.

`token_set_ratio` is never asked: a part of a text scores 100 against the whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein, Opcodes, Postfix, Prefix

from loader.duplicates.signatures import MIN_WORDS
from loader.duplicates.words import (
    MAX_CHARACTERS,
    body,
    first_page,
    is_placeholder,
    notice,
    same_venue,
    split,
    surnames,
    title_words,
    words,
)
from loader.model import Candidate, DuplicateMethod, Edge, Verdict

AUTOMATIC: Final = 95.0  # a score from here up merges
POSSIBLE: Final = 75.0  # a score from here up is asked about
SAME_TITLE: Final = 90.0  # titles this alike are one title
ANOTHER_WORD: Final = 60.0  # words of a title less alike are no misprints of each other
DIFFERENT_TITLE: Final = 60.0  # titles less alike are two
TOLD: Final = 80  # characters of a title in evidence
KINDS: Final = {
    "doi": "DOI", "arxiv": "arXiv id", "openreview": "OpenReview id", "id": "id", "row": "id",
}  # fmt: skip
PLACEHOLDER: Final = "it says only that there is no abstract"
EXACT_WORDS: Final = 12  # a shorter text is no evidence, even word for word

_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+(?=\S)")
_COUNTS = frozenset(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty hundred"
        " thousand million first second third fourth fifth sixth seventh eighth ninth tenth"
        " eleventh twelfth half twice single double triple"
        # German, French, Spanish, folded; no word that is an English one
        " zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert"
        " tausend deux trois quatre cinq sept huit neuf dix onze douze vingt trente dos tres"
        " cuatro cinco seis siete ocho nueve diez doce veinte treinta cien",
    )
) | frozenset("〇零一二三四五六七八九十百千万億亿两兆")
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})")
_PART_NOUNS = frozenset(
    re.findall(
        r"\w+",
        "part parts phase volume vol chapter stage paper study trial season round edition year"
        " series",
    )
)
_PART = re.compile(
    rf"\b({'|'.join(sorted(_PART_NOUNS, reverse=True))})\s+"
    r"(\d+[a-z]?|[ivx]+[ab]?|one|two|three|four|five|first|second|third)\b"
)


@dataclass(frozen=True)
class Reading:
    """A candidate with what comparing it needs, each made when first asked for."""

    candidate: Candidate

    @cached_property
    def body(self) -> str:
        return body(self.candidate.plain)

    @cached_property
    def raw(self) -> list[str]:
        """The words in their own case."""
        return split(self.body)

    @cached_property
    def joined(self) -> str:
        return " ".join(self.raw).casefold()

    @cached_property
    def words(self) -> list[str]:
        return self.joined.split()

    @cached_property
    def sorted(self) -> str:
        return " ".join(sorted(self.words))

    @cached_property
    def rest(self) -> Counter[str]:
        """The words beyond what is compared in order."""
        return Counter(self.candidate.plain[MAX_CHARACTERS:].casefold().split())

    @cached_property
    def informative(self) -> bool:
        """Is there enough text to compare?"""
        if self.candidate.plain.count(" ", 0, 1000) > 100:
            return True
        count = len(self.words)
        return count >= MIN_WORDS and not is_placeholder(self.body, count)

    @cached_property
    def starts(self) -> frozenset[int]:
        """The indices of the words that begin a sentence."""
        found, done, index = {0}, 0, 0
        for end in _SENTENCE_END.finditer(self.body):
            index += len(split(self.body[done : end.end()]))
            done = end.end()
            found.add(index)
        return frozenset(found)

    @cached_property
    def title(self) -> list[str]:
        return title_words(self.candidate.title)

    @cached_property
    def title_joined(self) -> str:
        return " ".join(self.title)

    @cached_property
    def surnames(self) -> tuple[str, ...]:
        return surnames(self.candidate.authors)

    @cached_property
    def page(self) -> str:
        return first_page(self.candidate.pages)

    @cached_property
    def volume(self) -> str:
        return "".join(words(self.candidate.volume or ""))

    @cached_property
    def notice(self) -> str:
        return notice(self.candidate.title) or notice(self.candidate.plain)

    @cached_property
    def parts(self) -> dict[str, set[str]]:
        """Numbered parts that the title, else the text, is about: {"part": {"2"}}."""
        found: dict[str, set[str]] = {}
        if _PART_NOUNS.isdisjoint(self.title or self.words):
            return found
        for noun, value in _PART.findall(self.title_joined or self.joined):
            found.setdefault(noun.rstrip("s"), set()).add(_number(value))
        return found


def _number(word: str) -> str:
    """A roman or written-out number in digits; any other word as it is."""
    written = ("zero", "one", "two", "three", "four", "five")
    ordinal = ("", "first", "second", "third")
    if word in written:
        return str(written.index(word))
    if word in ordinal:
        return str(ordinal.index(word))
    if word and _ROMAN.fullmatch(word):
        values = [{"i": 1, "v": 5, "x": 10}[letter] for letter in word] + [0]
        return str(sum(-a if a < b else a for a, b in pairwise(values)))
    return word


# --- the texts -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextMatch:
    """How two abstracts compare. `automatic` says nothing yet of `vetoes`."""

    method: Literal["exact", "normalized", "near"]
    score: float
    automatic: bool
    reordered: bool
    evidence: str
    veto: str = ""


def _is_mark(reading: Reading, index: int) -> bool:
    """Is this word a name or a number, something that tells one work from another?"""
    raw = reading.raw[index]
    if not raw.isalpha() or raw.casefold() in _COUNTS:
        return True
    if raw[1:] != raw[1:].lower():
        return True
    return raw[0].isupper() and len(raw) > 1 and index not in reading.starts


_UNIT = re.compile(
    r"(?<![^\W\d])(?:micro|mu)(?=(?:g|l|m|w|s|mol|grams?|lit(?:er|re)s?|met(?:er|re)s?)$)"
)
_OPTICAL = str.maketrans("lio", "110")  # what scanning takes for digits
_SILENT = frozenset(("x", "tm", "degree", "degrees", "approximately", "about"))


def _bare(word: str) -> str:
    """A word without what sources write differently: "020", "mug", "lO7", "tm"."""
    if word in _SILENT:
        return ""
    word = _UNIT.sub("μ", word.removesuffix("tm")).replace("degree", "")
    if word in ("l", "i", "o") or not word.isalpha():
        word = word.translate(_OPTICAL)
    return word.lstrip("0") or word


def _hunks(changes: Opcodes) -> Iterator[tuple[range, range]]:
    """The stretches in which two sequences of words differ, as indices into both."""
    first = second = last = final = 0
    for step in changes:
        if step.tag == "equal":
            if last > first or final > second:
                yield range(first, last), range(second, final)
            first = last = step.src_end
            second = final = step.dest_end
        else:
            last, final = step.src_end, step.dest_end
    if last > first or final > second:
        yield range(first, last), range(second, final)


def _numbers_whole(
    a: Reading, hunks: Iterable[tuple[range, range]]
) -> Iterator[tuple[range, range]]:
    """The stretches, with those as one that only parts of a number lie between: 十二, 三十."""
    last: tuple[range, range] | None = None
    for ours, theirs in hunks:
        if last and all(a.words[i] in _COUNTS for i in range(last[0].stop, ours.start)):
            last = range(last[0].start, ours.stop), range(last[1].start, theirs.stop)
            continue
        if last:
            yield last
        last = ours, theirs
    if last:
        yield last


def _replaced(a: Reading, b: Reading, changes: Opcodes) -> str:
    """The first name or number of `a` that stands replaced by another in `b`, else ""."""
    for ours, theirs in _numbers_whole(a, _hunks(changes)):
        if not (ours and theirs):
            continue
        one = "".join(_bare(a.words[i]) for i in ours)
        two = "".join(_bare(b.words[i]) for i in theirs)
        head = Prefix.similarity(one, two)
        tail = Postfix.similarity(one[head:], two[head:])
        old, new = one[head : len(one) - tail], two[head : len(two) - tail]
        # nothing but spacing, or something only left out
        if not (old and new):
            continue
        # one letter of a long name: a misprint
        if len(old) == len(new) == 1 and (old + new).isalpha() and min(len(one), len(two)) > 5:
            continue
        marks = [i for i in ours if _is_mark(a, i) and _bare(a.words[i]) not in two]
        other = [i for i in theirs if _is_mark(b, i) and _bare(b.words[i]) not in one]
        if marks and other:
            return f"{_quote(b, other)} for {_quote(a, marks)}"
    return ""


def _exchanged(a: Reading, b: Reading) -> str:
    """As `_replaced`, for texts in another order: marks that only one of them has."""
    ours, theirs = Counter(a.words), Counter(b.words)
    marks = [i for i, word in enumerate(a.words) if word not in theirs and _is_mark(a, i)]
    other = [i for i, word in enumerate(b.words) if word not in ours and _is_mark(b, i)]
    if marks and other:
        return f"{_quote(b, other)} for {_quote(a, marks)}"
    return ""


def _quote(reading: Reading, indices: Sequence[int]) -> str:
    return "“" + " ".join(reading.raw[i] for i in indices[:4]) + "”"


def _left_out(longer: Reading, shorter: Reading) -> str:
    """How `shorter` is `longer` with at most a quarter of its sentences gone, else "".

    Nothing may be added, and what is gone must be whole stretches, not words here and there.
    """
    if len(shorter.words) < len(longer.words) / 2:
        return ""
    # nothing added: all of the shorter is found in the longer, in order
    if LCSseq.similarity(longer.words, shorter.words) < len(shorter.words):
        return ""
    gone: list[int] = []
    blocks = 0
    for step in LCSseq.opcodes(longer.words, shorter.words):
        if step.tag == "delete":
            gone += range(step.src_start, step.src_end)
            blocks += 1
    starts = [*sorted(longer.starts), len(longer.words)]
    missing = set(gone)
    sentences = len(starts) - 1
    lost = sum(
        sum(i in missing for i in range(begin, end)) * 2 > end - begin
        for begin, end in pairwise(starts)
    )
    # a quarter of the sentences; of one to three sentences a quarter of the words
    if (lost > max(1, sentences // 4) if sentences > 3 else len(gone) > len(longer.words) / 4) or (
        blocks > 3
    ):
        return ""
    if lost:
        return f"equal but for {lost} of {sentences} sentences left out"
    return f"equal but for {len(gone)} of {len(longer.words)} words left out"


def match_texts(a: Reading, b: Reading) -> TextMatch | None:
    """How alike two abstracts are, or None where one is missing or too short to tell.

    `score` is 0 where it is below 75.
    """
    if not (a.informative and b.informative):
        return None
    if a.candidate.text_hash == b.candidate.text_hash:
        return TextMatch("exact", 100.0, True, False, "the same text")
    # of a longer text the beginning is compared, of the rest which words it has: at most so alike
    most = 100.0
    longest = max(len(a.candidate.plain), len(b.candidate.plain))
    cut = longest > MAX_CHARACTERS
    if cut:
        total = a.rest.total() + b.rest.total()
        common = 2 * (a.rest & b.rest).total() / total if total else 1.0
        beginning = MAX_CHARACTERS / longest
        most = 100 * (beginning + (1 - beginning) * common)
    if a.joined == b.joined and (not cut or a.candidate.plain_hash == b.candidate.plain_hash):
        said = "the same words; only markup, case, punctuation or labels differ"
        return TextMatch("normalized", 100.0, True, False, said)
    score = min(most, fuzz.ratio(a.joined, b.joined, score_cutoff=POSSIBLE))
    reordered = False
    if score < AUTOMATIC:
        by_words = fuzz.ratio(a.sorted, b.sorted, score_cutoff=max(POSSIBLE, score))
        by_words = min(most, by_words)
        if by_words > max(score, 85.0) or (not score and by_words):
            score, reordered = by_words, by_words >= 85.0
    if score < POSSIBLE:
        return TextMatch("near", 0.0, False, False, "")
    if reordered:
        evidence = "the same words in another order"
        if score < 100:
            common = sum((Counter(a.words) & Counter(b.words)).values())
            total = max(len(a.words), len(b.words))
            evidence = (
                f"{common} of {total} words are the same; others differ or stand in another order"
            )
        return TextMatch("near", score, score >= AUTOMATIC, True, evidence, _exchanged(a, b))
    changes = Levenshtein.opcodes(a.words, b.words)
    changed = sum(
        max(step.src_end - step.src_start, step.dest_end - step.dest_start)
        for step in changes
        if step.tag != "equal"
    )
    evidence = f"differs in {changed} of {max(len(a.words), len(b.words))} words"
    if cut:
        evidence += f" at the beginning, {most:.0f}% alike as a whole"
    automatic = score >= AUTOMATIC
    veto = _replaced(a, b, changes) if automatic else ""
    if not automatic and not cut:
        longer, shorter = (a, b) if len(a.words) >= len(b.words) else (b, a)
        left_out = _left_out(longer, shorter)
        if left_out:
            automatic, evidence = True, left_out
    return TextMatch("near", score, automatic, False, evidence, veto)


# --- the metadata --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the fields of two entries say; None where a side does not state it."""

    title: float | None  # 0 to 100
    authors: bool | None
    years: int | None  # apart
    page: bool | None
    volume: bool | None
    venue: bool | None
    shared: tuple[str, ...]  # identifiers of both
    dois: bool | None = None

    @property
    def titled(self) -> bool:
        return self.title is not None and self.title >= SAME_TITLE

    @property
    def near_in_time(self) -> bool:
        return self.years is None or self.years <= 1

    @property
    def same_place(self) -> bool:
        """The same first page of the same volume and year: one place in print."""
        # names of one venue can look like two, but not where something else differs too
        if self.venue is False and (self.authors is False or self.dois is False):
            return False
        return bool(self.page and self.volume is not False and self.near_in_time)

    @property
    def same_record(self) -> bool:
        """Is it one record of one paper, whatever its abstract says?"""
        if not self.titled:
            return False
        if self.shared and (self.authors or self.same_place):
            return True
        if self.same_place and self.volume and self.years == 0 and (self.title or 0) >= 95:
            return True
        return self.same_place and self.authors is not False

    @property
    def elsewhere(self) -> bool:
        """Do the fields put the two at different places in print?"""
        if self.dois is False and not self.same_place:
            return True
        if self.page is False and self.volume is True:
            return self.years != 0
        if self.page is False:
            # pages of an article that is out before its issue are other pages
            return self.volume is False or self.venue is not True
        if self.page is None and self.volume is None and self.venue is False:
            return True
        return not self.near_in_time

    @property
    def apart(self) -> str:
        """Why the two are not one, where they are `elsewhere`."""
        return "the DOIs differ" if self.dois is False else "published elsewhere"


_NOTHING_KNOWN = Metadata(None, None, None, None, None, None, ())


def _title_score(a: Reading, b: Reading) -> float | None:
    if not (a.title and b.title):
        return None
    if a.title == b.title:
        return 100.0
    score = fuzz.ratio(a.title_joined, b.title_joined)
    shorter, longer = sorted((a.title, b.title), key=len)
    # a lost subtitle
    if score < SAME_TITLE and len(shorter) >= 5 and longer[: len(shorter)] == shorter:
        return SAME_TITLE
    return score


def _same_authors(a: Reading, b: Reading) -> bool | None:
    ours, theirs = set(a.surnames), set(b.surnames)
    if not (ours and theirs):
        return None
    common = len(ours & theirs)
    if common * 2 >= min(len(ours), len(theirs)):
        return True
    # spelling and encoding differ: the first author decides
    return fuzz.ratio(a.surnames[0], b.surnames[0]) >= 75


def match_metadata(a: Reading, b: Reading) -> Metadata:
    """Compare the fields of two entries."""
    one, two = a.candidate, b.candidate
    if not (one.title or one.identifiers or one.authors or one.year or one.pages or one.venue):
        return _NOTHING_KNOWN
    shared = sorted(set(one.identifiers) & set(two.identifiers))
    return Metadata(
        title=_title_score(a, b),
        authors=_same_authors(a, b),
        years=abs(one.year - two.year) if one.year and two.year else None,
        page=a.page == b.page if a.page and b.page else None,
        volume=a.volume == b.volume if a.volume and b.volume else None,
        venue=same_venue(one.venue, two.venue),
        shared=tuple(shared),
        dois=_same_doi(one, two),
    )


def _same_doi(one: Candidate, two: Candidate) -> bool | None:
    ours, theirs = ({i for i in c.identifiers if i.startswith("doi:")} for c in (one, two))
    return bool(ours & theirs) if ours and theirs else None


def _parts_differ(a: Reading, b: Reading) -> str:
    """How the two are numbered parts of one work ("part 1 and part 2"), else ""."""
    for noun in sorted(a.parts.keys() & b.parts.keys()):
        if a.parts[noun].isdisjoint(b.parts[noun]):
            low, high = sorted((min(a.parts[noun]), min(b.parts[noun])))
            return f"{noun} {low} and {noun} {high}"
    if a.title and b.title:
        for step in Levenshtein.opcodes(a.title, b.title):
            old = a.title[step.src_start : step.src_end]
            new = b.title[step.dest_start : step.dest_end]
            if step.tag == "replace" and "".join(old) != "".join(new):
                numbers = [w for w in old if _counts(w)], [w for w in new if _counts(w)]
                if all(numbers) and {*map(_number, numbers[0])} != {*map(_number, numbers[1])}:
                    return "the titles say " + " and ".join(sorted(map(" ".join, numbers)))
    return ""


def _other_word(one: Sequence[str], two: Sequence[str]) -> bool:
    """Does a title have another word in place of one, no other spelling of it?"""
    for ours, theirs in _hunks(Levenshtein.opcodes(one, two)):
        old, new = "".join(one[ours.start : ours.stop]), "".join(two[theirs.start : theirs.stop])
        if old and new and fuzz.ratio(old, new) < ANOTHER_WORD:
            return True
    return False


def _counts(word: str) -> bool:
    return word.isdigit() or word in _COUNTS or bool(_ROMAN.fullmatch(word))


# --- the two together ----------------------------------------------------------------------


def _content(candidate: Candidate) -> tuple[int, str, str]:
    """The order in which a pair is told, as `keep_key` has it."""
    return -len(candidate.text), candidate.text_hash, candidate.title or ""


def compare(a: Reading, b: Reading) -> Edge | None:
    """What this pair alone suggests, or None where nothing links the two."""
    if _content(a.candidate) > _content(b.candidate):
        a, b = b, a
    text = match_texts(a, b)
    fields = match_metadata(a, b)
    found = _judge(a, b, text, fields) or _judge_blank(a, b, fields) or _judge_name(a, b)
    if found is None:
        return None
    verdict, method, score, evidence = found
    evidence = _with_titles(evidence, a, b, fields)
    ids = shared_ids([*fields.shared, *one_name(a.candidate, b.candidate)])
    if ids and not all(part in evidence for part in ids.split(" and ")):
        but = ", but" if verdict != "duplicate" and ", but " not in evidence else ";"
        evidence = f"same {ids}{but} {evidence}"
    low, high = sorted((a.candidate.id, b.candidate.id))
    return Edge(low, high, verdict, method, round(score, 1), evidence)


_Found = tuple[Verdict, DuplicateMethod, float, str]


def _judge(a: Reading, b: Reading, text: TextMatch | None, fields: Metadata) -> _Found | None:
    found: _Found | None
    if text is None:
        found = _judge_titles(a, b, fields)
    elif text.score:
        found = _judge_texts(a, b, text, fields)
    else:
        found = _judge_unlike(fields)
    if found is None or found[0] == "possible":
        return found
    # vetoes that no agreement of the rest can outweigh
    _, method, score, evidence = found
    if a.notice != b.notice:
        kind = " and ".join(sorted(n or "article" for n in (a.notice, b.notice)))
        return "version", method, score, f"{evidence}, but {kind}"
    parts = "" if method == "exact" and not (a.title and b.title) else _parts_differ(a, b)
    if parts:
        return "possible", method, score, f"{evidence}, but {parts}"
    return found


def _judge_texts(a: Reading, b: Reading, text: TextMatch, fields: Metadata) -> _Found:
    method: DuplicateMethod = text.method
    agrees = fields.titled and fields.authors is not False
    if fields.same_record:
        return "duplicate", method, text.score, f"{text.evidence}; {_agreeing(fields)}"
    if fields.title is not None and fields.title < DIFFERENT_TITLE and not fields.shared:
        said = f"{text.evidence}, but the titles differ"
        return (
            ("version" if fields.authors and text.automatic else "possible"),
            method,
            text.score,
            said,
        )
    if fields.authors is False:
        return "possible", method, text.score, f"{text.evidence}, but the authors differ"
    if not agrees and min(len(a.candidate.plain), len(b.candidate.plain)) < 300:
        count = min(len(a.words), len(b.words))
        said = f"{text.evidence}, but {count} words are too few to tell"
    else:
        count = EXACT_WORDS
    if count < EXACT_WORDS:
        return "possible", method, text.score, said
    if text.veto:
        verdict: Verdict = "version" if agrees and fields.authors else "possible"
        return verdict, method, text.score, _with_veto(text)
    if text.automatic:
        if fields.elsewhere and not fields.shared:
            return "version", method, text.score, f"{text.evidence}, but {fields.apart}"
        return "duplicate", method, text.score, text.evidence
    if text.reordered or (agrees and fields.authors):
        return "version", method, text.score, text.evidence
    return "possible", method, text.score, text.evidence


def _with_veto(text: TextMatch) -> str:
    """The evidence, and the name or number that stands for another."""
    if text.reordered or not text.evidence.startswith("differs in "):
        return f"{text.evidence}, but {text.veto}"
    alone = text.evidence.startswith("differs in 1 ")
    return f"{text.evidence}{':' if alone else ', among them'} {text.veto}"


def _with_titles(evidence: str, a: Reading, b: Reading, fields: Metadata) -> str:
    """The evidence, and how the titles differ where both are known and they do."""
    if fields.title is None or a.title == b.title:
        return evidence
    apart = _titles_apart(a, b, fields.title)
    said, alike = "the titles differ", f"title ({fields.title:.0f})"
    if alike in evidence:
        return evidence.replace(alike, f"title (but for {apart})", 1)
    return (
        evidence.replace(said, f"{said}: {apart}", 1)
        if said in evidence
        else (f"{evidence}; {said}: {apart}")
    )


def _titles_apart(a: Reading, b: Reading, score: float) -> str:
    """Two titles that are not equal: the words that differ, or both where most do."""
    if score < DIFFERENT_TITLE:
        return f"{_quoted(a.candidate.title)} and {_quoted(b.candidate.title)}"
    told = []
    for ours, theirs in _hunks(Levenshtein.opcodes(a.title, b.title)):
        words = [
            _quoted(" ".join(t[r.start : r.stop]))
            for t, r in ((a.title, ours), (b.title, theirs))
            if r
        ]
        told.append(" and ".join(words) if len(words) > 1 else f"{words[0]} in one only")
    return ", ".join(told[:3]) + (", ..." if len(told) > 3 else "")


def _quoted(text: str | None) -> str:
    said = " ".join((text or "").split())
    return f"“{said[:TOLD].rstrip()} ...”" if len(said) > TOLD else f"“{said}”"


def one_name(one: Candidate, other: Candidate) -> tuple[str, ...]:
    """The id that sources give both, if they give both one."""
    return (one.name,) if one.name and one.name == other.name else ()


def shared_ids(shared: Iterable[str]) -> str:
    """The kinds of identifiers, for people to read: "DOI and arXiv id"; "" without any."""
    kinds = dict.fromkeys(identifier.partition(":")[0] for identifier in shared)
    return " and ".join(dict.fromkeys(KINDS.get(kind, kind) for kind in kinds))


def _agreeing(fields: Metadata) -> str:
    """The fields that agree, for people to read."""
    said = []
    if fields.title is not None and fields.title >= SAME_TITLE:
        said.append("title" if fields.title == 100 else f"title ({fields.title:.0f})")
    if fields.authors:
        said.append("authors")
    if fields.years == 0:
        said.append("year")
    if fields.volume:
        said.append("volume")
    if fields.page:
        said.append("first page")
    said += filter(None, [shared_ids(fields.shared)])
    return "same " + ", ".join(said) if said else "nothing else known"


def _judge_unlike(fields: Metadata) -> _Found | None:
    """Two abstracts that do not resemble each other."""
    score = fields.title or 0.0
    if fields.same_record and (fields.authors or fields.shared):
        method: DuplicateMethod = "identifier" if fields.shared else "near"
        return "duplicate", method, score, f"{_agreeing(fields)}; the abstracts differ"
    if fields.titled and fields.authors:
        return "version", "near", score, f"{_agreeing(fields)}; the abstracts differ"
    if fields.shared:
        return "possible", "identifier", score, f"{_agreeing(fields)}, but the abstracts differ"
    return None


def _judge_blank(a: Reading, b: Reading, fields: Metadata) -> _Found | None:
    """Two equal texts that say nothing: not merged, and here is why."""
    one, two = a.candidate, b.candidate
    if not (one.plain and two.plain and one.plain_hash == two.plain_hash) or a.informative:
        return None
    count = len(a.words)
    if is_placeholder(a.body, count):
        why = PLACEHOLDER
    else:
        why = f"{count} word{' is' if count == 1 else 's are'} too few to tell"
    if fields.title is not None and not fields.titled:
        why += "; the titles differ"
    method: DuplicateMethod = "exact" if one.text_hash == two.text_hash else "normalized"
    return "possible", method, 0.0, f"the same text, but {why}"


def _judge_name(a: Reading, b: Reading) -> _Found | None:
    """Two entries with one id in their sources and nothing else in common."""
    if not one_name(a.candidate, b.candidate):
        return None
    if a.informative and b.informative:
        what = "the abstracts differ"
    elif a.title and b.title:
        what = "the titles differ"
    else:
        what = "there is nothing else to compare"
    return "possible", "identifier", 0.0, f"same id, but {what}"


def _judge_titles(a: Reading, b: Reading, fields: Metadata) -> _Found | None:
    """Two entries of which one or both have no abstract worth comparing."""
    if fields.title is None:
        if fields.shared:
            return "possible", "identifier", 0.0, f"{_agreeing(fields)}; no texts to compare"
        return None
    score = fields.title
    agreeing = _agreeing(fields)
    if fields.shared:
        if fields.titled and fields.authors is not False:
            return "duplicate", "identifier", score, agreeing
        return "possible", "identifier", score, f"{agreeing}, but the titles differ"
    place = fields.same_place and fields.volume and fields.years == 0
    count = min(len(a.title), len(b.title))
    if place and fields.venue is False and not fields.authors and count < 4:
        # the first pages of two journals can both be an editorial
        return "possible", "near", score, f"{agreeing}, but the venues differ"
    # a translated or shortened title
    if place and ((fields.authors and score >= 45) or (fields.authors is None and score >= 70)):
        return "duplicate", "near", score, agreeing
    if fields.same_record:
        return "duplicate", "near", score, agreeing
    if not fields.titled or fields.authors is False:
        return None
    if fields.page and fields.years == 0 and fields.authors and score >= 97:
        return "duplicate", "near", score, agreeing
    if fields.page is False or fields.elsewhere or fields.years == 1:
        if fields.authors:
            return "version", "near", score, f"{agreeing}; {fields.apart}"
        if score == 100 and count >= 4:  # or a record without year or place would join the two
            return "possible", "near", score, f"{agreeing}, but {fields.apart}"
        return None
    same_year = fields.authors and fields.years == 0 and fields.volume is not False
    if same_year and score >= 95 and not _other_word(a.title, b.title):
        return "duplicate", "near", score, agreeing
    if score < 100 and _parts_differ(a, b):
        return None
    if score == 100 and count >= 6 and fields.authors is None and fields.years is None:
        return "duplicate", "near", score, agreeing
    return ("possible", "near", score, agreeing) if count >= 4 else None
