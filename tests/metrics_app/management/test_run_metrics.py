from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from metrics_app.metrics.registry import REGISTRY
from metrics_app.models import Score
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db


def run_command(*arguments):
    out, err = StringIO(), StringIO()
    call_command("run_metrics", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_command_computes_and_says_what_has_no_score():
    study = study_with_texts(references=False)

    out, err = run_command(study.slug, "--metrics", "length,rouge1_f")

    assert out == "8 scores computed, 0 kept, 0 copied from equal texts\n"
    assert err == "rouge1: 4 outputs have no score\n  4: The item has no reference.\n"
    assert Score.objects.count() == 8


def test_a_dry_run_writes_nothing():
    study = study_with_texts(references=False)

    out, _ = run_command(study.slug, "--metrics", "length,rouge1", "--dry-run")

    assert "length: 4 to compute, 0 stored, about 0.0 s" in out
    assert "rouge1: The item has no reference. Upload them first." in out
    assert not Score.objects.exists()


def test_the_list_names_every_metric():
    out, _ = run_command("--list")

    assert [line.split("\t")[0] for line in out.splitlines()] == list(REGISTRY)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nowhere", "--metrics", "length"], "no study 'nowhere'"),
        (["here", "--metrics", "rouge9"], "no metric 'rouge9'"),
        (["here"], "No metric is named"),
    ],
)
def test_bad_input_ends_with_status_2(arguments, problem):
    study_with_texts(slug="here")

    with pytest.raises(CommandError, match=problem) as refusal:
        run_command(*arguments)

    assert refusal.value.returncode == 2
