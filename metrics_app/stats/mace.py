"""MACE: a judge either knows the right label or answers by a habit of their own."""

from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

from metrics_app.stats.consensus import (
    Consensus,
    decide,
    posterior_of,
    undecided,
    why_not_identified,
)
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.samples import Floats

# Priors of the paper: Beta(.5, .5) on knowing, a symmetric Dirichlet(10) on the habit.
KNOWING_PRIOR = 0.5
HABIT_PRIOR = 10.0


@dataclass(frozen=True, slots=True)
class _Judges:
    """Weights of knowing and of guessing, shape (n_judges,); habits (n_judges, n_categories)."""

    knowing: Floats
    guessing: Floats
    habits: Floats


@dataclass(frozen=True, slots=True)
class _Beliefs:
    posterior: Floats
    known: Floats
    likelihood: float


def mace(
    table: LabelTable,
    *,
    rng: np.random.Generator,
    n_restarts: int = 10,
    n_iterations: int = 50,
) -> Consensus:
    """Estimate true labels and the competence of the judges by variational EM.

    Parameters
    ----------
    table : LabelTable
        Repeated labels of a judge count separately.
    rng : numpy.random.Generator
        Draws the starting points.
    n_restarts : int
        Starting points; the run of the greatest likelihood is kept.
    n_iterations : int
        Rounds of EM in each run.

    Returns
    -------
    Consensus
        Skills are the posterior mean of the probability that the judge knows. Undefined: see
        `metrics_app.stats.consensus.why_not_identified`.

    Notes
    -----
    Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning whom to trust with MACE, NAACL.
    """
    method = f"MACE, variational EM, best of {n_restarts} starts of {n_iterations} rounds"
    if reason := why_not_identified(table):
        return undecided(table, statistic="mace", method=method, reason=reason)
    runs = [_run(table, rng, n_iterations) for _ in range(n_restarts)]
    best = max(runs, key=lambda beliefs: beliefs.likelihood)
    n_labels = table.per_judge(np.ones(len(table.label)))
    skills = (table.per_judge(best.known) + KNOWING_PRIOR) / (n_labels + 2 * KNOWING_PRIOR)
    details = {"log_likelihood": best.likelihood}
    return decide(
        table, best.posterior, statistic="mace", method=method, skills=skills, details=details
    )


def _run(table: LabelTable, rng: np.random.Generator, n_iterations: int) -> _Beliefs:
    beliefs = _expect(table, _random_judges(table, rng))
    for _ in range(n_iterations):
        beliefs = _expect(table, _maximise(table, beliefs))
    return beliefs


def _random_judges(table: LabelTable, rng: np.random.Generator) -> _Judges:
    # Starts lie near one half, so that no judge is given up before the first look.
    knowing = rng.uniform(1.0, 1.5, size=(len(table.judges), 2))
    knowing /= knowing.sum(axis=1, keepdims=True)
    habits = rng.uniform(1.0, 1.5, size=(len(table.judges), len(table.categories)))
    return _Judges(knowing[:, 0], knowing[:, 1], habits / habits.sum(axis=1, keepdims=True))


def _expect(table: LabelTable, judges: _Judges) -> _Beliefs:
    guessed = judges.guessing[table.judge] * judges.habits[table.judge, table.label]
    knew = judges.knowing[table.judge]
    # A label speaks for its own category by what it is likelier than a guess.
    joint = table.tally(np.log1p(knew / guessed)) + table.per_unit(np.log(guessed))[:, None]
    posterior, evidence = posterior_of(joint)
    known = posterior[table.unit, table.label] * knew / (knew + guessed)
    likelihood = float(evidence.sum()) - len(table.units) * np.log(len(table.categories))
    return _Beliefs(posterior, known, likelihood)


def _maximise(table: LabelTable, beliefs: _Beliefs) -> _Judges:
    known, guessed = table.per_judge(beliefs.known), table.per_judge(1 - beliefs.known)
    total = digamma(known + guessed + 2 * KNOWING_PRIOR)
    habits = table.per_judge_and_label(1 - beliefs.known) + HABIT_PRIOR
    return _Judges(
        knowing=np.exp(digamma(known + KNOWING_PRIOR) - total),
        guessing=np.exp(digamma(guessed + KNOWING_PRIOR) - total),
        habits=np.exp(digamma(habits) - digamma(habits.sum(axis=1, keepdims=True))),
    )
