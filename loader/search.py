"""What is searched, and what a visitor types made into a query that never fails.

In: the texts of a paper, or a query as typed. Out: the text that SQLite's FTS5 indexes
(tokenizer `unicode61 remove_diacritics 2`), or an expression for its `match`; the words found,
marked in a text; fields such as `dataset:VQAv2` as conditions; "did you mean".

Both sides are treated the same way: compatibility forms are folded (`ﬁ`, full-width letters,
mathematical letters), and Chinese, Japanese and Korean characters stand apart, because
unicode61 takes a run of them as one word.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, get_args

from rapidfuzz.distance import OSA

from loader.forms import forms
from loader.model import CLAIM_KINDS, MentionKind

# a query is cut here: FTS5 refuses expressions that are nested too deeply
MOST_TERMS: Final = 64
MOST_CHARACTERS: Final = 4_000
MOST_FIELDS: Final = 8
MOST_FORMED: Final = 12  # words of a query whose other forms are found too; more were pasted

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


class Term(NamedTuple):
    """A word or phrase that is looked for; `text` is folded, `star` finds what begins so."""

    text: str
    star: bool
    excluded: bool
    forms: tuple[str, ...] = ()  # other forms of the word, that are found as well


class Field(NamedTuple):
    """`dataset:VQAv2` as typed: where to look, and for what."""

    name: str
    value: str
    excluded: bool

    def __str__(self) -> str:
        value = f'"{self.value}"' if " " in self.value else self.value
        return f"{'-' * self.excluded}{self.name}:{value}"


class Typed(NamedTuple):
    """A query as typed, taken apart: words for `fts_query`, and fields."""

    words: str
    fields: tuple[Field, ...]


class Stretch(NamedTuple):
    """Some characters of a text, and whether they are what was looked for."""

    text: str
    found: bool


def search_text(*parts: str | None) -> str:
    """The text to index for `parts` (title, abstract, names ...), one a line; None is left out."""
    return "\n".join(_folded(part) for part in parts if part)


def fts_query(typed: str, some: bool = False) -> str:
    """The FTS5 expression for a query as a person types it. Never gives a syntax error.

    Words are all required (with `some`, one is enough), wherever they stand, in any regular form
    (`improve`, `improves`), what is typed weighing most; `"several words"` is a phrase; a
    trailing `*` finds what begins so; `-word` and `-"a phrase"` exclude. Everything else is
    literal: `NOT`, `foo:bar` and `GPT-4.1` are looked for as they are, their punctuation as a gap
    between words that follow each other. What has no letter or digit is left out. Where nothing
    is left, or only exclusions, the result is `NOTHING`, which finds nothing. More than
    `MOST_TERMS` terms or `MOST_CHARACTERS` characters are cut. Linear time.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    for term in terms(typed):
        (unwanted if term.excluded else wanted).append(_quoted(term))
    if not wanted:
        return NOTHING
    required = (" OR " if some else " AND ").join(wanted)
    return f"({required}) NOT ({' OR '.join(unwanted)})" if unwanted else required


def only_without(typed: str) -> str | None:
    """The FTS5 expression for what a query leaves out, where it wants no word; else None."""
    found = terms(typed)
    if not found or not all(term.excluded for term in found):
        return None
    return " OR ".join(_quoted(term) for term in found)


def _quoted(term: Term) -> str:
    if not term.forms:
        return f'"{term.text}"*' if term.star else f'"{term.text}"'
    # each that is found adds to the rank, so what was typed is said twice
    return "(" + " OR ".join(f'"{word}"' for word in (term.text, term.text, *term.forms)) + ")"


def terms(typed: str) -> list[Term]:
    """The words and phrases of a query as typed, `MOST_TERMS` at most."""
    found: list[Term] = []
    tidy = _UNUSABLE.sub(" ", typed[:MOST_CHARACTERS]).translate(_QUOTES)
    for match in _TERM.finditer(tidy):
        word = match["word"]
        if word is None:
            excluded, text, star = match["no"], match["phrase"], match["phrase_star"]
        else:
            # "-1" and "--x" exclude too: a leading hyphen is never part of a word
            excluded, text, star = word[:1] == "-", word.lstrip("-"), word[-1:] == "*"
        text = " ".join(_folded(text).replace('"', " ").split())
        if any(character.isalnum() for character in text):
            bare = word is not None and not star and not text.isupper()
            other = forms(text.lower()) if bare else ()
            found.append(Term(text, bool(star), bool(excluded), other))
        if len(found) >= MOST_TERMS:
            break
    if len(found) > MOST_FORMED:
        found = [term._replace(forms=()) for term in found]
    return found


def _folded(text: str) -> str:
    if text.isascii():
        return text
    return _CJK.sub(r" \g<0> ", unicodedata.normalize("NFKC", text))


# -- fields -------------------------------------------------------------------------------


class _Source(NamedTuple):
    """Where papers have a field: `paper` of the rows of `source` with `where`, about `:value`.

    `shown` is what such a row says, `words` the name that is looked for in it (else the value).
    """

    paper: str
    source: str
    where: str
    shown: str
    words: str = "null"


def _holds(column: str) -> str:
    """Where `column` has the value of a name; `_condition` writes it for the words of a value."""
    return f"HOLDS({column})"


_HOLDS = re.compile(r"HOLDS\(([^()]+)\)")


def _condition(sql: str, field: Field) -> str:
    """The SQL with `HOLDS` written out: names are one name with and without hyphens and blanks.

    Of several words each may also begin a word of the name, in any order.
    """
    several = range(1, len(_words_of(field)) + 1) if len(_words_of(field)) > 1 else ()

    def holds(match: re.Match[str]) -> str:
        column = match[1]
        joined = f"replace(replace({column}, '-', ''), ' ', '') like {{}} escape '\\'"
        if not several:
            return joined.format(":value")
        spaced = f"' ' || replace({column}, '-', ' ')"
        each = " and ".join(f"{spaced} like :value ->> {n} escape '\\'" for n in several)
        return f"({joined.format(':value ->> 0')} or ({each}))"

    return _HOLDS.sub(holds, sql)


def _words_of(field: Field) -> list[str]:
    words = field.value.rstrip("*").replace("-", " ").split()
    return words[:MOST_FIELDS]


def _mentions(kind: str) -> _Source:
    sentence = """(select s.text from mention_places x join sentences s on s.id = x.sentence_id
        where x.mention_id = m.id order by x.start_char limit 1)"""
    where = f"m.kind = '{kind}' and {_holds('m.name')}"
    return _Source("m.paper_id", "mentions m", where, sentence, "m.name")


_EITHER = f"({_holds('n.name')} or {_holds('n.expansion')})"
_NAMED = _Source("n.paper_id", "names n", _EITHER, "n.name || coalesce(': ' || n.expansion, '')")
_FIELDS: Final = {
    "claim": (
        _Source(
            "c.paper_id",
            "claims c",
            "c.id in (select rowid from claims_fts where claims_fts match :value)",
            "c.text",
        ),
    ),
    "name": (_NAMED,),
    "dataset": (
        _mentions("dataset"),
        _NAMED._replace(where=f"n.kind in ('dataset', 'benchmark') and {_holds('n.name')}"),
    ),
    "model": (_mentions("model"),),
    "method": (_mentions("method"),),
    "topic": (
        _Source(
            "pt.paper_id",
            "paper_topics pt join topics t on t.id = pt.topic_id",
            _holds("t.term"),
            "t.term || ', because of: ' || pt.evidence",
            "t.term",
        ),
    ),
    "author": (
        _Source(
            "pa.paper_id",
            "paper_authors pa join authors a on a.id = pa.author_id",
            _holds("a.name"),
            "a.name",
        ),
    ),
    "venue": (_Source("v.id", "papers v", _holds("v.venue"), "v.venue"),),
    "year": (_Source("y.id", "papers y", _holds("y.year"), "cast(y.year as text)"),),
}
FIELDS: Final = tuple(_FIELDS)
assert set(get_args(MentionKind)) <= set(FIELDS)
_OF_KIND = _Source("c.paper_id", "claims c", "c.kind = :value", "c.text")
_PART, _PART_OF_PROSE = (
    re.compile(
        rf"(?P<no>-?)(?P<field>{'|'.join(FIELDS)}):{blank}"
        r"(?:\"(?P<quoted>[^\"]+)\"?|(?P<bare>[^\s\"]+))"
        r'|-?"[^"]*"?\*?|[^\s"]+|\s+',
        re.IGNORECASE,
    )
    for blank in (r"[^\S\n]{0,3}", "")
)
# a longer text was pasted: what stands before its colons are headings
MOST_WITH_BLANKS: Final = 12


def parse(typed: str) -> Typed:
    """Words and fields of a query as typed. What only looks like a field stays a word.

    Blanks may stand behind the colon where the query has no more than `MOST_WITH_BLANKS` words.
    """
    words: list[str] = []
    fields: list[Field] = []
    tidy = typed[:MOST_CHARACTERS].translate(_QUOTES)
    part_of = _PART if len(tidy.split()) <= MOST_WITH_BLANKS else _PART_OF_PROSE
    for part in part_of.finditer(tidy):
        value = _UNUSABLE.sub(" ", part["quoted"] or part["bare"] or "").strip()
        if part["field"] and value:
            fields.append(Field(part["field"].lower(), value, bool(part["no"])))
        else:
            words.append(part.group())
    return Typed("".join(words).strip(), tuple(fields[:MOST_FIELDS]))


# rows of these tables have the field themselves, not only their paper
_OWN: Final = {
    ("claims", "claim"): "{row} in (select rowid from claims_fts where claims_fts match :value)",
    ("names", "name"): f"({_holds('name')} or {_holds('expansion')})",
}


def field_clause(
    field: Field, column: str, parameter: str, table: str = "papers", row: str = "id"
) -> tuple[str, str]:
    """The SQL condition that the paper with its id in `column` has a field, and its parameter.

    A value is found anywhere in a name, whatever the case, hyphens and blanks; of several words
    each may begin a word of the name, in any order. `claim:` takes
    words of a claim, the last of which may go on, or a kind of claim. For `table` claims or names
    a field of their own is a condition on the row itself, whose id is in the column `row`.
    """
    kind = _kind_of(field)
    own = "kind = :value" if kind and table == "claims" else _OWN.get((table, field.name))
    if kind:
        condition = own or f"{column} in (select paper_id from paper_kinds where kind = :value)"
    else:
        rows = " union ".join(
            f"select {source.paper} from {source.source} where {source.where}"
            for source in _FIELDS[field.name]
        )
        condition = own.format(row=row) if own else f"{column} in ({rows})"
    condition = _condition(condition, field)
    if field.excluded:
        condition = f"not coalesce({condition}, 0)"
    return condition.replace(":value", f":{parameter}"), _value_of(field)


def field_evidence(field: Field) -> tuple[str, str]:
    """SQL for what shows that papers have a field, and its parameter `:value`.

    Rows are paper, text, and the name that stands in the text or NULL where that is the value.
    `:ids` is a JSON list of papers.
    """
    sources = (_OF_KIND,) if _kind_of(field) else _FIELDS[field.name]
    return " union all ".join(
        f"select {source.paper}, {source.shown}, {source.words} from {source.source} "
        f"where {source.paper} in (select value from json_each(:ids)) "
        f"and {_condition(source.where, field)}"
        for source in sources
    ), _value_of(field)


def field_words(field: Field, name: str | None = None) -> str:
    """The query that marks a field in a text: its value, or the name that was found."""
    value = (field.value.rstrip("*") if name is None else name).replace('"', " ")
    return f'"{value}"' + "*" * (name is None)


def _kind_of(field: Field) -> str | None:
    kind = field.value.lower()
    return kind if field.name == "claim" and kind in CLAIM_KINDS else None


def _value_of(field: Field) -> str:
    if field.name == "claim":
        return _kind_of(field) or fts_query(field_words(field))
    value = field.value.rstrip("*")
    joined = f"%{_literal(value.replace('-', '').replace(' ', '') or value)}%"
    words = _words_of(field)
    return json.dumps([joined, *(f"% {_literal(w)}%" for w in words)]) if len(words) > 1 else joined


def _literal(value: str) -> str:
    """A value for `like`, which means itself."""
    return re.sub(r"([\\%_])", r"\\\1", value)


# -- what was found -----------------------------------------------------------------------

_LETTER = r"[^\W_]"
_TOKEN = re.compile(rf"{_LETTER}+")


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    """A character as the tokenizer sees it: lower case, without diacritics."""
    parts = unicodedata.normalize("NFKD", character).lower()
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


def _as_indexed(text: str) -> tuple[str, list[int] | None]:
    """The text as the tokenizer sees it, and where each character stood (None: at its place)."""
    if text.isascii():
        return text.lower(), None
    plain: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for each in _plain_character(character):
            plain.append(each)
            places.append(place)
    return "".join(plain), places


@lru_cache(maxsize=64)
def _pattern(typed: str) -> re.Pattern[str] | None:
    """What finds any of the wanted terms in a text as indexed; a group a term."""
    parts = []
    for term in terms(typed):
        tokens = _TOKEN.findall(_as_indexed(term.text)[0])
        if term.excluded or not tokens:
            continue
        parts += [rf"(?<!{_LETTER}){form}(?!{_LETTER})" for form in term.forms]
        before = "" if _CJK.match(tokens[0][0]) else f"(?:(?<!{_LETTER})|(?<={_CJK.pattern}))"
        more = f"(?!{_CJK.pattern}){_LETTER}"  # of the same word
        after = "" if _CJK.match(tokens[-1][-1]) else f"(?!{more})"
        if term.star:
            after = f"(?:{more})*+"
        gaps = (
            r"[\W_]{0,9}" if _CJK.match(a[-1]) or _CJK.match(b[0]) else r"[\W_]{1,9}"
            for a, b in pairwise(tokens)
        )
        inside = "".join(t + g for t, g in zip(tokens, [*gaps, ""], strict=True))
        parts.append(before + inside + after)
    parts.sort(key=len, reverse=True)
    return re.compile("|".join(parts)) if parts else None


def spans(text: str, typed: str) -> list[tuple[int, int]]:
    """Where the words of a query stand in a text: half open, in order, apart from each other."""
    pattern = _pattern(typed)
    if pattern is None:
        return []
    plain, places = _as_indexed(text)
    found = [m.span() for m in pattern.finditer(plain)]
    if places is not None:
        found = [(places[start], places[end - 1] + 1) for start, end in found]
    return found


def marked(text: str, typed: str) -> list[Stretch]:
    """The whole text, cut where something looked for begins or ends."""
    return list(_cut(text, spans(text, typed), 0, len(text)))


def snippet(text: str, typed: str, longest: int = 320) -> list[Stretch]:
    """The part of a text with most of what was looked for, about `longest` characters."""
    found = spans(text, typed)
    if len(text) <= longest:
        return list(_cut(text, found, 0, len(text)))
    start = _densest(text, found, longest)
    end = min(len(text), start + longest)
    start = max(text.rfind(" ", 0, start) + 1, start - 30) if start else 0
    if end < len(text):
        end = max(text.rfind(" ", start, end), end - 30)
    inside = [span for span in found if start <= span[0] and span[1] <= end]
    cut = list(_cut(text, inside, start, end))
    before, after = "… " * (start > 0), " …" * (end < len(text))
    return [s for s in (Stretch(before, False), *cut, Stretch(after, False)) if s.text]


def _densest(text: str, found: list[tuple[int, int]], longest: int) -> int:
    """Where a window begins that holds most different finds, with some text before the first."""
    best, best_start, left = 0, 0, 0
    for right in range(len(found)):
        while found[right][1] - found[left][0] > longest - 60 and left < right:
            left += 1
        different = len({text[a:b].lower() for a, b in found[left : right + 1][:MOST_TERMS]})
        if different > best:
            best, best_start = different, found[left][0]
    return max(0, min(best_start - 60, len(text) - longest))


def _cut(text: str, found: list[tuple[int, int]], start: int, end: int) -> Iterator[Stretch]:
    place = start
    for left, right in found:
        if left > place:
            yield Stretch(text[place:left], False)
        if right > max(left, place):
            yield Stretch(text[max(left, place) : right], True)
            place = right
    if place < end:
        yield Stretch(text[place:end], False)


# -- did you mean -------------------------------------------------------------------------

SHORTEST: Final = 4  # letters of a word that is corrected; shorter ones are near too many


def words(typed: str) -> list[str]:
    """The single words that must be found, as the index has them, for looking them up."""
    found = []
    for term in terms(parse(typed).words):
        tokens = _TOKEN.findall(_as_indexed(term.text)[0])
        if len(tokens) == 1 and not term.excluded and not term.star:
            found.append(tokens[0])
    return list(dict.fromkeys(found))


def nearest(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The word of the vocabulary that was probably meant; None where none is near.

    `vocabulary` says how many texts have a word. One slip (a letter more, less, other or
    swapped) in up to six letters, two in longer words; of equally near ones the commonest.
    Linear in the size of the vocabulary, about 0.1 s for a million words.
    """
    if len(word) < SHORTEST:
        return None
    most = 1 if len(word) <= 6 else 2
    best: tuple[int, int, str] | None = None
    for other, count in vocabulary.items():
        if abs(len(other) - len(word)) > most or other == word:
            continue
        distance = OSA.distance(word, other, score_cutoff=most)
        if distance <= most:
            candidate = (distance, -count, other)
            best = candidate if best is None else min(best, candidate)
    return best[2] if best else None


def corrected(typed: str, vocabulary: Mapping[str, int]) -> str | None:
    """The query with each word that is not in the vocabulary replaced by the nearest there.

    None where nothing can be replaced.
    """
    new = {w: n for w in words(typed) if w not in vocabulary and (n := nearest(w, vocabulary))}
    if not new:
        return None

    def replace(match: re.Match[str]) -> str:
        return new.get(_as_indexed(match.group())[0], match.group())

    return _TOKEN.sub(replace, typed[:MOST_CHARACTERS])
