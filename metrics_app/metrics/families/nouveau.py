"""Nouveau-ROUGE: an update's ROUGE against what was known (AB), what is asked (BB), and both."""

from collections.abc import Callable
from dataclasses import replace

from metrics_app.metrics.contract import Batch, Metric, Score, Undefined
from metrics_app.metrics.families import rouge
from metrics_app.stats.nouveau_rouge import PUBLISHED

SOURCE = "Conroy, Schlesinger and O'Leary 2011, Nouveau-ROUGE"
ROUGE = {metric.key: metric for metric in rouge.METRICS}
VARIANTS = tuple(dict.fromkeys(variant for variant, _ in PUBLISHED))
TARGETS = tuple(dict.fromkeys(target for _, target in PUBLISHED))


def _rouge(variant: str, metric: Metric) -> Metric:
    own = ROUGE[f"rouge{variant}"]
    params = {name: value for name, value in metric.params.items() if name in own.params}
    return replace(own, params={**own.params, **params}, policy=metric.policy)


def _against_prior(variant: str) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        own = _rouge(variant, metric)
        return own.score([replace(example, references=example.priors) for example in batch], own)

    return score


def _against_own(variant: str) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        own = _rouge(variant, metric)
        return own.score(batch, own)

    return score


def _predicted(variant: str) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        coefficients = metric.params["coefficients"] or PUBLISHED[variant, metric.params["target"]]
        prior, own = _against_prior(variant)(batch, metric), _against_own(variant)(batch, metric)
        pairs = zip(prior, own, strict=True)
        return [_predict(coefficients, ab, bb) for ab, bb in pairs]

    return score


def _predict(coefficients: tuple[float, float, float], ab: Score, bb: Score) -> Score:
    if isinstance(ab, Undefined):
        return ab
    if isinstance(bb, Undefined):
        return bb
    intercept, weight_ab, weight_bb = coefficients
    return intercept + weight_ab * ab + weight_bb * bb


def _metrics(variant: str) -> tuple[Metric, ...]:
    own = ROUGE[f"rouge{variant}"]
    # TAC's scores are recall with stems, averaged over the references by jackknife.
    part = replace(
        own,
        key=f"rouge{variant}_bb",
        label=f"R(BB), ROUGE-{variant}",
        family="nouveau",
        score=_against_own(variant),
        params={**own.params, "measure": "r"},
        policy="jackknife",
        policies=("jackknife", "best", "mean"),
        source=SOURCE,
    )
    prior = replace(
        part,
        key=f"rouge{variant}_ab",
        label=f"R(AB), ROUGE-{variant}",
        score=_against_prior(variant),
        direction="none",
        needs=("prior",),
    )
    predicted = replace(
        part,
        key=f"nouveau_rouge{variant}",
        label=f"Nouveau-ROUGE-{variant}",
        score=_predicted(variant),
        needs=("prior", "reference"),
        # Coefficients fitted on a study stand in for the published ones: (a0, a1, a2).
        params={**part.params, "target": TARGETS[0], "coefficients": None},
        choices={**part.choices, "target": TARGETS},
    )
    return part, prior, predicted


METRICS = tuple(metric for variant in VARIANTS for metric in _metrics(variant))
