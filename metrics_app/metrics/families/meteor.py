"""METEOR and METEOR 1.5, with the stages that are chosen and named in the signature."""

from collections.abc import Callable, Sequence
from functools import partial

from metrics_app.metrics.contract import Batch, Metric, Policy, Score, Undefined
from metrics_app.metrics.function_words import LISTS, NAME
from metrics_app.metrics.meteor import Keys, Worth, align, meteor, weighted_meteor
from metrics_app.metrics.policies import over_references
from metrics_app.metrics.tokens import kept_tokens, stemmed
from metrics_app.metrics.wordnet import meanings

SYNONYMS = "exact+stem+synonym"
STAGES = ("exact", "exact+stem", SYNONYMS)
POLICIES: tuple[Policy, ...] = ("best", "mean", "each")
# Two such texts take seconds; the search's memory grows with the square.
LONGEST_FOR_METEOR = 20_000

# Denkowski and Lavie 2014: the shape of the score, and the weights of the stages.
RANKING_ENGLISH = {
    "alpha": 0.85,
    "beta": 0.2,
    "gamma": 0.6,
    "delta": 0.75,
    "exact": 1.0,
    "stem": 0.6,
    "synonym": 0.8,
}
Words = Sequence[str]


def _keys(metric: Metric) -> Keys:
    stages = metric.params["stages"]
    if stages == "exact":
        return lambda word: (word,)
    if stages == SYNONYMS:
        synsets = meanings(metric.params["wordnet"])
        return lambda word: ("stem:" + stemmed([word])[0], *synsets(word))
    # Equal words have equal stems, so the stem alone serves both stages.
    return lambda word: stemmed([word])


def _scored(compare: Callable[[Words, Words, Metric, Keys], Score]) -> Callable[..., list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        if metric.params["stages"] == SYNONYMS and not metric.params["wordnet"]:
            absent = Undefined("not_configured", "The synonym stage needs a WordNet folder.")
            return [absent] * len(batch)
        keys = _keys(metric)

        def pair(output: str, reference: str) -> Score:
            words, others = (kept_tokens(text, "unicode") for text in (output, reference))
            longest = max(len(words), len(others))
            if longest > LONGEST_FOR_METEOR:
                detail = f"{longest} words; METEOR takes up to {LONGEST_FOR_METEOR}."
                return Undefined("too_long", detail)
            return compare(words, others, metric, keys) if others else Undefined("empty_reference")

        return [
            over_references(example.references, metric.policy, partial(pair, example.output))
            for example in batch
        ]

    return score


def _plain(words: Words, others: Words, metric: Metric, keys: Keys) -> Score:
    return meteor(align(words, others, keys), len(words), len(others), **_shape(metric))


def _weighted(words: Words, others: Words, metric: Metric, keys: Keys) -> Score:
    params = metric.params
    light, delta = LISTS[params["function_words"]], params["delta"]

    def weight(word: str) -> float:
        return float(1 - delta if word in light else delta)

    weights = (sum(map(weight, words)), sum(map(weight, others)))
    if not weights[1]:
        detail = f"Its words weigh nothing where delta is {delta:g}."
        return Undefined("empty_reference", detail)
    found = align(words, others, keys, _worth(metric, weight))
    return weighted_meteor(found, (len(words), len(others)), weights, **_shape(metric))


def _worth(metric: Metric, weight: Callable[[str], float]) -> Worth:
    exact, stem, synonym = (metric.params[stage] for stage in ("exact", "stem", "synonym"))

    def worth(word: str, other: str) -> tuple[float, float]:
        by_meaning_or_stem = stem if stemmed([word]) == stemmed([other]) else synonym
        share = exact if word == other else by_meaning_or_stem
        return share * weight(word), share * weight(other)

    return worth


def _shape(metric: Metric) -> dict[str, float]:
    return {name: metric.params[name] for name in ("alpha", "beta", "gamma")}


METRICS = (
    Metric(
        key="meteor",
        label="METEOR",
        family="meteor",
        score=_scored(_plain),
        params={"stages": "exact+stem", "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "wordnet": ""},
        choices={"stages": STAGES},
        policy="best",
        policies=POLICIES,
        libraries=("nltk",),
        cost=1.6e-3,
        source="Banerjee and Lavie 2005; parameters of Lavie and Agarwal 2007",
    ),
    Metric(
        key="meteor15",
        label="METEOR 1.5, without paraphrases",
        family="meteor",
        score=_scored(_weighted),
        params={
            "stages": "exact+stem",
            **RANKING_ENGLISH,
            "function_words": NAME,
            "wordnet": "",
        },
        choices={"stages": STAGES, "function_words": tuple(LISTS)},
        policy="best",
        policies=POLICIES,
        libraries=("nltk",),
        cost=2e-3,
        source="Denkowski and Lavie 2014, Meteor universal: English ranking parameters",
    ),
)
