"""The bundle: complete, checkable, and enough to compute its report again."""

import hashlib
import json
import shlex
import zipfile

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.exporting import FORMATS
from annotation.models import Assignment, System
from annotation.services.simulation import Crowd, simulate_group
from jobs.models import Job
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.factories import NOON, StudyMemberFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = pytest.mark.django_db(transaction=True)
LISTS = ("means", "agreement", "comparison", "bias", "ranking", "contrasts", "correlation")


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


def unpacked(study, tmp_path):
    path = tmp_path / "bundle.zip"
    call_command("export_bundle", study.slug, "--out", path, "--seed", "3", "--resamples", "20")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "bundle")
    return tmp_path / "bundle"


def recomputing(folder):
    """Return the arguments with which the bundle's script calls the report."""
    script = (folder / "recompute.sh").read_text().replace("$here", str(folder))
    command = script[script.index("manage.py report") :].replace("\\\n", " ")
    return shlex.split(command)[2:]


def test_the_bundle_holds_every_format_and_right_checksums(tmp_path):
    study = rated_study()

    folder = unpacked(study, tmp_path)

    assert sorted(path.name for path in (folder / "data").iterdir()) == sorted(
        f"{study.slug}-{entry.suffix}" for entry in FORMATS.values()
    )
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS"}
    assert sums == {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    protocol = json.loads((folder / "protocol.json").read_text())
    assert protocol["study"]["seed"] == study.seed
    assert [row["key"] for row in protocol["dimensions"]] == ["fluency", "overall"]
    assert (folder / "codebook.csv").read_text().count("\n") == 1 + 2 * 4


def test_the_script_of_the_bundle_computes_the_same_report(tmp_path):
    study = rated_study()
    with_scores(study, "length")
    folder = unpacked(study, tmp_path)

    call_command("report", *recomputing(folder))

    first = json.loads((folder / "report" / "report.json").read_text())
    again = json.loads((folder / "recomputed" / "report.json").read_text())
    assert first["correlation"]
    for name in LISTS:
        assert again[name] == first[name], name


def test_the_script_knows_what_the_tables_do_not_say(tmp_path):
    study = rated_study(systems=("-Gamma", "Alpha", "=Beta"))
    with_scores(study, "length")
    study.groups.filter(key="crowd").update(kind="model")
    System.objects.filter(study=study, key="Alpha").update(kind="human")
    # The first system of the study has its first valid rating after those of the others.
    first = Assignment.objects.filter(unit__study=study, unit__system__key="-Gamma")
    first.filter(unit__item=study.items.order_by("position").first()).update(slot=None)
    folder = unpacked(study, tmp_path)

    call_command("report", *recomputing(folder))

    said = json.loads((folder / "report" / "report.json").read_text())
    again = json.loads((folder / "recomputed" / "report.json").read_text())
    assert {row["group"] for row in said["means"]} == {"expert", "crowd"}
    for name in LISTS:
        assert again[name] == said[name], name


def test_what_is_drawn_is_drawn_alike_from_the_files_of_the_bundle(tmp_path):
    study = rated_study(n_items=5, systems=("Gamma", "Alpha", "Beta"))
    with_scores(study, "length", "chrf")
    # The study shows its systems in another order than its ratings have them.
    study.systems.filter(key="Gamma").update(position=999)
    folder = unpacked(study, tmp_path)

    call_command("report", *recomputing(folder))

    told, again = (drawn(folder / name / "report.json") for name in ("report", "recomputed"))
    assert told == again
    assert len(told) == 2 * 3 * 2


def drawn(path):
    """Return the p-values of all pairs of metrics by where they stand."""
    rows = json.loads(path.read_text())["metric_pairs"]
    names = "metrics", "dimension", "group", "level"
    return {str([row[name] for name in names]): (row["p"], row["p_adjusted"]) for row in rows}


@pytest.mark.parametrize(("role", "n_jobs"), [("owner", 1), ("researcher", 1), ("monitor", 0)])
def test_the_page_writes_a_bundle_for_those_who_may_read(client, role, n_jobs):
    study = rated_study()
    client.force_login(StudyMemberFactory(study=study, role=role).user)

    client.post(reverse("annotation:exports", args=[study.slug]), {"format": "bundle"})

    jobs = list(Job.objects.filter(kind="export"))
    assert len(jobs) == n_jobs
    for job in jobs:
        url = reverse("annotation:export_file", args=[study.slug, job.pk])
        content = b"".join(client.get(url).streaming_content)
        assert hashlib.sha256(content).hexdigest() == job.result["sha256"]


def test_an_unknown_study_ends_with_status_2(tmp_path):
    with pytest.raises(CommandError) as refusal:
        call_command("export_bundle", "nowhere", "--out", tmp_path / "bundle.zip")

    assert refusal.value.returncode == 2
    assert not (tmp_path / "bundle.zip").exists()


@pytest.mark.parametrize("kinds", [["pairwise"], ["points", "pairwise"]])
def test_the_script_of_a_bundle_with_comparisons_computes_the_same_report(tmp_path, kinds):
    group = comparing_study(kinds=kinds, n_systems=3, n_items=3, k=2)
    simulate_group(group, Crowd(n_judges=2, noise_sd=0.3), seed=3, at=NOON)
    folder = unpacked(group.study, tmp_path)
    script = (folder / "recompute.sh").read_text()

    call_command("report", *recomputing(folder))

    told, again = (
        json.loads((folder / name / "report.json").read_text()) for name in ("report", "recomputed")
    )
    for name in ("strengths", "wins", "choice_agreement"):
        assert told[name] == again[name]
    assert len(told["strengths"]) == 3
    assert ("--ratings" in script) == ("points" in kinds)
