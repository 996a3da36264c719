"""Every metric by its key, and the one way to run it."""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, replace

from metrics_app.metrics import families
from metrics_app.metrics.contract import Batch, Example, Metric, Score, Undefined
from metrics_app.stats.undefined import explain


def _found() -> dict[str, Metric]:
    metrics = [
        metric
        for module in pkgutil.iter_modules(families.__path__, f"{families.__name__}.")
        for metric in importlib.import_module(module.name).METRICS
    ]
    table = {metric.key: metric for metric in metrics}
    if len(table) < len(metrics):
        raise ValueError("two metrics have the same key")
    return table


REGISTRY: Mapping[str, Metric] = _found()


_WARM_UP = Example("a warm start", ("a warm start",), ("a start",), ("a start",))


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one metric on a batch, in its order, and the signature that repeats them."""

    signature: str
    values: tuple[Score, ...]

    @property
    def failures(self) -> dict[int, str]:
        """Return why an output has no score, in words, by its place in the batch."""
        return {
            index: f"{explain(score.reason)} {score.detail}".strip()
            for index, score in enumerate(self.values)
            if isinstance(score, Undefined)
        }


def missing_need(metric: Metric, example: Example) -> Undefined | None:
    """Return what an example lacks for a metric; known before the metric runs."""
    lacking = next((need for need in metric.needs if not example.texts(need)), None)
    return Undefined(f"no_{lacking}") if lacking else None


def warm_up(metric: Metric) -> None:
    """Score a few words, so that what a metric loads first is not taken for the time it needs."""
    compute(metric, [_WARM_UP])


def compute(metric: Metric, batch: Batch) -> Scores:
    """Return a score or a typed undefined for every example; one bad output never stops the rest.

    Raises
    ------
    ValueError
        For the policy ``each``, which gives several scores per output: use `compute_each`.
    """
    if metric.policy == "each":
        raise ValueError("the policy 'each' gives a score per reference: call compute_each")
    metric = metric.fitted(batch)
    values: list[Score] = [missing_need(metric, example) or 0.0 for example in batch]
    able = [index for index, value in enumerate(values) if not isinstance(value, Undefined)]
    for index, score in zip(able, _scored(metric, [batch[i] for i in able]), strict=True):
        values[index] = score
    return Scores(metric.signature, tuple(values))


def compute_each(metric: Metric, batch: Batch) -> tuple[Scores, ...]:
    """Return the scores against the first reference of every example, against the second, ..."""
    alone = replace(metric, policy="best" if "best" in metric.policies else metric.policies[0])
    positions = range(max((len(example.references) for example in batch), default=0))
    return tuple(
        replace(
            compute(
                alone,
                [replace(example, references=example.references[k : k + 1]) for example in batch],
            ),
            signature=replace(metric, policy="each").signature + f"[{k + 1}]",
        )
        for k in positions
    )


def _scored(metric: Metric, batch: Batch) -> list[Score]:
    if not batch:
        return []
    try:
        return metric.score(batch, metric)
    except Exception as fault:  # noqa: BLE001 -- whatever a metric or its library raises, the run goes on
        if len(batch) == 1:
            return [Undefined("failed", f"{type(fault).__name__}: {fault}")]
    return [score for example in batch for score in _scored(metric, [example])]
