"""Numbers of invented sentences, and the tricky ones of `tests/data/tricky.json`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import build, measurements, sentences, text
from loader.measurements import numerals
from loader.model import Measurement, Span
from tests import timing

DATA = Path(__file__).parent / "data"


def find(source: str, *known: str) -> list[Measurement]:
    plain = text.to_plain(source)
    return measurements.find(plain, [Span(0, len(plain.plain))], known)


def one(source: str, *known: str) -> Measurement:
    found = find(source, *known)
    assert len(found) == 1, found
    return found[0]


def values(source: str) -> list[tuple[Any, ...]]:
    return [(m.kind, m.low, m.high, m.unit) for m in find(source)]


TRICKY = json.loads((DATA / "tricky.json").read_text("utf-8"))["cases"]
NEEDED = 38  # of 42


def outcome(case: dict[str, Any]) -> bool:
    def key(kind: str, low: Any, high: Any, unit: str, qualifier: Any, spread: Any) -> str:
        words = unit.lower().replace("-", " ").split()
        rounded = [None if v is None else float(f"{v:.4g}") for v in (low, high)]
        return str((kind, *rounded, words[-1].rstrip("s") if words else "", qualifier, spread))

    got = sorted(
        key(m.kind, m.low, m.high, m.unit if m.kind != "bound" else "", m.qualifier, m.spread)
        for m in find(case["text"])
    )
    wanted = [
        sorted(
            key(
                e["kind"], e["low"], e["high"], e["unit"] if e["kind"] != "bound" else "",
                e["qualifier"], e.get("spread"),
            )
            for e in alternative
        )
        for alternative in (case["expect"], *case.get("or", []))
    ]  # fmt: skip
    return got in wanted


def test_tricky_texts() -> None:
    wrong = [case["id"] for case in TRICKY if not outcome(case)]
    assert len(TRICKY) - len(wrong) >= NEEDED, wrong


@pytest.mark.parametrize(
    "sentence",
    [
        "We compare GPT-4, Llama 3 and Claude 3.5 Sonnet on CIFAR-10/100 and GSM8K.",
        "The study of Moore and Zhou [2022] was repeated in 2024 (see Figure 3 and Sec. 4.1).",
        "Our plan is (1) to ask, (2) to wait, and 3) to tell.",
        "All images are resized to 224x224 and cut into 16 × 16 patches of ViT-B/16.",
        "Pass@1, R@5 and top-1 are given for 3D scenes in the 5-shot setting.",
        "Code: https://example.org/r/abc-17678 and doi 10.1145/12345.678",
        "A (1+ε)-approximation of x^2 + 3y exists for k = 5.",
        "The 90s and the 1980s are long gone, as is March 2019.",
        "It supports 24/7 use, a 2:1 layout and version 1.2.3.",
        "The 1st and 2nd runs, layer 12 and step 3 are shown.",
        "There are four stages and two findings.",
        "See Figures 3A and 3B, Table 2d and Eqs. (4) and (5).",
        "It follows IEEE 802.11, ISO 26262 and Industry 4.0.",
        "It was measured from 7/2011 to 6/2016 and on 12 May 2014.",
        "A law that holds over a sample for many orders of magnitude.",
        "It must be said at least 3 times.",
    ],
)
def test_digits_that_measure_nothing(sentence: str) -> None:
    assert find(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It holds 12,500 maps.", ("amount", 12500, 12500, "maps")),
        ("It holds 3.5 million road signs.", ("amount", 3.5e6, 3.5e6, "road signs")),
        ("We train a 13B model.", ("amount", 13e9, 13e9, "parameters")),
        ("We use a 12-layer network.", ("amount", 12, 12, "layer")),
        ("A 2.5-bit cache is enough.", ("amount", 2.5, 2.5, "bit")),
        ("Recall is 0.81 for rivers.", ("level", 0.81, 0.81, "")),
        ("It needs 80 GB of memory.", ("amount", 80, 80, "GB")),
        ("Inference takes 35 ms.", ("level", 35, 35, "ms")),
        ("A query costs €0.5.", ("level", 0.5, 0.5, "€")),
        ("The step size was 3e-4.", ("level", 3e-4, 3e-4, "")),
        ("It needs 10^6 queries.", ("amount", 1e6, 1e6, "queries")),
        ("Accuracy improves by 4 percentage points.", ("change", 4, 4, "points")),
        ("This reduces latency by 20-30%.", ("change", -30, -20, "%")),
        ("Errors drop by 12%.", ("change", -12, -12, "%")),
        ("We see a 7% degradation.", ("change", -7, -7, "%")),
        ("It uses 40% fewer parameters.", ("change", -40, -40, "%")),
        ("This improves MSE by 3%.", ("change", -3, -3, "%")),
        ("Decoding is 3x faster.", ("ratio", 3, 3, "×")),
        ("Decoding is twice as fast.", ("ratio", 2, 2, "×")),
        ("It uses half the memory.", ("ratio", 0.5, 0.5, "×")),
        ("It is two orders of magnitude faster.", ("ratio", 100, 100, "×")),
        ("We report a 12-fold increase.", ("ratio", 12, 12, "×")),
        ("Only 1/4 of the calls remain.", ("ratio", 0.25, 0.25, "×")),
        ("WER falls from 9.1% to 7.4%.", ("from_to", 9.1, 7.4, "%")),
        ("WER falls from 9.1% (clean) to under 7.4%.", ("from_to", 9.1, 7.4, "%")),
        ("Sizes range from 1B to 70B parameters.", ("amount", 1e9, 70e9, "parameters")),
        ("The ratio is 3/2.", ("level", 1.5, 1.5, "")),
        ("The level lies between -20 and 7 dB.", ("level", -20, 7, "dB")),
        ("It trails by 23 points.", ("change", -23, -23, "points")),
        ("It is 23 points behind people.", ("change", -23, -23, "points")),
        ("We saw a 12% relative reduction.", ("change", -12, -12, "%")),
        ("It holds over 80, 000 maps.", ("amount", 80000, 80000, "maps")),
        ("The peak is at 1540 cm-1.", ("level", 1540, 1540, "cm-1")),
        ("A depth of 2000 m was reached.", ("level", 2000, 2000, "m")),
        ("Only 1% of the weights change.", ("amount", 1, 1, "%")),
        ("It explains 84% of the variance.", ("level", 84, 84, "%")),
        ("The regret is O(n log n).", ("bound", None, None, "O(n log n)")),
    ],
)
def test_kind_values_and_unit(sentence: str, expected: tuple[Any, ...]) -> None:
    assert values(sentence) == [expected]


@pytest.mark.parametrize(
    ("words", "qualifier"),
    [
        ("up to", "up to"), ("at most", "up to"), ("at least", "at least"),
        ("more than", "more than"), ("over", "more than"), ("fewer than", "less than"),
        ("about", "about"), ("roughly", "about"), ("~", "about"), ("≥", "at least"),
        ("only", "only"), ("as few as", "only"), ("an average of", "average"), ("", None),
    ],
)  # fmt: skip
def test_qualifiers(words: str, qualifier: str | None) -> None:
    assert one(f"The collection holds {words} 700 pages.").qualifier == qualifier


def test_what_a_change_is_of_against_what_and_on_what() -> None:
    found = one(
        "On MapBench, our router improves route accuracy by 3.1% over Dijkstra.", "MapBench"
    )
    assert (found.metric, found.baseline, found.subject) == (
        "route accuracy",
        "Dijkstra",
        "MapBench",
    )


def test_coordinated_numbers_share_what_is_said_once() -> None:
    first, second = find(
        "It raises test accuracy by 12.6% on RoadQA and 14.8% on SeaQA, compared with BaseNet."
    )
    assert (first.kind, second.kind) == ("change", "change")
    assert (first.metric, second.metric) == ("test accuracy", "test accuracy")
    assert (first.subject, second.subject) == ("RoadQA", "SeaQA")
    assert (first.baseline, second.baseline) == ("BaseNet", "BaseNet")


def test_a_list_shares_the_unit_at_its_end() -> None:
    assert values("We waited for 1, 2 and 48 hours.") == [
        ("level", n, n, "hours") for n in (1, 2, 48)
    ]
    assert values("We used 4, 8, and 16 GPUs.") == [("amount", n, n, "GPUs") for n in (4, 8, 16)]


def test_one_verb_changes_two_metrics() -> None:
    found = find("It reduces latency by 4% and memory use by 12%.")
    assert [(m.metric, m.low) for m in found] == [("latency", -4), ("memory use", -12)]


def test_a_value_in_brackets_holds_for_the_name_before_it() -> None:
    found = find("It attains 96.8% success, outperforming RiverNet (76.5%) and LakeNet (75.1%).")
    assert [m.subject for m in found] == [None, "RiverNet", "LakeNet"]
    assert found[0].baseline is not None


def test_each_value_holds_for_the_place_beside_it() -> None:
    found = find("It lifts recall on RiverQA from 68% to 72% and on SeaQA from 61% to 66%.")
    assert [m.subject for m in found] == ["RiverQA", "SeaQA"]


def test_the_metric_may_stand_in_the_sentence_before() -> None:
    source = "It has 6% higher accuracy than Alpha. It further outperforms Beta by 3%."
    plain = text.to_plain(source)
    found = measurements.find(plain, [Span(0, 38), Span(38, len(source))])
    assert [(m.metric, m.baseline) for m in found] == [("accuracy", "Alpha"), ("accuracy", "Beta")]


def test_respectively_pairs_values_with_metrics() -> None:
    found = find("We report precision, recall and F1 of 91%, 85% and 88%, respectively.")
    assert [m.metric for m in found] == ["precision", "recall", "F1"]


def test_a_level_with_its_change_in_brackets() -> None:
    level, change = find("The agent attains helpfulness 0.61 (+12.5% over PPO).")
    assert (level.kind, level.metric) == ("level", "helpfulness")
    assert (change.kind, change.low, change.baseline) == ("change", 12.5, "PPO")


def test_one_value_against_another() -> None:
    first, second = find("The student keeps quality (FID 11.2 vs. 10.9 at full precision).")
    assert (first.metric, first.baseline) == ("FID", "full precision")
    assert (second.metric, second.subject) == ("FID", "full precision")


def test_amounts_belong_to_the_collection_that_holds_them() -> None:
    found = one("We introduce RiverSet, a benchmark of 640 gauges.", "RiverSet")
    assert found.subject == "RiverSet"


def test_a_known_name_hides_its_digits() -> None:
    assert [m.low for m in find("We test on Ocean 500 and on 20 lakes.", "Ocean 500")] == [20]


def test_spans_are_the_words_as_written() -> None:
    source = "Speed grows by about 2.5× while cost drops from 20% to 12.5%."
    found = [source[m.start : m.end] for m in find(source)]
    assert found == ["2.5×", "from 20% to 12.5%"]


def test_sentences_are_told_apart() -> None:
    source = "We use 5 lamps. It burns 3 hours."
    plain = text.to_plain(source)
    found = measurements.find(plain, [Span(0, 16), Span(16, len(source))])
    assert [m.sentence for m in found] == [0, 1]


PIECES = [
    "12", "3.5", "%", "×", "-", "–", "from ", "to ", " of ", "(", ")", "[", "]", "±", "$", "K ",
    "B ", "GPT-4", "by ", "accuracy ", "improves ", "over ", ", ", ". ", "and ", "respectively",
    ".4", "s ", "ppm", "M ", "Fig. ", "O(", "^", "half the ",
    "orders of magnitude", "1e9", "/", ":", "ms", "x", "on ", "\n", "Ω",
]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)))
def test_any_text_gives_measurements_inside_it(source: str) -> None:
    plain = text.to_plain(source)
    size = len(plain.plain)
    cut = size // 2
    spans = [Span(0, cut), Span(cut, size)] if cut else [Span(0, size)]
    found = measurements.find(plain, spans, ("GPT-4", "5 lamps"))
    last = 0
    for m in found:
        assert 0 <= m.start < m.end <= size
        assert m.start >= last
        last = m.end
        assert (m.low is None) == (m.high is None)
        if m.kind not in ("from_to", "amount") and m.low is not None and m.high is not None:
            assert m.low <= m.high


@pytest.mark.parametrize(
    "piece",
    [
        "1", "1.", "1,", "1 ", "1-", "(1", "1/2", "up to ", "[1,", "O(", "n^", "12% and ", "a ",
        "from 1 to 2 ", "half the ", "1×", "$1", "- ", "one order of magnitude ", "(", "1 of 2 ",
        "over X by 3% ", "x = 3, ", "½", "3 million ", "3x''",
    ],
)  # fmt: skip
def test_time_is_linear(piece: str) -> None:
    plain = {}
    for size in (4_000, 32_000):
        source = piece * (size // len(piece))
        plain[size] = text.Plain(source, source, *text_map(len(source)))

    def read(size: int) -> None:
        measurements.find(plain[size], [Span(0, len(plain[size].plain))])

    assert timing.grows_linearly(read, 4_000, 32_000)


def text_map(size: int) -> tuple[Any, Any]:
    plain = text.to_plain("a" * size)
    return plain.starts, plain.ends


def test_numerals_do_not_overlap() -> None:
    found = numerals.find("3-5% of 12/20 (from 1.5x to 2x), O(1/n) and 4 × 4 at 10^3.")
    assert all(a.end <= b.start for a, b in pairwise(found))


# --- of what, against what, on what ----------------------------------------------------------

Said = tuple[str | None, str | None, str | None]


def said(source: str, known: str = "", own: str = "") -> dict[str, Said]:
    """Metric, baseline and subject of each number of an abstract, by its words."""
    plain = text.to_plain(source)
    names = [*known.split("|"), *own.split("|")] if known or own else []
    found = measurements.find(
        plain, sentences.split(plain), [n for n in names if n], own.split("|") if own else []
    )
    return {plain.plain[m.start : m.end]: (m.metric, m.baseline, m.subject) for m in found}


@pytest.mark.parametrize(
    ("source", "known", "subject"),
    [
        ("It reaches 71% on the challenging RiverQA classification benchmark.", "RiverQA",
         "RiverQA"),
        ("It reaches 71% recall on the widely used Named Faces in Parks (NFP) dataset.", "",
         "NFP"),
        ("On a subset of the RiverQA task, it reaches 71% recall.", "RiverQA", "RiverQA"),
        ("Our model (71% recall on RiverQA) is small.", "RiverQA", "RiverQA"),
        ("Experiments on RiverQA, LakeQA and SeaQA show that recall rises by 2%.",
         "RiverQA|LakeQA|SeaQA", "RiverQA, LakeQA and SeaQA"),
        ("It obtains 71% recall for low-light scenes.", "", "low-light scenes"),
        ("For Wolof, the error falls below 30%.", "", "Wolof"),
        ("Recall is 71% at a context length of 64K tokens.", "",
         "context length of 64K tokens"),
        ("Recall improves by 2% on average over 4 datasets.", "", "4 datasets"),
        ("It reaches 71% recall on the test set.", "", None),
        ("It reaches 71% recall at the same budget.", "", None),
        ("It runs at 31 fps on a single GPU.", "", "single GPU"),
        ("It runs at 31 fps on a single RTX 4070 GPU.", "", "RTX 4070 GPU"),
        ("PlantQA accuracy drops by 3%.", "PlantQA", "PlantQA"),
        ("Trained on RiverQA, it reaches 71% recall.", "RiverQA", "RiverQA"),
        ("It keeps 98% of the recall on RiverQA but only 85% on SeaQA.", "RiverQA|SeaQA",
         "RiverQA"),
        ("The layer compresses PlantNet-16 by 23×.", "PlantNet-16", "PlantNet-16"),
        ("It reduces the size of a PlantNet model by 40%.", "PlantNet", "PlantNet"),
    ],
)  # fmt: skip
def test_the_place_where_a_value_holds(source: str, known: str, subject: str | None) -> None:
    first = next(iter(said(source, known).values()))
    assert first[2] == subject


def test_the_place_is_the_name_itself() -> None:
    span = "81.2%"
    for place, subject in [
        ("the challenging 12-task Cut LeafNet", "Cut LeafNet"),
        ("the TideGym simulator", "TideGym"),
        ("the recent 9-task harbour benchmark", "recent 9-task harbour benchmark"),
        ("LeafNet PineLM", "LeafNet"),
    ]:
        source = f"On {place} reaches an accuracy of 81.2%."
        if "PineLM" not in place:
            source = source.replace(" reaches", ", PineLM reaches")
        assert said(source, "LeafNet|TideGym|PineLM", "PineLM")[span][2] == subject


def test_a_place_of_the_clause_before() -> None:
    found = said("We test it on RiverQA, where it gains 3.1% over OakLM.", "RiverQA|OakLM")
    assert found["3.1%"] == (None, "OakLM", "RiverQA")
    found = said("It reaches 84.0% accuracy for retrieval on RiverQA.", "RiverQA")
    assert found["84.0%"][2] == "RiverQA"


def test_this_data_set_is_the_one_that_is_introduced() -> None:
    found = said(
        "We introduce RiverQA, a benchmark of tides. PineLM scores 61.5% on this benchmark.",
        "RiverQA|PineLM",
        "RiverQA",
    )
    assert found["61.5%"][2] == "RiverQA"


def test_a_clause_keeps_its_places() -> None:
    found = said(
        "FernRL lifts return on TreeWalk from 310 to 480, and its memory use falls by 12%.",
        "TreeWalk", "FernRL",
    )  # fmt: skip
    assert found["from 310 to 480"] == ("return", None, "TreeWalk")
    assert found["12%"] == ("memory use", None, None)


def test_a_bracket_tells_the_same_of_what_it_stands_in() -> None:
    found = said(
        "On OpenTab it improves recall by 9.6 points over BMX (from 58.3 to 67.9).", "OpenTab|BMX"
    )
    assert found["9.6 points"] == ("recall", "BMX", "OpenTab")
    assert found["from 58.3 to 67.9"] == ("recall", None, "OpenTab")


def test_a_clause_that_goes_on_shares_them() -> None:
    found = said(
        "It has 91% accuracy on RiverQA, cutting latency by 20% compared with Alpha.", "RiverQA"
    )
    assert found["20%"] == ("latency", "Alpha", "RiverQA")


def test_of_coordinated_numbers_each_has_its_place() -> None:
    found = said(
        "It has an AUROC of 0.94 on StreetX, 0.91 on NightX and 0.88 on RainX.",
        "StreetX|NightX|RainX",
    )
    assert [s for _, _, s in found.values()] == ["StreetX", "NightX", "RainX"]
    assert {m for m, _, _ in found.values()} == {"AUROC"}


@pytest.mark.parametrize(
    ("source", "span", "subject"),
    [
        ("PineLM-2 leads with 61% exact match, OakLM-1 follows at 58%.", "61%", "PineLM-2"),
        ("PineLM-2 leads with 61% exact match, OakLM-1 follows at 58%.", "58%", "OakLM-1"),
        ("The best baseline, PineLM-2, obtains 61% recall.", "61%", "PineLM-2"),
        ("PineLM-2 solves 38.5% of the puzzles and OakLM-1 only 12.9%.", "12.9%", "OakLM-1"),
        ("Our model has 71% recall, while humans reach 93%.", "93%", "humans"),
        ("Existing models reach 71% recall, far behind human performance, which is 95%.", "95%",
         "human performance"),
        ("Fine-tuning OakLM-1 lifts recall from 31% to 48%.", "from 31% to 48%", "OakLM-1"),
    ],
)  # fmt: skip
def test_a_value_of_somebody_else(source: str, span: str, subject: str) -> None:
    assert said(source, "PineLM-2|OakLM-1")[span][2] == subject


def test_the_papers_own_work_is_no_subject_of_a_value() -> None:
    assert said("FernNet reaches 71% recall.", own="FernNet")["71%"] == ("recall", None, None)


@pytest.mark.parametrize(
    "between",
    ["compared with 3.95 for Alpha", "versus 3.95 for Alpha", "against 3.95 achieved by Alpha",
     "slightly better than the 3.95 of Alpha"],
)  # fmt: skip
def test_one_value_held_against_that_of_a_rival(between: str) -> None:
    found = said(f"On RiverX it has an FID of 2.31, {between}.", "RiverX|Alpha")
    assert found["2.31"] == ("FID", "Alpha", "RiverX")
    assert found["3.95"] == ("FID", None, "Alpha")


def test_a_contrast_holds_two_values_against_each_other() -> None:
    found = said("It keeps 97.1% of the accuracy on RiverX, where Alpha preserves 89.2%.", "RiverX")
    assert found["97.1%"][1:] == ("Alpha", "RiverX")
    assert found["89.2%"][1:] == (None, "Alpha")
    found = said("It solves 21 of 24 tasks, whereas Alpha solves 17.")
    assert found["21"][1] == "Alpha"
    assert found["17"][2] == "Alpha"


@pytest.mark.parametrize(
    ("source", "span", "baseline"),
    [
        ("We advance the state of the art on RiverX (recall of 0.79).", "0.79",
         "state of the art"),
        ("It cuts the error of the current state of the art by 27%.", "27%",
         "current state of the art"),
        ("It is 1.9 times as fast as Alpha.", "1.9 times", "Alpha"),
        ("The return is 3.2x that of Alpha.", "3.2x", "Alpha"),
        ("It is within 0.4 points of full attention on RiverX.", "0.4 points", "full attention"),
        ("It surpasses the 70B Alpha by 3%.", "3%", "Alpha"),
        ("It beats all baselines on 7 of 9 tasks.", "7", "all baselines"),
        ("It beats all baselines on 7 of 9 tasks.", "9", None),
        ("It saves 34% of storage compared to the strong compression method Zip.", "34%", "Zip"),
        ("It reaches 85% recall on RiverX, surpassing Alpha by 2.7%.", "85%", "Alpha"),
        ("It reaches 85% recall on RiverX and beats Alpha by 2.7% on SeaX.", "85%", None),
        ("The recall drop with respect to the INT9 model is 1.5%.", "1.5%", "INT9 model"),
        ("It keeps 97% of the teacher's recall.", "97%", "teacher"),
        ("It has an error of 31%, an improvement of 9.5% over Alpha.", "31%", "Alpha"),
        ("It improves the base model by 8.5 points.", "8.5 points", "base model"),
        ("Our solver takes 2 seconds, whereas Alpha needs 11 minutes.", "2 seconds", "Alpha"),
        ("Recall is 61%, whereas random smoothing certifies 49%.", "61%", "random smoothing"),
        ("Raters preferred our stories over those of Alpha in 63% of cases.", "63%", "Alpha"),
    ],
)  # fmt: skip
def test_what_a_value_is_held_against(source: str, span: str, baseline: str | None) -> None:
    assert said(source, "RiverX|SeaX|Alpha")[span][1] == baseline


@pytest.mark.parametrize(
    ("source", "span", "metric"),
    [
        ("It beats Alpha by 2.8% mIoU on RiverX.", "2.8%", "mIoU"),
        ("We obtain a +4.4% improvement in rank-1 precision.", "+4.4%", "rank-1 precision"),
        ("This gives 32× memory savings.", "32×", "memory savings"),
        ("It is 3x faster in training than Alpha.", "3x", "training"),
        ("It improves the best result in terms of CIDEr from 61.2 to 64.5.",
         "from 61.2 to 64.5", "CIDEr"),
        ("F1 on RiverX rises by 4.3 points.", "4.3 points", "F1"),
        ("It has a true accept rate of 94.2%.", "94.2%", "true accept rate"),
        ("It gets 57.9 AP50 on RiverX.", "57.9", "AP50"),
        ("Its time is O(n) per round.", "O(n)", "time"),
        ("It needs O(k^2) time per round.", "O(k^2)", "time per round"),
        ("It takes 5 ms per frame in real time.", "5 ms", None),
    ],
)  # fmt: skip
def test_what_a_number_measures(source: str, span: str, metric: str | None) -> None:
    assert said(source, "RiverX|Alpha")[span][0] == metric


def test_a_metric_is_carried_to_the_sentence_that_continues_it() -> None:
    found = said("On RiverX it has 91% accuracy. On SeaX it reaches 87%.", "RiverX|SeaX")
    assert found["87%"] == ("accuracy", None, "SeaX")
    found = said("On RiverX it has 91% accuracy. On SeaX it takes 87 ms.", "RiverX|SeaX")
    assert found["87 ms"][0] is None


def test_what_is_counted_of_a_data_set_that_is_introduced() -> None:
    found = said(
        "We introduce MossBank, a corpus of 2,310 hours of speech in 14 languages. Each of 6,300"
        " recordings was checked by at least 3 listeners; the kappa is 0.81. We compare 9 models.",
        own="MossBank",
    )
    owners = {span: subject for span, (_, _, subject) in found.items()}
    assert owners == {
        "2,310 hours": "MossBank", "14": "MossBank", "6,300": "MossBank", "3": "MossBank",
        "0.81": "MossBank", "9": None,
    }  # fmt: skip


def test_what_is_counted_before_it_or_of_another_is_not_its() -> None:
    source = "Earlier sets had 500 problems. We present MossQA, a benchmark of 8,200 problems."
    found = said(source, own="MossQA")
    assert (found["500"][2], found["8,200"][2]) == (None, "MossQA")
    found = said("MossNet was trained on 2 million scans from BogDB.", "BogDB", "MossNet")
    assert found["2 million"][2] == "BogDB"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("It runs at 3 bits.", ("amount", 3, 3, "bits")),
        ("Training costs 210 GPU hours.", ("level", 210, 210, "GPU hours")),
        ("There are 20 000 images.", ("amount", 20000, 20000, "images")),
        ("It runs at 1/60 of the cost.", ("ratio", 1 / 60, 1 / 60, "×")),
        ("It falls below 50% accuracy.", ("level", 50, 50, "%")),
        ("Perplexity moves by less than 0.7.", ("change", 0.7, 0.7, "")),
        ("It needs 4.3 fewer steps.", ("change", -4.3, -4.3, "steps")),
        ("It raises the length from 3.5 to 6.1 tokens.", ("from_to", 3.5, 6.1, "tokens")),
        ("It makes 15-day global forecasts.", ("amount", 15, 15, "day")),
        ("6 of the models do worse.", ("amount", 6, 6, "models")),
        ("It retains 7.3% of the tokens.", ("amount", 7.3, 7.3, "%")),
        ("It retains 98% of the accuracy.", ("level", 98, 98, "%")),
        ("It attains a rate of O(1/ε^2).", ("bound", None, None, "O(1/epsilon^2)")),
    ],
)  # fmt: skip
def test_kinds_that_words_around_a_number_decide(source: str, expected: tuple[Any, ...]) -> None:
    assert values(source) == [expected]


def test_a_decimal_comma_gives_no_half_of_a_number() -> None:
    assert values("It reduces errors by 12,5% and costs 1,5 s for 1,234 boats.") == [
        ("amount", 1234.0, 1234.0, "boats")
    ]


def test_numbers_in_another_language_are_read_and_no_more() -> None:
    found = find("Der Fehler sinkt von 12,5 % auf 3,4 %; das kleine Netz braucht 2,5 GB.", "OakNet")
    assert [(m.low, m.unit) for m in found] == [(12.5, "%"), (3.4, "%"), (2.5, "GB")]
    assert {(m.metric, m.baseline, m.subject) for m in found} == {(None, None, None)}


def test_tesla_are_no_trillions() -> None:
    assert values("We use 1.5T scanners and slices at 7T.") == []
    assert values("We train on 15T tokens.") == [("amount", 15e12, 15e12, "tokens")]


TOLD = (DATA / "numbers.txt").read_text("utf-8").split("\n\n")[1:]


@pytest.mark.parametrize("block", TOLD, ids=[block.partition("\n")[0] for block in TOLD])
def test_whose_each_number_is(block: str) -> None:
    source, *lines = block.rstrip("\n").split("\n")
    names = dict(line.split(": ", 1) for line in lines if line.startswith(("known: ", "own: ")))
    found = said(source, names.get("known", ""), names.get("own", ""))
    told = [
        f"  {words} = " + " | ".join(attribute or "-" for attribute in attributes)
        for words, attributes in found.items()
    ]
    assert told == [line for line in lines if line.startswith("  ")]


def test_sizes_gains_and_losses() -> None:
    for source, expected in [
        ("A 4.2M-parameter MossNet wins.", [("amount", 4.2e6, 4.2e6, "parameters")]),
        ("It ranks first (F1 = 0.846).", [("level", 0.846, 0.846, "")]),
        ("It holds with probability at least 1-2^{-n}.", []),
        ("It is 0.2 dB above OakNet.", [("change", 0.2, 0.2, "dB")]),
        ("It wins by 14-22%.", [("change", 14, 22, "%")]),
        ("It loses only 0.3 perplexity.", [("change", -0.3, -0.3, "")]),
        ("It reaches a 0.04 lower validation loss.", [("change", -0.04, -0.04, "")]),
        ("It has a speedup of 12.", [("ratio", 12, 12, "×")]),
        ("It needs 40 rounds instead of 110.",
         [("amount", 40, 40, "rounds"), ("amount", 110, 110, "rounds")]),
        ("It is at 76%, 3% higher than OakNet.",
         [("level", 76, 76, "%"), ("change", 3, 3, "%")]),
        ("It uses 10% of the memory.", [("amount", 10, 10, "%")]),
        ("It improves the horizon from H^4 to H^3.",
         [("bound", None, None, "H^4"), ("bound", None, None, "H^3")]),
    ]:  # fmt: skip
        assert values(source) == expected, source


def test_a_condition_and_a_rival_are_no_limits() -> None:
    assert find("Under a 5% budget, it wins.")[0].qualifier is None
    assert find("It is 2 points below a 7B model.")[1].qualifier is None
    assert find("It has an average improvement of 5% over OakNet.")[0].qualifier == "average"


def test_a_fraction_of_a_power_is_left_out() -> None:
    said = build.extract("We reach an error of 1/2×10^-3 on CIFAR-10.").measurements
    assert said == ()
