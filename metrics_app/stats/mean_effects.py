"""A difference of means in units of a standard deviation: Cohen's d and Hedges' g."""

import math
from typing import Literal, get_args

from scipy import special

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.two_samples import TwoSamples

Standardizer = Literal["pooled", "d_z", "d_av", "average_variance"]
Correction = Literal["exact gamma", "approximate"]


def cohen_d(
    samples: TwoSamples, *, standardizer: Standardizer = "pooled", confidence: float = 0.95
) -> Estimate:
    """Return Cohen's d: mean(x) - mean(y) over a standard deviation.

    Parameters
    ----------
    samples : TwoSamples
    standardizer : {"pooled", "d_z", "d_av", "average_variance"}
        ``pooled``: of both samples; ``d_z``: of the paired differences; ``d_av``: the mean of the
        two standard deviations (Lakens 2013); ``average_variance``: the root of the mean variance.
    confidence : float
        Coverage of the interval from the noncentral t, for ``pooled`` and ``d_z``.

    Returns
    -------
    Estimate
        Undefined with ``too_few_units`` for a sample of one and ``no_variance`` where the
        standardizer is 0.
    """
    if standardizer not in get_args(Standardizer):
        raise ValueError(f"standardizer must be one of {get_args(Standardizer)}")
    if standardizer == "d_z" and samples.differences is None:
        raise ValueError("d_z needs pairs: say that the samples are paired")
    return _standardized(samples, standardizer, "cohen_d", confidence, factor=1.0)


def hedges_g(
    samples: TwoSamples,
    *,
    standardizer: Standardizer = "pooled",
    correction: Correction = "exact gamma",
    confidence: float = 0.95,
) -> Estimate:
    """Return Hedges' g: Cohen's d without its small-sample bias.

    Parameters are those of `cohen_d`. ``correction`` is the exact J = G(m/2) / (sqrt(m/2)
    G((m-1)/2)) of Hedges (1981), G the gamma function and m the degrees of freedom, or the
    ``approximate`` 1 - 3 / (4 m - 1).
    """
    if correction not in get_args(Correction):
        raise ValueError(f"correction must be one of {get_args(Correction)}, not {correction!r}")
    df = _df(samples, standardizer)
    if df < 2:
        return Estimate("hedges_g", NAN, undefined="too_few_units")
    exact = math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
    factor = exact if correction == "exact gamma" else 1 - 3 / (4 * df - 1)
    return _standardized(samples, standardizer, "hedges_g", confidence, factor=factor)


def _df(samples: TwoSamples, standardizer: str) -> int:
    if standardizer == "d_z" and samples.differences:
        return samples.differences.n - 1
    return samples.x.n + samples.y.n - 2


def _spread(samples: TwoSamples, standardizer: str) -> float:
    x, y = samples.x, samples.y
    if standardizer == "d_z" and samples.differences:
        return samples.differences.sd
    if standardizer == "d_av":
        return (x.sd + y.sd) / 2
    if standardizer == "average_variance":
        return math.sqrt((x.sd**2 + y.sd**2) / 2)
    return samples.pooled_sd


def _standardized(
    samples: TwoSamples, standardizer: str, name: str, confidence: float, *, factor: float
) -> Estimate:
    reason = samples.problem
    spread = NAN if reason else _spread(samples, standardizer)
    reason = reason or (None if spread else "no_variance")
    d = NAN if reason else (samples.x.mean - samples.y.mean) / spread
    ci = None if reason else _noncentral_interval(d, samples, standardizer, confidence)
    return Estimate(
        name,
        d * factor,
        ci=(ci[0] * factor, ci[1] * factor) if ci else None,
        ci_method="noncentral t" if ci else "",
        confidence=confidence,
        method=f"{name}, standardizer {standardizer}, bias factor {factor:.6g}",
        undefined=reason,
        n_units=samples.x.n + samples.y.n,
        n_missing=samples.n_missing,
        details={"standardizer": spread},
    )


def _noncentral_interval(
    d: float, samples: TwoSamples, standardizer: str, confidence: float
) -> tuple[float, float] | None:
    if standardizer not in ("pooled", "d_z"):
        return None
    x, y = samples.x, samples.y
    pairs = samples.differences
    scale = (
        math.sqrt(pairs.n)
        if standardizer == "d_z" and pairs
        else math.sqrt(x.n * y.n / (x.n + y.n))
    )
    df = _df(samples, standardizer)
    shares = ((1 + confidence) / 2, (1 - confidence) / 2)
    low, high = (float(special.nctdtrinc(df, share, d * scale)) / scale for share in shares)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None
