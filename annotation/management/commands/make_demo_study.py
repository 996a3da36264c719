"""``manage.py make_demo_study``: the demo study, once."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.services.demo import make_demo


class Command(BaseCommand):
    """Make the demo study where it is missing."""

    help = "Make the demo study, its accounts and its simulated ratings, once."

    def handle(self, *_args: object, **_options: object) -> None:
        """Make it, or leave it as it is."""
        study = make_demo(at=timezone.now())
        self.stdout.write(f"The demo study is {study.slug}.")
