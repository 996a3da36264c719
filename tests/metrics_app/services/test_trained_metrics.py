import numpy as np
import pytest
from django.core.exceptions import ValidationError

from annotation.models import Reference
from metrics_app.loaders.studies import study_named
from metrics_app.metrics.fitted_nouveau import fit_nouveau
from metrics_app.models import Metric, Score
from metrics_app.services.trained_metrics import Training, request_training
from metrics_app.tasks import train_metric_task
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db


def train(study, *arguments, **options):
    job = request_training(study_named(study.slug), Training(*arguments, **options))
    train_metric_task(job.pk)
    job.refresh_from_db()
    return job


def test_an_estimator_stores_held_out_predictions_and_says_how_good_they_are():
    study = rated_study(n_items=8)

    job = train(study, "estimator", "fluency")

    assert job.error == ""
    assert job.result["predicted"] == job.result["outputs compared"] == 16
    metric = Metric.objects.get(study=study)
    assert (metric.key, metric.targets) == ("estimator (fluency)", "fluency")
    assert "|folds:8|held-out|dimension:fluency|ratings:" in metric.signature
    # All texts are equal, so every prediction is the mean rating of the other items.
    assert len({round(score.value, 6) for score in Score.objects.all()}) <= 2


def test_training_again_on_other_ratings_replaces_the_scores():
    study = rated_study(n_items=8)
    train(study, "estimator", "fluency")
    before = Metric.objects.get().signature
    study.judges.filter(pseudonym=study.judges.first().pseudonym).update(
        excluded_at="2026-01-01T12:00Z"
    )

    train(study, "estimator", "fluency")

    assert Metric.objects.get().signature != before
    assert Score.objects.count() == 16


def test_too_few_items_end_with_a_sentence():
    job = train(rated_study(n_items=3), "estimator", "fluency")

    assert job.error == "an estimator needs rated outputs of at least four items"
    assert not Score.objects.exists()


def test_a_dimension_that_nobody_rated_ends_with_a_sentence():
    job = train(rated_study(), "estimator", "beauty")

    assert job.error == "No rating on 'beauty' by people is there; rated are: fluency, overall."


def test_nouveau_needs_prior_references():
    job = train(rated_study(n_items=8), "nouveau", "fluency")

    assert "needs prior references and references" in job.error


def test_nouveau_is_fitted_on_the_ratings_and_held_out():
    study = rated_study(n_items=12)
    for number, item in enumerate(study.items.all()):
        own, prior = ("A short output.", "Some other text.")[:: 1 if number % 2 else -1]
        Reference.objects.create(item=item, role="reference", position=1, text=own)
        words = " ".join(["short", "output", "a", "b"][: 1 + number % 4])
        Reference.objects.create(item=item, role="prior", position=1, text=f"{prior} {words}")

    job = train(study, "nouveau", "fluency", variant="1")

    assert job.error == ""
    assert job.result["predicted"] == 24
    assert "needs 8 machine systems, 2 there" in job.result["over systems"]
    assert Metric.objects.get().key == "nouveau_rouge1 fitted (fluency)"


def test_fitted_weights_are_those_that_made_the_ratings():
    rng = np.random.default_rng(0)
    parts = rng.random((60, 2))
    ratings = 1 - 2 * parts[:, 0] + 3 * parts[:, 1]
    ratings[0], parts[1, 0] = np.nan, np.nan
    items = [f"i{n // 3}" for n in range(60)]

    found = fit_nouveau(parts, ratings, items, rng=np.random.default_rng(1))

    assert found.coefficients == pytest.approx((1, -2, 3))
    assert found.predictions[0] == pytest.approx(1 - 2 * parts[0, 0] + 3 * parts[0, 1])
    assert np.isnan(found.predictions[1])


@pytest.mark.parametrize(
    ("options", "problem"),
    [({"model": "unknown"}, "no model 'unknown'"), ({"variant": "BE"}, "no Nouveau-ROUGE-BE")],
)
def test_what_cannot_be_trained_is_refused(options, problem):
    study = rated_study()

    with pytest.raises(ValidationError, match=problem):
        request_training(study_named(study.slug), Training("estimator", "fluency", **options))
