"""Stored metrics and scores as runs and pages read them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.selectors import doors
from metrics_app.models import Metric, Score

n_outputs = doors.n_outputs

CURRENT = Q(scores__output_version__is_current=True)
# What another run may mend: set the model up, give more memory, start the endpoint.
PASSING = ("not_configured", "failed")
_LOOKED_UP = 500


@dataclass(frozen=True, slots=True)
class Failure:
    """One output that has no score of a metric, and why."""

    item: str
    system: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class KnownScore:
    """A score that was computed before from the same texts by the same signature."""

    value: float | None
    undefined: str


def metrics_of(study_id: int) -> list[Metric]:
    """Return the study's metrics, each with `n_scores` and `n_undefined` of current texts."""
    return list(
        Metric.objects.filter(study_id=study_id)
        .annotate(
            n_scores=Count("scores", filter=CURRENT & Q(scores__value__isnull=False)),
            n_undefined=Count("scores", filter=CURRENT & Q(scores__value__isnull=True)),
        )
        .order_by("position", "pk")
    )


def metric_named(study_id: int, key: str) -> Metric | None:
    """Return one metric of the study."""
    return Metric.objects.filter(study_id=study_id, key=key).first()


def failures_of(metric: Metric, *, at_most: int = 500) -> list[Failure]:
    """Return the current outputs without a defined score, by item and system."""
    rows = (
        _without_value(metric)
        .order_by(
            "output_version__output__item__position", "output_version__output__system__position"
        )
        .values_list(
            "output_version__output__item__key",
            "output_version__output__system__key",
            "undefined",
            "detail",
        )
    )
    return [Failure(*row) for row in rows[:at_most]]


def reasons_of(metric: Metric) -> dict[str, int]:
    """Return how many current outputs have no score for each reason, the most frequent first."""
    by_reason = _without_value(metric).values_list("undefined").annotate(n=Count("pk"))
    return dict(by_reason.order_by("-n", "undefined"))


def _without_value(metric: Metric) -> QuerySet[Score]:
    return metric.scores.filter(value__isnull=True, output_version__is_current=True)


def stored_hashes(metric: Metric) -> dict[int, str]:
    """Return the content hash of every stored score by output version, but the passing ones."""
    scores = metric.scores.exclude(undefined__in=PASSING)
    return dict(scores.values_list("output_version_id", "content_hash"))


def known_scores(signature: str, hashes: Collection[str]) -> dict[str, KnownScore]:
    """Return what is stored anywhere for content hashes of a signature.

    Equal texts are scored once. Most runs are the first of their signature, and look nothing up.
    """
    found: dict[str, KnownScore] = {}
    alike = list(Metric.objects.filter(signature=signature).values_list("pk", flat=True))
    if not Score.objects.filter(metric__in=alike).exists():
        return found
    for part in _parts(sorted(hashes)):
        scores = Score.objects.filter(content_hash__in=part).exclude(undefined__in=PASSING)
        for key, value, undefined in scores.values_list("content_hash", "value", "undefined"):
            found[key] = KnownScore(value, undefined)
    return found


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _LOOKED_UP):
        yield values[start : start + _LOOKED_UP]
