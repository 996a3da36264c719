"""Agreement over time: in equal parts of the units, in the order in which they were completed."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from metrics_app.loaders.evaluation import Evaluation, Floats, Judgements
from metrics_app.reports.estimated import EXACT, alpha_on, chosen_coefficients, estimate_row
from metrics_app.reports.groups import Groups, parts
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.rows.agreement import OverTimeRow
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.results import Estimate
from metrics_app.stats.tables import RatingTable

MOST_PARTS = 10
# Agreement on fewer units says little.
FEWEST_UNITS = 20


def over_time_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[OverTimeRow]:
    """Yield alpha and exact agreement of each part, by dimension and group of judges.

    Tenths, or fewer parts of 20 units at least. Nothing where the moments are not known or all
    the same, as of imported ratings; with too few units for two parts one undefined row.
    """
    for dimension, name, groups in parts(evaluation):
        rows = evaluation.select(dimension, groups)
        if rows.n_rows and not np.isnan(rows.at).any() and np.ptp(rows.at) > 0:
            yield from _of_part(evaluation, (dimension, name), groups, options)


def _of_part(
    evaluation: Evaluation, place: tuple[str, str], groups: Groups, options: ReportOptions
) -> Iterator[OverTimeRow]:
    table = evaluation.rating_table(place[0], groups)
    completed = completion(evaluation.select(place[0], groups), table)
    n_parts = min(MOST_PARTS, table.n_units // FEWEST_UNITS)
    rng = stream(options.seed, "over time", *place)
    # Units of the same moment keep their order in the table.
    shares = np.array_split(np.argsort(completed, kind="stable"), max(n_parts, 1))
    for number, share in enumerate(shares, start=1):
        ends = completed[share].min(), completed[share].max()
        if n_parts < 2:
            yield _row(place, (1, 1), ends, _too_few(table))
            return
        own = table.select_units(np.isin(np.arange(table.n_units), share))
        chosen = chosen_coefficients(own, alpha_on(own.scale), EXACT)
        for result in agreement_report(
            own, rng=rng, coefficients=chosen, n_resamples=options.n_resamples
        ):
            yield _row(place, (number, n_parts), ends, result)


def completion(rows: Judgements, table: RatingTable) -> Floats:
    """Return when each unit of the table got its last rating, in seconds since 1970."""
    position = {key: place for place, key in enumerate(table.unit_keys)}
    unit = np.array([position[key] for key in rows.units().tolist()], dtype=np.int64)
    last: Floats = np.full(table.n_units, -np.inf)
    np.maximum.at(last, unit, rows.at)
    return last


def _too_few(table: RatingTable) -> Estimate:
    return Estimate(
        "krippendorff_alpha",
        np.nan,
        undefined="too_few_units",
        n_units=table.n_units,
        n_raters=table.n_raters,
        n_ratings=table.n_ratings,
    )


def _row(
    place: tuple[str, str], part: tuple[int, int], ends: tuple[float, float], result: Estimate
) -> OverTimeRow:
    first, last = (datetime.fromtimestamp(end, UTC).isoformat() for end in ends)
    return estimate_row(
        OverTimeRow, result, dimension=place[0], group=place[1],
        part=part[0], n_parts=part[1], first_at=first, last_at=last,
    )  # fmt: skip
