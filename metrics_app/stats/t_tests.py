"""Student's and Welch's t tests, and the test of equivalence made of two of them."""

import math

from scipy import special

from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Values, present
from metrics_app.stats.tails import Alternative, require_alternative, t_p
from metrics_app.stats.two_samples import MeanDifference, Moments, TwoSamples


def t_test(
    samples: TwoSamples,
    *,
    equal_var: bool = False,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    unit: str = "",
) -> TestResult:
    """Return the t test of a difference of two means.

    Parameters
    ----------
    samples : TwoSamples
        ``TwoSamples.of(x, y)`` for independent samples, with ``are_paired=True`` for pairs.
    equal_var : bool
        Pool the variances (Student) instead of Welch's test; pairs need neither.
    alternative : {"two-sided", "greater", "less"}
        ``greater`` says that the mean of x is the larger.
    confidence : float
        Coverage of the interval of mean(x) - mean(y); one-sided tests have a one-sided one.

    Returns
    -------
    TestResult
        t with its degrees of freedom; ``details`` has difference and se. Undefined with
        ``too_few_units`` for a sample of one and ``no_variance`` where nothing varies and the
        means are equal; where nothing varies and they differ, t is infinite and p 0.
    """
    require_alternative(alternative)
    reason = samples.problem
    if reason:
        return TestResult("t_test", NAN, undefined=reason, unit=unit, n_missing=samples.n_missing)
    found = samples.mean_difference(equal_var=equal_var)
    reason = "no_variance" if math.isnan(found.t) else None
    n = samples.differences.n if samples.differences else samples.x.n + samples.y.n
    return TestResult(
        "t_test",
        found.t,
        df=(found.df,),
        p=NAN if reason else t_p(found.t, found.df, alternative),
        ci=None if reason else _interval(found, confidence, alternative),
        method=f"t test, {found.how}, {alternative}",
        unit=unit,
        group_means=(samples.x.mean, samples.y.mean),
        undefined=reason,
        n=n,
        n_missing=samples.n_missing,
        details={"difference": found.difference, "se": found.se},
    )


def one_sample_t_test(
    values: Values, *, mean: float = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return the t test of a sample's mean against a number; undefined as `t_test`."""
    sample, n_missing = present(values)
    shifted = Moments.of(sample - mean)
    pairs = TwoSamples(Moments.of(sample), Moments(sample.size, mean, 0.0), shifted, n_missing)
    return t_test(pairs, alternative=alternative)


def _interval(found: MeanDifference, confidence: float, alternative: str) -> tuple[float, float]:
    two_sided = alternative == "two-sided"
    share = (1 + confidence) / 2 if two_sided else confidence
    reach = float(special.stdtrit(found.df, share)) * found.se
    low = -math.inf if alternative == "less" else found.difference - reach
    high = math.inf if alternative == "greater" else found.difference + reach
    return low, high


def tost(
    samples: TwoSamples,
    bounds: tuple[float, float],
    *,
    equal_var: bool = False,
    alpha: float = 0.05,
    unit: str = "",
) -> TestResult:
    """Return the test of equivalence by two one-sided t tests (Schuirmann 1987).

    Parameters
    ----------
    samples : TwoSamples
        Independent samples or pairs.
    bounds : (low, high)
        Raw bounds of mean(x) - mean(y) within which the means count as equivalent, in the units
        of the scores (not in standard deviations).
    alpha : float
        Level; the interval has coverage 1 - 2 alpha, and lies within the bounds exactly where
        the test rejects.

    Returns
    -------
    TestResult
        ``p`` is the larger of the two one-sided p-values, ``value`` the t that goes with it;
        ``details`` has t_lower, t_upper, p_lower, p_upper and difference. Undefined as `t_test`.

    Raises
    ------
    ValueError
        When the bounds are not in order.
    """
    low, high = bounds
    if not low < high:
        raise ValueError(f"the lower bound {low} must be below the upper bound {high}")
    reason = samples.problem
    if reason:
        return TestResult("tost", NAN, undefined=reason, unit=unit, n_missing=samples.n_missing)
    found = samples.mean_difference(equal_var=equal_var)
    t_lower, t_upper = found.distance_to(low), found.distance_to(high)
    if math.isnan(t_lower) or math.isnan(t_upper):
        return TestResult("tost", NAN, undefined="no_variance", unit=unit)
    p_lower, p_upper = t_p(t_lower, found.df, "greater"), t_p(t_upper, found.df, "less")
    reach = float(special.stdtrit(found.df, 1 - alpha)) * found.se
    return TestResult(
        "tost",
        t_lower if p_lower > p_upper else t_upper,
        df=(found.df,),
        p=max(p_lower, p_upper),
        ci=(found.difference - reach, found.difference + reach),
        method=f"two one-sided t tests against raw bounds {low} and {high}, {found.how}; "
        f"interval of coverage {1 - 2 * alpha:g}",
        unit=unit,
        group_means=(samples.x.mean, samples.y.mean),
        n=samples.x.n + samples.y.n,
        n_missing=samples.n_missing,
        details={
            "t_lower": t_lower,
            "t_upper": t_upper,
            "p_lower": p_lower,
            "p_upper": p_upper,
            "difference": found.difference,
        },
    )
