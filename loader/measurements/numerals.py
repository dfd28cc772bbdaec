"""The numeric expressions of a text, before anything is concluded from them.

In: plain text, and the stretches that are names. Out: `Quantity`, one for each expression
worth looking at: numbers with sign, scale and unit, ranges, "from X to Y", spreads, number
words that compare ("twice", "an order of magnitude") and asymptotic bounds. Digits in names,
years, citations, list marks, resolutions and references are left out here.

Linear: each digit is visited once, and every pattern is anchored and bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from loader.measurements.lexicon import HYPHEN_NOUNS, NUMBER_WORDS
from loader.measurements.units import UNIT, canonical
from loader.model import Qualifier, Span

Form = Literal["value", "range", "from_to", "bound", "word"]


@dataclass(slots=True)
class Quantity:
    """A numeric expression as written. `low` is where a from-to starts."""

    start: int
    end: int
    low: float | None
    high: float | None
    unit: str = ""  # a symbol or word that is a unit, else ""
    form: Form = "value"
    signed: bool = False  # an explicit + or - stands before it
    mark: Qualifier | None = None  # of ~, <, ≥, a trailing +
    scale: str = ""  # K, M, B, T where the number was written with one
    decimal: bool = False
    spread: float | None = None
    noun: str = ""  # of "4000-sample"
    of_scale: bool = False  # "4.42/5": a value on a scale
    member: bool = False  # continues a list, a slash pair or "N of M"
    total: bool = False  # the M of "N of M"
    listed: bool = False  # followed by nothing but "," or "and" and the next number


_DIGIT: Final = re.compile(r"\d")
_NUMBER: Final = re.compile(r"(\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}, 000\b|\d+)(\.\d+)?|(\.\d+)")
_EXPONENT: Final = re.compile(
    r"[eE]([+\-−–]?\d{1,3})(?!\w)|\s?[×x·⋅*]\s?10(?:\^\s?[({]?([+\-−–]?\d{1,3})[)}]?|([⁻−]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|([\-−–]\d{1,2})(?!\d))"
)
_POWER: Final = re.compile(r"\^\s?[({]?([+\-−–]?\d{1,3})[)}]?(?!\w)|([⁻−]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPERSCRIPTS: Final = str.maketrans("⁻−–⁰¹²³⁴⁵⁶⁷⁸⁹", "---0123456789")
_SCALE: Final = re.compile(
    r"[\s-]?(thousand|million|billion|trillion)s?\b|([kKMBT])(?![\w])(?!\s?=)|\s([MBK])(?=\s[a-z])|(s)\b(?!\w)"
)
_SCALES: Final = {
    "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
}  # fmt: skip
_LETTER: Final = {"thousand": "K", "million": "M", "billion": "B", "trillion": "T", "k": "K"}
_DASH: Final = re.compile(r"\s?(?:[–‑‒−-]|--|∼|~)\s?(?=[$€£+\-−]?[.\d])")
_TO: Final = re.compile(
    r"(?:\s\([^()\d]{1,24}\))?\s+(?:up\s+|down\s+)?to\s+(?:only\s+|just\s+|as\s+\w+\s+as\s+)?"
    r"(about|around|over|nearly|under|below|above|(?:less|more|fewer)\sthan|almost)?\s?(?=[$€£+\-−~∼≈]?[.\d])"
)
_TO_MARKS: Final[dict[str, Qualifier]] = {
    "about": "about", "around": "about", "nearly": "about", "almost": "about", "over": "more than",
    "above": "more than", "more than": "more than", "under": "less than", "below": "less than",
    "less than": "less than", "fewer than": "less than",
}  # fmt: skip
_AND: Final = re.compile(r"\s+and\s+(?=[$€£+\-−~∼≈]?[.\d])")
_SPREAD: Final = re.compile(r"\s?\(?(?:±|\+/-|\+/−|\+-)\s?(\d+(?:\.\d+)?|\.\d+)(\s?%)?\)?")
_MARK: Final = re.compile(r"(<=|>=|[~∼≈≃≅<>≤≥≲≳⩽⩾])\s*\Z")
_MARKS: Final[dict[str, Qualifier]] = {
    "~": "about", "∼": "about", "≈": "about", "≃": "about", "≅": "about",
    "<": "less than", ">": "more than", "≲": "less than", "≳": "more than",
    "≤": "up to", "<=": "up to", "⩽": "up to", "≥": "at least", ">=": "at least", "⩾": "at least",
}  # fmt: skip
_SIGN: Final = re.compile(r"(?:(?<=[\s([{<>=~≈∼/|:,])|\A)[+\-−–]\Z")
_MONEY: Final = re.compile(r"(?:US|AU|CA)?([$€£¥])\s?\Z")
_GRID: Final = re.compile(r"\d+(?:\s?[×x]\s?\d+[KkMB]?){1,4}(?:\s?(?:px|pixels?))?[A-Za-z-]*\w*")
_TIME_OR_RATIO: Final = re.compile(r"\d+(?:\.\d+)?(?:\s?:\s?\d+(?:\.\d+)?)+")
_VERSION: Final = re.compile(
    r"\d+(?:\.\d+){2,}|\d+(?:st|nd|rd|th)\b|24/7|\d{1,2}/(?:\d{1,2}/)?(?:19|20)\d\d\b|0\d+\b(?!\.)|\d{4}s\b|\d0s\b"
)
_RUN: Final = re.compile(r"[\w@^_/.+×°'’-]*")
_YEAR: Final = re.compile(r"(?:1[89]\d\d|20\d\d)(?:\s?[–-]\s?(?:\d{4}|\d\d))?(?![\w,.]*\d|\s?[%×])")
_LIST_MARK: Final = re.compile(r"\d{1,2}\)")
_IN_BRACKETS: Final = re.compile(r"\[\s?\d+[a-z]?(?:\s?[,;–-]\s?\d+[a-z]?)*\s?\]")
_COMPOUND: Final = re.compile(r"-([A-Za-z]+)")
_SLASH: Final = re.compile(r"\s?/\s?(?=\.?\d)")
_OUT_OF: Final = re.compile(r"\s(?:out\s)?of\s(?:the\s|all\s|these\s)*(?=\d)")
_SCALE_END: Final = re.compile(r"\s?out of (?:5|7|10|100)\b(?!\s+[a-z]+s\b)")
_TIMES: Final = re.compile(
    r"\stimes\b(?=\s+(?:more|less|fewer|faster|slower|higher|lower|larger|smaller|greater|better|"
    r"cheaper|longer|shorter|stronger|as\b|the\b|that\b|those\b|its\b|speed|accelerat|improv|reduc|increas|compress|"
    r"data|over\b|than\b|through|memory|effici|quicker|bigger|throughput)|\s?[.,;)])"
)
_REFERENCE: Final = re.compile(
    r"(?:\b(?:[Ff]igs?|[Ee]qs?|[Ss]ecs?|[Nn]o|[Vv]ol|[Cc]h|[Rr]efs?|pp?|arXiv|[Tt]abs?)\.?|\b(?:[Ff]igures?|[Tt]ables?|[Ss]ections?|"
    r"[Ee]quations?|[Tt]heorems?|[Ll]emmas?|[Aa]lgorithms?|[Aa]ppendi(?:x|ces)|[Cc]hapters?|[Cc]orollary|"
    r"[Pp]ropositions?|[Aa]ssumptions?|[Dd]efinitions?|[Rr]emarks?|[Ss]tages?|[Pp]hases?|[Vv]ersions?|"
    r"[Pp]arts?|[Tt]ypes?|[Cc]ases?|[Rr]ows?|[Cc]olumns?|[Ll]evels?|[Tt]racks?|[Ss]ubtasks?|[Ss]cenarios?|[Gg]rades?|"
    r"[Tt]asks?|[Ss]teps?|[Ll]ayers?|[Qq]uestions?|[Pp]roblems?|[Pp]anels?|[Ll]ines?|Day|days|Paper|[Ss]ites?|RQ))\s?\(?\Z"
)
# Names that end in a number, decimal or not.
_NUMBERED: Final = re.compile(
    r"\b(?:IEEE|ISO(?:/IEC)?|RFC|ANSI|ICD|[Ii]ndustry|[Ww]eb|Python|CUDA)[ -]\Z"
)
_MONTHS: Final = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    "Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_AFTER_MONTH: Final = re.compile(rf"\b(?:{_MONTHS})\.?\s\Z")
_BEFORE_MONTH: Final = re.compile(rf"\d{{1,2}}\s(?:{_MONTHS})\b")
_NAME_BEFORE: Final = re.compile(r"(?<![\w])([A-Z][\w.’'-]*)[\s~]\Z")
_VARIABLE: Final = re.compile(r"(?<![\w])([A-Za-zα-ωΑ-Ω](?:[\da-z]|_\w)?)\s?[=∈]\s?\Z")
_STATISTICS: Final = frozenset("n N p P r R t F z Z AP R2".split())
_CALL: Final = re.compile(r"(?<!\w)[A-Za-zα-ωΑ-ΩÕ]\d?\((?:[^()]{0,40})\Z")
_MATH_AFTER: Final = re.compile(
    r"\s?(?:[/·⋅^_*]\s?[A-Za-zα-ωΑ-Ω√(∆]|[+−=]\s?[A-Za-zα-ωΑ-Ω√(]|-\s[A-Za-zα-ω]|\s?[√∈]|[α-ωΑ-Ω∆∇∂∞])"
)
_MATH_BEFORE: Final = re.compile(
    r"[\w)\]]\s?[+*^_·⋅]\s?[({]?[−-]?\Z|[A-Za-zα-ω)]\s[−-]\s\Z|[√^_]\s?[({]?\Z|\b(?:log|exp|ln|min|max)\s?\(?\Z"
)
_FROM: Final = re.compile(
    r"\b[Ff]rom\s+(?:about\s+|around\s+|over\s+|nearly\s+|an?\s+|only\s+|just\s+)?\Z"
)
_BETWEEN: Final = re.compile(r"\b[Bb]etween\s+(?:about\s+|around\s+)?\Z")
_ADDRESS: Final = re.compile(r"https?://\S+|www\.\S+|\b[a-z][\w-]*\.[a-z]{2,}/\S+|\b10\.\d{4,}/\S+")
_PLAIN_NOUN: Final = re.compile(r"\s(?:[a-z][\w-]*\s){0,3}[a-z][a-z-]*(?:s|ren|data|ple)\b")
_LOWER_WORD: Final = re.compile(r"\s[a-z]")

_NUMBER_WORD: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_COUNT_WORD: Final = (
    rf"(?:{_NUMBER_WORD}|several|multiple|many|a few|few|\d+(?:\.\d+)?(?:\s?[–-]\s?\d+)?)"
)
_WORDS: Final = re.compile(
    rf"(?i)\b(?:(?P<half>half)(?=\s(?:the|as|that|its|their|of\s(?:the|its|their)\s(?:[a-z]+\s)?(?:memory|compute|cost|time|size|parameters|budget|tokens|data)|(?:memory|compute|cost|time|size)\b))"
    rf"|(?P<inhalf>(?:in|by)\shalf)\b"
    rf"|(?P<halve>halv(?:es?|ed|ing)\b)(?=\s(?:the|its|their|[a-z]+\s(?:cost|time|memory|usage|error)|memory|latency|cost)|\s?[.,])"
    rf"|(?P<twice>twice|thrice)(?=\s(?:as|the|that|its|their|more|faster|larger|higher|smaller|fewer|less)\b)"
    rf"|(?P<double>doubl(?:es|ed|ing)|tripl(?:es|ed|ing)|quadrupl(?:es|ed|ing))(?=\s(?:the|its|their|[a-z]+\s(?:speed|rate|throughput|accuracy)|throughput|accuracy))"
    rf"|(?P<twofold>double|triple|quadruple)(?=\s(?:the|that|its|their|as)\b)"
    rf"|(?P<times>(?:{_NUMBER_WORD})(?:[\s-]to[\s-](?:{_NUMBER_WORD}))?\stimes)(?=\s(?:as|more|less|fewer|faster|slower|higher|lower|larger|smaller|greater|better|cheaper|longer|shorter|the|that|over)\b)"
    rf"|(?P<fold>(?:{_NUMBER_WORD})[\s-]?fold)(?=\s(?:[a-z-]+\s)?(?:improve|increase|reduc|speed|higher|faster|decrease|more|less|fewer|lower|greater|gain|accelerat|saving)|\s?[.,]\s?\Z)"
    rf"|(?P<magnitude>(?:(?P<many>{_COUNT_WORD})(?:[\s–-]+(?:to|or)?[\s–-]*(?P<more>{_NUMBER_WORD}|\d+))?\s|an?\s)?orders?[\s-]of[\s-]magnitudes?)\b)"
)
# What a number word cannot do without; looked for before the costly pattern.
_WORD_HINTS: Final = (
    "half", "halv", "twice", "thrice", "doubl", "tripl", "quadrup", "fold", " times", "magnitude",
)  # fmt: skip
_FOLD: Final = {
    "half": 0.5,
    "halv": 0.5,
    "twic": 2.0,
    "doub": 2.0,
    "trip": 3.0,
    "thri": 3.0,
    "quad": 4.0,
}
_BOUND_HINTS: Final = (
    "O(",
    "O (",
    "Õ",
    "Θ",
    "Ω",
    "Ο(",
    "𝒪",
    "o(",
    "O\u0303",
    "O*",
    "^",
    "√",
    " log",
)
_BOUND: Final = re.compile(
    r"(?<![\w.])(?:[~˜]?\s?(?:[OΘΩΟ𝒪]|o(?=\())[̃˜]?|Õ|Ω̃|Θ̃)(?:_?\*|\^\*)?\s?\("
)
_RATE: Final = re.compile(
    r"(?<![\w^])((?:[A-Za-z]\^\(?[−-]?[\d./]+\)?|1/√?\(?[A-Za-z]\)?(?:\^\(?[\d./]+\)?)?|√\(?[A-Za-z/]+\)?))"
    r"(?=[\s-]{1,2}(?:[a-z]+\s)?(?:rate|rates|convergence|regret|error|bound)\b)"
)
_GROWTH: Final = (
    r"[A-Za-z](?:\^\(?[\w./−+-]+\)?)?(?:\slog(?:\^\d)?\s?\(?[A-Za-z]\)?)|[A-Za-z]\^\(?[\w./−+-]+\)?"
)
_FROM_GROWTH: Final = re.compile(rf"\bfrom\s({_GROWTH})\sto\s({_GROWTH})(?![\w^])")
_BOUND_TAIL: Final = re.compile(r"\s?\+\s?[\wε√]+(?![\w(])")


def find(text: str, names: Sequence[Span] = ()) -> list[Quantity]:
    """The numeric expressions of `text` in order, spans that do not overlap.

    `names` are stretches, sorted, whose digits belong to a name.
    """
    taken = _bounds(text) if any(hint in text for hint in _BOUND_HINTS) else []
    blocked = sorted([*names, *(Span(q.start, q.end) for q in taken)])
    if "/" in text or "www." in text:
        blocked = sorted([*blocked, *(Span(*m.span()) for m in _ADDRESS.finditer(text))])
    words = _spelled(text, blocked)
    blocked = sorted([*blocked, *(Span(q.start, q.end) for q in words)])
    found = [*taken, *words, *_digits(text, blocked)]
    found.sort(key=lambda q: q.start)
    _share_units(text, found)
    return found


_LINK: Final = re.compile(r",?\s(and|or)\s|,\s?")


def _share_units(text: str, found: Sequence[Quantity]) -> None:
    """Gives the unit at the end of a list to all of it: "1, 2 and 5 ms"."""
    unit, conjunction = "", False
    for i in range(len(found) - 2, -1, -1):
        this, following = found[i], found[i + 1]
        between = text[this.end : following.start]
        link = _LINK.fullmatch(between) if len(between) < 8 else None
        if link is None or this.unit or this.noun or this.scale:
            unit, conjunction = "", False
            continue
        conjunction = conjunction or bool(link[1])
        this.listed = conjunction
        unit = unit or following.unit
        if conjunction and following.form == this.form == "value":
            this.unit = unit


def _bounds(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    position = 0
    while match := _BOUND.search(text, position):
        end = _closing(text, match.end() - 1)
        position = match.end()
        if end is None:
            continue
        while tail := _BOUND_TAIL.match(text, end):
            end = tail.end()
        written = re.sub(r"\s+", " ", text[match.start() : end])
        found.append(Quantity(match.start(), end, None, None, written.strip(), "bound"))
        position = end
    for match in _RATE.finditer(text):
        found.append(Quantity(*match.span(1), None, None, match[1], "bound"))
    for match in _FROM_GROWTH.finditer(text):
        found += [Quantity(*match.span(i), None, None, match[i], "bound") for i in (1, 2)]
    found.sort(key=lambda q: q.start)
    return [q for i, q in enumerate(found) if not i or q.start >= found[i - 1].end]


def _closing(text: str, opening: int, limit: int = 200) -> int | None:
    """The place behind the bracket that closes the one at `opening`, within `limit`."""
    depth = 0
    for i in range(opening, min(len(text), opening + limit)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if not depth:
                return i + 1
    return None


def _spelled(text: str, blocked: Sequence[Span]) -> list[Quantity]:
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have a longer small form
        lower = text
    hints = [h for h in _WORD_HINTS if h in lower]
    if not hints:
        return []
    places = sorted(m.start() for h in hints for m in re.finditer(h, lower))
    found: list[Quantity] = []
    for place in places:
        begin = max(place - 40, found[-1].end if found else 0)
        match = _WORDS.search(text, begin, place + 60)
        if match is None or not match.start() <= place + 1 < match.end():
            continue
        start, end = match.span()
        if blocked:
            after = bisect_left(blocked, Span(end, 0))
            if after and blocked[after - 1].end > start:
                continue
        kind = match.lastgroup
        word = match[0].lower()
        if match["magnitude"]:
            low, high = _magnitude(match["many"], match["more"], "orders" in word)
        elif kind in ("times", "fold"):
            parts = [NUMBER_WORDS[w] for w in re.split(r"[\s-]+", word) if w in NUMBER_WORDS]
            if not parts:
                parts = [
                    next(
                        NUMBER_WORDS[w] for w in NUMBER_WORDS if word.startswith(w) and w != "zero"
                    )
                ]
            low, high = parts[0], parts[-1]
        elif kind == "inhalf":
            start += 3
            low = high = 0.5
        else:
            low = high = _FOLD[word[:4]]
        found.append(Quantity(start, end, low, high, "×", "word"))
    return found


def _magnitude(
    many: str | None, more: str | None, plural: bool
) -> tuple[float | None, float | None]:
    def power(word: str) -> float | None:
        exponent = NUMBER_WORDS.get(word.lower())
        if exponent is None and re.fullmatch(r"\d+(?:\.\d+)?", word):
            exponent = float(word)
        return 10.0**exponent if exponent is not None and exponent <= 300 else None

    if many is None:
        return (None, None) if plural else (10.0, 10.0)
    ends = re.split(r"\s?[–-]\s?", many) if many[0].isdigit() else [many]
    low, high = power(ends[0]), power(more or ends[-1])
    return (low, high) if low is not None and high is not None else (None, None)


@dataclass(slots=True)
class _Atom:
    """One number with what is written right behind it."""

    end: int
    value: float
    decimal: bool
    scale: str = ""
    factor: float = 1.0
    unit: str = ""
    plus: bool = False
    noun: str = ""
    number_end: int = 0  # behind the digits, before a scale or unit
    power: bool = False


def _digits(text: str, blocked: Sequence[Span]) -> list[Quantity]:
    found: list[Quantity] = []
    position, block = 0, 0
    while match := _DIGIT.search(text, position):
        start = match.start()
        while block < len(blocked) and blocked[block].end <= start:
            block += 1
        if block < len(blocked) and blocked[block].start <= start:
            position = blocked[block].end
            continue
        if (
            start
            and text[start - 1] == "."
            and (start == 1 or text[start - 2] in " \t\n([=<>~≈-−±/")
        ):
            start -= 1
        limit = blocked[block].start if block < len(blocked) else len(text)
        skip = _not_a_quantity(text, start, found)
        if skip is not None:
            position = max(skip, match.end())
            continue
        quantities, position = _expression(text, start, limit, found)
        found += quantities
    return found


def _not_a_quantity(text: str, start: int, found: Sequence[Quantity]) -> int | None:
    """Where to go on when the digits at `start` are no quantity, else None."""
    before = text[start - 1] if start else " "
    after = _RUN.match(text, start)
    run_end = after.end() if after else start + 1
    if before.isalnum() or before in "_@^#\\°.&":
        return run_end
    if before in "-–−+" and start > 1 and (text[start - 2].isalnum() or text[start - 2] in ")]"):
        return run_end
    if before in "/×" and start > 1 and not text[start - 2].isspace():
        return run_end
    if before in "'’‘`" and re.match(r"\d\d(?!\d)", text[start : start + 3]):
        return start + 2
    if match := _EXPONENT.match(text, start + len(_leading_number(text, start))):
        return None
    if match := _GRID.match(text, start):
        gpus = re.match(r"\d+\s?[×x]\s?(?=[A-Z])", text[start : start + 12])
        return None if gpus else match.end()
    if (match := _TIME_OR_RATIO.match(text, start)) or (match := _VERSION.match(text, start)):
        return match.end()
    window = text[max(0, start - 48) : start]
    if "[" in window and (opening := text.rfind("[", max(0, start - 48), start)) >= 0:
        cited = _IN_BRACKETS.match(text, opening)
        if cited and cited.end() > start:
            return cited.end()
    if match := _LIST_MARK.match(text, start):
        opening = window.rfind("(")
        if before == "(" or opening < window.rfind(")") or opening < 0:
            return match.end()
    if match := _YEAR.match(text, start):
        # Four digits that look like a year count something only before a plural noun.
        if not _PLAIN_NOUN.match(text, match.end()) or re.search(
            r"\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Uu]ntil|[Yy]ear|[A-Z][\w-]+)\s\Z", window
        ):
            return match.end()
    if _AFTER_MONTH.search(window) or _BEFORE_MONTH.match(text, start):
        return run_end
    if _MATH_BEFORE.search(window[-12:]):
        return run_end
    if _CALL.search(window) and ")" in text[start : start + 40]:
        return _closing(text, max(0, start - len(window)) + window.rfind("(")) or run_end
    if (match := _VARIABLE.search(window[-8:])) and match[1] not in _STATISTICS:
        atom = _atom(text, start, len(text))
        if not atom.unit:
            return atom.end
    if match and _atom(text, start, len(text)).power:
        return _atom(text, start, len(text)).end
    if _NUMBERED.search(window[-12:]):
        return run_end
    if _REFERENCE.search(window[-16:]):
        atom = _atom(text, start, len(text))
        if not atom.unit and not atom.decimal:
            listed = re.compile(r"(?:\s?(?:,|and|or|to|[–-]|&|–)\s?\d+(?:\.\d+)?\w?(?!\w))+").match(
                text, atom.end
            )
            return listed.end() if listed else atom.end
    if match := _NAME_BEFORE.search(window[-24:]):
        if _continues_name(text, start, match[1], max(0, start - 24) + match.start()):
            return run_end
    return None


def _leading_number(text: str, start: int) -> str:
    match = _NUMBER.match(text, start)
    return match[0] if match else ""


_METRIC_NAME: Final = re.compile(
    r"[A-Z]{2,}s?$|F1|Dice|Recall|Precision|Accuracy|AUC|Top|Rouge|Bleu|Hit|Score|.*(?:@|IoU|AP|Score|Rate)"
)


def _continues_name(text: str, start: int, name: str, name_start: int) -> bool:
    """Whether a capitalised word makes the number after it part of a name ("Llama 3")."""
    atom = _atom(text, start, len(text))
    if atom.unit or atom.scale or atom.plus or atom.noun:
        return False
    before = text[max(0, name_start - 2) : name_start]
    if not before.strip() or before.strip()[-1:] in ".!?:":
        if (not before or before.strip()) and not any(c.isupper() for c in name[1:]):
            return False  # begins a sentence: its capital says nothing
    if atom.decimal:
        return not _METRIC_NAME.match(name) and atom.value > 1
    small = atom.value < 100
    acronym = name.isupper() and len(name) > 1
    if _LOWER_WORD.match(text, atom.end) and _PLAIN_NOUN.match(text, atom.end):
        return small and not acronym
    return True


def _atom(text: str, start: int, limit: int) -> _Atom:
    """The number at `start`; there must be one."""
    match = _NUMBER.match(text, start)
    assert match is not None
    whole, fraction, bare = match.groups()
    digits = bare or whole.replace(",", "").replace(" ", "") + (fraction or "")
    value = float(digits) if len(digits) < 300 else float("inf")
    atom = _Atom(match.end(), value, bool(fraction or bare), number_end=match.end())
    if exponent := _EXPONENT.match(text, atom.end):
        written = next(g for g in exponent.groups() if g)
        atom.value = _scaled(digits, written)
        atom.end, atom.decimal, atom.power = exponent.end(), True, True
    elif whole == "10" and not fraction and (power := _POWER.match(text, atom.end)):
        atom.value = _scaled("1", power[1] or power[2])
        atom.end, atom.power = power.end(), True
    if scale := _SCALE.match(text, atom.end):
        word = scale[1] or scale[2] or scale[3]
        if word:
            atom.scale, atom.factor, atom.end = _LETTER.get(word, word), _SCALES[word], scale.end()
            tail = re.match(r"s\b", text[atom.end : atom.end + 2]) if not scale[1] else None
            atom.end += 1 if tail else 0
        elif "," in whole or value % 10 == 0:  # "1,000s of parameters"; a bare "10s" is seconds
            if "," in whole or re.match(r"s (?:of|to)\b", text[atom.end : atom.end + 5]):
                atom.end = scale.end()
    if text.startswith("+", atom.end) and not text[atom.end + 1 : atom.end + 2].isalnum():
        atom.plus, atom.end = True, atom.end + 1
    if unit := UNIT.match(text, atom.end):
        kind = unit.lastgroup
        if unit["percent"]:
            atom.unit = "points" if unit["ppoint"] else "%"
        elif kind in ("times", "x", "fold"):
            atom.unit = "×"
        elif kind == "word" and unit["word"].startswith("point") and atom.scale:
            return atom
        else:
            atom.unit = canonical(unit[0].strip().lstrip("-") if kind != "bit" else "bit")
        atom.end = unit.end()
        if text.startswith("+", atom.end) and not text[atom.end + 1 : atom.end + 2].isalnum():
            atom.plus, atom.end = True, atom.end + 1
    elif times := _TIMES.match(text, atom.end):
        atom.unit, atom.end = "×", times.end()
    elif compound := _COMPOUND.match(text, atom.end):
        word = compound[1].lower()
        if word in HYPHEN_NOUNS or word.removesuffix("s") in HYPHEN_NOUNS:
            atom.noun = compound[1]
    if atom.end > limit:
        atom.end = max(atom.number_end, limit)
    return atom


def _scaled(digits: str, exponent: str) -> float:
    return float(f"{digits[:300]}e{exponent.translate(_SUPERSCRIPTS)}")


def _broken(text: str, atom: _Atom) -> bool:
    """Whether letters or a hyphen right behind the number make it part of a word or formula."""
    after = text[atom.end : atom.end + 1]
    if after.isalnum() or after in ("_", "@"):
        return True
    if (
        after == "-"
        and not atom.unit
        and not atom.noun
        and text[atom.end + 1 : atom.end + 2].isalpha()
    ):
        return True
    return not atom.unit and _MATH_AFTER.match(text, atom.end) is not None


def _expression(
    text: str, start: int, limit: int, earlier: Sequence[Quantity]
) -> tuple[list[Quantity], int]:
    first = _atom(text, start, limit)
    window = text[max(0, start - 32) : start]
    begin, signed, negative, money = start, False, False, ""
    if sign := _SIGN.search(window):
        written = sign[0].strip()
        signed, negative = True, written != "+"
        begin -= len(sign[0])
        window = window[: sign.start()]
    if symbol := _MONEY.search(window):
        money, begin = symbol[1], begin - len(symbol[0])
        window = window[: symbol.start()]
        if not signed and (sign := _SIGN.search(window)):
            signed, negative = True, sign[0].strip() != "+"
            begin -= len(sign[0])
            window = window[: sign.start()]
    mark: Qualifier | None = None
    if written_mark := _MARK.search(window):
        mark, begin = _MARKS[written_mark[1]], begin - len(written_mark[0])
        window = window[: written_mark.start()]
    if _broken(text, first):
        run = _RUN.match(text, first.end)
        return [], max(run.end() if run else first.end, first.end)

    quantity = Quantity(begin, first.end, 0.0, 0.0, first.unit or money, signed=signed, mark=mark)
    second = _second(text, first, window, limit, earlier, quantity)
    value = -first.value if negative else first.value
    factor = first.factor
    if second is None:
        quantity.low = quantity.high = value * factor
        last = first
    else:
        last = second
        if second.factor != 1.0 and factor == 1.0 and first.value < second.value * second.factor:
            factor = second.factor
        quantity.unit = quantity.unit or second.unit
        quantity.low, quantity.high = value * factor, second.value * second.factor
        if signed and negative and quantity.form == "range":
            quantity.high = -quantity.high if quantity.high > 0 else quantity.high
            quantity.low, quantity.high = sorted((quantity.low, quantity.high))
        quantity.end = second.end
    if spread := _SPREAD.match(text, quantity.end):
        quantity.spread = float(spread[1])
        quantity.end = spread.end() - (spread[0].endswith(")") and "(" not in spread[0])
        if spread[2] and not quantity.unit:
            quantity.unit = "%"
        elif (
            not quantity.unit
            and (unit := UNIT.match(text, quantity.end))
            and unit.lastgroup in ("symbol", "word")
        ):
            quantity.unit, quantity.end = canonical(unit[0]), unit.end()
    quantity.scale = last.scale or first.scale
    quantity.decimal = first.decimal or last.decimal
    quantity.noun = last.noun
    if last.plus and mark is None:
        quantity.mark = "more than"
    return _partners(text, quantity, last, limit)


def _second(
    text: str,
    first: _Atom,
    window: str,
    limit: int,
    earlier: Sequence[Quantity],
    quantity: Quantity,
) -> _Atom | None:
    """The other end of a range or from-to that `first` opens, if it does; sets span and form."""
    begin = quantity.start
    opened = _FROM.search(window)
    between = _BETWEEN.search(window)
    dash = _DASH.match(text, first.end)
    link = dash or _TO.match(text, first.end) or (between and _AND.match(text, first.end)) or None
    if not link or link.end() >= limit:
        return None
    place = link.end()
    if text[place] in "+-−$€£~∼≈" and not text[place].isdigit():
        negative = text[place] in "-−"
        place += 1
    else:
        negative = False
    if not _NUMBER.match(text, place):
        return None
    if _GRID.match(text, place) or _TIME_OR_RATIO.match(text, place):
        return None
    second = _atom(text, place, limit)
    if _broken(text, second):
        return None
    if (
        first.unit
        and second.unit != first.unit
        and not (dash is None and opened and not second.unit)
    ):
        return None
    if first.scale and not second.scale and not dash and second.value < first.value:
        return None
    if negative:
        second.value = -second.value
    if dash:
        quantity.form = "range"
        return second
    previous = earlier[-1] if earlier else None
    continues = (
        previous is not None
        and previous.form == "from_to"
        and re.fullmatch(
            r"(?:[^.;]{0,60}[,\s])?(?:and|,|or)\s(?:from\s)?", text[previous.end : begin]
        )
        is not None
    )
    if not between and link.re is _TO and link[1]:
        quantity.mark = quantity.mark or _TO_MARKS[link[1]]
    if between:
        quantity.form, quantity.start = "range", begin - len(between[0])
    elif opened or continues:
        quantity.form = "from_to"
        quantity.start = begin - len(opened[0]) if opened else begin
    else:
        if re.search(r"\b(?:to|than)\s\Z", window) and not first.scale:
            return None
        quantity.form = "range"
    return second


_RATING: Final = frozenset((5.0, 7.0, 10.0, 100.0))


def _partners(text: str, quantity: Quantity, last: _Atom, limit: int) -> tuple[list[Quantity], int]:
    """`quantity`, with what a slash, "out of" or "of" adds to it."""
    end = quantity.end
    if quantity.form != "value":
        return [quantity], end
    if scale := _SCALE_END.match(text, end):
        if quantity.decimal:
            quantity.of_scale = True
            return [quantity], scale.end()
    if (slash := _SLASH.match(text, end)) and slash.end() < limit:
        other = _atom(text, slash.end(), limit)
        if _broken(text, other):
            return [quantity], end
        low, high = quantity.low, other.value * other.factor
        assert low is not None
        whole = not quantity.decimal and not other.decimal and not quantity.unit
        if whole and 1 < high < low < 10:  # "a ratio of 3/2"
            quantity.low = quantity.high = low / high
            quantity.end, quantity.decimal = other.end, True
            return [quantity], other.end
        if (
            whole
            and 0 < low < high <= 20
            and re.match(
                r"(?:\s|rd\b|th\b)+(?:of\b|the\b|as\b|fewer\b|less\b)", text[other.end :][:12]
            )
        ):
            quantity.low = quantity.high = low / high
            quantity.unit, quantity.end = "×", other.end
            return [quantity], other.end
        if (
            not other.unit
            and not other.decimal
            and other.value in _RATING
            and low <= other.value
            and quantity.decimal
        ):
            quantity.of_scale, quantity.end = True, other.end
            return [quantity], other.end
        mate = Quantity(
            slash.end(), other.end, high, high, other.unit, scale=other.scale, decimal=other.decimal
        )
        if whole and low <= high and not other.unit:
            if other.value < 10 and not _PLAIN_NOUN.match(text, other.end):
                quantity.low = quantity.high = low / high  # "an exponent of 1/3"
                quantity.end, quantity.decimal = other.end, True
                return [quantity], other.end
            mate.total = quantity.member = True
        else:
            quantity.unit = quantity.unit or other.unit
        mate.member = True
        found = [quantity, mate]
        while (slash := _SLASH.match(text, mate.end)) and slash.end() < limit:
            other = _atom(text, slash.end(), limit)
            if _broken(text, other):
                break
            high = other.value * other.factor
            mate = Quantity(
                slash.end(),
                other.end,
                high,
                high,
                other.unit,
                scale=other.scale,
                decimal=other.decimal,
                member=True,
            )
            found.append(mate)
        if found[-1].unit:
            for q in found:
                q.unit = q.unit or found[-1].unit
        return found, mate.end
    if (
        (of := _OUT_OF.match(text, end))
        and of.end() < limit
        and not quantity.decimal
        and not quantity.unit
    ):
        other = _atom(text, of.end(), limit)
        if not _broken(text, other) and not other.unit and not other.decimal:
            high = other.value * other.factor
            mate = Quantity(
                of.end(),
                other.end,
                high,
                high,
                scale=other.scale,
                member=True,
                total=True,
                noun=other.noun,
            )
            return [quantity, mate], other.end
    return [quantity], end
