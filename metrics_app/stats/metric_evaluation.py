"""How well fitted metrics predict people: half split, bootstrap of systems, gap on human texts.

The evaluation of Conroy, Schlesinger and O'Leary (2011), offered for any set of metrics. Fits and
correlations use the machine systems only; the gap is taken on texts that people wrote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.correlation import pearson
from metrics_app.stats.linear_fit import Fit, as_rows
from metrics_app.stats.regression import Psi, robust_regression
from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats
from metrics_app.stats.signed_rank import sign_test, wilcoxon_signed_rank

FITTED = "fitted"


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Mean scores of systems: several metrics and one human score.

    Attributes
    ----------
    metrics : tuple of str
        Names of the columns of ``scores``.
    scores : numpy.ndarray, shape (n_systems, n_metrics)
    human : numpy.ndarray, shape (n_systems,)
    is_machine : numpy.ndarray of bool, shape (n_systems,)
        False for systems whose texts people wrote.
    """

    metrics: tuple[str, ...]
    scores: Floats
    human: Floats
    is_machine: npt.NDArray[np.bool_]

    @classmethod
    def from_arrays(
        cls,
        scores: npt.ArrayLike,
        human: npt.ArrayLike,
        *,
        metrics: Sequence[str] | None = None,
        is_machine: npt.ArrayLike | None = None,
    ) -> "SystemScores":
        """Build the table; all systems are machines unless said otherwise.

        Raises
        ------
        ValueError
            If lengths differ, or a score is missing or infinite: such a system cannot be
            predicted and is the caller's to leave out.
        """
        rows, judged = as_rows(scores), np.asarray(human, dtype=np.float64)
        machine = np.ones(len(judged), bool) if is_machine is None else np.asarray(is_machine, bool)
        names = tuple(metrics or (f"metric {n + 1}" for n in range(rows.shape[1])))
        if not len(rows) == len(judged) == len(machine):
            raise ValueError(
                f"lengths differ: {len(rows)} rows of metrics, {len(judged)} human scores, "
                f"{len(machine)} kinds of system"
            )
        if len(names) != rows.shape[1]:
            raise ValueError(f"{len(names)} names for {rows.shape[1]} metrics")
        if not (np.isfinite(rows).all() and np.isfinite(judged).all()):
            raise ValueError("a score is missing or infinite; leave that system out")
        return cls(names, rows, judged, machine)

    def machines(self) -> tuple[Floats, Floats]:
        """Return metric scores and human scores of the machine systems."""
        return self.scores[self.is_machine], self.human[self.is_machine]

    def column(self, metric: str) -> int:
        """Return the place of a metric."""
        if metric not in self.metrics:
            raise ValueError(f"there is no metric {metric!r}, only {', '.join(self.metrics)}")
        return self.metrics.index(metric)


def fit_metrics(data: SystemScores, *, psi: Psi = "huber") -> Fit:
    """Fit the human score of the machine systems on all metrics by robust regression."""
    return robust_regression(*data.machines(), psi=psi)


def half_split(data: SystemScores, *, rng: np.random.Generator, psi: Psi = "huber") -> Estimate:
    """Fit on a random half of the machine systems and correlate on the other half (Pearson).

    Returns
    -------
    Estimate
        Details ``single``: metric to its own Pearson correlation on the same held-back half.
        Undefined where the fit or the correlation is.
    """
    scores, human = data.machines()
    order = rng.permutation(len(human))
    fitted, held = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
    fit = robust_regression(scores[fitted], human[fitted], psi=psi)
    method = f"{fit.method}, fitted on {len(fitted)} machine systems, Pearson on {len(held)} others"
    if fit.undefined:
        return Estimate("half_split", NAN, undefined=fit.undefined, method=method)
    found = pearson(fit.predict(scores[held]), human[held])
    single = {
        name: pearson(scores[held, column], human[held]).value
        for column, name in enumerate(data.metrics)
    }
    return Estimate(
        "half_split",
        found.value,
        ci=found.ci,
        ci_method=found.ci_method,
        p=found.p,
        method=method,
        undefined=found.undefined,
        n_units=len(held),
        details={"single": single},
    )


@dataclass(frozen=True, slots=True)
class BootstrapEvaluation:
    """Correlations with people over bootstrap draws of the machine systems.

    Attributes
    ----------
    medians : mapping
        Metric, and ``fitted``, to the median Pearson correlation over the defined draws.
    correlations : mapping
        The same to all correlations, shape (n_defined,).
    u, p : float
        Mann-Whitney test (two-sided, normal, continuity-corrected) of the fitted metric's
        correlations against those of the baseline; U counts for the fitted metric.
    n_draws, n_undefined : int
        Draws made, and left out because a fit or a correlation was undefined in them.
    undefined : str or None
        ``not_identified`` where no draw was defined.
    """

    medians: Mapping[str, float]
    correlations: Mapping[str, Floats]
    u: float
    p: float
    n_draws: int
    n_undefined: int
    method: str
    undefined: str | None = None


def bootstrap_evaluation(
    data: SystemScores,
    *,
    baseline: str,
    rng: np.random.Generator,
    n_resamples: int = 1000,
    psi: Psi = "huber",
) -> BootstrapEvaluation:
    """Draw systems with replacement, fit on half of each draw, correlate on the other half.

    Parameters
    ----------
    data : SystemScores
    baseline : str
        The metric whose correlations are compared with those of the fitted one (R(BB)).
    rng : numpy.random.Generator
    n_resamples : int
        Number of draws.
    psi : {"huber", "bisquare"}

    Notes
    -----
    Draws are not independent studies: as in the paper, p says how clearly the two distributions
    of resampled correlations differ, not how surely the fitted metric is better.
    """
    compared = data.column(baseline)
    scores, human = data.machines()
    if len(human) < 2:
        raise ValueError(
            f"a bootstrap of systems needs two machine systems; there are {len(human)}"
        )
    draws = rng.integers(len(human), size=(n_resamples, len(human)))
    rows = np.array([_correlate_draw(scores[draw], human[draw], psi) for draw in draws])
    defined = rows[~np.isnan(rows).any(axis=1)]
    names = (*data.metrics, FITTED)
    if not len(defined):
        u, p, medians = NAN, NAN, np.full(len(names), NAN)
    else:
        u, p = stats.mannwhitneyu(defined[:, -1], defined[:, compared], method="asymptotic")
        medians = np.median(defined, axis=0)
    return BootstrapEvaluation(
        medians=dict(zip(names, medians.tolist(), strict=True)),
        correlations=dict(zip(names, defined.T, strict=True)),
        u=float(u),
        p=float(p),
        n_draws=n_resamples,
        n_undefined=n_resamples - len(defined),
        method=f"robust regression ({psi}), {n_resamples} draws of {len(human)} machine systems "
        "with replacement, half to fit and half to test, Pearson",
        undefined=None if len(defined) else "not_identified",
    )


def _correlate_draw(scores: Floats, human: Floats, psi: Psi) -> Floats:
    """Return correlations of each metric and of the fitted one on the tested half, last."""
    half = len(human) // 2
    fit = robust_regression(scores[:half], human[:half], psi=psi)
    if fit.undefined:
        return np.full(scores.shape[1] + 1, NAN)
    tested = np.column_stack([scores[half:], fit.predict(scores[half:])])
    return np.array([pearson(column, human[half:]).value for column in tested.T])


@dataclass(frozen=True, slots=True)
class MetricGap:
    """Distance between predicted and observed human scores of texts that people wrote.

    Attributes
    ----------
    fitted, baseline : float
        Median gap |prediction - observed| of all metrics together and of the baseline alone.
    fitted_gaps, baseline_gaps : numpy.ndarray, shape (n_human_systems,)
    n_smaller, n_compared : int
        Pairs in which the fitted gap is smaller, of those that differ.
    p : float
        Sign test of the paired gaps, exact and two-sided; NaN where no pair differs.
    p_signed_rank : float
        Wilcoxon's signed-rank test of the same, which also looks at the sizes.
    """

    fitted: float
    baseline: float
    fitted_gaps: Floats
    baseline_gaps: Floats
    n_smaller: int
    n_compared: int
    p: float
    p_signed_rank: float
    method: str
    undefined: str | None = None


def metric_gap(data: SystemScores, *, baseline: str, psi: Psi = "huber") -> MetricGap:
    """Compare the gap of all metrics with that of one, each fitted on the machine systems.

    The baseline has a one-metric robust fit of its own. Undefined where a fit is, or
    ``too_few_units`` without a human-written system.
    """
    column = [data.column(baseline)]
    scores, human = data.machines()
    fits = [
        robust_regression(scores, human, psi=psi),
        robust_regression(scores[:, column], human, psi=psi),
    ]
    method = f"{fits[0].method}; gap on human-written systems, baseline {baseline}, sign test"
    reasons = [fit.undefined for fit in fits] + ["too_few_units" if data.is_machine.all() else None]
    if reason := next(filter(None, reasons), None):
        nothing = np.empty(0)
        return MetricGap(NAN, NAN, nothing, nothing, 0, 0, NAN, NAN, method, reason)
    people, observed = data.scores[~data.is_machine], data.human[~data.is_machine]
    both = np.abs(fits[0].predict(people) - observed)
    alone = np.abs(fits[1].predict(people[:, column]) - observed)
    n_smaller, n_compared = int((both < alone).sum()), int((both != alone).sum())
    tests = sign_test(both, alone).p, wilcoxon_signed_rank(both, alone).p
    medians = float(np.median(both)), float(np.median(alone))
    return MetricGap(*medians, both, alone, n_smaller, n_compared, *tests, method)
