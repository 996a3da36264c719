"""All that a study releases, through the door."""

from collections.abc import Iterator
from typing import Any

from annotation.exporting import Material, MetricScores
from annotation.selectors import doors
from metrics_app.loaders.studies import StudyRow
from metrics_app.metrics.registry import REGISTRY
from metrics_app.models import Metric, Score

SCORE_FIELDS = ("item_id", "system", "metric", "score")


def material_of(study: StudyRow) -> Material:
    """Return what the formats of an export are written from."""
    return doors.export_material(study.id, study.slug)


def protocol_of(study: StudyRow) -> dict[str, Any]:
    """Return what the study asked, of whom, and how."""
    return doors.protocol_of(study.id)


def exclusions_of(study: StudyRow) -> Iterator[tuple[str, str, str, str]]:
    """Yield the log: judges excluded, and every event of the study."""
    return doors.exclusion_rows(study.id)


def study_by_id(study_id: int) -> StudyRow:
    """Return the study with this key."""
    study = doors.study_named(doors.slug_of(study_id))
    if study is None:
        raise ValueError("The study is gone.")
    return study


def exported_scores(study_id: int) -> list[MetricScores]:
    """Return the scores of current texts by metric, for a tree of mt-metrics-eval."""
    values: dict[str, dict[tuple[str, str], float]] = {}
    for item, system, metric, value in _scores(study_id):
        values.setdefault(metric, {})[item, system] = value
    return [
        MetricScores(metric.key, values.get(metric.key, {}), _reads_references(metric))
        for metric in Metric.objects.filter(study=study_id).order_by("position", "pk")
    ]


def _reads_references(metric: Metric) -> bool:
    """Return whether a metric reads references; of uploaded scores it is not known, so they may."""
    known = REGISTRY.get(metric.signature.partition("|")[0])
    return known is None or "reference" in known.needs


def score_rows(study: StudyRow) -> Iterator[tuple[str, str, str, str]]:
    """Yield the scores of current texts, in the columns of ``SCORE_FIELDS``."""
    for item, system, metric, value in _scores(study.id):
        yield item, system, metric, repr(value)


def _scores(study_id: int) -> Iterator[tuple[str, str, str, float]]:
    scores = (
        Score.objects.filter(
            metric__study_id=study_id, output_version__is_current=True, value__isnull=False
        )
        .order_by("metric__position", "pk")
        .values_list(
            "output_version__output__item__key",
            "output_version__output__system__key",
            "metric__key",
            "value",
        )
    )
    names = doors.system_names(study_id)
    for item, system, metric, value in scores.iterator(chunk_size=10_000):
        if value is not None:
            yield item, names[system], metric, value
