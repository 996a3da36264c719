"""``manage.py add_member STUDY NAME --role researcher``: somebody into a study."""

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.enums import Role
from annotation.models import Study
from annotation.selectors.invitations import invitation_path
from annotation.selectors.members import is_pending
from annotation.services.members import add_member


class Command(BaseCommand):
    """Add a member, and print the invitation where the account is new."""

    help = "Make an account a member of a study; print an invitation where the account is new."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study, the account and the role."""
        parser.add_argument("study", help="short name of the study")
        parser.add_argument("name", help="user name or e-mail address")
        parser.add_argument("--role", choices=Role.values, default=Role.RESEARCHER.value)
        parser.add_argument(
            "--site",
            type=_site,
            help="where the site is, for example https://concord.example.org; "
            "without it the path of the invitation is printed",
        )

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Add the member; what is wrong ends with status 2."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.", returncode=2)
        role = Role(options["role"])
        try:
            member = add_member(study, options["name"], role=role, at=timezone.now())
        except ValidationError as refusal:
            raise CommandError(" ".join(refusal.messages), returncode=2) from None
        self.stdout.write(f"{member.user.username} is {role.value} in {study.slug}.")
        if is_pending(member):
            n_days = settings.PASSWORD_RESET_TIMEOUT // 86_400
            self.stdout.write(f"The account is new. This link opens it once, within {n_days} days:")
            self.stdout.write((options["site"] or "") + invitation_path(member.user))


def _site(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path.strip("/"):
        raise ArgumentTypeError(f"an address such as https://concord.example.org, not {text!r}")
    return f"{parts.scheme}://{parts.netloc}"
