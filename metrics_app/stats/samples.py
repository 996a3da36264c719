"""Plain numbers made ready for a statistic: paired, grouped, finite, the missing counted."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Values = Sequence[float | None] | Floats

# Means of equal numbers may differ in their last bits; a spread below this is no spread.
ROUNDING = 16 * float(np.finfo(np.float64).eps)


def as_sample(values: Values, name: str = "the sample") -> Floats:
    """Return values as a float vector in which a missing value (None or NaN) is NaN.

    Raises
    ------
    ValueError
        For text, a nested list or an infinite number; the message names the place.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a list of numbers: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must be a plain list of numbers, not {array.ndim}-dimensional")
    infinite = np.flatnonzero(np.isinf(array))
    if infinite.size:
        raise ValueError(f"{name} holds an infinite number at position {infinite[0] + 1}")
    return array


def present(values: Values, name: str = "the sample") -> tuple[Floats, int]:
    """Return the values that are there, and how many are missing."""
    array = as_sample(values, name)
    kept = array[~np.isnan(array)]
    return kept, array.size - kept.size


def paired(x: Values, y: Values) -> tuple[Floats, Floats, int]:
    """Return the pairs with both values present, and how many pairs were left out.

    Raises
    ------
    ValueError
        When the lengths differ.
    """
    first, second = as_sample(x, "x"), as_sample(y, "y")
    if first.size != second.size:
        raise ValueError(
            f"x has {first.size} values and y has {second.size}: pairs need equal lengths"
        )
    kept = ~(np.isnan(first) | np.isnan(second))
    return first[kept], second[kept], int(first.size - kept.sum())


@dataclass(frozen=True, slots=True)
class Groups:
    """Samples by the name of their group, in order, without missing values."""

    names: tuple[str, ...]
    samples: tuple[Floats, ...]
    n_missing: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of values in each group."""
        return tuple(sample.size for sample in self.samples)

    @property
    def means(self) -> tuple[float, ...]:
        """Mean of each group; NaN where it is empty."""
        return tuple(exact_mean(sample) for sample in self.samples)

    @property
    def pooled(self) -> Floats:
        """All values, group after group."""
        return np.concatenate(self.samples) if self.samples else np.empty(0)

    @property
    def problem(self) -> str | None:
        """Reason code that holds for every comparison of groups, or None."""
        if len(self.samples) < 2 or min(self.sizes) < 1:
            return "all_missing" if not self.pooled.size else "too_few_units"
        return None


def as_groups(groups: Mapping[str, Values]) -> Groups:
    """Return named samples with their missing values taken out and counted."""
    names = tuple(str(name) for name in groups)
    parts = [present(values, f"group {name!r}") for name, values in groups.items()]
    return Groups(names, tuple(kept for kept, _ in parts), sum(gone for _, gone in parts))


def exact_mean(values: Iterable[float]) -> float:
    """Return the mean from a correctly rounded sum, so that the order cannot matter.

    NaN for no value at all.
    """
    listed = list(map(float, values))
    return math.fsum(listed) / len(listed) if listed else math.nan


def is_constant(values: Floats) -> bool:
    """Return whether the values are equal up to rounding; an empty vector counts as constant."""
    if values.size < 2:
        return True
    spread = float(np.max(values) - np.min(values))
    return spread <= ROUNDING * float(np.max(np.abs(values)))
