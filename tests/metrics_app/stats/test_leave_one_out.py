"""Alpha without each rater, for all raters at once."""

from functools import partial

import numpy as np
import pytest

from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.leave_one_out import alpha_without_each
from metrics_app.stats.scales import MEASUREMENTS, Scale
from metrics_app.stats.scopes import leave_one_rater_out
from metrics_app.stats.tables import RatingTable

FIVE = Scale.points(range(1, 6))


@pytest.mark.parametrize("measurement", MEASUREMENTS)
def test_it_is_alpha_of_the_table_without_the_rater(measurement):
    rng = np.random.default_rng(8)
    cells = rng.integers(1, 6, size=(40, 5)).astype(float)
    cells[rng.random(cells.shape) < 0.4] = np.nan
    table = RatingTable.from_array(cells, scale=FIVE)
    one_by_one = leave_one_rater_out(table, partial(krippendorff_alpha, measurement=measurement))

    found = alpha_without_each(table, measurement)

    np.testing.assert_allclose(found, [one.value for one in one_by_one.values()], atol=1e-12)


def test_it_is_undefined_without_pairs_and_without_differences():
    two = RatingTable.from_array([[1, 2], [3, 3]], scale=FIVE)
    alike = RatingTable.from_array([[3, 3, 3], [3, 3, 3]], scale=FIVE)

    assert np.isnan(alpha_without_each(two, "ordinal")).all()
    assert np.isnan(alpha_without_each(alike, "ordinal")).all()


def test_a_range_is_refused():
    table = RatingTable.from_array([[0.5, 0.7]], scale=Scale.range(0, 1))

    with pytest.raises(ValueError, match="declared points, not a range"):
        alpha_without_each(table, "interval")
