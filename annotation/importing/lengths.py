"""Systems whose outputs are far longer or shorter than the others': the wrong file, perhaps."""

from collections.abc import Iterator, Mapping
from statistics import median

from annotation.importing.findings import SystemFigures

FEWEST_OUTPUTS = 5
FAR = 4.0


def far_off(systems: Mapping[str, SystemFigures]) -> Iterator[tuple[str, float]]:
    """Yield (system, ratio) for systems with at least five outputs and a mean length far off.

    The ratio is that of a system's mean length to the median of all means; of two systems, to
    the other's. It is far off from 4 times, and up to a quarter.
    """
    means = {
        name: figures.n_characters / figures.n_outputs
        for name, figures in systems.items()
        if figures.n_outputs >= FEWEST_OUTPUTS
    }
    for name, mean in means.items():
        typical = median(means.values()) if len(means) > 2 else sum(means.values()) - mean
        if typical and not 1 / FAR < mean / typical < FAR:
            yield name, mean / typical
