"""Agreement with bootstrap intervals against the tools people would pick, on the same ratings."""

import resource
import time
import warnings

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from metrics_app.stats.agreement import fleiss_kappa
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.coefficients import coefficients_for
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from tests.benchmarks.row import Row

FOUR = Scale.points(range(1, 5), measurement="interval")
FIVE = Scale.points(range(1, 6), measurement="interval")
N_RESAMPLES = 1000
THIRTEEN = {
    ("percent_agreement", "unweighted"),
    ("fleiss_kappa", "unweighted"),
    ("conger_kappa", "unweighted"),
    ("brennan_prediger", "unweighted"),
    *(("cohen_kappa", weights) for weights in ("unweighted", "linear", "quadratic")),
    *(("gwet_ac", weights) for weights in ("unweighted", "linear", "quadratic")),
    *(("krippendorff_alpha", level) for level in ("nominal", "ordinal", "interval")),
}


def rows():
    """Yield the rows of the bench, small work first."""
    for n_units, n_timed in ((1_000, 50), (10_000, 20), (100_000, 4), (1_000_000, 1)):
        yield _against_krippendorff(n_units, n_timed)
    yield _against_statsmodels()
    yield _every_coefficient()
    yield from _point_estimates()
    yield _crowd()


def _ratings(n_units, n_raters=3, n_points=4):
    rng = np.random.default_rng(n_units)
    truth = rng.integers(1, n_points + 1, size=(n_units, 1))
    noise = rng.integers(1, n_points + 1, size=(n_units, n_raters))
    return np.where(rng.random((n_units, n_raters)) < 0.6, truth, noise).astype(float)


def _cpu(work, n_times=1):
    start = time.process_time()
    for _ in range(n_times):
        work()
    return (time.process_time() - start) / n_times


def _report(ratings, names=None):
    # From the bare array, as the peers are fed: the checks of the table are part of the time.
    table = RatingTable.from_array(ratings, scale=FOUR)
    chosen = [
        coefficient
        for coefficient in coefficients_for(table)
        if names is None or (coefficient.statistic, *coefficient.options.values()) in names
    ]
    return agreement_report(
        table, rng=np.random.default_rng(0), coefficients=chosen, n_resamples=N_RESAMPLES
    )


def _against_krippendorff(n_units, n_timed):
    ratings, rng = _ratings(n_units), np.random.default_rng(1)
    ours = _cpu(lambda: _report(ratings, THIRTEEN), 3)
    theirs = N_RESAMPLES * _cpu(
        lambda: krippendorff.alpha(
            ratings[rng.integers(n_units, size=n_units)].T, level_of_measurement="nominal"
        ),
        n_timed,
    )
    work = f"13 coefficients, 1,000 resamples, 3 raters x 4 points, {n_units:,} items"
    note = f"peer: one nominal alpha, linear from {n_timed} resample{'s' if n_timed > 1 else ''}"
    return Row(work, ours, "krippendorff", theirs, theirs / ours, note)


def _against_statsmodels():
    ratings, rng = _ratings(1_000).astype(int), np.random.default_rng(1)
    ours = _cpu(lambda: _report(ratings, THIRTEEN), 5)

    def peer():
        drawn = ratings[rng.integers(1_000, size=1_000)]
        counts = np.stack([(drawn == value).sum(axis=1) for value in range(1, 5)], axis=1)
        inter_rater.fleiss_kappa(counts)

    theirs = N_RESAMPLES * _cpu(peer, 200)
    work = "13 coefficients, 1,000 resamples, 1,000 items"
    note = "peer: one Fleiss kappa on ready counts, linear from 200 resamples"
    return Row(work, ours, "statsmodels", theirs, theirs / ours, note)


def _every_coefficient():
    ratings = _ratings(1_000_000)
    counted = len(_report(ratings[:100]))
    ours = _cpu(lambda: _report(ratings))
    work = f"all {counted} coefficients, 1,000 resamples, 1,000,000 items x 3 raters"
    return Row(work, ours, "none", float("nan"), float("nan"), _memory())


def _point_estimates():
    for n_units, n_times in ((1_000, 50), (1_000_000, 1)):
        ratings = _ratings(n_units, n_raters=2)
        ours = _cpu(lambda r=ratings: fleiss_kappa(RatingTable.from_array(r, scale=FOUR)), n_times)
        whole = ratings.astype(int)
        theirs = _cpu(
            lambda w=whole: inter_rater.fleiss_kappa(inter_rater.aggregate_raters(w)[0]), n_times
        )
        work = f"Fleiss kappa with its error, {n_units:,} items x 2 raters"
        yield Row(work, ours, "statsmodels", theirs, theirs / ours, "peer: no error")
        ours = _cpu(lambda r=ratings: cohen_kappa(RatingTable.from_array(r, scale=FOUR)), n_times)
        theirs = _cpu(lambda w=whole: cohen_kappa_score(*w.T), n_times)
        work = f"Cohen kappa with two errors, {n_units:,} items"
        yield Row(work, ours, "scikit-learn", theirs, theirs / ours, "peer: no error")


def _crowd():
    n_units, n_raters, k = 100_000, 10_000, 3
    rng = np.random.default_rng(0)
    unit = np.repeat(np.arange(n_units), k)
    # Judges work in neighbourhoods, so that pairs meet often enough for a kappa.
    rater = (np.repeat(rng.integers(n_raters, size=n_units), k) + np.tile([0, 37, 74], n_units)) % (
        n_raters
    )
    value = rng.integers(1, 6, size=unit.size).astype(float)

    def work():
        table = RatingTable.from_columns(unit, rater, value, scale=FIVE)
        agreement_report(table, rng=np.random.default_rng(0), n_resamples=N_RESAMPLES)

    ours = _cpu(work)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        slots = value.reshape(n_units, k).T
        theirs = N_RESAMPLES * _cpu(
            lambda: krippendorff.alpha(slots, level_of_measurement="ordinal")
        )
    name = "all coefficients, 1,000 resamples, crowd of 10,000 judges x 100,000 outputs x 3"
    note = f"peer: one ordinal alpha on slots, linear from 1 resample; {_memory()}"
    return Row(name, ours, "krippendorff", theirs, theirs / ours, note)


def _memory():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return f"peak memory of the bench so far {peak:.2f} GB"
