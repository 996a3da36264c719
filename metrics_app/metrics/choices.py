"""Metrics as people name them: ``rouge1``, ``rouge1_r``, ``bleu(max_n=2,smoothing=floor)``."""

import re
from collections.abc import Iterable
from typing import Any

from metrics_app.metrics.contract import Metric
from metrics_app.metrics.registry import REGISTRY

_CHOICE = re.compile(r"\s*([^()\s]+?)\s*(?:\(([^()]*)\))?\s*")
_BETWEEN = re.compile(r",(?![^(]*\))")
_MEASURE = re.compile(r"(.+)_([prf])")


def read_choices(text: str) -> list[Metric]:
    """Return the metrics of a list such as ``rouge1_f,chrf,bleu(max_n=2)``, each once.

    Raises
    ------
    ValueError
        For a name that no metric has, or a parameter that the metric does not have.
    """
    parts = [part for part in _BETWEEN.split(text) if part.strip()]
    if not parts:
        raise ValueError("No metric is named; `run_metrics --list` shows them all.")
    return list({name_of(metric): metric for metric in map(read_choice, parts)}.values())


def read_choice(text: str) -> Metric:
    """Return the metric of one name with its parameters; see `read_choices`."""
    found = _CHOICE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text.strip()!r} is no metric; write key or key(parameter=value)")
    metric, measure = _named(found[1])
    given = dict(_pairs(metric, (found[2] or "").split(",")))
    policy = given.pop("policy", None)
    return metric.configure(policy=policy, **measure, **given)


def name_of(metric: Metric) -> str:
    """Return the name that reads back as this metric: its key and what is not as registered."""
    plain = REGISTRY[metric.key]
    changed = [
        f"{name}={_written(value)}"
        for name, value in metric.params.items()
        if value != plain.params[name]
    ]
    if metric.policy != plain.policy:
        changed.append(f"policy={metric.policy}")
    return f"{metric.key}({','.join(changed)})" if changed else metric.key


def names_of(metrics: Iterable[Metric]) -> list[str]:
    """Return the name of each metric."""
    return [name_of(metric) for metric in metrics]


def _named(key: str) -> tuple[Metric, dict[str, str]]:
    if key in REGISTRY:
        return REGISTRY[key], {}
    # The field writes rouge1_f; the measure is a parameter here.
    found = _MEASURE.fullmatch(key)
    if found and found[1] in REGISTRY and "measure" in REGISTRY[found[1]].params:
        return REGISTRY[found[1]], {"measure": found[2]}
    raise ValueError(f"There is no metric {key!r}; `run_metrics --list` shows them all.")


def _pairs(metric: Metric, parts: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for part in parts:
        if not part.strip():
            continue
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"{metric.key}: write {name}=value")
        yield name, value if name == "policy" else _value(metric, name, value)


def _value(metric: Metric, name: str, text: str) -> object:
    """Return the text as the type of the parameter's registered value."""
    plain = metric.params.get(name, "")
    try:
        if isinstance(plain, bool):
            return {"yes": True, "no": False, "true": True, "false": False}[text.lower()]
        return type(plain)(text) if isinstance(plain, int | float) else text
    except (KeyError, ValueError):
        kind = "yes or no" if isinstance(plain, bool) else "a number"
        raise ValueError(f"{metric.key}: {name} must be {kind}, not {text!r}") from None


def _written(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
