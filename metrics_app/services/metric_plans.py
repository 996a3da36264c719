"""What a run of metrics would do: what each needs, what is there, how long it takes."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from metrics_app.loaders.material import Scorable, content_hash, scorable_outputs
from metrics_app.loaders.scores import metrics_of, stored_hashes
from metrics_app.metrics.choices import name_of
from metrics_app.metrics.contract import Example, Metric, Undefined
from metrics_app.metrics.registry import compute, missing_need, warm_up
from metrics_app.models import Metric as StoredMetric
from metrics_app.services.metric_setup import located, what_is_missing
from metrics_app.stats.undefined import explain

# A page waits for the calibration: after this long the registered costs must do.
PATIENCE_SECONDS = 3.0
SAMPLE = 3
WORDS_OF_REGISTERED_COST = 60


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """What a run would do for one metric.

    Attributes
    ----------
    problem : str
        Why it cannot run here or for this study at all; empty where it can.
    lacking : dict of str to int
        Outputs that will have no score, by the reason in words.
    n_stored, n_to_compute : int
        Outputs whose score is there already, and the others.
    seconds : float
        Estimated time for the others; ``is_measured`` where outputs of the study were timed,
        else from the registered cost of an output of 60 words.
    """

    name: str
    label: str
    needs: tuple[str, ...]
    problem: str
    lacking: dict[str, int]
    n_stored: int
    n_to_compute: int
    seconds: float
    is_measured: bool


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run would do."""

    n_outputs: int
    metrics: tuple[MetricPlan, ...]

    @property
    def seconds(self) -> float:
        """Return the estimated time of the whole run."""
        return sum(plan.seconds for plan in self.metrics)

    @property
    def n_to_compute(self) -> int:
        """Return how many scores would be computed."""
        return sum(plan.n_to_compute for plan in self.metrics if not plan.problem)


def plan_run(study_id: int, metrics: Sequence[Metric]) -> RunPlan:
    """Return the plan of a run; times each metric on a few outputs, for three seconds in all."""
    outputs = scorable_outputs(study_id)
    rows = {row.key: row for row in metrics_of(study_id)}
    clock = _Clock()
    plans = []
    for metric in metrics:
        name = name_of(metric)
        row = rows.get(f"{name} (computed)") or rows.get(name)
        plans.append(_plan(metric, outputs, row, clock))
    return RunPlan(len(outputs), tuple(plans))


def _plan(
    metric: Metric, outputs: Sequence[Scorable], row: StoredMetric | None, clock: "_Clock"
) -> MetricPlan:
    try:
        ready = located(metric)
        problem = what_is_missing(ready)
    except ValueError as error:
        ready, problem = metric, str(error)
    todo = _todo(ready, outputs, row)
    gaps = [gap for out in outputs if (gap := missing_need(ready, out.example))]
    lacking = Counter(explain(gap.reason) for gap in gaps)
    if outputs and len(gaps) == len(outputs):
        problem = problem or f"{next(iter(lacking))} Upload them first."
    able = [out.example for out in todo if not missing_need(ready, out.example)]
    measured = None if problem else clock.seconds_each(ready, able)
    each = _registered(ready, able) if measured is None else measured
    return MetricPlan(
        name=name_of(metric),
        label=metric.label,
        needs=metric.needs,
        problem=problem,
        lacking=dict(lacking),
        n_stored=len(outputs) - len(todo),
        n_to_compute=len(todo),
        seconds=0.0 if problem else each * len(able) / _n_members(ready),
        is_measured=measured is not None,
    )


def _todo(
    metric: Metric, outputs: Sequence[Scorable], row: StoredMetric | None
) -> Sequence[Scorable]:
    if row is None:
        return outputs
    # Where the whole study's texts make weights, these stand in the signature.
    signature = metric.fitted([out.example for out in outputs]).signature
    if row.signature != signature:
        return outputs
    stored = stored_hashes(row)
    return [out for out in outputs if stored.get(out.version_id) != content_hash(signature, out)]


def _n_members(metric: Metric) -> int:
    return 1 if metric.extra else max(1, settings.CONCORD_METRIC_PROCESSES)


def _registered(metric: Metric, examples: Sequence[Example]) -> float:
    if not examples:
        return 0.0
    sample = examples[:: max(1, len(examples) // 50)]
    n_words = sum(len(example.output.split()) for example in sample) / len(sample)
    return metric.cost * max(1.0, n_words / WORDS_OF_REGISTERED_COST)


class _Clock:
    """Times metrics until the patience of whoever waits is used up."""

    def __init__(self) -> None:
        self._until = time.monotonic() + PATIENCE_SECONDS

    def seconds_each(self, metric: Metric, examples: Sequence[Example]) -> float | None:
        """Return the measured seconds for one output, or None where none may be measured.

        What needs a model is not measured: loading one takes longer than a page may.
        """
        if not examples or metric.extra or time.monotonic() > self._until:
            return None
        warm_up(metric)
        sample = [examples[len(examples) * place // SAMPLE] for place in range(SAMPLE)]
        begun = time.perf_counter()
        scores = compute(metric, sample).values
        seconds = (time.perf_counter() - begun) / SAMPLE
        return None if all(isinstance(score, Undefined) for score in scores) else seconds
