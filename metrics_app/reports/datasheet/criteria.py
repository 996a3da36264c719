"""Answers about one quality criterion (section 4), which is a dimension here."""

from collections.abc import Callable

from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.datasheet.design import NO_REPORT, NONE
from metrics_app.reports.datasheet.evidence import Evidence, Row
from metrics_app.reports.page.numbers import interval, number
from metrics_app.stats.undefined import explain

_COMPARISONS = ("pairwise", "best_worst")
_FORMS = {
    "points": "the choice of one point of the scale",
    "range": "a number in the range",
    "facts": "the choice of one label for each fact",
    "pairwise": "the choice of the better of two outputs",
    "best_worst": "the choice of the best and the worst output",
}
_PRESENTED = {
    "points": "labelled radio buttons",
    "range": "a slider",
    "facts": "labelled radio buttons for each fact",
}


def assessment(_evidence: Evidence, row: Row) -> str:
    """Return whether outputs are judged by themselves or against each other."""
    return "relative" if row["kind"] in _COMPARISONS else "absolute"


def name(_evidence: Evidence, row: Row) -> str:
    """Return the name that evaluators see."""
    return str(row["name"])


def definition(_evidence: Evidence, row: Row) -> str:
    """Return the definition."""
    return row["definition"] or NONE


def size(_evidence: Evidence, row: Row) -> str:
    """Return the number of points."""
    scale = row["scale"]
    if scale is None:
        return NONE
    return str(len(scale["points"])) if scale["kind"] == "points" else "a range"


def values(_evidence: Evidence, row: Row) -> str:
    """Return the points with their labels, or the ends of the range."""
    scale = row["scale"]
    if scale is None:
        return NONE
    points = ", ".join(
        f"{point['value']:g} ({point['label']})" if point["label"] else f"{point['value']:g}"
        for point in scale["points"]
    )
    if scale["kind"] == "points":
        return points
    step = f" in steps of {scale['step']:g}" if scale["step"] else ""
    ends = f"{scale['minimum']:g} to {scale['maximum']:g}{step}"
    return f"{ends}, with anchors {points}" if points else ends


def presentation(_evidence: Evidence, row: Row) -> str:
    """Return how the scale looks."""
    return _PRESENTED.get(row["kind"], NONE)


def no_answer(evidence: Evidence, row: Row) -> str:
    """Return what else may be answered."""
    return "no answer is allowed" if row["key"] in evidence.conduct["optional"] else NONE


def question(_evidence: Evidence, row: Row) -> str:
    """Return the question, word for word."""
    return row["question"] or NONE


def form(_evidence: Evidence, row: Row) -> str:
    """Return the form of the response."""
    return _FORMS.get(row["kind"], str(row["kind"]))


def aggregation(evidence: Evidence, row: Row) -> str:
    """Return how ratings become one number a system."""
    rows = evidence.rows("means", row["key"])
    if not evidence.report:
        return NO_REPORT
    if any(one["mean"] is not None for one in rows):
        return "mean of the judges' ratings of each output, then mean over a system's outputs"
    return "shares of the labels" if rows else "none: the report has no rating of it"


def tests(evidence: Evidence, row: Row) -> str:
    """Return the tests and effect sizes in the report."""
    if not evidence.report:
        return NO_REPORT
    used = [one["statistic"] for one in evidence.rows("comparison", row["key"])]
    used += [one["model"] for one in evidence.rows("models", row["key"])]
    if evidence.rows("ranking", row["key"]):
        used.append("wilcoxon_signed_rank with Holm's correction over all pairs of systems")
    effects = {key for one in evidence.rows("comparison", row["key"]) for key in one["effects"]}
    words = ", ".join(dict.fromkeys(used))
    return f"{words}; effect sizes: {', '.join(sorted(effects)) or NONE}" if words else NONE


def inter_method(evidence: Evidence, row: Row) -> str:
    """Return which coefficients of agreement between judges were computed."""
    if not evidence.report:
        return NO_REPORT
    found = [one["statistic"] for one in evidence.rows("agreement", row["key"])]
    n = evidence.report["overview"]["n_resamples"]
    words = ", ".join(dict.fromkeys(found))
    return f"{words}; intervals from {n:,} resamples of the items" if words else NONE


def inter_value(evidence: Evidence, row: Row) -> str:
    """Return Krippendorff's alpha of each group of judges."""
    if not evidence.report:
        return NO_REPORT
    measurement = row["scale"]["measurement"] if row["scale"] else "nominal"
    told = [
        f"{_group(one)}: {_value(one)} ({one['n_raters']} judges, {one['n_units']:,} units)"
        for one in evidence.rows("agreement", row["key"])
        if one["statistic"] == "krippendorff_alpha"
        and one["scope"] == "pooled"
        and one["options"].get("measurement") == measurement
    ]
    return f"Krippendorff's alpha, {measurement}: {'; '.join(told)}" if told else NONE


def intra_method(evidence: Evidence, row: Row) -> str:
    """Return how agreement of judges with themselves can be known."""
    n = evidence.conduct["n_repeats"]
    if not n:
        return NONE
    statistics = {one["statistic"] for one in evidence.rows("self_agreement", row["key"])}
    words = f"; {', '.join(sorted(statistics))} of first and second answers" if statistics else ""
    return f"{n:,} outputs shown again to the same judge{words}"


def intra_value(evidence: Evidence, row: Row) -> str:
    """Return Krippendorff's alpha of judges with themselves, by group."""
    if not evidence.conduct["n_repeats"]:
        return "none: no output was shown twice to a judge"
    if not evidence.report:
        return NO_REPORT
    told = [
        f"{_group(one)}: {_value(one)} ({one['n_judges']} judges, {one['n_units']:,} repeats)"
        for one in evidence.rows("self_agreement", row["key"])
        if one["statistic"] == "krippendorff_alpha" and not one["judge"]
    ]
    return f"Krippendorff's alpha, first against second answer: {'; '.join(told)}" if told else NONE


def _group(row: Row) -> str:
    return "all judges" if row["group"] == ALL_GROUPS else str(row["group"])


def _value(row: Row) -> str:
    if row["value"] is None:
        return f"undefined. {explain(row['undefined'])}"
    return f"{number(row['value'])} {interval(row['ci'])}".strip()


CRITERION_ANSWERS: dict[str, Callable[[Evidence, Row], str]] = {
    "4.2.2": assessment,
    "4.3.1.1": name,
    "4.3.2": definition,
    "4.3.3": size,
    "4.3.4": values,
    "4.3.5": presentation,
    "4.3.6": no_answer,
    "4.3.7": question,
    "4.3.8": form,
    "4.3.9": aggregation,
    "4.3.10": tests,
    "4.3.11.1": inter_method,
    "4.3.11.2": inter_value,
    "4.3.12.1": intra_method,
    "4.3.12.2": intra_value,
}
