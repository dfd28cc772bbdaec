"""Markup to plain text, with a map of offsets back to the source.

In: an abstract as its file has it (LaTeX, Markdown, HTML entities). Out: `Plain`; and
`normalize`, which reduces a plain text to its bare words, for hashes and comparison.

What the plain text is:

- every run of white space is one character: a space, or a line feed between paragraphs and
  before list items (a single line end of the source is a space);
- `%` is a percent sign, never a comment; math is readable (`O(√T)`, `8×7B`, `T^(2/3)`);
- citations, references and the heading word "Abstract" are left out; of `[words](address)` and
  `\\href{address}{words}` the words stay and the address is found in `Plain.source` only;
  `\\url{address}` and bare addresses stay;
- one way to write a thing: ligatures as letters, soft hyphens gone, `-` for every hyphen and
  minus, `–` and `—` for two and three hyphens, `“ ”` for TeX quotes.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from loader.symbols import ACCENTS, SECOND_ARGUMENT, SILENT, SYMBOLS, WITHOUT_ARGUMENT, words

_CLOSES = {"}": "{", "$": "$"}


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain text and, for each of its characters, where in the source it came from.

    `plain[i]` was written as `source[starts[i]:ends[i]]`; both arrays never decrease.
    """

    source: str
    plain: str
    starts: array[int]
    ends: array[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that `plain[start:end]` was written as.

        Where the stretch opens a `$` or a `{` that it does not close, the closing one
        directly behind it is taken in: `1.85×` from `{1.85$\\times$}` gives `1.85$\\times$`.
        So is the opening one before it: `~90%` from `$\\sim$90\\%` gives `$\\sim$90\\%`.
        `0 <= start < end <= len(plain)`, else ValueError.
        """
        if not 0 <= start < end <= len(self.plain):
            raise ValueError(f"no span {start}:{end} in a text of {len(self.plain)} characters")
        first, last = self.starts[start], self.ends[end - 1]
        while last < len(self.source) and self.source[last] in _CLOSES:
            written = self.source[first:last]
            if self.source[last] == "$":
                unclosed = _dollars(written) % 2 == 1
            else:
                unclosed = written.count("{") > written.count("}")
            if not unclosed:
                break
            last += 1
        written = self.source[first:last]
        before = self.source[max(0, first - 30) : first]
        if written.count("}") > written.count("{") and (opening := _OPENING.search(before)):
            first -= len(opening[0])
        elif before.endswith("$") and not before.endswith("\\$") and _dollars(written) % 2:
            first -= 1
        return first, last


_OPENING = re.compile(r"\\?[A-Za-z]*\{\Z")


def _dollars(written: str) -> int:
    """How many `$` of a piece of source open or close math."""
    return written.count("$") - written.count("\\$")


def to_plain(source: str) -> Plain:
    """The plain text of `source`. Any string gives a result; linear time."""
    first, last = _heading_end(source), len(source.rstrip())
    if first == 0:
        first = last - len(source[:last].lstrip())
    if first == 0 and last == len(source) and _markup_of(source).search(source) is None:
        return Plain(source, source, _numbers(0, len(source)), _numbers(1, len(source) + 1))
    reader = _Reader(source)
    reader.read(first, last)
    return reader.plain()


def _markup_of(source: str) -> re.Pattern[str]:
    """What finds where a token of this source may begin."""
    return _SPACED_MARKUP if source.isprintable() and "  " not in source else _MARKUP


_COUNTED = array("q", range(16_384))


def readable(written: str) -> str:
    """A few words of a source as they are read, `30\\%` as `30%`; the same without markup.

    What alone means little, such as the `~` of `~5K`, is no markup.
    """
    return to_plain(written).plain if _MARKUP.search(written) else written


def _numbers(first: int, last: int) -> array[int]:
    """The whole numbers from `first` to `last - 1`; copied from a table where they are small."""
    if last <= len(_COUNTED):
        return _COUNTED[first:last]
    return array("q", range(first, last))


# --- The heading word ---------------------------------------------------------------------

_HEADING = re.compile(
    r"\s*+(?:(?:[#*_]++|\\(?:textbf|section\*?|paragraph\*?|emph|textsc)\{|<[^<>]{1,40}>)\s*+)*+"
    r"(?P<word>abstract)\b(?P<mark>(?:\s*+(?:[:.—–\-}*_]|</[^<>]{1,40}>))*+)(?P<space>\s*+)",
    re.IGNORECASE,
)
# Words that follow "Abstract" within a term of the field, and words that open a first sentence.
_TERM = words(
    "meaning syntax reasoning interpretation algebra data concept concepts art visual thinking"
    " state argumentation domain class machine model models planning game scene object objects"
    " dialectical wikipedia harmonic rewriting nonsense description causal mdp mdps"
)
_OPENER = words(
    "we in this the a an our recent recently despite although while as with large deep to for it"
    " these there modern many most existing current traditional motivated given since when how what"
    " one on by from at under is are can do does learning training understanding building"
)


def _heading_end(source: str) -> int:
    """Where the text begins behind a heading word "Abstract"; 0 where there is none."""
    found = _HEADING.match(source)
    if found is None or found.end() == len(source):
        return 0
    if any(mark in found["mark"] for mark in ":.—–") or "\n" in found["space"]:
        return found.end()
    if found["mark"] and found["mark"].strip() == "-":  # "abstract-level", "Abstract - We"
        return found.end() if found["space"] and found["mark"] != "-" else 0
    if not found["space"] and not found["mark"]:
        return 0
    if found["mark"]:  # **Abstract** We, \textbf{Abstract} We
        return found.end()
    if found["word"] == "ABSTRACT":
        return found.end()
    following = re.findall(r"\S{1,60}", source[found.end() : found.end() + 130])[:2]
    word = following[0].strip(",.;:").casefold()
    if found["word"][0] == "a" or not following[0][0].isupper() or word in _TERM:
        return 0
    if word in _OPENER or len(following) == 1:
        return found.end()
    return found.end() if not following[1][0].isupper() else 0


# --- Tokens -------------------------------------------------------------------------------

_ODD = (  # soft and invisible, hyphens and minus, ligatures, full width, mathematical letters
    "\u00ad\u200b\u2060\ufeff\u2010\u2011\u2212\ufb00-\ufb06"
    "\uff05\uff0e\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff"
)
# Where a token may begin; everything between is text as it stands.
_MARKUP = re.compile(rf"[\\$~*_`{{}}&<\[{_ODD}]|[^\S ]|  |--|''|-\r?\n|://")
# The same where no white space is but single spaces; five times as fast, as all that it may begin
# with is one set of characters.
_SPACED_MARKUP = re.compile(rf"[\\$~*_`{{}}&<\[{_ODD}':-](?:(?<=[^':-])|(?<=-)-|(?<=')'|(?<=:)//)")
_TAGS = (
    "a|abbr|b|bold|br|center|code|div|em|font|h[1-6]|hr|i|inline-formula|italic|label|li|list|"
    "list-item|monospace|ol|p|sc|sec|small|span|strike|strong|sub|sup|title|tt|u|ul|underline"
)
_ATTRIBUTE = r"\s{1,9}[\w:-]{1,40}\s{0,9}=\s{0,9}(?:\"[^\"<>]{0,300}\"|'[^'<>]{0,300}')"
_TOKEN = re.compile(
    rf"""(?P<address>://[^\s{{}}\\<>"`*|^$]+)
    |(?P<command>\\{{1,2}}[A-Za-z]+\*?)
    |(?P<escape>\\(?:.|\Z))
    |(?P<dollar>\$+)
    |(?P<brace>[{{}}])
    |(?P<tie>~)
    |(?P<emphasis>\*+|_+)
    |(?P<quote>``|''|`)
    |(?P<dash>--+)
    |(?P<wrap>-\r?\n[ \t]*)
    |(?P<space>[^\S ]\s*|\x20\s+)
    |(?P<entity>&(?:amp;)*(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,30}});)
    |(?P<tag></?(?:jats:|mml:)?(?:{_TAGS})(?:{_ATTRIBUTE}){{0,9}}\s{{0,9}}/?>|<(?=https?://))
    |(?P<link>!?\[)
    |(?P<odd>[{_ODD}])""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_MATH = re.compile(
    r"(?P<command>\\{1,2}[A-Za-z]+\*?)|(?P<escape>\\.|\\)|(?P<script>[\^_])|(?P<brace>[{}])"
    rf"|(?P<tie>~)|(?P<space>[^\S ]\s*|\x20\s+)|(?P<odd>[{_ODD}])",
    re.DOTALL,
)
_LATEX = re.compile(r"\\[A-Za-z(\[%&#_$'\"]|\$[^$]{1,200}\$")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\(\s?(?:https?|ftp)://[^\s()]{1,600}\s?\)")
_CODE = re.compile(r"`(?! )([^`\n]{1,200})(?<! )`")
_ARGUMENT = re.compile(r"\s?(?:\[[^\[\]{}]{0,200}\]){0,2}\{[^{}]{0,500}\}")
_SUBFIGURE = re.compile(r"\([a-z](?:[-,–] ?[a-z])*\)")
_SINGLE = re.compile(
    r"\{ ?(?:\\[A-Za-z]{1,30}|\w|[0-9]{1,30}(?:\.[0-9]{1,30})?|[A-Za-z]{1,30}) ?\}"
)
_ACCENTED = re.compile(
    r"[ ]?(?:\{\s?(?:\\{1,2}(?:math|text)[a-z]{1,6}\s?\{)?\s?\\?([A-Za-zα-ω])\s?\}?\}"
    r"|\\{1,2}(?:math|text)[a-z]{1,6}\s?\{\s?([A-Za-z])\s?\}|\\?([A-Za-z])(?![A-Za-z]))"
)
_SIGNED = re.compile(r"\{\s?\\?([A-Za-z])\s?\}|\\?([A-Za-z])")
_MATH_ESCAPES = {",": "", "!": "", ";": " ", ":": " ", "\\": " ", "|": "‖"}
_WORDS = re.compile(r"[A-Za-z]{3,}[.,;]? [A-Za-z]{2,}[.,;]? [A-Za-z]")
_DIGITS = re.compile(r" ?([0-9])([0-9])")
_HYPHENATED = re.compile(r"[^\W\d_]+\Z")
# First parts of compounds: behind them a hyphen at a line's end is a hyphen.
_COMPOUND = words(
    "non self low high state long large fine end real pre post multi cross semi co inter intra sub"
    " super meta auto zero few one two three well on off in out over under open closed task data"
    " model general special human machine user context text image video audio word token feature"
    " time space size cost risk memory energy hard soft short small full half weight value key"
    " query top best worst first second third single double many all large-scale vision language"
    " graph tree node edge group class domain object point event rule policy reward sample noise"
    " so ill trade plug black white gray grey deep wide broad light heavy cutting ever"
)
_MATH_LIMIT = 600  # characters; a dollar sign without a partner so near is a currency sign


class _Reader:
    """Reads a source once from left to right and writes pieces of plain text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[tuple[str | None, int, int]] = []  # None: as in the source
        self.markup = _markup_of(source)
        self.latex = ("\\" in source or "$" in source) and _LATEX.search(source) is not None
        self.opened: dict[str, list[tuple[int, int, int]]] = {"*": [], "_": []}
        self.closing: list[str] = []  # what the open braces are written as when they close
        self.quotes = 0
        self.compounds: set[str] | None = None

    def plain(self) -> Plain:
        """What was read, with white space in order."""
        source = self.source
        words: list[str] = []
        starts, ends = array("q"), array("q")
        for written, a, b in self.pieces:
            if written is None:
                words.append(source[a:b])
                starts += _numbers(a, b)
                ends += _numbers(a + 1, b + 1)
            elif written:
                words.append(written)
                starts.extend([a] * len(written))
                ends.extend([b] * len(written))
        text = "".join(words)
        if _is_tidy(text):
            return Plain(source, text, starts, ends)
        return _tidied(source, text, starts, ends)

    def put(self, written: str, a: int, b: int) -> None:
        if written:
            self.pieces.append((written, a, b))

    def last(self) -> str:
        """The character written last, "" at the beginning."""
        for written, _, b in reversed(self.pieces):
            if written is None:
                return self.source[b - 1]
            if written:
                return written[-1]
        return ""

    def read(self, at: int, end: int) -> int:
        """Reads `source[at:end]` and what belongs to its last token; returns where it stopped."""
        source, pieces = self.source, self.pieces
        find, match = self.markup.search, _TOKEN.match
        begun = at
        while at < end:
            place = find(source, at, end)
            if place is None:
                break
            first = place.start()
            token = match(source, first, end)
            if token is None:  # the sign stands for itself
                at = place.end()
                continue
            if first > begun:
                pieces.append((None, begun, first))
            kind = token.lastgroup
            assert kind is not None
            begun = at = _READ[kind](self, first, token.end())
        if begun < end:
            pieces.append((None, begun, end))
            begun = end
        return begun

    # Each method reads one kind of token at source[a:b] and returns where to go on.

    def address(self, a: int, b: int) -> int:
        self.pieces.append((None, a, b))
        return b

    def command(self, a: int, b: int) -> int:
        return self.named(a, b, math=False)

    def named(self, a: int, b: int, *, math: bool) -> int:
        source = self.source
        name = source[a:b].lstrip("\\").rstrip("*")
        after = source[b : b + 1]
        if source[a + 1] == "\\" and not (name in SYMBOLS or name in SILENT or after == "{"):
            self.put(" ", a, a + 2)  # a line break and then a word
            return a + 2
        if name in WITHOUT_ARGUMENT:
            return self.left_out(a, b)
        if name in SECOND_ARGUMENT:
            found = _ARGUMENT.match(source, b)
            if found is not None and source[found.end() : found.end() + 1] == "{":
                return found.end()
            return b
        if name in ("footnote", "thanks") and after == "{":
            self.put(" (", a, b + 1)
            self.closing.append(")")
            return b + 1
        if name in ACCENTS and (math or after == "{" or len(name) == 1):
            accented = self.accented(name, a, b)
            if accented is not None:
                return accented
        if math and name in ("frac", "tfrac", "dfrac", "nicefrac", "sfrac"):
            return self.fraction(a, b)
        if name in SYMBOLS and not (after == "{" and len(name) == 1 and name not in "SPoOlLij"):
            written = SYMBOLS[name]
            spaced = self.last() in (" ", "\n", "")
            self.put(written, a, b)
            if name == "sqrt":
                return self.group(b, b)
            if source.startswith("{}", b):
                return b + 2
            if after == " " and (not spaced or written == "~" or name in _LETTERS):
                return b + 1
            return b
        if name in SILENT:
            return b + 1 if after == " " else b
        if after == "{" and source[b + 1 : b + 2] != "}":  # formatting: the argument is the text
            return b
        self.put(name, a, b)
        return b

    def left_out(self, a: int, b: int) -> int:
        """A citation or reference: neither it nor the space or empty brackets around it."""
        source = self.source
        found = _ARGUMENT.match(source, b)
        if found is None:
            return b
        end = found.end()
        name = source[a:b].strip("\\*")
        if name in ("begin", "end"):
            self.put("\n" if "it" in found[0] or "enum" in found[0] else " ", a, end)
            return end
        part = _SUBFIGURE.match(source, end)
        if part is not None and "ref" in name.lower():
            end = part.end()
        before = self.last()
        if before and before in "([" and source[end : end + 1] in (")", "]"):
            self.unput(1)
            end += 1
            before = self.last()
        following = source[end : end + 1]
        if before in (" ", "\u00a0") and (not following or following in ".,;:!?) \n"):
            self.unput(1)
        return end

    def unput(self, count: int) -> None:
        """Takes back the `count` characters written last."""
        while count and self.pieces:
            written, a, b = self.pieces.pop()
            length = b - a if written is None else len(written)
            keep = max(0, length - count)
            count -= length - keep
            if keep:
                self.pieces.append(
                    (None, a, a + keep) if written is None else (written[:keep], a, b)
                )

    def accented(self, name: str, a: int, b: int) -> int | None:
        found = _ACCENTED.match(self.source, b)
        if found is None:
            return None
        letter = found[1] or found[2] or found[3]
        if letter == "i" and "\\" in found[0] and len(name) == 1:
            letter = "i"
        composed = unicodedata.normalize("NFC", letter + ACCENTS[name])
        self.put(composed, a, found.end())
        return found.end()

    def escape(self, a: int, b: int) -> int:
        source = self.source
        char = source[a + 1 : b]
        if char in ("(", "["):
            close = source.find("\\" + (")" if char == "(" else "]"), b, b + _MATH_LIMIT)
            if close >= 0:
                return max(self.math(b, close), close + 2)
        if char in ACCENTS and (found := _SIGNED.match(source, b)) is not None:
            composed = unicodedata.normalize("NFC", (found[1] or found[2]) + ACCENTS[char])
            if len(composed) == 1:  # else a quote that some program has escaped
                self.put(composed, a, found.end())
                return found.end()
        if char and char in "-@!":
            return b
        if char and char in "\\,;: \n\t":
            self.put(" ", a, b)
        else:
            self.put(char or "\\", a, b)
        return b

    def dollar(self, a: int, b: int) -> int:
        source = self.source
        mark = source[a:b]
        if len(mark) > 2:
            self.pieces.append((None, a, b))
            return b
        close = b
        while True:
            close = source.find(mark, close, a + _MATH_LIMIT)
            if close < 0:
                break
            if source[close - 1] != "\\":
                break
            close += 1
        if close < 0 or close == b or not _is_math(source, b, close, len(mark)):
            if len(mark) == 2 and close == b:
                return b
            self.pieces.append((None, a, b))
            return b
        return max(self.math(b, close), close + len(mark))

    def math(self, at: int, end: int) -> int:
        """Math between its signs, as text a person reads; returns where it stopped."""
        source = self.source
        depth = len(self.closing)
        while at < end:
            token = _MATH.search(source, at, end)
            if token is None:
                break
            first, last = token.span()
            if first > at:
                self.pieces.append((None, at, first))
            kind = token.lastgroup
            if kind == "command":
                at = self.named(first, last, math=True)
            elif kind == "script":
                self.put(source[first], first, last)
                at = self.group(last, last)
            elif kind == "brace":
                at = self.math_brace(first, last, depth)
            elif kind == "escape":
                char = source[first + 1 : last]
                self.put(_MATH_ESCAPES.get(char, char), first, last)
                at = self.group(last, last) if char in ("_", "^") else last
            elif kind == "odd":
                at = self.odd(first, last)
            else:
                self.put(" ", first, last)
                at = last
        if at < end:
            self.pieces.append((None, at, end))
            at = end
        del self.closing[depth:]
        return at

    def math_brace(self, a: int, b: int, depth: int) -> int:
        if self.source[a] == "{":
            self.closing.append("")
            return b
        if len(self.closing) > depth:
            written = self.closing.pop()
            if written.endswith("/"):  # of a fraction: the denominator follows
                self.put(written, a, b)
                return self.group(b, b)
            self.put(written, a, b)
        return b

    def group(self, at: int, opens: int) -> int:
        """The argument of a script or a root: in brackets unless it is a single thing."""
        if self.source[at : at + 1] != "{":
            return at
        if _SINGLE.match(self.source, at):
            self.closing.append("")
        else:
            self.put("(", opens, at + 1)
            self.closing.append(")")
        return at + 1

    def fraction(self, a: int, b: int) -> int:
        found = _DIGITS.match(self.source, b)
        if found is not None:
            self.put(f"{found[1]}/{found[2]}", a, found.end())
            return found.end()
        if self.source[b : b + 1] != "{":
            return b
        if _SINGLE.match(self.source, b):
            self.closing.append("/")
        else:
            self.put("(", a, b + 1)
            self.closing.append(")/")
        return b + 1

    def brace(self, a: int, b: int) -> int:
        char = self.source[a]
        if char == "{":
            if self.latex or _PROTECTED.match(self.source, a):
                self.closing.append("")
            else:
                self.closing.append("}")
                self.put("{", a, b)
        elif self.closing:
            self.put(self.closing.pop(), a, b)
        elif not self.latex:
            self.put("}", a, b)
        return b

    def tie(self, a: int, b: int) -> int:
        before, after = self.source[a - 1 : a] if a else "", self.source[b : b + 1]
        tied = (
            (before.isalnum() or before in (".", ",", ")", "$", "}", "’"))
            and (after.isalnum() or after in ("\\", "$", "(", "["))
            and not (before.isdigit() and after.isdigit())
        )
        self.put(" " if tied and before else "~", a, b)
        return b

    def emphasis(self, a: int, b: int) -> int:
        """A run of `*` or `_`: taken out when it is one of a pair, else a character."""
        source = self.source
        char, count = source[a], b - a
        before, after = source[a - 1 : a] if a else "", source[b : b + 1]
        may_close = bool(before) and not before.isspace()
        may_open = bool(after) and not after.isspace()
        inside = before.isalnum() and after.isalnum()
        if char == "_":
            may_close = may_close and not after.isalnum()
            may_open = may_open and not (before.isalnum() or before in _CLOSERS)
            if count > 1 and _DUNDER.match(source, a):
                may_open = False
        elif count == 1 and (before.isalnum() or before in _CLOSERS):
            may_open = False
            if inside and before.isdigit() and after.isdigit():
                may_close = False
        stack = self.opened[char]
        if may_close:
            while count and stack:
                index, left, place = stack.pop()
                if a - place > 2000:
                    stack.clear()
                    break
                used = min(left, count)
                _, x, y = self.pieces[index]
                self.pieces[index] = (char * (left - used), x, y)
                count -= used
                if left > used:
                    stack.append((index, left - used, place))
        if count:
            if may_open:
                stack.append((len(self.pieces), count, a))
            self.pieces.append((char * count, a, b))
        return b

    def quote(self, a: int, b: int) -> int:
        source = self.source
        mark = source[a:b]
        if mark == "``":
            self.quotes += 1
            self.put("“", a, b)
        elif mark == "''":
            if self.quotes:
                self.quotes -= 1
                self.put("”", a, b)
            else:
                self.pieces.append((None, a, b))
        elif (code := _CODE.match(source, a)) is not None:
            self.pieces.append((None, a + 1, code.end() - 1))
            return code.end()
        else:
            after = source[b : b + 1]
            closes = source.find("'", b, b + 200) >= 0
            self.put("‘" if closes and after and not after.isspace() else "`", a, b)
        return b

    def dash(self, a: int, b: int) -> int:
        before, after = self.source[a - 1 : a] if a else " ", self.source[b : b + 1]
        if b - a == 2 and (not before or before.isspace()) and after.isalpha():
            self.pieces.append((None, a, b))  # an option, "--fast"
        elif b - a <= 3:
            self.put("–" if b - a == 2 else "—", a, b)
        else:
            self.pieces.append((None, a, b))
        return b

    def wrap(self, a: int, b: int) -> int:
        """A hyphen at the end of a line: of the word itself, or only of the line."""
        before = _HYPHENATED.search(self.source[max(0, a - 40) : a])
        after = re.match(r"[^\W\d_]+", self.source[b : b + 40])
        if before is None or after is None or not after[0][0].islower():
            self.put("-", a, b)
            return b
        left, right = before[0].casefold(), after[0].casefold()
        if self.compounds is None:
            self.compounds = set(re.findall(r"[\w]+(?:-[\w]+)*", self.source.casefold()))
        if left + right in self.compounds:
            return b
        if len(left) < 2 or left in _COMPOUND or f"{left}-{right}" in self.compounds:
            self.put("-", a, b)
        return b

    def space(self, a: int, b: int) -> int:
        run = self.source[a:b]
        paragraph = run.count("\n") > 1 or "\u2029" in run
        if not paragraph and "\n" in run and _BULLET.match(self.source, b):
            paragraph = True
        if paragraph:
            self.opened["*"].clear()
            self.opened["_"].clear()
        self.put("\n" if paragraph else " ", a, b)
        return b

    def entity(self, a: int, b: int) -> int:
        name = "&" + (_ESCAPED_AND.sub("", self.source[a:b]) or "amp;")  # "&amp;lt;" too
        read = html.unescape(name)
        if read == name:
            self.pieces.append((None, a, b))
        else:
            self.put("".join(" " if char.isspace() else _folded(char) for char in read), a, b)
        return b

    def tag(self, a: int, b: int) -> int:
        if b - a == 1:  # <https://example.org>
            close = self.source.find(">", b, b + 600)
            if close < 0 or re.search(r"\s", self.source[b:close]):
                self.pieces.append((None, a, b))
                return b
            self.pieces.append((None, b, close))
            return close + 1
        name = self.source[a:b].strip("</> ").split()[0].casefold().rpartition(":")[2]
        if name in ("p", "br", "li", "div", "sec", "title", "list", "list-item") or name[:1] == "h":
            self.put("\n" if name != "br" else " ", a, b)
        elif name == "sup" and self.source[a + 1] != "/" and self.last().isalnum():
            self.put("^", a, b)
        return b

    def link(self, a: int, b: int) -> int:
        found = _LINK.match(self.source, a)
        if found is None:
            self.pieces.append((None, a, b))
            return b
        return max(self.read(*found.span(1)), found.end())

    def odd(self, a: int, b: int) -> int:
        self.put(_folded(self.source[a:b]), a, b)
        return b


_READ: Final[dict[str, Callable[[_Reader, int, int], int]]] = {
    name: getattr(_Reader, name) for name in _TOKEN.groupindex
}
_LETTERS = frozenset(name for name, char in SYMBOLS.items() if char.isalpha())
_PROTECTED = re.compile(r"\{[A-Za-z][\w-]{0,40}\}")
_CLOSERS = frozenset(")]}")
_DUNDER = re.compile(r"__[a-z]+__\b")
_ESCAPED_AND = re.compile(r"\A&(?:amp;)*")
_BULLET = re.compile(r"(?:[-*•‣▪]|\(?\d{1,2}[.)])[ \t]")
_UNTIDY = re.compile(r"\s\s|\A\s|\s\Z|[^\S \n]")
_IN_WORDS = re.compile(
    r"\\(?:text|mbox|math|operatorname)[a-z]{0,6}\*?\{[^{}]{0,300}\}|\\[A-Za-z]+"
)
_SPACES = re.compile(r"\s+")


def _is_math(source: str, first: int, last: int, signs: int) -> bool:
    """Whether what stands between two dollar signs is math, and no talk of money."""
    content = source[first:last]
    if "\n\n" in content or _WORDS.search(_IN_WORDS.sub("", content)):
        return False
    if "\\" in content or signs == 2 or (len(content) == 1 and content.isalpha()):
        return True
    after = source[last + 1 : last + 2]
    if content[-1].isspace() and content[0].isdigit():
        return False  # "$5 and $10"
    return not (after.isdigit() and content[0].isdigit())


def _folded(char: str) -> str:
    """One way to write a character that Unicode has several of."""
    if char in "\u00ad\u200b\u2060\ufeff":
        return ""
    if char in "\u2010\u2011\u2212":
        return "-"
    return unicodedata.normalize("NFKC", char)


def _is_tidy(text: str) -> bool:
    """Whether white space is single spaces and line feeds within, as it is nearly always."""
    if text.isprintable():  # no white space but spaces, then
        return "  " not in text and text[:1] != " " and text[-1:] != " "
    return _UNTIDY.search(text) is None


def _tidied(source: str, text: str, starts: array[int], ends: array[int]) -> Plain:
    """White space runs to one character each, none at the edges."""
    words: list[str] = []
    first, last = array("q"), array("q")
    at = 0
    for run in _SPACES.finditer(text):
        a, b = run.span()
        words.append(text[at:a])
        first.extend(starts[at:a])
        last.extend(ends[at:a])
        if a > 0 and b < len(text):
            words.append("\n" if "\n" in run[0] else " ")
            first.append(starts[a])
            last.append(ends[b - 1])
        at = b
    words.append(text[at:])
    first.extend(starts[at:])
    last.extend(ends[at:])
    return Plain(source, "".join(words), first, last)


# --- Bare words ---------------------------------------------------------------------------

_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_LABEL = re.compile(
    r"(?:\A|[.!?]\s+|\n)"
    r"(?:unlabelled|abstract|summary|introduction|context|"
    r"background(?: and (?:aims?|objectives?|purpose))?|objectives?|aims?|goals?|purpose|"
    r"hypothesis|rationale|significance|importance|motivation|design|study design|setting|"
    r"patients|participants|subjects|(?:patients|materials?) and methods?|methods?|methodology|"
    r"approach|interventions?|measurements|main outcome measures?|outcomes?|"
    r"(?:methods and |main |key )?(?:results|findings)|results and (?:discussion|conclusions?)|"
    r"discussion|(?:discussion and )?conclusions?|conclusion\(s\)|interpretation|implications)"
    r"(?:\s?:|\.(?=\s*\Z))\Z",
    re.IGNORECASE,
)
_LABEL_END = re.compile(r":|\.(?= [A-Z])")
_LABEL_LIMIT = 50  # characters
_TAIL = re.compile(
    r"\s*(?:(?:copyright|\(c\))\s+(?:©|\(c\)|[12][0-9]{3}|the author|by )|copyright ?[©(]|©|"
    r"all rights reserved|published by elsevier).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_TAIL_LIMIT = 300  # characters; a copyright line is short and last


def _without_labels(plain: str) -> str:
    kept: list[str] = []
    begun = 0
    for mark in _LABEL_END.finditer(plain):
        end = mark.end()
        if not plain[end - 3 : end - 2].isalpha():
            continue
        label = _LABEL.search(plain[max(begun, end - _LABEL_LIMIT) : end])
        if label is not None:
            kept.append(plain[begun : end - len(label[0])])
            begun = end
    return " ".join([*kept, plain[begun:]]) if kept else plain


def normalize(plain: str) -> str:
    """The bare words of a plain text, joined by one space; "" where there are none.

    Case, punctuation, accents, ligatures and other ways to write a letter are folded (NFKD),
    section labels ("Methods:") and a copyright line at the end are left out. Letters of every
    script stay. Two texts with the same result say the same.
    """
    head, tail = plain[:-_TAIL_LIMIT], plain[-_TAIL_LIMIT:]
    cut = _TAIL.search(tail)
    if cut is not None and (head or cut.start() > 0):
        plain = head + tail[: cut.start()]
    plain = _without_labels(plain)
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", plain)))
    return " ".join(_WORD.findall(plain.casefold()))
