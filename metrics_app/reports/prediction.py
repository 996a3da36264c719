"""Predicting people from several metrics: fitted, held to the unseen, and as published.

The evaluation of Conroy, Schlesinger and O'Leary (2011), Nouveau-ROUGE, for any set of metrics.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.groups import Groups, named_groups
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.rows.prediction import PredictionRow
from metrics_app.stats.correlation import pearson
from metrics_app.stats.metric_evaluation import (
    FITTED,
    SystemScores,
    bootstrap_evaluation,
    fit_metrics,
    half_split,
    metric_gap,
)
from metrics_app.stats.nouveau_rouge import PUBLISHED, NouveauRouge
from metrics_app.stats.results import as_plain

# What all draws together may take before they have to be asked for.
MOST_SECONDS = 3.0
_SECONDS_A_DRAW = 0.002
_INTERCEPT = "intercept"
# The reasons of single fits, where a unit is a system.
_REASONS = {"too_few_units": "too_few_systems"}


@dataclass(frozen=True, slots=True)
class Predictors:
    """Metrics that predict together.

    Attributes
    ----------
    names : tuple of str
    baseline : str
        The one that all together are held against.
    variant : str
        Of which ROUGE these are R(AB) and R(BB), in this order; empty for other metrics.
    """

    names: tuple[str, ...]
    baseline: str
    variant: str = ""


def prediction_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[PredictionRow]:
    """Yield the predictions of every ordered dimension, by group of judges.

    Rests on the metrics that the options name; where they name none, on every R(AB) with its R(BB).
    """
    sets = predictor_sets(evaluation, options)
    places = [
        (dimension, name, groups)
        for dimension in ordered_dimensions(evaluation)
        for name, groups in named_groups(evaluation)
    ]
    seconds = estimated_seconds(options.n_resamples)
    takes_long = seconds * len(sets) * len(places) > MOST_SECONDS
    waits = takes_long and not (options.predictors or options.takes_time)
    for predictors in sets:
        for dimension, name, groups in places:
            data, n_missing = system_scores(evaluation, dimension, groups, predictors.names)
            made = _Maker((dimension, name), predictors, data, n_missing)
            rng = stream(options.seed, "prediction", dimension, name, *predictors.names)
            yield from made.coefficients()
            yield from made.half_split(rng)
            yield from made.bootstrap(rng, options.n_resamples, seconds if waits else None)
            yield from made.gap()
            yield from made.published()


def estimated_seconds(n_resamples: int) -> float:
    """Return about how long the draws of one place take: measured, 2 s for 1,000."""
    return _SECONDS_A_DRAW * n_resamples


def predictor_sets(evaluation: Evaluation, options: ReportOptions) -> list[Predictors]:
    """Return the sets of metrics that predict.

    Raises
    ------
    ValueError
        If the options name a metric that has no scores here.
    """
    names = options.predictors
    if not names:
        return _known_pairs(evaluation.metrics)
    for name in names:
        if name not in evaluation.metrics:
            raise ValueError(
                f"There is no metric {name!r} to predict from; the metrics are "
                f"{', '.join(evaluation.metrics) or 'none'}."
            )
    pair = next((one for one in _known_pairs(names) if set(one.names) == set(names)), None)
    return [pair or Predictors(tuple(names), names[0])]


def _known_pairs(metrics: Sequence[str]) -> list[Predictors]:
    """Return R(AB) with R(BB) of each ROUGE that coefficients were published for."""
    by_name = {"".join(filter(str.isalnum, name)).lower(): name for name in metrics}
    pairs = []
    for variant in dict.fromkeys(variant for variant, _ in PUBLISHED):
        keys = [f"rouge{variant}{part}".lower() for part in ("ab", "bb")]
        if all(key in by_name for key in keys):
            earlier, own = (by_name[key] for key in keys)
            pairs.append(Predictors((earlier, own), own, variant))
    return pairs


def system_scores(
    evaluation: Evaluation, dimension: str, groups: Groups, metrics: Sequence[str]
) -> tuple[SystemScores, int]:
    """Return the systems' means over the outputs that have all scores, and how many have none."""
    human = evaluation.human_scores(dimension, groups)
    systems = evaluation.systems_by_name
    layers = np.stack([*(evaluation.metric_scores(name) for name in metrics), human])[:, systems]
    there = ~np.isnan(layers).any(axis=0)
    counts = there.sum(axis=1)
    known = counts > 0
    means = np.where(there, layers, 0).sum(axis=2)[:, known] / counts[known]
    machine = [evaluation.systems[place] not in evaluation.human_systems for place in systems]
    data = SystemScores.from_arrays(
        means[:-1].T, means[-1], metrics=metrics, is_machine=np.array(machine)[known]
    )
    return data, int((~known).sum())


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the rows of one dimension, group and set of metrics."""

    place: tuple[str, str]
    predictors: Predictors
    data: SystemScores
    n_missing: int

    def coefficients(self) -> Iterator[PredictionRow]:
        fit = fit_metrics(self.data)
        terms = (_INTERCEPT, *self.predictors.names)
        for place, term in enumerate(terms):
            yield self._row(
                "coefficient",
                term,
                value=as_plain(float(fit.coefficients[place])),
                se=as_plain(float(fit.se[place])),
                ci=fit.ci[place] if fit.ci else None,
                ci_method=f"t({fit.df})" if fit.ci else "",
                p=as_plain(float(fit.p[place])),
                undefined=fit.undefined,
                method=f"{fit.method}, over machine systems",
            )

    def half_split(self, rng: np.random.Generator) -> Iterator[PredictionRow]:
        if self._n_machines < 2:
            yield self._row("half_split", FITTED, undefined="too_few_systems")
            return
        found = half_split(self.data, rng=rng)
        yield self._row(
            "half_split",
            FITTED,
            value=as_plain(found.value),
            ci=found.ci,
            ci_method=found.ci_method,
            p=as_plain(found.p),
            undefined=found.undefined,
            method=found.method,
        )
        for name, value in found.details.get("single", {}).items():
            reason = None if np.isfinite(value) else "constant_input"
            yield self._row("half_split", name, value=as_plain(value), undefined=reason)

    def bootstrap(
        self, rng: np.random.Generator, n_resamples: int, waits: float | None
    ) -> Iterator[PredictionRow]:
        if self._n_machines < 2:
            yield self._row("bootstrap", FITTED, undefined="too_few_systems")
            return
        if waits is not None:
            details = {"estimated_seconds": waits}
            yield self._row("bootstrap", FITTED, undefined="on_request", details=details)
            return
        baseline = self.predictors.baseline
        found = bootstrap_evaluation(self.data, baseline=baseline, rng=rng, n_resamples=n_resamples)
        for term in (FITTED, *self.predictors.names):
            draws = found.correlations[term]
            yield self._row(
                "bootstrap",
                term,
                value=as_plain(found.medians[term]),
                ci=tuple(np.quantile(draws, [0.025, 0.975]).tolist()) if draws.size else None,
                ci_method="2.5 and 97.5 per cent of the draws" if draws.size else "",
                p=as_plain(found.p) if term == FITTED else None,
                n_resamples=found.n_draws,
                n_undefined=found.n_undefined,
                undefined=found.undefined,
                method=found.method,
                details={"u": as_plain(found.u)} if term == FITTED else {},
            )

    def gap(self) -> Iterator[PredictionRow]:
        found = metric_gap(self.data, baseline=self.predictors.baseline)
        reason = "no_human_systems" if self.data.is_machine.all() else found.undefined
        details = {
            "n_smaller": found.n_smaller,
            "n_compared": found.n_compared,
            "p_signed_rank": as_plain(found.p_signed_rank),
        }
        n_systems = int((~self.data.is_machine).sum())
        for term, value in ((FITTED, found.fitted), (self.predictors.baseline, found.baseline)):
            is_fitted = term == FITTED
            yield self._row(
                "gap",
                term,
                value=as_plain(value),
                n_systems=n_systems,
                p=as_plain(found.p) if is_fitted else None,
                undefined=reason,
                method=found.method,
                details=details if is_fitted and reason is None else {},
            )

    def published(self) -> Iterator[PredictionRow]:
        variant = self.predictors.variant
        earlier, own = self.data.scores[:, 0], self.data.scores[:, -1]
        for target in [target for name, target in PUBLISHED if name == variant]:
            term = f"Nouveau-ROUGE-{variant}, {target}"
            if np.any((self.data.scores < 0) | (self.data.scores > 1)):
                yield self._row("published", term, undefined="not_a_share")
                continue
            predicted = NouveauRouge(variant, target).predict(earlier, own)
            machine = self.data.is_machine
            found = pearson(predicted[machine], self.data.human[machine])
            yield self._row(
                "published",
                term,
                value=as_plain(found.value),
                ci=found.ci,
                ci_method=found.ci_method,
                p=as_plain(found.p),
                undefined=found.undefined,
                method="Pearson of the prediction with the published coefficients, machine systems",
                details={"coefficients": list(PUBLISHED[variant, target])},
            )

    @property
    def _n_machines(self) -> int:
        return int(self.data.is_machine.sum())

    def _row(self, part: str, term: str, **numbers: Any) -> PredictionRow:  # noqa: ANN401 -- fields of the row
        plain = {"value": None, "n_systems": self._n_machines, **numbers}
        reason = plain.pop("undefined", None)
        return PredictionRow(
            dimension=self.place[0],
            group=self.place[1],
            metrics=self.predictors.names,
            baseline=self.predictors.baseline,
            part=part,
            term=term,
            n_missing=self.n_missing,
            undefined=_REASONS.get(reason or "", reason),
            **plain,
        )
