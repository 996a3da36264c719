"""Agreement between raters."""

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats import agreement
from metrics_app.stats.agreement_difference import agreement_difference
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.concordance import kendall_w
from metrics_app.stats.icc import icc
from metrics_app.stats.pairwise import cohen_kappa, identical_pairs
from metrics_app.stats.repeats import intra_rater_agreement

GWET = "Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed."

STATISTICS = (
    Statistic(
        "percent_agreement",
        "Percent agreement",
        agreement.percent_agreement,
        "ratings or counts",
        GWET,
        on_range=False,
    ),
    Statistic(
        "within_one",
        "Agreement within one point",
        agreement.within_one,
        "ratings or counts",
        GWET + ", with weights 1 for neighbouring points",
        ORDERED,
        on_range=False,
    ),
    Statistic(
        "cohen_kappa",
        "Cohen's kappa",
        cohen_kappa,
        "ratings or counts",
        "Cohen (1960, 1968); errors of Fleiss, Cohen and Everitt (1969)",
        on_range=False,
    ),
    Statistic(
        "scott_pi",
        "Scott's pi",
        agreement.scott_pi,
        "ratings or counts",
        "Scott (1955), Public Opinion Quarterly 19(3)",
        on_range=False,
    ),
    Statistic(
        "fleiss_kappa",
        "Fleiss' kappa",
        agreement.fleiss_kappa,
        "ratings or counts",
        "Fleiss (1971), Psychological Bulletin 76(5); missing ratings as " + GWET,
        on_range=False,
    ),
    Statistic(
        "conger_kappa",
        "Conger's kappa",
        agreement.conger_kappa,
        "ratings",
        "Conger (1980), Psychological Bulletin 88(2); missing ratings as " + GWET,
        on_range=False,
    ),
    Statistic(
        "gwet_ac",
        "Gwet's AC1 and AC2",
        agreement.gwet_ac,
        "ratings or counts",
        "Gwet (2008), BJMSP 61(1); " + GWET,
        on_range=False,
    ),
    Statistic(
        "brennan_prediger",
        "Brennan and Prediger's coefficient",
        agreement.brennan_prediger,
        "ratings or counts",
        "Brennan and Prediger (1981), Educational and Psychological Measurement 41(3)",
        on_range=False,
    ),
    Statistic(
        "krippendorff_alpha",
        "Krippendorff's alpha",
        agreement.krippendorff_alpha,
        "ratings or counts",
        "Krippendorff (2011), Computing Krippendorff's Alpha-Reliability",
    ),
    Statistic(
        "krippendorff_alpha_gwet",
        "Gwet's weighted form of Krippendorff's alpha",
        agreement.krippendorff_alpha_gwet,
        "ratings or counts",
        GWET,
        on_range=False,
    ),
    Statistic(
        "icc",
        "Intraclass correlation",
        icc,
        "ratings",
        "Shrout and Fleiss (1979); McGraw and Wong (1996), Psychological Methods 1(1)",
        METRIC,
    ),
    Statistic(
        "kendall_w",
        "Kendall's W",
        kendall_w,
        "ratings",
        "Kendall and Babington Smith (1939), Annals of Mathematical Statistics 10(3)",
        ORDERED,
    ),
    Statistic(
        "intra_rater_agreement",
        "Agreement of raters with themselves",
        intra_rater_agreement,
        "repeats",
        "Cohen's kappa between first and second ratings of repeated units",
        on_range=False,
    ),
    Statistic(
        "agreement_report",
        "All coefficients with bootstrap intervals",
        agreement_report,
        "ratings",
        "percentile or BCa; Efron and Tibshirani (1993), An Introduction to the Bootstrap",
    ),
    Statistic(
        "agreement_difference",
        "Difference of two coefficients",
        agreement_difference,
        "two pairs of ratings and coefficient",
        "paired bootstrap over items; Efron and Tibshirani (1993)",
    ),
    Statistic(
        "identical_pairs",
        "Pairs of raters who are identical",
        identical_pairs,
        "ratings",
        "a finding, not a coefficient: equal on 20 or more shared units",
    ),
)
