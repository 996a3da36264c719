"""Reports cut to what one published study prints: its scopes, coefficients and tables.

A preset chooses among rows that the report has anyway, and computes nothing of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from metrics_app.reports.contract import Report
from metrics_app.reports.tables import Table, table_of

Wanted = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class PresetTable:
    """One table: the list it comes from, which of its rows, and what it holds in words."""

    name: str
    rows_of: str
    wanted: Wanted
    holds: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A published study and the tables that it prints."""

    key: str
    title: str
    study: str
    tables: tuple[PresetTable, ...]

    @property
    def prints(self) -> str:
        """What its tables hold, in one sentence."""
        return f"{'; '.join(table.holds for table in self.tables)}."


def _is(**fields: object) -> Wanted:
    return lambda row: all(row[name] == value for name, value in fields.items())


def _is_cell_kappa(row: Mapping[str, Any]) -> bool:
    return bool(
        row["scope"] == "batch_system_mean"
        and row["statistic"] == "cohen_kappa"
        and row["options"].get("rule") == "one"
    )


def _is_pooled(row: Mapping[str, Any]) -> bool:
    wanted = ("percent_agreement", "krippendorff_alpha", "icc")
    return bool(row["scope"] == "pooled" and row["statistic"] in wanted)


def _is_of_outputs(row: Mapping[str, Any]) -> bool:
    return bool(row["level"] == "global" and row["statistic"] in ("pearson", "spearman"))


def _any(_row: Mapping[str, Any]) -> bool:
    return True


_MEANS = PresetTable("means", "means", _any, "mean ratings by system")
OPINSUMMEVAL = Preset(
    "opinsummeval",
    "As OpinSummEval",
    "Shen and Wan (2023)",
    (
        _MEANS,
        PresetTable(
            "agreement", "agreement", _is_cell_kappa,
            "Cohen’s kappa within each batch and system, then averaged, a cell of equal ratings "
            "counting 1",
        ),
        PresetTable(
            "system_level", "correlation", _is(level="system", statistic="kendall_tau_b"),
            "metrics against people, Kendall’s tau-b of the systems’ means",
        ),
        PresetTable(
            "summary_level", "correlation", _is(level="summary", statistic="kendall_tau_b"),
            "the same within each item, then averaged",
        ),
    ),
)  # fmt: skip
TRIPLES2GRU = Preset(
    "triples2gru",
    "As the Triples2GRU study",
    "facts and ratings of summaries by experts and crowd",
    (
        PresetTable(
            "coverage", "facts", _is(rule="mean"), "shares of facts with each label, by system"
        ),
        PresetTable(
            "groups_on_facts", "fact_comparison", _is(rule="mean"),
            "experts against crowd on these shares",
        ),
        _MEANS,
        PresetTable(
            "groups_on_ratings",
            "comparison",
            _is(factor="group", statistic="oneway_anova", unit="output_mean"),
            "experts against crowd on mean ratings of outputs, one-way F",
        ),
    ),
)  # fmt: skip
AESLC = Preset(
    "aeslc",
    "As AESLC",
    "Zhang and Tetreault (2019)",
    (
        _MEANS,
        PresetTable(
            "agreement", "agreement", _is_pooled,
            "agreement over all outputs: exact, Krippendorff’s alpha, ICC",
        ),
        PresetTable(
            "metrics", "correlation", _is_of_outputs,
            "metrics against people, Pearson and Spearman over all outputs",
        ),
        PresetTable("systems", "contrasts", _any, "systems two by two"),
    ),
)  # fmt: skip
NOUVEAU_ROUGE = Preset(
    "nouveau-rouge",
    "As Nouveau-ROUGE",
    "Conroy, Schlesinger and O’Leary (2011)",
    (
        PresetTable(
            "system_level", "correlation", _is(level="system", statistic="pearson"),
            "metrics against people, Pearson of the systems’ means",
        ),
        PresetTable(
            "coefficients", "prediction", _is(part="coefficient"),
            "robust regression of people on metrics",
        ),
        PresetTable(
            "half_split", "prediction", _is(part="half_split"),
            "its correlation with people on one half held out"
        ),
        PresetTable("bootstrap", "prediction", _is(part="bootstrap"), "the same over draws"),
        PresetTable(
            "metric_gap", "prediction", _is(part="gap"), "the gap on texts that people wrote"
        ),
        PresetTable(
            "published_coefficients", "prediction", _is(part="published"),
            "the published coefficients on these scores",
        ),
    ),
)  # fmt: skip
PRESETS = {preset.key: preset for preset in (OPINSUMMEVAL, TRIPLES2GRU, AESLC, NOUVEAU_ROUGE)}


def preset_tables(report: Report, preset: Preset) -> list[Table]:
    """Return the preset's tables with their rows; one without rows is left out."""
    found = []
    for table in preset.tables:
        rows = [row for row in getattr(report, table.rows_of) if table.wanted(_fields(row))]
        if rows:
            found.append(table_of(table.name, rows))
    return found


def _fields(row: Any) -> dict[str, Any]:  # noqa: ANN401 -- any row of the contract
    return {name: getattr(row, name) for name in row.__dataclass_fields__}
