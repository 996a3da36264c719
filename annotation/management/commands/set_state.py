"""``manage.py set_state STUDY STATE``: open, pause, close or freeze a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.enums import StudyState
from annotation.models import Study
from annotation.services.studies import change_state


class Command(BaseCommand):
    """Move a study to another state, as its page does."""

    help = "Open, pause, close or freeze a study; opening it makes its places."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study and its next state."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument("state", choices=[state for state in StudyState if state != "draft"])
        parser.add_argument("--reason", default="", help="it stays in the log of the study")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Move the study; what stands in the way ends with status 2."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        state = StudyState(options["state"])
        try:
            change_state(study, state, reason=options["reason"], at=timezone.now())
        except ValidationError as refusal:
            raise CommandError(" ".join(refusal.messages), returncode=2) from None
        self.stdout.write(f"The study {study.slug} is {state.label.lower()} now.")
