"""``manage.py report``: a study, or a file of ratings, as a folder of findings."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from metrics_app.loaders.files import FileRequest, source_of_files
from metrics_app.loaders.scales import HOW, read_scales
from metrics_app.loaders.sources import Source
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.reports.building import build_report
from metrics_app.reports.contract import Report
from metrics_app.reports.datasheet.writers import write_datasheet
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.presets import PRESETS
from metrics_app.reports.writers.folder import write_folder
from metrics_app.reports.writers.plain import write_preset
from metrics_app.services.datasheets import datasheet_of

BAD_INPUT = 2

# Given as often as there are names.
NAMES = {
    "human-system": "a system whose outputs people wrote",
    "model-group": "a group of judges who are language models",
    "system": "the systems in the order of the report",
    "group": "the groups of judges in the order of the report",
}


class Command(BaseCommand):
    """Write the report of a study, or of a file without any study."""

    help = (
        "Write report.json, tables, charts and the tidy ratings of a study (--study), or of a "
        "file (--ratings) without storing anything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be said on the command line."""
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--study", help="slug of a stored study")
        source.add_argument("--ratings", type=Path, help="file of ratings, one row a rating")
        parser.add_argument(
            "--comparisons", type=Path, help="file of comparisons, one row a choice"
        )
        parser.add_argument("--scores", type=Path, help="file of metric scores, with --ratings")
        parser.add_argument("--scale", action="append", default=[], help=HOW)
        parser.add_argument("--expert", default="", help="the group of judges who are the experts")
        parser.add_argument("--crowd", default="", help="the group of judges who are the crowd")
        parser.add_argument("--seed", type=int, help="seed of every random draw")
        parser.add_argument("--resamples", type=int, default=1_000, help="bootstrap resamples")
        parser.add_argument(
            "--preset", choices=sorted(PRESETS), help="also write the tables this study prints"
        )
        parser.add_argument(
            "--takes-time", action="store_true", help="compute what takes long on this data too"
        )
        parser.add_argument(
            "--with-excluded", action="store_true", help="count excluded judges too, with --study"
        )
        parser.add_argument(
            "--predict", action="append", default=[], metavar="METRIC",
            help="predict people from these metrics together, the first is the baseline",
        )  # fmt: skip
        for name, what in NAMES.items():
            parser.add_argument(
                f"--{name}",
                action="append",
                default=[],
                metavar="NAME",
                help=f"{what}, with --ratings",
            )
        parser.add_argument("--out", type=Path, required=True, help="folder to write into")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Read, compute, write; bad input ends with status 2 and nothing written."""
        try:
            source = _source(options)
            chosen = ReportOptions(
                seed=source.seed if options["seed"] is None else options["seed"],
                n_resamples=options["resamples"],
                takes_time=options["takes_time"],
                with_excluded=options["with_excluded"],
                predictors=options["predict"],
                preset=options["preset"] or "",
            )
            report = build_report(source.evaluation, chosen, generated_at=timezone.now())
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        files = write_folder(report, source.ratings(), options["out"])
        if options["preset"]:
            files += write_preset(report, PRESETS[options["preset"]], options["out"])
        if options["study"]:
            files += _write_datasheet(options["study"], report, options["out"])
        for finding in report.findings:
            self.stderr.write(f"Note: {finding.text}")
        self.stdout.write(f"{len(files)} files in {options['out']}")


def _write_datasheet(slug: str, report: Report, out: Path) -> list[Path]:
    study = study_named(slug)
    if study is None:
        return []
    return write_datasheet(datasheet_of(study, report.as_json()), out / "datasheet")


def _source(options: dict[str, Any]) -> Source:
    if options["study"]:
        for name in ("scores", "comparisons", "scale", "expert", "crowd", *NAMES):
            if options[name.replace("-", "_")]:
                raise ValueError(f"--{name} goes with --ratings; a study knows this itself.")
        study = study_named(options["study"])
        if study is None:
            raise ValueError(f"There is no study {options['study']!r}.")
        return source_of_study(study, with_excluded=options["with_excluded"])
    if not (options["ratings"] or options["comparisons"]):
        raise ValueError("Say what to report on: --study, or --ratings or --comparisons.")
    return source_of_files(
        FileRequest(
            comparisons=options["comparisons"],
            ratings=options["ratings"],
            scores=options["scores"],
            scales=read_scales(options["scale"]),
            expert=options["expert"],
            crowd=options["crowd"],
            human_systems=tuple(options["human_system"]),
            model_groups=tuple(options["model_group"]),
            systems=tuple(options["system"]),
            groups=tuple(options["group"]),
        )
    )
