"""The rows of ``report.json``. Later work adds lists and fields, and never changes one.

Every row is complete in itself. Where a number is undefined ``value`` is None and ``undefined``
holds the reason code; a list of them is in ``metrics_app.stats.undefined``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from metrics_app.reports.rows.agreement import OverTimeRow, SelfAgreementRow
from metrics_app.reports.rows.calibration import CalibrationRow
from metrics_app.reports.rows.confusion import ConfusionRow
from metrics_app.reports.rows.disputes import DisputeRow
from metrics_app.reports.rows.exclusions import ExclusionRow
from metrics_app.reports.rows.facts import FactComparisonRow, FactRow
from metrics_app.reports.rows.judges import JudgePairRow, JudgeRow, LeftOutRow
from metrics_app.reports.rows.metric_pairs import MetricPairRow
from metrics_app.reports.rows.models import ModelRow
from metrics_app.reports.rows.prediction import PredictionRow
from metrics_app.reports.rows.preference import StrengthRow, WinRow
from metrics_app.stats.results import as_plain

SCHEMA_VERSION = 1
# What the rows of all judges together bear as their group; no group of a study may be called so.
ALL_GROUPS = "all"

Interval = tuple[float, float]
Numbers = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class MeanRow:
    """The mean of a system's outputs on one dimension, by one group of judges.

    ``mean`` is the mean of the outputs' mean ratings, ``sd`` and ``se`` are those of the outputs'
    means. ``majority_mean`` takes for each output the value that more than half of its judges
    gave, and its mean where there is no such value. ``shares`` are the shares of the points.
    """

    dimension: str
    group: str
    system: str
    n_items: int
    n_ratings: int
    mean: float | None
    sd: float | None
    se: float | None
    ci: Interval | None
    ci_method: str
    majority_mean: float | None = None
    median: float | None = None
    shares: Numbers = field(default_factory=dict)
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One coefficient of agreement in one scope.

    ``scope`` is ``pooled`` (all units at once) or ``batch_system_mean`` (the mean over the cells
    of one batch and one system; ``options.rule`` says what an undefined cell counts) or
    ``people_and_models`` (the mean over pairs of a person and a language model of this group). With
    the second ``n_undefined`` counts cells, else resamples or pairs of judges. Of comparisons it is
    ``choice`` (which of two), ``best`` or ``worst`` (which of a set); a unit is one pair or set.
    """

    dimension: str
    group: str
    scope: str
    statistic: str
    options: Mapping[str, Any]
    value: float | None
    se: float | None
    ci: Interval | None
    ci_method: str
    n_units: int
    n_raters: int
    n_ratings: int
    n_missing: int
    n_undefined: int
    undefined: str | None
    method: str = ""
    observed: float | None = None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A test of means.

    ``factor`` says what is compared: ``group`` (experts against crowd), ``judge`` (the judges of
    one group) or ``system``; for the last two ``group`` says whose ratings they are. Of the two-way
    analysis there are ``group beside system``, ``system beside group`` and ``group x system``.
    """

    dimension: str
    statistic: str
    groups: tuple[str, ...]
    unit: str
    value: float | None
    df: tuple[float, ...]
    p: float | None
    effects: Numbers
    group_means: tuple[float | None, ...]
    undefined: str | None
    factor: str = "group"
    group: str = ""
    n: int = 0
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """An automatic metric against people."""

    metric: str
    dimension: str
    group: str
    level: str
    statistic: str
    value: float | None
    ci: Interval | None
    p: float | None
    n_systems: int
    n_items: int
    n_undefined: int
    undefined: str | None
    ci_method: str = ""
    n_missing: int = 0
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DimensionCorrelationRow:
    """What people said on one dimension against what they said on another."""

    dimensions: tuple[str, str]
    group: str
    level: str
    statistic: str
    value: float | None
    ci: Interval | None
    p: float | None
    n_systems: int
    n_items: int
    n_undefined: int
    undefined: str | None
    ci_method: str = ""


@dataclass(frozen=True, slots=True)
class GroupCorrelationRow:
    """What one group of judges said against what another said."""

    dimension: str
    groups: tuple[str, str]
    level: str
    statistic: str
    value: float | None
    ci: Interval | None
    p: float | None
    n_systems: int
    n_items: int
    n_undefined: int
    undefined: str | None
    ci_method: str = ""


@dataclass(frozen=True, slots=True)
class BiasRow:
    """How much higher the first group rates the same outputs than the second.

    ``limits`` are Bland and Altman's: between them lie 95 per cent of the differences of outputs.
    ``same_order`` is the share of pairs of systems that both groups put in the same order.
    """

    dimension: str
    groups: tuple[str, str]
    unit: str
    value: float | None
    ci: Interval | None
    ci_method: str
    limits: Interval | None
    limits_ci: tuple[Interval, Interval] | None
    slope: float | None
    same_order: float | None
    n_outputs: int
    undefined: str | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """The place of a system among all, by one group of judges on one dimension.

    Every system of a cluster is better than every system of the next, by paired tests corrected
    for all pairs. ``p_next`` and ``share_over_next`` hold it against the system one place below.
    ``z_mean`` is the mean of the ratings as z scores of each judge, whose own mean is then 0.
    """

    dimension: str
    group: str
    system: str
    rank: int
    rank_ci: tuple[int, int]
    cluster: int
    mean: float | None
    ci: Interval | None
    p_next: float | None
    share_over_next: float | None
    n_items: int
    undefined: str | None
    method: str = ""
    z_mean: float | None = None
    z_ci: Interval | None = None


@dataclass(frozen=True, slots=True)
class ContrastRow:
    """One system against another, on the items that both have.

    ``bootstrap_ci`` is the percentile interval of the difference over ``n_resamples`` resamples
    of the items.
    """

    dimension: str
    group: str
    systems: tuple[str, str]
    difference: float | None
    ci: Interval | None
    ci_method: str
    n_items: int
    n_better: int
    n_worse: int
    p: float | None
    p_adjusted: float | None
    bootstrap_ci: Interval | None = None
    n_resamples: int = 0


@dataclass(frozen=True, slots=True)
class FindingRow:
    """Something a reader must know: a copy among the judges, a question, ratings left out."""

    kind: str
    text: str
    dimension: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """One report: where its numbers come from, then its lists of rows."""

    study: str
    generated_at: str
    code_version: str
    data_hash: str
    seed: int
    overview: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[FindingRow, ...] = ()
    means: tuple[MeanRow, ...] = ()
    agreement: tuple[AgreementRow, ...] = ()
    comparison: tuple[ComparisonRow, ...] = ()
    bias: tuple[BiasRow, ...] = ()
    ranking: tuple[RankingRow, ...] = ()
    contrasts: tuple[ContrastRow, ...] = ()
    correlation: tuple[CorrelationRow, ...] = ()
    dimension_correlation: tuple[DimensionCorrelationRow, ...] = ()
    group_correlation: tuple[GroupCorrelationRow, ...] = ()
    judges: tuple[JudgeRow, ...] = ()
    judge_pairs: tuple[JudgePairRow, ...] = ()
    judges_left_out: tuple[LeftOutRow, ...] = ()
    confusion: tuple[ConfusionRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    fact_comparison: tuple[FactComparisonRow, ...] = ()
    models: tuple[ModelRow, ...] = ()
    disputes: tuple[DisputeRow, ...] = ()
    prediction: tuple[PredictionRow, ...] = ()
    calibration: tuple[CalibrationRow, ...] = ()
    agreement_over_time: tuple[OverTimeRow, ...] = ()
    self_agreement: tuple[SelfAgreementRow, ...] = ()
    strengths: tuple[StrengthRow, ...] = ()
    wins: tuple[WinRow, ...] = ()
    choice_agreement: tuple[AgreementRow, ...] = ()
    metric_pairs: tuple[MetricPairRow, ...] = ()
    exclusions: tuple[ExclusionRow, ...] = ()
    schema_version: int = SCHEMA_VERSION

    def as_json(self) -> dict[str, Any]:
        """Return plain values of JSON; what is no finite number is None."""
        plain: dict[str, Any] = as_plain(self)
        return {"schema_version": plain.pop("schema_version"), **plain}
