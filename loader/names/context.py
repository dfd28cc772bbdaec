"""Context: what the words around a stretch of text say about it.

In: a plain text and a place in it. Out: the cue in front of the place ("we propose", "called",
"such as"), the continuation behind it, and the head noun of a phrase ("a cross-modal framework").

Only words are looked up, from the place outwards, so the cost does not grow with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from loader.model import NameKind, Role, Span
from loader.names.cues import (
    ACTS,
    ADJECTIVES,
    ADVERBS,
    AFTER_HEAD,
    AGAINST,
    AS_NAMING,
    AUTHORS,
    CLAUSE_WORDS,
    COMPARES,
    COUNTS,
    EARLIER,
    EMBODIED,
    ENDINGS,
    EXTENDED,
    GATHER,
    HEADS,
    HEART,
    IDENTIFY,
    INTRODUCE,
    JOINING,
    MADE,
    MAKING,
    NAMING,
    OTHER,
    OURS,
    PARTS,
    PROPOSED,
    RESULTING,
    SAYING,
    THESE,
    TRAINS,
    USE,
    WE_NAME,
    WEAK_HEADS,
    WORKS,
)

Cue = Literal["intro", "named", "our", "trained", "apposed", "used", "other", "new", "one", "none"]

_REACH: Final = 180  # characters in front of a place that are read
_WORD: Final = re.compile(r"[\w-]+")
_BEHIND: Final = re.compile(
    r"(?P<bracket>\s?\()|[\"”’'*]?(?:(?P<mark>,| –| —|—| --| -|:)?\s+|(?P<dash>—|–|---))"
    r"(?P<word>[\w-]+)(?:\s+(?P<next>[\w-]+))?"
)
WE_MADE: Final = re.compile(
    r",? (?:which|that) we (?:here |also )?(?:introduce|propose|present|develop|design|release)\b"
)
_PASSIVE: Final = re.compile(rf" (?:then |here |further |also )?(?:{'|'.join(sorted(PROPOSED))})\b")
# what stands behind a verb rather than behind a noun in the plural: "X retains 4.8%"
_OBJECT: Final = re.compile(
    r" (?:(?:an?|the|its|their|both|all|each|only|up|more|fewer|less|better|any|several|two|three|"
    r"high|higher|low|lower|no|all|comparable|competitive|similar|superior|new|with|from|by)\b|[\d\"“+-])"
)


_RESULTS: Final = RESULTING | {"method", "model", "system", "approach"}
_VERBS: Final = INTRODUCE | MADE
_ITEM: Final = re.compile(
    r"(?:[:;,]|\band)\s+(?:\(?(?:[ivx]+|\d|[a-d])[).]\s*)?(?:an?\s|the\s|its\s)?[\"“'‘*]*$"
)


class Abstract:
    """A plain text with its sentences and their roles.

    What stands in front of a place and behind it is looked up once, whoever asks.
    """

    def __init__(self, plain: str, sentences: Sequence[Span], roles: Sequence[Role]) -> None:
        self.plain, self.sentences = plain, sentences
        missing: list[Role] = ["other"] * max(1, len(sentences) - len(roles))
        self.roles = [*roles, *missing]
        self.starts = [span.start for span in sentences]
        self._fronts: dict[int, Around] = {}
        self._behinds: dict[int, Behind] = {}

    def with_roles(self, roles: Sequence[Role]) -> Abstract:
        """The same abstract with other roles."""
        other = Abstract(self.plain, self.sentences, roles)
        other._fronts, other._behinds = self._fronts, self._behinds
        return other

    def sentence(self, at: int) -> int:
        """The number of the sentence in which place `at` is."""
        return bisect_right(self.starts, at, 1) - 1

    def role(self, at: int) -> Role:
        """The role of the sentence in which place `at` is."""
        return self.roles[bisect_right(self.starts, at, 1) - 1]

    def span(self, at: int) -> tuple[int, int]:
        """Where the sentence of place `at` opens and stops."""
        return self.sentences[self.sentence(at)] if self.sentences else (0, len(self.plain))

    def in_front(self, at: int) -> Around:
        """The cue in front of place `at` in its sentence."""
        found = self._fronts.get(at)
        if found is None:
            found = self._fronts[at] = _in_front(self.plain, self.span(at)[0], at)
        return found

    def behind(self, at: int) -> Behind:
        """What follows place `at`."""
        found = self._behinds.get(at)
        if found is None:
            found = self._behinds[at] = _behind(self.plain, at)
        return found


class Around(NamedTuple):
    """The cue in front of a place, the kind its words tell, and whether the authors speak."""

    cue: Cue
    kind: NameKind | None
    firm: bool = False  # "we propose", "this paper introduces", "our": whatever the role
    one: bool = False  # "a", "an"


NOTHING: Final = Around("none", None)


class Behind(NamedTuple):
    """What follows a place: a bracket, a head noun, an apposition, a verb, or something else."""

    what: Literal["bracket", "noun", "apposed", "acts", "introduced", "none"]
    kind: NameKind | None
    end: int


# what a word in small letters can tell in front of a name, so that one look-up tells it all
_FRAMES, _SAYS, _HEADS, _USES, _DESCRIBES = 1, 2, 4, 8, 16
_FRAMING: Final = WORKS | {"our", "proposed", "ours:", "of", "and"}
_ENDINGS: Final = (*ENDINGS, "ly")


@lru_cache(maxsize=8192)
def _tells(word: str) -> int:
    return (
        _FRAMES * (word in _FRAMING)
        | _SAYS * (word in SAYING)
        | _HEADS * (word in HEADS)
        | _USES * (word in USE)
        | _DESCRIBES * (word in ADJECTIVES or "-" in word or word.endswith(_ENDINGS))
    )


@lru_cache(maxsize=8192)
def _by_last(word: str) -> Around | None:
    """The cue where the word right in front of a name decides it, as "over" does."""
    small = word.lower()
    if len(small.split()) != 1 or small[-1] in ",:—–" or small in ("--", "-", "a", "an"):
        return None
    if _tells(small) or word[0].isupper():
        return None
    return Around("other" if small in OTHER else "none", None)


def _in_front(plain: str, opens: int, at: int) -> Around:
    """The cue in front of place `at` in a sentence that opens at `opens`."""
    text = plain[max(opens, at - _REACH) : at].rstrip("\"“‘'`*( ")
    if decided := _by_last(text[text.rfind(" ") + 1 :]):
        return decided
    written, words = text.split(), text.lower().split()
    if not words:
        return NOTHING
    last = words[-1]
    if last[-1] in ",:—–" or last in ("--", "-"):
        return _after_mark(words)
    place = final = len(words) - 1
    kind: NameKind | None = None
    ours = one = new = joined = False
    for _ in range(8):
        if place < 0:
            break
        word = words[place]
        tells = _tells(word)
        if tells & _FRAMES:
            before = words[place - 1] if place else ""
            if word == "proposed" and before in EARLIER:
                return Around("other", kind)
            if word in ("our", "proposed", "ours:"):
                ours = True
                place -= 1
                continue
            if word in WORKS and place > 1 and before in ("this", "the"):
                if words[place - 2] != "in":
                    return Around("none", kind)
                place -= 3  # "we propose in this paper the X"
                continue
            if word in ("of", "and") and place > 1 and before in MAKING:
                if words[place - 2] not in ("the", "and", ","):
                    return Around("none", kind)
                place -= 2  # "we present the design and implementation of X"
                continue
        capital = written[place][0].isupper()
        if capital and place < final and word[-1] == ",":
            break  # "we present X, an OpenGL simulator"
        if tells & _SAYS and (said := _said(words, place, kind, one)) is not None:
            return said
        if tells & _HEADS and kind is None and place == final:
            kind = HEADS[word]
        elif tells & _USES:
            # "the framework uses a Late Injection strategy" names a part, "we use" does not
            if word in TRAINS and place == final:
                return Around("trained", None, _speaks(words, place))
            third = one and word.endswith("s") and (not place or words[place - 1] != "we")
            return Around("one" if third else "used", None, False, one)
        elif word in ("a", "an"):
            one = True
        elif tells & _DESCRIBES or capital:
            new = new or word in ("new", "novel")
        elif ours:
            return Around("our", kind, True)
        elif one:
            joined = word in JOINING
            break
        else:
            return Around("other" if word in OTHER else "none", kind)
        place -= 1
    if ours:
        return Around("our", kind, True)
    if one:
        return Around("new" if new else "one", kind, False, not joined)
    return Around("none", kind)


def _said(words: Sequence[str], place: int, kind: NameKind | None, one: bool) -> Around | None:
    """The cue that the word at `place` gives if it introduces or names what follows it."""
    word, before = words[place], words[place - 1] if place else ""
    if word in INTRODUCE and not (word in HEADS and before != "we"):
        kind = kind or ("dataset" if word in GATHER else "concept" if word in IDENTIFY else None)
        return Around("intro", kind, _speaks(words, place), one)
    if word in HEADS:
        return Around("used", None) if before in ("we", "to") else None  # "we benchmark X"
    if word in NAMING and not AGAINST.isdisjoint(words[:place]):
        return Around("other", None)
    if (
        word in NAMING
        or (word in WE_NAME and (before == "we" or (before == "and" and _is_ours(words))))
        or (word == "as" and before != "such" and _near(words, place, 7, AS_NAMING))
    ):
        return Around("named", kind or _kind_before(words, place), _is_ours(words))
    if word in ("it", "this", "these", "them") and before in WE_NAME:
        return Around("named", kind or _kind_before(words, place - 1), _is_ours(words))
    if word == "available" and before in ("make", "made"):
        return Around("intro", kind, True)
    if word == "is" and _near(words, place, len(words), HEART):
        return Around("intro", kind, _is_ours(words))  # "the core of our work is X"
    if word in ("in", "as", "by") and _near(words, place, 5, EMBODIED):
        return Around("apposed", kind, _is_ours(words))  # "we implement these ideas in X"
    if (word == "at" and before in ("arrive", "arrived")) or (word == "to" and before == "us"):
        return Around("apposed", kind, True)  # "we arrive at X", "this leads us to X"
    if word in ("in", "to") and before in ("results", "resulting", "rise", "leading"):
        return Around("intro", kind)
    if word == "to" and _near(words, place, 5, EXTENDED):
        return Around("intro", kind, _speaks(words, place - 2), one)  # "we extend Y to X"
    return None


def _near(words: Sequence[str], place: int, reach: int, sought: frozenset[str]) -> bool:
    """Whether one of `sought` is among the `reach` words in front of `place`."""
    return not sought.isdisjoint(words[max(0, place - reach) : place])


def _speaks(words: Sequence[str], place: int) -> bool:
    """Whether the authors are the subject of the verb at `place`: "we first", "this paper"."""
    reach = 8 if place and words[place - 1] == "by" else 4  # "we solve this by introducing"
    for at in range(place - 1, max(-1, place - reach - 1), -1):
        word = words[at].strip(",.")
        if word in WORKS:
            return at > 0 and words[at - 1] in THESE
        if word in AUTHORS:
            return True
    return False


def _is_ours(words: Sequence[str]) -> bool:
    """Whether the authors or something new are spoken of."""
    return not OURS.isdisjoint(words)


def _after_mark(words: list[str]) -> Around:
    """Behind a comma, colon or dash: `an efficient yet effective solution, PhaseFormer`."""
    head = words[-1].strip(",:—–-") or (words[-2] if len(words) > 1 else "")
    if head in NAMING:
        return Around("named", _kind_before(words, len(words) - 1), _is_ours(words))
    kind = HEADS.get(head)
    if any("(" in w for w in words[-3:]):
        return NOTHING
    if head in ("i.e.", "e.g.", "including", "following"):
        return Around("other", None)
    lowered = [w.strip(",:;()") for w in words]
    verbs = [i for i, w in enumerate(lowered) if w in _VERBS]
    introduced = bool(verbs) and COMPARES.isdisjoint(lowered[verbs[-1] :])
    if kind and ("our" in lowered[-4:] or (lowered[-3:-1] and RESULTING & set(lowered[-3:-1]))):
        return Around("our", kind, True)  # "our method, X", "the resulting model, X"
    if kind and words[:-1] == ["the"]:
        return Around("our", kind)  # "The method, X, is"
    firm = introduced and not AUTHORS.isdisjoint(lowered)
    if introduced and head in WEAK_HEADS:
        return Around("apposed", None, firm)
    if introduced and (kind := kind or _kind_before(words[-3:], 3)):
        return Around("apposed", kind, firm)
    return NOTHING


def _kind_before(words: Sequence[str], place: int) -> NameKind | None:
    """The kind of the nearest head noun before word number `place`."""
    for word in reversed(words[max(0, place - 9) : place]):
        kind = HEADS.get(word.strip(",:;"))
        if kind is not None:
            return kind
    return None


def _behind(plain: str, at: int) -> Behind:
    """What follows place `at`."""
    found = _BEHIND.match(plain, at)
    if found is None:
        return Behind("none", None, at)
    bracket, mark, dash, word, following = found.groups("")
    if bracket:
        return Behind("bracket", None, found.end())
    word, following = word.lower(), following.lower()
    if mark or dash:
        if word in ("a", "an", "our", "one") or (
            word == "the" and following in ("first", "largest", "only")
        ):
            return Behind("apposed", None, found.start("word"))
        if word == "the" and following in _RESULTS:
            return Behind("apposed", None, found.start("next"))
        if word in ("which", "that") and following == "we" and WE_MADE.match(plain, at):
            return Behind("introduced", None, found.end())  # "X, which we introduce"
        if word in ("which", "that") and following:
            return Behind("apposed" if following in ("is", "serves") else "acts", None, found.end())
        if word in ("is", "are") and following in PROPOSED:
            return Behind("introduced", None, found.end())  # "a new method, X, is proposed"
        if mark == "," and word in ("is", "was"):
            return Behind("acts", None, found.end("word"))  # "our method, X, is a network"
        return Behind("none", None, at)
    if word in HEADS and word != "features":
        if following in ("is", "are") and _PASSIVE.match(plain, found.end()):
            return Behind("introduced", HEADS[word], found.end("word"))
        return Behind("noun", HEADS[word], found.end("word"))
    if following in HEADS and word not in OTHER and word not in ACTS:
        return Behind("noun", HEADS[following], found.end())
    if word in ("is", "are", "was") and following in PROPOSED:
        return Behind("introduced", None, found.end())
    if word in ACTS:
        return Behind("acts", None, found.end("word"))
    if (word[-1] == "s" and _OBJECT.match(plain, found.end("word"))) or (
        following[-1:] == "s" and (word in ADVERBS or word.endswith("ly"))
    ):
        return Behind("acts", None, found.end("word"))
    return Behind("none", None, at)


def head(plain: str, at: int, stop: int) -> NameKind | None:
    """The kind told by the noun phrase that begins at `at`: "a cross-modal ... framework that"."""
    kind: NameKind | None = None
    for count, match in enumerate(_WORD.finditer(plain, at, min(stop, at + 140))):
        word = match[0].lower()
        if count > 1 and word in CLAUSE_WORDS:
            break
        if word in HEADS:
            kind = None if word in WEAK_HEADS else HEADS[word]
        elif kind is not None and word in AFTER_HEAD:
            break  # "a network trained on", "a benchmark suite and dataset"
        if match.end() < len(plain) and plain[match.end()] in ",.;:()" and kind is not None:
            break
    return kind


def proposed(plain: str, opens: int, at: int) -> tuple[NameKind | None] | None:
    """Whether the authors propose something in front of `at`, and the kind of its head noun."""
    words = [w.strip(",(").lower() for w in plain[max(opens, at - _REACH) : at].split()]
    for place in range(len(words) - 1, 0, -1):
        if words[place] in INTRODUCE and words[place - 1] in AUTHORS:
            heads = [HEADS[w] for w in words[place:] if w in HEADS]
            return (heads[0] if heads else None,)
    return None


def listed(plain: str, opens: int, at: int) -> NameKind | None:
    """What is announced where place `at` opens an item of a list: "two key parts: X and Y",
    "we propose two samplers for rivers: X and Y"."""
    colon = plain.rfind(":", max(opens, at - 400), at)
    if colon < 0:
        return None
    item = _ITEM.search(plain, max(colon, at - 24), at)
    if item is None:
        return None
    announced = [w.strip(",()") for w in plain[max(opens, colon - 110) : colon].lower().split()]
    if any(word in PARTS for word in announced[-7:]):
        return "method"
    verb = next((i for i, w in enumerate(announced) if w in INTRODUCE or w in NAMING), -1)
    if verb < 0 or verb < len(announced) - 14 or any(w in USE for w in announced[verb:]):
        return None
    several = verb == len(announced) - 1 or any(w in COUNTS for w in announced[verb + 1 :])
    phrase = announced if verb == len(announced) - 1 else announced[verb + 1 :]
    heads = [HEADS[w] for w in phrase if w in HEADS and w[-1] == "s" and w[-2] != "s"]
    return heads[0] if several and heads else None
