"""Shapes: what the form of a token tells, whatever stands around it.

In: a token with a capital or a digit in it, and the known names. Out: its `Shape`, which is
remembered, since many tokens are met again and again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from loader.model import MentionKind
from loader.names.lexicon import Lexicon, known_names

_NUMBER: Final = re.compile(
    r"[\d.,×]+-[A-Z]+|[\d.,×]+(?:[KkMBGTx+%]|[kKMGT]B|st|nd|rd|th|D|-bit|-shot|-layer|-step|s|ms|"
    r"[kMGT]?Hz|[kMG]bps|[mnµ]m|[mk]?W|fps)*"
)
_CODE: Final = re.compile(
    r"(?:W\d+)?A\d+(?:KV\d+)?|W\d+(?:A\d+)?(?:KV\d+)?|\w+@\w+|PC\d|[A-Z]\d|"
    r"(?:[Tt]op|[Rr]ank|BLEU|ROUGE|Recall|Precision|Hits?|Pass|F|SER)-?(?:\d+|[A-Z])"
)
_SMALL_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
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
_STEM_END: Final = re.compile(r"(?:[-‑.]|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z]))")


class Shape(NamedTuple):
    """What the form of a token tells: a number, a field, a known name, an odd spelling, the
    beginning of a phrase, or nothing."""

    what: Literal["number", "field", "known", "odd", "phrase", "none"]
    name: str  # in the singular, without what is glued to it
    length: int  # characters of the token that the name takes up
    kind: MentionKind | None = None
    affix: bool = False  # "LSTM-based"
    titled: bool = False  # written as in a title


@lru_cache(maxsize=8192)
def shape(text: str) -> Shape:
    """What the form of the token `text` tells where it is no known name of its own.

    LoadError where `names.yml` is broken.
    """
    lexicon = known_names()
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
