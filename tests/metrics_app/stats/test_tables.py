import numpy as np
import pytest

from metrics_app.stats.counts import CountTable
from metrics_app.stats.scales import Scale
from metrics_app.stats.table_checks import Coded
from metrics_app.stats.tables import RatingTable

FIVE = Scale.points(range(1, 6))


def test_rows_become_sorted_triples_without_blanks():
    rows = [("u2", "b", 4), ("u1", "b", 2), ("u2", "a", None), ("u1", "a", 1.0)]

    table = RatingTable.from_rows(rows, FIVE)

    assert table.unit_keys == ["u2", "u1"]
    assert table.rater_keys == ["b", "a"]
    assert table.unit.tolist() == [0, 1, 1]
    assert table.rater.tolist() == [0, 0, 1]
    assert table.value.tolist() == [4.0, 2.0, 1.0]
    assert table.n_missing == 1


def test_array_and_rows_give_the_same_table():
    cells = [[1, np.nan, 3], [2, 2, np.nan]]
    rows = [(u, r, cells[u][r]) for u in range(2) for r in range(3)]

    from_array = RatingTable.from_array(cells, scale=FIVE)
    from_rows = RatingTable.from_rows(rows, FIVE)

    for name in ("unit", "rater", "value"):
        assert getattr(from_array, name).tolist() == getattr(from_rows, name).tolist()
    assert np.array_equal(from_array.matrix(), np.array(cells), equal_nan=True)


def test_a_rating_given_twice_is_refused_by_name():
    with pytest.raises(ValueError, match=r"rater 'r1' rated unit 'u1' twice \(3 and 4\)"):
        RatingTable.from_rows([("u1", "r1", 3), ("u1", "r1", 4)], FIVE)


@pytest.mark.parametrize("value", [6, 2.5, float("inf"), -float("inf"), 0])
def test_a_value_off_the_scale_is_refused_with_its_place(value):
    with pytest.raises(ValueError, match="of unit 'u1' by rater 'r1' is not on the scale 1, 2, 3"):
        RatingTable.from_rows([("u1", "r1", value)], FIVE)


def test_the_number_of_other_values_off_the_scale_is_said():
    with pytest.raises(ValueError, match="and 2 more"):
        RatingTable.from_array([[9, 9], [1, 9]], scale=FIVE)


def test_numbers_are_compared_exactly():
    scale = Scale.points([0.1, 0.2, 0.3])

    with pytest.raises(ValueError, match="is not on the scale"):
        RatingTable.from_array([[0.1 + 0.2, 0.1]], scale=scale)


def test_a_range_admits_what_lies_on_its_steps():
    scale = Scale.range(0, 1, step=0.1)

    table = RatingTable.from_array([[0.3, 0.1 + 0.2], [1.0, 0.0]], scale=scale)

    assert table.n_ratings == 4
    with pytest.raises(ValueError, match=r"is not on the scale 0 to 1 in steps of 0\.1"):
        RatingTable.from_array([[0.35, 0.1]], scale=scale)


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="2 units, 1 raters, 2 values"):
        RatingTable.from_columns(["a", "b"], ["r"], [1, 2], scale=FIVE)


def test_rows_of_a_unit_must_agree_on_its_item():
    with pytest.raises(ValueError, match="unit 'u' has two keys of item: 'i' and 'j'"):
        RatingTable.from_columns(["u", "u"], ["r", "s"], [1, 2], scale=FIVE, item=["i", "j"])


def test_repeated_keys_of_an_array_are_refused():
    with pytest.raises(ValueError, match="2 raters need as many different keys"):
        RatingTable.from_array([[1, 2]], scale=FIVE, rater_keys=["a", "a"])


def test_selecting_units_keeps_their_keys_and_drops_silent_raters():
    table = RatingTable.from_array(
        [[1, 2, np.nan], [3, 4, 5]],
        scale=FIVE,
        rater_keys=["a", "b", "c"],
        system=["s", "t"],
    )

    part = table.select_units(np.array([True, False]))

    assert part.unit_keys == [0]
    assert part.rater_keys == ["a", "b"]
    assert part.value.tolist() == [1.0, 2.0]
    assert part.system.tolist() == ["s"]


def test_selecting_raters_keeps_all_units():
    table = RatingTable.from_array([[1, 2, 3], [3, 4, 5]], scale=FIVE, rater_keys=["a", "b", "c"])

    assert table.select_raters(["c", "a"]).matrix().tolist() == [[1, 3], [3, 5]]
    assert table.without_rater("a").matrix().tolist() == [[2, 3], [4, 5]]
    with pytest.raises(ValueError, match="no rater 'x' in the table"):
        table.select_raters(["x"])


def test_the_observed_scale_holds_what_occurs():
    table = RatingTable.from_array([[1, 5], [3, 3]], scale=FIVE)

    assert table.with_observed_scale().scale.values == (1.0, 3.0, 5.0)


def test_an_empty_table_is_a_table():
    table = RatingTable.from_rows([], FIVE)

    assert (table.n_units, table.n_raters, table.n_ratings) == (0, 0, 0)


def test_patterns_count_units_that_look_alike():
    table = RatingTable.from_array(
        [[1, 2], [1, 2], [2, 1], [np.nan, 2], [np.nan, np.nan]], scale=Scale.points([1, 2])
    )

    told_apart = table.rater_patterns

    seen = {
        tuple(cells): n
        for cells, n in zip(told_apart.cells.tolist(), told_apart.times, strict=True)
    }
    assert seen == {(0, 1): 2, (1, 0): 1, (-1, 1): 1}
    assert told_apart.of_unit[-1] == -1
    assert told_apart.n_units == 4


def test_many_raters_are_not_told_apart_but_counted():
    cells = np.full((3, 60), np.nan)
    cells[0, :2], cells[1, 5:7], cells[2, 8:10] = [1, 2], [2, 1], [2, 2]
    table = RatingTable.from_array(cells, scale=Scale.points([1, 2]))

    assert table.rater_patterns is None
    patterns = table.patterns
    seen = {
        tuple(counts): n for counts, n in zip(patterns.counts.tolist(), patterns.times, strict=True)
    }
    assert seen == {(1.0, 1.0): 2, (0.0, 2.0): 1}


@pytest.mark.parametrize("counts", [[[1, -1]], [[1, 0.5]], [[1, np.nan]], [1, 2], [[]]])
def test_counts_must_be_whole_numbers_in_two_dimensions(counts):
    with pytest.raises(ValueError, match="counts"):
        CountTable.from_counts(counts)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scale.points([]), "at least one point"),
        (lambda: Scale.points([2, 1]), "must ascend"),
        (lambda: Scale.points([1, 1]), "must ascend"),
        (lambda: Scale.points([1, float("nan")]), "finite"),
        (lambda: Scale.points([1, 2], labels=["a"]), "as many labels"),
        (lambda: Scale.points([1, 2], measurement="likert"), "measurement must be one of"),
        (lambda: Scale.named(["a", "a"]), "same name"),
        (lambda: Scale.range(1, 1), "minimum < maximum"),
        (lambda: Scale.range(0, 1, step=2), "step of a range"),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_positions_among_keys_give_the_table_of_the_keys_in_the_order_of_these():
    units, raters, values = ["b", "a", "b", "c"], ["y", "x", "x", "y"], [1, 2, 3, 4]
    columns = {"item": ["k", "j", "k", "j"]}
    coded = [
        Coded(np.array([names.index(key) for key in column]), names)
        for names, column in (("abc", units), ("xyz", raters), ("jk", columns["item"]))
    ]
    scale = Scale.points(range(1, 6))

    plain = RatingTable.from_columns(units, raters, values, scale=scale, **columns)
    found = RatingTable.from_columns(
        *coded[:2], np.array(values, float), scale=scale, item=coded[2]
    )

    assert (plain.unit_keys, plain.rater_keys) == (["b", "a", "c"], ["y", "x"])
    assert (found.unit_keys, found.rater_keys) == (["a", "b", "c"], ["x", "y"])
    assert found.item.tolist() == ["j", "k", "j"]
    order = np.ix_([1, 0, 2], [1, 0])
    assert np.array_equal(found.matrix(), plain.matrix()[order], equal_nan=True)


def test_positions_whose_rows_of_a_unit_disagree_are_refused_by_name():
    unit, item = Coded(np.array([0, 0]), ["u"]), Coded(np.array([0, 1]), ["j", "k"])

    with pytest.raises(ValueError, match="unit 'u' has two keys of item: 'j' and 'k'"):
        RatingTable.from_columns(unit, ["x", "y"], [1, 2], scale=Scale.points((1, 2)), item=item)
