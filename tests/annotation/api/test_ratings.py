import pytest
from django.urls import reverse

from annotation.exporting import TIDY_FIELDS
from annotation.models import Rating
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    PhaseFactory,
    StudyFactory,
    StudyMemberFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = StudyFactory()
    judge = JudgeFactory(group__study=study)
    phase = PhaseFactory(study=study)
    work = AssignmentFactory(judge=judge, submitted_at=NOON)
    for value in (1, 2, 3):
        dimension = DimensionFactory(phase=phase, key=f"d{value}")
        Rating.objects.create(assignment=work, dimension=dimension, value=value, rated_at=NOON)
    return study


def sign_in(client, study, role="researcher"):
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    return reverse("annotation:api_ratings", args=[study.slug])


def test_pages_follow_each_other_to_the_end(client, study):
    url = sign_in(client, study)

    first = client.get(url, {"limit": 2}).json()
    second = client.get(first["next"]).json()

    assert [row["value"] for row in first["results"]] == [1.0, 2.0]
    assert [row["value"] for row in second["results"]] == [3.0]
    assert second["next"] is None
    assert tuple(first["results"][0]) == TIDY_FIELDS


@pytest.mark.parametrize("query", [{"limit": "x"}, {"limit": 0}, {"limit": 10_001}, {"after": -1}])
def test_a_bad_parameter_is_refused(client, study, query):
    assert client.get(sign_in(client, study), query).status_code == 400


def test_strangers_and_monitors_read_nothing(client, study):
    url = reverse("annotation:api_ratings", args=[study.slug])
    assert client.get(url).status_code == 403

    assert client.get(sign_in(client, study, "monitor")).status_code == 404


@pytest.mark.parametrize("limit", [1, 3])
def test_a_page_needs_the_same_queries_for_any_length(
    client, study, django_assert_num_queries, limit
):
    url = sign_in(client, study)

    # session, user, study, blinding, names of systems, labels, has visits, ratings
    with django_assert_num_queries(8):
        assert len(client.get(url, {"limit": limit}).json()["results"]) == limit
