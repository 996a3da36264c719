"""The bundle: everything a study releases in one zip, with what is needed to compute it again."""

import csv
import hashlib
import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.utils import timezone

from annotation.exporting import FORMATS, Material, zip_folder
from metrics_app.loaders.evaluation import Evaluation
from metrics_app.loaders.releases import (
    SCORE_FIELDS,
    exclusions_of,
    material_of,
    protocol_of,
    score_rows,
    study_by_id,
)
from metrics_app.loaders.studies import StudyRow, source_of_study
from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.writers.folder import write_folder
from metrics_app.stats.scales import Scale

Tell = Callable[[int, int, str], None]
README = """{title}

data/           the ratings and texts in every format; {slug}-ratings.csv is the tidy table
report/         report.json, tables, charts and the printable report
scores.csv      scores of automatic metrics, where there are any
protocol.json   settings, instructions, suggestions, questions, scales, groups, systems, the seed
codebook.csv    every dimension with its scale, a line a point
exclusions.csv  which judges were left out and why, and what else happened to the study
recompute.sh    computes the report again from the ratings and scores beside it
SHA256SUMS      checksums of all files: sha256sum -c SHA256SUMS

The numbers of report/report.json come out again from
    CONCORD=path/to/concord sh recompute.sh
in recomputed/report.json; code version {code_version}, data hash {data_hash}. Titles and
labels do not, nor the list exclusions: what judges who were left out would change is in no table.
"""


def write_bundle_of_job(study_id: int, job_id: int, *, progress: Tell) -> dict[str, Any]:
    """Write the bundle that a job asks for; return where it lies, its size and its checksum."""
    study = study_by_id(study_id)
    name = f"exports/{job_id}/{study.slug}-bundle.zip"
    path = Path(settings.MEDIA_ROOT) / name
    write_bundle(study, path, progress=progress)
    return {"file": name, "bytes": path.stat().st_size, "sha256": _sha256(path)}


def write_bundle(
    study: StudyRow,
    path: Path,
    *,
    options: ReportOptions | None = None,
    progress: Tell = lambda _done, _total, _stage: None,
) -> None:
    """Write the bundle of a study to a path. Half a file is never seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=".bundle-") as name:
        folder = Path(name) / f"{study.slug}-bundle"
        folder.mkdir()
        _fill(study, folder, options or ReportOptions(seed=study.seed), progress)
        _write_checksums(folder)
        packed = Path(name) / "packed.zip"
        zip_folder(folder, packed)
        packed.replace(path)


def _fill(study: StudyRow, folder: Path, options: ReportOptions, progress: Tell) -> None:
    steps = len(FORMATS) + 2
    material = material_of(study)
    (folder / "data").mkdir()
    for done, entry in enumerate(FORMATS.values()):
        progress(done, steps, f"Writing {entry.label}")
        entry.write(material, folder / "data" / f"{study.slug}-{entry.suffix}")
    progress(len(FORMATS), steps, "Computing the report")
    source = source_of_study(study)
    report = build_report(source.evaluation, options, generated_at=timezone.now())
    write_folder(report, source.ratings(), folder / "report")
    has_scores = _write_csv(folder / "scores.csv", SCORE_FIELDS, score_rows(study))
    _write_about(study, folder, material)
    script = recompute_script(study, source.evaluation, options, has_scores=has_scores)
    (folder / "recompute.sh").write_text(script, encoding="utf-8")
    told = README.format(
        title=study.title,
        slug=study.slug,
        code_version=report.code_version,
        data_hash=report.data_hash,
    )
    (folder / "README.txt").write_text(told, encoding="utf-8")


def _write_about(study: StudyRow, folder: Path, material: Material) -> None:
    protocol = json.dumps(protocol_of(study), ensure_ascii=False, indent=2)
    (folder / "protocol.json").write_text(protocol + "\n", encoding="utf-8")
    _write_csv(
        folder / "codebook.csv",
        ("dimension", "phase", "question", "definition", "measurement", "value", "label"),
        (
            (*about, f"{value:.15g}" if value is not None else "", label)
            for entry in material.codebook()
            for about in [
                (
                    entry.dimension,
                    entry.phase,
                    entry.question,
                    entry.definition,
                    entry.measurement,
                )
            ]
            for value, label in entry.points or ((None, ""),)
        ),
    )
    _write_csv(folder / "exclusions.csv", ("at", "what", "who", "why"), exclusions_of(study))


def recompute_script(
    study: StudyRow, evaluation: Evaluation, options: ReportOptions, *, has_scores: bool
) -> str:
    """Return a shell script that makes the report again from the files of the bundle."""
    command = [
        '"$python" manage.py report',
        *_tables(study, evaluation),
        *(['--scores "$here/scores.csv"'] if has_scores else []),
        *(
            f"--scale {shlex.quote(f'{name}={scale_text(scale)}')}"
            for name, scale in evaluation.scales.items()
        ),
        *_sides(evaluation),
        *_names(evaluation),
        f"--seed {options.seed}",
        f"--resamples {options.n_resamples}",
        '--out "$here/recomputed"',
    ]
    lines = [
        "#!/bin/sh",
        "# CONCORD is the folder of Concord, with its manage.py. Its own Python is taken where",
        "# make run has set it up, else the one that is active.",
        "set -eu",
        'here=$(cd "$(dirname "$0")" && pwd)',
        'cd "${CONCORD:-.}"',
        "python=python; [ ! -x .venv/bin/python ] || python=.venv/bin/python",
        " \\\n  ".join(command),
    ]
    return "\n".join(lines) + "\n"


def _tables(study: StudyRow, evaluation: Evaluation) -> Iterator[str]:
    """Yield the tables that the report rests on."""
    if evaluation.judgements.n_rows or not evaluation.comparisons:
        yield f'--ratings "$here/data/{study.slug}-ratings.csv"'
    if evaluation.comparisons:
        yield f'--comparisons "$here/data/{study.slug}-comparisons.csv"'


def scale_text(scale: Scale) -> str:
    """Return a scale as `manage.py report --scale` takes it."""
    if scale.values:
        body = ",".join(f"{value:.15g}" for value in scale.values)
    else:
        body = f"{scale.minimum:.15g}..{scale.maximum:.15g}"
    return f"{body}:{scale.measurement}"


def _sides(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.sides is not None:
        yield f"--expert {shlex.quote(evaluation.sides.expert)}"
        yield f"--crowd {shlex.quote(evaluation.sides.crowd)}"


def _names(evaluation: Evaluation) -> Iterator[str]:
    """Yield what the tables do not say: whose texts and judges these are, and their order."""
    human = [name for name in evaluation.human_systems if name in evaluation.systems]
    told = {
        "human-system": human,
        "model-group": evaluation.model_groups,
        "system": evaluation.systems,
        "group": evaluation.groups,
    }
    for option, names in told.items():
        yield from (f"--{option}={shlex.quote(name)}" for name in names)


def _write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Write a table; return whether it has rows."""
    n_rows = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        for row in rows:
            writer.writerow(row)
            n_rows += 1
    return n_rows > 0


def _write_checksums(folder: Path) -> None:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lines = [f"{_sha256(file)}  {file.relative_to(folder).as_posix()}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
