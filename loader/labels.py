"""Labels: what a person would call a paper.

In: its title or None, the plain text, the sentences with roles and claims, the names it introduces.
Out: a label of at most 100 characters: the title; else the paper's name with its long form or with
what the text says that it is; else its main contribution, or failing that its aim or its finding,
without "in this paper we propose".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from loader.model import Claim, Name, Role

LONGEST: Final = 100  # characters of a label
_UNTITLED: Final = "Untitled abstract"
_ENOUGH_SAID: Final = 34  # characters; a shorter description is carried on into its clause

_MANY: Final = 12  # names of which the main one is chosen
_TRIED: Final = 8  # sentences looked at for a label

_SPACE: Final = re.compile(r"\s+")
_BRACKETS: Final = re.compile(r" ?(?:\([^()]{0,200}\)|\[[^\[\]]{0,200}\])")
_LEAD: Final = re.compile(
    r"(?:(?:In|Throughout|Within|With|For) (?:this|the present|our) (?:paper|work|study|article|"
    r"report|setting)|Here|Specifically|Concretely|In particular|Notably|Moreover|Furthermore"
    r"|Thus|Hence|Therefore|Finally|First|Next|Then|In addition|Additionally|Instead|Surprisingly"
    r"|Interestingly|Empirically|Theoretically|However|Overall|Altogether|Together|Accordingly|"
    r"Consequently"
    r"|To [^,.;]{3,90}|Motivated by [^,.;]{3,90}|Inspired by [^,.;]{3,90}|Based on [^,.;]{3,90}|"
    r"Building (?:on|upon) [^,.;]{3,90}|Unlike [^,.;]{3,90}|As a \w+|Leveraging [^,.;]{3,90}|"
    r"Instead of [^,.;]{3,90}|By \w+ing [^,.;]{3,90}|Following [^,.;]{3,90}|Rather than "
    r"[^,.;]{3,90}|Given [^,.;]{3,90}|While [^,.;]{3,90}|Through [^,.;]{3,90}|Using [^,.;]{3,90}|"
    r"For [^,.;]{3,60})[,:]?\s+"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SAYS: Final = re.compile(
    r"(?:we|this (?:paper|work|study|article)|the (?:present )?(?:paper|work|study)|our (?:paper|"
    r"work|study|approach|method|framework)|(?:extensive |comprehensive |our )?(?:experiments|"
    r"results|experimental results|analysis|findings|analyses)(?: \w+ly)?)"
    r"(?: (?:also|first|further|then|instead|here|thus|therefore|(?!apply|rely|multiply|supply|"
    r"imply)\w+ly))*"
    r" (?:(?:aim|seek|attempt|want|propose|are interested|hope|try|proceed)s? (?:to|in) )?"
    r"(?P<verb>\w+)(?P<and>,? (?:and|or) (?:\w+ly )?\w+(?:e|es|s|ze|sh|p|ct|d|n|w|y|t|r|m|"
    r"k))?\s+(?=\S)",
    re.IGNORECASE,
)
_GIVES: Final = re.compile(
    r"(?:introduc|propos|present|develop|design|devis|releas|construct|creat|provid|contribut|"
    r"establish|formulat|describ|build|offer|giv|"
    r"stud|investigat|explor|revisit|examin|consider|address|tackl|analy[sz]|conduct|unveil|"
    r"identif|focus|report|curat|compil|derive|stud)"
)
_FINDS: Final = re.compile(
    r"(?:show|find|demonstrat|prov|reveal|observ|argu|identif|establish|confirm|suggest|indicat|"
    r"hypothesi[sz]|discover|conclud|illustrat)"
)
_AUXILIARY: Final = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "has",
        "have",
        "had",
        "can",
        "will",
        "may",
        "must",
        "do",
        "does",
    ]
)
_STUDIES: Final = re.compile(
    r"(?:[Ii]n this \w+, )?(?:[Tt]his \w+|[Ww]e|[Hh]ere,? we) (?:\w+ly )?"
    r"(?:stud|investigat|address|consider|tackl|explor|examin|focus)"
)
_BY_DOING: Final = re.compile(r"(?:this|these|the) [\w -]{3,40}? by (\w+ing) ")
_ARTICLE: Final = re.compile(
    r"(?:(?:an?|the|our|this|these|its|some|several|two|three|four|five)\s+)?(?:(?:very "
    r")?(?:novel|new|first|simple|straightforward|powerful|principled|intuitive|"
    r"yet|and|but|effective|efficient|innovative)[, ]+(?=\w))*",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(
    r"\b(?:this|these|such|those|it|its|our|their|them|they|above|aforementioned|same)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"(?:, (?:which|thereby|thus|where|while|and|with|enabling|leading|so|as|by|that|yielding|"
    r"achieving|allowing|including|e\.g\.|i\.e\.|i\.e|without|effectively|offering|extending|"
    r"providing|formulated|in which|using|based|establishing|marking|showing|demonstrating)\b"
    r"| (?:that|which|where|thereby|while|whereas|because|so that|in which|at which|such that)\b|"
    r"[;:—]| -- | – | - )"
)
# words that may not stand last
_DANGLING: Final = _words(
    "a an the of and or for to in on by with from via as at that which is are its their our "
    "under through over using into between across than more most both not be can such while "
    "without toward towards when where whose per within various different diverse including "
    "based designed comprised capable how whether e.g i.e"
)
# a participle that has lost what it governs
_HANGING: Final = re.compile(
    r",? (?:\w+(?:ted|ned|ded|sed|med|ven|ked|led)|(?:of|for|by|in) \w+ing"
    r"|(?:\w+ly )?(?:designed |able )?to \w+)$"
)
# where a phrase that is too long may end
_BREAK: Final = re.compile(
    r",? (?:and|or|that|which|by|for|through|with|to|using|via|in|into|on|from|under|across|"
    r"between|over|designed|extracted|based|while|where|when|without|at|as|is|are|can)\b|,"
)
_EPONYM: Final = _words(
    "bayesian bayes markov gaussian fourier lagrangian hamiltonian hessian fisher jacobian "
    "wasserstein riemannian euclidean hilbert banach lipschitz boltzmann langevin monte carlo "
    "poisson dirichlet bernoulli shapley nash pareto python java english chinese indian indic "
    "greek western arabic thompson hankel kalman newton gibbs laplace laplacian stein sobolev "
    "lyapunov bellman winograd gumbel rademacher kullback leibler hausdorff frechet german "
    "french spanish african european american asian japanese korean bregman turing "
    "schrodinger schrödinger fokker planck"
)
# behind a name: "(...), a simple modification ...", "dataset, which serves as the first ...",
# ": 4 terabytes of ..."
_IS: Final = re.compile(
    r"s?\)?(?:\s?\([^()]{0,120}\))?[\"”’']?(?: (?:benchmark|dataset|data set|framework|model|"
    r"method|algorithm|system|corpus|module|approach|attack))?"
    r"(?:(?:,| –| —|—| --| -|:(?! the))? (?:which (?:is|serves as) |is |serves as |as |denotes "
    r")?(?:an?|the first|the|our) |: (?!the |an? ))(?P<what>(?:[^.;]|\.(?=\w)){5,300})"
)
# "..., which models ..."; "framework that translates ..."; "X features ..."
_DOES: Final = re.compile(
    r"s?\)?(?:\s?\([^()]{0,120}\))?(?: (?P<noun>framework|method|model|algorithm|approach|system|"
    r"module))?(?:, (?:which|that)| that)?"
    r"(?: (?!apply|rely|multiply|supply|imply)\w+ly)? (?P<verb>[a-z]+s) (?P<object>(?:[^.;]|"
    r"\.(?=\w)){8,300})"
)
# "benchmark, designed to evaluate ..."
_FOR: Final = re.compile(
    r"s?\)?(?:\s?\([^()]{0,120}\))? (?P<noun>framework|method|model|algorithm|approach|system|"
    r"module|benchmark|dataset|corpus),?"
    r" (?P<rest>(?:designed|built|intended|for|containing|comprising|of|covering)\b(?:[^.;]|"
    r"\.(?=\w)){8,300})"
)
_CALLING: Final = (
    "called ",
    "named ",
    "termed ",
    "dubbed ",
    "coined ",
    "namely ",
    "denoted ",
    ", ",
    ": ",
    "as ",
    "by ",
    "“",
    '"',
    "the ",
)
_BEFORE_NAME: Final = re.compile(
    r"(?:an?|the first|the) (?P<what>(?:[\w/+&’'-]+,? ){1,12}?)(?:,? ?(?:called|named|termed|"
    r"dubbed|coined|namely|denoted(?: as| by)?),? |, |: )(?:the )?[\"“‘']?$"
)


def make(
    title: str | None,
    plain: str,
    sentences: Sequence[str],
    roles: Sequence[Role],
    claims: Sequence[Claim],
    names: Sequence[Name],
) -> str:
    """The label of a paper: never empty, never a number alone, at most 100 characters.

    `title` is free of markup. `sentences` are the plain sentences of `plain`, `roles` theirs;
    `claims` refer to them by index; `names` are in the order of the text.
    """
    ways: tuple[Callable[[], str], ...] = (
        lambda: _of_title(title or ""),
        lambda: _of_name(sentences, roles, claims, names),
        lambda: _of_contribution(sentences, roles, claims),
        lambda: _cut(_SPACE.sub(" ", plain[:400]).strip()),
    )
    for way in ways:
        label = way()
        if sum(c.isalpha() for c in label) > 2:
            return label
    stray = _SPACE.sub(" ", title or plain[:60]).strip()
    return _cut(f"{_UNTITLED}: {stray}") if stray else _UNTITLED


def _of_title(title: str) -> str:
    return _cut(_SPACE.sub(" ", title).strip().removesuffix("."))


def _of_name(
    sentences: Sequence[str],
    roles: Sequence[Role],
    claims: Sequence[Claim],
    names: Sequence[Name],
) -> str:
    """`HaDola: human uncertainty-aware data selection and automatic labeling`."""
    names = names[:_MANY]
    main = _main_name(sentences, names)
    if main is None:
        return ""
    shown = main.name if main.name != main.name.lower() else _capital(main.name)
    if main.expansion:
        long = _small(main.expansion, main.name)
        if len(re.findall(r"[^\s-]+", long)) > 3 and len(long) > 23:
            return _cut(f"{shown}: {long}")
        what = _description(main, sentences)
        if what and len(f"{shown}: {long}, {_article(what)}{what}") <= LONGEST:
            return f"{shown}: {long}, {_article(what)}{what}"
        return _cut(f"{shown}: {long}")
    phrases = [n for n in names if n.expansion is None and " " in n.name]
    if len(phrases) > 1 and phrases[0].kind == "concept" and phrases[1].kind != "concept":
        # a problem and its remedy
        joined = f"{_capital(_small(phrases[0].name))} and {_small(phrases[1].name)}"
        about = _subject(sentences, joined)
        return _cut(f"{joined} in {about}" if about else joined)
    what = _description(main, sentences)
    if what:
        return _cut(f"{shown}: {what}")
    studied = _of_contribution(sentences, roles, claims, skip=main.name)
    return _cut(f"{shown}: {_uncapital(studied)}") if studied else _cut(shown)


def _main_name(sentences: Sequence[str], names: Sequence[Name]) -> Name | None:
    """The name that most sentences speak of; of equals the first."""
    best, most = None, -1.0
    for at, name in enumerate(names):
        spoken = sum(_stands(name.name, sentence) > 0 for sentence in sentences)
        weight = spoken + (1.5 if name.expansion else 0) - 0.75 * at
        weight -= 3 if name.kind == "concept" and len(names) > 1 and not name.expansion else 0
        if weight > most or best is None:
            best, most = name, weight
    return best


def _stands(name: str, sentence: str) -> int:
    """Where `name` ends in `sentence` as a word of its own, else 0."""
    at = sentence.find(name)
    while at >= 0:
        end = at + len(name)
        behind = sentence[end + (sentence[end : end + 1] == "s") : end + 2]
        if not (behind[:1].isalnum() or behind[:1] == "-"):
            return end
        at = sentence.find(name, end)
    return 0


def _description(name: Name, sentences: Sequence[str]) -> str:
    """What the text says that `name` is, or does."""
    places = [(sentence, end) for sentence in sentences if (end := _stands(name.name, sentence))]
    room = LONGEST - len(name.name) - 2
    for sentence, end in places:
        found = _IS.match(sentence, end)
        if found and len(what := _phrase(found["what"], room)) > 11:
            return what
        front = sentence[max(0, end - len(name.name) - 120) : end - len(name.name)]
        before = _BEFORE_NAME.search(front) if front.endswith(_CALLING) else None
        if before and len((what := _phrase(before["what"], room)).split()) > 2:
            return what
        found = _FOR.match(sentence, end)
        if found:
            return _phrase(f"{found['noun']} {found['rest']}", room)
    for sentence, end in places:
        found = _DOES.match(sentence, end)
        if found is None or found["verb"] not in _DEEDS:
            continue
        if found["noun"] and len(f"{found['noun']} {found['verb']}") < room:
            what = _phrase(f"{found['noun']} that {found['verb']} {found['object']}", room)
        elif found["verb"] in ("features", "comprises", "offers"):
            what = _phrase(found["object"], room)
        else:
            does = _gerund(found["verb"])
            what = f"{does} {_phrase(found['object'], room - len(does) - 1, article=True)}"
        if len(what) > 11:
            return what
    return ""


_DEEDS: Final = _words(
    "adapts addresses aligns allows applies augments automates balances bridges builds captures"
    " casts classifies combines compares composes comprises compresses computes constructs converts"
    " couples decomposes decouples denoises detects discovers distills edits embeds employs enables"
    " encodes encourages enforces estimates evaluates evolves exploits explores extends extracts"
    " factorizes features filters forecasts formulates fuses generates guides identifies infers"
    " injects integrates introduces iterates learns leverages localizes maps maximizes measures"
    " merges minimizes mitigates models modifies monitors offers optimizes organizes partitions"
    " performs plans predicts prevents produces projects propagates provides prunes quantifies"
    " quantizes reconstructs recovers reduces refines regularizes relies removes replaces"
    " represents retrieves reuses reveals routes samples selects simulates solves splits"
    " steers suppresses"
    " tailors tests tokenizes tracks trains transfers transforms translates treats unifies updates"
    " uses utilizes verifies weights"
)


def _of_contribution(
    sentences: Sequence[str], roles: Sequence[Role], claims: Sequence[Claim], skip: str = ""
) -> str:
    """The main contribution as a phrase; without one the aim, without that the finding."""
    contributing = {c.sentence for c in claims if c.kind == "contribution"}
    finding = {c.sentence for c in claims if c.kind in ("result", "theory", "first")}
    ranked = []
    for at, sentence in enumerate(sentences):
        role = roles[at] if at < len(roles) else "other"
        if skip and _STUDIES.match(sentence):
            rank = -1.0
        elif at in contributing:
            rank = 0.0
        elif role == "objective":
            rank = 1.0
        elif role == "method":
            rank = 2.5
        elif at in finding:
            rank = 3.0
        else:
            rank = {"result": 3.5, "background": 6.0}.get(role, 9.0)
        if not skip or skip not in sentence:
            ranked.append((rank + 0.05 * at, sentence))
    best, least = "", 99.0
    for first_rank, sentence in sorted(ranked)[:_TRIED]:
        if first_rank >= least:
            break
        phrase, said = _stated(sentence)
        if skip and not said:
            continue
        rank = first_rank + (0 if said else 1.5)
        rank += 4 if _POINTS_BACK.search(phrase[:45]) else 0
        rank += 2 if len(phrase) < 24 else 0
        rank += 4 if phrase.endswith("?") and rank > 1 else 0
        if rank < least and len(phrase) > 11:
            best, least = phrase, rank
    return best


def _stated(sentence: str) -> tuple[str, bool]:
    """The phrase that a sentence states, and whether its frame was recognised."""
    text = _BRACKETS.sub("", _SPACE.sub(" ", sentence)).strip()
    for _ in range(3):
        lead = _LEAD.match(text)
        if not lead:
            break
        text = text[lead.end() :]
    says = _SAYS.match(text)
    if not says:
        return _cut(_capital(text.rstrip(". "))), False
    verb, rest = says["verb"].lower(), text[says.end() :]
    if verb in _AUXILIARY:
        return _cut(_capital(text.rstrip(". "))), False
    whole = text[says.start("verb") :]
    by = _BY_DOING.match(rest)
    if by:  # "addresses this gap by providing ..."
        verb, rest = by[1], rest[by.end() :]
    if rest.startswith("that ") or (_FINDS.match(verb) and rest.startswith(("how ", "that "))):
        rest = rest.removeprefix("that ")
        if rest.startswith("how to "):
            done, _, more = rest[7:].partition(" ")
            rest = f"{_gerund(done, True)} {more}"
        return _shortened(_capital(rest), clause=False), True
    if verb in ("propose", "proposes") and rest.startswith("to "):
        rest = rest[3:]
        done, _, more = rest.partition(" ")
        return _shortened(f"{_capital(_gerund(done, True))} {more}"), True
    if _GIVES.match(verb):
        rest = re.sub(
            r"^(?:on|the use of|the problem of|the issues? of|the question of|into) ", "", rest
        )
        return _shortened(_capital(_ARTICLE.sub("", rest, count=1))), True
    done, _, more = whole.partition(" ")
    if says["and"]:
        more = rest
    base = not done.endswith(("s", "ed")) or done.endswith("ss")
    return _shortened(f"{_capital(_gerund(done.lower(), base))} {more}"), True


def _phrase(text: str, room: int, article: bool = False) -> str:
    """The phrase that `text` begins with, up to its first clause; `article`: with its article."""
    text = _BRACKETS.sub("", _SPACE.sub(" ", text)).strip()
    if not article:
        text = _ARTICLE.sub("", text, count=1)
    return _shortened(text, room=room)


def _shortened(text: str, clause: bool = True, room: int = LONGEST) -> str:
    """`text` up to the first clause that may go, at least a few words, within `room`."""
    text = text.strip().rstrip(".")
    if clause or len(text) > room:
        floor = _ENOUGH_SAID if clause else 40
        for boundary in _CLAUSE.finditer(text):
            if boundary.start() > room:
                break
            if boundary.start() >= floor:
                text = text[: boundary.start()]
                break
    return _cut(text, room)


def _subject(sentences: Sequence[str], taken: str) -> str:
    """What an abstract defines an abbreviation for first: its field."""
    for sentence in sentences[:2]:
        defined = re.search(
            r"(?:^|[Tt]he |[Oo]f )((?!The )(?:[A-Z][\w-]+ (?:of |for )?){2,5})\(\w*[A-Z]\w*\)",
            sentence[:600],
        )
        if defined and defined[1].casefold() not in taken.casefold():
            return _small(defined[1].strip())
    return ""


def _small(phrase: str, short: str = "") -> str:
    """`phrase` in small letters but for acronyms and names of persons.

    Where its capitals spell `short` ("DEtect, Decide, ..."), all of them go.
    """
    capitals = "".join(c for c in phrase if c.isupper())
    spelled = bool(short) and capitals.casefold() == re.sub(r"\W", "", short).casefold()

    def lowered(word: re.Match[str]) -> str:
        text = word[0]
        if text.casefold() in _EPONYM:
            return text
        plain_word = text[1:] == text[1:].lower() and len(text) > 1
        return text.lower() if spelled or plain_word or len(text) == 1 else text

    return re.sub(r"[^\W\d_]+", lowered, phrase)


def _gerund(verb: str, base: bool = False) -> str:
    """`models` -> `modeling`; `base`: the verb has no ending of the third person."""
    if not base and verb.endswith("ed"):
        verb = (
            verb[:-2]
            if not verb.endswith(("ced", "sed", "zed", "ved", "ated", "ied", "ged"))
            else verb[:-1]
        )
    elif not base:
        if verb.endswith("ies"):
            verb = verb[:-3] + "y"
        elif verb.endswith(("sses", "ches", "shes", "xes", "zzes")):
            verb = verb[:-2]
        elif verb.endswith("s") and not verb.endswith("ss"):
            verb = verb[:-1]
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return verb[:-1] + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def _article(what: str) -> str:
    first = what.split(" ", 1)[0]
    if first.endswith("ing") or first[:1].isupper():
        return ""
    vowel = first[:1] in "aeiou" and not first.startswith(("uni", "use", "one", "eu"))
    return "an " if vowel else "a "


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _uncapital(text: str) -> str:
    first = text.split(" ", 1)[0]
    return (
        text[:1].lower() + text[1:]
        if first[1:] == first[1:].lower() and first.casefold() not in _EPONYM
        else text
    )


def _cut(text: str, room: int = LONGEST) -> str:
    """`text` within `room` characters, ending with a word that may stand last."""
    text = text.strip()
    if len(text) > room:
        head = text[: room + 1]
        space = head.rfind(" ")
        whole, text = text, head[:space] if space > room // 3 else text[:room]
        breaks = [m.start() for m in _BREAK.finditer(text) if m.start() > room * 0.55]
        if breaks and whole[len(text) : len(text) + 1] == " ":
            text = text[: breaks[-1]]
        text = _settled(text)
        hanging = _HANGING.search(text, max(0, len(text) - 40))
        text = _settled(text[: hanging.start()] if hanging else text)
    if text.count("(") > text.count(")"):
        text = text[: text.rfind("(")]
    return text.rstrip(" ,;:–—-.") or text


def _settled(text: str) -> str:
    """`text` without words at its end that may not stand last."""
    while text:
        text = text.rstrip(" ,;:–—-.")
        last = text.rsplit(" ", 1)[-1]
        if last.casefold() not in _DANGLING or last == text:
            return text
        text = text[: -len(last)]
    return text
