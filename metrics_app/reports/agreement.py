"""Agreement of the judges: every coefficient, over all units and per batch and system."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import AgreementRow
from metrics_app.reports.estimated import estimate_row
from metrics_app.stats import agreement
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.coefficients import Coefficient
from metrics_app.stats.pairwise import cohen_kappa, cross_kappa
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Measurement
from metrics_app.stats.scopes import UndefinedRule, mean_over
from metrics_app.stats.tables import RatingTable

Place = tuple[str, str]
MEASUREMENTS: tuple[Measurement, ...] = ("nominal", "ordinal", "interval")
# Pairs of a person and a language model.
ACROSS = "people_and_models"
_WEIGHTS = ("unweighted", "linear", "quadratic")
RULES: tuple[UndefinedRule, ...] = ("one", "leave_out")


def _observed_gwet(table: RatingTable) -> Estimate:
    return agreement.gwet_ac(table.with_observed_scale())


def _by_cell() -> list[Coefficient]:
    """Return the coefficients that published tables average over batches and systems."""
    plain = [
        ("percent_agreement", agreement.percent_agreement),
        ("cohen_kappa", cohen_kappa),
        ("fleiss_kappa", agreement.fleiss_kappa),
        ("gwet_ac", agreement.gwet_ac),
    ]
    alphas = [
        Coefficient(
            "krippendorff_alpha",
            {"measurement": level},
            partial(agreement.krippendorff_alpha, measurement=level),
        )
        for level in MEASUREMENTS
    ]
    observed = {"weights": "unweighted", "categories": "observed"}
    return [
        *[Coefficient(name, {"weights": "unweighted"}, function) for name, function in plain],
        Coefficient("gwet_ac", observed, _observed_gwet),
        *alphas,
    ]


def agreement_rows(
    table: RatingTable, *, place: Place, rng: np.random.Generator, n_resamples: int
) -> Iterator[AgreementRow]:
    """Yield every coefficient of one dimension and group of judges.

    Parameters
    ----------
    place : tuple of str
        Dimension and group.
    rng : numpy.random.Generator
        Source of the resamples behind the intervals.
    n_resamples : int
        Their number.
    """
    for result in agreement_report(table, rng=rng, n_resamples=n_resamples):
        yield _row(place, "pooled", result)
    if not has_batches(table):
        return
    for coefficient in _by_cell():
        for rule in RULES:
            result = mean_over(table, coefficient.estimate, undefined_rule=rule)
            options = {**coefficient.options, "rule": rule}
            yield _row(place, "batch_system_mean", result, options)


def people_and_model_rows(evaluation: Evaluation) -> Iterator[AgreementRow]:
    """Yield the mean kappa of pairs of a person and a language model, by group of models."""
    people = [group for group in evaluation.groups if group not in evaluation.model_groups]
    for dimension in evaluation.dimensions:
        for group in evaluation.model_groups if people else ():
            if group not in evaluation.groups:
                continue
            judging = evaluation.select(dimension, [group]).judge.used().keys
            table = evaluation.rating_table(dimension, [*people, group])
            for weights in _WEIGHTS[: 1 if table.scale.measurement == "nominal" else None]:
                result = cross_kappa(table, judging, weights=weights)
                yield _row((dimension, group), ACROSS, result, {"weights": weights})


def has_batches(table: RatingTable) -> bool:
    """Return whether the items were judged in fixed batches."""
    return table.batch is not None and any(table.batch != "")


def _row(
    place: Place, scope: str, result: Estimate, options: Mapping[str, Any] | None = None
) -> AgreementRow:
    dimension, group = place
    return estimate_row(
        AgreementRow, result, options=options, dimension=dimension, group=group, scope=scope
    )
