"""``manage.py import_scores STUDY FILE``: scores of automatic metrics into a study."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from metrics_app.loaders.studies import study_named
from metrics_app.models import Direction
from metrics_app.services.scores import import_scores

BAD_INPUT = 2


class Command(BaseCommand):
    """Load scores, or check them with --dry-run."""

    help = "Load scores (item_id, system, metric, score) into a study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be said on the command line."""
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSON, JSONL or XLSX, also .gz")
        parser.add_argument("--dry-run", action="store_true", help="check, and write nothing")

        parser.add_argument(
            "--direction",
            choices=Direction.values,
            help="which values of the file's metrics are better",
        )

    def handle(self, *_args: object, study: str, file: Path, **options: object) -> None:
        """Load the file; bad input ends with status 2 and nothing written."""
        row = study_named(study)
        if row is None:
            raise CommandError(f"There is no study {study!r}.", returncode=BAD_INPUT)
        dry_run = bool(options["dry_run"])
        try:
            direction = Direction(str(options["direction"])) if options["direction"] else None
            loaded = import_scores(row, file, dry_run=dry_run, direction=direction)
        except ValidationError as refusal:
            raise CommandError("\n".join(refusal.messages), returncode=BAD_INPUT) from refusal
        act = "would be loaded" if dry_run else "loaded"
        self.stdout.write(
            f"{loaded.n_scores:,} scores of {loaded.n_metrics} metrics {act}, "
            f"{loaded.n_replaced:,} of them in the place of earlier ones"
        )
