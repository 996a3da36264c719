"""How many items and judges a study needs: power by simulation of a stated model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.power_model import RatingModel
from metrics_app.stats.results import Estimate
from metrics_app.stats.samples import Floats

Test = Literal["wilcoxon", "t"]

# Latent values held at once; a run of a big study is drawn alone, small ones many together.
CHUNK = 2_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A study of two systems that rate the same items.

    Attributes
    ----------
    n_items : int
    n_judges : int
        Ratings of each output, by as many different judges.
    difference : float
        True difference of the mean ratings, in scale points.
    test : {"wilcoxon", "t"}
        Signed-rank (normal, ties, zeros left out, no continuity) or paired t test on item means.
    alpha : float
        Two-sided level.
    """

    n_items: int
    n_judges: int
    difference: float
    test: Test = "wilcoxon"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if self.n_items < 2 or self.n_judges < 1:
            raise ValueError("a plan needs two items and a judge at least")
        if self.test not in ("wilcoxon", "t"):
            raise ValueError(f"test must be wilcoxon or t, not {self.test!r}")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha must lie between 0 and 1; it is {self.alpha}")


def simulate_power(
    model: RatingModel, plan: Plan, *, rng: np.random.Generator, n_runs: int = 2000
) -> Estimate:
    """Estimate the power of a plan: the share of simulated studies whose test is significant.

    Parameters
    ----------
    model : RatingModel
        What ratings are drawn from.
    plan : Plan
    rng : numpy.random.Generator
    n_runs : int
        Simulated studies.

    Returns
    -------
    Estimate
        The interval is Wilson's for the share of runs. Studies in which no test could be made
        (all differences 0) count as not significant; ``n_undefined`` counts them.

    Raises
    ------
    ValueError
        If the pool is smaller than the judges of an output.
    """
    if plan.n_judges > model.n_pool:
        raise ValueError(
            f"{plan.n_judges} judges an output need a pool of more than {model.n_pool}"
        )
    p = np.concatenate(
        [_test(differences, plan) for differences in _draw(model, plan, rng, n_runs)]
    )
    n_significant = int((p < plan.alpha).sum())
    interval = stats.binomtest(n_significant, n_runs).proportion_ci(method="wilson")
    power = n_significant / n_runs
    return Estimate(
        "power",
        power,
        se=float(np.sqrt(power * (1 - power) / n_runs)),
        ci=(float(interval.low), float(interval.high)),
        ci_method="Wilson, over simulated studies",
        method=f"power of the {_NAMES[plan.test]} on {plan.n_items} item means, "
        f"{plan.n_judges} judges an output, difference {plan.difference:g}, two-sided alpha "
        f"{plan.alpha:g}; {n_runs} simulated studies; {model.in_words()}",
        n_units=plan.n_items,
        n_raters=plan.n_judges,
        n_ratings=2 * plan.n_items * plan.n_judges,
        n_undefined=int(np.isnan(p).sum()),
    )


def power_table(
    model: RatingModel,
    plans: Sequence[Plan],
    *,
    rng: np.random.Generator,
    n_runs: int = 1000,
) -> list[tuple[Plan, Estimate]]:
    """Return the power of each plan, each with draws of its own."""
    streams = rng.spawn(len(plans))
    return [
        (plan, simulate_power(model, plan, rng=stream, n_runs=n_runs))
        for plan, stream in zip(plans, streams, strict=True)
    ]


def required_items(
    model: RatingModel,
    plan: Plan,
    *,
    seed: int,
    power: float = 0.8,
    n_runs: int = 1000,
    n_most: int = 10_000,
) -> int | None:
    """Return the smallest number of items that reaches the power, by doubling and halving.

    Parameters
    ----------
    model, plan
        The plan's own number of items is not used.
    seed : int
        Every number of items is tried with the same seed.
    power : float
        Power to reach.
    n_runs : int
        Simulated studies for each number tried; the answer is good to a few per cent.
    n_most : int
        Largest number considered.

    Returns
    -------
    int or None
        None where the largest number does not reach the power.
    """

    def reaches(n_items: int) -> bool:
        tried = Plan(n_items, plan.n_judges, plan.difference, plan.test, plan.alpha)
        rng = np.random.default_rng(seed)
        return simulate_power(model, tried, rng=rng, n_runs=n_runs).value >= power

    low, high = 1, 8
    while not reaches(high):
        if high >= n_most:
            return None
        low, high = high, min(2 * high, n_most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def _draw(
    model: RatingModel, plan: Plan, rng: np.random.Generator, n_runs: int
) -> Iterator[Floats]:
    """Yield differences of item means, shape (runs of the chunk, n_items)."""
    distance = model.distance_for(plan.difference)
    shifts = np.array([distance / 2, -distance / 2])[:, None]
    per_run = 2 * plan.n_items * max(plan.n_judges, model.n_pool if plan.n_judges > 1 else 1)
    size = max(1, CHUNK // per_run)
    for begin in range(0, n_runs, size):
        runs = min(size, n_runs - begin)
        shape = (runs, plan.n_items, 2)
        output = rng.normal(0, model.sd_item, (*shape[:2], 1)) + rng.normal(
            0, model.sd_system_item, shape
        )
        severity = rng.normal(0, model.sd_judge, (runs, model.n_pool))
        judges = _draw_judges(model, plan, rng, shape)
        latent = output[..., None] + shifts
        latent = latent + severity[np.arange(runs)[:, None, None, None], judges]
        latent += rng.normal(0, model.sd_residual, latent.shape)
        means = model.rate(latent).mean(axis=3)
        yield means[..., 0] - means[..., 1]


def _draw_judges(
    model: RatingModel, plan: Plan, rng: np.random.Generator, shape: tuple[int, int, int]
) -> npt.NDArray[np.int64]:
    """Return judges without replacement, shape (*shape, n_judges)."""
    outputs = (*shape[:2], 1) if model.shares_judges else shape
    if plan.n_judges == 1:
        drawn = rng.integers(model.n_pool, size=(*outputs, 1))
    else:
        order = rng.random((*outputs, model.n_pool), dtype=np.float32)
        drawn = np.argpartition(order, plan.n_judges - 1, axis=-1)[..., : plan.n_judges]
    return np.broadcast_to(drawn, (*shape, plan.n_judges))


def _test(differences: Floats, plan: Plan) -> Floats:
    """Return two-sided p-values of many studies, shape (n_studies,); NaN without a test."""
    # Means of small integers: what differs by rounding only is a tie.
    return _signed_rank(differences.round(9)) if plan.test == "wilcoxon" else _paired_t(differences)


def _signed_rank(differences: Floats) -> Floats:
    ranks = stats.rankdata(np.abs(differences), axis=1)
    is_zero = differences == 0
    ranks = np.where(is_zero, 0, ranks - is_zero.sum(axis=1, keepdims=True))
    balance = (np.sign(differences) * ranks).sum(axis=1)
    spread = np.sqrt((ranks**2).sum(axis=1))
    z = np.divide(balance, spread, out=np.full(len(balance), np.nan), where=spread > 0)
    return np.asarray(2 * stats.norm.sf(np.abs(z)))


def _paired_t(differences: Floats) -> Floats:
    n = differences.shape[1]
    se = differences.std(axis=1, ddof=1) / np.sqrt(n)
    t = np.divide(differences.mean(axis=1), se, out=np.full(len(se), np.nan), where=se > 0)
    return np.asarray(2 * stats.t.sf(np.abs(t), n - 1))


_NAMES = {"wilcoxon": "Wilcoxon signed-rank test (normal)", "t": "paired t test"}
