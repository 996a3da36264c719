"""Statistics of human evaluation: agreement, comparison, correlation, ranking. No Django.

A statistic is a function that takes data first and options by keyword, draws only from the
generator ``rng`` it is given, and returns a frozen result that names its method:

    >>> import numpy as np
    >>> from metrics_app.stats.agreement import krippendorff_alpha
    >>> from metrics_app.stats.scales import Scale
    >>> from metrics_app.stats.tables import RatingTable
    >>> scale = Scale.points([1, 2, 3, 4], measurement="ordinal")
    >>> table = RatingTable.from_array([[1, 1], [2, 3], [4, np.nan], [4, 4]], scale=scale)
    >>> round(krippendorff_alpha(table).value, 4)
    0.9495

What cannot be computed is undefined: the value is NaN and ``undefined`` holds a reason code. Data
that make no sense raise ValueError with a sentence that says what, where and how to mend it.

Data
    `scales.Scale` (the declared points or range), `tables.RatingTable` (units x raters, sparse),
    `counts.CountTable` (units x categories), `scores.ScoreMatrix` (metric and human, systems x
    items), `item_scores.ItemScores` (items x systems), `labels.LabelTable` (labels of a crowd),
    `fact_table.FactTable` (answers on facts), `metric_evaluation.SystemScores`,
    `preference.Wins`
Results
    `results.Estimate`, `results.TestResult`, `linear_fit.Fit`, `consensus.Consensus`,
    `preference.Preference`, `ranking.Ranking`; reason codes in `undefined`
Agreement
    `agreement`, `pairwise`, `icc`, `concordance`, `repeats`, `scopes`; all at once with bootstrap
    intervals in `agreement_report`, differences in `agreement_difference`
Comparison of groups
    `anova`, `twoway`, `repeated_measures`, `rank_tests`, `signed_rank`, `t_tests`, `posthoc`,
    `effects`, `mean_effects`, `bias`, `mixed_models`, `ordinal`, `adjustment`
Metrics against people
    `correlation`, `levels`, `correlation_bootstrap`, `correlation_permutation`, `significance`,
    `pairwise_accuracy`, `soft_pairwise`
Ranking and prediction
    `ranking`, `preference`, `regression`, `nouveau_rouge`, `metric_evaluation`
Crowds, judges, facts
    `consensus` (majority, weighted votes), `dawid_skene`, `mace`, `glad`, `judges`, `conduct`,
    `facts`
Size of a study
    `power`, `power_model`, `pilot`

``python -m metrics_app.stats`` answers JSON lines. `metrics_app.registry` lists every statistic
with its source; `docs/statistics.md` has the conventions.
"""
