"""The words by which the room of measurements reads a sentence.

In: nothing. Out: sets of lower-case words, and `word_class`, which sorts a word into one of
a few classes. Small closed lists, not a tagger: what is in no list counts as part of a noun
phrase.
"""

from __future__ import annotations

from typing import Final

DETERMINERS: Final = frozenset(
    "the a an its their our his her this that these those each every any some all both such "
    "no another various several many most other one's".split()
)
PREPOSITIONS: Final = frozenset(
    "of in on at by for from to with without within over under above below across against "
    "between among through during via per than versus vs as into onto upon after before until "
    "since despite using while when where whereas whose which who that if because although "
    "compared behind respectively up out down off beyond towards toward along about around given "
    "due whether how what why thereby thus then unlike like except including involving spanning "
    "covering averaged together depending following based".split()
)
CONJUNCTIONS: Final = frozenset("and or but nor plus yet so and/or".split())
AUXILIARIES: Final = frozenset(
    "is are was were be been being has have had can could may might must will would shall "
    "should do does did not also still even we it they he she i you there".split()
)
PRONOUNS: Final = frozenset("we it they he i she you there".split())
ADVERBS: Final = frozenset(
    "on-average just merely nearly almost roughly approximately ever very much far well "
    "further rather instead furthermore moreover however notably remarkably specifically "
    "only often always".split()
)

_VERBS: Final = (
    "achieve attain obtain reach yield deliver provide offer demonstrate exhibit improve "
    "enhance reduce decrease raise lower boost outperform surpass exceed beat bring give "
    "accelerate require evaluate compare contain comprise include cover consist collect construct "
    "introduce propose present find observe report reveal maintain retain keep preserve recover "
    "enable allow lead cause make take explain remain stay fall rise grow decline collapse "
    "degrade deteriorate climb jump narrow widen shrink compress save consume operate generate "
    "remove solve detect identify succeed fail converge perform support suffer leverage "
    "create build curate annotate gather establish validate indicate suggest show encompass "
    "feature accept incur add double triple halve quadruple cut lift win hit gain drop "
    "increase lose trail rank employ apply pretrain fine-tune finetune train select finish "
    "complete match score benchmark confirm highlight amplify minimize maximize mitigate speed "
    "run use see set receive produce update analyze analyse extract bound converge shorten "
    "conduct release simulate simplify become satisfy capture serve test study explore "
    "facilitate eliminate avoid prune speed-up incorporate integrate scale advance "
    "experience get gets require need decay follow move change vary shift lag tie equal suffice "
    "come go begin prefer judge reject misclassify defeat reproduce process classify predict "
    "recognize retrieve translate rely lie hold cost behave vote differ answer settle double "
    "differ plateau saturate stagnate fluctuate average total"
).split()
_IRREGULAR: Final = (
    "found brought gave given led made took taken kept grew grown fell fallen rose risen shrank "
    "shrunk built cut won lost saw shown showed ran hit became used spent held bounded "
    "fine-tuned finetuned finetuning fine-tuning outperforming came went began "
    "preferred"
).split()
# Forms that abstracts use as nouns or adjectives at least as often as verbs.
_NOUNS_TOO: Final = frozenset(
    "training learning increase increases decrease decreases drop drops gain gains cut cuts "
    "lift lifts score scores scoring rank ranks ranking run runs running use uses set sets "
    "setting test tests testing study studies scale scales scaling speed speeds benchmark "
    "benchmarks benchmarking feature features support supports release releases win wins hit "
    "hits update updates bound bounds extract cover covers building report reports fall falls "
    "rise rises decline declines experience experiences advance advances present double "
    "triple lower compressed pruning collapse accelerated trained pretrained fine-tuned "
    "finetuned fine-tuning pretraining tested generated annotated curated selected improved "
    "reduced enhanced scaled simulated unified capture captures trail trails given find "
    "pretrain train bounded sees integrated jump jumps explained compressing ranked matching "
    "boost boosts updated applied observed reported proposed tests boosting rising growing "
    "winning falling declining feature complete evaluation change changes changed shift shifts "
    "move moves tie ties cost costs process processes processed answer answers total totals "
    "average averages averaged equal reject lie lies hold vote votes plateau averaging "
    "bounding costing totaled classified predicted learned following follow gain gains "
    "voting".split()
)


def _forms(verb: str) -> list[str]:
    stem = verb[:-1] if verb.endswith("e") else verb
    third = verb + ("es" if verb.endswith(("ch", "sh", "ss", "x")) else "s")
    if verb.endswith("y") and verb[-2] not in "aeou":
        third, stem_ed = verb[:-1] + "ies", verb[:-1] + "i"
    else:
        stem_ed = stem
    return [
        verb,
        third,
        stem_ed + "ed",
        stem + "ing",
        stem + stem[-1] + "ing",
        stem + stem[-1] + "ed",
    ]


VERBS: Final = frozenset(f for v in _VERBS for f in _forms(v)) | frozenset(_IRREGULAR)
_PLAIN_VERBS: Final = (VERBS - _NOUNS_TOO) | {"found", "used", "explained", "shown", "add"}

# What goes up or down, as verb stems. The number is +1 or -1.
_UP: Final = (
    "improve enhance increase raise boost lift gain rise grow climb jump outperform surpass exceed "
    "beat accelerate add amplify advance widen incur elevate strengthen augment expand"
).split()
_DOWN: Final = (
    "reduce decrease lower cut drop fall decline collapse degrade deteriorate shrink save narrow "
    "lose compress trail minimize mitigate shorten diminish worsen suppress underperform slash "
    "eliminate plummet plunge prune lessen trim"
).split()
_DIRECTED_IRREGULAR: Final = {
    "rose": 1, "risen": 1, "grew": 1, "grown": 1, "fell": -1, "fallen": -1, "shrank": -1,
    "shrunk": -1, "lost": -1, "cut": -1, "beaten": 1, "speeds": 1, "speeding": 1,
}  # fmt: skip
CHANGE_VERBS: Final[dict[str, int]] = {
    **{f: 1 for v in _UP for f in _forms(v)},
    **{f: -1 for v in _DOWN for f in _forms(v)},
    **_DIRECTED_IRREGULAR,
}
# Verbs whose object is what is beaten, not what is measured.
BEATING: Final = frozenset(
    f for v in "outperform surpass exceed beat underperform trail".split() for f in _forms(v)
) | {"beaten"}
# Verbs of change that tell no direction: "depth moves by under 0.7".
NEUTRAL_VERBS: Final = frozenset(
    f for v in "change move vary shift differ".split() for f in _forms(v)
)
CHANGE_NOUNS: Final[dict[str, int]] = {
    **dict.fromkeys(
        "improvement improvements gain gains increase increases boost boosts rise uplift lift "
        "jump growth speedup speedups speed-up speed-ups overhead overheads acceleration "
        "margin margins enhancement enhancements advantage increment increments advance "
        "surge".split(),
        1,
    ),
    **dict.fromkeys(
        "reduction reductions decrease decreases drop drops degradation degradations decline "
        "declines saving savings deterioration cut cuts loss losses fall shrinkage "
        "slowdown".split(),
        -1,
    ),
}
# Nouns of change that name what is measured when nothing else does.
OWN_METRIC: Final = frozenset(
    "speedup speedups speed-up speed-ups overhead overheads acceleration slowdown".split()
)
COMPARATIVES: Final[dict[str, int]] = {
    **dict.fromkeys(
        "higher better more faster greater larger stronger longer bigger quicker increased "
        "improved".split(),
        1,
    ),
    **dict.fromkeys(
        "lower fewer less lesser smaller cheaper worse shorter reduced decreased poorer".split(), -1
    ),
    "slower": 1,
}
# A value of these is better the smaller it is, so that "improves" lowers it.
LOWER_IS_BETTER: Final = frozenset(
    "error errors loss losses mse mae rmse wer cer fid perplexity latency time runtime memory "
    "cost costs regret eer ece hallucination hallucinations flops complexity bias overhead "
    "mase crps fvd kid lpips mape nll distortion variance footprint delay divergence violation "
    "violations".split()
)
METRIC_HEADS: Final = frozenset(
    "accuracy accuracies acc precision recall f1 f-score f-measure score scores rate rates "
    "error errors loss perplexity ppl bleu rouge rouge-l rouge-1 rouge-2 meteor cider spice "
    "fid kid fvd psnr ssim lpips map iou miou auc auroc auprc aucpr roc-auc wer cer mse mae "
    "rmse mape latency throughput time times memory cost costs performance success reward "
    "rewards return returns regret ratio ratios speed speedup similarity correlation eer ece "
    "dice ndcg mrr r2 elo quality coverage efficiency variance helpfulness harmlessness "
    "faithfulness fidelity consistency robustness sensitivity specificity agreement gap kappa "
    "entropy likelihood bias fairness diversity alignment confidence frequency power energy "
    "consumption footprint length depth width height size loss distance deviation temperature "
    "rank value values level levels probability completeness correctness utilization toxicity "
    "sparsity compression parity runtime overhead pcc plcc srcc spearman pearson nmi ari cka "
    "cos convergence pass@1 pass@k em rating ratings bits bpp nll mcc asr winrate win-rate "
    "modularity success-rate complexity p ap resolution match iou hota mota ade fde vmaf epe "
    "jga".split()
)
# "5% of these" is an amount of something; of anything measured it is a level.
MODEL_LIKE: Final = frozenset(
    "model models llm llms vlm vlms lm lms mllm mllms slm slms lvlm lvlms network networks "
    "encoder decoder transformer transformers teacher student students checkpoint checkpoints "
    "backbone variant variants policy agent agents architecture architectures baseline scale "
    "scales size sizes counterpart counterparts moe parameter params param range regime "
    "version generator foundation base instruct chat".split()
)
MACHINES: Final = frozenset(
    "gpu gpus cpu cpus tpu tpus device devices machine machines phone laptop core cores nfes "
    "steps".split()
)
MODELS_OF_MACHINES: Final = frozenset(
    "titan jetson nvidia rtx v100 a100 h100 k40 geforce tesla raspberry pixel iphone xeon".split()
)
CONTAINERS: Final = frozenset(
    "contain contains containing comprise comprises comprising comprised include includes "
    "including consist consists consisting cover covers covering span spans spanning "
    "encompass encompasses encompassing feature features featuring collect collecting "
    "collected has have provides provide provided offers totaling totalling spanned hold "
    "holds holding aggregates aggregating".split()
)
COLLECTIONS: Final = frozenset(
    "dataset datasets benchmark benchmarks corpus corpora collection suite testbed set "
    "database resource repository".split()
)
# Of what a share is kept: "96% of the original speed".
WHOLE: Final = frozenset(
    "original baseline teacher dense uncompressed unpruned full-precision fp16 full-cache".split()
)
# Nouns that are counted after a hyphen: "a 12-layer model", "a 4000-sample subset".
HYPHEN_NOUNS: Final = frozenset(
    "bit bits layer parameter param sample token class category task frame image hour day "
    "year minute second month week page word gpu node epoch question domain language type "
    "head expert player qubit channel dimension iteration point item subject participant "
    "example agent object sentence character neuron block species document step round turn "
    "billion million kilometer meter metre inch mile member person people state".split()
)
NUMBER_WORDS: Final[dict[str, float]] = {
    w: float(n)
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "hundred": 100.0, "thousand": 1000.0}


def _classes() -> dict[str, str]:
    table: dict[str, str] = {}
    for words, name in (
        (_PLAIN_VERBS, "V"),
        (ADVERBS, "R"),
        (AUXILIARIES, "V"),
        (CONJUNCTIONS, "C"),
        (DETERMINERS, "D"),
        (PREPOSITIONS, "P"),
    ):
        table.update(dict.fromkeys(words, name))
    return table


_CLASS: Final = _classes()


def word_class(word: str) -> str:
    """`D`eterminer, `P`reposition, `C`onjunction, `V`erb, adve`R`b, or `N` for the rest.

    `word` in lower case. Participles that nouns are described by count as `N`.
    """
    known = _CLASS.get(word)
    if known is not None:
        return known
    return "R" if word.endswith("ly") and len(word) > 4 and "-" not in word else "N"
