"""Scores of automatic metrics, uploaded for the outputs of a study."""

from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from metrics_app.loaders.columns import Scored
from metrics_app.loaders.files import UnusableFileError, read_scores
from metrics_app.loaders.studies import StudyRow, current_outputs
from metrics_app.models import Direction, Metric, Score
from metrics_app.services.score_rows import ScoreRow, write_scores

Versions = dict[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file of scores came to."""

    n_scores: int
    n_metrics: int
    n_replaced: int


def import_scores(
    study: StudyRow, path: Path, *, dry_run: bool = False, direction: Direction | None = None
) -> Loaded:
    """Load every score of a file, or nothing.

    Scores belong to the outputs' current texts. A score that is there already is replaced. A
    metric that is computed here keeps its scores: uploaded ones of that name get one of their
    own. ``direction`` is set on all metrics of the file; None leaves it as it is.

    Raises
    ------
    ValidationError
        For anything wrong in the file, or a score of an output that the study does not have.
    """
    versions = current_outputs(study.id)
    try:
        rows = read_scores(
            path,
            items={item for item, _ in versions},
            systems={system for _, system in versions},
        )
    except UnusableFileError as error:
        raise ValidationError(str(error).splitlines()) from error
    lacking = next(((r.item, r.system) for r in rows if (r.item, r.system) not in versions), None)
    if lacking is not None:
        raise ValidationError(f"The study has no output of {lacking[1]} for item {lacking[0]}.")
    keys = list(dict.fromkeys(row.metric for row in rows))
    with transaction.atomic():
        metrics = _metrics(study.id, keys, create=not dry_run)
        n_replaced = _n_replaced(rows, metrics, versions)
        if not dry_run:
            _store(rows, metrics, versions)
        if not dry_run and direction is not None:
            pks = [metric.pk for metric in metrics.values()]
            Metric.objects.filter(pk__in=pks).update(direction=direction)
    return Loaded(len(rows), len(keys), n_replaced)


def _n_replaced(rows: list[Scored], metrics: dict[str, Metric], versions: Versions) -> int:
    known = Score.objects.filter(metric__in=[m.pk for m in metrics.values() if m.pk])
    before = set(known.values_list("metric", "output_version_id"))
    return sum((metrics[row.metric].pk, versions[row.item, row.system]) in before for row in rows)


def _store(rows: list[Scored], metrics: dict[str, Metric], versions: Versions) -> None:
    write_scores(
        [
            ScoreRow(metrics[row.metric].pk, versions[row.item, row.system], row.score)
            for row in rows
        ]
    )


def _metrics(study_id: int, keys: list[str], *, create: bool) -> dict[str, Metric]:
    """Return the metric of each name in the file."""
    found = {metric.key: metric for metric in Metric.objects.filter(study_id=study_id)}
    stored = {
        key: f"{key} (uploaded)" if key in found and found[key].signature else key for key in keys
    }
    missing = [key for key in stored.values() if key not in found]
    first = max((metric.position for metric in found.values()), default=-1) + 1
    made = [
        Metric(study_id=study_id, key=key, position=first + offset)
        for offset, key in enumerate(missing)
    ]
    if create:
        for metric in made:
            metric.full_clean()
        Metric.objects.bulk_create(made)
    known = found | {metric.key: metric for metric in made}
    return {key: known[name] for key, name in stored.items()}
