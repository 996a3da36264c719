"""What holds for every coefficient of agreement, run over the registry."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metrics_app.registry import FAMILIES
from metrics_app.stats.counts import CountTable
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

NA = np.nan
SCALE = Scale.points([1, 2, 3, 4], measurement="interval")
COEFFICIENTS = [
    entry
    for entry in FAMILIES["agreement"]
    if entry.takes.startswith("ratings")
    and entry.name not in ("identical_pairs", "agreement_report")
]
ON_COUNTS = [entry for entry in COEFFICIENTS if entry.takes == "ratings or counts"]
BY_NAME = {entry.name: entry for entry in COEFFICIENTS}
# Two raters only; the mean over pairs of raters is asked to take pairs of any size.
OPTIONS = {"cohen_kappa": {"min_shared": 1}}
TWO_RATERS = {"scott_pi"}
# Kendall's W and the two-way ICC leave out units with a gap, so a gap may leave too few.
COMPLETE = {"kendall_w", "icc"}
KAPPAS = ["cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "krippendorff_alpha_gwet"]

each = pytest.mark.parametrize("entry", COEFFICIENTS, ids=lambda entry: entry.name)
relaxed = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def compute(entry, values, scale=SCALE, **options):
    table = RatingTable.from_array(values, scale=scale)
    return entry(table, **OPTIONS.get(entry.name, {}), **options)


def draw(entry, seed, n_units=12):
    """Return random ratings, about one in ten missing where the coefficient takes gaps."""
    rng = np.random.default_rng(seed)
    n_raters = 2 if entry.name in TWO_RATERS else 3
    values = rng.integers(1, 5, size=(n_units, n_raters)).astype(float)
    if entry.name not in COMPLETE:
        values[rng.random(values.shape) < 0.1] = NA
    return values


def assert_equal(first, second):
    assert second.undefined == first.undefined
    assert second.value == pytest.approx(first.value, abs=1e-10, nan_ok=True)
    assert second.se == pytest.approx(first.se, abs=1e-8, nan_ok=True)


@each
@relaxed
@given(seed=st.integers(0, 10**6), data=st.data())
def test_names_of_raters_and_order_of_units_do_not_matter(entry, seed, data):
    values = draw(entry, seed)
    raters = data.draw(st.permutations(range(values.shape[1])))
    units = data.draw(st.permutations(range(len(values))))
    assert_equal(compute(entry, values), compute(entry, values[units][:, raters]))


@each
def test_full_agreement_is_one(entry):
    values = np.repeat(np.array([1, 2, 3, 4, 2, 1.0]), 2).reshape(-1, 2)
    assert compute(entry, values).value == pytest.approx(1)


@each
def test_one_category_everywhere_is_undefined_or_declared(entry):
    found = compute(entry, np.full((5, 2), 3.0))
    if entry.name in ("percent_agreement", "within_one", "gwet_ac", "brennan_prediger"):
        # These have a meaning with the declared categories.
        assert found.value == pytest.approx(1)
    else:
        assert found.undefined
        assert np.isnan(found.value)


@each
@pytest.mark.parametrize(
    "values",
    [
        np.full((3, 2), NA),
        np.array([[1, NA], [NA, 2], [3, NA]]),
        np.array([[1.0], [2.0], [4.0]]),
    ],
    ids=["all missing", "no pair", "one rater"],
)
def test_without_pairs_it_is_undefined(entry, values):
    found = compute(entry, values)
    assert found.undefined
    assert np.isnan(found.value)
    assert np.isnan(found.se)


@each
@relaxed
@given(seed=st.integers(0, 10**6))
def test_a_unit_without_ratings_changes_nothing(entry, seed):
    values = draw(entry, seed)
    longer = np.vstack([values, np.full((1, values.shape[1]), NA)])
    assert_equal(compute(entry, values), compute(entry, longer))


@pytest.mark.parametrize("entry", ON_COUNTS, ids=lambda entry: entry.name)
@relaxed
@given(seed=st.integers(0, 10**6))
def test_counts_say_the_same_as_ratings(entry, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 5, size=(12, 2)).astype(float)
    if entry.name == "cohen_kappa":
        pytest.skip("counts do not say who gave which rating; the table of two raters does")
    counts = [[(row == point).sum() for point in SCALE.values] for row in values]
    table = CountTable.from_counts(counts, scale=SCALE)
    assert_equal(compute(entry, values), entry(table))


@pytest.mark.parametrize("name", [n for n in BY_NAME if n not in ("kendall_w", "icc")])
@relaxed
@given(seed=st.integers(0, 10**6), swapped=st.permutations([1, 2, 3, 4]))
def test_names_of_categories_do_not_matter_where_order_does_not(name, seed, swapped):
    if name == "within_one":
        pytest.skip("neighbouring points are its meaning")
    entry, values = BY_NAME[name], draw(BY_NAME[name], seed)
    options = {"measurement": "nominal"} if name == "krippendorff_alpha" else {}
    renamed = np.where(
        np.isnan(values), NA, np.array([0, *swapped])[np.nan_to_num(values).astype(int)]
    )
    assert_equal(compute(entry, values, **options), compute(entry, renamed, **options))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("icc", {"form": "ICC(A,1)"}),
        ("icc", {"form": "ICC(C,1)"}),
        ("icc", {"form": "ICC(1,1)"}),
        ("kendall_w", {}),
        ("krippendorff_alpha", {"measurement": "interval"}),
        ("krippendorff_alpha", {"measurement": "ordinal"}),
        *[(name, {"weights": w}) for name in KAPPAS for w in ("linear", "quadratic")],
    ],
    ids=str,
)
@relaxed
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.5, 2, 10]), shift=st.integers(-9, 9))
def test_shift_and_scale_of_the_points_do_not_matter(name, options, seed, scale, shift):
    entry = BY_NAME[name]
    values = draw(entry, seed)
    points = Scale.points([shift + scale * p for p in SCALE.values], measurement="interval")
    plain = compute(entry, values, **options)
    moved = compute(entry, shift + scale * values, points, **options)
    assert_equal(plain, moved)


@relaxed
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.5, 2, 10]))
def test_scale_does_not_matter_to_the_ratio_distance(seed, scale):
    entry = BY_NAME["krippendorff_alpha"]
    values = draw(entry, seed)
    points = Scale.points([scale * p for p in SCALE.values], measurement="ratio")
    plain = compute(entry, values, Scale.points(SCALE.values, measurement="ratio"))
    assert_equal(plain, compute(entry, scale * values, points))


@pytest.mark.parametrize("name", KAPPAS)
@relaxed
@given(seed=st.integers(0, 10**6), share=st.floats(0.1, 0.9))
def test_rescaled_weights_do_not_matter(name, seed, share):
    entry, values = BY_NAME[name], draw(BY_NAME[name], seed)
    gaps = np.abs(np.subtract.outer(SCALE.values, SCALE.values))
    weights = 1 - (gaps / 3) ** 2
    softened = share * weights + (1 - share)
    assert_equal(compute(entry, values, weights=weights), compute(entry, values, weights=softened))
