"""What every statistic returns: frozen, complete in itself, honest about the undefined."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval and the facts needed to repeat it.

    Attributes
    ----------
    statistic : str
        Registered name, for example ``krippendorff_alpha``.
    value : float
        NaN where the statistic is undefined; then ``undefined`` holds the reason code.
    se : float
        Standard error, NaN where none was computed or it is undefined.
    ci : tuple of float or None
        Lower and upper bound.
    ci_method : str
        How the interval was made, in words.
    confidence : float
        Coverage of the interval.
    p : float
        p-value, NaN where no test was made.
    method : str
        The whole method in words: coefficient, weights, level, unit, sidedness, seed, resamples.
    undefined : str or None
        Reason code from ``metrics_app.stats.undefined.REASONS``.
    n_units, n_raters, n_ratings, n_missing : int
        What the number rests on.
    n_undefined : int
        Parts left out because they were undefined: resamples, groups, cells or pairs.
    details : mapping
        Further facts under their standard names, for example ``pa`` and ``pe``.
    """

    statistic: str
    value: float
    se: float = NAN
    ci: tuple[float, float] | None = None
    ci_method: str = ""
    confidence: float = 0.95
    p: float = NAN
    method: str = ""
    undefined: str | None = None
    n_units: int = 0
    n_raters: int = 0
    n_ratings: int = 0
    n_missing: int = 0
    n_undefined: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return plain values; an undefined number is None, since NaN is not JSON."""
        return {part.name: as_plain(getattr(self, part.name)) for part in fields(self)}


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test: its value, degrees of freedom, p-value and effects.

    Attributes
    ----------
    statistic : str
        Registered name, for example ``oneway_anova``.
    value : float
        The test statistic (F, t, U, chi squared, ...); NaN where undefined.
    df : tuple of float
        Degrees of freedom, empty where the test has none.
    p : float
        p-value, NaN where undefined.
    method : str
        The whole method in words: sidedness, correction, exact or approximate, unit of analysis.
    unit : str
        Unit of analysis: ``rating``, ``output_mean``, ``item_mean``, ...
    groups : tuple of str
        Names of the groups compared, in order.
    group_means : tuple of float
        Their means, in the same order.
    effects : mapping
        Effect sizes by name.
    undefined : str or None
        Reason code.
    n : int
        Observations the test rests on.
    n_missing : int
        Observations left out.
    details : mapping
        Further facts under their standard names, for example ``ss_between``.
    """

    # Keeps pytest from collecting the class by its name.
    __test__ = False

    statistic: str
    value: float
    df: tuple[float, ...] = ()
    p: float = NAN
    ci: tuple[float, float] | None = None
    method: str = ""
    unit: str = ""
    groups: tuple[str, ...] = ()
    group_means: tuple[float, ...] = ()
    effects: Mapping[str, float] = field(default_factory=dict)
    undefined: str | None = None
    n: int = 0
    n_missing: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def why_no_number(self) -> str | None:
        """Reason code where the value is no finite number: undefined, or infinite (p is then 0)."""
        return "no_error_variance" if math.isinf(self.value) else self.undefined

    def as_json(self) -> dict[str, Any]:
        """Return plain values; an undefined number is None, since NaN is not JSON."""
        return {part.name: as_plain(getattr(self, part.name)) for part in fields(self)}


def as_plain(value: Any) -> Any:  # noqa: ANN401 -- it takes whatever a result holds
    """Return value as JSON's own types: NaN and infinity become None, arrays become lists."""
    if hasattr(value, "__dataclass_fields__"):
        return {part.name: as_plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {_plain_key(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_plain(part) for part in value]
    if hasattr(value, "tolist"):  # numpy's scalars and arrays
        return as_plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def _plain_key(key: object) -> str:
    return "|".join(map(str, key)) if isinstance(key, tuple) else str(key)
