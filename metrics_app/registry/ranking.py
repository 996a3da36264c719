"""Rankings, comparisons of systems, regression, and the size of a study."""

from metrics_app.registry.statistic import METRIC, ORDERED, Statistic
from metrics_app.stats.metric_evaluation import bootstrap_evaluation, half_split, metric_gap
from metrics_app.stats.nouveau_rouge import NouveauRouge, jackknife_references
from metrics_app.stats.pilot import fit_pilot
from metrics_app.stats.power import required_items, simulate_power
from metrics_app.stats.preference import bradley_terry
from metrics_app.stats.ranking import rank_systems
from metrics_app.stats.regression import ols, robust_regression

CONROY = "Conroy, Schlesinger and O'Leary (2011), Computational Linguistics 37(1)"
SIMULATION = "simulation of the model stated in metrics_app.stats.power_model"

STATISTICS = (
    Statistic(
        "ranking",
        "Ranking with clusters and rank ranges",
        rank_systems,
        "ItemScores",
        "Koehn (2012), IWSLT, on significance clusters",
        METRIC,
    ),
    Statistic(
        "bradley_terry",
        "Bradley-Terry strengths from pairs",
        bradley_terry,
        "Wins",
        "Bradley and Terry (1952), Biometrika 39(3/4); Ford (1957)",
        ("ordinal",),
    ),
    Statistic(
        "best_worst",
        "Bradley-Terry strengths from best-worst choices",
        bradley_terry,
        "Wins",
        "Louviere, Flynn and Marley (2015), Best-Worst Scaling",
        ("ordinal",),
    ),
    Statistic(
        "ols",
        "Linear regression",
        ols,
        "predictors, response",
        "Legendre (1805); Gauss (1809)",
        METRIC,
    ),
    Statistic(
        "robust_regression",
        "Robust linear regression",
        robust_regression,
        "predictors, response",
        "Huber (1981), Robust Statistics; Venables and Ripley (2002), MASS",
        METRIC,
    ),
    Statistic("nouveau_rouge", "Nouveau-ROUGE", NouveauRouge, "variant, target", CONROY, METRIC),
    Statistic(
        "reference_jackknife",
        "Jackknife over references",
        jackknife_references,
        "scores by reference",
        "Lin (2004), ROUGE, Text Summarization Branches Out",
        METRIC,
    ),
    Statistic(
        "metric_half_split", "Fitted metric, half split", half_split, "SystemScores", CONROY, METRIC
    ),
    Statistic(
        "metric_bootstrap",
        "Fitted metric, bootstrap of systems",
        bootstrap_evaluation,
        "SystemScores",
        CONROY,
        METRIC,
    ),
    Statistic(
        "metric_gap",
        "Metric gap on human-written texts",
        metric_gap,
        "SystemScores",
        CONROY,
        METRIC,
    ),
    Statistic(
        "power", "Power", simulate_power, "RatingModel, Plan", SIMULATION, ORDERED, on_range=False
    ),
    Statistic(
        "required_items",
        "Items needed",
        required_items,
        "RatingModel, Plan",
        SIMULATION,
        ORDERED,
        on_range=False,
    ),
    Statistic(
        "pilot",
        "Variance parts of a pilot",
        fit_pilot,
        "ratings",
        "moments of pairs; Olsson (1979), Psychometrika 44(4), for the latent scale",
        ORDERED,
        on_range=False,
    ),
)
