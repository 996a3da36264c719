"""Correlation as JSON lines: of two series, and of a metric with people by level."""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.correlation import COEFFICIENTS
from metrics_app.stats.levels import (
    global_correlation,
    grouped_correlation,
    summary_correlation,
    system_correlation,
)
from metrics_app.stats.lines import Handler
from metrics_app.stats.results import Estimate
from metrics_app.stats.scores import ScoreMatrix

Given = Mapping[str, Any]


def _series(name: str) -> Handler:
    def answer(options: Given, data: Given) -> Given:
        p_method = options.get("p_method", "t approximation")
        if name == "spearman" and p_method != "t approximation":
            raise ValueError(f"p_method of spearman is 't approximation', not {p_method!r}")
        confidence = options.get("confidence", 0.95)
        return of_estimate(COEFFICIENTS[name](data["x"], data["y"], confidence=confidence))

    return answer


def _system(options: Given, data: Given) -> Given:
    return of_estimate(system_correlation(_matrix(data), options["coefficient"]))


def _global(options: Given, data: Given) -> Given:
    return of_estimate(global_correlation(_matrix(data), options["coefficient"]))


def _summary(options: Given, data: Given) -> Given:
    rule = options.get("undefined_groups", "drop")
    return of_estimate(
        summary_correlation(_matrix(data), options["coefficient"], undefined_groups=rule)
    )


def _grouped(options: Given, data: Given) -> Given:
    return of_estimate(
        grouped_correlation(
            _matrix(data),
            options["coefficient"],
            group_by=options["group_by"],
            undefined_groups=options.get("undefined_groups", "drop"),
        )
    )


def _matrix(data: Given) -> ScoreMatrix:
    return ScoreMatrix.from_arrays(data["metric"], data["human"])


def of_estimate(result: Estimate) -> dict[str, Any]:
    """Return what exists of an estimate, or why it is undefined."""
    if result.undefined:
        return {"undefined": result.undefined}
    return {
        "value": result.value,
        "se": result.se,
        "ci": result.ci,
        "p": result.p,
        "n_undefined": result.n_undefined,
    }


HANDLERS: dict[str, Handler] = {
    **{name: _series(name) for name in COEFFICIENTS},
    "system_level_correlation": _system,
    "summary_level_correlation": _summary,
    "global_level_correlation": _global,
    "grouped_correlation": _grouped,
}
