"""What the exclusion of judges changes: means and alpha without them and with them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.estimated import alpha_level
from metrics_app.reports.groups import Groups, parts
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.exclusions import ExclusionRow
from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.results import as_plain


def exclusion_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[ExclusionRow]:
    """Yield means of systems and alpha, by dimension and group, without and with excluded judges.

    Nothing where no rating of an excluded judge could count.
    """
    if evaluation.with_excluded is None:
        return
    fuller = replace(evaluation, judgements=evaluation.with_excluded)
    ordered = ordered_dimensions(evaluation)
    for dimension, name, groups in parts(evaluation):
        if dimension in ordered:
            yield from _means(evaluation, fuller, (dimension, name), groups)
        yield _alpha(evaluation, fuller, (dimension, name), groups)


def _means(
    evaluation: Evaluation, fuller: Evaluation, place: tuple[str, str], groups: Groups
) -> Iterator[ExclusionRow]:
    dimension = place[0]
    for system in evaluation.systems:
        values: list[float | None] = []
        counts: list[int] = []
        for one in (evaluation, fuller):
            rows = one.select(dimension, groups)
            counts.append(int((rows.system.is_in([system]) & ~np.isnan(rows.value)).sum()))
            if system not in one.systems:
                values.append(None)
                continue
            outputs = one.human_scores(dimension, groups)[one.systems.index(system)]
            there = outputs[~np.isnan(outputs)]
            values.append(float(there.mean()) if there.size else None)
        reason = None if values[0] is not None else "all_missing"
        yield _row(place, "mean", {}, system, (values, counts), reason)


def _alpha(
    evaluation: Evaluation, fuller: Evaluation, place: tuple[str, str], groups: Groups
) -> ExclusionRow:
    level = alpha_level(evaluation.scales[place[0]])
    found = [
        krippendorff_alpha(one.rating_table(place[0], groups), measurement=level)
        for one in (evaluation, fuller)
    ]
    values = [as_plain(one.value) for one in found]
    counts = [one.n_ratings for one in found]
    options = {"measurement": level}
    return _row(place, "krippendorff_alpha", options, "", (values, counts), found[0].undefined)


def _row(
    place: tuple[str, str],
    statistic: str,
    options: Mapping[str, str],
    system: str,
    numbers: tuple[list[float | None], list[int]],
    undefined: str | None,
) -> ExclusionRow:
    (without, with_them), (n_without, n_with) = numbers
    both = without is not None and with_them is not None
    return ExclusionRow(
        dimension=place[0],
        group=place[1],
        statistic=statistic,
        options=options,
        system=system,
        value=without,
        with_excluded=with_them,
        difference=with_them - without if both else None,  # type: ignore[operator]  # both are there
        n_ratings=n_without,
        n_with_excluded=n_with,
        undefined=undefined,
    )
