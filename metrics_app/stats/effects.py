"""How large a difference is: shares of variance, and standardised mean differences."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import (
    Groups,
    Values,
    as_groups,
    is_constant,
)


@dataclass(frozen=True, slots=True)
class VarianceShares:
    """Sums of squares between and within groups, and the effect sizes made of them."""

    ss_between: float
    ss_within: float
    df_between: float
    df_within: float

    @classmethod
    def of(cls, data: Groups) -> "VarianceShares":
        """Return the sums of squares of groups that all have a value, centred first."""
        offset = data.pooled.mean()
        centred = [sample - offset for sample in data.samples]
        grand = np.concatenate(centred).mean()
        between = sum(part.size * (part.mean() - grand) ** 2 for part in centred)
        within = sum(
            0.0 if is_constant(whole) else float(((part - part.mean()) ** 2).sum())
            for part, whole in zip(centred, data.samples, strict=True)
        )
        k = len(centred)
        return cls(float(between), within, k - 1.0, float(data.pooled.size - k))

    @property
    def ms_between(self) -> float:
        """Mean square between groups."""
        return self.ss_between / self.df_between

    @property
    def ms_within(self) -> float:
        """Mean square within groups."""
        return self.ss_within / self.df_within if self.df_within else NAN

    @property
    def effects(self) -> dict[str, float]:
        """eta^2 = SSb / SSt; omega^2 and epsilon^2 take out what chance would give.

        In a one-way design partial eta^2 is eta^2.
        """
        total = self.ss_between + self.ss_within
        surplus = self.ss_between - self.df_between * self.ms_within
        return {
            "eta_squared": self.ss_between / total,
            "omega_squared": surplus / (total + self.ms_within),
            "epsilon_squared": surplus / total,
        }

    def as_details(self) -> dict[str, float]:
        """Return the sums of squares and mean squares by name."""
        return {
            "ss_between": self.ss_between,
            "ss_within": self.ss_within,
            "ms_between": self.ms_between,
            "ms_within": self.ms_within,
        }


def variance_explained(groups: Mapping[str, Values], effect: str) -> Estimate:
    """Return eta_squared, omega_squared, epsilon_squared or partial_eta_squared of groups.

    omega^2 = (SSb - dfb MSw) / (SSt + MSw); epsilon^2 has SSt alone below; both may be negative
    and are reported as they are. Undefined where nothing varies, or no group has two values.
    """
    data = as_groups(groups)
    reason = data.problem
    if not reason and data.pooled.size <= len(data.samples):
        reason = "too_few_units"
    if not reason and is_constant(data.pooled):
        reason = "no_variance"
    names = {"partial_eta_squared": "eta_squared"}
    value = NAN if reason else VarianceShares.of(data).effects[names.get(effect, effect)]
    return Estimate(
        effect,
        value,
        method=f"{effect} of a one-way design",
        undefined=reason,
        n_units=data.pooled.size,
        n_missing=data.n_missing,
    )
