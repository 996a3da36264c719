"""Whether one metric agrees better with people than another."""

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats.correlation_bootstrap import bootstrap_correlation
from metrics_app.stats.correlation_permutation import compare_metrics, permutation_test
from metrics_app.stats.pairwise_accuracy import acc_eq, acc_eq_calibrated
from metrics_app.stats.significance import meng_z, steiger_z, williams_test
from metrics_app.stats.soft_pairwise import soft_pairwise_accuracy

DEUTSCH = "Deutsch, Dror and Roth (2021), TACL 9, A statistical analysis of metrics"
TIES = "Deutsch, Foster and Freitag (2023), EMNLP, Ties matter"

STATISTICS = (
    Statistic(
        "bootstrap_ci_correlation",
        "Bootstrap interval of a correlation",
        bootstrap_correlation,
        "scores, Question",
        DEUTSCH,
        ORDERED,
    ),
    Statistic(
        "permutation_test_correlation_difference",
        "Permutation test of two metrics",
        permutation_test,
        "two metrics, human, Contest",
        DEUTSCH,
        ORDERED,
    ),
    Statistic(
        "all_pairs_permutation",
        "Permutation tests of all pairs of metrics",
        compare_metrics,
        "metrics, people, Contest",
        DEUTSCH + "; corrected for all pairs",
        ORDERED,
    ),
    Statistic(
        "williams_test",
        "Williams' test",
        williams_test,
        "DependentCorrelations",
        "Williams (1959), Regression Analysis; Steiger (1980)",
        METRIC,
    ),
    Statistic(
        "steiger_z",
        "Steiger's z",
        steiger_z,
        "DependentCorrelations",
        "Steiger (1980), Psychological Bulletin 87(2)",
        METRIC,
    ),
    Statistic(
        "meng_z",
        "Meng's z",
        meng_z,
        "DependentCorrelations",
        "Meng, Rosenthal and Rubin (1992), Psychological Bulletin 111(1)",
        METRIC,
    ),
    Statistic("acc_eq", "Pairwise accuracy with ties", acc_eq, "human, metric", TIES, ORDERED),
    Statistic(
        "acc_eq_calibrated",
        "Pairwise accuracy with calibrated ties",
        acc_eq_calibrated,
        "human, metric",
        TIES,
        ORDERED,
    ),
    Statistic(
        "soft_pairwise_accuracy",
        "Soft pairwise accuracy",
        soft_pairwise_accuracy,
        "scores",
        "Thompson, Mathur, Deutsch and Khayrallah (2024), WMT",
        METRIC,
    ),
)
