"""What the report rests on, in numbers of things."""

from typing import Any

import numpy as np

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.loaders.names import joint
from metrics_app.stats.results import as_plain

# Parts of an evaluation that are told as they are.
_PARTS = ("blinding", "exclusion_rules", "conduct", "sides")


def overview(evaluation: Evaluation, n_resamples: int) -> dict[str, Any]:
    """Return counts, the declared scales, and what was left out and why."""
    rows = evaluation.judgements
    missing = np.isnan(rows.value)
    outputs = _outputs(evaluation)
    return {
        "title": evaluation.title or evaluation.study,
        "n_items": len({item for item, _ in outputs}),
        "n_systems": len({system for _, system in outputs}),
        "n_outputs": len(outputs),
        "n_ratings": int((~missing).sum()),
        "n_missing": int(missing.sum()),
        "n_metrics": len(evaluation.metrics),
        "n_comparisons": len(evaluation.comparisons),
        "n_judges_comparing": len({(row.group, row.judge) for row in evaluation.comparisons}),
        "n_judges": {
            group: int(np.unique(rows.judge.codes[rows.group.codes == place]).size)
            for place, group in enumerate(evaluation.groups)
        },
        "ratings_per_output": _ratings_per_output(evaluation),
        "labels": dict(evaluation.labels),
        "n_left_out": dict(evaluation.n_left_out),
        "n_resamples": n_resamples,
        "dimensions": list(evaluation.dimensions),
        "systems": list(evaluation.systems),
        "model_groups": list(evaluation.model_groups),
        "human_systems": list(evaluation.human_systems),
        **{part: as_plain(getattr(evaluation, part)) for part in _PARTS},
        "scales": {
            dimension: {
                "points": list(scale.values),
                "labels": list(scale.labels),
                "measurement": scale.measurement,
                "minimum": scale.minimum,
                "maximum": scale.maximum,
            }
            for dimension, scale in evaluation.scales.items()
        },
    }


def _outputs(evaluation: Evaluation) -> set[tuple[str, str]]:
    """Return the (item, system) of every output that was rated or compared."""
    rows = evaluation.judgements
    n_items = max(len(rows.item.keys), 1)
    rated = np.unique(rows.system.codes * n_items + rows.item.codes).tolist()
    found = {(rows.item.keys[code % n_items], rows.system.keys[code // n_items]) for code in rated}
    return found | {(row.item, system) for row in evaluation.comparisons for system in row.systems}


def _ratings_per_output(evaluation: Evaluation) -> dict[str, list[int]]:
    """Return by group the fewest and the most ratings that an output has on one dimension."""
    rows = evaluation.judgements
    rows = rows.rows(~np.isnan(rows.value))
    found = {}
    for place, group in enumerate(evaluation.groups):
        own = rows.rows(rows.group.codes == place)
        cells = joint(own.dimension, own.item, own.system, own.fact)
        counts = np.unique(cells, return_counts=True)[1]
        found[group] = [int(counts.min()), int(counts.max())] if counts.size else [0, 0]
    return found
