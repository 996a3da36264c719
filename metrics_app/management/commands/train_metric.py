"""``manage.py train_metric STUDY --dimension fluency``: a metric trained on people's ratings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from jobs.models import Job
from metrics_app.management.working import refusals, result_of, study_called
from metrics_app.services.trained_metrics import VARIANTS, Training, request_training
from metrics_app.tasks import train_metric_task


class Command(BaseCommand):
    """Train a metric here and now, as a worker would."""

    help = "Train a metric on the mean ratings of people; its scores are held-out predictions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be said on the command line."""
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--dimension", required=True, help="key of the dimension to learn")
        parser.add_argument("--method", choices=["estimator", "nouveau"], default="estimator")
        parser.add_argument("--model", default="", help="embedding model of an estimator")
        parser.add_argument("--variant", choices=VARIANTS, default="2", help="of Nouveau-ROUGE")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Train and say how good the predictions are; bad input ends with status 2."""
        study = study_called(options["study"])
        named = ("method", "dimension", "model", "variant")
        training = Training(**{name: options[name] for name in named})
        with refusals():
            job = request_training(study, training)
        self._run(job, training)

    def _run(self, job: Job, training: Training) -> None:
        result = result_of(job, train_metric_task)
        self.stdout.write(training.key)
        for name, value in sorted(result.items()):  # PostgreSQL keeps no order of keys
            shown = f"{value:.3f}" if isinstance(value, float) else value
            self.stdout.write(f"  {name}: {shown}")
