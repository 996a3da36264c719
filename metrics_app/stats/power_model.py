"""The model of ratings that the power planner draws from, stated in full.

A judge's rating of an output is a latent value cut into scale points:

    latent = shift of the system + item + (system x item) + judge + residual

Item, system-by-item, judge and residual are independent normal parts with the given standard
deviations; the two systems are shifted by plus and minus half of a distance; the rating is the
number of cut points below the latent value. Judges are drawn without replacement from a pool,
anew for each output (a judge then never sees an item twice by design, only by chance), or once
for both outputs of an item.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from metrics_app.stats.samples import Floats


@dataclass(frozen=True)
class RatingModel:
    """Variance parts and scale of a study of two systems.

    Attributes
    ----------
    sd_item, sd_system_item, sd_judge, sd_residual : float
        Standard deviations of the latent parts.
    cut_points : tuple of float
        Ascending; k of them make a scale of k + 1 points.
    points : tuple of float
        Values of the scale points.
    n_pool : int
        Judges in the pool.
    shares_judges : bool
        Whether the same judges rate both systems' outputs of an item.
    source : str
        Where the parts come from, in words.

    Raises
    ------
    ValueError
        If a deviation is negative or all are 0, cut points do not ascend, or points do not fit.
    """

    sd_item: float
    sd_system_item: float
    sd_judge: float
    sd_residual: float
    cut_points: tuple[float, ...] = (-1.0, 0.0, 1.0)
    points: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0)
    n_pool: int = 30
    shares_judges: bool = False
    source: str = "assumed"

    def __post_init__(self) -> None:
        if min(self.deviations) < 0 or not any(self.deviations):
            raise ValueError(f"standard deviations must be 0 or more, not all 0: {self.deviations}")
        if np.any(np.diff(self.cut_points) <= 0) or np.any(np.diff(self.points) <= 0):
            raise ValueError("cut points and scale points must ascend")
        if len(self.points) != len(self.cut_points) + 1 or not self.cut_points:
            raise ValueError(
                f"{len(self.cut_points)} cut points make {len(self.cut_points) + 1} scale points; "
                f"there are {len(self.points)}"
            )
        if self.n_pool < 1:
            raise ValueError("the pool needs a judge")

    @property
    def deviations(self) -> tuple[float, float, float, float]:
        """The four standard deviations in the order of the model."""
        return self.sd_item, self.sd_system_item, self.sd_judge, self.sd_residual

    @cached_property
    def sd_total(self) -> float:
        """Standard deviation of one latent rating."""
        return float(np.sqrt(np.square(self.deviations).sum()))

    def expected_rating(self, shift: float) -> float:
        """Return the mean rating of a system with the given latent shift."""
        steps = np.diff(self.points)
        above = norm.sf((np.array(self.cut_points) - shift) / self.sd_total)
        return float(self.points[0] + steps @ above)

    def distance_for(self, difference: float) -> float:
        """Return the latent distance of two systems whose mean ratings differ as given.

        Raises
        ------
        ValueError
            If the scale is too short for the difference.
        """
        span = self.points[-1] - self.points[0]
        if not 0 <= difference < span:
            raise ValueError(f"the difference must be from 0 to below {span:g} scale points")

        def excess(distance: float) -> float:
            high, low = self.expected_rating(distance / 2), self.expected_rating(-distance / 2)
            return high - low - difference

        far = 2 * (max(map(abs, self.cut_points)) + 8 * self.sd_total)
        if excess(far) <= 0:
            raise ValueError(f"the scale cannot show a difference of {difference:g}")
        return float(brentq(excess, 0, far, xtol=1e-12)) if difference else 0.0

    def rate(self, latent: Floats) -> Floats:
        """Return the ratings of latent values, any shape."""
        return np.asarray(np.array(self.points)[np.searchsorted(self.cut_points, latent)])

    def in_words(self) -> str:
        """Return the model as a sentence for a report."""
        parts = zip(("item", "system x item", "judge", "residual"), self.deviations, strict=True)
        cuts = ", ".join(f"{cut:.3g}" for cut in self.cut_points)
        who = (
            "the same judges for both outputs of an item"
            if self.shares_judges
            else ("judges anew for each output")
        )
        return (
            f"latent ratings with standard deviations {self.source}: "
            f"{', '.join(f'{name} {sd:.3g}' for name, sd in parts)}; cut at {cuts} into "
            f"{len(self.points)} points; pool of {self.n_pool} judges, {who}"
        )

    def with_pool(self, n_pool: int, *, shares_judges: bool) -> "RatingModel":
        """Return the model with another pool or another way to share judges."""
        return replace(self, n_pool=n_pool, shares_judges=shares_judges)


NOISY = RatingModel(0.5, 0.6, 0.5, 1.0)
"""An untrained crowd on a scale of 1 to 4."""

TRAINED = RatingModel(0.6, 0.6, 0.25, 0.6)
"""Trained judges on a scale of 1 to 4."""
