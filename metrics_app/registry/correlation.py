"""Correlation of metrics with people."""

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats.correlation import (
    kendall_tau_a,
    kendall_tau_b,
    kendall_tau_c,
    pearson,
    spearman,
)
from metrics_app.stats.levels import (
    global_correlation,
    grouped_correlation,
    summary_correlation,
    system_correlation,
)

DEUTSCH = "Deutsch, Dror and Roth (2021), TACL 9, on levels of metric evaluation"

STATISTICS = (
    Statistic(
        "pearson",
        "Pearson's r",
        pearson,
        "pairs",
        "Pearson (1895); interval of Fisher (1915)",
        METRIC,
    ),
    Statistic(
        "spearman",
        "Spearman's rho",
        spearman,
        "pairs",
        "Spearman (1904), American Journal of Psychology 15(1)",
        ORDERED,
    ),
    Statistic(
        "kendall_tau_a",
        "Kendall's tau-a",
        kendall_tau_a,
        "pairs",
        "Kendall (1938), Biometrika 30(1/2)",
        ORDERED,
    ),
    Statistic(
        "kendall_tau_b",
        "Kendall's tau-b",
        kendall_tau_b,
        "pairs",
        "Kendall (1945), Biometrika 33(3)",
        ORDERED,
    ),
    Statistic(
        "kendall_tau_c",
        "Kendall's tau-c",
        kendall_tau_c,
        "pairs",
        "Stuart (1953), Biometrika 40(1/2)",
        ORDERED,
    ),
    Statistic(
        "system_level_correlation",
        "Correlation at the system level",
        system_correlation,
        "scores",
        DEUTSCH,
        ORDERED,
    ),
    Statistic(
        "summary_level_correlation",
        "Correlation at the summary level",
        summary_correlation,
        "scores",
        DEUTSCH,
        ORDERED,
    ),
    Statistic(
        "global_level_correlation",
        "Correlation at the global level",
        global_correlation,
        "scores",
        DEUTSCH,
        ORDERED,
    ),
    Statistic(
        "grouped_correlation",
        "Correlation within groups",
        grouped_correlation,
        "scores",
        DEUTSCH,
        ORDERED,
    ),
)
