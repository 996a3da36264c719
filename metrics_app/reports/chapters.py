"""The report's later lists: each is computed by one function and needs no other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.calibration import calibration_rows
from metrics_app.reports.confusion import confusion_rows
from metrics_app.reports.disputes import dispute_rows
from metrics_app.reports.exclusions import exclusion_rows
from metrics_app.reports.facts import fact_comparison_rows, fact_rows
from metrics_app.reports.judges import judge_pair_rows, judge_rows, left_out_rows
from metrics_app.reports.metric_pairs import metric_pair_rows
from metrics_app.reports.models import model_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.over_time import over_time_rows
from metrics_app.reports.prediction import prediction_rows
from metrics_app.reports.preference import choice_agreement_rows, strength_rows, win_rows
from metrics_app.reports.self_agreement import self_agreement_rows


@dataclass(frozen=True, slots=True)
class Chapter:
    """One list of the report: its name, what to call the step, and what computes it."""

    name: str
    stage: str
    rows: Callable[[Evaluation, ReportOptions], Iterable[Any]]


CHAPTERS = (
    Chapter("judges", "Judges", judge_rows),
    Chapter("judge_pairs", "Judges, two by two", judge_pair_rows),
    Chapter("judges_left_out", "Agreement without each judge", left_out_rows),
    Chapter("agreement_over_time", "Agreement over time", over_time_rows),
    Chapter("self_agreement", "Judges with themselves", self_agreement_rows),
    Chapter("confusion", "Experts and crowd, point by point", confusion_rows),
    Chapter("facts", "Facts", fact_rows),
    Chapter("fact_comparison", "Facts, experts and crowd", fact_comparison_rows),
    Chapter("models", "Models", model_rows),
    Chapter("prediction", "People predicted from metrics", prediction_rows),
    Chapter("calibration", "Language models, corrected", calibration_rows),
    Chapter("strengths", "Comparisons", strength_rows),
    Chapter("wins", "Comparisons, two by two", win_rows),
    Chapter("choice_agreement", "Agreement on comparisons", choice_agreement_rows),
    Chapter("metric_pairs", "Metrics against each other", metric_pair_rows),
    Chapter("exclusions", "With and without exclusions", exclusion_rows),
    Chapter("disputes", "Disputed outputs", dispute_rows),
)
