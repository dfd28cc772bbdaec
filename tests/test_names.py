"""Names, acronyms, mentions and links: what an abstract introduces, abbreviates and uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from loader import build, names, sentences, text
from loader.model import LoadError, Role, Span
from loader.names import acronyms, lexicon, links
from loader.text import Plain
from tests import timing

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))


def spans_of(plain: Plain) -> list[Span]:
    return sentences.split(plain)


def found(source: str, role: Role = "method") -> names.Found:
    plain = text.to_plain(source)
    spans = spans_of(plain)
    return names.find(plain, spans, [role] * len(spans))


def pairs(source: str) -> set[tuple[str, str]]:
    return {(a.short, a.long) for a in found(source).acronyms}


def own(source: str) -> dict[str, tuple[str | None, str]]:
    return {n.name: (n.expansion, n.kind) for n in found(source).names}


def mentioned(source: str, role: Role = "result") -> dict[str, str]:
    return {m.name: m.kind for m in found(source, role).mentions}


def seed(words: str) -> str:
    """The seed abstract that holds `words`, as the file has it."""
    for path in SEEDS:
        for block in path.read_text(encoding="utf8").split("\n\n"):
            if words in block:
                return block.strip()
    raise AssertionError(f"no seed holds {words!r}")


def of_seed(words: str) -> names.Found:
    plain = text.to_plain(seed(words))
    spans = spans_of(plain)
    roles: list[Role] = ["background"] * len(spans)
    begins = next(
        (i for i, s in enumerate(spans) if " we " in plain.plain[s.start : s.end].lower()), 0
    )
    roles[begins:] = ["method"] * (len(spans) - begins)
    return names.find(plain, spans, roles)


# ------------------------------------------------------------------ acronyms


@pytest.mark.parametrize(
    ("source", "short", "long"),
    [
        ("Large river models (LRMs) are slow.", "LRM", "Large river model"),
        ("It is a theory of boats (ToB).", "ToB", "theory of boats"),
        ("We sail with TAB (Tidal Anchor Balancing, our tool).", "TAB", "Tidal Anchor Balancing"),
        ("We study boat-to-boat (B2B) talk.", "B2B", "boat-to-boat"),
        ("We learn to sail (L2S) from data.", "L2S", "learn to sail"),
        ("Use aligned anchor and harbours (A2H).", "A2H", "aligned anchor and harbours"),
        ("It is a new BoAt-to-Lake (BAL) framework.", "BAL", "BoAt-to-Lake"),
        ("It is ROAM (ROwing evaluAtion of Moored rafts).", "ROAM",
         "ROwing evaluAtion of Moored raft"),
        ("Record surface electrotidegraphy (sETG) daily.", "sETG", "surface electrotidegraphy"),
        ("HARBOR, Hierarchical Anchors and Robust Boat Operation Rules, is ours.", "HARBOR",
         "Hierarchical Anchors and Robust Boat Operation Rule"),
        ("We use tidal boat distillation, coined TiBoD.", "TiBoD", "tidal boat distillation"),
        ("We use the Keel-Weighted Tidal Adaptation (KeTA) of boats.", "KeTA",
         "Keel-Weighted Tidal Adaptation"),
        ("Patients with Raft's disease (RD) rest.", "RD", "Raft's disease"),
        ("The rate [tidal change rate (TCR)] fell.", "TCR", "tidal change rate"),
        ("We add 17 alpha-tidalol (TDL) to it.", "TDL", "alpha-tidalol"),
    ],
)  # fmt: skip
def test_definitions_in_every_form(source: str, short: str, long: str) -> None:
    folded = {(a.casefold(), b.casefold().removesuffix("s")) for a, b in pairs(source)}
    assert (short.casefold(), long.casefold().removesuffix("s")) in folded


@pytest.mark.parametrize(
    "source",
    [
        "We compare boats (Figure 1) and rafts (see below).",
        "It holds in two cases: (i) instability, and (ii) calm.",
        "The boat (a) floats and (b) sinks.",
        "The accuracy (95%) is high (p < 0.01, n = 10).",
        "We write to Anna Bo (AB Boats Ltd) and (10 mM and glue).",
        "Boats (boats) are boats.",
        "Models (e.g., Llama) and data (GPU hours) were counted.",
    ],
)
def test_brackets_that_define_nothing(source: str) -> None:
    assert pairs(source) == set()


def test_forms_are_singular_and_joined_by_single_spaces() -> None:
    assert pairs("We train vision-boat\nmodels (VBMs).") == {("VBM", "vision-boat model")}
    assert pairs("A Mixture of Experts (MoE) votes.") == {("MoE", "Mixture of Experts")}
    assert pairs("A Mixture-of-Experts (MoE) votes.") == {("MoE", "Mixture-of-Experts")}
    assert pairs("Boat-to-text models (BTMs) talk.") == {("BTM", "Boat-to-text model")}
    assert acronyms.singular("taxonomies") == "taxonomy"
    assert acronyms.singular("losses") == "loss"
    assert acronyms.singular("analysis") == "analysis"


def test_an_introduced_title_is_a_long_form_whatever_its_letters() -> None:
    source = "We present Moor-then-Sail (ReMQ), a framework. We use Tidal Boats (ZEX)."
    assert pairs(source) == {("ReMQ", "Moor-then-Sail")}
    assert own(source) == {"ReMQ": ("Moor-then-Sail", "framework")}


def test_letters_set_bold_spell_a_name() -> None:
    source = "We introduce **TaBo**, a **t**idal-**a**ware **bo**at framework that sails."
    assert pairs(source) == {("TaBo", "tidal-aware boat")}
    assert own(source) == {"TaBo": ("tidal-aware boat", "framework")}


def test_spans_of_definitions_are_their_words() -> None:
    plain = "First, supervised boat tuning (SBT) came. Then TAB (Tidal Anchor Balancing) came."
    for d in acronyms.find(plain, [Span(0, 41), Span(41, len(plain))]):
        assert plain[d.short_span.start : d.short_span.end] == d.short
        assert plain[d.long_span.start : d.long_span.end] == d.long


# ------------------------------------------------------------------ own names


@pytest.mark.parametrize(
    ("source", "name", "kind"),
    [
        ("We introduce BoatBench, the first benchmark for sails.", "BoatBench", "benchmark"),
        ("Here we propose a novel algorithm called \\textsc{TideSGD}.", "TideSGD", "method"),
        ("We present the HarbourQA dataset of questions.", "HarbourQA", "dataset"),
        ("Our method, KeelNorm, beats all.", "KeelNorm", "method"),
        ("We present an efficient yet effective solution, RaftFormer.", "RaftFormer", "model"),
        ("This yields SailVerse, a novel benchmark of 12 tasks.", "SailVerse", "benchmark"),
        ("We define this as the \\textbf{\\textit{Tide Effect}}.", "Tide Effect", "concept"),
        ("We propose Drifting Swarms, an algorithm that drifts.", "Drifting Swarms", "method"),
        ("We introduce tidal counterfactuals, a novel framework for boats.", "tidal counterfactual",
         "framework"),
        ("It is a behavior we term overrowing.", "overrowing", "concept"),
        ("KeelBoost is proposed to speed this up.", "KeelBoost", "method"),
        ("We build HarbourSim, a platform for tides.", "HarbourSim", "system"),
        ("We propose MastJack, a stealthy attack on boats.", "MastJack", "attack"),
    ],
)  # fmt: skip
def test_what_the_paper_introduces(source: str, name: str, kind: str) -> None:
    assert own(source).get(name) == (None, kind)


@pytest.mark.parametrize(
    ("source", "name", "kind"),
    [
        # a title-like opening, or a sentence that says what the name is
        ("HarbourQA: a benchmark for questions about harbours. It holds 3,000.", "HarbourQA",
         "benchmark"),
        ("TideNet is a convolutional network that predicts tides.", "TideNet", "model"),
        ("RaftSet is the first dataset of rafts.", "RaftSet", "dataset"),
        # "our", "the proposed"
        ("Our KeelNorm reduces the error by 12%.", "KeelNorm", "method"),
        ("KeelNorm, our normalization scheme, reduces the error.", "KeelNorm", "method"),
        ("KeelNorm, the proposed method, reduces the error.", "KeelNorm", "method"),
        ("Our algorithm (RowFast) plans routes.", "RowFast", "method"),
        ("Our algorithm, KeelCast, is a 40-layer network.", "KeelCast", "model"),
        # "the resulting", "the new"
        ("The resulting model, DriftFormer, predicts drift.", "DriftFormer", "model"),
        ("The resulting dataset, VoyageSet, is large.", "VoyageSet", "dataset"),
        ("The new model, RowNet-V, runs at 30 frames a second.", "RowNet-V", "model"),
        # naming
        ("We call the resulting algorithm RowFast.", "RowFast", "method"),
        ("We name this framework HarbourLink.", "HarbourLink", "framework"),
        ("We refer to the new architecture as SailNet.", "SailNet", "model"),
        ("This approach, which we call TideMix, needs no labels.", "TideMix", "method"),
        ("We propose to replace anchors, a method we name BuoySwap.", "BuoySwap", "method"),
        ("We have developed a tool called sail2vec for embeddings.", "sail2vec", "system"),
        # passive
        ("In this paper a novel algorithm, AnchorSearch, is proposed.", "AnchorSearch", "method"),
        ("In this work, a new system named DockOS is presented.", "DockOS", "system"),
        ("The DockLink framework is introduced to join boats.", "DockLink", "framework"),
        # other verbs, and words between the verb and the name
        ("We propose in this paper the KeelNorm method.", "KeelNorm", "method"),
        ("We suggest RaftPlan, a planner.", "RaftPlan", "method"),
        ("To fill this gap we have built RaftBench, which tests models.", "RaftBench",
         "benchmark"),
        ("We present the design and implementation of DockOS, a system.", "DockOS", "system"),
        ("We make available the RiverTalk corpus.", "RiverTalk", "dataset"),
        ("We train RowEye, a convolutional network.", "RowEye", "model"),
        ("We then extend RowNet to RowNetMax, a larger network.", "RowNetMax", "model"),
        # what the work comes down to, or is done by
        ("At the heart of our approach is KeelSearch, an algorithm.", "KeelSearch", "method"),
        ("The core of our work is the HarbourGraph dataset.", "HarbourGraph", "dataset"),
        ("This bound is attained by KeelUCB, an optimistic algorithm.", "KeelUCB", "method"),
        ("We instantiate these ideas in RowFast, a planner.", "RowFast", "method"),
        # lists
        ("We contribute two datasets: RiverTalk and LakeTalk.", "LakeTalk", "dataset"),
        ("We contribute two datasets, RiverTalk and LakeTalk.", "RiverTalk", "dataset"),
        ("We develop three attacks (MastJack, KeelJack and SailJack).", "KeelJack", "attack"),
        ("Two new losses are introduced: KeelLoss, which is smooth, and MastLoss.", "KeelLoss",
         "method"),
        # in brackets
        ("We propose a new algorithm - RowFast - that plans routes.", "RowFast", "method"),
        ("We present a large-scale dataset for rivers (RiverSet).", "RiverSet", "dataset"),
        # later in the sentence that it is ours or new
        ("TideMax (Tidal Mixture) is a new regularizer of boats.", "TideMax", "method"),
        ("TideMix, which we introduce here, needs no labels.", "TideMix", "method"),
        ("The TideMix framework, which we propose, needs no labels.", "TideMix", "framework"),
        # "arrive at", "lead to", "and name"
        ("We thus arrive at TideMix, a regularization scheme.", "TideMix", "method"),
        ("This leads us to TideMix, a regularization scheme.", "TideMix", "method"),
        ("We use tides for docking, and name the method DockNow.", "DockNow", "method"),
        ("We introduce two variants, TideMix-S and TideMix-L.", "TideMix-L", "method"),
        # a dash without spaces, and the ampersand
        ("We present TideMix—a framework that mixes tides.", "TideMix", "framework"),
        ("We present Broad & Narrow, a model of rivers.", "Broad & Narrow", "model"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", ["method", "background"])
def test_classes_of_introductions(source: str, name: str, kind: str, role: Role) -> None:
    """Where the authors speak, a name is theirs whatever the role of the sentence."""
    got = {n.name: n.kind for n in found(source, role).names}
    firm = re.search(r"\b(?:[Ww]e|[Oo]ur|us|In this|RaftSet|proposed)\b", source)
    assert got.get(name) == kind or (role == "background" and firm is None)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("We show that the KeelNet finds its way.", "KeelNet"),
        ("A proof shows that DockNow converges.", "DockNow"),
        ("We demonstrate the effectiveness of DockNow on rivers.", "DockNow"),
        ("Storing the rest (KeelQuant) gains 3%. KeelQuant is 4 points better.", "KeelQuant"),
        ("**TideCut** keeps a token only once. TideCut retains 4% of them.", "TideCut"),
        ("RowFast reduces costs by half. With 3 boats RowFast needs 2 hours.", "RowFast"),
    ],
)
def test_the_subject_of_what_is_shown(source: str, name: str) -> None:
    """Where nothing is introduced, the name that the results are about is the paper's."""
    assert set(own(source)) == {name}


@pytest.mark.parametrize(
    ("source", "known", "kind"),
    [
        ("We present Fashion-MNIST, a large dataset of clothes.", "Fashion-MNIST", "dataset"),
        ("We introduce a new language model called BERT.", "BERT", "model"),
        ("In this paper we introduce the ImageNet dataset.", "ImageNet", "dataset"),
        ("ImageNet is the first dataset of its size.", "ImageNet", "dataset"),
        ("We propose RoBERTa to mend this.", "RoBERTa", "model"),
        ("We solve this by introducing MNIST, a set of digits.", "MNIST", "dataset"),
        ("We propose a deep architecture codenamed Inception.", "Inception", "model"),
        ("Our network, GoogLeNet, is deep.", "GoogLeNet", "model"),
    ],
)
def test_a_known_name_is_own_where_it_is_presented(source: str, known: str, kind: str) -> None:
    assert own(source) == {known: (None, kind)}
    assert mentioned(source) == {}


@pytest.mark.parametrize(
    "source",
    [
        "We introduce a BERT that is small, and present results on ImageNet.",
        "We use BERT, a language model, and propose to train it with AdamW.",
        "We train a network named BERT.",
        "We fine-tune BERT and develop BERT models for law.",
        "We propose the Q-learning and pruning of LLaMA.",
        "We present the first PnP solution that is fast.",
        "We present SailBox, an OpenSail simulator.",
        "We present a study comparing two models: RowNet and KeelCast.",
        "Methods such as RowNet, a network for rivers, fail.",
        "We compare to the method called RowNet.",
        "We analyze RowNet, a network for rivers.",
        "We find that RowLM-7B is 3 points better than RowLM-13B.",
        "We train a deep Convolutional Neural Network.",
        "The recently proposed Keel GAN (KGAN) makes progress.",
        "We introduce the long short-term memory (LSTM) network to row.",
        'We identify "common ropes" in boats.',
        "The data are at https://example.org/RowNet-2, which we introduce.",
        "It has 3 tasks (Boat Repair, Boat Explanation, Boat Synthesis) in all.",
        "We join it with a River Random Field (RRF).",
    ],
)
def test_what_is_used_or_compared_is_not_own(source: str) -> None:
    assert set(own(source)) <= {"SailBox"}


def test_a_long_form_becomes_the_expansion() -> None:
    source = "We propose Tidal Boat Tuning (TBT), a novel framework. TBT is fast."
    assert own(source) == {"TBT": ("Tidal Boat Tuning", "framework")}


def test_variants_lists_and_components_are_own_too() -> None:
    source = (
        "We release HarborLM, a language model. HarborLM-7B beats all. It has two components: "
        "an Anchor for depth and a Rudder for direction. It uses a Late Docking strategy."
    )
    assert set(own(source)) == {"HarborLM", "HarborLM-7B", "Anchor", "Rudder", "Late Docking"}
    assert own(source)["HarborLM-7B"] == (None, "model")


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("We propose a Tidal Boat Network (TBN) to row.", "model"),
        ("We introduce the Stanley River Dataset (SRD).", "dataset"),
        ("We introduce the River Understanding Benchmark (RUB).", "benchmark"),
        ("We introduce the Benchmark of River Models (BRM).", "benchmark"),
        ("We introduce Tidal Learning with Boat Models (TLBM).", "method"),
    ],
)
def test_the_long_form_tells_the_kind(source: str, kind: str) -> None:
    assert [k for _, k in own(source).values()] == [kind]


@pytest.mark.parametrize(
    ("source", "name", "kind"),
    [
        ("Our toolkit, gensail, is written in C.", "gensail", "system"),
        ("It uses a method dubbed tidal search, which is new.", "tidal search", "method"),
        ("It is a limitation that is termed STIFF ROWING.", "STIFF ROWING", "concept"),
        ("We introduce “mooring objective” to the layers.", "mooring objective", "method"),
        ('We propose "Tidal out" to model tides.', "Tidal out", "method"),
        (
            "A bound rests on the notion of rope rank, a measure that we introduce here.",
            "rope rank",
            "concept",
        ),
    ],
)
def test_coined_names_with_kinds(source: str, name: str, kind: str) -> None:
    assert own(source) == {name: (None, kind)}


def test_emphasised_stages() -> None:
    source = "TideX has two stages: **discriminate** and **self-annotate**, in turn."
    assert {"discriminate", "self-annotate"} <= set(own(source))


@pytest.mark.parametrize(
    "source",
    [
        "We build on BERT and compare with methods such as KeelNorm.",
        "We study large language models (LLMs) and propose to row.",
        "We evaluate on GSM8K, where ResNet-50 outperforms RaftFormer.",
        "We train with a tool called SledgeBoat, which over ours outperforms nothing.",
    ],
)
def test_what_others_made_is_not_own(source: str) -> None:
    assert not {"BERT", "KeelNorm", "LLM", "GSM8K", "ResNet-50", "RaftFormer"} & set(own(source))


def test_background_introduces_nothing() -> None:
    assert found("Recent work introduces TideNet, a novel model.", "background").names == ()


# ------------------------------------------------------------------ mentions


def test_known_and_unknown_mentions_with_kinds() -> None:
    source = (
        "On CIFAR-10/100 and the TideBank benchmark our way beats PPO, RowNet-50 and the "
        "Qwen2.5-Math-7B model by using optimal transport."
    )
    assert mentioned(source) == {
        "CIFAR-10": "dataset",
        "CIFAR-100": "dataset",
        "TideBank": "dataset",
        "PPO": "method",
        "RowNet-50": "model",
        "Qwen2.5-Math-7B": "model",
        "optimal transport": "method",
    }


def test_every_place_is_the_name_in_the_plain_text() -> None:
    source = "We train \\textbf{BERT} on MNIST. Then BERT is tested on \\emph{MNIST} and AIME 2025."
    plain = text.to_plain(source)
    spans = spans_of(plain)
    got = names.find(plain, spans, ["method"] * len(spans)).mentions
    places = {m.name: [plain.plain[p.start : p.end] for p in m.places] for m in got}
    assert places == {"BERT": ["BERT"] * 2, "MNIST": ["MNIST"] * 2, "AIME 2025": ["AIME 2025"]}


def test_classes_measures_and_codes_are_no_mentions() -> None:
    source = "LLMs with W4A8 weights reach an F1 of 3 on GPUs; Recall@10 and RL-based QA improve."
    assert mentioned(source) == {}


def test_a_defined_method_is_mentioned_by_its_short_form() -> None:
    source = "We compare with Direct Preference Optimization (DPO). DPO loses."
    assert mentioned(source) == {"DPO": "method"}


@pytest.mark.parametrize(
    ("source", "mentions"),
    [
        # versions are part of the name
        ("It leads on VQA v2.0 and PASCAL VOC-2012.",
         {"VQA v2.0": "dataset", "PASCAL VOC-2012": "dataset"}),
        ("It beats w9v-BERT 2.0 by far.", {"w9v-BERT 2.0": "model"}),
        # a short form of a data set, and what figures are compared with
        ("It gains on the Boats Moored in the Wild (BMW) dataset.", {"BMW": "dataset"}),
        ("Its error is 4.12, compared with 5.83 for DRK2.", {"DRK2": "method"}),
        ("It beats Tidal Memory Planning on rivers.", {"Tidal Memory Planning": "method"}),
        ("Compared to KeelCast and DriftQuant, it gains.",
         {"KeelCast": "method", "DriftQuant": "method"}),
        ("At the same budget KeelZip preserves less.", {"KeelZip": "method"}),
        # techniques with or without hyphens, but not where they are a task
        ("It uses self distillation and prompt-tuning.",
         {"self distillation": "method", "prompt-tuning": "method"}),
        ("It leads on instruction tuning tasks.", {}),
        ("It beats ResNets and GoogLeNets.", {"ResNet": "model", "GoogLeNet": "model"}),
        ("Existing defenses such as KeelGuard fail.", {"KeelGuard": "method"}),
        ("It leads on question answering (Raftbowl dataset).", {"Raftbowl": "dataset"}),
        # measures are none
        ("Its top-5 error, rank-1 precision and BLEU-4 are best.", {}),
        ("LIDAR and ConvNets are used.", {}),
    ],
)  # fmt: skip
def test_forms_and_cues_of_mentions(source: str, mentions: dict[str, str]) -> None:
    assert mentioned(source) == mentions


def test_a_known_phrase_begins_a_word() -> None:
    assert mentioned("Compared with éadaboost–AdaBoost, and via weight decay, it is fast.") == {
        "AdaBoost": "method",
        "weight decay": "method",
    }
    assert mentioned("It is fast via éweight decay and via re-weight decay.") == {}


def test_a_sentence_about_an_own_name_is_no_background() -> None:
    source = "We propose TideCut. TideCut is tested on the RiverTalk dataset."
    assert mentioned(source, "background") == {"RiverTalk": "dataset"}


def test_background_mentions_do_not_count() -> None:
    assert mentioned("Many use optimal transport and TideBank.", "background") == {}


# ------------------------------------------------------------------ links


@pytest.mark.parametrize(
    ("source", "url", "kind", "anonymous"),
    [
        ("The code is at https://github.com/x/y-z.", "https://github.com/x/y-z", "code", False),
        ("Code: \\url{https://anonymous.4open.science/r/B-1}.",
         "https://anonymous.4open.science/r/B-1", "code", True),
        ("Our benchmark is [here](https://huggingface.co/datasets/a/b).",
         "https://huggingface.co/datasets/a/b", "data", False),
        ("Project page: https://boat.github.io/.", "https://boat.github.io/", "project", False),
        ("\\textbf{\\textit{https://github.com/a/b}}.", "https://github.com/a/b", "code", False),
        ("Code (github.com/a/b_c) is out.", "github.com/a/b_c", "code", False),
        ("A video of the project is at https://youtu.be/Ab1.", "https://youtu.be/Ab1", "other",
         False),
        ("The list of leaks is at https://github.com/a/b.", "https://github.com/a/b", "data",
         False),
        ("As in https://example.org/rules(1).", "https://example.org/rules(1)", "other", False),
        ("Our dataset can be found at https://github.com/a/tides", "https://github.com/a/tides",
         "data", False),
        ("**Code**: **https://gitlab.com/a/b**", "https://gitlab.com/a/b", "code", False),
        ("at \\href{https://github.com/a/b\\_c}{\\textnormal{https://github.com/a/b\\_c}}, code",
         "https://github.com/a/b_c", "code", False),
    ],
)  # fmt: skip
def test_links(source: str, url: str, kind: str, anonymous: bool) -> None:
    got = links.find(source)
    assert [(link.url, link.kind, link.anonymous) for link in got] == [(url, kind, anonymous)]
    assert got[0].host in url


def test_links_with_and_without_a_scheme() -> None:
    source = "See HTTPS://a.example/x, then GitHub.com/b/c and (www.d.example/e)."
    assert [link.url for link in links.find(source)] == [
        "HTTPS://a.example/x",
        "GitHub.com/b/c",
        "www.d.example/e",
    ]
    assert [link.url for link in links.find("At http://a.example/b://c, x://y and https://")] == [
        "http://a.example/b://c"
    ]


def test_no_link_in_plain_words() -> None:
    assert links.find("Boats. Sails, e.g. www and github are words; e.g.x/y and a.b are not.") == []


# ------------------------------------------------------------------ the seeds


@pytest.mark.parametrize(
    ("words", "name", "expansion", "kind"),
    [
        ("**HaDola**", "HaDola", "human uncertainty-aware data selection and automatic labeling",
         "framework"),
        ("RAPPO(", "RAPPO", "Reliable Alignment for Preference Policy Optimization", "method"),
        ("(BIT) framework", "BIT", "BraIn-to-Text", "framework"),
        ("we propose EMBridge", "EMBridge", None, "framework"),
        ("Continual lEarning (DEDUCE)", "DEDUCE", "DEtect, Decide, Unlearn in Continual lEarning",
         "framework"),
        ("the VaseVQA-3D dataset", "VaseVQA-3D", None, "dataset"),
        ("Cache-to-Cache (C2C)", "C2C", "Cache-to-Cache", "method"),
        ("we introduce IndicVisionBench", "IndicVisionBench", None, "benchmark"),
        ("\\textsc{FedFTRL}", "FedFTRL", None, "method"),
        ("we introduce A2ASecBench", "A2ASecBench", None, "benchmark"),
    ],
)  # fmt: skip
def test_names_of_the_seeds(words: str, name: str, expansion: str | None, kind: str) -> None:
    got = {n.name: (n.expansion, n.kind) for n in of_seed(words).names}
    assert got.get(name) == (expansion, kind)


def test_acronyms_and_links_of_the_seeds() -> None:
    short = {(a.short, a.long) for a in of_seed("agent-to-agent (A2A)").acronyms}
    assert ("A2A", "agent-to-agent") in short
    assert ("MAS", "Multi-agent system") in short
    got = of_seed("TEST-F4B1").links
    assert [(link.url, link.anonymous) for link in got] == [
        ("https://anonymous.4open.science/r/TEST-F4B1", True)
    ]
    assert {m.name: m.kind for m in of_seed("Mixtral-8$\\times$7B-Instruct").mentions} == {
        "OLMoE": "model",
        "Mixtral-8×7B-Instruct": "model",
    }


# ------------------------------------------------------------------ vocabulary and bad input


@pytest.mark.parametrize("content", ["[1, 2]", "datasets: A, B", "datasets: [", "a: 1\nb: 2"])
def test_a_broken_list_of_names_is_one_clear_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "names.yml"
    path.write_text(content, encoding="utf8")
    with pytest.raises(LoadError, match=r"names\.yml"):
        lexicon.read(path)
    with pytest.raises(LoadError, match=r"absent\.yml"):
        lexicon.read(tmp_path / "absent.yml")


def test_names_are_sorted_and_stand_once() -> None:
    content = yaml.safe_load(lexicon.FILE.read_text(encoding="utf8"))
    for section, listed in content.items():
        entries = [" ".join(entry.split()) for entry in listed.split(",")]
        assert entries == sorted(entries, key=lambda e: (e.casefold(), e)), section
        assert len(entries) == len(set(entries)), section


def test_no_name_has_two_kinds() -> None:
    for first, entries in lexicon.known_names().names.items():
        kinds = [entry.rest for entry in entries]
        assert len(kinds) == len(set(kinds)), f"{first}{kinds} stands in two sections"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB3 .,;:()[]{}$\\*_`-–'\"\n/@éαİß中"), max_size=300))
def test_any_text_gives_records(source: str) -> None:
    plain = text.to_plain(source)
    spans = spans_of(plain)
    got = names.find(plain, spans, ["method"] * len(spans))
    for mention in got.mentions:
        assert all(0 <= p.start < p.end <= len(plain.plain) for p in mention.places)
    for acronym in got.acronyms:
        assert acronym.short
        assert acronym.long


@pytest.mark.parametrize(
    "piece",
    [
        "A, ", "(A", "we propose a novel ", "a-", "**a**b ", "https://", "AB (", "x (AB) ", "A1-",
        "\\textbf{", "of a ", "We introduce ab cd, a model and Ab. ", "we propose “ab cd” ",
        "We present Ab Cd (Ef), ", "our ab, ab, ", "the ab ab, a b that we ", "X is a ",
    ],
)  # fmt: skip
def test_long_input_takes_linear_time(piece: str) -> None:
    whole = {count: text.to_plain(piece * count) for count in (1_000, 8_000)}

    def read(count: int) -> None:
        names.find(whole[count], [Span(0, len(whole[count].plain))], ["method"])

    assert timing.grows_linearly(read, 1_000, 8_000)


def test_a_score_behind_a_model_is_no_version_of_it() -> None:
    text = "We compare them: Mistral-7B 58.0%, GPT-4 86.4% and Llama 3 8B 61 points."
    assert {m.name for m in build.extract(text).mentions} >= {"Mistral-7B", "GPT-4", "Llama 3 8B"}
