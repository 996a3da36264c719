"""``manage.py export STUDY --format NAME --out PATH``: the ratings of a study as a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.exporting import FORMATS
from annotation.models import Study
from annotation.services.exports import log_export, write_export


class Command(BaseCommand):
    """Write one format of a study's data."""

    help = "Write the data of a study in one format."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study, the format and the file."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument("--format", choices=list(FORMATS), default="csv")
        parser.add_argument("--out", type=Path, required=True, help="file to write")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Write the file; an unknown study ends with status 2 and nothing written."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        written = write_export(study, options["format"], options["out"])
        log_export(study, "export_written", options["format"], at=timezone.now())
        self.stdout.write(
            f"{options['out']}: {written['bytes']:,} bytes, SHA-256 {written['sha256']}"
        )
