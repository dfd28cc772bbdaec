"""What is searched, and what a visitor types made into a query that never fails.

In: the texts of a paper, or a query as typed. Out: the text that SQLite's FTS5 indexes
(tokenizer `unicode61 remove_diacritics 2`), or an expression for its `match`.

Both sides are treated the same way: compatibility forms are folded (`ﬁ`, full-width letters,
mathematical letters), and Chinese, Japanese and Korean characters stand apart, because
unicode61 takes a run of them as one word.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# a query is cut here: FTS5 refuses expressions that are nested too deeply
MOST_TERMS: Final = 64
MOST_CHARACTERS: Final = 4_000

# what finds nothing, without an error
NOTHING: Final = '""'

_CJK = re.compile(
    "["
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff"
    "\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
    "]"
)
# what neither SQLite nor a page can carry: control characters and lone surrogates
_UNUSABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")
_QUOTES = str.maketrans("“”„‟«»", '""""""')
_TERM = re.compile(r'(?P<no>-?)"(?P<phrase>[^"]*)(?:"(?P<phrase_star>\*?)|$)|(?P<word>[^\s"]+)')


def search_text(*parts: str | None) -> str:
    """The text to index for `parts` (title, abstract, names ...), one a line; None is left out."""
    return "\n".join(_folded(part) for part in parts if part)


def fts_query(typed: str) -> str:
    """The FTS5 expression for a query as a person types it. Never gives a syntax error.

    Words are all required, wherever they stand; `"several words"` is a phrase; a trailing `*`
    finds what begins so; `-word` and `-"a phrase"` exclude. Everything else is literal: `NOT`,
    `foo:bar` and `GPT-4.1` are looked for as they are, their punctuation as a gap between
    words that follow each other. What has no letter or digit is left out. Where nothing is
    left, or only exclusions, the result is `NOTHING`, which finds nothing. More than
    `MOST_TERMS` terms or `MOST_CHARACTERS` characters are cut. Linear time.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    tidy = _UNUSABLE.sub(" ", typed[:MOST_CHARACTERS]).translate(_QUOTES)
    for match in _TERM.finditer(tidy):
        word = match["word"]
        if word is None:
            excluded, text, star = match["no"], match["phrase"], match["phrase_star"]
        else:
            # "-1" and "--x" exclude too: a leading hyphen is never part of a word
            excluded, text, star = word[:1] == "-", word.lstrip("-"), word[-1:] == "*"
        text = " ".join(_folded(text).replace('"', " ").split())
        if not any(character.isalnum() for character in text):
            continue
        (unwanted if excluded else wanted).append(f'"{text}"*' if star else f'"{text}"')
        if len(wanted) + len(unwanted) >= MOST_TERMS:
            break
    if not wanted:
        return NOTHING
    required = " ".join(wanted)
    return f"({required}) NOT ({' OR '.join(unwanted)})" if unwanted else required


def _folded(text: str) -> str:
    if text.isascii():
        return text
    return _CJK.sub(r" \g<0> ", unicodedata.normalize("NFKC", text))
