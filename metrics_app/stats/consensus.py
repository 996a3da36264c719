"""One label a unit out of many judges: the result, and the voting rules.

The models of judges are in `dawid_skene`, `mace` and `glad`.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metrics_app.stats.labels import LabelTable
from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats

# Posterior shares closer than this are a tie: they differ by rounding, not by evidence.
TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a crowd's labels come to.

    Attributes
    ----------
    statistic : str
        Registered name.
    labels : mapping
        Unit to label; None where categories share the first place.
    probabilities : numpy.ndarray, shape (n_units, n_categories)
        Share or posterior probability of each category, rows in the order of ``labels``.
    categories : tuple
        The columns of ``probabilities``.
    skills : mapping
        Judge to skill: share of right answers, or the model's own parameter (see ``method``).
    method : str
        The rule in words.
    undefined : str or None
        Reason code; ``tie`` where no unit has a label.
    n_missing : int
        Labels left out because they were missing.
    details : mapping
        Parameters of the model: ``priors``, ``error_rates``, ``log_likelihood``, ...
    """

    statistic: str
    labels: Mapping[Hashable, Hashable | None]
    probabilities: Floats
    categories: tuple[Hashable, ...]
    skills: Mapping[Hashable, float]
    method: str
    undefined: str | None = None
    n_missing: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ties(self) -> tuple[Hashable, ...]:
        """Units in which categories share the first place."""
        return tuple(unit for unit, label in self.labels.items() if label is None)


def decide(
    table: LabelTable,
    probabilities: Floats,
    *,
    statistic: str,
    method: str,
    skills: Floats | None = None,
    details: Mapping[str, Any] | None = None,
) -> Consensus:
    """Return the consensus: in each unit the category of the greatest probability, or a tie."""
    first = _first_places(probabilities)
    best = first.argmax(axis=1)
    tied = first.sum(axis=1) > 1
    labels = {
        unit: None if tied[row] else table.categories[best[row]]
        for row, unit in enumerate(table.units)
    }
    return Consensus(
        statistic=statistic,
        labels=labels,
        probabilities=probabilities,
        categories=table.categories,
        skills={} if skills is None else dict(zip(table.judges, skills.tolist(), strict=True)),
        method=method,
        undefined="tie" if tied.all() else None,
        n_missing=table.n_missing,
        details=details or {},
    )


def undecided(table: LabelTable, *, statistic: str, method: str, reason: str) -> Consensus:
    """Return a consensus without labels, undefined for the given reason."""
    return Consensus(
        statistic=statistic,
        labels=dict.fromkeys(table.units),
        probabilities=np.full((len(table.units), len(table.categories)), NAN),
        categories=table.categories,
        skills=dict.fromkeys(table.judges, NAN),
        method=method,
        undefined=reason,
        n_missing=table.n_missing,
    )


def posterior_of(joint: Floats) -> tuple[Floats, Floats]:
    """Return the posterior of each unit's categories, and the logarithm of its evidence.

    Parameters
    ----------
    joint : array, shape (n_units, n_categories)
        Logarithms of the joint probability of a unit's labels and a category; each unit has a
        finite one.

    Returns
    -------
    posterior : array, shape (n_units, n_categories)
    log_evidence : array, shape (n_units,)
    """
    # Categories are few and units many: sums run along the long axis.
    by_category = np.ascontiguousarray(joint.T)
    top = by_category.max(axis=0)
    shares = np.exp(by_category - top)
    total = shares.sum(axis=0)
    shares /= total
    return shares.T, np.log(total) + top


def why_not_identified(table: LabelTable) -> str | None:
    """Return why a model of judges cannot be fitted to these labels, or None."""
    if not len(table.label):
        return "all_missing"
    if len(table.judges) < 2:
        return "not_identified"
    judged = np.unique(table.unit * len(table.judges) + table.judge) // len(table.judges)
    return None if np.bincount(judged).max() > 1 else "no_pairs"


def majority_vote(table: LabelTable) -> Consensus:
    """Return the most frequent label of each unit; a tie is reported, never broken.

    Repeated labels of a judge count as often as they were given. Undefined: ``all_missing``
    without a label, ``tie`` where every unit is tied.
    """
    method = "majority vote, ties reported"
    if not len(table.label):
        return undecided(table, statistic="majority_vote", method=method, reason="all_missing")
    return decide(table, _shares(table.votes), statistic="majority_vote", method=method)


def wawa(table: LabelTable) -> Consensus:
    """Return the vote weighted by each judge's agreement with the plain majority.

    Worker agreement with aggregate (Appen; Ustalov et al. 2024, Crowd-Kit, JOSS 9(96)). A label
    of a tied unit agrees by one over the number of tied categories, the mean over all ways to
    break the tie. Undefined: see `why_not_identified`.
    """
    method = "vote weighted by agreement with the majority (Wawa)"
    if reason := why_not_identified(table):
        return undecided(table, statistic="wawa", method=method, reason=reason)
    skills = _agreement_with(table, table.votes)
    shares = _shares(table.tally(skills[table.judge]))
    return decide(table, shares, statistic="wawa", method=method, skills=skills)


def zero_based_skill(table: LabelTable, *, n_iterations: int = 100) -> Consensus:
    """Return the vote weighted by skills that are moved towards agreement with that same vote.

    Zero-Based Skill (Ustalov et al. 2024, Crowd-Kit, JOSS 9(96)): skills start at 1 / categories;
    the step begins at 1 and halves every 20 rounds. Undefined: see `why_not_identified`.
    """
    method = f"zero-based skill, {n_iterations} rounds"
    if reason := why_not_identified(table):
        return undecided(table, statistic="zero_based_skill", method=method, reason=reason)
    skills = np.full(len(table.judges), 1.0 / len(table.categories))
    for iteration in range(1, n_iterations + 1):
        step = 0.5 ** (iteration // 20)
        skills += step * (_agreement_with(table, table.tally(skills[table.judge])) - skills)
    shares = _shares(table.tally(skills[table.judge]))
    return decide(table, shares, statistic="zero_based_skill", method=method, skills=skills)


def _first_places(probabilities: Floats) -> Floats:
    top = probabilities.max(axis=1, keepdims=True)
    return np.asarray(probabilities >= top - TIE_TOLERANCE, dtype=np.float64)


def _shares(votes: Floats) -> Floats:
    total = votes.sum(axis=1, keepdims=True)
    # Where all weights are zero nobody is trusted: every category is as likely as any other.
    even = np.full_like(votes, 1.0 / votes.shape[1])
    shares: Floats = np.divide(votes, total, out=even, where=total > 0)
    return shares


def _agreement_with(table: LabelTable, votes: Floats) -> Floats:
    first = _first_places(votes)
    agreed = (first / first.sum(axis=1, keepdims=True))[table.unit, table.label]
    return table.per_judge(agreed) / table.per_judge(np.ones(len(agreed)))
