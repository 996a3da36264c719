"""The table of labels."""

import numpy as np
import pytest

from metrics_app.stats.labels import LabelTable


def test_rows_become_positions_and_missing_labels_are_counted():
    table = LabelTable.from_rows([("a", "t1", 10), ("b", "t1", 9), ("a", "t2", None)])

    assert table.categories == (9, 10)
    assert (table.units, table.judges, table.n_missing) == (("t1",), ("a", "b"), 1)
    assert table.votes.tolist() == [[1, 1]]


def test_repeated_labels_count_separately():
    table = LabelTable.from_rows([("a", "t", "x"), ("a", "t", "x"), ("a", "t", "y")])

    assert table.votes.tolist() == [[2, 1]]


def test_declared_categories_keep_their_order_and_may_be_unused():
    table = LabelTable.from_rows([("a", "t", "mid")], categories=["low", "mid", "high"])

    assert table.votes.tolist() == [[0, 1, 0]]


def test_an_unknown_category_is_named():
    with pytest.raises(ValueError, match="judge 'a' gave unit 't' the unknown label 'z'"):
        LabelTable.from_rows([("a", "t", "z")], categories=["x"])


@pytest.mark.parametrize("row", [("a", "t"), "abc"])
def test_a_row_of_the_wrong_shape_is_named(row):
    with pytest.raises(ValueError, match="row 1 must hold judge, unit and label"):
        LabelTable.from_rows([row])


def test_sums_go_to_their_places():
    table = LabelTable.from_rows([("a", "t1", 0), ("b", "t1", 1), ("a", "t2", 1)])
    weights = np.array([1.0, 2.0, 4.0])

    assert table.per_judge(weights).tolist() == [5, 2]
    assert table.per_unit(weights).tolist() == [3, 4]
    assert table.per_judge_and_label(weights).tolist() == [[1, 4], [0, 2]]
