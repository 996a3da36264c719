"""Models of the ratings: repeated measures, linear mixed, ordinal."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from metrics_app.loaders.evaluation import Evaluation, Judgements
from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.groups import named_groups
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.models import ModelRow
from metrics_app.stats.mixed_models import indicators, mixed_model
from metrics_app.stats.ordinal import ordinal_regression
from metrics_app.stats.repeated_measures import repeated_measures_anova
from metrics_app.stats.results import Estimate, as_plain

# What a model may take before it has to be asked for.
MOST_SECONDS = 3.0
_MOST_LEVELS = 6_000
SYSTEM = "system"


def model_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[ModelRow]:
    """Yield the models of every dimension whose values have an order.

    Repeated measures by each group of judges; the other two by all judges together, in which a
    group is a fixed effect and, in the mixed model, judge and item are random ones.
    """
    for dimension in ordered_dimensions(evaluation):
        for name, groups in named_groups(evaluation):
            yield _repeated_measures(evaluation, (dimension, name), groups)
        name = ALL_GROUPS if len(evaluation.groups) > 1 else "".join(evaluation.groups)
        rows = evaluation.select(dimension)
        rows = rows.rows(~np.isnan(rows.value))
        yield from _mixed((dimension, name), rows, options)
        yield from _ordinal((dimension, name), rows)


def _repeated_measures(
    evaluation: Evaluation, place: tuple[str, str], groups: tuple[str, ...]
) -> ModelRow:
    outputs = evaluation.human_scores(place[0], groups)
    rated = ~np.isnan(outputs).all(axis=1)
    result = repeated_measures_anova(outputs[rated].T, unit="output_mean")
    reason = "too_few_systems" if rated.sum() < 2 else result.why_no_number
    return _row(
        place,
        "repeated_measures_anova",
        SYSTEM,
        statistic="F",
        value=as_plain(result.value),
        df=result.df,
        p=as_plain(result.p),
        effects=as_plain(result.effects),
        unit="output_mean",
        n=result.n,
        n_missing=result.n_missing,
        undefined=reason,
        method=result.method,
        details=as_plain(result.details),
    )


def _mixed(place: tuple[str, str], rows: Judgements, options: ReportOptions) -> Iterator[ModelRow]:
    items, judges = rows.item.used(), rows.judge.used()
    seconds = estimated_seconds(len(items.keys) + len(judges.keys))
    reason, facts = _why_not(rows), {}
    if reason is None and len(items.keys) + len(judges.keys) > _MOST_LEVELS:
        reason = "too_many_levels"
    elif reason is None and seconds > MOST_SECONDS and not options.takes_time:
        reason, facts = "on_request", {"estimated_seconds": seconds}
    if reason is not None:
        yield _row(place, "mixed_model", SYSTEM, undefined=reason, n=rows.n_rows, details=facts)
        return
    fit = mixed_model(rows.value, _fixed(rows), {"item": items.names(), "judge": judges.names()})
    common: dict[str, Any] = {
        "n": fit.n,
        "n_missing": fit.n_missing,
        "method": fit.method,
        "details": {"variances": as_plain(fit.variances), "reml_criterion": fit.reml_criterion},
    }
    yield from _terms(place, "mixed_model", fit.coefficients, rows, common)


def _ordinal(place: tuple[str, str], rows: Judgements) -> Iterator[ModelRow]:
    if (reason := _why_not(rows)) is not None:
        yield _row(place, "ordinal_regression", SYSTEM, undefined=reason, n=rows.n_rows)
        return
    fit = ordinal_regression(rows.value, _fixed(rows))
    common: dict[str, Any] = {
        "n": fit.n,
        "n_missing": fit.n_missing,
        "method": fit.method,
        "details": {
            "thresholds": list(fit.thresholds),
            "log_likelihood": as_plain(fit.log_likelihood),
        },
    }
    yield from _terms(place, "ordinal_regression", fit.coefficients, rows, common)


def estimated_seconds(n_levels: int) -> float:
    """Return about how long the mixed model takes with so many judges and items.

    Measured: 2 s for 100, 25 s for 1,000; beyond that the cube of the levels rules.
    """
    return 0.025 * n_levels * max(1.0, (n_levels / 1_000) ** 2)


def _why_not(rows: Judgements) -> str | None:
    if not rows.n_rows:
        return "all_missing"
    return "too_few_systems" if np.unique(rows.system.codes).size < 2 else None


def _fixed(rows: Judgements) -> Mapping[str, Any]:
    """Return 0/1 columns of the systems and, where there are several, of the groups."""
    system, group = rows.system.used(), rows.group.used()
    fixed = dict(indicators(system.names(), name=SYSTEM, order=system.keys))
    if len(group.keys) > 1:
        fixed |= indicators(group.names(), name="group", order=group.keys)
    return fixed


def _terms(
    place: tuple[str, str],
    model: str,
    coefficients: Mapping[str, Estimate],
    rows: Judgements,
    common: Mapping[str, Any],
) -> Iterator[ModelRow]:
    firsts = {"system": rows.system.used().keys[0], "group": rows.group.used().keys[0]}
    for term, found in coefficients.items():
        details = {**common["details"], **as_plain(found.details)}
        yield _row(
            place,
            model,
            term,
            value=as_plain(found.value),
            se=as_plain(found.se),
            ci=found.ci,
            ci_method=found.ci_method if found.ci else "",
            p=as_plain(found.p),
            reference=firsts.get(term.split("[")[0], ""),
            undefined=found.undefined,
            **{**common, "details": details},
        )


def _row(place: tuple[str, str], model: str, term: str, **numbers: Any) -> ModelRow:  # noqa: ANN401 -- fields of the row
    plain: dict[str, Any] = {
        "statistic": "z",
        "value": None,
        "se": None,
        "ci": None,
        "ci_method": "",
        "df": (),
        "p": None,
        "effects": {},
        "unit": "rating",
        "reference": "",
        "n_missing": 0,
    }
    return ModelRow(
        dimension=place[0], group=place[1], model=model, term=term, **{**plain, **numbers}
    )
