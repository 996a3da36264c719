"""The declared scale of a dimension: what may be answered, and what a difference means."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]
MEASUREMENTS: tuple[Measurement, ...] = ("nominal", "ordinal", "interval", "ratio")
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
# Positions among few points: a quarter of the memory that must be read.
Codes = npt.NDArray[np.int16 | np.int64]
# So many numbers and what is made of them stay in the processor's cache.
_AT_ONCE = 65_536


@dataclass(frozen=True)
class Scale:
    """What a rater may answer. It is declared, never inferred from the answers.

    Make one with `Scale.points`, `Scale.named` or `Scale.range`.

    Attributes
    ----------
    values : tuple of float
        The points in ascending order; empty on a range.
    measurement : {"nominal", "ordinal", "interval", "ratio"}
        Level of measurement.
    labels : tuple of str
        One name a point, or empty.
    minimum, maximum : float
        The ends.
    step : float or None
        Distance of neighbouring answers on a range; None where every number is allowed.
    """

    values: tuple[float, ...]
    measurement: Measurement
    labels: tuple[str, ...]
    minimum: float
    maximum: float
    step: float | None = None

    @classmethod
    def points(
        cls,
        values: Iterable[float],
        *,
        measurement: Measurement = "ordinal",
        labels: Sequence[str] = (),
    ) -> "Scale":
        """Return a scale of declared points, for example ``Scale.points(range(1, 6))``."""
        points = tuple(float(value) for value in values)
        if not points:
            raise ValueError("a scale needs at least one point")
        if not all(math.isfinite(value) for value in points):
            raise ValueError("the points of a scale must be finite numbers")
        if any(low >= high for low, high in pairwise(points)):
            raise ValueError(f"the points of a scale must ascend, got {_words(points)}")
        if labels and len(labels) != len(points):
            raise ValueError(f"{len(points)} points need as many labels, got {len(labels)}")
        _check_measurement(measurement)
        return cls(points, measurement, tuple(labels), points[0], points[-1])

    @classmethod
    def named(cls, labels: Sequence[str], *, measurement: Measurement = "nominal") -> "Scale":
        """Return a scale of named categories in their declared order, valued 1, 2, 3, ..."""
        if len(set(labels)) != len(labels):
            raise ValueError("two categories of a scale bear the same name")
        return cls.points(range(1, len(labels) + 1), measurement=measurement, labels=labels)

    @classmethod
    def range(
        cls,
        minimum: float,
        maximum: float,
        *,
        step: float | None = None,
        measurement: Measurement = "interval",
    ) -> "Scale":
        """Return a scale from minimum to maximum, a slider for example."""
        if not (math.isfinite(minimum) and math.isfinite(maximum) and minimum < maximum):
            raise ValueError(f"a range needs minimum < maximum, got {minimum:g} and {maximum:g}")
        if step is not None and not 0 < step <= maximum - minimum:
            raise ValueError(f"the step of a range must lie within it, got {step:g}")
        _check_measurement(measurement)
        return cls((), measurement, (), float(minimum), float(maximum), step)

    @property
    def is_range(self) -> bool:
        """True for a range, false for points."""
        return not self.values

    @property
    def n_points(self) -> int:
        """Number of points; 0 on a range."""
        return len(self.values)

    def admits(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Return for each value whether the scale has it."""
        if not self.is_range:
            return np.asarray(self.codes(values) >= 0)
        inside = (values >= self.minimum) & (values <= self.maximum)
        if self.step is None:
            return np.asarray(inside)
        steps = (values - self.minimum) / self.step
        # A decimal step such as 0.1 is no binary number, so multiples of it are met nearly.
        return np.asarray(inside & (np.abs(steps - np.round(steps)) < 1e-6))

    def codes(self, values: Floats) -> Codes:
        """Return the position of each value among the points, -1 where it is none of them.

        Positions are short integers where the scale has fewer than 32,768 points.
        """
        points = np.asarray(self.values)
        has_whole_steps = np.array_equal(points, np.arange(points.size) + points[0])
        find = _codes_by_offset if has_whole_steps else _codes_by_search
        codes = np.empty(values.size, dtype=code_type(points.size))
        for start in range(0, values.size, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            codes[part] = find(points, values[part])
        return codes

    def describe(self) -> str:
        """Return the scale in words."""
        if self.is_range:
            step = f" in steps of {self.step:g}" if self.step else ""
            return f"{self.minimum:g} to {self.maximum:g}{step}"
        return _words(self.labels or self.values)


def code_type(n_codes: int) -> type[np.int16 | np.int64]:
    """Return the short integers where they hold so many codes, else the long ones."""
    return np.int16 if n_codes < 2**15 else np.int64


def _codes_by_offset(points: Floats, values: Floats) -> Codes:
    offsets = values - points[0]
    with np.errstate(invalid="ignore"):  # what is no short integer is none of the points either
        codes: Codes = offsets.astype(code_type(points.size))
    if (codes != offsets).any() or codes.min() < 0 or codes.max() >= points.size:
        return _codes_by_search(points, values)
    return codes


def _codes_by_search(points: Floats, values: Floats) -> Ints:
    codes = np.minimum(np.searchsorted(points, values), points.size - 1)
    return np.where(points[codes] == values, codes, -1)


def _check_measurement(measurement: str) -> None:
    if measurement not in MEASUREMENTS:
        raise ValueError(f"measurement must be one of {_words(MEASUREMENTS)}, not {measurement!r}")


def _words(values: Sequence[object]) -> str:
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
