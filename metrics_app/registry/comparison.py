"""Comparison of groups: tests, effect sizes, models."""

from functools import partial

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.anova import oneway_anova, welch_anova
from metrics_app.stats.bias import bland_altman, mean_agreement
from metrics_app.stats.effects import variance_explained
from metrics_app.stats.mean_effects import cohen_d, hedges_g
from metrics_app.stats.mixed_models import mixed_model
from metrics_app.stats.ordinal import ordinal_regression
from metrics_app.stats.posthoc import tukey_hsd
from metrics_app.stats.rank_tests import friedman, kruskal_wallis, mann_whitney
from metrics_app.stats.repeated_measures import repeated_measures_anova
from metrics_app.stats.signed_rank import sign_test, wilcoxon_signed_rank
from metrics_app.stats.t_tests import t_test, tost
from metrics_app.stats.twoway import twoway_anova

FISHER = "Fisher (1925), Statistical Methods for Research Workers"
OLEJNIK = "Olejnik and Algina (2003), Psychological Methods 8(4)"


def _effect(name: str, label: str, source: str) -> Statistic:
    function = partial(variance_explained, effect=name)
    return Statistic(name, label, function, "groups", source, METRIC)


STATISTICS = (
    Statistic(
        "oneway_anova", "One-way analysis of variance", oneway_anova, "groups", FISHER, METRIC
    ),
    Statistic(
        "welch_anova",
        "Welch's analysis of variance",
        welch_anova,
        "groups",
        "Welch (1951), Biometrika 38(3/4)",
        METRIC,
    ),
    Statistic(
        "twoway_anova",
        "Two-way analysis of variance",
        twoway_anova,
        "factor rows",
        FISHER + "; sums of squares II or III where unbalanced",
        METRIC,
    ),
    Statistic(
        "repeated_measures_anova",
        "Repeated-measures analysis of variance",
        repeated_measures_anova,
        "blocks",
        "Greenhouse and Geisser (1959); Huynh and Feldt (1976)",
        METRIC,
    ),
    _effect("eta_squared", "Eta squared", FISHER),
    _effect("omega_squared", "Omega squared", "Hays (1963), Statistics for Psychologists"),
    _effect("epsilon_squared", "Epsilon squared", "Kelley (1935), PNAS 21(9)"),
    _effect("partial_eta_squared", "Partial eta squared", OLEJNIK),
    Statistic(
        "kruskal_wallis",
        "Kruskal-Wallis test",
        kruskal_wallis,
        "groups",
        "Kruskal and Wallis (1952), JASA 47(260)",
        ORDERED,
    ),
    Statistic(
        "mann_whitney",
        "Mann-Whitney test",
        mann_whitney,
        "two samples",
        "Mann and Whitney (1947), Annals of Mathematical Statistics 18(1)",
        ORDERED,
    ),
    Statistic(
        "wilcoxon_signed_rank",
        "Wilcoxon signed-rank test",
        wilcoxon_signed_rank,
        "differences",
        "Wilcoxon (1945), Biometrics Bulletin 1(6); Pratt (1959)",
        METRIC,
    ),
    Statistic(
        "sign_test",
        "Sign test",
        sign_test,
        "differences",
        "Dixon and Mood (1946), JASA 41(236)",
        ORDERED,
    ),
    Statistic(
        "friedman", "Friedman test", friedman, "blocks", "Friedman (1937), JASA 32(200)", ORDERED
    ),
    Statistic("t_test", "t test", t_test, "TwoSamples", "Student (1908); Welch (1947)", METRIC),
    Statistic(
        "tost",
        "Equivalence by two one-sided tests",
        tost,
        "TwoSamples",
        "Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15(6)",
        METRIC,
    ),
    Statistic(
        "cohen_d",
        "Cohen's d",
        cohen_d,
        "TwoSamples",
        "Cohen (1988), Statistical Power Analysis; Lakens (2013) for d_z and d_av",
        METRIC,
    ),
    Statistic(
        "hedges_g",
        "Hedges' g",
        hedges_g,
        "TwoSamples",
        "Hedges (1981), Journal of Educational Statistics 6(2)",
        METRIC,
    ),
    Statistic(
        "tukey_hsd",
        "Tukey-Kramer comparisons",
        tukey_hsd,
        "groups",
        "Tukey (1949); Kramer (1956), Biometrics 12(3)",
        METRIC,
    ),
    Statistic(
        "p_adjust",
        "Adjusted p-values",
        adjust_p,
        "p-values",
        "Holm (1979); Benjamini and Hochberg (1995), JRSS B 57(1)",
    ),
    Statistic(
        "bland_altman",
        "Bland-Altman limits of agreement",
        bland_altman,
        "pairs",
        "Bland and Altman (1986), Lancet 327(8476); (1999)",
        METRIC,
    ),
    Statistic(
        "mean_agreement",
        "Agreement of group means",
        mean_agreement,
        "means",
        "Pearson, Spearman and Kendall between two groups' means of the same systems",
        METRIC,
    ),
    Statistic(
        "mixed_model",
        "Linear mixed model",
        mixed_model,
        "values, fixed, random",
        "Laird and Ware (1982), Biometrics 38(4); REML through statsmodels",
        METRIC,
    ),
    Statistic(
        "ordinal_regression",
        "Ordinal regression",
        ordinal_regression,
        "values, covariates",
        "McCullagh (1980), JRSS B 42(2); through statsmodels",
        ("ordinal",),
        on_range=False,
    ),
)
