"""What LaTeX commands stand for, as tables.

In: nothing. Out: constants that `text` reads. A command that is in no table is formatting when
an argument follows (`\\hl{word}` is `word`), else it is read by its name (`\\log` is `log`).
"""

from typing import Final


def words(listed: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(listed.split())


# Commands that stand for characters, by name.
SYMBOLS: Final[dict[str, str]] = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "div": "÷", "ast": "*", "star": "⋆",
    "circ": "∘", "bullet": "•", "oplus": "⊕", "otimes": "⊗", "odot": "⊙", "wedge": "∧", "vee": "∨",
    "sim": "~", "simeq": "≃", "approx": "≈", "cong": "≅", "equiv": "≡", "propto": "∝",
    "leq": "≤", "le": "≤", "leqslant": "≤", "geq": "≥", "ge": "≥", "geqslant": "≥", "neq": "≠",
    "ne": "≠", "lt": "<", "gt": ">", "ll": "≪", "gg": "≫", "lesssim": "≲", "gtrsim": "≳",
    "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆", "supset": "⊃",
    "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖", "emptyset": "∅", "varnothing": "∅",
    "forall": "∀", "exists": "∃", "neg": "¬", "to": "→", "rightarrow": "→", "leftarrow": "←",
    "leftrightarrow": "↔", "longrightarrow": "→", "Rightarrow": "⇒", "Leftarrow": "⇐",
    "Leftrightarrow": "⇔", "implies": "⇒", "iff": "⇔", "mapsto": "↦", "uparrow": "↑",
    "downarrow": "↓", "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏",
    "int": "∫", "sqrt": "√", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ",
    "prime": "′", "dagger": "†", "ddagger": "‡", "checkmark": "✓", "perp": "⊥", "parallel": "∥",
    "mid": "|", "vert": "|", "lvert": "|", "rvert": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖",
    "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋",
    "lbrace": "{", "rbrace": "}", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮",
    "textellipsis": "…", "top": "⊤", "bot": "⊥", "triangle": "△", "square": "□", "angle": "∠",
    "deg": "°", "degree": "°", "textdegree": "°", "textasciitilde": "~", "textasciicircum": "^",
    "textbackslash": "\\", "textbar": "|", "textless": "<", "textgreater": ">", "textbullet": "•",
    "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘",
    "textregistered": "®", "texttrademark": "™", "copyright": "©", "pounds": "£", "euro": "€",
    "texteuro": "€", "textmu": "µ", "textpm": "±", "texttimes": "×", "S": "§", "P": "¶",
    "percent": "%", "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "θ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "varpi": "π", "rho": "ρ",
    "varrho": "ρ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω",
    "quad": " ", "qquad": " ", "newline": " ", "linebreak": " ", "par": "\n", "item": "\n",
}  # fmt: skip

# Switches and spacing that leave nothing in the text.
SILENT: Final[frozenset[str]] = words(
    "tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge bf rm it sl sc sf tt"
    " em bfseries mdseries itshape slshape scshape upshape rmfamily sffamily ttfamily boldmath"
    " normalfont displaystyle textstyle scriptstyle limits nolimits left right big Big bigg Bigg"
    " bigl bigr Bigl Bigr biggl biggr mathsf xspace protect noindent centering raggedright"
    " footnotemark maketitle relax nobreak allowbreak unskip ignorespaces hfill vfill smallskip"
    " medskip bigskip clearpage newpage break leavevmode mathstrut strut"
)

# Commands whose argument is no text of the abstract: citations, references, layout.
WITHOUT_ARGUMENT: Final[frozenset[str]] = words(
    "cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite"
    " footcite supercite fullcite nocite citenum ref cref Cref crefrange autoref eqref pageref"
    " nameref vref Vref label begin end vspace hspace vskip hskip includegraphics bibliography"
    " bibliographystyle input include usepackage color phantom hphantom vphantom index pagestyle"
    " thispagestyle setlength hypersetup tag"
)

# Of these only the second argument is text: `\href{address}{words}`.
SECOND_ARGUMENT: Final[frozenset[str]] = words(
    "href textcolor colorbox hyperref hyperlink raisebox scalebox resizebox"
)

# Accents: `\'e`, `\"{o}`, `\v{s}`, and their mathematical sisters.
ACCENTS: Final[dict[str, str]] = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "bar": "\u0304", "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c",
    "breve": "\u0306", "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a", "vec": "\u20d7",
}  # fmt: skip
