"""Papers as citations: BibTeX, RIS, plain text, Markdown and JSON lines.

In: a `Paper`, what is known of one, as plain text. Out: text in the format, in which whatever
a title or a name holds is data: braces, `%`, `&`, line ends and `*` break nothing.

Many abstracts come without title and author. Such a paper is cited by its label, in square
brackets where the format has no place to say so, and by the collection and year it stands in.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Paper:
    """What is cited. Texts are plain; `authors` as the source writes them, in order."""

    id: int
    label: str  # what a person would call it; never empty
    title: str | None = None
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    doi: str | None = None
    url: str | None = None
    volume: str | None = None
    number: str | None = None
    pages: str | None = None
    collection: str | None = None  # the title of the file it stands in
    abstract: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Venue where there is one, else the collection, else nothing.

        A paper without a title is found again in its collection, so that comes first.
        """
        found = (self.venue or self.collection) if self.title else (self.collection or self.venue)
        return _line(found)

    @property
    def address(self) -> str:
        """Where the paper is to be had: the DOI as an address, else the URL if it is http(s)."""
        if self.doi:
            return "https://doi.org/" + quote(bare_doi(self.doi), safe="/:;()._-")
        return self.url if self.url and _ADDRESS.fullmatch(self.url) else ""


_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+")
# all of category Cc that are not white space
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_DOI_BEFORE = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_PAGES = re.compile(r"\s*(?:-{1,3}|[–—])\s*")
_PARTICLES: Final = frozenset(
    "al bin da de del della den der di du el la le ten ter van von".split()
)


def bare_doi(doi: str) -> str:
    """A DOI without `doi:` or the address of a resolver before it."""
    return _DOI_BEFORE.sub("", _line(doi), count=1)


def _line(text: str | None) -> str:
    """One line: white space collapsed, control characters left out."""
    return " ".join(_CONTROL.sub("", text or "").split())


def _kind(paper: Paper) -> str:
    """article (in a journal), conference or other, by what the source gives."""
    if not paper.title or not paper.venue:
        return "other"
    return "article" if paper.volume or paper.number else "conference"


def family_first(name: str) -> str:
    """`Ada de Souza` as `de Souza, Ada`; a name with a comma or of one word as it is."""
    words = _line(name).split(" ")
    if "," in name or len(words) < 2:
        return " ".join(words)
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return f"{' '.join(words[start:])}, {' '.join(words[:start])}"


# -- BibTeX -------------------------------------------------------------------------------

# a brace counts for BibTeX even behind a backslash, so none may stand alone
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
    "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
_LATEX_TABLE = str.maketrans(_LATEX)


def latex(text: str) -> str:
    """Plain text as LaTeX that prints it, on one line, with balanced braces."""
    return _line(text).translate(_LATEX_TABLE)


def citation_key(paper: Paper) -> str:
    """A key of ASCII letters, digits and `_`: who or what, the year, and the paper's id.

    The id makes it unique, and the same in every export.
    """
    family = family_first(paper.authors[0]).split(",")[0] if paper.authors else ""
    words = _ascii_words(family.replace(" ", "")) or _ascii_words(paper.label)
    word = words[0] if words else "paper"
    return f"{word[:20]}{paper.year or ''}_{_base36(paper.id)}"


def _ascii_words(text: str) -> list[str]:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z][a-z0-9]*", bare)


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits or "0"


def _keeping_case(text: str) -> str:
    """LaTeX in which styles leave the case of `HaDola` and `DPO` alone."""
    words = _line(text).split(" ")
    return " ".join(
        "{" + latex(word) + "}" if any(c.isupper() for c in word[1:]) else latex(word)
        for word in words
    )


def _bibtex_author(name: str) -> str:
    # "Smith and Sons" would be two people, and what has three commas none
    whole = re.search(r"\band\b", name, re.IGNORECASE) or name.count(",") > 2
    return "{" + latex(name) + "}" if whole else latex(name)


def bibtex(paper: Paper) -> str:
    """One entry, with a line end behind it."""
    kind = _kind(paper)
    entry, container = {
        "article": ("article", "journal"),
        "conference": ("inproceedings", "booktitle"),
        "other": ("misc", "howpublished"),
    }[kind]
    fields = [
        ("author", " and ".join(_bibtex_author(a) for a in paper.authors if _line(a))),
        ("title", _keeping_case(paper.title or paper.label)),
        (container, latex(paper.where)),
        ("year", str(paper.year or "")),
        ("volume", latex(paper.volume or "")),
        ("number", latex(paper.number or "")),
        ("pages", _PAGES.sub("--", latex(paper.pages or ""))),
        ("doi", latex(bare_doi(paper.doi or ""))),
        ("url", _bibtex_url(paper)),
        ("keywords", ", ".join(latex(k) for k in paper.keywords)),
        # what styles sort and label by where there is no author
        ("key", "" if paper.authors else latex(paper.label)),
        ("note", "" if paper.title else "Named after its abstract; the source gives no title"),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@{entry}{{{citation_key(paper)},", *lines, "}"]) + "\n"


def _bibtex_url(paper: Paper) -> str:
    # url packages read it as it stands, so it is encoded rather than escaped
    return quote(paper.address, safe="/:;?@&=+,!*'()[]~._-#%") if paper.address else ""


# -- RIS ----------------------------------------------------------------------------------


def ris(paper: Paper) -> str:
    """One record of tagged lines that end as RIS asks (CR LF), `ER` last."""
    kind = {"article": "JOUR", "conference": "CONF", "other": "GEN"}[_kind(paper)]
    first, last = _first_and_last_page(paper.pages)
    tags: list[tuple[str, str]] = [
        ("TY", kind),
        *(("AU", family_first(a).replace("*", "")) for a in paper.authors),
        ("TI", paper.title or paper.label),
        ("T2", paper.where),
        ("PY", str(paper.year or "")),
        ("VL", paper.volume or ""),
        ("IS", paper.number or ""),
        ("SP", first),
        ("EP", last),
        ("DO", bare_doi(paper.doi or "")),
        ("UR", paper.address),
        ("AB", paper.abstract),
        *(("KW", k.replace("*", "")) for k in paper.keywords),
        ("ID", citation_key(paper)),
        ("N1", "" if paper.title else "Named after its abstract; the source gives no title"),
    ]
    lines = [f"{tag}  - {_line(value)}" for tag, value in tags if _line(value)]
    return "\r\n".join([*lines, "ER  - "]) + "\r\n"


def _first_and_last_page(pages: str | None) -> tuple[str, str]:
    parts = _PAGES.split(_line(pages), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


# -- text ---------------------------------------------------------------------------------


def _people(authors: Iterable[str]) -> str:
    names = [_line(a) for a in authors if _line(a)]
    if len(names) > 6:
        return f"{names[0]} et al."
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _place(paper: Paper) -> str:
    """`Journal 3(2), 4–9`, with the year where there is one and the place does not say it."""
    text = paper.where
    if paper.volume or paper.number:
        text += f" {_line(paper.volume)}" + (f"({_line(paper.number)})" if paper.number else "")
    if paper.pages:
        text += ", " + _PAGES.sub("–", _line(paper.pages))
    return text.strip(" ,")


def plain(paper: Paper) -> str:
    """A line of text: who (year). What. Where. Address."""
    title = _line(paper.title) or f"[{_line(paper.label)}]"
    people, year = _people(paper.authors), str(paper.year or "")
    parts = []
    if people:
        parts.append(f"{people} ({year})" if year else people)
    parts.append(title)
    place = _place(paper)
    if not people and year and year not in place.split():
        place = f"{place}, {year}" if place else year
    parts += [place, paper.address]
    return " ".join(_ended(part) for part in parts if part)


def _ended(part: str) -> str:
    return part if part.endswith((".", "?", "!")) or _ADDRESS.fullmatch(part) else part + "."


_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


def markdown_text(text: str) -> str:
    """Plain text as one line of Markdown that shows it."""
    return _MARKDOWN.sub(r"\\\1", _line(text))


def markdown(paper: Paper) -> str:
    """A line of Markdown: the title bold, linked where there is an address, then who and where."""
    name = f"**{markdown_text(paper.title or paper.label)}**"
    if paper.address:
        name = f"[{name}](<{quote(paper.address, safe='/:;?@&=+,!*()[]~._-#%')}>)"
    place = _place(paper)
    if paper.year and str(paper.year) not in place.split():
        place = f"{place}, {paper.year}" if place else str(paper.year)
    rest = [markdown_text(part) for part in (_people(paper.authors), place) if part]
    return ". ".join([name, *(part.rstrip(".") for part in rest)]) + "."


def json_line(paper: Paper) -> str:
    """One JSON object on one line, without what is not known; no line end."""
    known = {k: v for k, v in asdict(paper).items() if v not in (None, "", ())}
    return json.dumps(known, ensure_ascii=False)
