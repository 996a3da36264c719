"""How many of an item's facts its outputs hold: coverage, and the share of contradictions."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from metrics_app.stats.anova import oneway_anova
from metrics_app.stats.correlation import pearson
from metrics_app.stats.fact_table import FactTable
from metrics_app.stats.mean_interval import estimate_mean
from metrics_app.stats.results import NAN, Estimate, TestResult
from metrics_app.stats.samples import Floats

Rule = Literal["any", "majority", "all", "mean"]
Output = tuple[Hashable, Hashable]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of facts with the counted label (0 to 1).

    Attributes
    ----------
    overall : Estimate
        Mean over outputs, t interval.
    outputs : mapping
        (item, system) to share; outputs without an answer are left out.
    systems : mapping
        System to the mean over its outputs, t interval.
    predicates : mapping
        Predicate to the weighted share of its facts over all outputs.
    rule : str
        How several judges' answers on a fact become one.
    n_ties : int
        Facts on which as many judges said yes as no; by ``majority`` they are not covered.
    n_facts, n_unanswered : int
        Facts with an answer, and without one.
    """

    overall: Estimate
    outputs: Mapping[Output, float]
    systems: Mapping[Hashable, Estimate]
    predicates: Mapping[str, float]
    rule: str
    n_ties: int
    n_facts: int
    n_unanswered: int


def coverage(table: FactTable, *, rule: Rule = "mean") -> Coverage:
    """Return the share of each output's facts that have the counted label.

    The same function gives coverage (the label ``Present``) and the contradiction rate.

    Parameters
    ----------
    table : FactTable
        Facts weigh as they say; equally where all weights are 1.
    rule : {"any", "majority", "all", "mean"}
        A fact counts if any judge, more than half of the judges or every judge gave the label;
        ``mean`` counts the share of the judges who did.

    Returns
    -------
    Coverage
        ``overall`` and systems are undefined (``all_missing``) without an answer.
    """
    if rule not in _RULES:
        raise ValueError(f"rule must be any, majority, all or mean, not {rule!r}")
    positive, answered = table.counts()
    known = answered > 0
    values = np.full(len(known), NAN)
    values[known] = _RULES[rule](positive[known], answered[known])
    outputs = _shares(table, values, [fact.output for fact in table.facts])
    by_system: dict[Hashable, list[float]] = {}
    for (_item, system), share in outputs.items():
        by_system.setdefault(system, []).append(share)
    what = f"share of facts labelled {table.positive}, {rule} rule, mean over outputs"
    return Coverage(
        overall=estimate_mean("fact_coverage", list(outputs.values()), method=what),
        outputs=outputs,
        systems={
            system: estimate_mean("fact_coverage", shares, method=what)
            for system, shares in by_system.items()
        },
        predicates=_shares(table, values, [fact.predicate for fact in table.facts]),
        rule=rule,
        n_ties=int((known & (2 * positive == answered)).sum()),
        n_facts=int(known.sum()),
        n_unanswered=int((~known).sum()),
    )


def judge_coverage(table: FactTable) -> dict[Hashable, float]:
    """Return each judge's mean over outputs of the share of facts given the counted label."""
    return {judge: coverage(table.of_judge(judge)).overall.value for judge in table.judges}


@dataclass(frozen=True, slots=True)
class FactComparison:
    """Two groups' percentages of the same outputs.

    Attributes
    ----------
    anova : TestResult
        One-way analysis of variance of the two series of output means, F(1, 2n - 2).
    pearson : Estimate
        Correlation of the two series.
    outputs : tuple
        The outputs that both groups judged, in order.
    series : mapping
        Group to its percentages (0 to 100), one for each output.
    n_left_out : int
        Outputs that only one of the groups judged.
    """

    anova: TestResult
    pearson: Estimate
    outputs: tuple[Output, ...]
    series: Mapping[Hashable, tuple[float, ...]]
    n_left_out: int


def compare_groups(
    table: FactTable, first: Hashable, second: Hashable, *, rule: Rule = "mean"
) -> FactComparison:
    """Compare two groups on the percentage of facts that each output holds.

    Outputs are the unit of analysis, each with one mean a group, as in studies of 20 summaries
    that report F(1, 38). The series are paired by output, which a one-way analysis does not use;
    Pearson's correlation does.
    """
    found = [coverage(table.of_group(group), rule=rule).outputs for group in (first, second)]
    shared = tuple(output for output in found[0] if output in found[1])
    series = {
        group: tuple(100 * shares[output] for output in shared)
        for group, shares in zip((first, second), found, strict=True)
    }
    return FactComparison(
        anova=oneway_anova(
            {str(group): list(values) for group, values in series.items()}, unit="output_mean"
        ),
        pearson=pearson(series[first], series[second]),
        outputs=shared,
        series=series,
        n_left_out=len(set(found[0]) ^ set(found[1])),
    )


def pyramid_score(
    weights: npt.ArrayLike, is_expressed: npt.ArrayLike, *, n_expected: int | None = None
) -> float:
    """Return the weight of the facts expressed, over the best weight the same number can have.

    Parameters
    ----------
    weights : array-like, shape (n_facts,)
        Number of reference texts that hold the fact.
    is_expressed : array-like of bool, shape (n_facts,)
    n_expected : int, optional
        Facts in an ideal text; by default as many as are expressed (the original score). The
        mean number of facts in the references gives the modified score, a recall.

    Returns
    -------
    float
        0 to 1; NaN where nothing is expected.

    Notes
    -----
    Nenkova, Passonneau and McKeown (2007), The pyramid method, ACM TSLP 4(2).
    """
    weight, expressed = np.asarray(weights, dtype=np.float64), np.asarray(is_expressed, dtype=bool)
    if weight.shape != expressed.shape:
        raise ValueError(f"{weight.size} weights for {expressed.size} facts")
    n_best = int(expressed.sum()) if n_expected is None else n_expected
    best = float(np.sort(weight)[::-1][:n_best].sum())
    return min(float(weight[expressed].sum()) / best, 1.0) if best else NAN


def _any(positive: Floats, _answered: Floats) -> Floats:
    return np.asarray(positive > 0, dtype=np.float64)


def _majority(positive: Floats, answered: Floats) -> Floats:
    return np.asarray(2 * positive > answered, dtype=np.float64)


def _all(positive: Floats, answered: Floats) -> Floats:
    return np.asarray(positive == answered, dtype=np.float64)


def _mean(positive: Floats, answered: Floats) -> Floats:
    return positive / answered


_RULES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "any": _any,
    "majority": _majority,
    "all": _all,
    "mean": _mean,
}


def _shares(table: FactTable, values: Floats, keys: Sequence[Key]) -> dict[Key, float]:
    """Return the weighted mean of the known values under each key; keys without weight go."""
    sums: dict[Key, tuple[float, float]] = {}
    for key, value, weight in zip(keys, values.tolist(), table.weights.tolist(), strict=True):
        if not math.isnan(value):
            held, total = sums.get(key, (0.0, 0.0))
            sums[key] = held + weight * value, total + weight
    return {key: held / total for key, (held, total) in sums.items() if total}
