"""Words: what each word of a text tells by itself, whatever stands around it.

In: a text and the known names. Out: `Told`, the places that the other modules look at more closely:
tokens with a capital or a digit in them, and words with which something may begin. A word is what
stands between two spaces. What it tells is remembered, since most words are met again and again
and most tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, NamedTuple

from loader.model import MentionKind
from loader.names.acronyms import CAPITALS
from loader.names.coined import SIGNS
from loader.names.lexicon import Known, Lexicon, known_names
from loader.symbols import words as listed

_KEPT: Final = 50_000  # words that are remembered
_LONGEST_KEPT: Final = 60  # characters of such a word

# from the first capital or digit of a token on; what stands before it is added by `_tokens`
_TOKEN: Final = re.compile(r"[A-ZΑ-Ω\d][\w.+#*’'&^@·×‑-]*")
_NUMBER: Final = re.compile(
    r"[\d.,×]+-[A-Z]+|[\d.,×]+(?:[KkMBGTx+%]|[kKMGT]B|st|nd|rd|th|D|-bit|-shot|-layer|-step|s|ms|"
    r"[kMGT]?Hz|[kMG]bps|[mnµ]m|[mk]?W|fps)*"
)
_CODE: Final = re.compile(
    r"(?:W\d+)?A\d+(?:KV\d+)?|W\d+(?:A\d+)?(?:KV\d+)?|\w+@\w+|PC\d|[A-Z]\d|"
    r"(?:[Tt]op|[Rr]ank|BLEU|ROUGE|Recall|Precision|Hits?|Pass|F|SER)-?(?:\d+|[A-Z])"
)
_SMALL_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LONGEST: Final = 80  # characters of a token
_GLUED: Final = re.compile(r"\.[A-Z][a-z]")  # a sentence ends and the next begins without a space
_JOINS: Final = frozenset("-‑.’'^@·×+")
ODD: Final = re.compile(
    r"[A-Z]{2}|[a-z][A-Z]|[A-Z]-?\d|[a-z]{2}\d|\d-?[A-Z]|[A-Z][A-Za-z]*[-+](?:[a-z]+-)?[A-Z]|"
    r"[a-z]{2}-\d"
    r"|^[a-zα-ω]-[A-Z]"
)
AFFIX: Final = re.compile(
    r"[-‑](?:aligned|assisted|augmented|aware|based|bench|centric|class|compatible|derived|driven"
    r"|enabled"
    r"|enhanced|family|finetuned|fine-tuned?|free|generated|guided|induced|informed|inspired|"
    r"level|like"
    r"|only|powered|pretrained|pre-trained|quantized|related|specific|style|trained|tuned|type|"
    r"distilled)$"
)
CAPITAL: Final = re.compile(
    r"[A-Z](?:[a-z]+|[A-Z]*)(?:[’'‑-](?:[A-Z][a-z]+|[a-z]+))*|[A-Z]{2,}-[A-Z][a-z]+"
)
_BEGINS: Final = re.compile(r"(?<![\w-])(?=[^\s-])")  # where a name in small letters may begin
_STEM_END: Final = re.compile(r"(?:[-‑.]|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z]))")
NO_NAME: Final = listed(
    "A After All Although An And As At Both But By Code Despite Due During Each Even "
    "Extensive Existing Figure Finally First For From Further Given Here How However I If "
    "Importantly In It Its Key Many Moreover More Most No Notably Of On Once One Our Prior "
    "Recent Results Second See Section Since So Some Specifically Such Surprisingly Table "
    "That The Their Then There These They Third This Those Through Thus To Today Together Two "
    "Under Unlike Using We What When Where Whereas Whether Which While Why With Without Yet"
)


class Shape(NamedTuple):
    """What the form of a token tells: a plain capitalised word, a number, a field, a known name,
    an odd spelling, the beginning of a phrase, or nothing."""

    what: Literal["capital", "number", "field", "known", "odd", "phrase", "none"]
    name: str  # in the singular, without what is glued to it
    length: int  # characters of the token that the name takes up
    kind: MentionKind | None = None
    affix: bool = False  # "LSTM-based"
    titled: bool = False  # written as in a title


class Token(NamedTuple):
    """A token of a word, with its place in the word."""

    text: str
    start: int
    end: int
    known: tuple[Known, ...]  # the known names that begin with it
    shape: Shape


class _Word(NamedTuple):
    tokens: tuple[Token, ...]
    capitals: tuple[tuple[int, int], ...]
    signs: tuple[tuple[int, int, str], ...]  # where it must stand, of which rule
    techniques: tuple[tuple[int, int, str], ...]  # how far behind one of which letters must stand


class Told(NamedTuple):
    """What the words of a text tell, in its order."""

    tokens: list[tuple[int, Token]]  # each with the place of its word
    capitals: list[tuple[int, int]]  # tokens with two capitals that may be short forms
    signs: list[tuple[int, int]]  # of the rules of `coined`: place, number of the rule
    techniques: list[int]  # where a name in small letters may begin


def read(plain: str) -> Told:
    """What the words of `plain` tell. LoadError where `names.yml` is broken."""
    told = Told([], [], [], [])
    all_tokens, all_capitals, all_signs, all_techniques = told
    words = _words()
    written = plain.split(" ")
    at = 0
    for text, known in zip(written, map(words.known.get, written), strict=True):
        word = words.learn(text) if known is None else known
        if word:
            tokens, capitals, signs, techniques = word
            for token in tokens:
                all_tokens.append((at, token))
            for start, end in capitals:
                all_capitals.append((at + start, at + end))
            for offset, rule, sign in signs:
                if at + offset >= 0 and plain.startswith(sign, at + offset):
                    all_signs.append((at + offset, rule))
            for offset, behind, letters in techniques:
                if plain[at + behind : at + behind + 1] in letters:
                    all_techniques.append(at + offset)
        at += len(text) + 1
    return told


@cache
def _words() -> _Words:
    return _Words(known_names())


class _Words:
    """What each word tells, if it tells anything."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.known: dict[str, _Word | tuple[()]] = {}
        self._lexicon = lexicon
        self._signs = [_Sign(rule, sign) for rule, signs in enumerate(SIGNS) for sign in signs]

    def learn(self, text: str) -> _Word | tuple[()]:
        word = _Word(
            tuple(
                token for place in _tokens(text) if (token := self._token(text, *place)) is not None
            ),
            tuple(m.span() for m in CAPITALS.finditer(text) if _beside_mark(text, *m.span())),
            tuple(
                (at - len(sign.front), sign.rule, sign.text)
                for sign in self._signs
                for at in sign.places(text)
            ),
            tuple(self._techniques(text.lower())),
        )
        kept = word if any(word) else ()
        if len(text) <= _LONGEST_KEPT:
            if len(self.known) >= _KEPT:
                self.known.clear()
            self.known[text] = kept
        return kept

    def _token(self, text: str, start: int, end: int) -> Token | None:
        """The token, None where nothing can come of it."""
        written = text[start:end]
        known = self._lexicon.names.get(written, ())
        form = shape(written, self._lexicon)
        number = form.what == "number" and not (start and text[start - 1] in "/’'")
        if len(written) < 4 and written in NO_NAME:
            return None
        if not known and (number or form.what == "none"):
            return None
        return Token(written, start, end, known, form)

    def _techniques(self, text: str) -> Iterator[tuple[int, int, str]]:
        for begins in _BEGINS.finditer(text):
            start = begins.start()
            end = text.find("-", start) if "-" in text else -1
            follows = self._lexicon.firsts.get(text[start:end] if end > 0 else text[start:], "")
            if self._lexicon.alone.match(text, start) or (
                end > 0 and text[end + 1 :][:1] in follows
            ):
                yield start, start, text[start] + text[start].upper()
            elif follows and end < 0:
                yield start, len(text) + 1, follows


class _Sign:
    """A sign of a rule, and the word of it by which it is found: "of" stands behind "notion"."""

    def __init__(self, rule: int, text: str) -> None:
        self.rule, self.text = rule, text
        self._word = max(text.split(" "), key=len)
        self.front, _, self._rest = text.partition(self._word)

    def places(self, word: str) -> Iterator[int]:
        """Where in `word` the word of the sign stands such that the others may stand around it."""
        at = word.find(self._word)
        while at >= 0 and not (self.front and at):
            if not self._rest or at + len(self._word) == len(word):
                yield at
            at = word.find(self._word, at + 1)


def _beside_mark(word: str, start: int, end: int) -> bool:
    """Whether a comma, a dash or a word like "called" may stand in front of a token or behind."""
    return (
        start == 0
        or word[start - 1] == "—"
        or word[end:] in ("", ",", ":", ";")
        or word[end] == "—"
    )


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """Where the tokens are that have a capital or a digit in them."""
    behind = 0
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if start < behind:
            continue
        if start > behind and text[start - 1] != "(":
            while start > behind and ((c := text[start - 1]).isalnum() or c in _JOINS):
                start -= 1
            while not text[start].isalnum():
                start += 1
        written = token[0]
        if "." in written and (glued := _GLUED.search(written)):
            end = token.start() + glued.start()
        while text[end - 1] in ".-‑’'&^@·×":
            end -= 1
        behind = end
        if end - start <= _LONGEST:
            yield start, end


def shape(text: str, lexicon: Lexicon) -> Shape:
    """What the form of the token `text` tells where it is no known name of its own."""
    if text[1:].islower() and text.isalpha() and text[0].isupper() and text not in lexicon.fields:
        return Shape("capital", text, len(text))  # nothing unusual, as most tokens
    if text[0].isdigit() and (text.isdigit() or _NUMBER.fullmatch(text)):
        return Shape("number", text, len(text))
    text = text[:-2] if text.endswith(("'s", "’s")) else text
    found = AFFIX.search(text) if "-" in text or "‑" in text else None
    affix = found is not None
    text = text[: found.start()] if found else text
    length = len(text)
    single = text[:-1] if length > 2 and text[-1] == "s" and text[-2].isupper() else text
    if text in lexicon.fields or single in lexicon.fields or _is_compound(text, lexicon):
        return Shape("field", single, length, None, affix)
    for form in (text, single, text[:-1] if text.endswith("s") else text):
        for known in lexicon.names.get(form, ()):
            if not known.rest:
                return Shape("known", form, length, known.kind, affix)
    if ODD.search(text):
        kind = None if text.isalpha() else _family(text, lexicon)
        return Shape("odd", single, length, kind, affix, CAPITAL.fullmatch(text) is not None)
    return Shape("phrase" if not affix and text[0].isupper() else "none", text, length)


def _is_compound(text: str, lexicon: Lexicon) -> bool:
    """`multi-LLM`, `RKHS-gradient`, `LLM-RL`: a class with a common word or two classes; `W4A8`."""
    if "-" not in text:
        tail = text.lstrip(_SMALL_LETTERS) if text[0].islower() else ""
        return tail in lexicon.fields or (not text.isalpha() and _CODE.fullmatch(text) is not None)
    if _CODE.fullmatch(text):
        return True
    parts = text.split("-")
    common = _is_common(parts[0])
    for part in parts:
        known = part in lexicon.fields or part.removesuffix("s") in lexicon.fields
        if not (known or _is_common(part)):
            return common and len(parts) == 2 and parts[1].isupper()
    return True


def _is_common(part: str) -> bool:
    return len(part) > 2 and part.islower() and part.isalpha()


def _family(text: str, lexicon: Lexicon) -> MentionKind | None:
    """`model` where `text` is a version of a known model: Qwen2.5-Math-7B."""
    for cut in _STEM_END.finditer(text):
        if text[: cut.start()] in lexicon.families:
            return "model"
    return None
