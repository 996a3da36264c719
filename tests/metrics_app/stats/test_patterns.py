import math

import numpy as np
import pytest

from metrics_app.stats.agreement import krippendorff_alpha, percent_agreement
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

FIVE = Scale.points(range(1, 6))


def _counts_per_unit(patterns):
    return [
        patterns.counts[place].tolist() if place >= 0 else [0] * FIVE.n_points
        for place in patterns.of_unit.tolist()
    ]


def test_units_with_three_and_five_ratings_are_not_taken_for_units_with_four():
    # Eight ratings of two units: as many as two units with four each.
    cells = [[5, math.nan, 2, math.nan, 5], [3, 2, 2, 2, 2]]

    table = RatingTable.from_array(cells, scale=FIVE)

    assert _counts_per_unit(table.patterns) == [[0, 1, 0, 0, 2], [0, 4, 1, 0, 0]]
    assert percent_agreement(table).value == pytest.approx((1 / 3 + 6 / 10) / 2)
    # Do = (2 + 2) / 8 and De = (64 - 4 - 25 - 1) / 56.
    alpha = krippendorff_alpha(table, measurement="nominal")
    assert alpha.value == pytest.approx(1 - 0.5 / (34 / 56))


@pytest.mark.parametrize("n_raters", [3, 5, 12])
def test_patterns_count_each_unit_as_it_was_rated(n_raters):
    rng = np.random.default_rng(n_raters)

    for _ in range(100):
        cells = rng.integers(1, 6, (rng.integers(1, 5), n_raters)).astype(np.float64)
        cells[rng.random(cells.shape) < 0.4] = math.nan
        counted = [[int((row == point).sum()) for point in FIVE.values] for row in cells]

        table = RatingTable.from_array(cells, scale=FIVE)

        assert _counts_per_unit(table.patterns) == counted
        if table.rater_patterns is not None:
            assert _counts_per_unit(table.rater_patterns) == counted
