"""Every statistic by its name: label, parameters, admissible scales and source."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType

from metrics_app.registry import (
    agreement,
    comparison,
    correlation,
    judging,
    ranking,
    significance,
)
from metrics_app.registry.statistic import Statistic
from metrics_app.stats.scales import Scale

FAMILIES: Mapping[str, tuple[Statistic, ...]] = {
    "agreement": agreement.STATISTICS,
    "comparison": comparison.STATISTICS,
    "correlation": correlation.STATISTICS,
    "significance": significance.STATISTICS,
    "ranking": ranking.STATISTICS,
    "crowd": judging.CROWD,
    "judges": judging.JUDGES,
    "facts": judging.FACTS,
}

STATISTICS: Mapping[str, Statistic] = MappingProxyType(
    {
        entry.name: replace(entry, family=family)
        for family, entries in FAMILIES.items()
        for entry in entries
    }
)
"""Name to statistic, in the order of the documentation."""


def statistic(name: str) -> Statistic:
    """Return the statistic of that name.

    Raises
    ------
    ValueError
        If there is none; the message names the nearest.
    """
    if name not in STATISTICS:
        near = get_close_matches(name, STATISTICS, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(f"there is no statistic {name!r}{hint}")
    return STATISTICS[name]


def statistics_for(scale: Scale) -> list[Statistic]:
    """Return the statistics that make sense on a scale."""
    return [entry for entry in STATISTICS.values() if entry.admits(scale)]
