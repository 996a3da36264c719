"""Correlation under resampling, beside loops over scipy as nlpstats and mt-metrics-eval make.

nlpstats and mt-metrics-eval pin libraries that do not install beside the product's; the loops
below call scipy for the same coefficients on the same resampled or swapped tables, which is what
those tools spend their time on. A peer is timed on a few replicates and extrapolated; the note
says on how many.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from scipy import stats

from metrics_app.stats.correlation_bootstrap import Question, bootstrap_correlations
from metrics_app.stats.correlation_permutation import Contest, compare_metrics
from metrics_app.stats.swaps import Swaps

N_METRICS, N_DIMENSIONS, N_SYSTEMS, N_ITEMS, N_REPLICATES = 26, 4, 14, 100, 1_000
Row = tuple[str, float, str, float, float, str]

SCIPY = {"kendall_tau_b": stats.kendalltau, "spearman": stats.spearmanr}


def rows() -> Iterator[Row]:
    """Yield (work, our CPU seconds, peer, its CPU seconds, ratio, note)."""
    metrics, people = _study()
    for coefficient, n_timed in (("kendall_tau_b", 2), ("spearman", 2), ("pearson", 4)):
        yield _bootstrap(metrics, people, coefficient, n_timed)
    yield _swaps(metrics, people)


def _study():
    rng = np.random.default_rng(0)
    shape = (N_SYSTEMS, N_ITEMS)
    people = {f"d{i}": rng.integers(2, 11, size=shape).astype(float) for i in range(N_DIMENSIONS)}
    target = next(iter(people.values()))
    metrics = {
        f"m{i}": np.round(target + rng.normal(scale=3, size=shape), 2) for i in range(N_METRICS)
    }
    return metrics, people


def _bootstrap(metrics, people, coefficient, n_timed) -> Row:
    question = Question("summary", coefficient)
    ours = _seconds(
        lambda: bootstrap_correlations(
            metrics, people, question, rng=np.random.default_rng(1), n_resamples=N_REPLICATES
        )
    )
    peer = _by_axis if coefficient == "pearson" else _by_item
    rng = np.random.default_rng(1)
    n_pairs = len(metrics) * len(people)
    # Three pairs stand for all: a replicate costs the same for each.
    pairs = [(metrics[f"m{i}"], people["d0"]) for i in range(3)]

    def run():
        for _ in range(n_timed):
            systems, items = (
                rng.integers(N_SYSTEMS, size=N_SYSTEMS),
                rng.integers(N_ITEMS, size=N_ITEMS),
            )
            pick = np.ix_(systems, items)
            for x, z in pairs:
                peer(x[pick], z[pick], coefficient)

    timed = _seconds(run) * N_REPLICATES / n_timed * n_pairs / len(pairs)
    name = "scipy.stats.pearsonr(axis=0), looped" if coefficient == "pearson" else "nlpstats' loop"
    return (
        f"bootstrap of systems and items, {n_pairs} pairs, summary level, {coefficient}",
        ours,
        name,
        timed,
        timed / ours,
        f"peer extrapolated from {n_timed * len(pairs)} of {N_REPLICATES * n_pairs} replicates",
    )


def _swaps(metrics, people) -> Row:
    contest = Contest("summary", "kendall_tau_b", Swaps(n_resamples=N_REPLICATES))
    ours = _seconds(lambda: compare_metrics(metrics, people, contest, rng=np.random.default_rng(1)))
    pairs = list(combinations(metrics, 2))
    n_timed = 3
    rng = np.random.default_rng(1)
    x, y, z = metrics["m0"], metrics["m1"], people["d0"]

    def run():
        for _ in range(n_timed):
            mask = rng.integers(2, size=x.shape).astype(bool)
            _by_item(np.where(mask, y, x), z, "kendall_tau_b")
            _by_item(np.where(mask, x, y), z, "kendall_tau_b")

    n_all = N_REPLICATES * len(pairs) * len(people)
    timed = _seconds(run) / n_timed * n_all
    return (
        f"PERM-BOTH of {len(pairs)} pairs x {len(people)} dimensions, summary level, kendall_tau_b",
        ours,
        "nlpstats' loop",
        timed,
        timed / ours,
        f"peer extrapolated from {n_timed} of {n_all} swaps",
    )


def _by_item(x, z, coefficient):
    values = [SCIPY[coefficient](x[:, i], z[:, i]).statistic for i in range(x.shape[1])]
    return np.nanmean(values)


def _by_axis(x, z, _coefficient):
    return np.nanmean(stats.pearsonr(x, z, axis=0).statistic)


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one run after one that warms up, on one thread's clock."""
    with warnings.catch_warnings():
        # scipy warns of constant resamples, which are part of the work.
        warnings.simplefilter("ignore")
        work()
        start = time.process_time()
        work()
        return time.process_time() - start
