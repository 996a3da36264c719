"""Linear mixed models with crossed random intercepts, by restricted maximum likelihood.

The fit is the penalised least squares of Bates, Maechler, Bolker and Walker (2015): given the
ratio theta of each random spread to the residual one, everything else follows from one Cholesky
factor, so that only the thetas are searched. Judges, items and systems may cross freely.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize, sparse, special

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats, Values, as_sample, is_constant
from metrics_app.stats.tails import normal_p

# The Cholesky factor is dense: beyond this many random effects it would not fit.
_MOST_LEVELS = 6_000
# Residual squares are a difference of cross products: a smaller share is lost in rounding.
_LEAST_LEFT = 1e-7

Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted model: fixed effects, and variances of the random intercepts.

    Attributes
    ----------
    coefficients : dict of Estimate
        ``intercept`` and the fixed effects by name, each with standard error, z interval and p.
    variances : dict of float
        By random factor, and ``residual``; 0 is a fit at the boundary, no error.
    reml_criterion : float
        -2 times the restricted log likelihood at the optimum.
    undefined : str or None
        ``too_few_units``, ``no_variance`` (also where levels and columns leave no residual, so that
        the likelihood has no maximum) or ``not_identified`` (columns that depend on each other, or
        a random factor with a single level or with one value per level).
    """

    coefficients: dict[str, Estimate]
    variances: dict[str, float]
    reml_criterion: float
    n: int
    n_missing: int
    method: str
    undefined: str | None = None


def mixed_model(
    values: Values,
    fixed: Mapping[str, Values],
    random: Mapping[str, Sequence[str]],
    *,
    confidence: float = 0.95,
) -> MixedModel:
    """Return the mixed model of values on fixed effects and random intercepts.

    Parameters
    ----------
    values : length n
        What was rated; a row with a missing number is left out and counted.
    fixed : mapping of name to numbers, length n
        Covariates; a factor enters as 0/1 columns (see `indicators`).
    random : mapping of name to keys, length n
        The random factors, for example ``{"judge": [...], "item": [...]}``.

    Raises
    ------
    ValueError
        For unequal lengths, no random factor, or more than 6,000 levels together.
    """
    y, table, codes, n_missing = _complete_rows(values, fixed, random)
    sizes = [int(part.max(initial=-1)) + 1 for part in codes]
    if sum(sizes) > _MOST_LEVELS:
        raise ValueError(f"{sum(sizes)} levels of random factors are more than {_MOST_LEVELS}")
    names = ["intercept", *fixed]
    reason = _why_undefined(y, table, codes, sizes)
    if reason:
        blank = {name: Estimate(name, NAN, undefined=reason) for name in names}
        return MixedModel(blank, {}, NAN, y.size, n_missing, _method(random), reason)
    # An offset would cost digits in the cross products; only the intercept knows of it.
    offset = float(y.mean())
    fit = _Penalised.of(y - offset, table, codes, sizes)
    found = fit.solve(fit.best_ratios())
    found.beta[0] += offset
    sigma2 = found.penalised_squares / (y.size - table.shape[1])
    variances = {
        name: float(ratio**2 * sigma2) for name, ratio in zip(random, found.ratios, strict=True)
    }
    return MixedModel(
        _coefficients(names, found, sigma2, confidence),
        variances | {"residual": sigma2},
        found.criterion,
        y.size,
        n_missing,
        _method(random),
    )


def indicators(levels: Sequence[str], *, name: str, order: Sequence[str] = ()) -> dict[str, Values]:
    """Return 0/1 columns ``name[level]`` for every level but the first of ``order``, or seen."""
    return {
        f"{name}[{level}]": [float(one == level) for one in levels]
        for level in list(dict.fromkeys([*order, *levels]))[1:]
    }


def _complete_rows(
    values: Values, fixed: Mapping[str, Values], random: Mapping[str, Sequence[str]]
) -> tuple[Floats, Floats, list[Codes], int]:
    """Return values, columns with an intercept first, level codes, and how many rows went."""
    y = as_sample(values, "the values")
    rows = {name: len(part) for name, part in [*fixed.items(), *random.items()]}
    for name, n in rows.items():
        if n != y.size:
            raise ValueError(f"{name} has {n} rows and the values have {y.size}")
    if not random:
        raise ValueError("a mixed model needs a random factor, such as the judge or the item")
    columns = [as_sample(column, name) for name, column in fixed.items()]
    table = np.column_stack([np.ones(y.size), *columns])
    kept = ~(np.isnan(y) | np.isnan(table).any(axis=1))
    codes = [
        np.unique(np.asarray(keys, dtype=str)[kept], return_inverse=True)[1]
        for keys in random.values()
    ]
    return y[kept], table[kept], codes, int((~kept).sum())


def _method(random: Mapping[str, Sequence[str]]) -> str:
    terms = " + ".join(f"(1|{name})" for name in random)
    return f"linear mixed model with {terms}, REML, Wald z tests of the fixed effects"


def _why_undefined(y: Floats, table: Floats, codes: list[Codes], sizes: list[int]) -> str | None:
    if y.size <= table.shape[1]:
        return "too_few_units"
    if min(sizes) < 2 or max(sizes) >= y.size or np.linalg.matrix_rank(table) < table.shape[1]:
        return "not_identified"
    residual = y - table @ np.linalg.lstsq(table, y, rcond=None)[0]
    flat = float((residual**2).sum()) <= 1e-26 * float((y**2).sum())
    if flat or is_constant(y) or _is_explained(residual, table, codes, sizes):
        return "no_variance"
    return None


def _is_explained(residual: Floats, table: Floats, codes: list[Codes], sizes: list[int]) -> bool:
    """Whether the levels leave nothing: the residual spread then falls to 0, ever likelier.

    Where there are as many columns as rows nothing is left by their number alone, which says
    nothing of the spread.
    """
    if sum(sizes) + table.shape[1] >= residual.size:
        return False
    columns = sparse.hstack([sparse.csr_array(table), _level_columns(codes, sizes)], format="csr")
    left = sparse.linalg.lsmr(columns, residual, atol=1e-14, btol=1e-14, maxiter=300)[3]
    return float(left) <= _LEAST_LEFT * float(np.linalg.norm(residual))


def _level_columns(codes: list[Codes], sizes: list[int]) -> sparse.csr_array:
    """Return one 0/1 column for each level of each random factor."""
    blocks = [
        sparse.coo_array((np.ones(code.size), (np.arange(code.size), code)), shape=(code.size, n))
        for code, n in zip(codes, sizes, strict=True)
    ]
    return sparse.hstack(blocks, format="csr")


@dataclass(frozen=True, slots=True)
class _Solution:
    ratios: Floats
    beta: Floats
    inverse_root: Floats
    penalised_squares: float
    criterion: float


@dataclass(frozen=True, slots=True)
class _Penalised:
    """The cross products that every trial of the ratios is solved from."""

    zz: Floats
    zx: Floats
    zy: Floats
    xx: Floats
    xy: Floats
    yy: float
    n: int
    sizes: list[int]

    @classmethod
    def of(cls, y: Floats, x: Floats, codes: list[Codes], sizes: list[int]) -> "_Penalised":
        z = _level_columns(codes, sizes)
        return cls(
            (z.T @ z).toarray(),
            np.asarray(z.T @ x),
            np.asarray(z.T @ y),
            x.T @ x,
            x.T @ y,
            float(y @ y),
            y.size,
            sizes,
        )

    def best_ratios(self) -> Floats:
        """Return the ratios of random to residual spread with the least criterion."""
        found = optimize.minimize(
            self.criterion,
            np.ones(len(self.sizes)),
            method="Nelder-Mead",
            bounds=[(0.0, math.inf)] * len(self.sizes),
            options={"xatol": 1e-9, "fatol": 1e-10},
        )
        return np.asarray(found.x, dtype=np.float64)

    def criterion(self, ratios: Floats) -> float:
        """Return the REML criterion at the ratios; infinite where double precision ends."""
        try:
            return self.solve(ratios).criterion
        except (linalg.LinAlgError, ValueError):  # no factor, or the logarithm of no squares
            return math.inf

    def solve(self, ratios: Floats) -> _Solution:
        """Return the least penalised squares at the ratios, and the REML criterion."""
        scale = np.repeat(ratios, self.sizes)
        inner = scale[:, None] * self.zz * scale
        inner[np.diag_indices_from(inner)] += 1
        root = linalg.cholesky(inner, lower=True, check_finite=False)
        zx = linalg.solve_triangular(root, scale[:, None] * self.zx, lower=True)
        zy = linalg.solve_triangular(root, scale * self.zy, lower=True)
        root_x = linalg.cholesky(self.xx - zx.T @ zx, lower=True)
        xy = linalg.solve_triangular(root_x, self.xy - zx.T @ zy, lower=True)
        squares = float(self.yy - zy @ zy - xy @ xy)
        inverse = linalg.solve_triangular(root_x, np.eye(root_x.shape[0]), lower=True)
        freedom = self.n - root_x.shape[0]
        determinants = np.log(np.diag(root)).sum() + np.log(np.diag(root_x)).sum()
        criterion = 2 * float(determinants)
        criterion += freedom * (1 + math.log(2 * math.pi * squares / freedom))
        return _Solution(ratios, inverse.T @ xy, inverse, squares, criterion)


def _coefficients(
    names: list[str], found: _Solution, sigma2: float, confidence: float
) -> dict[str, Estimate]:
    errors = np.sqrt(sigma2 * (found.inverse_root**2).sum(axis=0))
    z = float(special.ndtri((1 + confidence) / 2))
    return {
        name: Estimate(
            name,
            float(value),
            se=float(se),
            ci=(float(value - z * se), float(value + z * se)),
            ci_method="Wald z",
            confidence=confidence,
            p=normal_p(float(value / se), "two-sided"),
        )
        for name, value, se in zip(names, found.beta, errors, strict=True)
    }
