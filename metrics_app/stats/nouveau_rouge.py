"""Nouveau-ROUGE: predict how people score an update summary from two ROUGE scores.

Conroy, Schlesinger and O'Leary (2011), Nouveau-ROUGE: a novelty metric for update summarization,
Computational Linguistics 37(1), 1-8. One ROUGE score compares the summary with the references of
the earlier task (AB: what the reader knows already), one with its own references (BB).
`metrics_app.stats.metric_evaluation` fits and evaluates such predictors on own data.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from metrics_app.stats.samples import Floats

Target = Literal["responsiveness", "pyramid"]

PUBLISHED: dict[tuple[str, str], tuple[float, float, float]] = {
    ("1", "responsiveness"): (-0.0271, -7.3550, 13.4227),
    ("2", "responsiveness"): (0.9126, -5.4536, 21.1556),
    ("SU4", "responsiveness"): (1.1381, -2.6931, 35.8555),
    ("BE", "responsiveness"): (1.0602, -5.0811, 24.8365),
    ("1", "pyramid"): (-0.2143, -1.9011, 3.1118),
    ("2", "pyramid"): (-0.0143, -1.3499, 4.3778),
    ("SU4", "pyramid"): (0.0346, -1.1680, 7.2589),
    ("BE", "pyramid"): (0.0145, -1.3156, 5.0446),
}
"""(ROUGE variant, target) to intercept, weight of AB and weight of BB; fitted on TAC 2008."""


@dataclass(frozen=True, slots=True)
class NouveauRouge:
    """A ready predictor with the published coefficients.

    Attributes
    ----------
    variant : str
        ``1``, ``2``, ``SU4`` or ``BE``: the ROUGE scores it takes.
    target : {"responsiveness", "pyramid"}
        The human score it predicts: responsiveness on 1 to 5, pyramid on 0 to 1.

    Raises
    ------
    ValueError
        If no coefficients were published for this pair.
    """

    variant: str
    target: str

    def __post_init__(self) -> None:
        if (self.variant, self.target) not in PUBLISHED:
            known = ", ".join(f"{variant} {target}" for variant, target in PUBLISHED)
            raise ValueError(
                f"no coefficients are published for {self.variant!r} and {self.target!r}: "
                f"there are {known}"
            )

    def predict(self, earlier: npt.ArrayLike, own: npt.ArrayLike) -> Floats:
        """Return predicted human scores.

        Parameters
        ----------
        earlier, own : array-like of float, same shape
            ROUGE against the references of the earlier task (AB) and the own task (BB), as
            shares from 0 to 1, not percent. NaN gives NaN.

        Raises
        ------
        ValueError
            If shapes differ or a score lies outside 0 to 1.
        """
        ab, bb = np.asarray(earlier, dtype=np.float64), np.asarray(own, dtype=np.float64)
        if ab.shape != bb.shape:
            raise ValueError(f"the scores differ in shape: {ab.shape} against {bb.shape}")
        if np.any((ab < 0) | (ab > 1) | (bb < 0) | (bb > 1)):
            raise ValueError("ROUGE scores must lie between 0 and 1; divide percents by 100")
        intercept, weight_ab, weight_bb = PUBLISHED[self.variant, self.target]
        return np.asarray(intercept + weight_ab * ab + weight_bb * bb)


def jackknife_references(
    scores: npt.ArrayLike, *, combine: Literal["max", "mean"] = "max"
) -> Floats:
    """Return scores comparable between outputs and references that are scored like outputs.

    A reference can be held against the other references only, so every output is scored on each
    set of references with one left out, and the results are averaged (Lin 2004, ROUGE).

    Parameters
    ----------
    scores : array-like, shape (..., n_references)
        Score against each reference; NaN where there is none (a reference against itself).
    combine : {"max", "mean"}
        How the scores against several references become one.

    Returns
    -------
    numpy.ndarray, shape (...)
        A single score stays as it is; NaN where there is none. An output that has one NaN (a
        reference itself) is left as combined, since one reference is left out of it already.
    """
    if combine not in ("max", "mean"):
        raise ValueError(f"combine must be max or mean, not {combine!r}")
    values = np.asarray(scores, dtype=np.float64)
    there = ~np.isnan(values)
    n = there.sum(axis=-1)
    if combine == "mean":
        # The mean over all subsets that leave out one is the plain mean.
        total = np.where(there, values, 0).sum(axis=-1)
        return np.asarray(np.divide(total, n, out=np.full(n.shape, np.nan), where=n > 0))
    ordered = np.sort(np.where(there, values, -np.inf), axis=-1)[..., ::-1]
    best = np.where(n > 0, ordered[..., 0], np.nan)
    if values.shape[-1] < 2:
        return best
    # The best survives unless it is the one left out; then the second best takes its place.
    second = np.where(n > 1, ordered[..., 1], best)
    is_complete = n == values.shape[-1]
    jackknifed = (best * (np.maximum(n, 1) - 1) + second) / np.maximum(n, 1)
    return np.where(is_complete, jackknifed, best)
