"""Vectors small enough to work out by hand."""

import math

import numpy as np
import pytest

from metrics_app.metrics.embeddings.distances import (
    Side,
    cosine,
    extrema,
    matching,
    movers_distance,
    split_sentences,
)


def test_cosine():
    assert cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0])) == 24 / 25
    assert cosine(np.zeros(2), np.ones(2)) is None


def test_extrema_keep_the_sign():
    vectors = np.array([[1.0, -5.0], [-2.0, 4.0]])
    assert extrema(vectors).tolist() == [-2.0, -5.0]


def test_each_token_is_matched_with_its_nearest():
    output = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]])
    reference = np.array([[5.0, 0.0], [3.0, 4.0]])
    found = matching(Side(output), Side(reference))
    # Nearest of the output's: 1, .8, .8; of the reference's: 1, .8.
    assert found.p == pytest.approx(2.6 / 3)
    assert found.r == pytest.approx(0.9)
    assert found.f == pytest.approx(2 * found.p * found.r / (found.p + found.r))


def test_blocks_of_rows_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))
    whole = matching(Side(a), Side(b))
    monkeypatch.setattr("metrics_app.metrics.embeddings.distances.BLOCK", 2)
    assert matching(Side(a), Side(b)) == pytest.approx(whole)


def test_earth_is_moved_by_the_shortest_way():
    a, b = np.array([[0.0], [10.0]]), np.array([[1.0], [12.0]])
    # Halves to halves: .5 * 1 + .5 * 2.
    assert movers_distance(a, b, np.ones(2), np.ones(2)) == pytest.approx(1.5)
    # A quarter must cross from 0 to 12: .25 * 1 + .25 * 12 + .5 * 2.
    moved = movers_distance(a, b, np.array([1.0, 1.0]), np.array([1.0, 3.0]))
    assert moved == pytest.approx(0.25 + 3 + 1)
    assert movers_distance(a, a, np.ones(2), np.ones(2)) == 0.0


def test_one_point_against_one_is_their_distance():
    a, b = np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])
    assert math.isclose(movers_distance(a, b, np.ones(1), np.ones(1)), 5.0)


def test_sentences():
    assert split_sentences("One. Two!  Three?\nFour 3.5 more。") == [
        "One.",
        "Two!",
        "Three?",
        "Four 3.5 more。",
    ]
    assert split_sentences(" \n ") == []
