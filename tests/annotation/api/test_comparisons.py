import pytest
from django.urls import reverse

from tests.annotation.comparing_studies import choose, make_study
from tests.factories import JudgeFactory, StudyMemberFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    group = make_study(k=1, n_items=1)
    choose(JudgeFactory(group=group), "A>B", "B>A", "A=B")
    return group.study


def sign_in(client, study, role="researcher"):
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    return reverse("annotation:api_comparisons", args=[study.slug])


def test_pages_follow_each_other_to_the_end(client, study):
    first = client.get(sign_in(client, study), {"limit": 2}).json()
    second = client.get(first["next"]).json()

    assert [row["choice"] for row in first["results"]] == ["A>B", "B>A"]
    assert [row["choice"] for row in second["results"]] == ["A=B"]
    assert second["next"] is None
    assert [member["rank"] for member in first["results"][0]["members"]] == [1, 2]
    assert first["results"][0]["best"] == first["results"][0]["members"][0]["system"]


@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("monitor", 404)])
def test_only_owners_and_researchers_read(client, study, role, status):
    assert client.get(sign_in(client, study, role)).status_code == status


def test_another_study_does_not_exist_and_strangers_are_refused(client, study):
    other = make_study(n_items=1)
    url = sign_in(client, study)

    assert (
        client.get(reverse("annotation:api_comparisons", args=[other.study.slug])).status_code
        == 404
    )
    client.logout()
    assert client.get(url).status_code == 403


@pytest.mark.parametrize("query", [{"limit": "x"}, {"limit": 0}, {"after": -1}])
def test_a_bad_parameter_is_refused(client, study, query):
    assert client.get(sign_in(client, study), query).status_code == 400
