"""The same coefficient on parts of a table: per batch and system, per system, without one rater."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Literal

import numpy as np

from metrics_app.stats.described import sizes
from metrics_app.stats.results import Estimate
from metrics_app.stats.table_checks import factorize
from metrics_app.stats.tables import RatingTable

Coefficient = Callable[[RatingTable], Estimate]
Grouping = Literal["item", "system", "batch"]
UndefinedRule = Literal["one", "leave_out"]


def parts(table: RatingTable, by: Sequence[Grouping]) -> Iterator[tuple[Hashable, RatingTable]]:
    """Yield the key and the table of each group of units, in order of their first unit.

    Parameters
    ----------
    table : RatingTable
        It must have the keys that ``by`` names.
    by : sequence of {"item", "system", "batch"}
        What the units of a group have in common. One name gives plain keys, more give tuples.

    Raises
    ------
    ValueError
        If the table has no such keys.
    """
    columns = []
    for name in by:
        column = getattr(table, name)
        if column is None:
            raise ValueError(f"the units of this table have no {name}")
        columns.append(column)
    keys = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
    group, different = factorize(keys)
    for code, key in enumerate(different):
        yield key, table.select_units(group == code)


def mean_over(
    table: RatingTable,
    coefficient: Coefficient,
    *,
    by: Sequence[Grouping] = ("batch", "system"),
    undefined_rule: UndefinedRule = "leave_out",
) -> Estimate:
    """Return the mean of a coefficient over groups of units, per batch and system by default.

    Parameters
    ----------
    table : RatingTable
        Ratings with the keys that ``by`` names.
    coefficient : callable
        Takes a table, returns an estimate; bind its options with `functools.partial`.
    by : sequence of {"item", "system", "batch"}
        What the units of a group have in common.
    undefined_rule : {"one", "leave_out"}
        What a group counts in which all ratings are equal, so that the coefficient is 0/0: 1, as
        some published tables do, or nothing. A group that is undefined for another reason (no
        unit with two ratings, say) is always left out.

    Returns
    -------
    Estimate
        ``n_undefined`` counts the undefined groups; ``details`` hold ``n_groups``,
        ``n_counted_as_one``, ``n_left_out``, ``sd`` over groups and the ``groups`` by key.
    """
    estimates = {key: coefficient(part) for key, part in parts(table, by)}
    n_one, values = 0, []
    for estimate in estimates.values():
        if not estimate.undefined:
            values.append(estimate.value)
        elif undefined_rule == "one" and estimate.undefined == "one_category":
            values.append(1.0)
            n_one += 1
    n_undefined = sum(1 for estimate in estimates.values() if estimate.undefined)
    rule = "count as 1" if undefined_rule == "one" else "are left out"
    first = next(iter(estimates.values()), None)
    details: dict[str, Any] = {
        "n_groups": len(estimates),
        "n_counted_as_one": n_one,
        "n_left_out": n_undefined - n_one,
        "undefined_rule": undefined_rule,
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else math.nan,
        "groups": {key: estimate.value for key, estimate in estimates.items()},
    }
    return Estimate(
        statistic=first.statistic if first else "",
        value=float(np.mean(values)) if values else math.nan,
        method=f"mean over {' x '.join(by)} of {first.method if first else 'nothing'}; "
        f"groups in which all ratings are equal {rule}",
        undefined=None if values else "no_defined_group",
        n_undefined=n_undefined,
        details=details,
        **sizes(table),
    )


def leave_one_rater_out(table: RatingTable, coefficient: Coefficient) -> dict[Hashable, Estimate]:
    """Return the coefficient of the table without each rater in turn, by the rater left out."""
    return {key: coefficient(table.without_rater(key)) for key in table.rater_keys}
