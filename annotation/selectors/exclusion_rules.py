"""Whom the exclusion rules of a study catch."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Sum

from annotation.design.exclusion_rules import (
    DISAGREEING,
    FAST,
    STRAIGHT,
    JudgeWork,
    Verdict,
    read_rules,
    rule_verdicts,
)
from annotation.enums import DimensionKind, JudgeKind
from annotation.models import Assignment, Judge, Rating, Study, Visit

# By judge, by dimension, by unit and fact.
Answered = dict[int, dict[Hashable, dict[Hashable, float | str]]]


@dataclass(frozen=True, slots=True)
class JudgedJudge:
    """A judge, what each rule says of them, and how much is left out without them."""

    judge: Judge
    verdicts: list[Verdict]
    n_ratings: int
    n_places: int

    @property
    def is_caught(self) -> bool:
        """Whether any rule catches the judge."""
        return any(verdict.is_caught for verdict in self.verdicts)


def rules_are_fixed(study: Study) -> bool:
    """Return whether the study has been opened or holds ratings: a change then needs a reason."""
    if study.opened_at is not None:
        return True
    return Rating.objects.filter(assignment__unit__study=study).exists()


def judged_judges(study: Study) -> list[JudgedJudge]:
    """Return the people who judge in a study, and what its rules say of them.

    What was handed in counts, late work among it, repeats not. A judge is held against the judges
    of the same group who are neither excluded nor withdrawn. Who withdrew is not there.
    """
    rules = read_rules(study.exclusion_rules)
    judges = study.judges.exclude(kind=JudgeKind.MODEL).filter(withdrawn_at=None)
    work = _work(study, {rule.kind for rule in rules})
    n_ratings, places = _n_ratings(study), _places(study)
    by_group: dict[int, list[Judge]] = defaultdict(list)
    for judge in judges.select_related("group").order_by("group", "pk"):
        by_group[judge.group_id].append(judge)
    found = []
    for members in by_group.values():
        works = {judge.pk: work.get(judge.pk, JudgeWork(0)) for judge in members}
        counted = {judge.pk for judge in members if judge.excluded_at is None}
        verdicts = rule_verdicts(rules, works, counted)
        found += [
            JudgedJudge(judge, verdicts[judge.pk], n_ratings[judge.pk], places[judge.pk])
            for judge in members
        ]
    return found


def _handed_in(study: Study) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        unit__study=study,
        judge__withdrawn_at__isnull=True,
        submitted_at__isnull=False,
        repeat_of__isnull=True,
    ).exclude(judge__kind=JudgeKind.MODEL)


def _places(study: Study) -> dict[int, int]:
    return _by_judge(_handed_in(study).filter(slot__isnull=False), "judge")


def _n_ratings(study: Study) -> dict[int, int]:
    rows = Rating.objects.filter(assignment__in=_handed_in(study))
    return _by_judge(rows, "assignment__judge")


def _by_judge(rows: QuerySet[Any], judge: str) -> dict[int, int]:
    """Return how many rows each judge has; a judge without any has none of them."""
    counted = rows.order_by().values_list(judge).annotate(n=Count("pk"))
    return defaultdict(int, counted)


def _work(study: Study, kinds: set[str]) -> dict[int, JudgeWork]:
    """Return by judge what rules of some kinds look at; nothing else is read."""
    outputs = _by_judge(_handed_in(study), "judge")
    seconds = _seconds(study) if FAST in kinds else {}
    answers = _answers(study) if kinds & {STRAIGHT, DISAGREEING} else {}
    return {
        judge: JudgeWork(n, tuple(seconds.get(judge, ())), answers.get(judge, {}))
        for judge, n in outputs.items()
    }


def _seconds(study: Study) -> dict[int, list[float]]:
    """Return the active seconds of each output whose time is known."""
    found: dict[int, list[float]] = defaultdict(list)
    visits = Visit.objects.filter(assignment__in=_handed_in(study))
    active = visits.values_list("assignment", "assignment__judge").annotate(ms=Sum("active_ms"))
    for _, judge, ms in active.order_by():
        found[judge].append(ms / 1000)
    return found


def _answers(study: Study) -> Answered:
    """Return all answers but comments and missing ones, by judge."""
    answers: Answered = defaultdict(lambda: defaultdict(dict))
    rows = Rating.objects.filter(assignment__in=_handed_in(study)).exclude(
        dimension__kind=DimensionKind.COMMENT
    )
    named = rows.values_list(
        "assignment__judge", "dimension", "assignment__unit", "fact", "value", "text"
    )
    for judge, question, unit, fact, value, text in named.iterator(chunk_size=10_000):
        answer = text if value is None else value
        if answer is not None:
            answers[judge][question][unit, fact] = answer
    return answers
