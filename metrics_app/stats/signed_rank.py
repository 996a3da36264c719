"""Tests of paired differences that look at signs and ranks only."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import stats

from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Floats, Values, paired, present
from metrics_app.stats.tails import (
    Alternative,
    NullDistribution,
    as_method,
    require_alternative,
    signed_sums,
)

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

_EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Signed ranks: the ranks that a sign moves, the sum with plus, and the null variance."""

    moving: Floats
    w_plus: float
    w_minus: float
    variance: float


def wilcoxon_signed_rank(
    x: Values,
    y: Values | None = None,
    *,
    zero_method: ZeroMethod = "wilcox",
    alternative: Alternative = "two-sided",
    method: str = "auto",
    continuity: bool = False,
) -> TestResult:
    """Return Wilcoxon's signed-rank test of paired differences.

    Parameters
    ----------
    x, y : values
        Pairs; or x alone, the differences. Incomplete pairs are left out and counted.
    zero_method : {"wilcox", "pratt", "zsplit"}
        ``wilcox`` drops zero differences, ``pratt`` ranks them and then drops their ranks,
        ``zsplit`` gives half of their ranks to either side.
    alternative : {"two-sided", "greater", "less"}
        ``greater`` says that differences tend to be above zero.
    method : {"auto", "exact", "normal approximation"}
        Exact enumerates all signs of the observed ranks, ties included; ``auto`` does so for up
        to 50 differences that are not zero.
    continuity : bool
        Half a step towards the mean, in the normal approximation.

    Returns
    -------
    TestResult
        W plus, the rank sum of positive differences; ``details`` has w_minus, n_zero and, for the
        normal approximation, z. ``effects`` has rank_biserial = (W+ - W-) / (W+ + W-). Undefined
        where every difference is zero (``no_difference``) or none is there (``too_few_units``).
    """
    require_alternative(alternative)
    method = as_method(method)
    if zero_method not in get_args(ZeroMethod):
        raise ValueError(f"zero_method must be wilcox, pratt or zsplit, not {zero_method!r}")
    differences, n_missing = _differences(x, y)
    if not differences.any():
        reason = "no_difference" if differences.size else "too_few_units"
        return _no_test("wilcoxon_signed_rank", reason, differences.size, n_missing)
    ranked = _rank(differences, zero_method)
    if method == "auto":
        method = "exact" if ranked.moving.size <= _EXACT_UP_TO else "normal approximation"
    surplus = (ranked.w_plus - ranked.w_minus) / 2
    n_zero = differences.size - ranked.moving.size
    null = NullDistribution(alternative, continuity)
    if method == "exact":
        # Half the zeros' ranks sit on either side whatever the signs; only the others move.
        moved = surplus + ranked.moving.sum() / 2
        p, facts, how = null.exact(signed_sums(ranked.moving), moved)
    else:
        p, facts, how = null.normal(surplus, ranked.variance**0.5)
    return TestResult(
        "wilcoxon_signed_rank",
        ranked.w_plus,
        p=p,
        method=f"Wilcoxon signed-rank W plus, {how}, {n_zero} zeros by {zero_method}",
        effects={"rank_biserial": 2 * surplus / (ranked.w_plus + ranked.w_minus)},
        n=differences.size,
        n_missing=n_missing,
        details={"w_minus": ranked.w_minus, "n_zero": n_zero, **facts},
    )


def _rank(differences: Floats, zero_method: str) -> _Ranked:
    kept = differences[differences != 0] if zero_method == "wilcox" else differences
    ranks = stats.rankdata(np.abs(kept))
    split = ranks[kept == 0].sum() / 2 if zero_method == "zsplit" else 0.0
    moving = ranks[kept != 0]
    # Zeros that are split count in the variance as scipy counts them, as if they moved.
    spreading = ranks if zero_method == "zsplit" else moving
    return _Ranked(
        moving,
        float(ranks[kept > 0].sum() + split),
        float(ranks[kept < 0].sum() + split),
        float((spreading**2).sum() / 4),
    )


def sign_test(
    x: Values, y: Values | None = None, *, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return the exact sign test of paired differences.

    Parameters are those of `wilcoxon_signed_rank`. The value is the number of positive
    differences; zeros are left out and counted in ``details["n_zero"]``, ``details["n"]`` is the
    number that remains. Undefined where every difference is zero (``no_difference``).
    """
    require_alternative(alternative)
    differences, n_missing = _differences(x, y)
    n_plus, n = int((differences > 0).sum()), int((differences != 0).sum())
    if not n:
        reason = "no_difference" if differences.size else "too_few_units"
        return _no_test("sign_test", reason, differences.size, n_missing)
    test = stats.binomtest(n_plus, n, 0.5, alternative=alternative)
    return TestResult(
        "sign_test",
        float(n_plus),
        p=float(test.pvalue),
        method=f"sign test, {alternative}, exact binomial, zeros left out",
        effects={"share_positive": n_plus / n},
        n=differences.size,
        n_missing=n_missing,
        details={"n": n, "n_zero": differences.size - n},
    )


def _differences(x: Values, y: Values | None) -> tuple[Floats, int]:
    if y is None:
        return present(x, "the differences")
    first, second, n_missing = paired(x, y)
    return first - second, n_missing


def _no_test(statistic: str, reason: str, n: int, n_missing: int) -> TestResult:
    return TestResult(
        statistic,
        NAN,
        method=f"{statistic}, no test without a difference",
        undefined=reason,
        n=n,
        n_missing=n_missing,
    )
