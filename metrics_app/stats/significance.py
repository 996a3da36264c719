"""Is one metric's correlation with people higher than another's? Tests from the coefficients.

The two correlations share the human scores, so they depend on each other. r12 and r13 are those
of the two metrics with the people, r23 that between the metrics. Correlations enter with their
sign: turn a metric whose low values are good before you test it, or it looks worse than it is.
Resampling tests, which need no normal scores, are in `correlation_permutation`.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from metrics_app.stats.correlation import pearson
from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Values, as_sample
from metrics_app.stats.tails import Alternative, normal_p, require_alternative, t_p

SteigerVariant = Literal["pooled", "backtransformed", "unpooled"]


@dataclass(frozen=True, slots=True)
class DependentCorrelations:
    """Two correlations with one variable in common, and the one between the others.

    Attributes
    ----------
    r12, r13 : float
        Of the first and the second metric with the people.
    r23 : float
        Between the two metrics.
    n : int
        Units all three rest on.
    n_missing : int
        Units left out since one of the three series lacks them.
    """

    r12: float
    r13: float
    r23: float
    n: int
    n_missing: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that no three series can have."""
        for name in ("r12", "r13", "r23"):
            if abs(getattr(self, name)) > 1:
                raise ValueError(f"{name} is {getattr(self, name)}: it must lie from -1 to 1")
        if self.determinant < -1e-9:
            raise ValueError("no three series can have these correlations with each other")

    @classmethod
    def of(cls, human: Values, first: Values, second: Values) -> "DependentCorrelations":
        """Return Pearson's correlations of three series over their complete units."""
        series = [
            as_sample(values, name)
            for values, name in ((human, "human"), (first, "x"), (second, "y"))
        ]
        if len({one.size for one in series}) > 1:
            raise ValueError(f"the series have {[one.size for one in series]} values: not equal")
        kept = ~np.isnan(np.vstack(series)).any(axis=0)
        human, first, second = (one[kept] for one in series)
        pairs = ((human, first), (human, second), (first, second))
        r12, r13, r23 = (pearson(a, b).value for a, b in pairs)
        return cls(r12, r13, r23, int(kept.sum()), int((~kept).sum()))

    @property
    def determinant(self) -> float:
        """Determinant of the matrix of the three correlations."""
        r12, r13, r23 = self.r12, self.r13, self.r23
        return 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23

    @property
    def problem(self) -> str | None:
        """Reason code that holds for all three tests, or None."""
        if self.n <= 3:
            return "too_few_units"
        if math.isnan(self.r12 + self.r13 + self.r23):
            return "constant_input"
        # Two metrics that order everything alike cannot differ.
        return "no_difference" if abs(self.r23) == 1 and self.r12 == self.r13 else None


def williams_test(
    correlations: DependentCorrelations, *, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return Williams' (1959) t test of two dependent correlations, exact determinant form.

    ``greater`` says that r12 is the higher. t has n - 3 degrees of freedom. Undefined with
    ``too_few_units`` for n < 4, ``constant_input`` and ``no_difference`` (r23 = 1).
    """
    require_alternative(alternative)
    c = correlations
    reason = c.problem
    value, p = NAN, NAN
    if not reason:
        mean = (c.r12 + c.r13) / 2
        below = 2 * (c.n - 1) / (c.n - 3) * max(c.determinant, 0) + mean**2 * (1 - c.r23) ** 3
        above = (c.r12 - c.r13) * math.sqrt((c.n - 1) * (1 + c.r23))
        value = above / math.sqrt(below) if below else math.copysign(math.inf, above)
        p = t_p(value, c.n - 3, alternative)
    return _result("williams_test", c, value, p, f"Williams' t, {alternative}", reason)


def steiger_z(
    correlations: DependentCorrelations,
    *,
    variant: SteigerVariant = "pooled",
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Return the z test of two dependent correlations by Fisher's transform.

    Parameters
    ----------
    variant : {"pooled", "backtransformed", "unpooled"}
        What stands for both correlations in their covariance: their mean (Steiger 1980), the
        back-transformed mean of their z (Hittner, May and Silver 2003), or each its own
        (Dunn and Clark 1969).

    Returns
    -------
    TestResult
        Undefined as `williams_test`, and with ``not_identified`` where a correlation is +-1.
    """
    require_alternative(alternative)
    if variant not in get_args(SteigerVariant):
        raise ValueError(f"variant must be one of {get_args(SteigerVariant)}, not {variant!r}")
    c = correlations
    reason = c.problem or _transform_problem(c)
    value, p = NAN, NAN
    if not reason:
        a, b = _standing_for(c, variant)
        shared = c.r23 * (1 - a**2 - b**2) - a * b / 2 * (1 - a**2 - b**2 - c.r23**2)
        covariance = shared / ((1 - a**2) * (1 - b**2))
        surplus = math.atanh(c.r12) - math.atanh(c.r13)
        value = surplus * math.sqrt((c.n - 3) / (2 - 2 * covariance))
        p = normal_p(value, alternative)
    return _result("steiger_z", c, value, p, f"Steiger's z ({variant}), {alternative}", reason)


def meng_z(
    correlations: DependentCorrelations, *, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return the z test of Meng, Rosenthal and Rubin (1992); undefined as `steiger_z`.

    ``ci`` is their 95 % interval of the difference of the Fisher-transformed correlations.
    """
    require_alternative(alternative)
    c = correlations
    reason = c.problem or _transform_problem(c)
    value, p, ci = NAN, NAN, None
    if not reason:
        squares = (c.r12**2 + c.r13**2) / 2
        f = min(1.0, (1 - c.r23) / (2 * (1 - squares)))
        spread = math.sqrt(2 * (1 - c.r23) * (1 - f * squares) / (1 - squares) / (c.n - 3))
        surplus = math.atanh(c.r12) - math.atanh(c.r13)
        value = surplus / spread
        p = normal_p(value, alternative)
        ci = (surplus - 1.959963984540054 * spread, surplus + 1.959963984540054 * spread)
    return replace(_result("meng_z", c, value, p, f"Meng's z, {alternative}", reason), ci=ci)


def _standing_for(c: DependentCorrelations, variant: str) -> tuple[float, float]:
    if variant == "pooled":
        return (c.r12 + c.r13) / 2, (c.r12 + c.r13) / 2
    if variant == "backtransformed":
        mean = math.tanh((math.atanh(c.r12) + math.atanh(c.r13)) / 2)
        return mean, mean
    return c.r12, c.r13


def _transform_problem(c: DependentCorrelations) -> str | None:
    return "not_identified" if max(abs(c.r12), abs(c.r13), abs(c.r23)) == 1 else None


def _result(
    name: str,
    c: DependentCorrelations,
    value: float,
    p: float,
    method: str,
    reason: str | None,
) -> TestResult:
    return TestResult(
        name,
        value,
        df=(c.n - 3.0,) if name == "williams_test" else (),
        p=p,
        method=method,
        undefined=reason,
        n=c.n,
        n_missing=c.n_missing,
        details={"r12": c.r12, "r13": c.r13, "r23": c.r23},
    )
