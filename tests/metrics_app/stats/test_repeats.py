import pytest

from metrics_app.stats.agreement import percent_agreement
from metrics_app.stats.repeats import intra_rater_agreement
from metrics_app.stats.scales import Scale

FIVE = Scale.points(range(1, 6))
ROWS = [
    ("ann", "u1", 1, 1),
    ("ann", "u2", 2, 2),
    ("ann", "u3", 3, 4),
    ("ann", "u4", 3, 3),
    ("bob", "u1", 5, 4),
    ("bob", "u2", 2, 2),
    ("bob", "u3", 1, None),
]


def test_pooled_and_by_rater():
    pooled, each = intra_rater_agreement(ROWS, scale=FIVE, coefficient=percent_agreement)

    assert {rater: estimate.value for rater, estimate in each.items()} == {"ann": 0.75, "bob": 0.5}
    assert pooled.value == pytest.approx(4 / 6)
    assert (pooled.n_units, pooled.n_missing) == (7, 1)


def test_kappa_is_the_default():
    # ann: agree 3 of 4; chance (1 + 1 + 2) / 16 from 1: 1 x 1, 2: 1 x 1, 3: 2 x 1, 4: 0 x 1.
    _, each = intra_rater_agreement(ROWS, scale=FIVE)

    assert each["ann"].value == pytest.approx((3 / 4 - 4 / 16) / (1 - 4 / 16))


def test_a_unit_repeated_twice_by_a_rater_is_refused():
    with pytest.raises(ValueError, match="twice"):
        intra_rater_agreement([*ROWS, ("ann", "u1", 1, 2)], scale=FIVE)
