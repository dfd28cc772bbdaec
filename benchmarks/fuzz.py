"""Whether any text at all gives records, in linear time: mutated abstracts and junk.

In: the seeds, a number for the generator. Out: what was tried, what failed, the slowest inputs;
exit code 1 where an input raised, gave wrong offsets or took longer than the bound. What has not
ended after a minute is broken off and counts as failed.

    python benchmarks/fuzz.py [--count 100000] [--seed 1] [--long 100000]

The bound of one input is 0.1 s and 50 µs a character of CPU time: an abstract takes a fiftieth of
it, "$1$1$1" with a number at every second character more than half. `--long` is the length of the
junk that is read at the end, one text of each sign or word.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, get_args

from loader import build
from loader.formats import open_source
from loader.model import CLAIM_KINDS, ROLES, Extraction, MeasurementKind, Record

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))
START, PER_CHARACTER = 0.1, 50e-6  # seconds
ENDLESS = 60.0  # seconds of CPU time, for short texts
TRIES = 3
SHORTEST, LONGEST = 30_000, 200_000  # characters of the long texts among the many

# What hurts when there is much of it: every sign and word that some rule looks for.
UNITS: Final = (
    *"{}[]()<>$%^_~&\\*`'\"|/#@!?.,;:-+=±×–—’“”…· \t\n\r",
    *"a A 1 0 é ß 中 あ ㅎ ب א क ж ½ ² Ⅳ ﬁ 🎉 👩‍🔬".split(),
    *"\0\x07\x1b\x7f\x85\xa0\xad\u0301\u200b\u200d\u202e\u2066\u2028\ufeff\ufffd\ud800\U000e0041",
    "\\textbf{", "\\emph{a", "\\frac{1}{", "\\(", "\\[", "\\begin{a}", "\\%", "\\cite{",
    "\\times", "\\mathcal{O}(", "$$", "${", "**", "***a", "__", "``", "''", "_a_", "[a](", "<b>",
    "</", "<!--", "&amp;", "&#49;", "&#x", "&", "](http://", "http://", "https://a.b/", "www.",
    "a@b.", "github.com/", "12", "1,000,", "1.2.", "1-", "1 - ", "1e9", "10^{", "1/", "1:", "1%",
    "-1", "+1", "~1", "3x", "2.5×", "O(", "O(n", "sqrt(", "±1", "1 ± ", "$1", "\\$3", "1K",
    "1 ms ", "from 1 to ", "1 to ", "between 1 and ", "up to ", "at least ", "1 of ", "1 vs. ",
    "half ", "orders of magnitude ", "percent ", "points ", "respectively, ", "1, 2, and ", "by ",
    "over ", "than ", "and ", "e.g. ", "i.e., ", "et al. ", "Fig. 1 ", "(1) ", "(i) ", "[1]",
    "a. ", "A. ", "A.", ". ", "? ", "We propose ", "we show that ", "state-of-the-art ",
    "outperforms ", "first ", "code is available ", "theorem ", "however, ", "named ", "called ",
    "(AB) ", "(ABs) ", "AB (", "A-B-", "GPT-4 ", "LLM ", "iNet ", "aB", "ABC", "a-", "a'", "a/",
    "on ImageNet ", "-\n", "\n\n", "Abstract. ", "Abstract: ", "long short form (LSF) ", "x" * 80,
)  # fmt: skip

# Invented abstracts in other languages.
FOREIGN: Final = (
    "Wir stellen ein neues Verfahren zur Erkennung von Ähnlichkeiten vor. Es ist um 12,5 % "
    "schneller als bisherige Verfahren, z. B. auf drei Datensätzen. Der Code ist verfügbar.",
    "Nous proposons une méthode d'apprentissage pour les graphes. Les résultats montrent un gain "
    "de 3,2 points sur deux corpus. C'est la première étude de ce genre.",
    "Presentamos un modelo para traducir lenguas con pocos datos. ¿Es posible mejorar? Supera en "
    "un 4 % al mejor sistema anterior en 12 pares de lenguas.",
    "Мы предлагаем новый метод обучения без учителя. Точность выросла на 7 % по сравнению с "
    "базовой моделью. Код будет опубликован.",
    "我们提出了一种新的图像分割方法。该方法在三个数据集上的准确率提高了3.5%。代码将会公开！",
    "本研究では、少ない資源の言語のための翻訳モデルを提案する。精度は12%向上した。実験で有効性を確認した。",
    "نقترح طريقة جديدة لتعلم الرسوم البيانية. تحسنت الدقة بنسبة 12٪ مقارنة بالطرق السابقة. "
    "سيتم نشر الشفرة.",
    "אנו מציעים שיטה חדשה ללמידה עצמית. הדיוק עלה ב-5% לעומת השיטה הקודמת. הקוד יפורסם.",
    "हम एक नई विधि प्रस्तुत करते हैं। इसकी सटीकता 12% बढ़ी है। कोड उपलब्ध होगा।",
    "새로운 그래프 학습 방법을 제안한다. 정확도가 3.5% 향상되었다. 코드는 공개될 예정이다.",
)


def seeds() -> list[str]:
    """The abstracts of the seed files."""
    records = (r for path in SEEDS for r in open_source(path).records())
    return [r.text for r in records if isinstance(r, Record)]


# -- texts --------------------------------------------------------------------------------


def _cut(text: str, dice: random.Random) -> str:
    start, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return text[:start] + text[end:]


def _repeat(text: str, dice: random.Random) -> str:
    start = dice.randrange(len(text) + 1)
    return text[:start] + text[start : start + dice.randrange(1, 60)] * dice.randrange(2, 40)


def _insert(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(UNITS) * dice.choice((1, 1, 2, 5, 50)) + text[at:]


def _swap(text: str, dice: random.Random) -> str:
    words = text.split(" ")
    for _ in range(dice.randrange(1, 12)):
        i, j = dice.randrange(len(words)), dice.randrange(len(words))
        words[i], words[j] = words[j], words[i]
    return " ".join(words)


def _replace(text: str, dice: random.Random) -> str:
    old = dice.choice(text) if text else ""
    return text.replace(old, dice.choice(UNITS), dice.randrange(1, 30)) if old else text


def _unbalance(text: str, dice: random.Random) -> str:
    return text.replace(dice.choice("{}()[]$*_`\"'"), "", dice.randrange(1, 4))


def _digits(text: str, dice: random.Random) -> str:
    run = "".join(dice.choice("0123456789.,-–/ ") for _ in range(dice.randrange(5, 400)))
    at = dice.randrange(len(text) + 1)
    return text[:at] + run + text[at:]


def _nest(text: str, dice: random.Random) -> str:
    depth, opening = dice.randrange(2, 300), dice.choice(("{", "(", "[", "\\textbf{", "$(", "**("))
    at = dice.randrange(len(text) + 1)
    closing = {"{": "}", "(": ")", "[": "]"}[opening.strip("$*")[-1]] * dice.randrange(depth + 1)
    return text[:at] + opening * depth + text[at : at + 40] + closing + text[at + 40 :]


def _case(text: str, dice: random.Random) -> str:
    return dice.choice((str.upper, str.lower, str.title, str.swapcase))(text)


def _foreign(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(FOREIGN) + text[at:]


def _turn(text: str, dice: random.Random) -> str:
    return dice.choice("\u202e\u202b\u2067") + text + dice.choice(("", "\u202c", "\u2069"))


def _any_character(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    some = "".join(chr(dice.randrange(0x110000)) for _ in range(dice.randrange(1, 12)))
    return text[:at] + some + text[at:]


MUTATIONS: Final[tuple[Callable[[str, random.Random], str], ...]] = (
    _cut, _repeat, _insert, _insert, _swap, _replace, _unbalance, _digits, _nest, _case,
    _foreign, _turn, _any_character,
)  # fmt: skip


def junk(dice: random.Random, length: int) -> str:
    """A text of one to four units over and over, of about so many characters."""
    parts = "".join(dice.choice(UNITS) for _ in range(dice.choice((1, 1, 2, 3, 4))))
    return (parts * (length // len(parts) + 1))[:length]


def texts(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """`count` texts with the name of what they are; the same ones for the same `seed`."""
    dice, abstracts = random.Random(seed), seeds()
    for n in range(count):
        if n % 1_000 == 999:
            yield "long junk", junk(dice, dice.randrange(SHORTEST, LONGEST))
        elif n % 1_000 == 499:
            text = " ".join(dice.choice(abstracts) for _ in range(dice.randrange(20, 100)))
            yield "long abstract", _mutated(text, dice)
        elif n % 10 == 9:
            yield "junk", junk(dice, dice.randrange(1, 1_500))
        elif n % 10 == 8:
            yield "soup", "".join(dice.choice(UNITS) for _ in range(dice.randrange(1, 300)))
        elif n % 10 == 7:
            yield "foreign", _mutated(dice.choice(FOREIGN), dice)
        else:
            yield "abstract", _mutated(dice.choice(abstracts), dice)


def _mutated(text: str, dice: random.Random) -> str:
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        text = dice.choice(MUTATIONS)(text, dice)
    return text


# -- what must hold -----------------------------------------------------------------------


def faults(source: str, said: Extraction) -> list[str]:
    """What is wrong with an extraction of `source`: places, order, values. Empty where sound."""
    found: list[str] = []

    def must(holds: bool, what: str) -> None:
        if not holds:
            found.append(what)

    plain, sentences = said.plain, said.sentences
    for before, after in pairwise(sentences):
        must(before.end <= after.start, "sentences overlap")
        must(before.end_char <= after.start_char, "sentences overlap in the source")
        must(not plain[before.end : after.start].strip(), "text between sentences")
    if plain.strip():
        must(bool(sentences), "text and no sentence")
    if sentences:
        must(not plain[: sentences[0].start].strip(), "text before the first sentence")
        must(not plain[sentences[-1].end :].strip(), "text behind the last sentence")
    for s in sentences:
        must(s.role in ROLES, f"role {s.role}")
        must(0 <= s.start < s.end <= len(plain), "a sentence outside the text")
        must(0 <= s.start_char <= s.end_char <= len(source), "a sentence outside the source")
        must(s.text == plain[s.start : s.end], "a sentence is not its text")
    for claim in said.claims:
        must(claim.kind in CLAIM_KINDS, f"claim {claim.kind}")
        if 0 <= claim.sentence < len(sentences):
            must(claim.text in sentences[claim.sentence].text, "a claim is not in its sentence")
        else:
            found.append("a claim of no sentence")
    must(len({(c.sentence, c.kind) for c in said.claims}) == len(said.claims), "a claim twice")
    must(len(said.measurements) == len(said.measurement_chars), "numbers and their places differ")
    for m, (start, end) in zip(said.measurements, said.measurement_chars, strict=False):
        must(m.kind in get_args(MeasurementKind), f"measurement {m.kind}")
        must(0 <= start < end <= len(source), "a number outside the source")
        values = (m.low, m.high, m.spread)
        must(all(v is None or abs(v) < float("inf") for v in values), "a number is not finite")
        if 0 <= m.sentence < len(sentences):
            s = sentences[m.sentence]
            must(s.start <= m.start < m.end <= s.end, "a number outside its sentence")
        else:
            found.append("a number of no sentence")
    for name in said.names:
        must(bool(name.name.strip()), "a name of nothing")
    for mention, places in zip(said.mentions, said.mention_chars, strict=True):
        must(bool(places) and len(places) == len(mention.places), "a mention without a place")
        must(all(0 <= a < b <= len(source) for a, b in places), "a mention outside the source")
        must(all(0 <= a < b <= len(plain) for a, b in mention.places), "a mention outside the text")
    must(len(said.label) <= 100, "a label that is too long")
    return found


def bound(length: int) -> float:
    """Seconds of CPU time that a text of so many characters may take."""
    return START + PER_CHARACTER * length


def _break_off(_signal: int, _frame: object) -> None:
    raise TimeoutError("does not end")


def tried(text: str) -> tuple[float, list[str]]:
    """Seconds that the extraction took, and what was wrong with it.

    What takes longer than its bound is read again: the machine may have had other work.
    """
    for _ in range(TRIES):
        spent, found = _once(text)
        if found or spent <= bound(len(text)):
            return spent, found
    return spent, [f"took {spent:.2f} s for {len(text):,} characters"]


def _once(text: str) -> tuple[float, list[str]]:
    start = time.process_time()
    signal.signal(signal.SIGVTALRM, _break_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(ENDLESS, 2 * bound(len(text))))
    try:
        said = build.extract(text)
    except Exception as error:  # whatever it is, it should not be
        return time.process_time() - start, [f"{type(error).__name__}: {error}"]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    spent = time.process_time() - start
    return spent, faults(text, said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000, help="texts to read")
    parser.add_argument("--seed", type=int, default=1, help="another number, other texts")
    parser.add_argument("--long", type=int, default=100_000, help="characters of each long text")
    options = parser.parse_args()
    build.extract("")  # weights and vocabularies are read once
    kinds: Counter[str] = Counter()
    failed = characters = 0
    seconds, slowest = 0.0, (0.0, 0, "")
    long = ((f"one unit, {unit!r}", (unit * options.long)[: options.long]) for unit in UNITS)
    for source in (texts(options.count, options.seed), long if options.long else ()):
        for kind, text in source:
            spent, wrong = tried(text)
            if kinds.total() % 10_000 == 9_999:
                print(f"{kinds.total() + 1:,} texts read, {failed:,} failed", flush=True)
            kinds[kind.partition(",")[0]] += 1
            characters, seconds = characters + len(text), seconds + spent
            slowest = max(slowest, (spent / bound(len(text)), len(text), f"{kind}: {text[:60]!r}"))
            if wrong:
                failed += 1
                print(f"{kind}: {'; '.join(sorted(set(wrong)))}\n   {text[:300]!r}", flush=True)
    for kind, n in kinds.most_common():
        print(f"{n:8,}  {kind}")
    print(f"{characters:,} characters in {seconds:.0f} s, {1e6 * seconds / characters:.2f} µs each")
    share, length, what = slowest
    print(f"slowest: {100 * share:.0f} % of its bound, {length:,} characters, {what}")
    print(f"{failed:,} failed" if failed else "none failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
