"""The grid of experts' against the crowd's answers on the same outputs."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.confusion import ConfusionRow

Floats = npt.NDArray[np.float64]


def confusion_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[ConfusionRow]:
    """Yield every pair of points, experts' first, for dimensions rated on points."""
    if evaluation.sides is None:
        return
    groups = (evaluation.sides.expert, evaluation.sides.crowd)
    for dimension in evaluation.dimensions:
        points = evaluation.scales[dimension].values
        experts, crowd = (_shares(evaluation, dimension, group) for group in groups)
        both = (experts.sum(axis=1) > 0) & (crowd.sum(axis=1) > 0)
        n_outputs = int(both.sum())
        if not n_outputs:
            continue
        grid = experts[both].T @ crowd[both] / n_outputs
        of_first = grid.sum(axis=1)
        for row, first in enumerate(points):
            for column, second in enumerate(points):
                share = float(grid[row, column])
                yield ConfusionRow(
                    dimension=dimension,
                    groups=groups,
                    points=(first, second),
                    share=share,
                    share_of_first=share / float(of_first[row]) if of_first[row] else None,
                    n_outputs=n_outputs,
                )


def _shares(evaluation: Evaluation, dimension: str, group: str) -> Floats:
    """Return by unit the share of the group's judges who chose each point, units x points."""
    scale = evaluation.scales[dimension]
    rows = evaluation.select(dimension, [group])
    rows = rows.rows(~np.isnan(rows.value))
    unit = rows.system.codes * len(evaluation.items) + rows.item.codes
    unit = unit * len(rows.fact.keys) + rows.fact.codes
    q = scale.n_points
    n_units = len(evaluation.systems) * len(evaluation.items) * len(rows.fact.keys)
    if not q:
        return np.zeros((n_units, 0))
    counts = np.bincount(unit * q + scale.codes(rows.value), minlength=n_units * q)
    counts = counts.reshape(n_units, q)
    size = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.zeros((n_units, q))
    np.divide(counts, size, out=shares, where=size > 0)
    return shares
