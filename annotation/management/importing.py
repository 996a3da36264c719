"""What the import commands share: one file, one study, findings on standard error, status 2."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.importing import Kind, Mapping, Report, UnreadableFile
from annotation.models import Study
from annotation.selectors.understanding import proposed, understand
from annotation.services.loading import DryRun, RefusedFile, Source, check_file, load_file

SHOWN = 50


def words_of(text: str) -> dict[str, float]:
    """Return the values of labels, as in ``good=3,bad=1``."""
    words = {}
    for part in text.split(","):
        word, sign, value = part.rpartition("=")
        try:
            words[word.strip()] = float(value)
        except ValueError:
            sign = ""
        if not sign or not word.strip():
            raise ArgumentTypeError(f"{part!r} is not of the form label=number")
    return words


class ImportCommand(BaseCommand):
    """Check a file and load it, all or nothing."""

    kind: Kind

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study, the file and the choices."""
        add = parser.add_argument
        add("study", help="short name of the study")
        add("file", type=Path, help="a file, or a folder of files")
        add("--dry-run", action="store_true", help="check only, write nothing")
        add("--good-rows-only", action="store_true", help="leave out rows that have errors")
        add("--mapping", type=Path, help="JSON file: column to field, or a kept mapping")
        add("--guess", action="store_true", help="take the guessed mapping where it would ask")
        add("--system", default="", help="system of all rows, where no column names it")
        add("--encoding", default="", help="such as utf-8, cp1252, utf-16")
        add("--delimiter", default="", help="one character; write \\t for a tab")
        add("--sheet", default="", help="sheet of a workbook")
        add("--header-row", type=int, default=0, help="row of the column names, in every sheet")
        add("--cells", default="", help='cells about all rows of their sheet: "B1:B8, B10"')
        add("--replace-bad-bytes", action="store_true", help="put a sign for each bad byte")
        if self.kind != "outputs":
            add("--dimension", default="", help="dimension of all rows")
            add("--judge", default="", help="judge of all rows")
        if self.kind == "ratings":
            add("--words", type=words_of, default={}, help='labels as values: "good=3,bad=1"')
        if self.kind == "outputs":
            add("--skip-empty", action="store_true", help="leave out empty outputs")
            add("--add-only", action="store_true", help="leave changed texts as they are")

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
        if not path.exists():
            raise CommandError(f"There is no file {path}.", returncode=2)
        source = Source(path=path, kind=self.kind, options=self._choices(study, options))
        if options["dry_run"]:
            self._check(study, source)
        else:
            self._load(study, source)

    def _choices(self, study: Study, options: dict[str, Any]) -> dict[str, Any]:
        reading = {
            "encoding": options["encoding"],
            "delimiter": options["delimiter"].replace("\\t", "\t"),
            "sheet": options["sheet"],
            "header_row": options["header_row"],
            "cells": options["cells"],
            "bad_bytes": "replace" if options["replace_bad_bytes"] else "ask",
        }
        choices: dict[str, Any] = {
            "reading": reading,
            "good_rows_only": options["good_rows_only"],
            "words": options.get("words", {}),
            "empty_output": "skip" if options.get("skip_empty") else "keep",
            "adds_only": options.get("add_only", False),
        }
        constants = {
            name: options[name] for name in ("system", "dimension", "judge") if options.get(name)
        }
        if options["mapping"] or options["guess"] or constants:
            choices["mapping"] = self._mapping(study, choices, options, constants)
        return choices

    def _mapping(
        self,
        study: Study,
        choices: dict[str, Any],
        options: dict[str, Any],
        constants: dict[str, str],
    ) -> dict[str, object] | None:
        """Return the mapping of a file: whole, or what is said over what is guessed."""
        file: Path = options["file"]
        try:
            understood = understand(study, file, kind=self.kind, options=choices)
        except UnreadableFile:
            return None  # the check says it
        guess = understood.mapping.with_constants(**constants)
        if options["mapping"]:
            return self._said(guess, options["mapping"])
        if options["guess"]:
            guess = proposed(study, guess, file.name)
        # What is named needs no question; what else the guess asks is left to be answered.
        asked = [*guess.questions, *understood.reading.questions]
        if not options["guess"] and any(
            question.kind.removesuffix("_unnamed") not in constants for question in asked
        ):
            return None
        return guess.as_json()

    def _said(self, guess: Mapping, path: Path) -> dict[str, object]:
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{path} is no JSON file: {error}", returncode=2) from error
        if isinstance(said, dict) and "columns" in said:
            return said
        header = [column.name for column in guess.columns]
        lacking = sorted(set(said) - set(header)) if isinstance(said, dict) else [path.name]
        if lacking:
            raise CommandError(
                f"{path} must give a field for columns of the file ({', '.join(header)}); "
                f"it has no {', '.join(lacking)}.",
                returncode=2,
            )
        return guess.with_fields(said).as_json()

    def _check(self, study: Study, source: Source) -> None:
        run = check_file(study, source)
        self._tell(run.report)
        self._tell_reading(run)
        self.stdout.write(f"Outcome: {run.report.outcome}. Nothing was written.")
        if not run.report.can_load:
            sys.exit(2)

    def _load(self, study: Study, source: Source) -> None:
        try:
            counts = load_file(study, source, at=timezone.now())
        except RefusedFile as refusal:
            self._tell(refusal.report)
            raise CommandError(
                f"Nothing was written ({refusal.report.outcome}).", returncode=2
            ) from None
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

    def _tell_reading(self, run: DryRun) -> None:
        if run.understood is None:
            return
        reading = run.understood.reading
        facts = [reading.format, reading.shape, reading.encoding, repr(reading.delimiter)]
        self.stdout.write(f"Read as: {', '.join(fact for fact in facts if fact.strip(chr(39)))}.")
        for column in run.understood.mapping.columns:
            bound = ", ".join(f"{name} {value}" for name, value in column.bound)
            meaning = f"{column.field or '(not used)'}{f' of {bound}' if bound else ''}"
            self.stdout.write(f"  {column.name} > {meaning}")
        if run.changes:
            counts = [f"{n} {name}" for name, n in run.changes.as_json().items() if name != "shown"]
            self.stdout.write(f"Against the study: {', '.join(counts)}.")
