"""Two-way analysis of variance: two crossed factors between units, with their interaction."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Floats, as_sample, is_constant

SumsOfSquares = Literal["II", "III"]
Row = tuple[str, str, float | None]


def twoway_anova(
    rows: Iterable[Row],
    *,
    factors: tuple[str, str] = ("group", "system"),
    sums_of_squares: SumsOfSquares = "II",
    unit: str = "",
) -> dict[str, TestResult]:
    """Return the F tests of two factors and of their interaction.

    Parameters
    ----------
    rows : iterable of (level of the first factor, level of the second, value)
        None or NaN is missing, is left out and counted.
    factors : (str, str)
        Names of the factors, the keys of the answer.
    sums_of_squares : {"II", "III"}
        Type II tests a factor beside the other; type III beside the other and the interaction,
        with effects that sum to zero. In a balanced design they are equal, and the method says
        that the design is balanced.
    unit : str
        Unit of analysis, for the record.

    Returns
    -------
    dict of TestResult
        Keys are the two factors and ``interaction``; ``effects`` has eta_squared (of the total)
        and partial_eta_squared; ``details`` has ss, ss_error, ss_total and balanced.
        Undefined: ``too_few_units`` for a factor with one level or no repeat within a cell,
        ``not_identified`` for an empty cell, ``no_variance`` where nothing varies, or neither the
        factor nor the error does. F is infinite (p = 0) where the error alone does not.
    """
    if sums_of_squares not in get_args(SumsOfSquares):
        raise ValueError(f"sums_of_squares must be II or III, not {sums_of_squares!r}")
    design = _Design.of(list(rows))
    names = (*factors, "interaction")
    reason = design.problem
    if reason:
        return {
            name: TestResult(
                "twoway_anova", NAN, undefined=reason, unit=unit, n_missing=design.n_missing
            )
            for name in names
        }
    *sums, error = design.sums(sums_of_squares)
    return {
        name: replace(_test(design, ss, df, error, sums_of_squares), unit=unit)
        for name, ss, df in zip(names, sums, design.dfs, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Design:
    """Centred values with the codes of their two factors, and the values in each cell."""

    values: Floats
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    counts: npt.NDArray[np.int_]
    n_missing: int
    is_constant: bool

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "_Design":
        values = as_sample([row[2] for row in rows], "the values")
        kept = [row for row, value in zip(rows, values, strict=True) if not np.isnan(value)]
        there = values[~np.isnan(values)]
        first, second = _codes([row[0] for row in kept]), _codes([row[1] for row in kept])
        counts = np.zeros((first.max(initial=-1) + 1, second.max(initial=-1) + 1), dtype=np.int_)
        np.add.at(counts, (first, second), 1)
        centred = there - there.mean() if there.size else there
        return cls(centred, first, second, counts, len(rows) - len(kept), is_constant(there))

    @property
    def problem(self) -> str | None:
        """Reason code, or None."""
        if min(self.counts.shape) < 2:
            return "too_few_units"
        if not self.counts.all():
            return "not_identified"
        if self.df_error < 1:
            return "too_few_units"
        return "no_variance" if self.is_constant else None

    @property
    def is_balanced(self) -> bool:
        """Whether every cell holds as many values."""
        return bool((self.counts == self.counts[0, 0]).all())

    @property
    def dfs(self) -> tuple[int, int, int]:
        """Degrees of freedom of the factors and of the interaction."""
        a, b = self.counts.shape
        return a - 1, b - 1, (a - 1) * (b - 1)

    @property
    def df_error(self) -> int:
        """Degrees of freedom within the cells."""
        return self.values.size - self.counts.size

    def sums(self, kind: SumsOfSquares) -> tuple[float, float, float, float]:
        """Return the sums of squares of both factors, the interaction and the error."""
        a = _sum_coded(self.first, self.counts.shape[0])
        b = _sum_coded(self.second, self.counts.shape[1])
        both = (a[:, :, None] * b[:, None, :]).reshape(self.values.size, -1)
        full, additive = self._residual(a, b, both), self._residual(a, b)
        if kind == "II":
            of_a, of_b = self._residual(b) - additive, self._residual(a) - additive
        else:
            of_a, of_b = self._residual(b, both) - full, self._residual(a, both) - full
        return max(of_a, 0.0), max(of_b, 0.0), max(additive - full, 0.0), full

    def _residual(self, *columns: Floats) -> float:
        """Return the sum of squares that an intercept and the columns leave over."""
        design = np.column_stack([np.ones(self.values.size), *columns])
        fitted = design @ np.linalg.lstsq(design, self.values, rcond=None)[0]
        return float(((self.values - fitted) ** 2).sum())


def _test(design: _Design, ss: float, df: int, ss_error: float, kind: SumsOfSquares) -> TestResult:
    total = float((design.values**2).sum())
    # What rounding leaves of an exact zero is neither an effect nor an error.
    ss, error = (part if part > 1e-26 * total else 0.0 for part in (ss, ss_error))
    ratio = ss / df / (error / design.df_error) if error else math.inf if ss else NAN
    balance = "balanced" if design.is_balanced else f"unbalanced, type {kind} sums of squares"
    return TestResult(
        "twoway_anova",
        ratio,
        df=(float(df), float(design.df_error)),
        p=float(stats.f.sf(ratio, df, design.df_error)),
        method=f"two-way analysis of variance with interaction, {balance}, F test",
        effects={
            "eta_squared": ss / total,
            "partial_eta_squared": ss / (ss + error) if ss + error else NAN,
        },
        undefined="no_variance" if math.isnan(ratio) else None,
        n=design.values.size,
        n_missing=design.n_missing,
        details={
            "ss": ss,
            "ss_error": error,
            "ss_total": total,
            "balanced": design.is_balanced,
        },
    )


def _codes(levels: list[str]) -> npt.NDArray[np.intp]:
    number = {level: i for i, level in enumerate(dict.fromkeys(levels))}
    return np.array([number[level] for level in levels], dtype=np.intp)


def _sum_coded(codes: npt.NDArray[np.intp], n_levels: int) -> Floats:
    """Return indicator columns whose effects sum to zero over the levels."""
    contrasts = np.vstack([np.eye(n_levels - 1), -np.ones(n_levels - 1)])
    return np.asarray(contrasts[codes], dtype=np.float64)
