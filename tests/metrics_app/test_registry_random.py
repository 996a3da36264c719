"""Every statistic that draws repeats with its seed, and differs with another."""

import dataclasses

import numpy as np
import pytest

from metrics_app.registry import STATISTICS
from metrics_app.stats.coefficients import coefficients_for
from metrics_app.stats.correlation_bootstrap import Question
from metrics_app.stats.correlation_permutation import Contest
from metrics_app.stats.item_scores import ItemScores
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.metric_evaluation import SystemScores
from metrics_app.stats.power import Plan
from metrics_app.stats.power_model import NOISY
from metrics_app.stats.results import as_plain
from metrics_app.stats.scales import Scale
from metrics_app.stats.scores import ScoreMatrix
from metrics_app.stats.swaps import Swaps
from metrics_app.stats.tables import RatingTable


def _numbers(*shape):
    return np.random.default_rng(2).normal(size=shape)


def _labels():
    drawn = np.random.default_rng(3).integers(3, size=(12, 4))
    return LabelTable.from_rows((j, u, int(drawn[u, j])) for u in range(12) for j in range(4))


def _matrix():
    human = np.random.default_rng(4).normal(size=(5, 20))
    return ScoreMatrix.from_arrays(_numbers(5, 20), human)


def _table():
    values = np.random.default_rng(5).integers(1, 5, size=(20, 3)).astype(float)
    return RatingTable.from_array(values, scale=Scale.points([1, 2, 3, 4], measurement="interval"))


def _side(name):
    table = _table()
    return table, next(one for one in coefficients_for(table) if one.statistic == name)


CONTEST = Contest("system", "pearson", Swaps(n_resamples=99))

# Data and needed options; few resamples, so that two seeds can be told apart.
CALLS = {
    "mace": ((_labels(),), {"n_restarts": 1, "n_iterations": 1}),
    "ranking": ((ItemScores.from_array(_numbers(9, 4)),), {}),
    "metric_half_split": ((SystemScores.from_arrays(_numbers(12, 2), _numbers(12)),), {}),
    "metric_bootstrap": (
        (SystemScores.from_arrays(_numbers(12, 2), _numbers(12) + _numbers(12, 2)[:, 1]),),
        {"baseline": "metric 2", "n_resamples": 9},
    ),
    "agreement_report": ((_table(),), {"n_resamples": 9}),
    "agreement_difference": ((_side("icc"), _side("fleiss_kappa")), {"n_resamples": 9}),
    "bootstrap_ci_correlation": (
        (_matrix(), Question("system", "pearson")),
        {"n_resamples": 9},
    ),
    "permutation_test_correlation_difference": (
        ((_numbers(6, 9), _numbers(6, 9) ** 2), _numbers(6, 9) ** 3, CONTEST),
        {},
    ),
    "all_pairs_permutation": (
        ({"a": _numbers(6, 9), "b": _numbers(6, 9) ** 2}, {"d": _numbers(6, 9) ** 3}, CONTEST),
        {},
    ),
    "soft_pairwise_accuracy": ((_matrix(),), {"n_resamples": 9}),
    "power": ((NOISY, Plan(12, 2, 0.4)), {"n_runs": 40}),
}
RANDOM = [entry for entry in STATISTICS.values() if entry.is_random]


@pytest.mark.parametrize("entry", RANDOM, ids=lambda entry: entry.name)
def test_the_same_seed_gives_the_same_result_and_another_does_not(entry):
    data, options = CALLS[entry.name]
    results = [
        as_plain(entry(*data, rng=np.random.default_rng(seed), **options)) for seed in (5, 5, 6)
    ]
    assert results[0] == results[1]
    if entry.name != "ranking":  # ranks of few systems rarely move
        assert results[0] != results[2]


@pytest.mark.parametrize("entry", RANDOM, ids=lambda entry: entry.name)
def test_global_random_state_is_neither_used_nor_moved(entry):
    data, options = CALLS[entry.name]
    state = np.random.get_state()[1].tolist()  # noqa: NPY002 -- this is what must not move
    entry(*data, rng=np.random.default_rng(1), **options)
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002 -- the same


def test_results_are_frozen():
    found = STATISTICS["pearson"]([1, 2, 3], [1, 3, 2])
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.value = 0.0
