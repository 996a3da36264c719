"""Names that a careless writer trips over."""

import datetime as dt
from functools import cache
from itertools import combinations

import numpy as np

from metrics_app.loaders.columns import Rated, Scored, judgements_of, scores_of
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.reports.building import ReportOptions, build_report
from metrics_app.stats.scales import Scale

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
SYSTEMS = {
    r"A&B_1\input{x}$%#^~": 4,
    "=sum(x)": 3,
    "[50%] <b>--''`": 2,
    "نظام ملخص": 3,
    "系统\N{ZERO WIDTH JOINER}甲 \N{GRINNING FACE}": 2,
    "naïve Łódź ħ α\n\n\tβ\x07": 1,
}
DIMENSIONS = ("over_all", "流暢さ", "連貫性", "a & b\\")


@cache
def hostile_report():
    """Return a report of systems, dimensions and a metric with such names, two sides each."""
    rng = np.random.default_rng(5)
    rows = [
        Rated(
            dimension, group, f"{group}{judge}", f"i{item}", system, "", "",
            float(np.clip(level + rng.integers(-1, 2), 1, 5)),
        )
        for dimension in DIMENSIONS
        for system, level in SYSTEMS.items()
        for item in range(8)
        for group in ("expert", "crowd")
        for judge in range(2)
    ]  # fmt: skip
    judgements = judgements_of(rows)
    scored = [
        Scored("\\metric_{1}%", f"i{item}", system, level + item / 10)
        for system, level in SYSTEMS.items()
        for item in range(8)
    ]
    evaluation = Evaluation(
        "\\study ^_^ 研究",
        judgements,
        {dimension: Scale.points(range(1, 6)) for dimension in DIMENSIONS},
        scores=scores_of(scored, judgements)[0],
        sides=Sides("expert", "crowd"),
        comparisons=tuple(
            Comparison(
                dimension="a & b\\",
                group=group,
                judge=f"{group}{judge}",
                item=f"i{item}",
                batch="",
                systems=pair,
                choice="A>B" if (item + place) % 3 else "B>A",
            )
            for place, pair in enumerate(combinations(SYSTEMS, 2))
            for item in range(4)
            for group in ("expert", "crowd")
            for judge in range(2)
        ),
    )
    return build_report(evaluation, ReportOptions(seed=1, n_resamples=30), generated_at=NOON)
