"""Units as abstracts write them.

In: nothing. Out: `UNIT`, one pattern for what may follow a number as its unit, and
`canonical`, which gives a unit its one spelling. Counted nouns ("images") are no units here.
"""

from __future__ import annotations

import re
from typing import Final

# Symbols that stand for a unit only right behind a number; longest first within a letter.
_SYMBOLS: Final = (
    r"[kKMGTP]i?[Bb](?:/s|ps)?|bps|[GTMP]FLOPs?|FLOPS"
    r"|ms(?:ec)?|[μµunpf]s(?:ec)?|secs?|mins?|hrs?|yrs?|[kMG]yr|byr|Myrs|Ma|ka|Ga"
    r"|[kMGT]?Hz|[kMGTmμµ]?W(?:h|att)?|[kMGTmμµn]?eV|[kmMμµ]?V|[kmMμµnp]?J|[mμµn]A"
    r"|[kMGhm]?Pa|[mμµnk]?bar|kcal|[kcmμµnp]?mol|[mμµnp]M"
    r"|[kcdmμµnf]?m|[kmμµnp]?g|[mμµnd]?[lL]|kpc|Mpc|pc|AU|Å|nT|[mμ]?T|[kM]?N|[mk]?Da|bp|kb|Mb"
    r"|wt\.?\s?%|vol\.?\s?%|at\.?\s?%|mol\s?%|°\s?[CFKNSEW]?|K|pp[mb]v?|pp[tq]|[dD]Bm?|fps|FPS|rpm"
    r"|s|h|d|A|px|bpp|‰"
)
_WORDS: Final = (
    r"[a-z]{3,12}s\sper\ssecond|"
    r"percentage[\s-]points?|percent(?:age)?[\s-]points?|percents?|per\s?cent|basis\spoints?|points?"
    r"|milliseconds?|microseconds?|nanoseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?"
    r"|centuries|decades?|(?:kilo|mega|giga|tera|peta|exa)?bytes?|gigabits?|megabits?"
    r"|(?:kilo|mega|giga|milli)?watts?(?:-hours?)?|kilowatt-hours?|joules?|volts?|dollars?|euros?|cents"
    r"|(?:kilo|centi|milli|micro|nano)?met(?:er|re)s?|miles?|inch(?:es)?|feet|(?:kilo|milli)?grams?"
    r"|tons?|tonnes?|lit(?:er|re)s?|degrees?(?:\s(?:Celsius|Fahrenheit|C|F)\b)?|decibels?|kelvin"
    r"|bits|(?:[GCT]PU|[AHV]\d00)[\s-](?:hours?|days?)|USD|EUR|GBP|CHF|RMB|gigaflops|teraflops|petaflops|exaflops"
)
_PER: Final = (
    rf"(?:[/·⋅∙*.]\s?(?:{_SYMBOLS})(?:[−–-]?\d|[²³])?(?![\w])|/(?:tokens?|images?|frames?|samples?"
    rf"|hour|day|sec(?:ond)?|min|year|query|step|request)\b|\s(?:{_SYMBOLS})(?:[−–-]\d|[⁻−][¹²³])(?!\w))"
)
# Percent and times signs, then symbols and words, with an optional "per" part.
UNIT: Final = re.compile(
    rf"\s?(?P<percent>%)(?:[\s-]?(?P<ppoint>points?|pts?)\b)?"
    rf"|\s?(?P<times>×)(?!\s?\d)|(?P<x>[xX])(?![\w])"
    rf"|[\s-]?(?P<fold>fold)\b(?!\s+(?:cross|CV))"
    rf"|\s?(?P<pp>pp|p\.p\.|pts?)(?!\w)"
    r"|\s(?P<apoints>absolute\s(?:percentage\s)?points?)\b"
    rf"|[\s-](?P<word>{_WORDS})(?![\w-])"
    rf"|(?P<bit>-bits?)(?![\w])"
    rf"|[\s-]?(?P<symbol>(?:{_SYMBOLS})(?:[−–-][1-3]|[²³23])?)(?![\w@])(?:{_PER}){{0,3}}"
    rf"|\s?(?P<rate>(?:tokens?|tok|images?|img|frames?|samples?|it)/s(?:ec)?)\b"
)
_CANONICAL: Final = {
    "percent": "%", "percents": "%", "per cent": "%", "percentage point": "points",
    "percentage points": "points", "percent point": "points", "percent points": "points",
    "percentage-points": "points", "point": "points", "pp": "points", "p.p.": "points",
    "pts": "points", "pt": "points", "-bit": "bit", "-bits": "bit", "µs": "μs", "us": "μs",
    "dollars": "$", "dollar": "$", "USD": "$", "euros": "€", "EUR": "€",
}  # fmt: skip


def canonical(unit: str) -> str:
    """The one spelling of a unit: `percent` is `%`, `pp` is `points`; others stay as written."""
    unit = unit.strip()
    return _CANONICAL.get(unit) or _CANONICAL.get(unit.lower(), unit)


TIME_UNITS: Final = frozenset(
    "ms msec μs s sec secs min mins h hr hrs second seconds minute minutes hour hours day "
    "days week weeks month months year years millisecond milliseconds microsecond "
    "microseconds d".split()
)
