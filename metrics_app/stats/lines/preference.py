"""Comparisons of systems as JSON lines.

``bradley_terry`` takes ``comparisons`` (rows of preferred, other) and ``ties``, or a table
``wins``; ``best_worst`` takes ``choices``: objects of ``options``, ``best`` and ``worst``.
"""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.lines import Handler
from metrics_app.stats.preference import Wins, bradley_terry

Json = Mapping[str, Any]


def _pairs(options: Json, data: Json) -> dict[str, Any]:
    if "wins" in data:
        return _answer(options, Wins.from_matrix(data["wins"], systems=options.get("systems")))
    return _answer(options, Wins.from_comparisons(data["comparisons"], ties=data.get("ties") or ()))


def _best_worst(options: Json, data: Json) -> dict[str, Any]:
    choices = [(row["options"], row["best"], row["worst"]) for row in data["choices"]]
    return _answer(options, Wins.from_best_worst(choices))


def _answer(options: Json, wins: Wins) -> dict[str, Any]:
    found = bradley_terry(wins, confidence=options.get("confidence", 0.95))
    if found.undefined:
        return {"undefined": found.undefined, "shares": found.shares}
    return {
        "value": found.strengths,
        "se": found.se,
        "ci": found.ci,
        "p": found.p,
        "chi2": found.value,
        "df": found.df,
        "shares": found.shares,
        "method": found.method,
    }


HANDLERS: dict[str, Handler] = {"bradley_terry": _pairs, "best_worst": _best_worst}
