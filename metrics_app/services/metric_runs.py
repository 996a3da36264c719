"""Runs of automatic metrics: asked for, computed in chunks, each chunk stored when it is ready."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from jobs.models import Job
from jobs.services import Progress, create_job
from metrics_app.loaders.material import Scorable, content_hash, scorable_outputs
from metrics_app.loaders.scores import known_scores, stored_hashes
from metrics_app.loaders.studies import StudyRow
from metrics_app.metrics.choices import name_of, read_choice
from metrics_app.metrics.contract import Metric, Score, Undefined
from metrics_app.metrics.crew import Crew, crew
from metrics_app.metrics.registry import compute, warm_up
from metrics_app.models import Metric as StoredMetric
from metrics_app.services.metric_setup import located
from metrics_app.services.stored_metrics import MetricFacts, NewScore, declare_metric, store_scores

TASK = "metrics_app.tasks.run_metrics_task"
FIRST_CHUNK, LONGEST_CHUNK = 8, 1_000
# A killed worker loses at most this much work.
SECONDS_A_CHUNK = 2.0
# Other processes need some seconds to load what the metrics need: below this they save no time.
SECONDS_WORTH_SPREADING = 10.0


def request_metric_run(study: StudyRow, names: Sequence[str], *, by: User | None = None) -> Job:
    """Store the request for a run; the caller enqueues the job on commit.

    Raises
    ------
    ValidationError
        For a name that is no metric, or a model that is not known here.
    """
    try:
        metrics = [read_choice(name) for name in names]
        for metric in metrics:
            located(metric)
    except ValueError as error:
        raise ValidationError(str(error)) from error
    if not metrics:
        raise ValidationError("Choose at least one metric.")
    chosen = list(dict.fromkeys(map(name_of, metrics)))
    label = f"Metrics: {', '.join(chosen)}"
    return create_job(
        "metrics",
        label=label if len(label) <= 200 else f"{len(chosen)} metrics",
        task=TASK,
        arguments={"metrics": chosen},
        study_id=study.id,
        created_by=by,
    )


@dataclass
class RunCount:
    """What a run came to, over all its metrics."""

    n_computed: int = 0
    n_kept: int = 0
    n_copied: int = 0
    undefined: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Return plain values for the job's result."""
        return {
            "computed": self.n_computed,
            "kept": self.n_kept,
            "copied": self.n_copied,
            "undefined": dict(self.undefined),
        }


def run_metrics(study_id: int, names: Sequence[str], *, progress: Progress) -> dict[str, Any]:
    """Compute what is not stored yet of the named metrics; one bad output never stops the rest.

    Begun again, it goes on where it was: a score whose signature and texts are the stored ones
    is kept, and one that another output or study has from equal texts is copied.
    """
    outputs = scorable_outputs(study_id)
    if not outputs:
        raise ValueError("The study has no outputs yet; upload some first.")
    examples = [out.example for out in outputs]
    metrics = [(name, located(read_choice(name)).fitted(examples)) for name in names]
    run = _Run(progress, n_total=len(outputs) * len(metrics))
    with crew(settings.CONCORD_METRIC_PROCESSES, examples) as members:
        for place, (name, metric) in enumerate(metrics):
            facts = MetricFacts(name, metric.signature, metric.direction, metric.targets)
            row = declare_metric(study_id, facts)
            later = sum(other.cost for _, other in metrics[place + 1 :] if not other.extra)
            run.metric(row, metric, outputs, members, later=later)
    return run.count.as_json()


class _Run:
    def __init__(self, progress: Progress, *, n_total: int) -> None:
        self._progress = progress
        self._n_done, self._n_total = 0, n_total
        self.count = RunCount()

    def metric(
        self,
        row: StoredMetric,
        metric: Metric,
        outputs: Sequence[Scorable],
        members: Crew,
        *,
        later: float,
    ) -> None:
        """Compute one metric for all outputs that lack it; ``later`` ones cost seconds each."""
        stored = stored_hashes(row)
        signature = metric.signature
        hashes = {out.version_id: content_hash(signature, out) for out in outputs}
        todo = [out for out in outputs if stored.get(out.version_id) != hashes[out.version_id]]
        self.count.n_kept += len(outputs) - len(todo)
        self._told(len(outputs) - len(todo), metric)
        todo = self._copied(row, metric, todo, hashes)
        for chunk, scores in _scored(metric, todo, members, later * len(todo)):
            self._store(
                row,
                [
                    NewScore(out.version_id, score, hashes[out.version_id])
                    for out, score in zip(chunk, scores, strict=True)
                ],
            )
            self.count.n_computed += len(chunk)
            self._told(len(chunk), metric)

    def _copied(
        self,
        row: StoredMetric,
        metric: Metric,
        todo: Sequence[Scorable],
        hashes: dict[int, str],
    ) -> list[Scorable]:
        """Copy the scores of equal texts from elsewhere; return the outputs that are left."""
        known = known_scores(metric.signature, {hashes[out.version_id] for out in todo})
        copies = [out for out in todo if hashes[out.version_id] in known]
        scores = [known[hashes[out.version_id]] for out in copies]
        values: list[Score] = [
            Undefined(score.undefined) if score.value is None else score.value for score in scores
        ]
        new = zip(copies, values, strict=True)
        self._store(
            row, [NewScore(out.version_id, value, hashes[out.version_id]) for out, value in new]
        )
        self.count.n_copied += len(copies)
        self._told(len(copies), metric)
        return [out for out in todo if hashes[out.version_id] not in known]

    def _store(self, row: StoredMetric, scores: Sequence[NewScore]) -> None:
        if not scores:
            return
        with transaction.atomic():
            self._progress.hold()
            store_scores(row, scores)
        n_undefined = sum(isinstance(new.score, Undefined) for new in scores)
        if n_undefined:
            self.count.undefined[row.key] += n_undefined

    def _told(self, n_more: int, metric: Metric) -> None:
        self._n_done += n_more
        self._progress(self._n_done, self._n_total, metric.label)


def _scored(
    metric: Metric, outputs: Sequence[Scorable], members: Crew, seconds_later: float
) -> Iterator[tuple[Sequence[Scorable], Sequence[Score]]]:
    """Yield chunks with their scores, each of about the same time whatever the metric costs.

    Where other processes compute, they have the next chunk while the last one is stored. Metrics
    that come later count for whether to start them, as if they lacked as many outputs.
    """
    start, size, seconds_each = 0, FIRST_CHUNK, metric.cost
    seconds_left = seconds_each * len(outputs) + seconds_later
    if outputs and not metric.extra and not _is_dealt(metric, seconds_left, members):
        warm_up(metric)
    begun: deque[tuple[Sequence[Scorable], Callable[[], Sequence[Score]]]] = deque()
    since = time.monotonic()
    while begun or start < len(outputs):
        if start < len(outputs):
            chunk = outputs[start : start + size]
            seconds_left = seconds_each * (len(outputs) - start) + seconds_later
            is_dealt = _is_dealt(metric, seconds_left, members)
            begun.append((chunk, _begun(metric, chunk, members if is_dealt else None)))
            start += len(chunk)
            if is_dealt and len(begun) == 1 and start < len(outputs):
                continue
        chunk, scores = begun.popleft()
        yield chunk, scores()
        seconds_each = max((time.monotonic() - since) / len(chunk), 1e-6)
        since = time.monotonic()
        size = min(max(int(SECONDS_A_CHUNK / seconds_each), members.n_members), LONGEST_CHUNK)


def _begun(
    metric: Metric, chunk: Sequence[Scorable], members: Crew | None
) -> Callable[[], Sequence[Score]]:
    batch = [out.example for out in chunk]
    return members.begin(metric, batch) if members else lambda: compute(metric, batch).values


def _is_dealt(metric: Metric, seconds_left: float, members: Crew) -> bool:
    # A model is held once, here: copies of it in every process would fill the memory.
    if metric.extra or members.n_members < 2:
        return False
    return members.is_started or seconds_left > SECONDS_WORTH_SPREADING
