"""``manage.py simulate STUDY``: simulated judges try a study before people come."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Study
from annotation.services.simulation import rehearse


class Command(BaseCommand):
    """Fill the places of an open study with answers drawn from a seed."""

    help = "Let simulated judges rate an open study in which nobody else has judged yet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study, the judges and the seed."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument(
            "--judges", type=int, help="in each group, if not its number per output"
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Simulate every group; what stands in the way ends with status 2."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        try:
            judges = rehearse(
                study, n_judges=options["judges"], seed=options["seed"], at=timezone.now()
            )
        except ValidationError as refusal:
            raise CommandError(" ".join(refusal.messages), returncode=2) from None
        self.stdout.write(f"{len(judges)} simulated judges have rated; every report says so.")
