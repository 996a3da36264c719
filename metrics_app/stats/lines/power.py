"""Power of a study of two systems as JSON lines.

``data`` holds the standard deviations ``sd_item``, ``sd_system_item``, ``sd_judge`` and
``sd_residual``, and where wanted ``cut_points``, ``points``, ``n_pool`` and ``shares_judges``.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics_app.stats.lines import Handler
from metrics_app.stats.power import Plan, required_items, simulate_power
from metrics_app.stats.power_model import RatingModel

Json = Mapping[str, Any]


def _power(options: Json, data: Json) -> dict[str, Any]:
    rng = np.random.default_rng(options.get("seed", 0))
    n_runs = int(options.get("n_runs", 2000))
    found = simulate_power(_model(data), _plan(options), rng=rng, n_runs=n_runs)
    return {"value": found.value, "se": found.se, "ci": found.ci, "method": found.method}


def _required_items(options: Json, data: Json) -> dict[str, Any]:
    needed = required_items(
        _model(data),
        _plan({"n_items": 2} | dict(options)),
        seed=int(options.get("seed", 0)),
        power=float(options.get("power", 0.8)),
        n_runs=int(options.get("n_runs", 1000)),
    )
    return {"undefined": "out_of_reach"} if needed is None else {"value": needed}


def _model(data: Json) -> RatingModel:
    ascending = {
        name: tuple(map(float, data[name])) for name in ("cut_points", "points") if name in data
    }
    return RatingModel(**{**data, **ascending})


def _plan(options: Json) -> Plan:
    return Plan(
        n_items=int(options["n_items"]),
        n_judges=int(options["n_judges"]),
        difference=float(options["difference"]),
        test=options.get("test", "wilcoxon"),
        alpha=float(options.get("alpha", 0.05)),
    )


HANDLERS: dict[str, Handler] = {"power": _power, "required_items": _required_items}
