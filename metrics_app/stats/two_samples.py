"""Two means beside each other: the numbers every test of their difference rests on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from metrics_app.stats.samples import Floats, Values, exact_mean, is_constant, paired, present


@dataclass(frozen=True, slots=True)
class Moments:
    """Size, mean and standard deviation (n - 1) of a sample."""

    n: int
    mean: float
    sd: float

    @classmethod
    def of(cls, sample: Floats) -> "Moments":
        """Return the moments of a sample without missing values."""
        mean = exact_mean(sample.tolist())
        if sample.size < 2:
            return cls(sample.size, mean, math.nan)
        # Rounding noise around equal values is no spread.
        sd = 0.0 if is_constant(sample) else float(sample.std(ddof=1))
        return cls(sample.size, mean, sd)


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A difference of means with its standard error and degrees of freedom."""

    difference: float
    se: float
    df: float
    how: str

    @property
    def t(self) -> float:
        """The difference over its standard error; infinite where nothing varies."""
        return self.distance_to(0)

    def distance_to(self, bound: float) -> float:
        """Return (difference - bound) / se."""
        surplus = self.difference - bound
        if self.se:
            return surplus / self.se
        return math.copysign(math.inf, surplus) if surplus else math.nan


@dataclass(frozen=True, slots=True)
class TwoSamples:
    """What is known of two samples, and whether their values come in pairs."""

    x: Moments
    y: Moments
    differences: Moments | None
    n_missing: int = 0

    @classmethod
    def of(cls, x: Values, y: Values, *, are_paired: bool = False) -> "TwoSamples":
        """Return the moments of two samples; of pairs, those with both values."""
        if are_paired:
            first, second, gone = paired(x, y)
            return cls(Moments.of(first), Moments.of(second), Moments.of(first - second), gone)
        (first, gone_x), (second, gone_y) = present(x, "x"), present(y, "y")
        return cls(Moments.of(first), Moments.of(second), None, gone_x + gone_y)

    @classmethod
    def of_summary(cls, summary: Mapping[str, float]) -> "TwoSamples":
        """Return the moments stated as m1, m2, sd1, sd2, n1, n2; with r or sd_diff, of pairs.

        Raises
        ------
        ValueError
            For a number that is missing, a negative spread or a size that is not whole.
        """
        lost = [key for key in ("m1", "m2", "sd1", "sd2", "n1") if summary.get(key) is None]
        if lost:
            raise ValueError(f"the summary lacks {', '.join(lost)}")
        n1, n2 = summary["n1"], summary.get("n2", summary["n1"])
        if n1 != int(n1) or n2 != int(n2) or summary["sd1"] < 0 or summary["sd2"] < 0:
            raise ValueError("sizes must be whole numbers, standard deviations not negative")
        x = Moments(int(n1), summary["m1"], summary["sd1"])
        y = Moments(int(n2), summary["m2"], summary["sd2"])
        spread = summary.get("sd_diff")
        if spread is None and summary.get("r") is not None:
            spread = math.sqrt(x.sd**2 + y.sd**2 - 2 * summary["r"] * x.sd * y.sd)
        pairs = None if spread is None else Moments(x.n, x.mean - y.mean, spread)
        return cls(x, y, pairs)

    @property
    def problem(self) -> str | None:
        """``too_few_units`` where a standard deviation cannot be had, else None."""
        parts = [self.differences] if self.differences else [self.x, self.y]
        return "too_few_units" if min(part.n for part in parts) < 2 else None

    @property
    def pooled_sd(self) -> float:
        """Root of the variance pooled over both samples."""
        x, y = self.x, self.y
        squares = (x.n - 1) * x.sd**2 + (y.n - 1) * y.sd**2
        return math.sqrt(squares / (x.n + y.n - 2))

    def mean_difference(self, *, equal_var: bool) -> MeanDifference:
        """Return mean(x) - mean(y): of pairs, with a pooled variance, or as Welch (1947)."""
        x, y = self.x, self.y
        if self.differences:
            pairs = self.differences
            se = pairs.sd / math.sqrt(pairs.n)
            return MeanDifference(pairs.mean, se, pairs.n - 1.0, "paired")
        if equal_var:
            se = self.pooled_sd * math.sqrt(1 / x.n + 1 / y.n)
            return MeanDifference(x.mean - y.mean, se, x.n + y.n - 2.0, "pooled variance")
        a, b = x.sd**2 / x.n, y.sd**2 / y.n
        below = a**2 / (x.n - 1) + b**2 / (y.n - 1)
        df = (a + b) ** 2 / below if below else x.n + y.n - 2.0
        return MeanDifference(x.mean - y.mean, math.sqrt(a + b), df, "Welch")
