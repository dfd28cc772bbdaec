"""The regular forms of an English word: outperform, outperforms, outperformed, outperforming.

In: a word in lower case. Out: the other words that may be it, by spelling alone. Some are no
words at all (`modeles`): whoever looks for them finds nothing more by them.
"""

from __future__ import annotations

import re
from typing import Final

SHORTEST: Final = 4  # letters; shorter words have forms that are other words

# what only looks like a form of something else
_ALONE: Final = frozenset(
    "news during being series species nothing something anything everything hundred".split()
)
_WORD = re.compile(rf"[a-z]{{{SHORTEST},30}}")
_VOWEL = re.compile("[aeiouy]")
_HISSES = ("s", "x", "z", "ch", "sh")
# one consonant behind one vowel is doubled: plan, planned
_DOUBLING = re.compile(r"(?:[^aeiou]|qu)[aeiou][bdfgklmnprtvz]$")
_DOUBLED = re.compile(r"([bdgklmnprtvz])\1$")


def forms(word: str) -> tuple[str, ...]:
    """The other regular forms of a word; none where it is not of English letters, or is short.

    Both ways: of `improve` and of `improves`. Plurals and the forms of verbs with -s, -ed and
    -ing; no irregular ones, no other endings. At most about twenty, in constant time.
    """
    if not _WORD.fullmatch(word) or word in _ALONE:
        return ()
    found: dict[str, None] = {}
    for base in _bases(word):
        found.update(dict.fromkeys((base, *_of_base(base))))
    found.pop(word, None)
    return tuple(found)


def _bases(word: str) -> list[str]:
    """What a word may be a form of."""
    if word.endswith("ing") and _VOWEL.search(word[:-3]):
        return _stems(word[:-3])
    if word.endswith("ied"):
        return [word[:-3] + "y"]
    if word.endswith("ed") and not word.endswith("eed") and _VOWEL.search(word[:-2]):
        # a short one may be a verb itself: embed
        return [*_stems(word[:-2]), *([word] if len(word) < 6 else [])]
    if word.endswith("ies"):
        return [word[:-3] + "y"]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word.endswith("es") and word[:-2].endswith(_HISSES):
            return [word[:-2], word[:-1]]
        return [word[:-1]]
    return [word]


def _stems(stem: str) -> list[str]:
    """The verbs that lose their ending before -ed and -ing, or not."""
    if len(stem) < 3:
        return [stem + "e"] if len(stem) == 2 else []
    if _DOUBLED.search(stem) and len(stem) > 3:
        return [stem, stem[:-1]]
    if _DOUBLING.search(stem) and len(_VOWEL.findall(stem)) == 1:
        return [stem + "e"]  # of rat it would be ratting, so this is rate
    return [stem, stem + "e"]


def _of_base(base: str) -> list[str]:
    if base.endswith("ing"):
        return [base + "s"]
    if base.endswith("y") and base[-2] not in "aeiou":
        return [base[:-1] + "ies", base[:-1] + "ied", base + "ing"]
    several = base + ("es" if base.endswith(_HISSES) else "s")
    if base.endswith("e"):
        short = base if base.endswith(("ee", "oe", "ye")) else base[:-1]
        return [several, base + "d", short + "ing", *([short + "ings"] if len(short) > 3 else [])]
    made = [several, base + "ed", base + "ing", base + "ings"]
    if _DOUBLING.search(base):
        made += [base + base[-1] + ending for ending in ("ed", "ing", "ings")]
    return made
