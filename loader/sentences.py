"""Plain text to sentences, as spans.

In: a `Plain`. Out: spans in its plain text, and for each the stretch of the source it was
written as. Joined, the spans and the white space between them are the whole text.

A sentence ends at `.`, `!`, `?`, `…` or their full-width sisters where what follows can begin
one, at a line feed (a paragraph, a list item), but not inside brackets or quotes, behind an
abbreviation, in a number, an address or an enumeration "(1) ... (2) ...".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from loader.model import Span
from loader.symbols import words
from loader.text import Plain

# Behind these a period is no end, whatever follows.
_NEVER = words(
    "e.g i.e cf vs viz approx resp ca fig figs eq eqs eqn eqns tabs thms lem cor algs nos nr vol pp"
    " ed eds dr prof mr mrs ms w.r.t s.t a.k.a abbr dept univ incl excl sect suppl jr sr al ibid"
)
# Behind these only before a number or a single capital: "Sec. 5", but "in 5 sec. We ...".
_BEFORE_NUMBER = words(
    "sec secs tab thm def defs prop alg app ch chap no art ex ref refs st mt op gen rep vers ver"
)
# Behind these a period ends a sentence only before a word that usually begins one.
_SOMETIMES = words(
    "etc inc ltd co corp u.s u.k u.s.a u.n e.u a.m p.m i.i.d et.al w.l.o.g pts params"
)
_OPENERS = words(
    "a an the this these that those it its we our us they their he she his her you i in on at for"
    " from to with without by under over after before during while when where whereas although"
    " though however moreover furthermore additionally finally further then thus therefore hence"
    " here there unlike despite if as since because but and or yet so such some many most each"
    " every all both no not only one two three first second third next last extensive experiments"
    " experimental empirical empirically results code data more also both using given based can do"
    " does how what why which who is are several existing recent overall notably specifically"
    " instead rather meanwhile likewise similarly consequently surprisingly interestingly"
    " importantly crucially together inspired motivated building through across among beyond"
    " compared humans"
)
_END = re.compile(
    r"(?P<mark>[.!?…‽]+)(?P<close>[\"'”’»›)\]]*)(?:(?P<space>[ \n]+)|(?=(?P<glued>[A-Z“\"(]))|\Z)"
    r"|(?P<wide>[。！？｡।॥۔؟]+)(?P<shut>[”’」』）》]*)[ \n]*"
    r"|(?P<line>\n)"
)
_MARK = re.compile(r"[.!?…‽。！？｡।॥۔؟\n]")  # what `_END` begins with, found much sooner
_TOKEN_BEFORE = re.compile(r"[^\s(\[“\"]{1,40}\Z")
_GLUED_BEFORE = re.compile(r"[^\s(\[]{1,40}\Z")
_NUMBER = re.compile(r"[\d(§]|[A-Z](?:\.\d|\b)")
_WORD_AFTER = re.compile(r"[\"'“‘«(\[¿¡]*(?P<word>[^\s\"'”’]{1,60})")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_CLOSING = {"(": ")", "[": "]", "“": "”", "«": "»"}
_PAIRS = re.compile(r"[()\[\]“”«»]")
_BRACKET_LIMIT = 1500  # characters; a bracket that closes no earlier is a slip of the pen


def split(plain: Plain) -> list[Span]:
    """The sentences of a text in order, as spans without white space at their edges.

    Every character that is no white space is in exactly one of them. Linear time; any text
    gives a result, an empty one none.
    """
    text = plain.plain
    inside = _Inside(text)
    cuts: list[int] = []
    begin = 0
    behind = 0
    for mark in _MARK.finditer(text):
        if mark.start() < behind or (end := _END.match(text, mark.start())) is None:
            continue
        behind = end.end()
        if end["line"] is not None:
            cut = end.start()
            if not inside(cut) and cut > begin:
                cuts.append(cut)
                begin = end.end()
            continue
        if end["wide"] is not None:
            cut = end.end("shut")
            if not inside(end.start()):
                cuts.append(cut)
                begin = cut
            continue
        cut = end.end("close")
        if end.end() == len(text) or _is_end(text, begin, end, inside):
            cuts.append(cut)
            begin = cut
    return _spans(text, cuts)


def source_spans(plain: Plain, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """For each sentence of `split` its stretch of `plain.source`.

    Markup at a sentence's edge belongs to it, as does a heading word before the first; white
    space between two belongs to none.
    """
    if not spans:
        return []
    source = plain.source
    begin = len(source) - len(source.lstrip())
    found: list[tuple[int, int]] = []
    for this, following in pairwise(spans):
        first, last = plain.ends[this.end - 1], plain.starts[following.start]
        cut, resume = _parted(source, begin, first, last)
        found.append((begin, cut))
        begin = resume
    found.append((begin, len(source.rstrip())))
    return found


class _Inside:
    """Whether a place of a text is within brackets or quotes that do close."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        opened: list[tuple[str, int]] = []
        outer: list[tuple[int, int]] = []
        for mark in _PAIRS.finditer(text):
            char, at = mark[0], mark.start()
            if char in _CLOSING:
                opened.append((_CLOSING[char], at))
                continue
            depth = len(opened) - 1
            lowest = max(0, depth - 8)
            while depth >= lowest and opened[depth][0] != char:
                depth -= 1
            if depth < lowest:
                continue
            start = opened[depth][1]
            del opened[depth:]
            if at - start <= _BRACKET_LIMIT:
                while outer and outer[-1][0] > start:
                    outer.pop()
                outer.append((start, at))
        self.starts = [a for a, _ in outer]
        self.ends = [b for _, b in outer]

    def __call__(self, at: int) -> bool:
        index = bisect_right(self.starts, at) - 1
        return index >= 0 and at < self.ends[index]


def _is_end(text: str, begin: int, end: re.Match[str], inside: _Inside) -> bool:
    """Whether the mark found ends the sentence that began at `begin`."""
    at = end.start()
    mark, close = end["mark"], end["close"]
    found = _WORD_AFTER.match(text, end.end())
    if found is None:
        return False
    after = found["word"]
    initial = after[0]
    if end["space"] is None:
        return _is_glued_end(text, begin, end, after) and not inside(at)
    if inside(at):
        # "(Both hold.)" and “Both hold.” end a sentence of their own with their bracket.
        whole = close and text[begin : begin + 3].lstrip()[:1] in ("(", "[", "“", "«", '"')
        quoted = close[:1] in ("”", "»") and not inside(end.end("close"))
        if not (whole or quoted) or inside(end.end("close")):
            return False
    starts = not initial.islower() or _is_name(after)
    if mark != ".":
        if mark in ("...", "…", "..") and not initial.isupper():
            return False
        if "!" in mark and initial.isupper() and _is_exclaimed_name(text, begin, at, after):
            return False
        return starts
    if not starts:
        return False
    before = _TOKEN_BEFORE.search(text, _word_start(text, begin, at), at)
    token = before[0].casefold() if before is not None else ""
    if not close and before is not None:
        token = token.lstrip("*'‘`~-–—/")
        if token in _NEVER or token.rpartition("/")[2] in _NEVER:
            return False
        if token in _BEFORE_NUMBER and _NUMBER.match(after):
            return False
        if token in _SOMETIMES or ("." in token and _INITIALS.search(token)):
            return initial.isupper() and _opens(after)
        if len(token) == 1 and token.isalpha() and before[0].isupper():
            # "J. Doe" against "vitamin D. We ...": an initial unless a usual opener follows
            return _opens(after)
        if token.isdigit() and _is_list_mark(text, begin, before.start()):
            return False
    return not _is_item(text, begin, end.end())


def _word_start(text: str, begin: int, at: int) -> int:
    """Where the word before `at` may begin: behind the last space, at most 40 characters back."""
    begin = max(begin, at - 40)
    return max(begin, text.rfind(" ", begin, at) + 1)


def _opens(after: str) -> bool:
    """Whether `after` begins with a word that usually begins a sentence."""
    opener = _WORD.match(after)
    return opener is not None and opener[0].casefold() in _OPENERS


def _is_glued_end(text: str, begin: int, end: re.Match[str], after: str) -> bool:
    """Whether a sentence ends although no space follows: "... of samples.To this end, ..."."""
    at = end.start()
    if at - begin < 20 or end["glued"] == "(":
        return False
    before = _GLUED_BEFORE.search(text, _word_start(text, begin, at), at)
    if before is None:
        return False
    token = before[0]
    if token.casefold() in _NEVER or any(char in "./_\\@:" for char in token):
        return False
    if not token[-1].isalnum() and token[-1] not in ")]%$\"'”’":
        return False
    follower = _WORD.match(after)
    if follower is None or (len(after) > follower.end() and after[follower.end()] not in ",;:"):
        return False
    word = follower[0]
    behind = text[end.end() + follower.end() : end.end() + follower.end() + 1]
    if behind not in (" ", ","):
        return False
    if token[-1].isupper():  # "PPO.In contrast" but not "Node.Text"
        return word.casefold() in _OPENERS
    return word[0].isupper() and (word[1:].islower() or len(word) == 1)


def _is_name(word: str) -> bool:
    """Whether a word with a small first letter begins sentences: iTransformer, mBERT, π-Flow."""
    found = _WORD.match(word)
    if found is None:
        return True
    letters = found[0]
    if not letters[0].isascii():
        return True
    if any(char.isupper() for char in letters[1:]):
        return True
    rest = word[len(letters) :].rstrip(".,;:)")
    # "`foo.baz()`", "x_1", "k-NN" and "p-value" of one letter, "vec2vec"
    return bool(rest) and (rest[0] in "._(0123456789" or (len(letters) == 1 and rest[0] in "-=<>^"))


def _is_exclaimed_name(text: str, begin: int, at: int, after: str) -> bool:
    """Whether the mark is part of a name: "Yahoo! Answers"."""
    before = _TOKEN_BEFORE.search(text, _word_start(text, begin, at), at)
    opener = _WORD.match(after)
    if before is None or opener is None or opener[0].casefold() in _OPENERS:
        return False
    return before[0][0].isupper() and before.start() > begin


_MARK_BEFORE = re.compile(r"(?:^|[:;,.\n]) ?\Z")
_ITEM = re.compile(r"\(?(?:[0-9]{1,2}|[ivx]{1,4}|[a-h])\)")


def _is_list_mark(text: str, begin: int, at: int) -> bool:
    """Whether a number before a period is "1." of a list inside or at the head of a sentence."""
    return at == begin or bool(_MARK_BEFORE.search(text, max(begin, at - 2), at))


def _is_item(text: str, begin: int, at: int) -> bool:
    """Whether "(2) ..." follows and "(1)" stands in this sentence: an enumeration goes on."""
    found = _ITEM.match(text, at, at + 8)
    if found is None:
        return False
    label = found[0].strip("()")
    earlier = _PREVIOUS.get(label)
    return (
        earlier is not None
        and re.search(rf"(?<!\w)\(?{earlier}\)", text[max(begin, at - 3000) : at]) is not None
    )


_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_PREVIOUS = {
    **{str(n): str(n - 1) for n in range(2, 21)},
    **dict(zip("bcdefgh", "abcdefg", strict=True)),
    **dict(zip(_ROMAN[1:], _ROMAN, strict=False)),
}


def _spans(text: str, cuts: Sequence[int]) -> list[Span]:
    spans: list[Span] = []
    begin = 0
    for cut in (*cuts, len(text)):
        part = text[begin:cut]
        kept = part.strip()
        if kept:
            start = begin + len(part) - len(part.lstrip())
            span = Span(start, start + len(kept))
            if spans and not kept[0].isalnum() and not any(map(str.isalnum, kept)):
                span = Span(spans.pop().start, span.end)  # a mark alone is no sentence
            spans.append(span)
        begin = cut
    return spans


# --- In the source ------------------------------------------------------------------------

_GAP = re.compile(r"\s+")
_BELONGS_BEFORE = re.compile(r"[})\]*_`$'\"”]+\Z|~?\\(?:[a-zA-Z]*(?:cite|ref)|label)|</")


def _parted(source: str, begin: int, first: int, last: int) -> tuple[int, int]:
    """Where in `source[first:last]`, markup between two sentences, one ends and one begins."""
    if source[first:last].isspace():  # and no markup at all, as nearly always
        return first, last
    runs = list(_GAP.finditer(source, first, last))
    if not runs:
        cut = first
        while cut < last and _closes(source, begin, cut):
            cut += 1
        return cut, cut
    chosen = runs[0]
    for run, following in zip(runs, [*runs[1:], None], strict=False):
        behind = source[run.end() : following.start() if following is not None else last]
        if following is not None and behind and _BELONGS_BEFORE.match(behind):
            chosen = following
    return chosen.span()


def _closes(source: str, begin: int, at: int) -> bool:
    """Whether the mark at `at` closes one that was opened since `begin`."""
    char = source[at]
    written = source[begin:at]
    if char == "}":
        return written.count("{") > written.count("}")
    if char in "$*_`":
        return written.count(char) % 2 == 1 or (char == "*" and written.count("**") % 2 == 1)
    return char in ")]'\""
