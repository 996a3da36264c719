from importlib.util import find_spec

import pytest

from annotation.models import Reference
from metrics_app.loaders.studies import study_named
from metrics_app.metrics.choices import read_choices
from metrics_app.services.metric_plans import plan_run
from metrics_app.services.metric_runs import run_metrics
from tests.metrics_app.material import new_version, study_with_texts
from tests.metrics_app.running import no_progress

pytestmark = pytest.mark.django_db


def plans(study, names):
    return plan_run(study_named(study.slug).id, read_choices(names)).metrics


def test_a_plan_counts_what_is_stored_and_times_the_rest():
    study = study_with_texts()
    run_metrics(study.pk, ["length"], progress=no_progress())
    new_version(study, "i0", "A", "one two")

    (length, chrf) = plans(study, "length,chrf")

    assert (length.n_stored, length.n_to_compute) == (3, 1)
    assert (chrf.n_stored, chrf.n_to_compute, chrf.problem) == (0, 4, "")
    assert chrf.is_measured
    assert 0 < chrf.seconds < 1


@pytest.mark.skipif(find_spec("wordllama") is None, reason="the extra is not installed")
def test_weights_of_the_whole_study_do_not_hide_what_is_stored():
    study = study_with_texts()
    name = "bertscore(idf=yes)"
    run_metrics(study.pk, [name], progress=no_progress())

    (stored,) = plans(study, name)
    Reference.objects.filter(item__key="i0", role="reference").update(text="other words")
    (other,) = plans(study, name)

    assert (stored.n_stored, stored.n_to_compute) == (4, 0)
    assert (other.n_stored, other.n_to_compute) == (0, 4)  # every weight has changed


def test_missing_references_are_said_before_the_run():
    study = study_with_texts()
    Reference.objects.filter(item__key="i0", role="reference").delete()
    bare = study_with_texts(references=False)

    assert plans(study, "chrf")[0].lacking == {"The item has no reference.": 2}
    assert plans(study, "chrf")[0].problem == ""
    assert plans(bare, "chrf")[0].problem == "The item has no reference. Upload them first."
    assert plans(bare, "chrf")[0].seconds == 0


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("rougeBE", "It needs a dependency parser"),
        (
            "perplexity",
            "It needs transformers, torch and a model folder. Name it in CONCORD_MODELS",
        ),
        ("perplexity(model=gone)", "There is no folder /nowhere."),
        ("perplexity(model=unknown)", "there is no model 'unknown' (known: gone)"),
    ],
)
def test_what_is_not_set_up_is_said_before_the_run(settings, names, problem):
    settings.CONCORD_MODELS = {"gone": "/nowhere"}

    (plan,) = plans(study_with_texts(), names)

    assert problem in plan.problem
