"""The lists of a report as flat tables."""

from dataclasses import dataclass

from metrics_app.reports.tables import table_of


@dataclass(frozen=True)
class Row:
    value: float
    ci: tuple[float, float] | None
    effects: dict[str, float]
    ratings: dict[str, float]


def test_intervals_and_mappings_become_columns_and_ratings_stay_one():
    rows = [Row(1.5, (1.0, 2.0), {"d": 0.5}, {"w1": 3.0, "w2": 2.5}), Row(2.0, None, {}, {})]

    table = table_of("rows", rows)

    assert table.header == ("value", "ci_low", "ci_high", "effects.d", "ratings")
    assert table.rows == ((1.5, 1.0, 2.0, 0.5, "w1: 3; w2: 2.5"), (2.0, None, None, None, ""))


def test_what_is_no_finite_number_is_empty_as_in_the_json():
    table = table_of("rows", [Row(float("nan"), (float("-inf"), 2.0), {"d": float("inf")}, {})])

    assert table.rows == ((None, None, 2.0, None, ""),)
