"""Runs of automatic metrics: asked for, computed in chunks, each chunk stored when it is ready."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from jobs.models import Job
from jobs.services import Progress, create_job
from metrics_app.loaders.material import Scorable, content_hash, scorable_outputs
from metrics_app.loaders.scores import known_scores, reasons_of, stored_hashes
from metrics_app.loaders.studies import StudyRow
from metrics_app.metrics.choices import name_of, read_choice
from metrics_app.metrics.contract import Batch, Metric, Score, Undefined
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
    """What a run came to, over all its metrics.

    ``undefined`` is, by metric and reason, how many outputs are without a score after it.
    """

    n_computed: int = 0
    n_kept: int = 0
    n_copied: int = 0
    undefined: dict[str, dict[str, int]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return plain values for the job's result."""
        return {
            "computed": self.n_computed,
            "kept": self.n_kept,
            "copied": self.n_copied,
            "undefined": self.undefined,
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
    with crew(settings.CONCORD_METRIC_PROCESSES, examples) as members:
        run = _Run(progress, members, n_total=len(outputs) * len(metrics))
        for place, (name, metric) in enumerate(metrics):
            facts = MetricFacts(name, metric.signature, metric.direction, metric.targets)
            row = declare_metric(study_id, facts)
            later = sum(other.cost for _, other in metrics[place + 1 :] if not other.extra)
            run.metric(row, metric, outputs, later=later)
        run.finish()
    return run.count.as_json()


@dataclass
class _Work:
    """One metric of a run, with what is known of its pace; ``hashes`` are by output version."""

    row: StoredMetric
    metric: Metric
    hashes: dict[int, str]
    seconds_each: float
    size: int = FIRST_CHUNK


class _Begun(NamedTuple):
    """A chunk that is being computed, and what waits for its scores."""

    work: _Work
    chunk: Sequence[Scorable]
    scores: Callable[[], Sequence[Score]]


class _Run:
    def __init__(self, progress: Progress, members: Crew, *, n_total: int) -> None:
        self._progress, self._members = progress, members
        self._n_done, self._n_total = 0, n_total
        self._begun: deque[_Begun] = deque()
        self._since = time.monotonic()
        self._rows: list[StoredMetric] = []
        self.count = RunCount()

    def metric(
        self, row: StoredMetric, metric: Metric, outputs: Sequence[Scorable], *, later: float
    ) -> None:
        """Compute one metric for all outputs that lack it; ``later`` ones cost seconds each.

        Its last chunk may be computed still when this returns: the next metric begins beside it.
        """
        self._rows.append(row)
        stored = stored_hashes(row)
        signature = metric.signature
        hashes = {out.version_id: content_hash(signature, out) for out in outputs}
        todo = [out for out in outputs if stored.get(out.version_id) != hashes[out.version_id]]
        self.count.n_kept += len(outputs) - len(todo)
        self._told(len(outputs) - len(todo), metric)
        work = _Work(row, metric, hashes, metric.cost)
        todo = self._copied(work, todo)
        self._compute(work, todo, seconds_later=later * len(todo))

    def finish(self) -> None:
        """Store what is being computed still, and count what has no score."""
        self._end_all_but(0)
        found = {row.key: reasons_of(row) for row in self._rows}
        self.count.undefined = {key: reasons for key, reasons in found.items() if reasons}

    def _compute(self, work: _Work, todo: Sequence[Scorable], *, seconds_later: float) -> None:
        """Have chunks computed, each of about the same time whatever the metric costs.

        Where other processes compute, they have the next chunk while the last one is stored.
        Metrics that come later count for whether to start them, as if they lacked as many outputs.
        """
        start, is_warm = 0, bool(work.metric.extra)
        while start < len(todo):
            seconds_left = work.seconds_each * (len(todo) - start) + seconds_later
            is_dealt = _is_dealt(work.metric, seconds_left, self._members)
            if not is_dealt and not is_warm:
                warm_up(work.metric)
                is_warm, self._since = True, time.monotonic()
            chunk = todo[start : start + work.size]
            begin = self._members.begin if is_dealt else _later
            self._begun.append(
                _Begun(work, chunk, begin(work.metric, [out.example for out in chunk]))
            )
            start += len(chunk)
            self._end_all_but(1 if is_dealt else 0)

    def _end_all_but(self, n: int) -> None:
        while len(self._begun) > n:
            work, chunk, scores = self._begun.popleft()
            self._store(work, chunk, scores())
            self.count.n_computed += len(chunk)
            self._told(len(chunk), work.metric)
            now = time.monotonic()
            work.seconds_each = max((now - self._since) / len(chunk), 1e-6)
            fitting = max(int(SECONDS_A_CHUNK / work.seconds_each), self._members.n_members)
            work.size, self._since = min(fitting, LONGEST_CHUNK), now

    def _copied(self, work: _Work, todo: Sequence[Scorable]) -> list[Scorable]:
        """Copy the scores of equal texts from elsewhere; return the outputs that are left."""
        wanted = {work.hashes[out.version_id] for out in todo}
        known = known_scores(work.metric.signature, wanted)
        copies = [out for out in todo if work.hashes[out.version_id] in known]
        scores = [known[work.hashes[out.version_id]] for out in copies]
        values: list[Score] = [
            Undefined(score.undefined) if score.value is None else score.value for score in scores
        ]
        self._store(work, copies, values)
        self.count.n_copied += len(copies)
        self._told(len(copies), work.metric)
        return [out for out in todo if work.hashes[out.version_id] not in known]

    def _store(self, work: _Work, outputs: Sequence[Scorable], scores: Sequence[Score]) -> None:
        if not outputs:
            return
        new = [
            NewScore(out.version_id, score, work.hashes[out.version_id])
            for out, score in zip(outputs, scores, strict=True)
        ]
        with transaction.atomic():
            self._progress.hold()
            store_scores(work.row, new)

    def _told(self, n_more: int, metric: Metric) -> None:
        self._n_done += n_more
        self._progress(self._n_done, self._n_total, metric.label)


def _later(metric: Metric, batch: Batch) -> Callable[[], Sequence[Score]]:
    return lambda: compute(metric, batch).values


def _is_dealt(metric: Metric, seconds_left: float, members: Crew) -> bool:
    # A model is held once, here: copies of it in every process would fill the memory.
    if metric.extra or members.n_members < 2:
        return False
    return members.is_started or seconds_left > SECONDS_WORTH_SPREADING
