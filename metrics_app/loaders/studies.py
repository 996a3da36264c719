"""A stored study as an evaluation, through the door."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial

from annotation.selectors import doors
from annotation.selectors.doors import (
    ComparisonRow,
    DimensionRow,
    GroupRow,
    OutputRow,
    RatingRow,
    StudyRow,
    Watermark,
)
from annotation.selectors.doors.ratings import WITHDRAWN
from metrics_app.loaders.columns import Order, Rated, Scored, judgements_of, repeats_of, scores_of
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.loaders.sources import Source, TidyRows
from metrics_app.loaders.tidy import tidy_rows
from metrics_app.models import Score
from metrics_app.stats.scales import MEASUREMENTS, Measurement, Scale

study_for = doors.study_for
study_named = doors.study_named
watermark = doors.watermark
ratings_since = doors.ratings_since
events_since = doors.events_since

__all__ = [
    "StudyRow",
    "Watermark",
    "current_outputs",
    "events_since",
    "ratings_of_study",
    "ratings_since",
    "source_of_study",
    "study_for",
    "study_named",
    "texts_of",
    "watermark",
]


def source_of_study(study: StudyRow, *, with_excluded: bool = False) -> Source:
    """Return the study's valid ratings and scores, ready for a report; there may be none yet.

    Parameters
    ----------
    with_excluded : bool
        Keep what excluded judges handed in too, so that a report can say what exclusion changes.
    """
    dimensions = doors.dimension_rows(study.id)
    rows = list(doors.rating_rows(study.id, study.slug))
    names = {(row.phase, row.key, row.version): _name(row) for row in dimensions if row.scale}
    kept, n_left_out = _kept(rows, names, with_excluded=with_excluded)
    again = _again(rows, names, with_excluded=with_excluded)
    comparisons, n_not_counted = comparisons_of_study(study, with_excluded=with_excluded)
    groups = doors.group_rows(study.id)
    systems = doors.system_rows(study.id)
    order = Order(
        dimensions=[_name(row) for row in dimensions],
        groups=[group.key for group in groups],
        systems=[system.key for system in systems],
    )
    judgements = judgements_of(kept, order)
    scores, _ = scores_of(_scores(study.id), judgements)
    evaluation = Evaluation(
        study=study.slug,
        judgements=judgements,
        scales={
            _name(row): _scale(row) for row in dimensions if _name(row) in judgements.dimension.keys
        },
        scores=scores,
        sides=_sides(groups, judgements.group.keys),
        human_systems=tuple(system.key for system in systems if system.kind == "human"),
        model_groups=tuple(group.key for group in groups if group.kind == "model"),
        title=study.title,
        labels={
            **{group.key: group.name for group in groups},
            **{_name(row): row.name for row in dimensions if row.is_current},
        },
        n_left_out=dict(Counter(n_left_out) + Counter(n_not_counted)),
        facts=doors.fact_kinds(study.id),
        repeats=repeats_of(kept, again),
        comparisons=comparisons,
    )
    return Source(evaluation, partial(ratings_of_study, study), study.seed)


def comparisons_of_study(
    study: StudyRow, *, with_excluded: bool
) -> tuple[tuple[Comparison, ...], dict[str, int]]:
    """Return the answers about pairs and sets that count, and how many do not, by reason."""
    reasons: Counter[str] = Counter()
    kept = []
    for row in doors.comparison_rows(study.id, study.slug):
        if row.kind == "comment":
            continue
        reason = _why_left_out(row, with_excluded=with_excluded)
        if reason:
            reasons[reason] += 1
        else:
            kept.append(
                Comparison(
                    dimension=row.dimension,
                    group=row.judge_group,
                    judge=row.judge,
                    item=row.item_id,
                    batch="" if row.batch is None else str(row.batch),
                    systems=tuple(member.system for member in row.members),
                    choice=row.choice,
                )
            )
    return tuple(kept), dict(reasons)


def ratings_of_study(study: StudyRow) -> TidyRows:
    """Yield the tidy table of the study's ratings."""
    return tidy_rows(doors.rating_rows(study.id, study.slug), study.slug)


def current_outputs(study_id: int) -> dict[tuple[str, str], int]:
    """Return the current output version of each (item, system)."""
    return {(row.item, row.system): row.version_id for row in doors.output_rows(study_id)}


def texts_of(study_id: int, outputs: Collection[tuple[str, str]]) -> list[OutputRow]:
    """Return the current texts of some outputs, each given by item and system."""
    items = {item for item, _ in outputs}
    found = doors.output_rows(study_id, items=items) if items else ()
    return [row for row in found if (row.item, row.system) in outputs]


def _name(row: DimensionRow) -> str:
    """Return what the report calls a dimension; an older version says that it is one."""
    return row.key if row.is_current else f"{row.key} (version {row.version})"


def _kept(
    rows: Sequence[RatingRow], names: dict[tuple[str, str, int], str], *, with_excluded: bool
) -> tuple[list[Rated], dict[str, int]]:
    reasons: Counter[str] = Counter()
    kept: list[Rated] = []
    for row in rows:
        name = names.get((row.phase, row.dimension, row.dimension_version))
        if name is None or row.text is not None:
            continue  # a comment is no number
        reason = _why_left_out(row, with_excluded=with_excluded)
        if reason:
            reasons[reason] += 1
        else:
            kept.append(_rated(row, name))
    return kept, dict(reasons)


def _again(
    rows: Sequence[RatingRow], names: dict[tuple[str, str, int], str], *, with_excluded: bool
) -> list[Rated]:
    """Return what judges who count said of what they were shown again."""
    return [
        _rated(row, name)
        for row in rows
        if row.is_repeat and row.text is None and row.submitted_at is not None
        if (name := names.get((row.phase, row.dimension, row.dimension_version)))
        if row.is_current and not _is_out(row, with_excluded=with_excluded)
    ]


def _is_out(row: RatingRow | ComparisonRow, *, with_excluded: bool) -> bool:
    counts_anyway = with_excluded and row.excluded_by != WITHDRAWN
    return bool(row.excluded_by) and not counts_anyway


def _why_left_out(row: RatingRow | ComparisonRow, *, with_excluded: bool) -> str:
    if row.is_repeat:
        return "repeats, which serve the judges' agreement with themselves"
    if _is_out(row, with_excluded=with_excluded):
        return f"the judge is out ({row.excluded_by})"
    if not row.is_current:
        return "they judge an older text of the output"
    # A judge's exclusion may have freed the place; what was handed in was valid until then.
    is_complete = row.submitted_at is not None if row.excluded_by else row.valid
    return "" if is_complete else "not handed in, or without a place (late or surplus)"


def _rated(row: RatingRow, dimension: str) -> Rated:
    return Rated(
        dimension=dimension,
        group=row.judge_group,
        judge=row.judge,
        item=row.item_id,
        system=row.system,
        batch="" if row.batch is None else str(row.batch),
        fact=row.fact_id,
        value=math.nan if row.value is None else row.value,
        at=math.nan if row.submitted_at is None else row.submitted_at.timestamp(),
    )


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


def _scores(study_id: int) -> list[Scored]:
    scores = (
        Score.objects.filter(metric__study_id=study_id, output_version__is_current=True)
        .order_by("metric__position", "pk")
        .values_list(
            "metric__key",
            "output_version__output__item__key",
            "output_version__output__system__key",
            "value",
        )
    )
    return [
        Scored(metric, item, system, value)
        for metric, item, system, value in scores.iterator(chunk_size=10_000)
        if value is not None
    ]
