"""``manage.py judge_by_model STUDY --model gpt-4o --endpoint openai``: a model as a judge."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from metrics_app.loaders.judge_records import positions_in_words
from metrics_app.loaders.judging import ModelJudgeRow, model_judge, model_judge_rows
from metrics_app.loaders.studies import StudyRow
from metrics_app.management.working import refusals, result_of, study_called
from metrics_app.services.model_judges import JudgeChoice, endpoint_named, register_model_judge
from metrics_app.services.model_judging import plan_judging, request_judging
from metrics_app.tasks import run_judging_task


class Command(BaseCommand):
    """Ask a language model here and now, as a worker would."""

    help = (
        "Let a language model judge a study: a new one (--model), or one that is there (--judge)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be said on the command line."""
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--judge", help="pseudonym of a model judge that is there, as J007")
        parser.add_argument("--model", help="model of a new judge, as the provider writes it")
        parser.add_argument("--endpoint", default="", help="a name of CONCORD_LLM_ENDPOINTS")
        parser.add_argument("--temperature", type=float, default=0.0)
        parser.add_argument("--samples", type=int, default=1)
        parser.add_argument("--no-logprobs", action="store_true")
        parser.add_argument("--price-in", type=float, default=0.0, help="of a million tokens")
        parser.add_argument("--price-out", type=float, default=0.0, help="of a million tokens")
        parser.add_argument("--dimensions", default="", help="keys with commas; else all")
        parser.add_argument("--cap", type=float, help="stop before it costs more")
        parser.add_argument("--dry-run", action="store_true", help="only say what it would ask")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Plan or run; bad input ends with status 2 and nothing asked."""
        study = study_called(options["study"])
        dimensions = [key for key in options["dimensions"].split(",") if key]
        with refusals():
            judge = _judge(study, options)
            plan = plan_judging(study, judge, dimensions)
            _refuse(plan.problem)
            self.stdout.write(
                f"{judge.pseudonym}: {plan.n_to_ask:,} questions to ask, {plan.n_rated:,} rated "
                f"already; at most {plan.cost:,.4f}"
            )
            if options["dry_run"]:
                return
            job = request_judging(study, judge, dimensions=dimensions, cap=options["cap"])
        result = result_of(job, run_judging_task)
        self.stdout.write(", ".join(f"{name} {n:,}" for name, n in sorted(result.items())))
        for sentence in positions_in_words(judge.judge_id):
            self.stdout.write(sentence)


def _refuse(problem: str) -> None:
    if problem:
        raise ValueError(problem)


def _judge(study: StudyRow, options: dict[str, Any]) -> ModelJudgeRow:
    """Return the named judge, or a new one."""
    if options["judge"]:
        rows = [row for row in model_judge_rows(study.id) if row.pseudonym == options["judge"]]
        if not rows:
            raise ValueError(f"The study has no model judge {options['judge']!r}.")
        return rows[0]
    if not options["model"]:
        raise ValueError("Say which model (--model and --endpoint), or which judge (--judge).")
    choice = JudgeChoice(
        endpoint=options["endpoint"],
        model=options["model"],
        temperature=options["temperature"],
        n_samples=options["samples"],
        asks_logprobs=not options["no_logprobs"],
        price_in=options["price_in"],
        price_out=options["price_out"],
    )
    # A judge that cannot be asked is not added in the first place.
    _refuse(endpoint_named(choice.endpoint).what_is_wrong(choice.model))
    judge = model_judge(study.id, register_model_judge(study.id, choice, at=timezone.now()))
    if judge is None:
        raise ValueError("The judge is gone.")
    return judge
