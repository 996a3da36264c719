"""The same ratings in another order are the same report: whatever is drawn rests on names."""

import numpy as np
import pytest

from metrics_app.reports.options import ReportOptions
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import built

OPTIONS = ReportOptions(seed=1, n_resamples=40, predictors=("bleu", "chrf"), takes_time=True)
NAMES = (
    "dimension", "group", "scope", "statistic", "options", "systems", "system", "metrics", "level",
    "part", "term",
)  # fmt: skip
DRAWN = {
    "agreement": ("value", "se", "ci", "n_undefined"),
    "ranking": ("mean", "rank_ci"),
    "contrasts": ("difference", "bootstrap_ci"),
    "metric_pairs": ("value", "p", "p_adjusted"),
    "prediction": ("value", "ci", "p"),
}


def _ratings():
    rng = np.random.default_rng(6)
    rows = grid(3, 9, 5, lambda *place: min(5, rng.integers(1, 4) + rng.integers(place[2] + 1)))
    return [*rows, *((f"e{judge}", *rest) for judge, *rest in rows if judge != "w2")]


def _scores():
    cells = [(i, s) for i in range(9) for s in range(5)]
    return [
        (metric, f"i{i}", f"s{s}", (factor * i + s * s * i + s) % 11)
        for metric, factor in (("bleu", 3), ("chrf", 7))
        for i, s in cells
    ]


def _numbers(report, name):
    """Return the drawn numbers of a list by the names of their rows."""
    found = {}
    for row in getattr(report, name):
        key = tuple(str(getattr(row, field, "")) for field in NAMES)
        found[key] = [getattr(row, field) for field in DRAWN[name]]
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows_changes_no_number(seed):
    order = np.random.default_rng(seed).permutation(len(_ratings()))
    shuffled = [_ratings()[place] for place in order]

    first = built(evaluation_of(_ratings(), sides=True, scores=_scores()), OPTIONS)
    again = built(evaluation_of(shuffled, sides=True, scores=_scores()), OPTIONS)

    assert first.data_hash == again.data_hash
    for name in DRAWN:
        told, other = _numbers(first, name), _numbers(again, name)
        assert told.keys() == other.keys(), name
        for key, numbers in told.items():
            for number, one in zip(numbers, other[key], strict=True):
                assert repr(one) == repr(number), (name, key)
