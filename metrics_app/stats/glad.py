"""GLAD: the ability of judges and the difficulty of units, together."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp

from metrics_app.stats.consensus import Consensus, decide, undecided, why_not_identified
from metrics_app.stats.labels import Floats, LabelTable


def glad(table: LabelTable, *, tolerance: float = 1e-6, max_iterations: int = 100) -> Consensus:
    """Estimate true labels, abilities and difficulties by EM with normal priors.

    A label is right with probability ``1 / (1 + exp(-ability * easiness))``, wrong labels share
    the rest evenly; abilities and log-easiness have the priors N(1, 1), categories an even one.

    Parameters
    ----------
    table : LabelTable
        Repeated labels of a judge count separately.
    tolerance : float
        EM ends when no posterior probability moves by more than this.
    max_iterations : int
        EM ends here at the latest.

    Returns
    -------
    Consensus
        Skills are the abilities: 0 is chance, below 0 worse than chance. Details: ``easiness``
        by unit. Undefined: see `metrics_app.stats.consensus.why_not_identified`.

    Notes
    -----
    Whitehill et al. (2009), Whose vote should count more, NIPS 22.
    """
    method = "GLAD, EM with N(1, 1) priors on ability and log-easiness"
    if reason := why_not_identified(table):
        return undecided(table, statistic="glad", method=method, reason=reason)
    n_judges = len(table.judges)
    parameters = np.ones(n_judges + len(table.units))
    posterior = _expect(table, parameters)
    for _ in range(max_iterations):
        parameters = _maximise(table, parameters, posterior)
        before, posterior = posterior, _expect(table, parameters)
        if np.abs(posterior - before).max() <= tolerance:
            break
    easiness = np.exp(parameters[n_judges:])
    details = {"easiness": dict(zip(table.units, easiness.tolist(), strict=True))}
    skills = parameters[:n_judges]
    return decide(table, posterior, statistic="glad", method=method, skills=skills, details=details)


def _strength(table: LabelTable, parameters: Floats) -> tuple[Floats, Floats]:
    """Return ability and easiness of each label."""
    n_judges = len(table.judges)
    return parameters[:n_judges][table.judge], np.exp(parameters[n_judges:])[table.unit]


def _expect(table: LabelTable, parameters: Floats) -> Floats:
    ability, easiness = _strength(table, parameters)
    logit = ability * easiness
    n_wrong = max(len(table.categories) - 1, 1)
    # log p(right) - log p(one wrong label) is all that tells the categories apart.
    joint = table.tally(logit + np.log(n_wrong))
    return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))


def _maximise(table: LabelTable, start: Floats, posterior: Floats) -> Floats:
    right = posterior[table.unit, table.label]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        ability, easiness = _strength(table, parameters)
        logit = ability * easiness
        gained = right * log_expit(logit) + (1 - right) * log_expit(-logit)
        slope = right - expit(logit)
        gradient = np.concatenate(
            [table.per_judge(slope * easiness), table.per_unit(slope * logit)]
        )
        distance = parameters - 1
        return float(distance @ distance / 2 - gained.sum()), distance - gradient

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 50})
    return np.asarray(found.x)
