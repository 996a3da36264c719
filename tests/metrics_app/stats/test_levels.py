"""System, summary and global level; gaps, undefined groups, tidy rows."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.levels import (
    correlate,
    global_correlation,
    grouped_correlation,
    summary_correlation,
    system_correlation,
)
from metrics_app.stats.scores import ScoreMatrix

METRIC = [[0.2, 0.5, 0.5, 0.9], [0.4, 0.5, 0.7, 0.1], [0.6, 0.5, 0.2, 0.4]]
HUMAN = [[1, 2, 3, 4], [2, 3, 5, 1], [2, 1, 1, 4]]


@pytest.fixture
def matrix():
    return ScoreMatrix.from_arrays(METRIC, HUMAN)


def test_system_level_correlates_means(matrix):
    result = system_correlation(matrix, "pearson")

    reference = stats.pearsonr(np.mean(METRIC, axis=1), np.mean(HUMAN, axis=1))
    assert result.value == pytest.approx(reference.statistic)
    assert result.p == pytest.approx(reference.pvalue)
    assert (result.n_units, result.details["n_items"]) == (3, 4)


def test_summary_level_averages_items_and_counts_the_undefined(matrix):
    result = summary_correlation(matrix, "spearman")
    zero = summary_correlation(matrix, "spearman", undefined_groups="zero")

    by_item = [
        stats.spearmanr(np.array(METRIC)[:, i], np.array(HUMAN)[:, i]).statistic for i in (0, 2, 3)
    ]
    assert result.value == pytest.approx(np.mean(by_item))
    assert (result.n_units, result.n_undefined) == (3, 1)
    interval = stats.t.interval(0.95, 2, np.mean(by_item), stats.sem(by_item))
    assert result.ci == pytest.approx(interval)
    assert zero.value == pytest.approx(sum(by_item) / 4)
    assert zero.n_undefined == 1


def test_a_cell_counts_only_where_both_sides_have_it():
    # google-research/mt-metrics-eval#4: averages over different segments are not comparable.
    metric = [[1, 100], [2, 3], [3, 4]]
    human = [[1, None], [2, 3], [4, 4]]

    result = system_correlation(ScoreMatrix.from_arrays(metric, human), "pearson")

    assert result.value == pytest.approx(stats.pearsonr([1, 2.5, 3.5], [1, 2.5, 4]).statistic)
    assert result.n_missing == 1


def test_system_without_a_cell_is_left_out():
    gap = ScoreMatrix.from_arrays([*METRIC, [None] * 4], [*HUMAN, [5] * 4])

    assert system_correlation(gap, "pearson").value == pytest.approx(
        system_correlation(ScoreMatrix.from_arrays(METRIC, HUMAN), "pearson").value
    )
    assert system_correlation(gap, "pearson").n_units == 3


def test_grouping_by_item_by_system_and_not_at_all(matrix):
    turned = ScoreMatrix.from_arrays(np.array(METRIC).T, np.array(HUMAN).T)

    def value(table, by):
        return grouped_correlation(table, "kendall_tau_b", group_by=by).value

    assert value(matrix, "item") == summary_correlation(matrix, "kendall_tau_b").value
    assert value(matrix, "none") == global_correlation(matrix, "kendall_tau_b").value
    assert value(matrix, "system") == value(turned, "item")


@pytest.mark.parametrize(
    ("level", "reason"),
    [("system", "too_few_units"), ("summary", "no_defined_group"), ("global", "constant_input")],
)
def test_undefined(level, reason):
    one_system = ScoreMatrix.from_arrays([[1, 1, 1]], [[1, 2, 3]])

    result = correlate(one_system, level=level, coefficient="pearson")

    assert result.undefined == reason
    assert math.isnan(result.value)
    assert result.as_json()["value"] is None


def test_tidy_rows_become_the_table():
    rows = [("a", "i1", 1.0, 2.0), ("b", "i1", 2.0, None), ("a", "i2", 3.0, 4.0)]

    matrix = ScoreMatrix.from_rows(rows)

    assert (matrix.systems, matrix.items) == (("a", "b"), ("i1", "i2"))
    assert matrix.complete.tolist() == [[True, True], [False, False]]
    assert matrix.human[0].tolist() == [2, 4]


def test_two_rows_for_one_output_are_refused_by_name():
    with pytest.raises(ValueError, match="system 'a' has two rows for item 'i1'"):
        ScoreMatrix.from_rows([("a", "i1", 1, 2), ("a", "i1", 1, 2)])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([[1, 2]], [[1]]), "metric is 1 x 2 and human is 1 x 1"),
        (([[1], [1, 2]], [[1]]), "metric must be rows of numbers of equal length"),
        (([[1, math.inf]], [[1, 2]]), "metric holds an infinite number in row 1, column 2"),
        (([1, 2], [1, 2]), "systems as rows"),
    ],
)
def test_bad_tables_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        ScoreMatrix.from_arrays(*arguments)


def test_keys_must_fit_and_not_repeat():
    with pytest.raises(ValueError, match="1 keys for 2 systems"):
        ScoreMatrix.from_arrays([[1], [2]], [[1], [2]], systems=["a"])
    with pytest.raises(ValueError, match="'a' stands for two of the systems"):
        ScoreMatrix.from_arrays([[1], [2]], [[1], [2]], systems=["a", "a"])


def test_unknown_names_are_refused(matrix):
    with pytest.raises(ValueError, match="there is no level 'document'"):
        correlate(matrix, level="document", coefficient="pearson")
    with pytest.raises(ValueError, match="there is no coefficient 'tau'"):
        summary_correlation(matrix, "tau")
    with pytest.raises(ValueError, match="undefined_groups must be drop or zero"):
        summary_correlation(matrix, "pearson", undefined_groups="one")
