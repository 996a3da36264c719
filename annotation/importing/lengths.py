"""Systems whose outputs are far longer or shorter than the others': the wrong file, perhaps."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from annotation.importing.findings import SystemFigures

FEWEST_OUTPUTS = 5
FAR = 4.0


@dataclass(frozen=True, slots=True)
class Bar:
    """How many outputs of a system have from ``low`` to ``high`` characters.

    ``share`` is that number as a part of the system's largest bar, 0 to 1; ``top`` is what the
    bar leaves free above it.
    """

    low: int
    high: int
    n: int
    share: float
    top: float


def histograms(systems: Mapping[str, SystemFigures]) -> dict[str, list[Bar]]:
    """Return the lengths of each system's outputs, in bars that double in width.

    All systems have the same bars, from the shortest output of any to the longest.
    """
    digits = [bits for figures in systems.values() for bits in figures.lengths]
    bars = range(min(digits), max(digits) + 1) if digits else range(0)
    return {name: [_bar(figures, bits) for bits in bars] for name, figures in systems.items()}


def _bar(figures: SystemFigures, bits: int) -> Bar:
    n = figures.lengths[bits]
    share = n / max(figures.lengths.values())
    return Bar(1 << bits >> 1, (1 << bits) - 1, n, share, 1 - share)


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
