import numpy as np
import pytest

from metrics_app.stats.scales import Scale
from metrics_app.stats.weights import band_weights, weight_matrix, weights_from_disagreement

THREE = Scale.points([1, 2, 3])
UNEVEN = Scale.points([0, 1, 4])


@pytest.mark.parametrize(
    ("name", "scale", "expected"),
    [
        ("unweighted", THREE, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("identity", THREE, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("linear", THREE, [[1, 1 / 2, 0], [1 / 2, 1, 1 / 2], [0, 1 / 2, 1]]),
        ("quadratic", THREE, [[1, 3 / 4, 0], [3 / 4, 1, 3 / 4], [0, 3 / 4, 1]]),
        ("ordinal", THREE, [[1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1]]),
        ("linear", UNEVEN, [[1, 3 / 4, 0], [3 / 4, 1, 1 / 4], [0, 1 / 4, 1]]),
        ("radical", UNEVEN, [[1, 1 / 2, 0], [1 / 2, 1, 1 - 3**0.5 / 2], [0, 1 - 3**0.5 / 2, 1]]),
        ("ordinal", UNEVEN, [[1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1]]),
        # (1 - 0) / (1 + 0) is as far as it gets; 0 against 0 is no distance.
        ("ratio", UNEVEN, [[1, 0, 0], [0, 1, 1 - 0.36], [0, 1 - 0.36, 1]]),
        ("circular", THREE, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("bipolar", THREE, [[1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1]]),
    ],
)
def test_named_weights(name, scale, expected):
    assert weight_matrix(name, scale) == pytest.approx(np.array(expected), abs=1e-12)


def test_one_point_agrees_with_itself():
    assert weight_matrix("quadratic", Scale.points([3])).tolist() == [[1.0]]


def test_disagreement_becomes_agreement():
    weights = weights_from_disagreement([[0, 1, 3], [1, 0, 6], [3, 6, 0]])

    assert weights == pytest.approx(np.array([[1, 5 / 6, 1 / 2], [5 / 6, 1, 0], [1 / 2, 0, 1]]))


def test_band_weights_count_neighbours():
    assert band_weights(3, 1).tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("cubic", "weights must be one of unweighted, linear"),
        (np.eye(2), "must be 3 x 3, not 2 x 2"),
        (np.array([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]]), "symmetric"),
        (np.diag([1, 1, 0.5]), "1 on the diagonal"),
        (np.full((3, 3), np.nan), "finite"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        weight_matrix(weights, THREE)


@pytest.mark.parametrize("distance", [[[0, 0], [0, 0]], [[0, -1], [-1, 0]]])
def test_disagreement_that_makes_no_sense_is_refused(distance):
    with pytest.raises(ValueError, match="disagreement weights"):
        weights_from_disagreement(distance)
