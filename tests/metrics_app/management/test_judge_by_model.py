from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Judge, Rating
from tests.factories import DimensionFactory
from tests.metrics_app.llm_server import llm_server
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(settings):
    """Give a study whose endpoint "local" answers 3."""
    row = study_with_texts(units=True, slug="here")
    DimensionFactory(phase__study=row, key="fluency")
    with llm_server() as (url, _):
        settings.CONCORD_LLM_ENDPOINTS = {"local": url}
        settings.CONCORD_LLM_KEYS = {}
        yield row


def run_command(*arguments):
    out = StringIO()
    call_command("judge_by_model", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("study")
def test_a_model_is_planned_and_asked_and_goes_on_by_its_pseudonym():
    planned = run_command("here", "--model", "judge-1", "--endpoint", "local", "--dry-run")
    done = run_command("here", "--judge", "J001")

    assert planned == "J001: 4 questions to ask, 0 rated already; at most 0.0000\n"
    assert "answered 4" in done
    assert list(Rating.objects.values_list("value", flat=True)) == [3.0] * 4
    assert Judge.objects.count() == 1


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nowhere"], "no study 'nowhere'"),
        (["here"], "Say which model"),
        (["here", "--judge", "J009"], "no model judge 'J009'"),
        (["here", "--model", "m", "--endpoint", "other"], "no endpoint 'other'"),
        (["here", "--model", "m", "--endpoint", "local"], "no model 'm'; it has judge-1"),
        (
            ["here", "--model", "judge-1", "--endpoint", "local", "--dimensions", "x"],
            "cannot judge 'x'",
        ),
    ],
)
def test_bad_input_ends_with_status_2(arguments, problem):
    with pytest.raises(CommandError, match=problem) as refusal:
        run_command(*arguments)

    assert refusal.value.returncode == 2
    assert not Rating.objects.exists()
