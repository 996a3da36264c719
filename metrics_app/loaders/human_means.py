"""What people said of each output, as the mean of their valid ratings."""

import hashlib
from dataclasses import dataclass

import numpy as np

from metrics_app.loaders.studies import StudyRow, source_of_study


@dataclass(frozen=True, slots=True)
class HumanMeans:
    """Mean ratings by people on one dimension; language models are left out.

    Attributes
    ----------
    means : dict of (item, system) to float
    human_systems : tuple of str
        Systems whose outputs people wrote.
    digest : str
        Names the ratings: other ratings, another digest.
    """

    dimension: str
    means: dict[tuple[str, str], float]
    human_systems: tuple[str, ...]
    digest: str


def human_means(study: StudyRow, dimension: str) -> HumanMeans:
    """Return the mean rating of every rated output on one dimension.

    Raises
    ------
    ValueError
        Where nobody has rated on it.
    """
    evaluation = source_of_study(study, own_names=True).evaluation
    if dimension not in evaluation.dimensions:
        known = ", ".join(evaluation.dimensions) or "none"
        raise ValueError(f"No rating on {dimension!r} by people is there; rated are: {known}.")
    rows = evaluation.judgements
    keep = rows.dimension.is_in([dimension]) & ~np.isnan(rows.value)
    rows = rows.rows(keep & ~rows.group.is_in(evaluation.model_groups))
    sums: dict[tuple[str, str], list[float]] = {}
    cells = zip(rows.item.names(), rows.system.names(), rows.value.tolist(), strict=True)
    for item, system, value in cells:
        sums.setdefault((item, system), []).append(value)
    means = {key: sum(values) / len(values) for key, values in sorted(sums.items())}
    digest = hashlib.sha256(repr(means).encode()).hexdigest()[:12]
    return HumanMeans(dimension, means, evaluation.human_systems, digest)
