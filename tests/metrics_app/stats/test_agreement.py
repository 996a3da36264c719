"""Agreement against hand-worked values, other libraries, and the limits of the data."""

import math

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from metrics_app.stats.agreement import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    krippendorff_alpha_gwet,
    percent_agreement,
    scott_pi,
    within_one,
)
from metrics_app.stats.counts import CountTable
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.scales import MEASUREMENTS, Scale
from metrics_app.stats.tables import RatingTable

N = math.nan
FIVE = Scale.points(range(1, 6), measurement="ratio")
CORRECTED = [
    fleiss_kappa,
    conger_kappa,
    cohen_kappa,
    scott_pi,
    krippendorff_alpha,
    krippendorff_alpha_gwet,
]
# Krippendorff (2011), four observers and twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T


def table_of(cells, scale=FIVE):
    return RatingTable.from_array(cells, scale=scale)


def noisy(n_units=60, n_raters=4, share_missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, size=(n_units, 1))
    cells = np.where(
        rng.random((n_units, n_raters)) < 0.5, truth, rng.integers(1, 6, (n_units, n_raters))
    ).astype(float)
    cells[rng.random(cells.shape) < share_missing] = N
    return cells


@pytest.mark.parametrize(
    ("measurement", "value"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_reaches_the_published_table(measurement, value):
    estimate = krippendorff_alpha(table_of(OBSERVERS), measurement=measurement)

    assert estimate.value == pytest.approx(value, abs=0.0006)
    assert (estimate.n_units, estimate.n_ratings, estimate.n_missing) == (12, 41, 7)


@pytest.mark.parametrize("measurement", MEASUREMENTS)
@pytest.mark.parametrize("share_missing", [0.0, 0.3])
def test_alpha_equals_the_krippendorff_package(measurement, share_missing):
    cells = noisy(share_missing=share_missing)

    estimate = krippendorff_alpha(table_of(cells), measurement=measurement)

    peer = krippendorff.alpha(
        reliability_data=cells.T, level_of_measurement=measurement, value_domain=[1, 2, 3, 4, 5]
    )
    assert estimate.value == pytest.approx(peer, abs=1e-12)


@pytest.mark.parametrize("measurement", ["ordinal", "interval", "ratio"])
def test_alpha_of_a_range_equals_alpha_of_its_points(measurement):
    cells = noisy(share_missing=0.3)
    on_range = Scale.range(0, 100, measurement="ratio")

    estimate = krippendorff_alpha(table_of(cells, on_range), measurement=measurement)

    expected = krippendorff_alpha(table_of(cells), measurement=measurement)
    assert estimate.value == pytest.approx(expected.value, abs=1e-12)


def test_ratio_alpha_takes_two_zeros_as_equal():
    cells = np.array([[0, 0], [1, 1], [2, 2], [0, 1]], dtype=float)
    scale = Scale.points([0, 1, 2], measurement="ratio")

    estimate = krippendorff_alpha(table_of(cells, scale), measurement="ratio")

    # Observed: one pair at distance 1, twice, over 8 values. Expected: n = (3, 3, 2) of 0, 1, 2;
    # 0 against 1 and 2 is 1, 1 against 2 is 1/9.
    expected = 2 * (3 * 3 + 3 * 2 + 3 * 2 / 9)
    assert estimate.value == pytest.approx(1 - 7 * 2 / expected, abs=1e-12)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_cohen_equals_scikit_learn(weights):
    cells = noisy(n_raters=2)

    estimate = cohen_kappa(table_of(cells), weights=weights)

    name = None if weights == "unweighted" else weights
    peer = cohen_kappa_score(*cells.T, weights=name, labels=[1, 2, 3, 4, 5])
    assert estimate.value == pytest.approx(peer, abs=1e-12)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_cohen_errors_equal_statsmodels(weights):
    cells = noisy(n_raters=2, seed=3)
    counts = np.zeros((5, 5))
    np.add.at(counts, tuple(cells.T.astype(int) - 1), 1)

    estimate = cohen_kappa(table_of(cells), weights=weights, confidence=0.95)

    names = {"unweighted": None, "linear": "linear", "quadratic": "quadratic"}
    peer = inter_rater.cohens_kappa(counts, wt=names[weights])
    assert estimate.value == pytest.approx(peer.kappa, abs=1e-12)
    assert estimate.se == pytest.approx(peer.std_kappa, abs=1e-12)
    assert estimate.details["se_null"] == pytest.approx(peer.std_kappa0, abs=1e-12)
    assert estimate.ci == pytest.approx((peer.kappa_low, peer.kappa_upp), abs=1e-12)


def test_fleiss_equals_statsmodels():
    cells = noisy()
    counts, _ = inter_rater.aggregate_raters(cells.astype(int))

    estimate = fleiss_kappa(table_of(cells))

    assert estimate.value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize(
    "statistic",
    [percent_agreement, fleiss_kappa, gwet_ac, brennan_prediger, krippendorff_alpha_gwet],
)
@pytest.mark.parametrize("weights", ["unweighted", "ordinal", "radical"])
def test_counts_say_the_same_as_ratings(statistic, weights):
    cells = noisy(share_missing=0.2)
    counts = np.stack([(cells == value).sum(axis=1) for value in range(1, 6)], axis=1)

    of_ratings = statistic(table_of(cells), weights=weights)
    of_counts = statistic(CountTable.from_counts(counts, scale=FIVE), weights=weights)

    assert of_counts.value == pytest.approx(of_ratings.value, abs=1e-12)
    assert of_counts.se == pytest.approx(of_ratings.se, abs=1e-12)
    assert of_counts.ci == pytest.approx(of_ratings.ci, abs=1e-12)


def test_counts_with_unequal_raters_need_no_assertion():
    # statsmodels asserts here; by hand pa = (1/3 + 0) / 2 and shares (7/12, 5/12).
    table = CountTable.from_counts([[2, 1], [1, 1]])

    estimate = fleiss_kappa(table)

    pa, pe = 1 / 6, (7 / 12) ** 2 + (5 / 12) ** 2
    assert estimate.value == pytest.approx((pa - pe) / (1 - pe), abs=1e-12)


def test_conger_of_two_raters_is_cohen():
    table = table_of(noisy(n_raters=2))

    assert conger_kappa(table).value == pytest.approx(cohen_kappa(table).value, abs=1e-12)
    assert scott_pi(table).value == fleiss_kappa(table).value


def test_conger_with_many_raters_equals_conger_with_few():
    # 24 raters are too many to be told apart as patterns, three are not.
    cells = noisy(n_raters=3, share_missing=0.2)
    wide = np.full((len(cells), 24), N)
    wide[:, :3] = cells
    wide[0, 3:] = 1.0
    narrow = table_of(wide)
    assert narrow.rater_patterns is None

    estimate = conger_kappa(narrow.select_raters(range(3)))

    assert estimate.value == pytest.approx(conger_kappa(table_of(cells)).value, abs=1e-12)
    slow = conger_kappa(narrow)
    assert slow.se > 0
    assert slow.value == pytest.approx(_conger_by_definition(wide), abs=1e-12)


def _conger_by_definition(cells):
    shares = np.array(
        [[(column == value).sum() for value in range(1, 6)] for column in cells.T], dtype=float
    )
    shares /= shares.sum(axis=1, keepdims=True)
    r = len(shares)
    pe = np.mean([shares[g] @ shares[h] for g in range(r) for h in range(r) if g != h])
    pairs = [
        np.mean([a == b for i, a in enumerate(row) for j, b in enumerate(row) if i != j])
        for row in (unit[~np.isnan(unit)] for unit in cells)
        if row.size > 1
    ]
    return (np.mean(pairs) - pe) / (1 - pe)


def test_within_one_counts_neighbours_as_agreement():
    table = table_of([[1, 2], [1, 3], [4, 4], [5, 4]])

    assert within_one(table).value == 0.75


def test_the_order_of_words_is_the_declared_one():
    # scikit-learn sorts high, low, mid and finds .25.
    scale = Scale.named(["low", "mid", "high"], measurement="ordinal")
    table = table_of(np.array([[1, 1], [2, 3], [3, 3], [2, 1]], dtype=float), scale)

    assert cohen_kappa(table, weights="linear").value == pytest.approx(0.5, abs=1e-12)


def test_three_raters_weighted_fleiss_follows_the_declared_order():
    # kgwet/irrCAC#3: words sorted as ind < neg < pos gave another number than neg < ind < pos.
    cells = np.array([[1, 1, 2], [2, 3, 3], [1, 2, 3], [3, 3, 3], [1, 1, 1]], dtype=float)
    ordered = table_of(cells, Scale.points([1, 2, 3]))
    alphabetic = table_of(
        np.select([cells == 1, cells == 2], [2.0, 1.0], 3.0), Scale.points([1, 2, 3])
    )

    difference = (
        fleiss_kappa(ordered, weights="linear").value
        - fleiss_kappa(alphabetic, weights="linear").value
    )
    assert abs(difference) > 0.01


@pytest.mark.parametrize("statistic", CORRECTED)
def test_equal_ratings_define_no_correction_for_chance(statistic):
    estimate = statistic(table_of([[3, 3], [3, 3], [3, 3]]))

    assert math.isnan(estimate.value)
    assert estimate.undefined == "one_category"
    assert estimate.details["pa"] == 1.0
    assert estimate.as_json()["value"] is None


@pytest.mark.parametrize("statistic", [gwet_ac, brennan_prediger])
def test_declared_points_define_agreement_of_equal_ratings(statistic):
    cells = [[3, 3], [3, 3], [3, 3]]

    estimate = statistic(table_of(cells))
    assert (estimate.value, estimate.se, estimate.ci) == (1.0, 0.0, (1.0, 1.0))
    alone = statistic(table_of(cells).with_observed_scale())
    assert (alone.undefined, alone.details["pa"]) == ("one_category", 1.0)


EVERY = [*CORRECTED, percent_agreement, within_one, gwet_ac, brennan_prediger]


@pytest.mark.parametrize("statistic", EVERY)
@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (np.zeros((0, 0)), "all_missing"),
        ([[N, N], [N, N]], "all_missing"),
        ([[1], [2]], "too_few_raters"),
        ([[1, N], [N, 2]], "no_pairs"),
    ],
)
def test_data_that_define_nothing(statistic, cells, reason):
    estimate = statistic(table_of(np.array(cells, dtype=float)))

    assert (estimate.undefined, math.isnan(estimate.value)) == (reason, True)


@pytest.mark.parametrize("statistic", EVERY)
def test_a_range_has_no_categories(statistic):
    table = table_of([[0.5, 1], [2, 3]], Scale.range(0, 10))
    options = {"measurement": "nominal"} if statistic is krippendorff_alpha else {}

    assert statistic(table, **options).undefined == "not_on_this_scale"


@pytest.mark.parametrize("statistic", [fleiss_kappa, conger_kappa, cohen_kappa, gwet_ac])
def test_names_without_an_order_have_no_weights(statistic):
    table = table_of([[1, 2], [2, 2], [1, 1]], Scale.named(["a", "b"]))

    assert statistic(table, weights="linear").undefined == "not_on_this_scale"
    assert statistic(table).undefined is None


def test_ratios_need_a_scale_without_negative_values():
    table = table_of([[-1, 1], [1, 1]], Scale.points([-1, 0, 1], measurement="ratio"))

    assert krippendorff_alpha(table).undefined == "not_on_this_scale"


def test_alpha_drops_units_with_one_value_first():
    # Only the value 1 is pairable; the lone 2 does not save alpha, but it is in Gwet's shares.
    table = table_of([[1, 1], [1, 1], [2, N]])

    assert krippendorff_alpha(table, measurement="nominal").undefined == "one_category"
    assert fleiss_kappa(table).value == 1.0


def test_one_unit_has_a_value_and_no_error():
    estimate = fleiss_kappa(table_of([[1, 1, 2]]))

    # pa = 1/3, shares (2/3, 1/3): (1/3 - 5/9) / (4/9).
    assert estimate.value == pytest.approx(-0.5, abs=1e-12)
    assert (math.isnan(estimate.se), estimate.ci) == (True, None)
    # Davies-Fleiss and Conger: 0 (nltk averages pairs and counts the undefined one as 1).
    assert conger_kappa(table_of([[1, 1, 2]])).value == pytest.approx(0.0, abs=1e-12)


def test_weights_by_which_every_pair_agrees_leave_nothing_to_correct():
    estimate = fleiss_kappa(table_of([[1, 2], [2, 3]]), weights=np.ones((5, 5)))

    assert estimate.undefined == "chance_is_certain"


def test_a_rater_without_variance_makes_kappa_exactly_zero():
    assert cohen_kappa(table_of([[1, 1], [1, 1], [1, 2], [1, 1]])).value == 0.0


def test_scott_is_for_two_raters():
    with pytest.raises(ValueError, match="take fleiss_kappa"):
        scott_pi(table_of([[1, 1, 2]]))


@pytest.mark.parametrize("statistic", [conger_kappa, cohen_kappa])
def test_counts_do_not_say_who_rated(statistic):
    with pytest.raises(ValueError, match="needs to know who rated"):
        statistic(CountTable.from_counts([[1, 1]]))


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_confidence_is_a_share(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        fleiss_kappa(table_of([[1, 2], [2, 2]]), confidence=confidence)


def test_a_narrower_confidence_gives_a_narrower_interval():
    table = table_of(noisy())

    wide, narrow = (fleiss_kappa(table, confidence=level).ci for level in (0.95, 0.9))

    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_fleiss_null_error_is_kept_apart():
    # Fleiss (1971), table 1, by irr: z 17.65 under kappa = 0.
    estimate = fleiss_kappa(table_of(noisy()))

    z = estimate.value / estimate.details["se_null"]
    assert estimate.details["z_null"] == pytest.approx(z)
    assert estimate.se != pytest.approx(estimate.details["se_null"])


def test_the_method_is_said_in_words():
    estimate = gwet_ac(table_of(noisy()), weights="linear")

    assert estimate.method == "Gwet's AC2, linear weights; p two-sided"
    assert estimate.ci_method == "t, df 59, Gwet's linearised error"
