"""What single judges are like, as JSON lines."""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.conduct import paces, straight_lining
from metrics_app.stats.judges import JudgeProfile, judge_profiles
from metrics_app.stats.lines import Handler
from metrics_app.stats.lines.agreement import read_table
from metrics_app.stats.tables import RatingTable

Json = Mapping[str, Any]


def _profiles(options: Json, data: Json) -> dict[str, Any]:
    table = read_table(options, data)
    if not isinstance(table, RatingTable):
        raise TypeError("counts do not say which judge gave which rating")
    if not table.n_ratings:
        return {"undefined": "all_missing"}
    return {"value": {str(found.judge): _as_row(found) for found in judge_profiles(table)}}


def _as_row(found: JudgeProfile) -> dict[str, Any]:
    return {
        "severity": found.severity.value,
        "severity_ci": found.severity.ci,
        "spread": found.spread,
        "correlation": found.correlation.value,
        "exact_agreement": found.exact_agreement,
        "mean_distance": found.mean_distance,
        "modal_share": found.modal_share,
        "n_ratings": found.n_ratings,
        "n_shared": found.n_shared,
    }


def _straight_lining(_options: Json, data: Json) -> dict[str, Any]:
    return {"value": straight_lining(data["answers"])}


def _paces(options: Json, data: Json) -> dict[str, Any]:
    return {"value": paces(data["seconds"], threshold=float(options.get("threshold", 3)))}


HANDLERS: dict[str, Handler] = {
    "judge_profiles": _profiles,
    "straight_lining": _straight_lining,
    "paces": _paces,
}
