"""What the import commands share: one file, one study, findings on standard error, status 2."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.importing import Kind, Report
from annotation.models import Study
from annotation.services.uploads import RefusedFile, Source, check_file, load_file

SHOWN = 50


class ImportCommand(BaseCommand):
    """Check a file and load it, all or nothing."""

    kind: Kind

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study, the file and the choices."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="check only, write nothing")
        parser.add_argument(
            "--good-rows-only", action="store_true", help="load the good rows, leave out the others"
        )

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Run the import; a refusal ends with status 2."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(
                f"There is no study {options['study']!r}. Make it first: "
                f"manage.py create_study {options['study']} --help",
                returncode=2,
            )
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"There is no file {path}.", returncode=2)
        choices = {"good_rows_only": options["good_rows_only"]}
        source = Source(path=path, kind=self.kind, options=choices)
        if options["dry_run"]:
            self._check(study, source)
        else:
            self._load(study, source)

    def _check(self, study: Study, source: Source) -> None:
        report = check_file(study, source)
        self._tell(report)
        self.stdout.write(f"Outcome: {report.outcome}. Nothing was written.")
        if not report.can_load:
            sys.exit(2)

    def _load(self, study: Study, source: Source) -> None:
        try:
            counts = load_file(study, source, at=timezone.now())
        except RefusedFile as refusal:
            self._tell(refusal.report)
            raise CommandError("Nothing was written.", returncode=2) from None
        except ValidationError as refusal:
            raise CommandError(" ".join(refusal.messages), returncode=2) from None
        told = ", ".join(f"{n} {name}" for name, n in counts.items())
        self.stdout.write(f"{source.path.name}: {told} {self.kind}.")

    def _tell(self, report: Report) -> None:
        for found in report.findings[:SHOWN]:
            self.stderr.write(f"{found.severity}: {found.kind}: {found}")
        n_more = sum(report.counts.values()) - min(len(report.findings), SHOWN)
        if n_more > 0:
            self.stderr.write(f"and {n_more} more")
