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
    """One table: the list it comes from, and which of its rows."""

    name: str
    rows_of: str
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Preset:
    """A published study and the tables that it prints."""

    key: str
    study: str
    tables: tuple[PresetTable, ...]


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


OPINSUMMEVAL = Preset(
    "opinsummeval",
    "Shen and Wan (2023), OpinSummEval",
    (
        PresetTable("means", "means", _any),
        PresetTable("agreement", "agreement", _is_cell_kappa),
        PresetTable("system_level", "correlation", _is(level="system", statistic="kendall_tau_b")),
        PresetTable(
            "summary_level", "correlation", _is(level="summary", statistic="kendall_tau_b")
        ),
    ),
)
TRIPLES2GRU = Preset(
    "triples2gru",
    "Triples2GRU: facts and ratings of summaries by experts and crowd",
    (
        PresetTable("coverage", "facts", _is(rule="mean")),
        PresetTable("groups_on_facts", "fact_comparison", _is(rule="mean")),
        PresetTable("means", "means", _any),
        PresetTable(
            "groups_on_ratings",
            "comparison",
            _is(factor="group", statistic="oneway_anova", unit="output_mean"),
        ),
    ),
)
AESLC = Preset(
    "aeslc",
    "Zhang and Tetreault (2019), This Email Could Save Your Life",
    (
        PresetTable("means", "means", _any),
        PresetTable("agreement", "agreement", _is_pooled),
        PresetTable("metrics", "correlation", _is_of_outputs),
        PresetTable("systems", "contrasts", _any),
    ),
)
NOUVEAU_ROUGE = Preset(
    "nouveau-rouge",
    "Conroy, Schlesinger and O'Leary (2011), Nouveau-ROUGE",
    (
        PresetTable("system_level", "correlation", _is(level="system", statistic="pearson")),
        PresetTable("coefficients", "prediction", _is(part="coefficient")),
        PresetTable("half_split", "prediction", _is(part="half_split")),
        PresetTable("bootstrap", "prediction", _is(part="bootstrap")),
        PresetTable("metric_gap", "prediction", _is(part="gap")),
        PresetTable("published_coefficients", "prediction", _is(part="published")),
    ),
)
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
