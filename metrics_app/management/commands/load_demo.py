"""``manage.py load_demo``: the demo study with metrics, and its first report asked for."""

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from metrics_app.loaders.studies import study_named
from metrics_app.models import Analysis
from metrics_app.services.analyses import request_analysis

# Quick ones of every kind that needs references or the source only.
METRICS = "rouge1,rouge2,rougeL,bleu,chrf,length,compression"


class Command(BaseCommand):
    """Make the demo study where it is missing, and ask for its report."""

    help = "Make the demo study and ask for its first report, once."

    def handle(self, *_args: object, **_options: object) -> None:
        """Make both; a worker that starts takes the report up."""
        call_command("make_demo_study", stdout=self.stdout)
        study = study_named("demo")
        if study is None or Analysis.objects.filter(study_id=study.id).exists():
            return
        call_command("run_metrics", study.slug, metrics=METRICS, stdout=self.stdout)
        request_analysis(study, at=timezone.now())
        self.stdout.write("Its report waits for a worker.")
