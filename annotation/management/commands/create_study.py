"""``manage.py create_study SLUG``: a study from a preset, a protocol file, or a scale."""

from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.enums import GroupKind
from annotation.forms.protocol_documents import read_protocol
from annotation.models import Study
from annotation.services.presets import PRESETS
from annotation.services.protocol import NewDimension, NewGroup, NewPhase, NewScale, Protocol
from annotation.services.studies import create_study


class Command(BaseCommand):
    """Make a study in draft."""

    help = "Make a study: from a preset, from a protocol file, or from --dimensions and --scale."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study and its protocol."""
        parser.add_argument("slug", help="short name, for addresses and commands")
        parser.add_argument("--title", default="")
        parser.add_argument(
            "--owner", metavar="NAME", help="the account that sees it on the pages and runs it"
        )
        begin = parser.add_mutually_exclusive_group()
        begin.add_argument("--preset", choices=sorted(PRESETS))
        begin.add_argument(
            "--protocol", type=Path, metavar="FILE", help="the protocol.json of another study"
        )
        parser.add_argument("--dimensions", default="", help="keys, separated by commas")
        parser.add_argument("--scale", default="", help="whole points from-to, for example 1-5")
        parser.add_argument(
            "--group",
            action="append",
            default=[],
            metavar="KEY:K",
            help="a group of judges and its number of judges per output, for example crowd:3",
        )
        parser.add_argument("--seed", type=int)
        parser.add_argument(
            "--pairs", type=_positive, help="pairs of each item to be compared, if not all"
        )
        parser.add_argument(
            "--sets", type=_positive, help="sets of each item to be compared, if not one"
        )
        _add_rules(parser)
        parser.add_argument(
            "--set-size", type=int, choices=[3, 4, 5], help="outputs in a set, if not four"
        )

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Make the study; what is wrong ends with status 2."""
        if Study.objects.filter(slug=options["slug"]).exists():
            raise CommandError(f"There is a study named {options['slug']!r} already.", returncode=2)
        try:
            study = create_study(
                options["slug"],
                title=options["title"] or options["slug"],
                owner=_owner(options["owner"]),
                protocol=_with_settings(_protocol(options), options),
                seed=options["seed"],
                at=timezone.now(),
            )
        except ValidationError as refusal:
            raise CommandError(" ".join(refusal.messages), returncode=2) from None
        self.stdout.write(f"The study {study.slug} is ready for its outputs.")
        if not options["owner"]:
            self.stdout.write(
                "No account sees it on the pages yet: "
                f"manage.py add_member {study.slug} NAME --role owner"
            )


def _owner(name: str | None) -> User | None:
    if not name:
        return None
    owner = User.objects.filter(username=name).first()
    if owner is None:
        raise ValidationError(
            f"There is no account {name!r}; without --owner the study is made, and "
            "manage.py add_member invites its owner."
        )
    return owner


def _read(path: Path) -> Protocol:
    try:
        return read_protocol(path.read_bytes())
    except OSError as fault:
        raise ValidationError(f"{path}: {fault.strerror}.") from None


def _protocol(options: dict[str, Any]) -> Protocol:
    groups = [_group(text) for text in options["group"]]
    if options["preset"] or options["protocol"]:
        protocol = (
            PRESETS[options["preset"]][1] if options["preset"] else _read(options["protocol"])
        )
        return replace(protocol, groups=groups) if groups else protocol
    keys = [key.strip() for key in options["dimensions"].split(",") if key.strip()]
    if not keys or not options["scale"]:
        raise ValidationError("Name --preset, --protocol, or both --dimensions and --scale.")
    dimensions = [
        NewDimension(key=key, name=key.replace("_", " ").capitalize(), scale="scale")
        for key in keys
    ]
    return Protocol(
        scales=[NewScale("scale", points=_points(options["scale"]))],
        phases=[NewPhase(key="rating", title="Rating", dimensions=dimensions)],
        groups=groups,
    )


def _with_settings(protocol: Protocol, options: dict[str, Any]) -> Protocol:
    names = {"pairs": "pairs_per_item", "sets": "sets_per_item", "set_size": "set_size"}
    said = {field: options[name] for name, field in names.items() if options[name] is not None}
    if options["exclusion_rule"]:
        said["exclusion_rules"] = [_rule(text) for text in options["exclusion_rule"]]
    return replace(protocol, settings={**protocol.settings, **said})


def _add_rules(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--exclusion-rule",
        action="append",
        default=[],
        metavar="KIND:THRESHOLD[:OUTPUTS]",
        help="judges to be excluded, for example fast:5 (seconds), same_answer:95 (per cent) "
        "or disagreeing:0.1:20 (correlation, from 20 outputs on)",
    )


def _rule(text: str) -> dict[str, Any]:
    kind, threshold, *more = [*text.split(":"), ""][:3]
    try:
        outputs = {"n_outputs": int(more[0])} if more and more[0] else {}
        return {"kind": kind, "threshold": float(threshold), **outputs}
    except ValueError:
        raise ValidationError(
            f"--exclusion-rule is written KIND:THRESHOLD, for example fast:5, not {text!r}."
        ) from None


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000:
        raise ArgumentTypeError(f"a whole number from 1 to 1,000 is needed, not {text!r}")
    return int(text)


def _points(text: str) -> list[tuple[float, str]]:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and int(first) < int(last)):
        raise ValidationError(f"--scale is written from-to, for example 1-5, not {text!r}.")
    return [(float(value), "") for value in range(int(first), int(last) + 1)]


def _group(text: str) -> NewGroup:
    key, _, k = text.partition(":")
    if not key or not k.isdecimal() or int(k) < 1:
        raise ValidationError(f"--group is written KEY:K, for example crowd:3, not {text!r}.")
    kind = next((kind for kind in GroupKind if kind.value in key), GroupKind.OTHER)
    return NewGroup(key=key, name=key.capitalize(), kind=kind, judges_per_unit=int(k))
