"""Rankings as JSON lines.

``ranking`` takes ``scores`` (items in rows, systems in columns), or ``ratings``: rows of judge,
item, system, value.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from metrics_app.stats.item_scores import ItemScores
from metrics_app.stats.lines import Handler
from metrics_app.stats.ranking import RankingOptions, rank_systems
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

Json = Mapping[str, Any]
NAMES = {field.name for field in fields(RankingOptions)}


def _ranking(options: Json, data: Json) -> dict[str, Any]:
    rng = np.random.default_rng(options.get("seed", 0))
    chosen = RankingOptions(**{name: options[name] for name in NAMES & set(options)})
    found = rank_systems(_read(options, data), rng=rng, options=chosen)
    if found.undefined:
        return {"undefined": found.undefined}
    pairs = found.head_to_head
    return {
        "value": {row.system: row.mean.value for row in found.systems},
        "se": {row.system: row.mean.se for row in found.systems},
        "ci": {row.system: row.mean.ci for row in found.systems},
        "rank": {row.system: row.rank for row in found.systems},
        "rank_range": {row.system: row.rank_range for row in found.systems},
        "cluster": {row.system: row.cluster for row in found.systems},
        "p": {
            f"{first}-{second}": pairs.p_adjusted[i, j]
            for i, first in enumerate(pairs.systems)
            for j, second in enumerate(pairs.systems)
            if i < j
        },
        "method": found.method,
    }


def _read(options: Json, data: Json) -> ItemScores:
    if "scores" in data:
        systems = options.get("systems")
        values = np.array(data["scores"], dtype=np.float64)
        if not len(values):
            values = values.reshape(0, len(systems or ()))
        return ItemScores.from_array(values, systems=tuple(systems) if systems else None)
    judge, item, system, value = zip(*data["ratings"], strict=True)
    known = [one for one in value if one is not None]
    scale = Scale.points(options.get("categories") or sorted(set(known)) or [0])
    table = RatingTable.from_columns(
        zip(item, system, strict=True), judge, value, scale=scale, item=item, system=system
    )
    return ItemScores.from_ratings(table, standardise=bool(options.get("standardise", False)))


HANDLERS: dict[str, Handler] = {"ranking": _ranking}
