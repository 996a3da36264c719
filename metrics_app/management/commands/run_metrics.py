"""``manage.py run_metrics STUDY --metrics rouge1,chrf``: automatic metrics of a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from jobs.models import Job
from metrics_app.management.working import refusals, result_of, study_called
from metrics_app.metrics.choices import names_of, read_choices
from metrics_app.metrics.registry import REGISTRY
from metrics_app.services.metric_plans import RunPlan, plan_run
from metrics_app.services.metric_runs import request_metric_run
from metrics_app.stats.undefined import explain
from metrics_app.tasks import run_metrics_task


class Command(BaseCommand):
    """Compute metrics here and now, as a worker would."""

    help = "Compute automatic metrics for the outputs of a study; what is stored is kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be said on the command line."""
        parser.add_argument("study", nargs="?", help="slug of the study")
        parser.add_argument(
            "--metrics", default="", help="names, as rouge1,chrf,bleu(max_n=2,smoothing=floor)"
        )
        parser.add_argument("--list", action="store_true", help="list every metric")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """List, plan or run; bad input ends with status 2 and nothing computed."""
        if options["list"]:
            self._list()
            return
        study = study_called(options["study"] or "")
        with refusals():
            metrics = read_choices(options["metrics"])
            if options["dry_run"]:
                self._tell(plan_run(study.id, metrics))
                return
            job = request_metric_run(study, names_of(metrics))
        self._run(job)

    def _run(self, job: Job) -> None:
        found = result_of(job, run_metrics_task)
        self.stdout.write(
            f"{found['computed']:,} scores computed, {found['kept']:,} kept, "
            f"{found['copied']:,} copied from equal texts"
        )
        for key, reasons in found["undefined"].items():
            self.stderr.write(f"{key}: {sum(reasons.values()):,} outputs have no score")
            for reason, n in reasons.items():
                self.stderr.write(f"  {n:,}: {explain(reason)}")

    def _tell(self, plan: RunPlan) -> None:
        for row in plan.metrics:
            self.stdout.write(
                f"{row.name}: {row.problem}"
                if row.problem
                else f"{row.name}: {row.n_to_compute:,} to compute, {row.n_stored:,} stored, "
                f"about {row.seconds:,.1f} s"
            )
            for reason, n in row.lacking.items():
                self.stdout.write(f"  {n:,} outputs without a score: {reason}")
        self.stdout.write(f"{plan.n_outputs:,} outputs, about {plan.seconds:,.0f} s in all")

    def _list(self) -> None:
        for key, metric in REGISTRY.items():
            needs = ", ".join(metric.needs) or "nothing"
            self.stdout.write(f"{key}\t{metric.label}\tneeds {needs}\t{metric.extra or 'box'}")
