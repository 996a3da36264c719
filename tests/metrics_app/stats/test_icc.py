import math

import numpy as np
import pandas as pd
import pingouin
import pytest

from metrics_app.stats.icc import FORMS, icc
from metrics_app.stats.lines.agreement import HANDLERS
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from tests.metrics_app.stats.oracle_cases import cases

N = math.nan
TEN = Scale.points(range(11), measurement="interval")
# Shrout and Fleiss (1979), table 2.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


def table_of(cells, scale=TEN):
    return RatingTable.from_array(np.array(cells, dtype=float), scale=scale)


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("ICC1", 0.17),
        ("ICC2", 0.29),
        ("ICC3", 0.71),
        ("ICC1k", 0.44),
        ("ICC2k", 0.62),
        ("ICC3k", 0.91),
    ],
)
def test_the_published_table(form, value):
    assert icc(table_of(SHROUT_FLEISS), form=form).value == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize("form", FORMS)
def test_a_range_gives_what_points_give(form):
    on_range = icc(table_of(SHROUT_FLEISS, Scale.range(0, 10)), form=form)
    on_points = icc(table_of(SHROUT_FLEISS), form=form)

    assert on_range.value == pytest.approx(on_points.value, abs=1e-12)
    assert on_range.ci == pytest.approx(on_points.ci, abs=1e-12)
    assert on_range.p == pytest.approx(on_points.p, abs=1e-12)


# pandas 3 deprecates an argument that pingouin still gives.
@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize("form", FORMS)
def test_pingouin_agrees(form):
    rng = np.random.default_rng(5)
    cells = np.round(5 + rng.normal(size=(30, 1)) + rng.normal(size=(30, 4)))
    frame = pd.DataFrame(cells).stack().reset_index()
    frame.columns = ["unit", "rater", "value"]

    estimate = icc(table_of(cells), form=form, confidence=0.95)

    peer = pingouin.intraclass_corr(frame, targets="unit", raters="rater", ratings="value")
    row = peer.set_index("Type").loc[_name_in(peer, form)]
    assert estimate.value == pytest.approx(row["ICC"], abs=1e-10)
    assert estimate.p == pytest.approx(row["pval"], rel=1e-8)
    ci = next(row[name] for name in ("CI95", "CI95%") if name in row)
    assert estimate.ci == pytest.approx(tuple(ci), abs=0.005)


def _name_in(peer, form):
    old = dict(zip(FORMS, ["ICC1", "ICC1k", "ICC2", "ICC2k", "ICC3", "ICC3k"], strict=True))
    return form if form in set(peer["Type"]) else old[form]


@pytest.mark.parametrize(
    "case", [case for case in cases("icc") if "ci_alt" in case.values[0]["expected"]]
)
def test_the_direct_interval_of_mcgraw_and_wong(case):
    answer = HANDLERS["icc"](case["options"], case["data"])

    assert answer["ci_mcgraw_wong"] == pytest.approx(case["expected"]["ci_alt"]["ci"], abs=1e-9)


@pytest.mark.parametrize(
    ("form", "value", "undefined"),
    [
        ("ICC(1,1)", -1 / 3, None),
        ("ICC(A,1)", 0.0, None),
        ("ICC(1,k)", N, "no_variance"),
        ("ICC(C,1)", N, "no_variance"),
        ("ICC(C,k)", N, "no_variance"),
    ],
)
def test_only_raters_differ(form, value, undefined):
    estimate = icc(table_of([[1, 2, 3, 4]] * 5), form=form)

    assert estimate.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert estimate.undefined == undefined


@pytest.mark.parametrize("form", FORMS)
def test_no_variance_anywhere(form):
    assert icc(table_of([[3, 3], [3, 3]]), form=form).undefined == "no_variance"


@pytest.mark.parametrize("form", FORMS)
def test_perfect_agreement(form):
    estimate = icc(table_of([[1, 1], [2, 2], [5, 5]]), form=form)

    assert (estimate.value, estimate.ci, estimate.p) == (1.0, (1.0, 1.0), 0.0)


def test_two_way_forms_use_complete_units_and_say_so():
    estimate = icc(table_of([*SHROUT_FLEISS, [1, N, 2, 3]]), form="ICC(A,1)")

    assert estimate.value == pytest.approx(icc(table_of(SHROUT_FLEISS)).value, abs=1e-12)
    assert (estimate.n_units, "1 units left out" in estimate.method) == (6, True)


def test_the_one_way_form_takes_units_of_unequal_size():
    # By hand: groups (1, 2), (3, 3, 6): MSB = 5.2083..., within 6.5 / 3, n0 = 5 - 13 / 5.
    estimate = icc(table_of([[1, 2, N], [3, 3, 6]]), form="ICC(1,1)")

    between = 2 * (1.5 - 3) ** 2 + 3 * (4 - 3) ** 2
    within = (0.5 + 6) / 3
    n0 = 5 - 13 / 5
    assert estimate.value == pytest.approx((between - within) / (between + (n0 - 1) * within))


def test_a_crowd_shares_no_unit():
    estimate = icc(table_of([[1, 2, N], [N, 3, 3]]), form="ICC(C,1)")

    assert estimate.undefined == "incomplete"


def test_one_unit_is_too_few():
    assert icc(table_of([[1, 2, 3]]), form="ICC(C,1)").undefined == "too_few_units"


def test_a_large_offset_costs_no_digits():
    far = Scale.range(0, 1e9)
    cells = np.array(SHROUT_FLEISS) + 5e8

    estimate = icc(table_of(cells, far))

    assert estimate.value == pytest.approx(icc(table_of(SHROUT_FLEISS)).value, rel=1e-9)


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match=r"form must be one of ICC\(1,1\)"):
        icc(table_of(SHROUT_FLEISS), form="ICC(9,1)")


@pytest.mark.parametrize("form", FORMS)
def test_units_that_do_not_differ_have_no_step_up(form):
    # The units have the same mean: the bound of one rating is -1 / (k - 1), a pole of the step-up.
    estimate = icc(table_of([[4, 1], [2, 3]]), form=form)

    assert estimate.ci is None or all(math.isfinite(bound) for bound in estimate.ci)


def test_mean_squares_that_cancel_out_are_no_denominator():
    # MS of rows 1/6, of columns 0, of error 1/2, and 1/6 + (0 - 1/2) / 3 is 0 but for rounding.
    found = icc(table_of([[1, 2], [1, 1], [2, 1]]), form="ICC(A,k)")

    assert (found.undefined, found.ci) == ("no_variance", None)


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        ("ICC(A,k)", [[1, 2], [2, 1], [2, 2], [2, 1]]),  # stepped up over the pole at -1
        ("ICC(A,1)", [[4, 1], [1, 4], [4, 1], [3, 2], [3, 1], [4, 1]]),
    ],
)
def test_bounds_that_do_not_hold_the_estimate_are_no_interval(form, cells):
    found = icc(table_of(cells), form=form)

    assert found.value < -0.6
    assert found.ci is None
