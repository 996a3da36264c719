"""GLAD: the ability of judges and the difficulty of units, together."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from metrics_app.stats.consensus import (
    Consensus,
    decide,
    posterior_of,
    undecided,
    why_not_identified,
)
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.samples import Floats


def glad(table: LabelTable, *, max_iterations: int = 1000) -> Consensus:
    """Estimate true labels, abilities and difficulties at the mode of the marginal posterior.

    A label is right with probability ``1 / (1 + exp(-ability * easiness))``, wrong labels share
    the rest evenly; abilities and log-easiness have the priors N(1, 1), categories an even one.

    Parameters
    ----------
    table : LabelTable
        Repeated labels of a judge count separately.
    max_iterations : int
        The climb ends here at the latest; the detail ``is_converged`` is then false.

    Returns
    -------
    Consensus
        Skills are the abilities: 0 is chance, below 0 worse than chance. Details: ``easiness``
        by unit. Undefined: see `metrics_app.stats.consensus.why_not_identified`.

    Notes
    -----
    Whitehill et al. (2009), Whose vote should count more, NIPS 22. Their EM climbs the same
    marginal posterior, whose slope is the expected slope given the labels (Fisher's identity);
    L-BFGS climbs it directly, at a fraction of the passes over the data.
    """
    method = "GLAD, N(1, 1) priors on ability and log-easiness, labels summed out"
    if reason := why_not_identified(table):
        return undecided(table, statistic="glad", method=method, reason=reason)
    n_judges = len(table.judges)
    start = np.ones(n_judges + len(table.units))

    def loss(parameters: Floats) -> tuple[float, Floats]:
        return _loss(table, parameters)

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iterations, "maxfun": 2 * max_iterations, "ftol": 1e-10},
    )
    parameters = np.asarray(found.x, dtype=np.float64)
    posterior, _ = _expect(table, parameters)
    easiness = np.exp(parameters[n_judges:])
    details = {
        "easiness": dict(zip(table.units, easiness.tolist(), strict=True)),
        "is_converged": bool(found.success),
    }
    skills = parameters[:n_judges]
    return decide(table, posterior, statistic="glad", method=method, skills=skills, details=details)


def _strength(table: LabelTable, parameters: Floats) -> tuple[Floats, Floats]:
    """Return ability and easiness of each label."""
    n_judges = len(table.judges)
    return parameters[:n_judges][table.judge], np.exp(parameters[n_judges:])[table.unit]


def _expect(table: LabelTable, parameters: Floats) -> tuple[Floats, float]:
    """Return the posterior of the units' categories and the marginal log-likelihood."""
    ability, easiness = _strength(table, parameters)
    logit = ability * easiness
    log_wrong = np.log(max(len(table.categories) - 1, 1))
    # log p(right) - log p(one wrong label) is all that tells the categories apart.
    joint = table.tally(logit + log_wrong)
    posterior, evidence = posterior_of(joint)
    # The logarithm of 1 - p(right), without overflow.
    log_not_right = -np.maximum(logit, 0) - np.log1p(np.exp(-np.abs(logit)))
    return posterior, float(evidence.sum() + (log_not_right - log_wrong).sum())


def _loss(table: LabelTable, parameters: Floats) -> tuple[float, Floats]:
    """Return the negative log-posterior and its gradient."""
    ability, easiness = _strength(table, parameters)
    posterior, likelihood = _expect(table, parameters)
    slope = posterior[table.unit, table.label] - expit(ability * easiness)
    gradient = np.concatenate(
        [table.per_judge(slope * easiness), table.per_unit(slope * ability * easiness)]
    )
    distance = parameters - 1
    return float(distance @ distance / 2 - likelihood), distance - gradient
