"""Agreement of a rater with oneself, from units that were shown again."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

Repeat = tuple[Hashable, Hashable, float | None, float | None]


def repeat_tables(rows: Iterable[Repeat], *, scale: Scale) -> dict[Hashable, RatingTable]:
    """Return one table a rater whose two columns are the first and the repeated rating.

    Parameters
    ----------
    rows : iterable of (rater, unit, first, again)
        One row for each unit that a rater saw twice; None is missing.
    scale : Scale
        The declared scale.
    """
    by_rater: dict[Hashable, list[tuple[Hashable, float | None, float | None]]] = {}
    for rater, unit, first, again in rows:
        by_rater.setdefault(rater, []).append((unit, first, again))
    return {rater: _two_columns(found, scale) for rater, found in by_rater.items()}


def intra_rater_agreement(
    rows: Iterable[Repeat],
    *,
    scale: Scale,
    coefficient: Callable[[RatingTable], Estimate] = cohen_kappa,
) -> tuple[Estimate, dict[Hashable, Estimate]]:
    """Return a coefficient of first against repeated ratings: of all raters together, and of each.

    Parameters
    ----------
    rows : iterable of (rater, unit, first, again)
        See `repeat_tables`.
    scale : Scale
        The declared scale.
    coefficient : callable
        Any coefficient for two raters; Cohen's kappa where none is given.

    Returns
    -------
    tuple of Estimate and dict of Estimate
        The pooled estimate counts each (rater, unit) as one unit.
    """
    found = list(rows)
    tables = repeat_tables(found, scale=scale)
    each = {rater: coefficient(table) for rater, table in tables.items()}
    return coefficient(pooled_repeats(found, scale=scale)), each


def pooled_repeats(rows: Iterable[Repeat], *, scale: Scale) -> RatingTable:
    """Return first and repeated ratings of all raters as two columns, (rater, unit) as unit.

    Parameters are those of `repeat_tables`.
    """
    pooled = [((rater, unit), first, again) for rater, unit, first, again in rows]
    return _two_columns(pooled, scale)


def _two_columns(
    rows: Sequence[tuple[Hashable, float | None, float | None]], scale: Scale
) -> RatingTable:
    units = [unit for unit, _, _ in rows]
    return RatingTable.from_columns(
        units + units,
        ["first"] * len(rows) + ["again"] * len(rows),
        [first for _, first, _ in rows] + [again for _, _, again in rows],
        scale=scale,
    )
