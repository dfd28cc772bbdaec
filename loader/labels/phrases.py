"""Phrases: stretches of text, made short and complete enough to stand in a label.

In: text that begins where the phrase begins. Out: the phrase without brackets, ended where a
reader does not miss what follows. Also small changes of words: gerunds, capitals, articles.
"""

from __future__ import annotations

import re
from typing import Final

from loader.symbols import words

LONGEST: Final = 100  # characters of a label
_READ: Final = 400  # characters of a text that a phrase is looked for in
_ENOUGH_SAID: Final = 34  # characters; a phrase that is shorter goes on into its clause
_NEAR: Final = 12  # the same before ", which" and before another verb
_LEAST: Final = 12  # characters; a phrase that is shorter is no phrase

SPACE: Final = re.compile(r"\s+")
# what stands in brackets; of formulas, as "O(n)" and "2^(k)", they are a part
_BRACKETS: Final = re.compile(
    r"(?: |(?<![\^_√])(?<!\b[A-Za-z]))(?:\([^()]{0,200}\)|\[[^\[\]]{0,200}\])"
)
_BEFORE_POINT: Final = re.compile(r" +(?=[,;.:?!](?:\s|$))")
ARTICLE: Final = re.compile(
    r"(?:(?:an?|the|our|this|these|its|some|several|one)\s+)?(?:(?:very )?(?:novel|new|first|"
    r"simple|straightforward|powerful|principled|intuitive|yet|and|but|effective|efficient|"
    r"innovative|proposed|analogous|so-called)[, ]+(?=\w))*",
    re.IGNORECASE,
)
_POINTING: Final = words(
    "this these such those it its our their them they above aforementioned same previous former"
    " latter proposed we"
)
_WORD: Final = re.compile(r"\w+")
# verbs that begin another statement behind "and"; those that are nouns as well need an object
_ANOTHER: Final = (
    r"(?:\w+ly |then |also |further ){0,3}"
    r"(?:(?:shed |introduc|propos|develop|devis|deriv|demonstrat|"
    r"evaluat|prov|provid|establish|reveal|investigat|analy[sz]|explor|examin|appl(?:y|ies)|"
    r"discuss|compar|identif(?:y|ies)|outperform|achiev|improv|leverag|validat|verif(?:y|ies)|"
    r"construct|creat|describ|enabl|allow|characteri[sz]|quantif(?:y|ies)|exploit|obtain|defin|"
    r"formulat|extend|address|observ|argu|represent|illustrat|combin|indicat|suggest|highlight|conclud|confirm|discover|tak|"
    r"contribut|implement|formali[sz]|us(?=es? (?:an?|the))|thereby)(?:es?|s)?"
    r"|has|have|is|are|was|were|can|cannot|we|it|they|build|builds"
    r"|(?:shows?|presents?|designs?|uses?|trains?|tests?|studies|study|reports?|finds?|offers?|"
    r"leads?|yields?|gives?|makes?|helps?|releases?|conducts?|performs?|boosts?|learns?)"
    r"(?= (?:an?|the|our|its|their|that|how|why|to|several|two|three|novel|new|it|and)\b))\b"
)
# Both begin with a set of characters, so that all others are passed over quickly.
_CLAUSE: Final = re.compile(
    rf"[ ,;:—?!.](?:(?P<near>(?<=,) (?:which|where|whose|along with|"
    rf"together with)\b|(?:(?<= )and|(?<=,)) {_ANOTHER})"
    r"|(?<=,)(?: (?:thereby|thus|while|and (?:a|an|the|we|it|then|also)|with|so|as|by|that|"
    r"for which|e\.g|i\.e|without|effectively|formulated|in which|based|designed|to|but|whereas|"
    r"such|including)\b| (?:\w+ly )?\w+ing (?!and\b|or\b)"
    r"| \w+(?:ed|wn) (?:of|by|in|with|for|as|on|to|from|under|via|through)\b)"
    r"|(?<= )(?:(?:(?:under|for|in|on|at|by|from|through|with|to) which|that|which|where|thereby|"
    r"while|whereas|because|so that|such that)\b|in an attempt |in order |as well as |-- |– |- )"
    r"|(?<=[;:—?!])|(?<=\.) )"
)
# where a phrase that is too long may end
_BREAK: Final = re.compile(
    r"[ ,](?:(?:(?<= )|(?<=,) )(?:and|or|that|which|by|for|through|with|to|"
    r"using|via|in|into|on|from|under|across|between|over|designed|extracted|based|while|where|"
    r"when|without|at|as|is|are|can|among|during|within|after|of|given|than|towards?|beyond|against)\b|(?<=,))"
)
_AND_NAME: Final = re.compile(r" (?:and|or) [A-Z][a-z]+\b")
# words that may not stand last
DANGLING: Final = words(
    "a an the of and or for to in on by with from via as at that which is are was were be been"
    " its their our his her my your this these those such under through over using into between"
    " across than more less most least both not can could may might will would should must shall"
    " cannot do does did has have had while without toward towards when where whose who per"
    " within various different diverse including based designed comprised capable how why"
    " whether what if e.g i.e one two three four five six seven eight nine ten many several some"
    " all any each every no other another few among amongst during after before against about"
    " upon like unlike due able equal greater fewer similar according relative subject prior"
    " respect order namely given then also thus thereby so but yet nor either neither very only"
    " even just well further we they it along useful compliant new novel rather specific large"
    " small high low long short key main real beyond around because since although though called"
    " named termed there"
)
_ADVERB: Final = re.compile(r"(?!family|assembly|anomaly|supply|reply|monopoly|italy)\w{3,}ly$")
# what has lost what it governs: a participle before a preposition, a verb
_PARTICIPLE: Final = re.compile(
    r",? (?:(?!seed|speed|need|feed|shed|breed)\w+(?:[^aeiou]ed|ied|ced|ted|sed|ved|med|ged|zed|"
    r"ded)|shown|known|built|seen|made|found|drawn|taken|given|driven)$"
)
_PAST: Final = (
    "ed", "shown", "known", "built", "seen", "made", "found", "drawn", "taken", "given", "driven",
)  # fmt: skip
_GOVERNS: Final = re.compile(
    r" (?:to|by|in|on|for|with|as|of|from|at|under|through|into|using|via|over|across|upon)\b"
)
_HANGING: Final = re.compile(
    r"(?:(?:of|for|by|in|,) \w+ing| (?:leading|resulting|aiming|focusing|relating|pertaining|"
    r"corresponding|belonging|starting|beginning|depending|consisting|ranging|varying|working)"
    r"|(?:,? (?:designed|able|used|in order|trained|aims?|seeks?|how))? to (?:\w+ly )?\w+)$"
)
# an adjective that has lost its noun to what follows "and" or a comma, and nouns that look like it
_ADJECTIVE: Final = re.compile(
    r" (?!object|perspe|narrat|alternat|derivat|incent|representat|individ|residual|manual|neural$)"
    r"(?:[\w-]+-(?:efficient|aware|free|based|level|wise|specific|agnostic|scale|trained|driven|"
    r"guided|oriented|order|step|quality)|[\w-]*(?:[acinpru][nst]ive|ual|ical|[bpm]oral|onal|ntal|"
    r"global|local|neural|causal|[ant]st?ic|etic|ous|[tu]able|ible|less|linear|semantic))$"
    r"| (?:an?|its|their) [\w-]+(?:ed|al|ive|ous|ic|able)$"
)
# what it ends in; a quicker test
_DESCRIBING: Final = (
    "ive", "al", "ic", "ous", "ble", "less", "ed", "linear", "efficient", "aware", "free", "level",
    "wise", "scale", "driven", "order", "step", "quality",
)  # fmt: skip
_ADJECTIVES: Final = re.compile(
    r"(?:(?:\w+ly )?[\w-]*(?:ed|ive|al|ic|ous|ble|free|aware|scale|quality|level|ful|less|end|ent|"
    r"ant|weight|cost)(?:, (?:and |yet |but )?| and | yet ))+(?=[\w-]+ )"
)
_EPONYM: Final = words(
    "bayesian bayes markov gaussian fourier lagrangian hamiltonian hessian fisher jacobian"
    " wasserstein riemannian euclidean hilbert banach lipschitz boltzmann langevin monte carlo"
    " poisson dirichlet bernoulli shapley nash pareto python java english chinese indian indic"
    " greek western arabic thompson hankel kalman newton gibbs laplace laplacian stein sobolev"
    " lyapunov bellman winograd gumbel rademacher kullback leibler hausdorff frechet german"
    " french spanish european african american asian japanese korean bregman turing kolmogorov"
    " smirnov arnold taylor cauchy bernstein chebyshev sinkhorn hadamard kronecker toeplitz"
    " legendre vandermonde galerkin gromov lie adam schrodinger schrödinger fokker planck"
    " hopfield russian voronoi delaunay hough otsu internet boolean cartesian student cox"
    " weibull nesterov stackelberg"
)


_HEADINGS: Final = (
    "Introduction", "Background", "Context", "Motivation", "Method", "Result", "Findings",
    "Conclusion", "Objective", "Aim", "Purpose", "Summary", "Abstract", "Problem", "Approach",
    "Design",
)  # fmt: skip
_HEADING: Final = re.compile(
    r"(?:[A-Z][A-Z ,/&-]{3,40}(?: #?\d)?|Introduction|Background|Context|Motivation|Methods?|"
    r"Results?|Findings|Conclusions?|Objectives?|Aims?|Purpose|Summary|Abstract|Problem|Approach|Design)"
    r"(?:: | [-–—] |\. (?=[A-Z]))"
)
_NO_SPACE: Final = re.compile(r",(?<=[a-z],)(?=[a-z]{3})")
_ASIDE: Final = re.compile(
    r",(?: (?:for the first time|to (?:the best of )?our knowledge|in turn|however|therefore|in "
    r"particular|among others),?|(?<= that,) [^,.;]{3,90},)(?= )"
)


def points_back(text: str) -> bool:
    """Whether a word of `text` stands for something that was said before."""
    return not _POINTING.isdisjoint(_WORD.findall(text.lower()))


def tidy(text: str) -> str:
    """The beginning of `text` with single spaces and without brackets, asides, headings."""
    text = text[: 2 * _READ]
    if "\n" in text or "  " in text:
        text = " ".join(text.split())
    if "(" in text or "[" in text:
        text = _BRACKETS.sub("", text)
    if "," in text:
        text = _ASIDE.sub("", _NO_SPACE.sub(", ", text))
    if " ," in text or " ." in text or " ;" in text or " :" in text or " ?" in text:
        text = _BEFORE_POINT.sub("", text)
    second = text[1:2]
    if not second.isupper() and second not in " ,/&-" and not text.startswith(_HEADINGS):
        return text.strip()[:_READ]
    heading = _HEADING.match(text)
    return text[heading.end() if heading else 0 :].strip()[:_READ]


def phrase(text: str, room: int = LONGEST, *, clause: bool = True) -> str:
    """The phrase that the tidy `text` begins with, at most `room` characters; "" if none ends well.

    It ends before the first clause that may go, or, where `clause` is False, only where there is
    no room for more.
    """
    text = text.rstrip(" .")
    found = _ended(text, room, clause)
    if len(text) > room and (lighter := _ADJECTIVES.match(text)):
        # "unified, gradient-free framework that ..." says less in front than behind
        without = _ended(text[lighter.end() :], room, clause)
        if lighter.end() + len(without) > len(found) + 8:
            return without
    return found


def _ended(text: str, room: int, clause: bool) -> str:
    first = 0  # the last clause boundary that leaves a short phrase
    if clause or len(text) > room:
        for boundary in _CLAUSE.finditer(text):
            at = boundary.start()
            if at > room:
                break
            enough = _NEAR if boundary["near"] else _ENOUGH_SAID
            if at >= enough or boundary[0][0] in ";:—?!.":
                shorter = settled(text[:at], text[at:])
                if len(shorter) >= _LEAST:
                    return shorter
            elif at >= _LEAST:
                first = at
    if len(text) <= room:
        return closed(text)
    ends = [m.start() for m in _BREAK.finditer(text, 0, room + 8)]
    divides = ""  # the best end so far, if it divides two names: "by Fock [and Klee]"
    for end in reversed(ends):
        if end > room:
            continue
        shorter = settled(text[:end], text[end:])
        if len(shorter) < max(_LEAST, room * 0.3):
            break
        if shorter.endswith(_DESCRIBING) and _ADJECTIVE.search(shorter, max(0, len(shorter) - 40)):
            continue
        if not _AND_NAME.match(text, end):
            return shorter
        divides = divides or shorter
    return divides or settled(text[:first], text[first:])


_BEGUN: Final = re.compile(r", [a-z][a-z-]+$")


def settled(text: str, rest: str) -> str:
    """`text`, which goes on with `rest`, without the words at its end that need what follows."""
    governs = bool(_GOVERNS.match(rest))
    for _ in range(8):
        text = text.rstrip(" ,;:–—-.")
        last = text.rsplit(" ", 1)[-1]
        near = max(0, len(text) - 40)
        if (
            last.casefold() in DANGLING
            or (last.endswith("ly") and _ADVERB.match(last))
            or last.isdigit()
        ):
            text, governs = text[: -len(last)], True
        elif (
            governs
            and last.endswith(_PAST)
            and (participle := _PARTICIPLE.search(text, max(0, len(text) - 30)))
        ):
            text = text[: participle.start()]
        elif governs and text.find(", ", near) >= 0 and (begun := _BEGUN.search(text, near)):
            text = text[: begun.start()]  # ", applicable" of ", applicable to boats"
        elif (last.endswith("ing") or text.find(" to ", near) >= 0) and (
            hanging := _HANGING.search(text, near)
        ):
            text = text[: hanging.start()]
        else:
            break
    return closed(text)


def closed(text: str) -> str:
    """`text` without a bracket that is not closed and without points at its end."""
    if text.count("(") > text.count(")"):
        text = text[: text.rfind("(")]
    return text.rstrip(" ,;:–—-.…")


def cut(text: str, room: int = LONGEST) -> str:
    """`text` within `room` characters whatever it is, ended well where that is possible."""
    text = text.strip()
    if len(text) > room:
        space = text.rfind(" ", 0, room + 1)
        ends = [m.start() for m in _BREAK.finditer(text, 0, room + 8) if m.start() <= room]
        if ends and ends[-1] > room * 0.55:
            space = ends[-1]
        short = text[:space] if space > room // 3 else text[:room]
        text = settled(short, text[len(short) :]) or short
    return closed(text) or text.rstrip("….") or text


def small(text: str, short: str = "") -> str:
    """`text` in small letters but for acronyms and names of persons.

    Where its capitals spell `short` ("DEtect, Decide, ..."), all of them go.
    """
    capitals = "".join(c for c in text if c.isupper())
    spelled = bool(short) and capitals.casefold() == re.sub(r"\W", "", short).casefold()

    def lowered(word: re.Match[str]) -> str:
        found = word[0]
        if found.casefold() in _EPONYM:
            return found
        if len(found) == 1:  # "Q-learning", "best of N"
            return found.lower() if found == "A" else found
        return found.lower() if spelled or found[1:] == found[1:].lower() else found

    return re.sub(r"[^\W\d_]+", lowered, text)


_DOUBLED: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
_PARTS: Final = re.compile(r"(?:reverse|fine|pre|co|cross)[ -](?=[a-z]{3})")
_IRREGULAR: Final = {
    "found": "finding", "built": "building", "gave": "giving", "made": "making", "took": "taking",
    "ran": "running", "drew": "drawing", "chose": "choosing", "wrote": "writing", "led": "leading",
    "did": "doing", "saw": "seeing", "got": "getting", "kept": "keeping", "held": "holding",
    "met": "meeting", "said": "saying", "sought": "seeking", "shed": "shedding", "used": "using",
    "split": "splitting",
}  # fmt: skip


def gerund(verb: str, *, base: bool = False) -> str:
    """`models` -> `modeling`; `base`: the verb has no ending of the third person or of the past."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if not base and verb.endswith("ed") and not verb.endswith("eed"):
        keeps = verb.endswith(("ced", "sed", "zed", "ved", "ated", "ged", "ized", "ibed", "ined"))
        verb = verb[:-3] + "y" if verb.endswith("ied") else verb[:-1] if keeps else verb[:-2]
    elif not base:
        if verb.endswith("ies"):
            verb = verb[:-3] + "y"
        elif verb.endswith(("sses", "ches", "shes", "xes", "zzes")):
            verb = verb[:-2]
        elif verb.endswith("s") and not verb.endswith("ss"):
            verb = verb[:-1]
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if _DOUBLED.fullmatch(verb) else "") + "ing"


def doing(verb: str, rest: str, *, base: bool = False) -> str:
    """`reverse`, `engineer networks` -> `Reverse engineering networks`."""
    both = f"{verb} {rest}"
    if part := _PARTS.match(both):
        verb, _, rest = both[part.end() :].partition(" ")
        base = base and not verb.endswith("ed")
        return capital(f"{part[0]}{gerund(verb, base=base)} {rest}")
    return capital(f"{gerund(verb, base=base)} {rest}")


def article(text: str) -> str:
    """The article that `text` needs in front of it, with a space."""
    first = text.split(" ", 1)[0]
    if first.endswith("ing") or first[:1].isupper() or not first[:1].isalpha():
        return ""
    vowel = first[:1] in "aeiou" and not first.startswith(("uni", "use", "one", "eu"))
    return "an " if vowel else "a "


def capital(text: str) -> str:
    """`text` with a capital in front."""
    return text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """`text` without the capital in front, unless that belongs to its first word."""
    first = text.split(" ", 1)[0]
    plain = first[1:] == first[1:].lower() and first.split("-")[0].casefold() not in _EPONYM
    return text[:1].lower() + text[1:] if plain and len(first.split("-")[0]) > 1 else text
