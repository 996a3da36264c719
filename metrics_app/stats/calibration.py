"""What people would have said, from a language model's judgements and a part that people judged.

A model judges everything, people a part of it: the calibration set. The interval carries the error
of both. The calibration set must be a random part of all; otherwise nothing corrects the bias.
"""

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.results import NAN, Estimate

Floats = npt.NDArray[np.float64]
SHARE = "the share by the model, corrected for its sensitivity and specificity (Rogan-Gladen)"
MEAN = "the mean by the model, corrected by its errors on what people judged (PPI++)"


def corrected_share(
    judged: npt.ArrayLike,
    model: npt.ArrayLike,
    people: npt.ArrayLike,
    *,
    confidence: float = 0.95,
) -> Estimate:
    """Return the share of units with the label that people would give, in [0, 1].

    Rogan and Gladen (1978); interval of Lee et al. (2025), How to correctly report LLM-as-a-judge
    evaluations, which smooths all three shares and is cut to [0, 1].

    Parameters
    ----------
    judged : sequence of 0 or 1
        The model's label of units that people did not judge.
    model, people : sequence of 0 or 1, same length
        Both labels of the calibration set.

    Returns
    -------
    Estimate
        Details: ``raw`` (the model's own share), ``sensitivity``, ``specificity``, ``n_judged``,
        ``n_calibration``. Undefined where people gave one label only, or where the model is no
        better than chance.
    """
    test, labels, truth = (np.asarray(part, dtype=np.float64) for part in (judged, model, people))
    details = {"raw": _mean(test), "n_judged": len(test), "n_calibration": len(truth)}
    n_with, n_without = int(truth.sum()), int((1 - truth).sum())
    if not len(test) or not n_with or not n_without:
        return _undefined(
            "corrected_share",
            "one_label_in_calibration" if len(test) else "all_missing",
            SHARE,
            details,
        )
    sensitivity, specificity = labels[truth == 1].mean(), 1 - labels[truth == 0].mean()
    details |= {"sensitivity": float(sensitivity), "specificity": float(specificity)}
    better = float(sensitivity + specificity - 1)
    if better <= 0:
        return _undefined("corrected_share", "model_guesses", SHARE, details)
    value = float(np.clip((test.mean() + specificity - 1) / better, 0, 1))
    z = float(stats.norm.ppf((1 + confidence) / 2))
    shares = np.array([test.mean(), specificity, sensitivity])
    centre, se = _smoothed(shares, np.array([len(test), n_without, n_with]), z)
    low, high = np.clip((centre - z * se, centre + z * se), 0, 1)
    return Estimate(
        "corrected_share",
        value,
        se=se,
        ci=(float(low), float(high)),
        ci_method="Lee et al. (2025), from smoothed shares",
        confidence=confidence,
        method=SHARE,
        n_units=len(test) + len(truth),
        details=details,
    )


def _smoothed(shares: Floats, n: Floats, z: float) -> tuple[float, float]:
    """Return the centre and the standard error of the interval; both carry all three errors."""
    added = np.array([z**2, 2.0, 2.0])
    (p, q0, q1), (n_p, n_0, n_1) = (n * shares + added / 2) / (n + added), n + added
    share = (p + q0 - 1) / (q0 + q1 - 1)
    of_0, of_1 = q0 * (1 - q0) / n_0, q1 * (1 - q1) / n_1
    shift = 2 * z**2 * (share * of_1 - (1 - share) * of_0)
    spread = p * (1 - p) / n_p + (1 - share) ** 2 * of_0 + share**2 * of_1
    return float(share + shift), float(np.sqrt(spread) / (q0 + q1 - 1))


def corrected_mean(
    judged: npt.ArrayLike,
    model: npt.ArrayLike,
    people: npt.ArrayLike,
    *,
    confidence: float = 0.95,
) -> Estimate:
    """Return the mean that people would give.

    Prediction-powered inference with power tuning: Angelopoulos, Duchi and Zrnic (2023), PPI++.
    As good as the calibration set alone where the model tells nothing, better where it tells much.

    Parameters
    ----------
    judged : sequence of float
        The model's values of units that people did not judge.
    model, people : sequence of float, same length
        Both values of the calibration set.

    Returns
    -------
    Estimate
        Details: ``raw`` (the model's own mean), ``weight`` (how much the model counts, 0 to 1),
        ``n_judged``, ``n_calibration``. Undefined with fewer than two units in either part.
    """
    test, guess, truth = (np.asarray(part, dtype=np.float64) for part in (judged, model, people))
    n, n_test = len(truth), len(test)
    details = {"raw": _mean(test), "n_judged": n_test, "n_calibration": n}
    if n < 2 or n_test < 2:
        return _undefined("corrected_mean", "too_few_units", MEAN, details)
    weight = _weight(test, guess, truth)
    value = float(truth.mean() + weight * (test.mean() - guess.mean()))
    se = float(np.sqrt(weight**2 * test.var() / n_test + (truth - weight * guess).var() / n))
    z = float(stats.norm.ppf((1 + confidence) / 2))
    return Estimate(
        "corrected_mean",
        value,
        se=se,
        ci=(value - z * se, value + z * se),
        ci_method="normal, PPI++",
        confidence=confidence,
        method=MEAN,
        n_units=n + n_test,
        details={**details, "weight": weight},
    )


def _weight(test: Floats, guess: Floats, truth: Floats) -> float:
    spread = float(np.concatenate([guess, test]).var(ddof=1))
    if not spread:
        return 0.0
    together = float(((truth - truth.mean()) * (guess - guess.mean())).mean())
    return float(np.clip(together / ((1 + len(truth) / len(test)) * spread), 0, 1))


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else NAN


def _undefined(statistic: str, reason: str, method: str, details: dict[str, float]) -> Estimate:
    return Estimate(statistic, NAN, method=method, undefined=reason, details=details)
