"""Bias between two series of the same units, and whether group means order systems alike."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from metrics_app.stats.correlation import COEFFICIENTS
from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Values, exact_mean, is_constant, paired


def bland_altman(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return the mean difference of paired scores with Bland and Altman's limits of agreement.

    Parameters
    ----------
    x, y : sequence of float, length n
        Scores of the same units by two groups; incomplete pairs are left out and counted.
    confidence : float
        Coverage of the intervals; the limits themselves span 95 % of the differences.

    Returns
    -------
    Estimate
        ``value`` is the bias, mean(x - y), with its t interval; ``details`` has sd, lower_limit
        and upper_limit (bias -+ 1.96 sd) with ci_lower_limit and ci_upper_limit from the
        standard error sd sqrt(1 / n + 1.96^2 / (2 (n - 1))) of Bland and Altman (1999), and
        slope, by which the difference grows with the mean of the pair. Undefined with
        ``too_few_units`` for fewer than two pairs.
    """
    first, second, n_missing = paired(x, y)
    n = first.size
    if n < 2:
        return Estimate("bland_altman", NAN, undefined="too_few_units", n_missing=n_missing)
    differences = first - second
    bias = exact_mean(differences.tolist())
    sd = 0.0 if is_constant(differences) else float(differences.std(ddof=1))
    reach = float(special.stdtrit(n - 1, (1 + confidence) / 2))
    se, z = sd / math.sqrt(n), float(special.ndtri(0.975))
    se_limit = sd * math.sqrt(1 / n + z**2 / (2 * (n - 1)))
    low, high = bias - z * sd, bias + z * sd
    centres = (first + second) / 2
    flat = is_constant(centres)
    return Estimate(
        "bland_altman",
        bias,
        se=se,
        ci=(bias - reach * se, bias + reach * se),
        ci_method="t over pairs",
        confidence=confidence,
        method="mean of x - y; limits of agreement at 1.96 standard deviations",
        n_units=n,
        n_missing=n_missing,
        details={
            "sd": sd,
            "lower_limit": low,
            "upper_limit": high,
            "ci_lower_limit": (low - reach * se_limit, low + reach * se_limit),
            "ci_upper_limit": (high - reach * se_limit, high + reach * se_limit),
            "slope": NAN if flat else float(np.polyfit(centres, differences, 1)[0]),
        },
    )


def mean_agreement(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, Estimate]:
    """Return how alike two groups' means place the same systems.

    Parameters
    ----------
    first, second : mapping of system to mean
        Systems that only one of them has are left out and counted as missing.

    Returns
    -------
    dict of Estimate
        ``pearson``, ``spearman`` and ``kendall_tau_b`` of the means, and ``same_order``: the share
        of pairs of systems that both groups order alike, a tie agreeing with a tie only.
    """
    systems = list(dict.fromkeys([*first, *second]))
    x = [first.get(system) for system in systems]
    y = [second.get(system) for system in systems]
    found = {name: COEFFICIENTS[name](x, y) for name in ("pearson", "spearman", "kendall_tau_b")}
    return found | {"same_order": _same_order(x, y)}


def _same_order(x: Values, y: Values) -> Estimate:
    a, b, n_missing = paired(x, y)
    one, other = np.triu_indices(a.size, 1)
    facts: dict[str, Any] = {"n_units": a.size, "n_missing": n_missing}
    if not one.size:
        return Estimate("same_order", NAN, undefined="too_few_units", **facts)
    alike = np.sign(a[one] - a[other]) == np.sign(b[one] - b[other])
    method = "share of pairs of systems in the same order by both means"
    return Estimate("same_order", float(alike.mean()), method=method, **facts)
