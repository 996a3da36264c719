"""Nouveau-ROUGE and the evaluation of fitted metrics as JSON lines.

``nouveau_rouge`` takes ``r_ab`` and ``r_bb``; the evaluations take ``scores`` (systems in rows,
metrics in columns), ``human`` and ``is_machine``, with the names of the metrics in the options.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics_app.stats.lines import Handler
from metrics_app.stats.metric_evaluation import (
    SystemScores,
    bootstrap_evaluation,
    half_split,
    metric_gap,
)
from metrics_app.stats.nouveau_rouge import NouveauRouge, jackknife_references

Json = Mapping[str, Any]


def _nouveau_rouge(options: Json, data: Json) -> dict[str, Any]:
    variant, target = str(options["variant"]), options["target"]
    predicted = NouveauRouge(variant, target).predict(
        np.array(data["r_ab"], dtype=np.float64), np.array(data["r_bb"], dtype=np.float64)
    )
    return {"value": predicted, "method": f"Nouveau-ROUGE {variant}, published for {target}"}


def _jackknife(options: Json, data: Json) -> dict[str, Any]:
    scores = np.array(data["scores"], dtype=np.float64)
    return {"value": jackknife_references(scores, combine=options.get("combine", "max"))}


def _half_split(options: Json, data: Json) -> dict[str, Any]:
    found = half_split(_read(options, data), rng=_rng(options), psi=options.get("psi", "huber"))
    if found.undefined:
        return {"undefined": found.undefined}
    parts = {"value": found.value, "ci": found.ci, "p": found.p, "method": found.method}
    return parts | dict(found.details)


def _bootstrap(options: Json, data: Json) -> dict[str, Any]:
    table = _read(options, data)
    found = bootstrap_evaluation(
        table,
        baseline=options.get("baseline", table.metrics[-1]),
        rng=_rng(options),
        n_resamples=int(options.get("n_resamples", 1000)),
        psi=options.get("psi", "huber"),
    )
    if found.undefined:
        return {"undefined": found.undefined, "n_undefined": found.n_undefined}
    return {
        "value": found.medians,
        "u": found.u,
        "p": found.p,
        "n_undefined": found.n_undefined,
        "method": found.method,
    }


def _gap(options: Json, data: Json) -> dict[str, Any]:
    table = _read(options, data)
    found = metric_gap(
        table,
        baseline=options.get("baseline", table.metrics[-1]),
        psi=options.get("psi", "huber"),
    )
    if found.undefined:
        return {"undefined": found.undefined}
    return {
        "value": {"fitted": found.fitted, "baseline": found.baseline},
        "p": found.p,
        "p_signed_rank": found.p_signed_rank,
        "n_smaller": found.n_smaller,
        "n_compared": found.n_compared,
        "method": found.method,
    }


def _read(options: Json, data: Json) -> SystemScores:
    return SystemScores.from_arrays(
        np.array(data["scores"], dtype=np.float64),
        np.array(data["human"], dtype=np.float64),
        metrics=options.get("metrics"),
        is_machine=data.get("is_machine"),
    )


def _rng(options: Json) -> np.random.Generator:
    return np.random.default_rng(options.get("seed", 0))


HANDLERS: dict[str, Handler] = {
    "nouveau_rouge": _nouveau_rouge,
    "reference_jackknife": _jackknife,
    "metric_half_split": _half_split,
    "metric_bootstrap": _bootstrap,
    "metric_gap": _gap,
}
