"""Answers on facts as JSON lines.

``labels`` are objects ``{judge, item, system, fact, label}``, with ``group``, ``predicate`` and
``weight`` where there are such.
"""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.fact_table import FactLabel, FactTable
from metrics_app.stats.facts import compare_groups, coverage, judge_coverage, pyramid_score
from metrics_app.stats.lines import Handler
from metrics_app.stats.lines.agreement import answer

Json = Mapping[str, Any]


def _read(options: Json, data: Json) -> FactTable:
    labels = [FactLabel(**row) for row in data["labels"]]
    positive = options.get("positive", "Present")
    seen = {row.label for row in labels if row.label is not None} | {positive}
    declared = options.get("categories", sorted(seen))
    return FactTable.from_labels(labels, positive=positive, declared=declared)


def _coverage(options: Json, data: Json) -> dict[str, Any]:
    table = _read(options, data)
    found = coverage(table, rule=options.get("rule", "mean"))
    overall = found.overall
    if overall.undefined:
        return {"undefined": overall.undefined}
    return {
        "value": overall.value,
        "se": overall.se,
        "ci": overall.ci,
        "outputs": {f"{item}|{system}": share for (item, system), share in found.outputs.items()},
        "systems": {system: estimate.value for system, estimate in found.systems.items()},
        "predicates": found.predicates,
        "judges": judge_coverage(table),
        "n_ties": found.n_ties,
        "n_unanswered": found.n_unanswered,
        "method": overall.method,
    }


def _agreement(options: Json, data: Json) -> dict[str, Any]:
    return answer(krippendorff_alpha(_read(options, data).as_ratings()))


def _comparison(options: Json, data: Json) -> dict[str, Any]:
    first, second = options["groups"]
    rule = options.get("rule", "mean")
    found = compare_groups(_read(options, data), first, second, rule=rule)
    if found.anova.undefined:
        return {"undefined": found.anova.undefined}
    return {
        "value": found.anova.value,
        "df": found.anova.df,
        "p": found.anova.p,
        "pearson": found.pearson.value,
        "group_means": dict(zip(found.anova.groups, found.anova.group_means, strict=True)),
        "n_outputs": len(found.outputs),
        "n_left_out": found.n_left_out,
    }


def _pyramid(options: Json, data: Json) -> dict[str, Any]:
    score = pyramid_score(
        data["weights"], data["is_expressed"], n_expected=options.get("n_expected")
    )
    return {"value": score} if score == score else {"undefined": "all_missing"}  # noqa: PLR0124


HANDLERS: dict[str, Handler] = {
    "fact_coverage": _coverage,
    "fact_agreement": _agreement,
    "fact_comparison": _comparison,
    "pyramid": _pyramid,
}
