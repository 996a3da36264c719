"""Every correlation the two published sets state, at 1e-9."""

import numpy as np
import pytest

from metrics_app.stats.correlation import COEFFICIENTS
from metrics_app.stats.levels import correlate
from metrics_app.stats.scores import ScoreMatrix
from tests.metrics_app.stats import study_scores

NAMES = {
    "kendall_tau_b": "kendall_tau_b",
    "pearson_r": "pearson",
    "spearman_rho": "spearman",
}


def _found(folder, statistic, level, *, group, human_only=False):
    """Yield (check, estimate) for each check of that statistic and level."""
    human = study_scores.ratings(folder / "ratings.csv.gz")
    automatic = study_scores.metrics(folder / "metrics.csv.gz")
    for check in study_scores.checks(folder / "expected.json"):
        if check["statistic"] != statistic or not check["level"].startswith(level):
            continue
        if human_only != ("metric" not in check):
            continue
        first, second = check["id"].split(".")[-2:]
        target = human[group, check.get("dimension", second)]
        other = study_scores.means(human[group, first]) if human_only else None
        keys = study_scores.keys(target)
        metric = other or automatic[check["metric"]]
        matrix = ScoreMatrix.from_arrays(
            study_scores.as_array(metric, keys),
            study_scores.as_array(study_scores.means(target), keys),
        )
        yield check, correlate(matrix, level=level, coefficient=NAMES[statistic])


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("statistic", NAMES)
@pytest.mark.parametrize(
    ("name", "group", "n_checks"),
    [("opinsummeval", "trained", 256), ("dialsummeval", "expert", 128)],
)
def test_metric_against_people(study_data, name, group, n_checks, statistic, level):
    found = list(_found(study_data(name), statistic, level, group=group))

    assert len(found) == n_checks
    _assert_equal(found)


@pytest.mark.parametrize("level", ["system", "summary"])
def test_dimension_against_dimension(study_data, level):
    found = list(
        _found(study_data("opinsummeval"), "kendall_tau_b", level, group="trained", human_only=True)
    )

    assert len(found) == 6
    _assert_equal(found)


def _assert_equal(found):
    wrong = [
        (check["id"], estimate.value, check["value"])
        for check, estimate in found
        if estimate.value != pytest.approx(check["value"], abs=1e-9)
        or estimate.p != pytest.approx(check.get("p_value", estimate.p), abs=1e-9, nan_ok=True)
        or estimate.n_undefined != check.get("n_undefined_items", 0)
    ]
    assert wrong == []


@pytest.mark.parametrize("statistic", NAMES)
def test_experts_against_crowd(study_data, statistic):
    folder = study_data("dialsummeval")
    human = study_scores.ratings(folder / "ratings.csv.gz")
    found = [
        check
        for check in study_scores.checks(folder / "expected.json")
        if check["statistic"] == statistic and check["id"].startswith("expert_vs_crowd")
    ]
    assert len(found) == 8
    for check in found:
        expert, crowd = (human[g, check["dimension"]] for g in ("expert", "crowd"))
        if "pooled" in check["level"]:
            pairs = [[sum(c[k]) / len(c[k]) for k in expert] for c in (expert, crowd)]
        else:
            pairs = [
                _means_of_judge_means(cells, study_scores.keys(expert)) for cells in (expert, crowd)
            ]
        estimate = COEFFICIENTS[NAMES[statistic]](*pairs)
        assert estimate.value == pytest.approx(check["value"], abs=1e-9), check["id"]
        assert estimate.p == pytest.approx(check["p_value"], abs=1e-9), check["id"]


def _means_of_judge_means(cells, keys):
    """Return per system the mean of its judges' means, which keeps ties of whole sums."""
    systems, items = keys
    return [
        np.mean(np.array([cells[item, system] for item in items]).mean(axis=0))
        for system in systems
    ]
