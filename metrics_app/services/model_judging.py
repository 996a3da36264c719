"""Runs of a language model over a study: planned, capped, stored answer by answer."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotation.services.model_ratings import (
    Judged,
    JudgedComparison,
    NewCall,
    choose_by_calls,
    keep_call,
    known_calls,
    rate_by_call,
)
from jobs.models import Job
from jobs.services import Progress, create_job
from metrics_app.loaders.judging import (
    Asked,
    ModelJudgeRow,
    asked_of,
    model_judge,
)
from metrics_app.loaders.scores import stored_hashes
from metrics_app.loaders.studies import StudyRow
from metrics_app.metrics.contract import Undefined
from metrics_app.metrics.judging.endpoint import EndpointRefusalError, Pace
from metrics_app.models import Metric
from metrics_app.services.model_judges import endpoint_named, signature_of
from metrics_app.services.model_questions import (
    Desk,
    Place,
    Prompted,
    estimated_cost,
    questions_of,
    unscored_places,
)
from metrics_app.services.stored_metrics import MetricFacts, NewScore, declare_metric, store_scores

TASK = "metrics_app.tasks.run_judging_task"
KIND = "model-judging"
# So many questions in a row without an answer, and the endpoint is taken to be down.
MOST_FAILURES = 5


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """What a run would ask, and what keeps it from asking; ``cost`` in the provider's currency."""

    n_questions: int
    n_rated: int
    n_known: int
    n_to_ask: int
    cost: float
    problem: str


def plan_judging(study: StudyRow, judge: ModelJudgeRow, dimensions: Sequence[str]) -> JudgingPlan:
    """Return the plan of a run; asks the endpoint once whether it is there."""
    asked = _chosen(study, dimensions)
    every = questions_of(study.id, judge, asked)
    rated = _rated(study.id, judge, asked)
    todo = [question for question in every if question.place not in rated]
    known = known_calls(study.id, {question.content_hash for question in todo})
    new = {q.content_hash: q for q in todo if q.content_hash not in known}
    return JudgingPlan(
        n_questions=len(every),
        n_rated=len(every) - len(todo),
        n_known=len(todo) - sum(q.content_hash in new for q in todo),
        n_to_ask=len(new),
        cost=sum(estimated_cost(judge, question.prompt) for question in new.values()),
        problem=_problem(judge, n_outputs=len(every)),
    )


def request_judging(
    study: StudyRow,
    judge: ModelJudgeRow,
    *,
    dimensions: Sequence[str],
    cap: float | None = None,
    by: User | None = None,
) -> Job:
    """Store the request for a run; the caller enqueues the job on commit.

    ``cap`` is the most that the run may cost, in the provider's currency; None is no cap.
    """
    try:
        keys = [asked.key for asked in _chosen(study, dimensions)]
        endpoint_named(judge.endpoint)
    except ValueError as error:
        raise ValidationError(str(error)) from error
    if cap is not None and cap < 0:
        raise ValidationError("The cap must not be negative.")
    return create_job(
        KIND,
        label=f"{judge.model} judges {', '.join(keys)}"[:200],
        task=TASK,
        arguments={"judge": judge.judge_id, "dimensions": keys, "cap": cap},
        study_id=study.id,
        created_by=by,
    )


def run_judging(
    study: StudyRow, arguments: dict[str, Any], *, progress: Progress
) -> dict[str, Any]:
    """Ask what is not rated yet, and store each answer, its rating and its score at once.

    Begun again, it asks nothing twice: an answer to an equal question is used as it is. It ends
    with a sentence where the cap is reached or the endpoint is down; all answers are kept.
    """
    judge = model_judge(study.id, arguments["judge"])
    if judge is None:
        raise ValueError("The judge is gone.")
    asked = _chosen(study, arguments["dimensions"])
    run = _Run(study, judge, progress, cap=arguments["cap"])
    return run.over(asked, questions_of(study.id, judge, asked))


@dataclass
class _Run:
    study: StudyRow
    judge: ModelJudgeRow
    progress: Progress
    cap: float | None
    counts: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    n_done: int = 0
    n_total: int = 0
    n_failed_in_a_row: int = 0
    metrics: dict[str, Metric] = field(default_factory=dict)

    def over(self, asked: Sequence[Asked], questions: Sequence[Prompted]) -> dict[str, Any]:
        """Put the questions that are open, and return what came of them."""
        self.n_total = len(questions)
        self.metrics = {
            each.key: _metric(self.study.id, self.judge, each) for each in asked if each.is_scored
        }
        rated = _rated(self.study.id, self.judge, asked)
        todo = [question for question in questions if question.place not in rated]
        self._tell(len(questions) - len(todo))
        known = known_calls(self.study.id, {question.content_hash for question in todo})
        for question in todo:
            if question.content_hash in known:
                call = known[question.content_hash]
                self._keep(question, call.outcome, call.value)
                self.counts["reused"] += 1
        self._ask([question for question in todo if question.content_hash not in known])
        return {**self.counts, "cost": round(self.cost, 6)}

    def _ask(self, questions: Sequence[Prompted]) -> None:
        stop = Event()
        pace = Pace(self.judge.requests_per_minute)
        desk = Desk(self.judge, endpoint_named(self.judge.endpoint), pace, stop)
        pool = ThreadPoolExecutor(self.judge.n_parallel)
        size = self.judge.n_parallel
        # Outputs of equal text are one question.
        equal: dict[str, list[Prompted]] = {}
        for question in questions:
            equal.setdefault(question.content_hash, []).append(question)
        each = list(equal.values())
        try:
            for start in range(0, len(each), size):
                self._ask_some(desk, pool, each[start : start + size])
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)

    def _ask_some(
        self, desk: Desk, pool: ThreadPoolExecutor, some: Sequence[Sequence[Prompted]]
    ) -> None:
        self._refuse_over_cap([questions[0] for questions in some])
        waiting = [pool.submit(desk.ask, questions[0]) for questions in some]
        while wait(waiting, timeout=1.0, return_when=FIRST_EXCEPTION).not_done:
            self._tell(0)
            if any(future.done() and future.exception() for future in waiting):
                break
        try:
            calls = [future.result() for future in waiting]
        except EndpointRefusalError as fault:
            raise ValueError(
                f"{self.judge.endpoint} does not take the request ({fault}). "
                "Every answer so far is kept."
            ) from fault
        for call, questions in zip(calls, some, strict=True):
            self._take(call, questions)

    def _take(self, call: NewCall, questions: Sequence[Prompted]) -> None:
        with transaction.atomic():
            self.progress.hold()
            keep_call(self.study.id, call, at=timezone.now())
        self.cost += call.cost
        self.n_failed_in_a_row = self.n_failed_in_a_row + 1 if call.outcome == "failed" else 0
        if self.n_failed_in_a_row >= MOST_FAILURES:
            raise ValueError(
                f"{self.judge.endpoint} is down: {MOST_FAILURES} questions in a row had "
                f"{call.error}. Every answer so far is kept; start the run again later."
            )
        for question in questions:
            self._keep(question, call.outcome, call.value)

    def _keep(self, question: Prompted, outcome: str, value: float | None) -> None:
        self.counts[outcome] += 1
        if outcome != "failed":
            with transaction.atomic():
                self.progress.hold()
                self._rate(question, Undefined(outcome) if value is None else value)
        self._tell(1)

    def _rate(self, question: Prompted, score: float | Undefined) -> None:
        judge, about, now = self.judge.judge_id, question.about, timezone.now()
        if isinstance(about, JudgedComparison):
            if question.orders is None:
                raise ValueError("a question about a comparison has no other order")
            choose_by_calls(judge, about, hashes=question.orders, at=now)
            return
        rate_by_call(judge, about, content_hash=question.content_hash, at=now)
        if question.asked.is_scored:
            new = NewScore(about.version_id, score, question.content_hash)
            store_scores(self.metrics[question.asked.key], [new])

    def _refuse_over_cap(self, some: Sequence[Prompted]) -> None:
        next_cost = sum(estimated_cost(self.judge, question.prompt) for question in some)
        if self.cap is not None and self.cost + next_cost > self.cap:
            raise ValueError(
                f"The cap of {self.cap:g} is reached: {self.cost:.4g} is spent, and the next "
                f"{len(some)} questions may cost {next_cost:.4g}. Every answer so far is kept."
            )

    def _tell(self, n_more: int) -> None:
        self.n_done += n_more
        self.progress(self.n_done, self.n_total, f"{self.judge.model} answers")


def _chosen(study: StudyRow, dimensions: Sequence[str]) -> list[Asked]:
    every = asked_of(study)
    if not dimensions:
        return every
    known = {asked.key for asked in every}
    if unknown := sorted(set(dimensions) - known):
        listed = ", ".join(sorted(known)) or "none"
        raise ValueError(
            f"A model cannot judge {unknown[0]!r} in this study; it can judge: {listed}."
        )
    return [asked for asked in every if asked.key in dimensions]


def _metric(study_id: int, judge: ModelJudgeRow, asked: Asked) -> Metric:
    key = metric_key(judge, asked.key)
    return declare_metric(
        study_id, MetricFacts(key, signature_of(judge, asked.key), targets=asked.key)
    )


def metric_key(judge: ModelJudgeRow, dimension: str) -> str:
    """Return the name under which a model's judgements stand among the metrics."""
    return f"{judge.model}: {dimension} ({judge.pseudonym})"[-200:]


def _rated(study_id: int, judge: ModelJudgeRow, asked: Sequence[Asked]) -> set[Place]:
    """Return the places of everything that is rated already."""
    ids = {metric_key(judge, each.key): each.dimension_id for each in asked if each.is_scored}
    scored: set[Place] = {
        (Judged(version, ids[metric.key]), content)
        for metric in Metric.objects.filter(study_id=study_id, key__in=ids)
        for version, content in stored_hashes(metric).items()
    }
    return scored | unscored_places(judge.judge_id)


def _problem(judge: ModelJudgeRow, *, n_outputs: int) -> str:
    if judge.is_excluded:
        return f"{judge.pseudonym} is excluded."
    if not n_outputs:
        return "There is nothing to ask: no outputs, or no dimension that a model can judge."
    try:
        return endpoint_named(judge.endpoint).what_is_wrong(judge.model)
    except ValueError as error:
        return str(error)
