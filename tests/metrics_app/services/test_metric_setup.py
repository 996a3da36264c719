import pytest

from metrics_app.loaders.studies import study_named
from metrics_app.metrics.registry import REGISTRY
from metrics_app.models import Metric, Score
from metrics_app.services.metric_plans import plan_run
from metrics_app.services.metric_runs import run_metrics
from metrics_app.services.metric_setup import located, what_is_missing
from tests.metrics_app.material import study_with_texts
from tests.metrics_app.running import no_progress

PARSERS = "tests.metrics_app.parsers"
BE = REGISTRY["rougeBE"]


@pytest.mark.django_db
def test_rouge_be_runs_with_the_parser_that_is_named(settings):
    settings.CONCORD_DEPENDENCY_PARSER = f"{PARSERS}.parse"
    study = study_with_texts()

    (planned,) = plan_run(study_named(study.slug).id, [BE]).metrics
    run_metrics(study.pk, ["rougeBE", "nouveau_rougeBE"], progress=no_progress())

    assert planned.problem == ""
    be = Metric.objects.get(key="rougeBE")
    assert f"|parser:{PARSERS}.parse|" in be.signature
    # "the cat sat on the mat 0" and "the cat sat 0 times" share the-cat and cat-sat.
    scores = be.scores.filter(output_version__text="the cat sat on the mat 0")
    assert scores.get().value == pytest.approx(2 * 2 / (6 + 4))
    assert Score.objects.filter(metric__key="nouveau_rougeBE", value__isnull=False).count() == 4


@pytest.mark.django_db
def test_a_parser_that_falls_over_is_listed_by_output(settings):
    settings.CONCORD_DEPENDENCY_PARSER = f"{PARSERS}.fall_over"
    study = study_with_texts()

    found = run_metrics(study.pk, ["rougeBE", "length"], progress=no_progress())

    assert found["undefined"] == {"rougeBE": {"failed": 4}}
    assert Score.objects.filter(metric__key="length", value__isnull=False).count() == 4
    assert "no model loaded" in Score.objects.filter(undefined="failed").first().detail


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("", "Name one in CONCORD_DEPENDENCY_PARSER"),
        ("parse", "CONCORD_DEPENDENCY_PARSER: parse doesn't look like a module path"),
        ("nowhere.at_all.parse", "CONCORD_DEPENDENCY_PARSER: No module named"),
        (f"{PARSERS}.absent", "does not define"),
        (f"{PARSERS}.NO_FUNCTION", "is no function"),
    ],
)
def test_a_parser_that_is_none_is_said_before_the_run(settings, named, problem):
    settings.CONCORD_DEPENDENCY_PARSER = named
    assert problem in what_is_missing(located(BE))
