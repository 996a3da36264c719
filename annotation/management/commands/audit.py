"""``manage.py audit STUDY``: every deviation from k, balance and blindness, or none."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Study
from annotation.selectors.audit import audit_study

SHOWN = 100


class Command(BaseCommand):
    """Print the audit of a study; status 1 where there are deviations."""

    help = "List every deviation of a study from k, balance and blindness, or say there is none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study."""
        parser.add_argument("study", help="short name of the study")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Print the counts of each group, then the deviations."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        audit = audit_study(study, at=timezone.now())
        self.stdout.write(f"{audit.study} ({audit.state})")
        for group in audit.groups:
            self.stdout.write(
                f"{group.group}: k = {group.judges_per_unit}, {group.n_units} units, "
                f"{group.n_places} places, {group.n_ratings_due} ratings due; "
                f"{group.n_valid} valid, {group.n_running} running, {group.n_lapsed} lapsed, "
                f"{group.n_free} free, {group.n_late} late, {group.n_repeats} repeats, "
                f"{group.n_imported} imported; systems per judge differ by at most "
                f"{group.widest_system_difference}"
            )
        for kind in audit.positions:
            self.stdout.write(
                f"{kind.label}: {kind.n_units} units; how often a system stands in one position "
                f"and in another differs by at most {kind.widest_difference}"
            )
        for deviation in audit.deviations[:SHOWN]:
            self.stdout.write(f"{deviation.kind}: {deviation.where}: {deviation.sentence}")
        if not audit.deviations:
            self.stdout.write("No deviation.")
            return
        self.stdout.write(f"{len(audit.deviations)} deviations.")
        sys.exit(1)
