"""Where a published check is found in ``report.json``."""

NAMES = {
    "gwet_ac1": "gwet_ac",
    "gwet_ac2": "gwet_ac",
    "mean_pairwise_cohen_kappa": "cohen_kappa",
    "pearson_r": "pearson",
    "spearman_rho": "spearman",
    "anova_oneway_F": "oneway_anova",
    "welch_t": "welch_t",
    "kruskal_wallis_H": "kruskal_wallis",
    "mann_whitney_U": "mann_whitney",
    "anova_twoway_F": "twoway_anova",
}
ICC_FORMS = {
    "ICC1": "ICC(1,1)", "ICC1k": "ICC(1,k)", "ICC2": "ICC(A,1)",
    "ICC2k": "ICC(A,k)", "ICC3": "ICC(C,1)", "ICC3k": "ICC(C,k)",
}  # fmt: skip
UNITS = {
    "anova.ratings": ("group", "rating"),
    "anova.summary_means": ("group", "output_mean"),
    "anova.experts_only": ("judge", "rating"),
    "anova.systems_expert_means": ("system", "output_mean"),
    "welch_t.ratings": ("group", "rating"),
    "kruskal.ratings": ("group", "rating"),
    "mannwhitney.ratings": ("group", "rating"),
    "paired_t.summary_means": ("group", "output_mean"),
    "anova2.group": ("group beside system", "output_mean"),
    "anova2.system": ("system beside group", "output_mean"),
    "anova2.interaction": ("group x system", "output_mean"),
}
GROUPS = {"expert+crowd": "all"}


class Finder:
    """The rows of one report by what they are about."""

    def __init__(self, report, only_group):
        self._only_group = only_group
        self._rows = {}
        for name in ("means", "agreement", "comparison", "correlation"):
            for row in report[name]:
                self._rows.setdefault(_key(name, row), []).append(row)
        for row in report["dimension_correlation"]:
            key = ("dimensions", *row["dimensions"], row["level"], row["statistic"])
            self._rows.setdefault(key, []).append(row)
        for row in report["group_correlation"]:
            key = ("groups", row["dimension"], row["level"], row["statistic"])
            self._rows.setdefault(key, []).append(row)

    def row(self, check):
        """Return the row that answers the check, None where the report has none."""
        found = self._rows.get(self._key(check), [])
        assert len(found) < 2, (check["id"], found)
        return found[0] if found else None

    def _key(self, check):
        kind = check["id"].removeprefix("mini20.").split(".")[0]
        statistic = NAMES.get(check["statistic"], check["statistic"])
        group = check.get("group", self._only_group)
        group = GROUPS.get(group, group)
        dimension = check.get("dimension")
        if kind == "mean":
            return ("means", dimension, group, check["system"])
        if kind == "corr":
            level = check["level"].split(" ")[0].split(",")[0]
            if "metric" not in check:
                return ("dimensions", *check["id"].split(".")[-2:], level, statistic)
            return ("correlation", check["metric"], dimension, group, level, statistic)
        if kind == "expert_vs_crowd":
            level = "system" if ".system." in check["id"] else "global"
            return ("groups", dimension, level, statistic)
        place = ".".join(check["id"].removeprefix("mini20.").split(".")[:2])
        if place in UNITS:
            factor, unit = UNITS[place]
            whose = group if factor in ("judge", "system") else ""
            return ("comparison", dimension, factor, whose, unit, statistic)
        return ("agreement", dimension, group, *_scope(kind), statistic, _options(check))


def _key(name, row):
    if name == "means":
        return (name, row["dimension"], row["group"], row["system"])
    if name == "correlation":
        return (name, *(row[k] for k in ("metric", "dimension", "group", "level", "statistic")))
    if name == "comparison":
        return (name, *(row[k] for k in ("dimension", "factor", "group", "unit", "statistic")))
    options = dict(row["options"])
    rule = options.pop("rule", None)
    return (
        name, row["dimension"], row["group"], row["scope"], rule, row["statistic"],
        tuple(sorted(options.items())),
    )  # fmt: skip


def _scope(kind):
    return ("batch_system_mean", "one") if kind == "batchmean" else ("pooled", None)


def _options(check):
    statistic = check["statistic"]
    if statistic == "icc":
        return (("form", ICC_FORMS[check["form"]]),)
    if statistic == "krippendorff_alpha":
        return (("measurement", check["level"]),)
    # The published files say identity where we say unweighted.
    given = check.get("weights", "identity")
    weights = ("weights", "unweighted" if given == "identity" else given)
    if "observed" in check["id"]:
        return (("categories", "observed"), weights)
    return (weights,)


def value_of(row, check):
    """Return the number of the row that the check is about."""
    if check["statistic"] == "mean_score":
        return row["mean"]
    if check["statistic"] == "mean_score_majority":
        return row["majority_mean"]
    return row["value"]
