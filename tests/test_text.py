"""Markup to plain text: what is read, what is kept, and that every offset leads back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.text import normalize, readable, to_plain


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        # LaTeX
        (r"the \textbf{\textit{Tide Effect}} of \textsc{Moor}", "the Tide Effect of Moor"),
        (r"we name it {\small tiny} and \emph{calm}", "we name it tiny and calm"),
        (r"${\rm K{\small EEL}}$ and $\bf W$ater", "KEEL and Water"),
        (r"$\textbf{R}$apid $\textbf{A}$nchor", "Rapid Anchor"),
        (r"64\% of draws, R\&D, a\_b, \#1, \$5", "64% of draws, R&D, a_b, #1, $5"),
        (r"Fig.~3 by Doe~et al.", "Fig. 3 by Doe et al."),
        ("``quoted'' and `once'", "“quoted” and ‘once'"),
        (r"O($\sqrt{T}$), $O(T^{\frac{2}{3}})$", "O(√T), O(T^(2/3))"),
        (r"$8\times7$B and Mixtral-8$\times$7B", "8×7B and Mixtral-8×7B"),
        (r"\(x_1, \ldots, x_n\) with $k^{-1/2}$", "x_1, …, x_n with k^(-1/2)"),
        (r"$\tilde{\mathcal{O}}(\sqrt{n})$ and $\beta$-VAE", "Õ(√n) and β-VAE"),
        (r"Erd\H{o}s, Schr\"odinger, na\"{i}ve", "Erdős, Schrödinger, naïve"),
        (r"gain of $T^{3/4}$ \citep{doe2020}.", "gain of T^(3/4)."),
        (r"breaks (\cref{fig:a}(b,c)). Next", "breaks. Next"),
        (r"at \url{https://example.org/a_b~c}.", "at https://example.org/a_b~c."),
        (r"\href{https://example.org}{our page}", "our page"),
        (r"\ours{} beats \other", "ours beats other"),
        ("a -- b, 6--14, done---not", "a – b, 6–14, done—not"),
        # Money is no math.
        ("It costs $5 and $10 a run.", "It costs $5 and $10 a run."),
        ("from US$5 to US$10.", "from US$5 to US$10."),
        # Markdown
        ("**HaLo**, a **h**igh **lo**ad *it* and _it_", "HaLo, a high load it and it"),
        ("`run.it()` and a*b, 2*3*4, snake_case_x", "run.it() and a*b, 2*3*4, snake_case_x"),
        ("A* search; *Does it scale?* No.", "A* search; Does it scale? No."),
        ("on [our hub](https://example.org/x_y_z) now", "on our hub now"),
        ("cited in [3] and [x](y)", "cited in [3] and [x](y)"),
        # HTML and Unicode
        ("a &lt; b &amp;amp; c&nbsp;d &foo;", "a < b & c d &foo;"),
        ("10<sup>6</sup> <i>in vivo</i>, x<y and y>z", "10^6 in vivo, x<y and y>z"),
        ("ﬁne soft\u00adness, well‐known −3, ５０％", "fine softness, well-known -3, 50%"),
        ("repre-\nsentation of low-\nrank maps", "representation of low-rank maps"),
        ("two  spaces\tand\na line", "two spaces and a line"),
        ("One.\n\nTwo.", "One.\nTwo."),
        # A percent sign is never a comment.
        ("50% of it % and more", "50% of it % and more"),
        # The heading word
        ("Abstract We anchor.", "We anchor."),
        ("ABSTRACT: Sparse routing.", "Sparse routing."),
        ("**Abstract**\n\nTides turn.", "Tides turn."),
        ("Abstract Meaning Representation (AMR)", "Abstract Meaning Representation (AMR)"),
        ("Abstract reasoning is hard.", "Abstract reasoning is hard."),
        ("", ""),
    ],
)
def test_reads(source: str, plain: str) -> None:
    assert to_plain(source).plain == plain


def test_offsets_lead_to_the_words_of_the_source() -> None:
    source = r"It runs {1.85$\times$} faster and $18\%$ cheaper."
    plain = to_plain(source)
    for words, written in (("1.85×", r"1.85$\times$"), ("18%", r"18\%"), ("faster", "faster")):
        at = plain.plain.index(words)
        start, end = plain.source_span(at, at + len(words))
        assert source[start:end] == written


def test_a_span_takes_in_the_marks_that_open_its_math() -> None:
    for source, words, written in (
        (r"prunes $\sim$90\% of it", "~90%", r"$\sim$90\%"),
        (r"is $\mathord{\sim}5\times$ faster", "~5×", r"\mathord{\sim}5\times"),
        (r"costs \$5 here", "5", "5"),
    ):
        plain = to_plain(source)
        at = plain.plain.index(words)
        start, end = plain.source_span(at, at + len(words))
        assert source[start:end] == written


def test_span_outside_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="no span"):
        to_plain("abc").source_span(1, 4)


_PIECES = st.sampled_from(
    [
        *"\\${}*_`'\"~ \n&<[]()-^.aB1é𝐀\u00ad|%",
        "\\textbf{",
        "\\frac{",
        "\\sqrt{",
        "\\tilde{",
        "\\footnote{",
        "\\cite{a}",
        "\\(",
        "\\)",
        "](https://example.org)",
        "https://",
        "&amp;",
        "<b>",
        "--",
        "-\n",
        "_{",
        "$$",
        "ﬁ",
        "Abstract ",
        "\ud800",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map("".join)))
def test_any_text_gives_a_sound_map(source: str) -> None:
    found = to_plain(source)
    assert len(found.plain) == len(found.starts) == len(found.ends)
    assert list(found.starts) == sorted(found.starts)
    assert list(found.ends) == sorted(found.ends)
    places = zip(found.starts, found.ends, strict=True)
    assert all(0 <= start < end <= len(source) for start, end in places)
    assert found.plain == found.plain.strip()
    assert "  " not in found.plain


@given(st.text(alphabet="abcdefgh ,.%()", max_size=200))
def test_text_without_markup_is_kept(source: str) -> None:
    assert to_plain(source).plain == " ".join(source.split())


def test_normalize_folds_what_does_not_count() -> None:
    a = to_plain("**KeepLight** cuts memory by $41\\%$ below $\\tau$, a naïve rule‐set.").plain
    b = to_plain("KEEPLIGHT cuts memory by 41% below τ - a naive rule-set").plain
    assert normalize(a) == normalize(b) == "keeplight cuts memory by 41 below τ a naive rule set"


@pytest.mark.parametrize(
    ("plain", "bare"),
    [
        (
            "BACKGROUND: Tides turn. METHODS: We wait. © 2019 Example Ltd. All rights reserved.",
            "tides turn we wait",
        ),
        ("We wait. Copyright © 2001 by the Example Society.", "we wait"),
        ("The results: all fail.", "the results all fail"),
        ("海潮会变。我们等待", "海潮会变 我们等待"),
        ("Ångström Straße", "angstrom strasse"),
        ("...", ""),
    ],
)
def test_normalize(plain: str, bare: str) -> None:
    assert normalize(plain) == bare


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"30\%", "30%"),
        (r"12.8\%; 1.85$\times$", "12.8%; 1.85×"),
        ("~5K", "~5K"),
        ("+34.8%", "+34.8%"),
        ("", ""),
    ],
)
def test_few_words_are_readable(written: str, read: str) -> None:
    assert readable(written) == read
