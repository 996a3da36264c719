"""How well a trained metric predicts people, on what it has not seen."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from metrics_app.metrics.quality_estimator import Floats
from metrics_app.stats.correlation import pearson, spearman
from metrics_app.stats.metric_evaluation import SystemScores, bootstrap_evaluation
from metrics_app.stats.results import Estimate

OWN, EARLIER = "R(BB)", "R(AB)"
# A half to fit three weights and a half to test them.
FEWEST_SYSTEMS = 8
N_RESAMPLES = 200


def by_output(predictions: Floats, ratings: Floats) -> dict[str, Any]:
    """Return the correlations of held-out predictions with mean ratings, over outputs."""
    both = ~np.isnan(predictions) & ~np.isnan(ratings)
    found = {
        "held-out Pearson": pearson(predictions[both], ratings[both]),
        "held-out Spearman": spearman(predictions[both], ratings[both]),
    }
    return {name: _written(estimate) for name, estimate in found.items()} | {
        "outputs compared": int(both.sum())
    }


def by_system(
    parts: Floats,
    ratings: Floats,
    systems: Sequence[str],
    human_systems: Collection[str],
    *,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Return the published evaluation (Conroy et al. 2011) of fitted weights, over systems.

    Half of the machine systems of each bootstrap draw fit, the other half test.
    """
    usable = ~np.isnan(parts).any(axis=1) & ~np.isnan(ratings)
    names = sorted({name for name, is_used in zip(systems, usable, strict=True) if is_used})
    rows = [usable & (np.asarray(systems) == name) for name in names]
    is_machine = [name not in human_systems for name in names]
    if sum(is_machine) < FEWEST_SYSTEMS:
        return {"over systems": f"needs {FEWEST_SYSTEMS} machine systems, {sum(is_machine)} there"}
    data = SystemScores.from_arrays(
        np.array([parts[row].mean(axis=0) for row in rows]),
        np.array([ratings[row].mean() for row in rows]),
        metrics=(EARLIER, OWN),
        is_machine=is_machine,
    )
    found = bootstrap_evaluation(data, baseline=OWN, rng=rng, n_resamples=N_RESAMPLES)
    medians = {name: f"{value:.3f}" for name, value in found.medians.items()}
    return {
        "over systems, fitted": medians["fitted"],
        f"over systems, {OWN} alone": medians[OWN],
        "draws undefined": found.n_undefined,
    }


def _written(estimate: Estimate) -> str:
    if estimate.undefined:
        return f"undefined ({estimate.undefined})"
    ends = f" [{estimate.ci[0]:.3f}, {estimate.ci[1]:.3f}]" if estimate.ci else ""
    return f"{estimate.value:.3f}{ends}"
