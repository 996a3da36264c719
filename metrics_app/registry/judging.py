"""What a crowd says together, what single judges are like, and facts."""

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.calibration import corrected_mean, corrected_share
from metrics_app.stats.conduct import flat_shares, paces, straight_lining
from metrics_app.stats.consensus import majority_vote, wawa, zero_based_skill
from metrics_app.stats.dawid_skene import dawid_skene
from metrics_app.stats.facts import compare_groups, coverage, pyramid_score
from metrics_app.stats.glad import glad
from metrics_app.stats.judges import judge_profiles
from metrics_app.stats.mace import mace

CROWD_KIT = "Ustalov, Pavlichenko and Tseitlin (2024), JOSS 9(96)"

CROWD = (
    Statistic(
        "majority_vote",
        "Majority vote",
        majority_vote,
        "labels",
        "the most frequent label; ties are reported",
        on_range=False,
    ),
    Statistic(
        "dawid_skene",
        "Dawid and Skene's model",
        dawid_skene,
        "labels",
        "Dawid and Skene (1979), Applied Statistics 28(1)",
        on_range=False,
    ),
    Statistic(
        "mace",
        "MACE",
        mace,
        "labels",
        "Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), NAACL",
        on_range=False,
    ),
    Statistic("glad", "GLAD", glad, "labels", "Whitehill et al. (2009), NIPS 22", on_range=False),
    Statistic("wawa", "Worker agreement with aggregate", wawa, "labels", CROWD_KIT, on_range=False),
    Statistic(
        "zero_based_skill",
        "Zero-based skill",
        zero_based_skill,
        "labels",
        CROWD_KIT,
        on_range=False,
    ),
)

JUDGES = (
    Statistic(
        "judge_profiles",
        "Severity, spread and agreement with the rest",
        judge_profiles,
        "ratings",
        "means of differences within units",
        METRIC,
    ),
    Statistic(
        "straight_lining",
        "Straight-lining",
        straight_lining,
        "answers in order",
        "longest run and modal share; Kim et al. (2019), Social Science Computer Review 37(2)",
    ),
    Statistic(
        "flat_shares",
        "Units rated alike in every dimension",
        flat_shares,
        "answers by dimension",
        "non-differentiation; Kim et al. (2019), Social Science Computer Review 37(2)",
    ),
    Statistic(
        "paces",
        "Speed outliers",
        paces,
        "seconds",
        "robust z of log seconds; Iglewicz and Hoaglin (1993)",
    ),
    Statistic(
        "corrected_share",
        "Share by a language model, corrected",
        corrected_share,
        "0 or 1: judged, and both labels of a calibration set",
        "Rogan and Gladen (1978); interval of Lee et al. (2025), arXiv 2511.21140",
        on_range=False,
    ),
    Statistic(
        "corrected_mean",
        "Mean by a language model, corrected",
        corrected_mean,
        "values: judged, and both values of a calibration set",
        "Angelopoulos, Duchi and Zrnic (2023), PPI++, arXiv 2311.01453",
        ORDERED,
    ),
)

FACTS = (
    Statistic(
        "fact_coverage",
        "Coverage of facts",
        coverage,
        "FactTable",
        "share of facts with the counted label, by any, majority, all or mean of the judges",
    ),
    Statistic(
        "fact_agreement",
        "Agreement on facts",
        krippendorff_alpha,
        "ratings of facts",
        "nominal alpha over the facts of outputs, `FactTable.as_ratings`; Krippendorff (2011)",
        on_range=False,
    ),
    Statistic(
        "fact_comparison",
        "Two groups on percentages of facts",
        compare_groups,
        "FactTable",
        "one-way analysis of variance on output means, and Pearson's r",
    ),
    Statistic(
        "pyramid",
        "Pyramid score",
        pyramid_score,
        "weights, expressed",
        "Nenkova, Passonneau and McKeown (2007), ACM TSLP 4(2)",
    ),
)
