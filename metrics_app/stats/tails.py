"""Which tail a test looks at, and the exact null distribution of a sum of ranks."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import special

from metrics_app.stats.samples import Floats

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "normal approximation"]

_METHODS: dict[str, Method] = {
    "auto": "auto",
    "exact": "exact",
    "normal approximation": "normal approximation",
    "normal": "normal approximation",
    "asymptotic": "normal approximation",
    "approx": "normal approximation",
}


def require_alternative(alternative: str) -> None:
    """Raise ValueError unless alternative is two-sided, greater or less."""
    if alternative not in get_args(Alternative):
        raise ValueError(f"alternative must be two-sided, greater or less, not {alternative!r}")


def as_method(method: str) -> Method:
    """Return the method of a rank test under its house name."""
    if method not in _METHODS:
        raise ValueError(f"method must be auto, exact or normal approximation, not {method!r}")
    return _METHODS[method]


def tail_p(below: float, above: float, alternative: str) -> float:
    """Return the p-value from the probabilities of at most and at least the observed value.

    Two-sided is twice the smaller tail, at most 1.
    """
    if alternative == "greater":
        return above
    if alternative == "less":
        return below
    return min(1.0, 2 * min(below, above))


def normal_p(z: float, alternative: str) -> float:
    """Return the p-value of a standard normal z."""
    return tail_p(float(special.ndtr(z)), float(special.ndtr(-z)), alternative)


def t_p(t: float, df: float, alternative: str) -> float:
    """Return the p-value of Student's t."""
    return tail_p(float(special.stdtr(df, t)), float(special.stdtr(df, -t)), alternative)


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """How the p-value of a rank sum is found: its exact masses, or mean 0 and a spread."""

    alternative: str
    continuity: bool

    def exact(self, mass: Floats, observed: float) -> tuple[float, dict[str, float], str]:
        """Return p under the exact masses of half steps, no further facts, and the words."""
        at = round(2 * observed)
        below, above = float(mass[: at + 1].sum()), float(mass[at:].sum())
        return tail_p(below, above, self.alternative), {}, f"{self.alternative}, exact"

    def normal(self, surplus: float, spread: float) -> tuple[float, dict[str, float], str]:
        """Return p, z and the words of a sum's surplus over its mean.

        Without spread nothing speaks for either side: z is 0 and p is 1.
        """
        words = f"{self.alternative}, normal approximation, continuity "
        words += "corrected" if self.continuity else "not corrected"
        if not spread:
            return 1.0, {"z": 0.0}, words
        z = (surplus - self._half_step(surplus)) / spread
        return normal_p(z, self.alternative), {"z": z}, words

    def _half_step(self, surplus: float) -> float:
        if not self.continuity:
            return 0.0
        towards = float(np.sign(surplus))
        return 0.5 * {"greater": 1.0, "less": -1.0}.get(self.alternative, towards)


def signed_sums(ranks: Floats) -> Floats:
    """Return P(sum of the ranks with a plus = s / 2) for s = 0, 1, ..., each sign a fair coin.

    Ranks may be halves (ties), so they are doubled to whole numbers; this is the enumeration of
    all 2^n signs, gathered by sum.
    """
    steps = np.rint(2 * ranks).astype(int)
    mass = np.zeros(steps.sum() + 1)
    mass[0] = 1
    reach = 0
    for step in steps:
        moved = mass[: reach + 1].copy()
        mass[: reach + 1] *= 0.5
        mass[step : step + reach + 1] += 0.5 * moved
        reach += step
    return mass


def drawn_sums(ranks: Floats, n_drawn: int) -> Floats:
    """Return P(sum of n_drawn of the ranks = s / 2) for s = 0, 1, ..., every choice alike."""
    steps = np.rint(2 * ranks).astype(int)
    mass = np.zeros((n_drawn + 1, int(np.sort(steps)[-n_drawn:].sum()) + 1))
    mass[0, 0] = 1
    for step in steps:
        mass[1:, step:] += mass[:-1, : mass.shape[1] - step]
    return np.asarray(mass[-1] / mass[-1].sum(), dtype=np.float64)
