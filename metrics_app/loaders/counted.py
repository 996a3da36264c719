"""Which of a study's ratings and choices count, and why the others do not."""

import math
from collections import Counter
from collections.abc import Sequence

from annotation.selectors import doors
from annotation.selectors.doors import ComparisonRow, RatingRow, StudyRow
from annotation.selectors.doors.ratings import WITHDRAWN
from metrics_app.loaders.columns import Order, Rated, judgements_of
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.evaluation import Judgements


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


def counted_ratings(
    rows: Sequence[RatingRow], names: dict[tuple[str, str, int], str], *, with_excluded: bool
) -> tuple[list[Rated], dict[str, int]]:
    """Return the ratings that count, and how many do not, by reason."""
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


def repeated_ratings(
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


def with_excluded_ratings(
    rows: Sequence[RatingRow],
    names: dict[tuple[str, str, int], str],
    kept: Sequence[Rated],
    order: Order,
) -> Judgements | None:
    """Return the ratings with those of excluded judges, None where that adds none."""
    if not any(row.excluded_by for row in rows):
        return None
    fuller, _ = counted_ratings(rows, names, with_excluded=True)
    return judgements_of(fuller, order) if len(fuller) > len(kept) else None


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
