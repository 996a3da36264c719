"""METEOR, with the stages that are chosen and named in the signature."""

from functools import partial

from metrics_app.metrics.contract import Batch, Metric, Score, Undefined
from metrics_app.metrics.meteor import Keys, align, meteor
from metrics_app.metrics.policies import over_references
from metrics_app.metrics.tokens import kept_tokens, stemmed
from metrics_app.metrics.wordnet import meanings

SYNONYMS = "exact+stem+synonym"


def _keys(metric: Metric) -> Keys:
    stages = metric.params["stages"]
    if stages == "exact":
        return lambda word: (word,)
    if stages == SYNONYMS:
        synsets = meanings(metric.params["wordnet"])
        return lambda word: ("stem:" + stemmed([word])[0], *synsets(word))
    # Equal words have equal stems, so the stem alone serves both stages.
    return lambda word: stemmed([word])


def _score(batch: Batch, metric: Metric) -> list[Score]:
    if metric.params["stages"] == SYNONYMS and not metric.params["wordnet"]:
        absent = Undefined("not_configured", "The synonym stage needs a WordNet folder.")
        return [absent] * len(batch)
    keys = _keys(metric)

    def pair(output: str, reference: str) -> Score:
        words, others = (kept_tokens(text, "unicode") for text in (output, reference))
        if not others:
            return Undefined("empty_reference")
        weights = {name: metric.params[name] for name in ("alpha", "beta", "gamma")}
        return meteor(align(words, others, keys), len(words), len(others), **weights)

    return [
        over_references(example.references, metric.policy, partial(pair, example.output))
        for example in batch
    ]


METRICS = (
    Metric(
        key="meteor",
        label="METEOR",
        family="meteor",
        score=_score,
        params={"stages": "exact+stem", "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "wordnet": ""},
        choices={"stages": ("exact", "exact+stem", SYNONYMS)},
        policy="best",
        policies=("best", "mean", "each"),
        libraries=("nltk",),
        cost=1.6e-3,
        source="Banerjee and Lavie 2005; parameters of Lavie and Agarwal 2007",
    ),
)
