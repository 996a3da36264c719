"""Comparison of groups as JSON lines: analyses of variance and tests of two samples."""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.anova import oneway_anova, welch_anova
from metrics_app.stats.bias import bland_altman
from metrics_app.stats.effects import variance_explained
from metrics_app.stats.lines import Handler
from metrics_app.stats.mean_effects import cohen_d, hedges_g
from metrics_app.stats.posthoc import tukey_hsd
from metrics_app.stats.repeated_measures import repeated_measures_anova
from metrics_app.stats.results import Estimate, TestResult
from metrics_app.stats.t_tests import one_sample_t_test, t_test, tost
from metrics_app.stats.two_samples import TwoSamples
from metrics_app.stats.twoway import twoway_anova

Given = Mapping[str, Any]


def of_test(result: TestResult, value: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    """Return a test's value as the worked cases shape it, with p and what else is given."""
    if result.undefined:
        return {"undefined": result.undefined}
    return {"value": value, "ci": result.ci, "p": result.p, **more}


def _of_estimate(result: Estimate, **more: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    if result.undefined:
        return {"undefined": result.undefined}
    return {"value": result.value, "se": result.se, "ci": result.ci, **more}


def given_samples(options: Given, data: Given) -> TwoSamples:
    """Return the two samples of x and y, of two groups, or of a summary."""
    if "summary" in data:
        return TwoSamples.of_summary(data["summary"])
    if "groups" in data:
        groups = given_groups(data)
        if len(groups) != 2:
            raise ValueError(f"two groups are compared, and {len(groups)} are given")
        x, y = groups.values()
    else:
        x, y = data["x"], data["y"]
    return TwoSamples.of(x, y, are_paired=options.get("paired", False))


def given_groups(data: Given) -> Mapping[str, Any]:
    """Return the groups by name; a list of groups is named by position, 1 first."""
    groups = data["groups"]
    if isinstance(groups, list):
        groups = {str(number): group for number, group in enumerate(groups, 1)}
    return dict(groups)


def _oneway(_options: Given, data: Given) -> Given:
    result = oneway_anova(given_groups(data))
    sums = {key: result.details.get(key) for key in ("ss_between", "ss_within")}
    return of_test(result, {"F": result.value, "df": result.df}, **sums, **result.effects)


def _welch(_options: Given, data: Given) -> Given:
    result = welch_anova(given_groups(data))
    return of_test(result, {"F": result.value, "df": result.df})


def _effect(name: str) -> Handler:
    def answer(_options: Given, data: Given) -> Given:
        return _of_estimate(variance_explained(given_groups(data), name))

    return answer


def _twoway(options: Given, data: Given) -> Given:
    kind: Any = options.get("sums_of_squares", options.get("ss_type", "II"))
    found = twoway_anova(
        [tuple(row) for row in data["rows"]],
        factors=tuple(options.get("factors", ("group", "system"))),
        sums_of_squares={1: "II", 2: "II", 3: "III"}.get(kind, kind),
    )
    reasons = [result.undefined for result in found.values() if result.undefined]
    if reasons:
        return {"undefined": reasons[0]}
    value = {name: {"F": one.value, "df": one.df, "p": one.p} for name, one in found.items()}
    return {"value": value, "p": {name: one.p for name, one in found.items()}}


def _repeated(_options: Given, data: Given) -> Given:
    result = repeated_measures_anova(data["ratings"])
    facts, effects = result.details, result.effects
    epsilons = {key: facts.get(key) for key in ("gg_epsilon", "hf_epsilon")}
    return of_test(
        result,
        {"F": result.value, "df": result.df, **epsilons},
        p_gg=facts.get("p_gg"),
        p_hf=facts.get("p_hf"),
        generalized_eta2=effects.get("generalized_eta_squared"),
        partial_eta2=effects.get("partial_eta_squared"),
    )


def _tukey(options: Given, data: Given) -> Given:
    found = tukey_hsd(given_groups(data), confidence=options.get("confidence", 0.95))
    reasons = [result.undefined for result in found if result.undefined]
    if reasons or not found:
        return {"undefined": reasons[0] if reasons else "too_few_units"}
    value: dict[str, Any] = {}
    for one in found:
        a, b = one.groups
        low, high = one.ci or (None, None)
        value[f"{b}-{a}"] = {"diff": one.value, "ci": one.ci, "p": one.p}
        # Whichever way round the reader asks, the pair is there.
        turned = [-bound if bound is not None else None for bound in (high, low)]
        value[f"{a}-{b}"] = {"diff": -one.value, "ci": turned, "p": one.p}
    return {"value": value}


def _t_test(options: Given, data: Given) -> Given:
    alternative = options.get("alternative", "two-sided")
    if "d" in data or (data.get("y") is None and "x" in data):
        result = one_sample_t_test(
            data.get("d", data.get("x")), mean=options.get("mu", 0), alternative=alternative
        )
    else:
        result = t_test(
            given_samples(options, data),
            equal_var=options.get("equal_var", options.get("var_equal", False)),
            alternative=alternative,
            confidence=options.get("confidence", 0.95),
        )
    difference = result.details.get("difference")
    df = result.df[0] if result.df else None
    return of_test(result, {"t": result.value, "df": df}, difference=difference)


def _tost(options: Given, data: Given) -> Given:
    samples = given_samples(options, data)
    result = tost(
        samples,
        _raw_bounds(options, samples),
        equal_var=options.get("equal_var", False),
        alpha=options.get("alpha", 0.05),
    )
    facts = {key: result.details.get(key) for key in ("t_lower", "t_upper")}
    df = result.df[0] if result.df else None
    sides = {key: result.details.get(key) for key in ("p_lower", "p_upper")}
    return of_test(result, {**facts, "df": df}, **sides)


def _raw_bounds(options: Given, samples: TwoSamples) -> tuple[float, float]:
    """Return the bounds in units of the scores; ``bounds_type`` d says they are in deviations.

    As in TOSTER these deviations are of the differences (pairs), pooled (equal variances), or the
    root of the mean variance.
    """
    low, high = options["bounds"]
    kind = options.get("bounds_type", "raw")
    if kind == "raw" or samples.problem:
        return low, high
    if kind != "d":
        raise ValueError(f"bounds_type must be raw or d, not {kind!r}")
    of_equal = "pooled" if options.get("equal_var", False) else "average_variance"
    standardizer: Any = "d_z" if options.get("paired") else of_equal
    deviation = cohen_d(samples, standardizer=standardizer).details["standardizer"] or 1.0
    return low * deviation, high * deviation


def _cohen_d(options: Given, data: Given) -> Given:
    return _of_estimate(cohen_d(given_samples(options, data), standardizer=_standardizer(options)))


def _hedges_g(options: Given, data: Given) -> Given:
    samples, standardizer = given_samples(options, data), _standardizer(options)
    is_exact = str(options.get("correction", "exact")).startswith("exact")
    correction: Any = "exact gamma" if is_exact else _approximate(options["correction"])
    other = hedges_g(samples, standardizer=standardizer, correction="approximate")
    result = hedges_g(samples, standardizer=standardizer, correction=correction)
    return _of_estimate(result, approx_3_over_4df_minus_1=other.value)


def _approximate(words: str) -> str:
    return "approximate" if "4df" in words.replace(" ", "").replace("*", "") else words


def _standardizer(options: Given) -> Any:  # noqa: ANN401 -- the statistic checks the name
    named = options.get("standardizer", options.get("variant", options.get("kind")))
    if named:
        return {"dz": "d_z", "dav": "d_av"}.get(named, named)
    if options.get("pooled") is False:
        return "average_variance"
    return "d_z" if options.get("paired") and not options.get("pooled") else "pooled"


def _p_adjust(options: Given, data: Given) -> Given:
    return {"value": adjust_p(data["p"], method=options.get("method", "holm"))}


def _bland_altman(options: Given, data: Given) -> Given:
    result = bland_altman(data["x"], data["y"], confidence=options.get("confidence", 0.95))
    return _of_estimate(result, **result.details)


HANDLERS: dict[str, Handler] = {
    "oneway_anova": _oneway,
    "welch_anova": _welch,
    "twoway_anova": _twoway,
    "repeated_measures_anova": _repeated,
    "eta_squared": _effect("eta_squared"),
    "omega_squared": _effect("omega_squared"),
    "epsilon_squared": _effect("epsilon_squared"),
    "partial_eta_squared": _effect("partial_eta_squared"),
    "tukey_hsd": _tukey,
    "t_test": _t_test,
    "tost": _tost,
    "cohen_d": _cohen_d,
    "hedges_g": _hedges_g,
    "p_adjust": _p_adjust,
    "bland_altman": _bland_altman,
}
