"""Which of a study's ratings and choices count, and why the others do not."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from annotation.selectors import doors
from annotation.selectors.doors import ComparisonRow, RatingColumns, StudyRow
from annotation.selectors.doors.ratings import WITHDRAWN
from metrics_app.loaders.comparisons import Comparison, with_repeats
from metrics_app.loaders.names import Ints, Truths

# By phase, key and version what the report calls a dimension; those with a scale are there.
Asked = Mapping[tuple[str, str, int], str]
REPEAT = "repeats, which serve the judges' agreement with themselves"
OUT = "the judge is out ({})"
OLD = "they judge an older text of the output"
INCOMPLETE = "not handed in, or without a place (late or surplus)"


def comparisons_of_study(
    study: StudyRow, *, with_excluded: bool
) -> tuple[tuple[Comparison, ...], dict[str, int]]:
    """Return the answers about pairs and sets that count, and how many do not, by reason.

    Repeats do not count, but stand beside the first answers that they repeat.
    """
    reasons: Counter[str] = Counter()
    kept: list[Comparison] = []
    again: list[Comparison] = []
    for row in doors.comparison_rows(study.id, study.slug):
        if row.kind == "comment":
            continue
        reason = _why_not_counted(row, with_excluded=with_excluded)
        if reason:
            reasons[reason] += 1
        else:
            kept.append(_comparison(row))
        if row.is_repeat and row.submitted_at is not None and row.is_current:
            again.append(_comparison(row))
    return with_repeats(kept, again), dict(reasons)


def _comparison(row: ComparisonRow) -> Comparison:
    return Comparison(
        dimension=row.dimension,
        group=row.judge_group,
        judge=row.judge,
        item=row.item_id,
        batch="" if row.batch is None else str(row.batch),
        systems=tuple(member.system for member in row.members),
        choice=row.choice,
    )


def counted_ratings(
    columns: RatingColumns, asked: Asked, *, with_excluded: bool
) -> tuple[Truths, dict[str, int]]:
    """Return which ratings count, and how many do not, by reason."""
    kept, reasons = _is_asked(columns, asked), {}
    for reason, is_wrong in _why_left_out(columns, with_excluded=with_excluded):
        if n_wrong := int((kept & is_wrong).sum()):
            reasons[reason] = n_wrong
        kept = kept & ~is_wrong
    return kept, reasons


def repeated_ratings(columns: RatingColumns, asked: Asked, *, with_excluded: bool) -> Ints:
    """Return the places of ratings of what judges who count were shown again."""
    kept = _is_asked(columns, asked)
    kept = kept & columns.is_repeat & ~np.isnan(columns.submitted_at) & columns.is_current
    for reason in _exclusions(columns, with_excluded=with_excluded):
        kept = kept & ~_is_excluded(columns, reason)
    return np.flatnonzero(kept)


def _is_asked(columns: RatingColumns, asked: Asked) -> Truths:
    """Return which ratings are numbers on a dimension of the report; a comment is none."""
    wanted = np.array([key in asked for key in columns.dimension.keys], dtype=np.bool_)
    return np.asarray(wanted[columns.dimension.codes] & ~columns.is_text, dtype=np.bool_)


def _why_left_out(columns: RatingColumns, *, with_excluded: bool) -> Iterator[tuple[str, Truths]]:
    yield REPEAT, columns.is_repeat
    for reason in _exclusions(columns, with_excluded=with_excluded):
        yield OUT.format(reason), _is_excluded(columns, reason)
    yield OLD, ~columns.is_current
    # A judge's exclusion may have freed the place; what was handed in was valid until then.
    is_complete = np.where(
        _is_excluded(columns, ""), columns.is_valid, ~np.isnan(columns.submitted_at)
    )
    yield INCOMPLETE, ~is_complete


def _exclusions(columns: RatingColumns, *, with_excluded: bool) -> list[str]:
    """Return why judges are out whose ratings do not count."""
    found = dict.fromkeys(reason for reason in columns.excluded_by.keys if reason)
    return [reason for reason in found if reason == WITHDRAWN or not with_excluded]


def _is_excluded(columns: RatingColumns, reason: str) -> Truths:
    wanted = np.array([key == reason for key in columns.excluded_by.keys], dtype=np.bool_)
    return np.asarray(wanted[columns.excluded_by.codes], dtype=np.bool_)


def _why_not_counted(row: ComparisonRow, *, with_excluded: bool) -> str:
    if row.is_repeat:
        return REPEAT
    counts_anyway = with_excluded and row.excluded_by != WITHDRAWN
    if row.excluded_by and not counts_anyway:
        return OUT.format(row.excluded_by)
    if not row.is_current:
        return OLD
    is_complete = row.submitted_at is not None if row.excluded_by else row.valid
    return "" if is_complete else INCOMPLETE
