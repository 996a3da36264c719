"""Comparison of groups as JSON lines."""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.anova import oneway_anova, welch_anova
from metrics_app.stats.effects import variance_explained
from metrics_app.stats.lines import Handler
from metrics_app.stats.results import TestResult

Given = Mapping[str, Any]


def _oneway(_options: Given, data: Given) -> Given:
    result = oneway_anova(data["groups"])
    sums = {key: result.details.get(key) for key in ("ss_between", "ss_within")}
    return of_test(result, {"F": result.value, "df": result.df}, **sums)


def _welch(_options: Given, data: Given) -> Given:
    result = welch_anova(data["groups"])
    return of_test(result, {"F": result.value, "df": result.df})


def _effect(name: str) -> Handler:
    def answer(_options: Given, data: Given) -> Given:
        result = variance_explained(data["groups"], name)
        return {"undefined": result.undefined} if result.undefined else {"value": result.value}

    return answer


def of_test(result: TestResult, value: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    """Return a test's value as the worked cases shape it, with p and what else is given."""
    if result.undefined:
        return {"undefined": result.undefined}
    return {"value": value, "ci": result.ci, "p": result.p, **more}


HANDLERS: dict[str, Handler] = {
    "oneway_anova": _oneway,
    "welch_anova": _welch,
    "eta_squared": _effect("eta_squared"),
    "omega_squared": _effect("omega_squared"),
    "epsilon_squared": _effect("epsilon_squared"),
    "partial_eta_squared": _effect("partial_eta_squared"),
}
