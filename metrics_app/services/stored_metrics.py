"""Writes of metrics and their scores."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from metrics_app.metrics.contract import Score as Scored
from metrics_app.metrics.contract import Undefined
from metrics_app.models import Direction, Metric
from metrics_app.services.score_rows import ScoreRow, write_scores

# A metric that only describes has no good end.
DIRECTIONS = {"higher": Direction.HIGHER, "lower": Direction.LOWER, "none": Direction.UNKNOWN}


@dataclass(frozen=True, slots=True)
class NewScore:
    """A score on its way into the database."""

    version_id: int
    score: Scored
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """What is said of a metric that is computed here."""

    key: str
    signature: str
    direction: str = "higher"
    targets: str = ""


@transaction.atomic
def declare_metric(study_id: int, facts: MetricFacts) -> Metric:
    """Return the study's row of a metric, made where there is none.

    Scores of another signature are not this metric's, and go. Scores that were uploaded under
    the same name stay where they are: the computed ones get a name of their own.
    """
    found = Metric.objects.filter(study_id=study_id, key=facts.key).first()
    key = facts.key
    if found is not None and not found.signature:
        key = f"{facts.key} (computed)"
        found = Metric.objects.filter(study_id=study_id, key=key).first()
    if found is None:
        last = Metric.objects.filter(study_id=study_id).aggregate(last=Max("position"))["last"]
        found = Metric(study_id=study_id, key=key, position=0 if last is None else last + 1)
    if found.pk and found.signature != facts.signature:
        found.scores.all().delete()
    found.signature = facts.signature
    found.direction = DIRECTIONS[facts.direction]
    found.targets = facts.targets
    found.full_clean()
    found.save()
    return found


def store_scores(metric: Metric, scores: Iterable[NewScore]) -> int:
    """Store scores, each in the place of an earlier one of the same output; return how many."""
    rows = [_row(metric.pk, new) for new in scores]
    write_scores(rows)
    return len(rows)


def _row(metric_id: int, new: NewScore) -> ScoreRow:
    score = new.score
    if not isinstance(score, Undefined) and not math.isfinite(score):
        score = Undefined("failed", f"It gave {score}.")
    if isinstance(score, Undefined):
        detail = score.detail[:300]
        return ScoreRow(metric_id, new.version_id, None, score.reason, detail, new.content_hash)
    # Of numpy's numbers only the value is stored.
    return ScoreRow(metric_id, new.version_id, float(score), content_hash=new.content_hash)
