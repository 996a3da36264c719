"""``manage.py export_bundle STUDY --out PATH``: everything a study releases, as one zip."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from metrics_app.loaders.studies import study_named
from metrics_app.reports.options import ReportOptions
from metrics_app.services.bundles import write_bundle


class Command(BaseCommand):
    """Write the bundle of a study."""

    help = "Write data, protocol, codebook, report and checksums of a study into one zip."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study and the file."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument("--out", type=Path, required=True, help="zip file to write")
        parser.add_argument(
            "--seed", type=int, help="seed of the report; the study's own if unsaid"
        )
        parser.add_argument("--resamples", type=int, default=1_000, help="bootstrap resamples")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Write the file; an unknown study ends with status 2."""
        study = study_named(options["study"])
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        seed = study.seed if options["seed"] is None else options["seed"]
        chosen = ReportOptions(seed=seed, n_resamples=options["resamples"])
        write_bundle(study, options["out"], options=chosen)
        self.stdout.write(f"{options['out']}: {options['out'].stat().st_size:,} bytes")
