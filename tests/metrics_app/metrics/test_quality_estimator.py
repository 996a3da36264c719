"""The estimator learns what is there, and nothing where nothing is."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from metrics_app.metrics.contract import Example
from metrics_app.metrics.quality_estimator import SURFACE, features, fit, held_out_predictions

N_ITEMS, N_SYSTEMS = 30, 4
ITEMS = [f"item{item:02d}" for item in range(N_ITEMS) for _ in range(N_SYSTEMS)]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def correlation(a, b):
    return np.corrcoef(a, b)[0, 1]


def test_fit_equals_scikit_learn(rng):
    table, ratings = rng.normal(size=(40, 5)), rng.normal(size=40)
    scaled = (table - table.mean(axis=0)) / table.std(axis=0)
    peer = Ridge(alpha=3.0).fit(scaled, ratings)
    assert fit(table, ratings, 3.0).predict(table) == pytest.approx(peer.predict(scaled))


def test_what_the_features_say_is_found(rng):
    table = rng.normal(size=(len(ITEMS), 6))
    ratings = 3 + table[:, 0] - 0.5 * table[:, 1] + rng.normal(scale=0.1, size=len(ITEMS))
    found = held_out_predictions(table, ratings, ITEMS, rng=rng)
    assert correlation(found.predictions, ratings) > 0.98
    assert len(found.penalties) == 10


def test_an_item_is_never_predicted_by_what_it_taught(rng):
    # Outputs of an item share a feature that names the item, and a rating: whoever sees a
    # sister output knows the rating. Held out by item, nothing can be known.
    table = np.repeat(np.eye(N_ITEMS), N_SYSTEMS, axis=0)
    ratings = np.repeat(rng.normal(size=N_ITEMS), N_SYSTEMS)
    found = held_out_predictions(table, ratings, ITEMS, rng=rng)
    assert correlation(found.predictions, ratings) < 0.2
    for item in set(ITEMS):
        places = [place for place, name in enumerate(ITEMS) if name == item]
        assert len(set(found.fold[places])) == 1


def test_changing_an_items_ratings_changes_none_of_its_predictions(rng):
    table, ratings = rng.normal(size=(len(ITEMS), 3)), rng.normal(size=len(ITEMS))
    changed = ratings.copy()
    changed[:N_SYSTEMS] += 100
    first, second = (
        held_out_predictions(table, values, ITEMS, rng=np.random.default_rng(1)).predictions
        for values in (ratings, changed)
    )
    assert np.array_equal(first[:N_SYSTEMS], second[:N_SYSTEMS])
    assert not np.allclose(first[N_SYSTEMS:], second[N_SYSTEMS:])


def test_an_unrated_output_is_predicted(rng):
    table = rng.normal(size=(len(ITEMS), 2))
    ratings = table[:, 0].copy()
    ratings[3] = np.nan
    found = held_out_predictions(table, ratings, ITEMS, rng=rng)
    assert found.predictions[3] == pytest.approx(table[3, 0], abs=0.1)


def test_too_little_is_refused(rng):
    with pytest.raises(ValueError, match="at least four items"):
        held_out_predictions(np.ones((3, 1)), [1.0, 2.0, 3.0], ["a", "b", "c"], rng=rng)
    with pytest.raises(ValueError, match="3 outputs, 2 ratings, 3 items differ"):
        held_out_predictions(np.ones((3, 1)), [1.0, 2.0], ["a", "b", "c"], rng=rng)


def test_features_of_outputs():
    batch = [Example("the cat sat", sources=("the cat sat down",)), Example("", sources=("a b",))]
    table = features(batch)
    assert table.shape == (2, 2 * len(SURFACE))
    assert table[0].tolist()[:3] == [3.0, 0.75, 1.0]
    # Nothing can be copied by an empty output: the value is 0 and its flag is up.
    assert (table[1, SURFACE.index("copy_rate")], table[1, len(SURFACE) + 2]) == (0.0, 1.0)


def test_features_with_a_model():
    pytest.importorskip("wordllama")
    batch = [Example("good film", sources=("good film",)), Example("", sources=("a film",))]
    table = features(batch, model="wordllama")
    assert table.shape == (2, 2 * len(SURFACE) + 1 + 2 * 256)
    assert table[0, 2 * len(SURFACE)] == pytest.approx(1.0)
    assert np.isfinite(table).all()
