"""A stored study as an evaluation, through the door."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from annotation.selectors import doors
from annotation.selectors.doors import (
    DimensionRow,
    GroupRow,
    OutputRow,
    StudyRow,
    SystemRow,
    Watermark,
)
from metrics_app.loaders.circumstances import Blinding, ExclusionRules
from metrics_app.loaders.columns import Order
from metrics_app.loaders.conduct import conduct_of_study
from metrics_app.loaders.counted import (
    Asked,
    comparisons_of_study,
    counted_ratings,
    repeated_ratings,
)
from metrics_app.loaders.evaluation import Evaluation, Judgements, Sides
from metrics_app.loaders.sources import Source, TidyRows
from metrics_app.loaders.stored import (
    in_order_of_names,
    stored_judgements,
    stored_repeats,
    stored_scores,
)
from metrics_app.loaders.tidy import tidy_rows
from metrics_app.models import Direction, Metric
from metrics_app.stats.scales import MEASUREMENTS, Measurement, Scale

study_for = doors.study_for
may_see_results = doors.may_see_results
system_names = doors.system_names
study_named = doors.study_named
watermark = doors.watermark
ratings_since = doors.ratings_since
events_since = doors.events_since

__all__ = [
    "StudyRow",
    "Watermark",
    "current_outputs",
    "events_since",
    "is_blind",
    "may_see_results",
    "ratings_of_study",
    "ratings_since",
    "source_of_study",
    "study_for",
    "study_named",
    "system_names",
    "texts_of",
    "watermark",
]


def source_of_study(
    study: StudyRow, *, with_excluded: bool = False, own_names: bool = False
) -> Source:
    """Return the study's valid ratings and scores, ready for a report; there may be none yet.

    While the study is blind systems bear neutral names, and none counts as written by people.

    Parameters
    ----------
    with_excluded : bool
        Keep what excluded judges handed in too, so that a report can say what exclusion changes.
    own_names : bool
        Keep the systems' own names, for work whose result bears none.
    """
    systems, names = _systems(study.id, own_names=own_names)
    dimensions = doors.dimension_rows(study.id)
    columns = doors.rating_columns(study.id, names=names)
    asked = {(row.phase, row.key, row.version): _name(row) for row in dimensions if row.scale}
    counted, n_left_out = counted_ratings(columns, asked, with_excluded=with_excluded)
    kept = np.flatnonzero(counted)
    if not own_names and is_blind(study.id):
        # Parts that name systems as they come would else tell the order of the material.
        kept = in_order_of_names(columns, kept)
    again = repeated_ratings(columns, asked, with_excluded=with_excluded)
    comparisons, n_not_counted = comparisons_of_study(study, with_excluded=with_excluded)
    groups = doors.group_rows(study.id)
    order = _order(dimensions, groups, systems)
    judgements = stored_judgements(columns, kept, asked, order)
    asked_keys = judgements.dimension.keys
    evaluation = Evaluation(
        study=study.slug,
        judgements=judgements,
        scales={name: _scale(row) for row in dimensions if (name := _name(row)) in asked_keys},
        scores=stored_scores(study.id, names, judgements),
        sides=_sides(groups, judgements.group.keys),
        human_systems=tuple(system.key for system in systems if system.kind == "human"),
        model_groups=tuple(group.key for group in groups if group.kind == "model"),
        title=study.title,
        labels=_labels(groups, dimensions),
        n_left_out=dict(Counter(n_left_out) + Counter(n_not_counted)),
        facts=doors.fact_kinds(study.id),
        repeats=stored_repeats(columns, kept, again, asked),
        comparisons=comparisons,
        lower_is_better=_lower_is_better(study.id),
        blinding=_blinding(study.id),
        exclusion_rules=_exclusion_rules(study.id),
        conduct=conduct_of_study(study.id, columns, groups),
        with_excluded=None if with_excluded else _with_excluded(columns, kept.size, asked, order),
    )
    return Source(evaluation, partial(ratings_of_study, study), study.seed)


def _systems(study_id: int, *, own_names: bool) -> tuple[list[SystemRow], dict[str, str]]:
    """Return the systems, and what each is called, by its own name."""
    if not own_names:
        return doors.system_rows(study_id), doors.system_names(study_id)
    rows = doors.own_system_rows(study_id)
    return rows, {row.key: row.key for row in rows}


def ratings_of_study(study: StudyRow) -> TidyRows:
    """Yield the tidy table of the study's ratings."""
    return tidy_rows(doors.rating_rows(study.id, study.slug), study.slug)


def current_outputs(study_id: int) -> dict[tuple[str, str], int]:
    """Return the current output version of each (item, system)."""
    return {(row.item, row.system): row.version_id for row in doors.output_rows(study_id)}


def texts_of(study_id: int, outputs: Collection[tuple[str, str]]) -> list[OutputRow]:
    """Return the current texts of some outputs, each given by item and system as a report has it.

    A report from before the closing names no system that there is; its texts are not found.
    """
    items = {item for item, _ in outputs}
    if not items:
        return []
    names = doors.system_names(study_id)
    found = (
        replace(row, system=names[row.system]) for row in doors.output_rows(study_id, items=items)
    )
    return [row for row in found if (row.item, row.system) in outputs]


def _order(
    dimensions: Sequence[DimensionRow], groups: Sequence[GroupRow], systems: Sequence[SystemRow]
) -> Order:
    return Order(
        dimensions=[_name(row) for row in dimensions],
        groups=[group.key for group in groups],
        systems=[system.key for system in systems],
    )


def _labels(groups: Sequence[GroupRow], dimensions: Sequence[DimensionRow]) -> dict[str, str]:
    """Return what people call groups and dimensions."""
    return {
        **{group.key: group.name for group in groups},
        **{_name(row): row.name for row in dimensions if row.is_current},
    }


def _name(row: DimensionRow) -> str:
    """Return what the report calls a dimension; an older version says that it is one."""
    return row.key if row.is_current else f"{row.key} (version {row.version})"


def _scale(row: DimensionRow) -> Scale:
    scale = row.scale
    if scale is None:
        raise ValueError(f"the dimension {row.name} has no scale")
    levels: dict[str, Measurement] = {name: name for name in MEASUREMENTS}
    level = levels[scale.measurement]
    if scale.kind == "points":
        labels = [point.label for point in scale.points]
        return Scale.points(
            (point.value for point in scale.points),
            measurement=level,
            labels=labels if all(labels) else (),
        )
    low, high = scale.minimum or 0.0, scale.maximum or 0.0
    return Scale.range(low, high, step=scale.step, measurement=level)


def _sides(groups: Sequence[GroupRow], judging: Sequence[str]) -> Sides | None:
    experts = [g.key for g in groups if g.kind == "expert" and g.key in judging]
    crowd = [g.key for g in groups if g.kind == "crowd" and g.key in judging]
    return Sides(experts[0], crowd[0]) if len(experts) == 1 and len(crowd) == 1 else None


def _lower_is_better(study_id: int) -> tuple[str, ...]:
    lower = Metric.objects.filter(study_id=study_id, direction=Direction.LOWER)
    return tuple(lower.order_by("position").values_list("key", flat=True))


def is_blind(study_id: int) -> bool:
    """Return whether systems bear neutral names now."""
    return doors.blinding_of(study_id).is_blind


def _blinding(study_id: int) -> Blinding | None:
    row = doors.blinding_of(study_id)
    if not (row.hides_systems or row.hides_results or row.looks):
        return None
    return Blinding(row.hides_systems, row.hides_results, row.is_blind, row.looks)


def _exclusion_rules(study_id: int) -> ExclusionRules | None:
    row = doors.exclusion_rules_of(study_id)
    if not (row.rules or row.changes or row.excluded):
        return None
    return ExclusionRules(row.rules, row.changes, row.excluded)


def _with_excluded(
    columns: doors.RatingColumns, n_kept: int, asked: Asked, order: Order
) -> Judgements | None:
    """Return the ratings with those of excluded judges, None where that adds none."""
    fuller = np.flatnonzero(counted_ratings(columns, asked, with_excluded=True)[0])
    return stored_judgements(columns, fuller, asked, order) if fuller.size > n_kept else None
