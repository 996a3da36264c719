import math

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.concordance import kendall_w
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

TEN = Scale.points(range(1, 11))


def table_of(cells, scale=TEN):
    return RatingTable.from_array(np.array(cells, dtype=float), scale=scale)


def test_w_follows_from_friedman():
    # Friedman's chi squared over raters as blocks is m (n - 1) W, ties corrected.
    cells = np.random.default_rng(1).integers(1, 6, size=(8, 4))

    estimate = kendall_w(table_of(cells))

    chi2, p = stats.friedmanchisquare(*cells)
    assert estimate.details["chi2"] == pytest.approx(chi2, abs=1e-10)
    assert estimate.p == pytest.approx(p, abs=1e-12)
    assert estimate.value == pytest.approx(chi2 / (4 * 7), abs=1e-12)


@pytest.mark.parametrize("scale", [TEN, Scale.range(0, 20)])
def test_full_and_opposite_order(scale):
    assert kendall_w(table_of([[1, 2], [2, 3], [3, 9]], scale)).value == 1.0
    assert kendall_w(table_of([[1, 3], [2, 2], [3, 1]], scale)).value == 0.0


def test_incomplete_units_are_left_out_and_counted():
    cells = [[1, 2], [2, 3], [3, 9], [4, math.nan]]

    estimate = kendall_w(table_of(cells))

    assert (estimate.value, estimate.n_units) == (1.0, 3)
    assert "1 incomplete units left out" in estimate.method


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([[3, 3], [3, 3]], "no_variance"),
        ([[3, 4]], "too_few_units"),
        ([[3, 4, math.nan], [math.nan, 3, 4]], "incomplete"),
        ([[3], [4]], "too_few_raters"),
    ],
)
def test_undefined(cells, reason):
    assert kendall_w(table_of(cells)).undefined == reason


def test_raters_who_rank_nothing_have_no_w_with_or_without_the_correction():
    # Uncorrected the formula says 0, no concordance, of raters who agree on everything.
    assert kendall_w(table_of([[3, 4], [3, 4], [3, 4]]), correct_ties=False).undefined
