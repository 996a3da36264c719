"""Dawid and Skene's model: each judge has an own table of errors."""

import numpy as np

from metrics_app.stats.consensus import (
    Consensus,
    decide,
    posterior_of,
    undecided,
    why_not_identified,
)
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.samples import Floats


def dawid_skene(
    table: LabelTable,
    *,
    smoothing: float = 0.0,
    tolerance: float = 1e-10,
    max_iterations: int = 10_000,
) -> Consensus:
    """Estimate true labels and judges' error rates by maximum likelihood (EM).

    Parameters
    ----------
    table : LabelTable
        Repeated labels of a judge count separately.
    smoothing : float
        Added to every expected count of an error table; 0 is maximum likelihood.
    tolerance : float
        EM ends when the log-likelihood grows by less than this share of itself.
    max_iterations : int
        EM ends here at the latest; the detail ``is_converged`` is then false.

    Returns
    -------
    Consensus
        Details: ``priors`` (share of each category), ``error_rates`` (judge to matrix, true
        category in rows, given label in columns), ``log_likelihood``, ``is_converged``.
        Skills are the probability of a right label. Undefined: see
        `metrics_app.stats.consensus.why_not_identified`.

    Notes
    -----
    Dawid and Skene (1979), Applied Statistics 28(1), 20-28; EM begins with the vote shares.
    A row of an error table for a category that the judge's units never are is zero.
    """
    method = f"Dawid-Skene, EM from vote shares, smoothing {smoothing:g}"
    if reason := why_not_identified(table):
        return undecided(table, statistic="dawid_skene", method=method, reason=reason)
    if smoothing < 0:
        raise ValueError(f"smoothing must not be negative; it is {smoothing}")
    posterior = table.votes / table.votes.sum(axis=1, keepdims=True)
    before = -np.inf
    for _ in range(max_iterations):
        priors, errors = _maximise(table, posterior, smoothing)
        posterior, likelihood = _expect(table, priors, errors)
        is_converged = likelihood - before <= tolerance * abs(likelihood)
        if is_converged:
            break
        before = likelihood
    details = {
        "priors": priors,
        "error_rates": {judge: errors[row].T for row, judge in enumerate(table.judges)},
        "log_likelihood": likelihood,
        "is_converged": bool(is_converged),
    }
    skills = np.einsum("k,jkk->j", priors, errors)
    return decide(
        table, posterior, statistic="dawid_skene", method=method, skills=skills, details=details
    )


def _maximise(table: LabelTable, posterior: Floats, smoothing: float) -> tuple[Floats, Floats]:
    """Return shares of the categories and error rates, shape (judge, given, true)."""
    q = len(table.categories)
    counts = (table.cells.T @ posterior).reshape(-1, q, q) + smoothing
    total = counts.sum(axis=1, keepdims=True)
    errors = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    return posterior.mean(axis=0), errors


def _expect(table: LabelTable, priors: Floats, errors: Floats) -> tuple[Floats, float]:
    """Return posterior probabilities of the units' categories and the log-likelihood."""
    with np.errstate(divide="ignore"):  # an impossible label has the logarithm minus infinity
        log_errors, log_priors = np.log(errors), np.log(priors)
    joint = table.cells @ log_errors.reshape(-1, len(priors)) + log_priors
    posterior, evidence = posterior_of(joint)
    return posterior, float(evidence.sum())
