"""Candidates: the stretches of an abstract that have the form of a name.

In: the plain text. Out: `Candidate`s in the order of the text: known names, tokens with an
unusual spelling (`RoWer`, `Tide-Large`, `TPO`), and capitalised phrases within a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from loader.model import MentionKind
from loader.names.cues import HEADS
from loader.names.lexicon import Known, Lexicon
from loader.symbols import words as listed

Form = Literal["known", "technique", "odd", "phrase", "word", "field"]


class Candidate(NamedTuple):
    """A stretch of the plain text that may be a name."""

    name: str
    start: int
    end: int
    form: Form
    kind: MentionKind | None = None  # where it is known
    affix: bool = False  # "LSTM-based": only the front of a compound


# from the first capital or digit of a token on; what stands before it is added by `_tokens`
_TOKEN: Final = re.compile(r"[A-ZΑ-Ω\d][\w.+#*’'&^@·×‑-]*")
_NUMBER: Final = re.compile(
    r"[\d.,×]+-[A-Z]+|[\d.,×]+(?:[KkMBGTx+%]|[kKMGT]B|st|nd|rd|th|D|-bit|-shot|-layer|-step|s|ms|"
    r"[kMGT]?Hz|[kMG]bps|[mnµ]m|[mk]?W|fps)*"
)


_ADDRESS: Final = re.compile(r"(?:https?://|www\.|github\.com/|huggingface\.co/)[^\s)\]}>]+")
_CODE: Final = re.compile(
    r"(?:W\d+)?A\d+(?:KV\d+)?|W\d+(?:A\d+)?(?:KV\d+)?|\w+@\w+|PC\d|[A-Z]\d|"
    r"(?:[Tt]op|[Rr]ank|BLEU|ROUGE|Recall|Precision|Hits?|Pass|F|SER)-?(?:\d+|[A-Z])"
)
_SMALL_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LONGEST: Final = 80  # characters of a token
_GLUED: Final = re.compile(r"\.[A-Z][a-z]")  # a sentence ends and the next begins without a space
_JOINS: Final = frozenset("-‑.’'^@·×+")
_NEXT: Final = re.compile(r"[^\W_](?:[\w+#*’'&^@·×‑-]|\.(?=\d|[a-z]\w))*(?<=[\w+#*])|[’']\d\d\b")
_ODD: Final = re.compile(
    r"[A-Z]{2}|[a-z][A-Z]|[A-Z]-?\d|[a-z]{2}\d|\d-?[A-Z]|[A-Z][A-Za-z]*[-+](?:[a-z]+-)?[A-Z]|"
    r"[a-z]{2}-\d"
    r"|^[a-zα-ω]-[A-Z]"
)
_AFFIX: Final = re.compile(
    r"[-‑](?:aligned|assisted|augmented|aware|based|bench|centric|class|compatible|derived|driven"
    r"|enabled"
    r"|enhanced|family|finetuned|fine-tuned?|free|generated|guided|induced|informed|inspired|"
    r"level|like"
    r"|only|powered|pretrained|pre-trained|quantized|related|specific|style|trained|tuned|type|"
    r"distilled)$"
)
_VERSION: Final = re.compile(
    r"-(?:19|20)\d\d(?!\w)| (?:v?\d{1,2}(?:\.\d+)?(?:[BMk](?:-\w+)?)?|20\d\d|[’']\d\d"
    r"|Sonnet|Opus|Haiku|Pro|Flash|Mini|Turbo|Instruct|Large|Kontext)(?![\w.]\w)"
    r"(?!\w| ?[%×]| points?\b)"
)
_POINT: Final = re.compile(r"\.\d+(?!\w)")
_YEAR: Final = re.compile(r" (?:20\d\d|[’']\d\d|v?\d\.\d(?![\d%]|\.\d| (?:%|points?|times)))\b")
_CAPITAL: Final = re.compile(
    r"[A-Z](?:[a-z]+|[A-Z]*)(?:[’'‑-](?:[A-Z][a-z]+|[a-z]+))*|[A-Z]{2,}-[A-Z][a-z]+"
)
_TITLE: Final = re.compile(r" (?:[a-z]+ )?[A-Z][A-Za-z]{2,}")
_TITLE_NEXT: Final = re.compile(r" ([A-Z][a-z]{2,}(?:-[a-z]+)?)\b(?! [A-Z])")
_STEM_END: Final = re.compile(r"(?:[-‑.]|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z]))")
_GLUE: Final = frozenset(["of", "for", "the", "to", "via", "then"])
# techniques that are models
_MODELS: Final = tuple(
    ending + plural
    for ending in (
        "model",
        "network",
        "net",
        "machine",
        "forest",
        "encoder",
        "transformer",
        "field",
    )
    for plural in ("", "s")
)
_NO_NAME: Final = listed(
    "A After All Although An And As At Both But By Code Despite Due During Each Even "
    "Extensive Existing Figure Finally First For From Further Given Here How However I If "
    "Importantly In It Its Key Many Moreover More Most No Notably Of On Once One Our Prior "
    "Recent Results Second See Section Since So Some Specifically Such Surprisingly Table "
    "That The Their Then There These They Third This Those Through Thus To Today Together Two "
    "Under Unlike Using We What When Where Whereas Whether Which While Why With Without Yet"
)


def find(plain: str, lexicon: Lexicon, starts: frozenset[int]) -> list[Candidate]:
    """All candidates, none overlapping another. `starts`: where the sentences start."""
    found: list[Candidate] = []
    names = lexicon.names
    small = plain.lower()
    if len(small) == len(plain):  # not so with a few rare letters, and then places would be wrong
        phrases = [(m.start(), m.end() - 1) for m in lexicon.techniques.finditer(" " + small)]
    else:
        phrases = []
    phrases.append((len(plain), len(plain)))
    linked = "://" in plain or "www." in plain or ".com/" in plain or ".co/" in plain
    addresses = [m.span() for m in _ADDRESS.finditer(plain)] if linked else []
    addresses.append((len(plain), len(plain)))
    behind, next_phrase, next_address = 0, 0, 0
    for start, end in _tokens(plain):
        while addresses[next_address][1] <= start:
            next_address += 1
        if start >= addresses[next_address][0]:
            continue
        while phrases[next_phrase][1] <= start:
            next_phrase += 1
        if start < behind or start >= phrases[next_phrase][0]:
            continue
        word = plain[start:end]
        if word in _NO_NAME and (len(word) < 4 or start in starts):
            continue
        options = names.get(word)
        if options and (used := _known(plain, end, options)):
            behind = _versions(plain, used[0])
            found.append(Candidate(plain[start:behind], start, behind, "known", used[1]))
        else:
            behind = _unknown(plain, start, end, lexicon, starts, found)
    covered = [(c.start, c.end) for c in found]
    for start, end in phrases[:-1]:
        at = bisect_right(covered, (start, len(plain))) - 1
        if at >= 0 and covered[at][1] > start:
            continue
        phrase = small[start:end].replace("-", " ")
        kind = lexicon.small.get(phrase, "model" if phrase.endswith(_MODELS) else "method")
        found.append(Candidate(plain[start:end], start, end, "technique", kind))
    return found


def _tokens(plain: str) -> Iterator[tuple[int, int]]:
    """Where the tokens are that have a capital or a digit in them."""
    behind = 0
    for token in _TOKEN.finditer(plain):
        start, end = token.span()
        if start < behind:
            continue
        if start > behind and plain[start - 1] not in " (":
            while start > behind and ((c := plain[start - 1]).isalnum() or c in _JOINS):
                start -= 1
            while not plain[start].isalnum():
                start += 1
        text = token[0]
        if "." in text and (glued := _GLUED.search(text)):
            end = token.start() + glued.start()
        while plain[end - 1] in ".-‑’'&^@·×":
            end -= 1
        behind = end
        if end - start <= _LONGEST:
            yield start, end


def _known(plain: str, end: int, options: Sequence[Known]) -> tuple[int, MentionKind] | None:
    """Where the longest known name ends whose first word ends at `end`, and its kind."""
    for known in options:
        if plain.startswith(known.rest, end):
            stop = end + len(known.rest)
            if not known.rest or stop == len(plain) or not plain[stop].isalnum():
                return stop, known.kind
    return None


def _versions(plain: str, end: int) -> int:
    """Where the versions and years behind a name end: `AIME 2025`, `Llama 3 8B`, `v2` `.0`."""
    if (point := _POINT.match(plain, end)) and plain[end - 1].isdigit():
        end = point.end()
    while version := _VERSION.match(plain, end):
        end = version.end()
    return end


def _unknown(
    plain: str,
    start: int,
    end: int,
    lexicon: Lexicon,
    starts: frozenset[int],
    found: list[Candidate],
) -> int:
    """Adds what a token that is no known name may be; where to read on."""
    text, behind = plain[start:end], end
    if text[1:].islower() and text.isalpha() and text[0].isupper() and text not in lexicon.fields:
        return _phrase(plain, start, end, starts, found)  # nothing unusual, as most tokens
    if text[0].isdigit() and (text.isdigit() or _NUMBER.fullmatch(text)):
        if start and plain[start - 1] in "/’'":
            _again(plain, start, end, found)
        return end
    if text.endswith(("'s", "’s")):
        text, end = text[:-2], end - 2
    affix = _AFFIX.search(text) if "-" in text or "‑" in text else None
    if affix:
        text, end = text[: affix.start()], start + affix.start()
    single = text[:-1] if len(text) > 2 and text[-1] == "s" and text[-2].isupper() else text
    if text in lexicon.fields or single in lexicon.fields or _is_compound(text, lexicon):
        found.append(Candidate(single, start, end, "field", None, affix is not None))
        return behind
    for form in (text, single, text[:-1] if text.endswith("s") else text):
        for known in lexicon.names.get(form, ()):
            if not known.rest:
                found.append(Candidate(form, start, end, "known", known.kind, affix is not None))
                return behind
    if _ODD.search(text) and not (_CAPITAL.fullmatch(text) and _TITLE.match(plain, end)):
        kind = None if text.isalpha() else _family(text, lexicon)
        if kind or (len(text) > 2 and _YEAR.match(plain, end)):
            stop = _versions(plain, end)
            if stop > end:
                single, end = plain[start:stop], stop
        elif not affix and (more := _TITLE_NEXT.match(plain, end)) and more[1].lower() not in HEADS:
            single, end = plain[start : more.end()], more.end()
        form_: Form = "known" if kind else "odd"
        found.append(Candidate(single, start, end, form_, kind, affix is not None))
        return max(end, behind)
    if not affix and text[0].isupper():
        return _phrase(plain, start, end, starts, found)
    return behind


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


def _again(plain: str, start: int, end: int, found: list[Candidate]) -> None:
    """`CIFAR-10/100` and `Brain-to-Text ’24 and ’25`: the second name is a number only."""
    if found and start - found[-1].end < 7:
        last = found[-1]
        front = last.name.rstrip("0123456789")
        if front and front != last.name:
            name = front + plain[start:end]
            found.append(last._replace(name=name, start=start, end=end))


def _family(text: str, lexicon: Lexicon) -> MentionKind | None:
    """`model` where `text` is a version of a known model: Qwen2.5-Math-7B."""
    for cut in _STEM_END.finditer(text):
        if text[: cut.start()] in lexicon.families:
            return "model"
    return None


def _phrase(
    plain: str, start: int, end: int, starts: frozenset[int], found: list[Candidate]
) -> int:
    """A capitalised phrase, `Local Learning Coefficient`, or a capitalised word in a sentence."""
    text = plain[start:end]
    first = start in starts or start == 0
    if text in _NO_NAME and (first or len(text) < 4):
        return end
    if first and text.endswith(("ed", "ing")) and plain.startswith((" to ", " of ", " for "), end):
        return end  # "Compared to KIVI"
    behind, words, glue = end, 1, 0
    while words + glue < 9 and plain.startswith(" ", behind):
        word = _NEXT.match(plain, behind + (3 if plain.startswith(" & ", behind) else 1))
        if word is None:
            break
        written = word[0]
        if written.islower():
            if written not in _GLUE or glue == 3:
                break
            glue += 1
            behind = word.end()
        elif _CAPITAL.fullmatch(written) or (written.isalpha() and _ODD.search(written)):
            words += 1
            end = behind = word.end()
        else:
            break
    if words > 1:
        text = plain[start:end]
        affix = _AFFIX.search(text) if "-" in text else None
        found.append(Candidate(text, start, end, "phrase", None, affix is not None))
    elif not first and not plain.startswith(("-", "–"), end):
        found.append(Candidate(text, start, end, "word"))
    return end
