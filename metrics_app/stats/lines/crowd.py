"""The aggregation of a crowd's labels as JSON lines."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metrics_app.stats.consensus import Consensus, majority_vote, wawa, zero_based_skill
from metrics_app.stats.dawid_skene import dawid_skene
from metrics_app.stats.glad import glad
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.lines import Handler
from metrics_app.stats.mace import mace

Options = Mapping[str, Any]


def _read_labels(options: Options, data: Mapping[str, Any]) -> LabelTable:
    return LabelTable.from_rows(data["labels"], categories=options.get("categories"))


def _as_answer(consensus: Consensus) -> dict[str, Any]:
    shares = [
        dict(zip(consensus.categories, row, strict=True))
        for row in consensus.probabilities.tolist()
    ]
    probabilities = dict(zip(consensus.labels, shares, strict=True))
    if consensus.undefined:
        # One unit is answered as one unit: its shares, without its name around them.
        alone = shares[0] if len(shares) == 1 else probabilities
        is_tie = consensus.undefined == "tie"
        return {"undefined": consensus.undefined, "probabilities": alone if is_tie else None}
    value = {"labels": consensus.labels} | (
        {"priors": consensus.details["priors"]} if "priors" in consensus.details else {}
    )
    return {
        "value": value,
        "ties": consensus.ties,
        "probabilities": probabilities,
        "skills": consensus.skills,
        "method": consensus.method,
        **consensus.details,
    }


def _handle(rule: Callable[[LabelTable], Consensus]) -> Handler:
    return lambda options, data: _as_answer(rule(_read_labels(options, data)))


def _dawid_skene(options: Options, data: Mapping[str, Any]) -> dict[str, Any]:
    smoothing = float(options.get("smoothing", 0))
    return _as_answer(dawid_skene(_read_labels(options, data), smoothing=smoothing))


def _mace(options: Options, data: Mapping[str, Any]) -> dict[str, Any]:
    rng = np.random.default_rng(options.get("seed", 0))
    n_restarts = int(options.get("n_restarts", 10))
    return _as_answer(mace(_read_labels(options, data), rng=rng, n_restarts=n_restarts))


HANDLERS: dict[str, Handler] = {
    "majority_vote": _handle(majority_vote),
    "dawid_skene": _dawid_skene,
    "mace": _mace,
    "glad": _handle(glad),
    "wawa": _handle(wawa),
    "zero_based_skill": _handle(zero_based_skill),
}
