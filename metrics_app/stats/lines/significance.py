"""Differences between metrics, resampling and pairwise accuracy as JSON lines."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics_app.stats.correlation_bootstrap import Question, bootstrap_correlation
from metrics_app.stats.correlation_permutation import Contest, permutation_test
from metrics_app.stats.lines import Handler
from metrics_app.stats.lines.comparison import of_test
from metrics_app.stats.lines.correlation import of_estimate
from metrics_app.stats.pairwise_accuracy import acc_eq, acc_eq_calibrated
from metrics_app.stats.results import Estimate
from metrics_app.stats.scores import ScoreMatrix, as_matrix
from metrics_app.stats.significance import (
    DependentCorrelations,
    meng_z,
    steiger_z,
    williams_test,
)
from metrics_app.stats.soft_pairwise import soft_pairwise_accuracy
from metrics_app.stats.swaps import Swaps

Given = Mapping[str, Any]

# Enough draws that two seeds differ by little.
_RESAMPLES = 20_000


def _dependent(data: Given) -> DependentCorrelations:
    if "human" in data:
        return DependentCorrelations.of(data["human"], data["x"], data["y"])
    if "r_jk" in data:
        return DependentCorrelations(data["r_jk"], data["r_jh"], data["r_kh"], data["n"])
    return DependentCorrelations(data["r12"], data["r13"], data["r23"], data["n"])


def _williams(options: Given, data: Given) -> Given:
    alternative = options.get("alternative", "two-sided")
    result = williams_test(_dependent(data), alternative=alternative)
    return of_test(result, {"t": result.value, "df": result.df[0]})


def _steiger(options: Given, data: Given) -> Given:
    # The cases write the variant with an explanation in brackets.
    variant: Any = options.get("variant", "pooled").split(" ")[0]
    result = steiger_z(
        _dependent(data), variant=variant, alternative=options.get("alternative", "two-sided")
    )
    return of_test(result, result.value)


def _meng(options: Given, data: Given) -> Given:
    result = meng_z(_dependent(data), alternative=options.get("alternative", "two-sided"))
    return of_test(result, result.value)


def _acc_eq(options: Given, data: Given) -> Given:
    human, metric = _groups(options, data)
    return of_estimate(acc_eq(human, metric, epsilon=options.get("epsilon", 0)))


def _calibrated(options: Given, data: Given) -> Given:
    result = acc_eq_calibrated(*_groups(options, data))
    if result.undefined:
        return of_estimate(result)
    return {"value": {"accuracy": result.value, "epsilon": result.details["epsilon"]}}


def _groups(options: Given, data: Given) -> tuple[Any, Any]:
    """Return both tables with the groups as rows; ``group_by: item`` says they are columns."""
    human, metric = as_matrix(data["human"], "human"), as_matrix(data["metric"], "metric")
    return (human.T, metric.T) if options.get("group_by") == "item" else (human, metric)


def _soft(options: Given, data: Given) -> Given:
    matrix = ScoreMatrix.from_arrays(data["metric"], data["human"])
    n = options.get("n_resamples", _RESAMPLES)
    return of_estimate(soft_pairwise_accuracy(matrix, rng=_rng(options), n_resamples=n))


def _permutation(options: Given, data: Given) -> Given:
    names = ("metric1", "metric2", "human")
    first, second, human = (as_matrix(data[name], name) for name in names)
    swaps = Swaps(
        options.get("method", "PERM-BOTH"),
        _swapped(options.get("swap", "cells")),
        options.get("n_resamples", _RESAMPLES),
    )
    contest = Contest(options.get("level", "system"), options.get("coefficient", "pearson"), swaps)
    result = permutation_test((first, second), human, contest, rng=_rng(options))
    facts = {key: result.details.get(key) for key in ("p_greater", "p_plain", "n_undefined")}
    return of_test(result, {"delta": result.value}, **facts)


def _swapped(words: str) -> Any:  # noqa: ANN401 -- the scheme refuses what it does not know
    """Return the unit that is swapped: rows and columns are joined by many words."""
    is_whole = words.lower().startswith(("row", "whole row"))
    return "rows then columns" if is_whole else words


def _bootstrap(options: Given, data: Given) -> Given:
    matrix = ScoreMatrix.from_arrays(data["metric"], data["human"])
    given = options.get("method", "BOOT-BOTH")
    if given not in _RESAMPLED:
        raise ValueError(f"method must be one of {list(_RESAMPLED)}, not {given!r}")
    question = Question(
        options.get("level", "system"),
        options.get("coefficient", "pearson"),
        _RESAMPLED[given],
        options.get("confidence", 0.95),
    )
    n = options.get("n_resamples", _RESAMPLES)
    result: Estimate = bootstrap_correlation(matrix, question, rng=_rng(options), n_resamples=n)
    return of_estimate(result)


_RESAMPLED: dict[str, Any] = {
    "BOOT-BOTH": "both",
    "BOOT-SYS": "systems",
    "BOOT-SYSTEMS": "systems",
    "BOOT-INPUTS": "items",
    "BOOT-ITEMS": "items",
}


def _rng(options: Given) -> np.random.Generator:
    return np.random.default_rng(options.get("seed", 0))


HANDLERS: dict[str, Handler] = {
    "williams_test": _williams,
    "steiger_z": _steiger,
    "meng_z": _meng,
    "acc_eq": _acc_eq,
    "acc_eq_calibrated": _calibrated,
    "soft_pairwise_accuracy": _soft,
    "permutation_test_correlation_difference": _permutation,
    "bootstrap_ci_correlation": _bootstrap,
}
