"""Digits that measure nothing.

In: a text and the place of a digit. Out: where to go on reading when the digit belongs to a
name, a year, a citation, a list mark, a resolution, a reference or a formula.
"""

from __future__ import annotations

import re
from typing import Final

from loader.measurements.atoms import EXPONENT, NUMBER, RUN, decimal_comma, read
from loader.measurements.lexicon import METRIC_HEADS
from loader.measurements.spelled import closing

GRID: Final = re.compile(r"\d+(?:\s?[×x]\s?\d+[KkMB]?){1,4}(?:\s?(?:px|pixels?))?[A-Za-z-]*\w*")
CLOCK_OR_RATIO: Final = re.compile(r"\d+(?:\.\d+)?(?:\s?:\s?\d+(?:\.\d+)?)+")
_VERSION: Final = re.compile(
    r"\d+(?:\.\d+){2,}|\d+(?:st|nd|rd|th)\b|24/7|\d{1,2}/(?:\d{1,2}/)?(?:19|20)\d\d\b|0\d+\b(?!\.)|\d{4}s\b|\d0s\b"
)
_YEAR: Final = re.compile(r"(?:1[89]\d\d|20\d\d)(?:\s?[–-]\s?(?:\d{4}|\d\d))?(?![\w,.]*\d|\s?[%×])")
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d{1,2}(?![\d,.])(?=\s?%|\s[^\W\d_])")
_LIST_MARK: Final = re.compile(r"\d{1,2}\)")
_IN_BRACKETS: Final = re.compile(r"\[\s?\d+[a-z]?(?:\s?[,;–-]\s?\d+[a-z]?)*\s?\]")
_REFERENCE: Final = re.compile(
    r"(?:\b(?:[Ff]igs?|[Ee]qs?|[Ss]ecs?|[Nn]o|[Vv]ol|[Cc]h|[Rr]efs?|pp?|arXiv|[Tt]abs?)\.?|\b(?:[Ff]igures?|[Tt]ables?|[Ss]ections?|"
    r"[Ee]quations?|[Tt]heorems?|[Ll]emmas?|[Aa]lgorithms?|[Aa]ppendi(?:x|ces)|[Cc]hapters?|[Cc]orollary|"
    r"[Pp]ropositions?|[Aa]ssumptions?|[Dd]efinitions?|[Rr]emarks?|[Ss]tages?|[Pp]hases?|[Vv]ersions?|"
    r"[Pp]arts?|[Tt]ypes?|[Cc]ases?|[Rr]ows?|[Cc]olumns?|[Ll]evels?|[Tt]racks?|[Ss]ubtasks?|[Ss]cenarios?|[Gg]rades?|"
    r"[Tt]asks?|[Ss]teps?|[Ll]ayers?|[Qq]uestions?|[Pp]roblems?|[Pp]anels?|[Ll]ines?|Day|days|Paper|[Ss]ites?|RQ))\s?\(?\Z"
)
# The words of that pattern, looked at before it.
_REFERRING: Final = frozenset(
    w + s
    for w in (
        "fig eq sec no vol ch ref p arxiv tab figure table section equation theorem lemma "
        "algorithm chapter proposition assumption definition remark stage phase version part "
        "type case row column level track subtask scenario grade task step layer question "
        "problem panel line day paper site rq"
    ).split()
    for s in ("", "s", "p")
) | {"appendix", "appendices", "corollary"}
# Names that end in a number, decimal or not.
_NUMBERED: Final = re.compile(
    r"\b(?:IEEE|ISO(?:/IEC)?|RFC|ANSI|ICD|[Ii]ndustry|[Ww]eb|Python|CUDA)[ -]\Z"
)
_NUMBERED_WORDS: Final = frozenset("ieee iso iec rfc ansi icd industry web python cuda".split())
_MONTHS: Final = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    "Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_AFTER_MONTH: Final = re.compile(rf"\b(?:{_MONTHS})\.?\s\Z")
_BEFORE_MONTH: Final = re.compile(rf"\d{{1,2}}\s(?:{_MONTHS})\b")
_NAME_BEFORE: Final = re.compile(r"(?<![\w])([A-Z][\w.’'-]*)[\s~]\Z")
_VARIABLE: Final = re.compile(r"(?<![\w])([A-Za-zα-ωΑ-Ω](?:[\da-z]|_\w)?)\s?[=∈]\s?\Z")
_STATISTICS: Final = frozenset("n N p P r R t F z Z AP F1 R2 r2".split())
# "the best correlation (τ = .41)": elsewhere these letters are parameters.
_CORRELATIONS: Final = frozenset("τ ρ κ".split())
_CORRELATED: Final = ("orrelation", "greement", "endall", "pearman", "kappa")
_CALL: Final = re.compile(r"(?<!\w)[A-Za-zα-ωΑ-ΩÕ]\d?\((?:[^()]{0,40})\Z")
_MATH_BEFORE: Final = re.compile(
    r"[\w)\]](?:[+*^_·⋅]|\s[+*^_·⋅]\s)[({]?[−-]?\Z|[A-Za-zα-ω)]\s[−-]\s\Z|[√^_]\s?[({]?\Z|\b(?:log|exp|ln|min|max)\s?\(?\Z"
)
_FUNCTIONS: Final = ("log", "exp", "ln", "min", "max")  # of the expression above
COUNTED: Final = re.compile(r"\s(?:[a-z][\w-]*\s){0,3}[a-z][a-z-]*(?:s|ren|data|ple)\b")
_LOWER_WORD: Final = re.compile(r"\s[a-z]")
_METRIC_NAME: Final = re.compile(
    r"[A-Z]{2,}s?$|F1|Dice|Recall|Precision|Accuracy|AUC|Top|Rouge|Bleu|Hit|Score|.*(?:@|IoU|AP|Score|Rate)"
)


_FIGURE: Final = re.compile(r"\b(?:[Ff]igs?|[Tt]abs?|[Ff]igures?|[Tt]ables?)\.?\s?\(?\Z")
_FIGURE_PARTS: Final = re.compile(
    r"\d+[A-Za-z]?(?:\([a-z]\))?(?:\s?(?:,|and|or|to|[–-]|&)\s?(?:\d+[A-Za-z]?|[A-Za-z])(?!\w))*"
)
_BEFORE_YEAR: Final = re.compile(r"\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Uu]ntil|[Yy]ear|[A-Z][\w-]+)\s\Z")
_MORE_NUMBERS: Final = re.compile(r"(?:\s?(?:,|and|or|to|[–-]|&)\s?\d+(?:\.\d+)?\w?(?!\w))+")
_MACHINES: Final = re.compile(r"\d+\s?[×x]\s?[A-Z]")  # "8×H100"


def skip(text: str, start: int) -> int | None:
    """Where to go on reading when the digits at `start` are no quantity, else None."""
    before = text[start - 1] if start else " "
    after = RUN.match(text, start)
    run_end = after.end() if after else start + 1
    if before.isalnum() or before in "_@^#\\°.&":
        return run_end
    if before in "-–−+" and start > 1 and (text[start - 2].isalnum() or text[start - 2] in ")]"):
        return run_end
    if before in "/×" and start > 1 and not text[start - 2].isspace():
        return run_end
    if before in "'’‘`" and re.match(r"\d\d(?!\d)", text[start : start + 3]):
        return start + 2
    number = NUMBER.match(text, start)
    comma = _DECIMAL_COMMA.match(text, start) if number else None
    if comma and decimal_comma(text, start) is None:
        return comma.end()  # "12,5%" as in German: not 5%, and whether it is 12.5 is not sure
    if number and EXPONENT.match(text, number.end()):
        return None
    if match := GRID.match(text, start):
        return None if _MACHINES.match(text, start) else match.end()
    if (match := CLOCK_OR_RATIO.match(text, start)) or (match := _VERSION.match(text, start)):
        return match.end()
    window = text[max(0, start - 48) : start]
    if "[" in window and (opening := text.rfind("[", max(0, start - 48), start)) >= 0:
        cited = _IN_BRACKETS.match(text, opening)
        if cited and cited.end() > start:
            return cited.end()
    opening = window.rfind("(")
    closed = before == "(" or opening < 0 or opening < window.rfind(")")
    if closed and (match := _LIST_MARK.match(text, start)):
        return match.end()
    # Four digits that look like a year count something only before a plural noun.
    near = window[-16:]
    if ("ig" in near or "ab" in near) and _FIGURE.search(near):
        parts = _FIGURE_PARTS.match(text, start)
        return parts.end() if parts else run_end
    last_word = window.rsplit(None, 1)[-1] if window.strip() else ""
    if (match := _YEAR.match(text, start)) and last_word not in METRIC_HEADS:
        counts = COUNTED.match(text, match.end()) and not _BEFORE_YEAR.search(window)
        if not counts and read(text, start, len(text)).unit in ("", "s"):
            return match.end()
    capital = not last_word.islower()
    if (capital and before.isspace() and _AFTER_MONTH.search(near)) or _BEFORE_MONTH.match(
        text, start
    ):
        return run_end
    # a word and a space before a number, as nearly always, are no formula but for a few words
    worded = before == " " and window[-2:-1].isalpha() and not last_word.endswith(_FUNCTIONS)
    if not worded and _MATH_BEFORE.search(window[-12:]):
        return run_end
    if opening >= 0 and _CALL.search(window) and ")" in text[start : start + 40]:
        return closing(text, max(0, start - len(window)) + window.rfind("(")) or run_end
    if not worded and (match := _VARIABLE.search(window[-8:])):
        atom = read(text, start, len(text))
        statistic = match[1] in _STATISTICS or (
            match[1] in _CORRELATIONS and any(word in window for word in _CORRELATED)
        )
        if atom.power or (not statistic and not atom.unit):
            return atom.end
    word = _last_letters(near).lower()
    if before in " -" and word in _NUMBERED_WORDS and _NUMBERED.search(window[-12:]):
        return run_end
    refers = word in _REFERRING and (before in ".(" or before.isspace())
    if refers and _REFERENCE.search(near):
        atom = read(text, start, len(text))
        if not atom.unit and not atom.decimal:
            listed = _MORE_NUMBERS.match(text, atom.end)
            return listed.end() if listed else atom.end
    match = None if last_word.islower() else _NAME_BEFORE.search(window[-24:])
    if match and _continues_name(text, start, match[1], max(0, start - 24) + match.start()):
        return run_end
    return None


def _last_letters(text: str) -> str:
    """The letters that `text` ends with, before brackets, dots, dashes and white space."""
    text = text.rstrip("(.-").rstrip().rstrip("(.-")
    k = len(text)
    while k and text[k - 1].isalpha():
        k -= 1
    return text[k:]


def _continues_name(text: str, start: int, name: str, name_start: int) -> bool:
    """Whether a capitalised word makes the number after it part of a name ("Llama 3")."""
    atom = read(text, start, len(text))
    if atom.scale in ("k", "K") and not atom.unit and text[start - 1] == " ":
        return text[atom.end : atom.end + 1] in ".,;)" and name[1:] != name[1:].lower()
    if atom.unit or atom.scale or atom.plus or atom.noun:
        return False
    before = text[max(0, name_start - 2) : name_start]
    begins = not before or before.strip()[-1:] in (".", "!", "?", ":")
    if begins and not any(c.isupper() for c in name[1:]):
        return False  # begins a sentence: its capital says nothing
    if atom.decimal:
        version = atom.value < 10 and atom.number_end - start == 3  # "2.2"
        if name.isupper() and version:
            return name.lower() not in METRIC_HEADS
        return not _METRIC_NAME.match(name) and atom.value > 1
    small = atom.value < 100
    acronym = name.isupper() and len(name) > 1
    if _LOWER_WORD.match(text, atom.end) and COUNTED.match(text, atom.end):
        return small and not acronym
    return True
