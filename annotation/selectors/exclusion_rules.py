"""Whom the exclusion rules of a study catch."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from annotation.design.exclusion_rules import JudgeWork, Verdict, read_rules, rule_verdicts
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
    work, n_ratings = _work(study)
    places = _places(study)
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
    held = _handed_in(study).filter(slot__isnull=False)
    found: dict[int, int] = defaultdict(int)
    for judge in held.values_list("judge_id", flat=True):
        if judge is not None:
            found[judge] += 1
    return found


def _work(study: Study) -> tuple[dict[int, JudgeWork], dict[int, int]]:
    """Return by judge the work, and the number of ratings."""
    outputs: dict[int, int] = defaultdict(int)
    seconds: dict[int, list[float]] = defaultdict(list)
    visits = Visit.objects.filter(assignment__in=_handed_in(study))
    active = dict(visits.values_list("assignment").annotate(ms=Sum("active_ms")).order_by())
    for key, judge in _handed_in(study).values_list("pk", "judge_id"):
        if judge is not None:
            outputs[judge] += 1
            seconds[judge] += [active[key] / 1000] if key in active else []
    answers, n_ratings = _answers(study)
    work = {
        judge: JudgeWork(n, tuple(seconds[judge]), answers[judge]) for judge, n in outputs.items()
    }
    return work, n_ratings


def _answers(study: Study) -> tuple[Answered, dict[int, int]]:
    """Return all answers but comments and missing ones, and the number of ratings, by judge."""
    answers: Answered = defaultdict(lambda: defaultdict(dict))
    n_ratings: dict[int, int] = defaultdict(int)
    rows = Rating.objects.filter(assignment__in=_handed_in(study)).values_list(
        "assignment__judge", "dimension__kind", "dimension", "assignment__unit", "fact",
        "value", "text",
    )  # fmt: skip
    for judge, kind, question, unit, fact, value, text in rows.iterator(chunk_size=10_000):
        n_ratings[judge] += 1
        answer = text if value is None else value
        if answer is not None and kind != DimensionKind.COMMENT:
            answers[judge][question][unit, fact] = answer
    return answers, n_ratings
