"""Scores of systems on items, plain and standardised by judge."""

import numpy as np
import pytest
from scipy.stats import zscore

from metrics_app.stats.item_scores import ItemScores, standardised
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

# judge, item, system, value
ROWS = [
    *[("a", 1, "X", 1), ("a", 1, "Y", 3), ("a", 2, "X", 2)],
    *[("b", 1, "X", 5), ("b", 2, "Y", 4), ("b", 2, "X", None)],
    *[("c", 1, "X", 2), ("c", 2, "Y", 2)],
]


def table(rows=ROWS):
    judge, item, system, value = zip(*rows, strict=True)
    return RatingTable.from_columns(
        zip(item, system, strict=True),
        judge,
        value,
        scale=Scale.points(range(1, 6)),
        item=item,
        system=system,
    )


def test_judges_of_an_output_are_averaged():
    found = ItemScores.from_ratings(table())
    assert (found.items, found.systems) == ((1, 2), ("X", "Y"))
    assert found.values == pytest.approx(np.array([[8 / 3, 3], [2, 3]]))


def test_z_scores_are_those_of_scipy_and_a_constant_judge_is_left_out():
    z, left_out = standardised(table())
    a, b = zscore([1, 3, 2], ddof=1), zscore([5, 4], ddof=1)
    found = ItemScores.from_ratings(table(), standardise=True)

    assert left_out == found.left_out == ("c",)
    assert np.isnan(z).sum() == 2
    assert found.values == pytest.approx(np.array([[(a[0] + b[0]) / 2, a[1]], [a[2], b[1]]]))
    assert found.method == "mean over judges of z scores by judge"


def test_severity_and_spread_of_a_judge_do_not_matter_to_z_scores():
    rng = np.random.default_rng(4)
    rows = [(j, i, s, int(rng.integers(1, 3))) for j in "ab" for i in range(8) for s in "XY"]
    moved = [(j, i, s, 2 * v + 1 if j == "a" else v) for j, i, s, v in rows]
    before, after = (ItemScores.from_ratings(table(r), standardise=True) for r in (rows, moved))
    assert after.values == pytest.approx(before.values)


def test_an_output_without_a_rating_is_missing():
    found = ItemScores.from_ratings(table([("a", 1, "X", 1), ("a", 2, "Y", 2)]))
    assert np.isnan(found.values).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ItemScores.from_array([1, 2]), "1 dimensions"),
        (lambda: ItemScores.from_array([[np.inf]]), "infinite"),
        (lambda: ItemScores.from_array([[1, 2]], systems=("a", "a")), "as many different keys"),
        (
            lambda: ItemScores.from_ratings(
                RatingTable.from_rows([("u", "a", 1)], Scale.points([1]))
            ),
            "item and the system",
        ),
    ],
)
def test_senseless_input_is_an_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()
