from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from metrics_app.models import Metric, Score
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db


def train(study, **options):
    out = StringIO()
    call_command("train_metric", study, stdout=out, **{"dimension": "fluency", **options})
    return out.getvalue()


def test_it_trains_and_says_how_good_the_predictions_are():
    said = train(rated_study(n_items=8).slug)

    assert said.startswith("estimator (fluency)\n  ")
    assert said.endswith("  outputs compared: 16\n  predicted: 16\n")
    assert "  held-out Pearson: " in said
    assert Metric.objects.get().key == "estimator (fluency)"
    assert Score.objects.count() == 16


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"study": "nowhere"}, "There is no study 'nowhere'"),
        ({"model": "absent"}, "There is no model 'absent' here"),
    ],
)
def test_bad_input_ends_with_a_sentence_and_status_2(options, told):
    study = rated_study(n_items=8)

    with pytest.raises(CommandError, match=told) as refusal:
        train(**{"study": study.slug, **options})

    assert refusal.value.returncode == 2
    assert not Metric.objects.exists()


def test_a_run_that_cannot_learn_ends_with_its_sentence():
    study = rated_study(n_items=3)

    with pytest.raises(CommandError, match="rated outputs of at least four items"):
        train(study.slug)

    assert not Score.objects.exists()
