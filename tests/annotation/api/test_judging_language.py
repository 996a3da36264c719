import uuid

import pytest
from django.test import Client
from django.utils import translation

from annotation.enums import StudyState
from annotation.models import Judge, Rating
from annotation.services.places import draw
from annotation.services.studies import change_state
from tests.annotation import comparing_studies
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def judged(language="", group=None):
    """Return a function that calls the API for a judge of this language, and their group."""
    group = group or make_study()
    judge, token = make_judge(group, language=language)
    (place,) = draw(judge, at=NOON)

    def call(method, path, body=None, *, header="fr"):
        client = Client(headers={"authorization": f"Judge {token}", "accept-language": header})
        sent = {"uuid": str(uuid.uuid4()), **(body or {})}
        address = f"/api/judging/{path.format(handle=place.handle)}"
        return getattr(client, method)(address, sent, content_type="application/json")

    return call, group


@pytest.mark.parametrize(
    ("language", "header", "told"),
    [
        ("de", "fr", "9 steht nicht auf der Skala von Fluency: 1, 2, 3, 4."),
        ("", "fr", "9 ne figure pas sur l’échelle de Fluency : 1, 2, 3, 4."),
        ("en", "fr", "9 is not on the scale of Fluency: 1, 2, 3, 4."),
        ("ja", "en", "9 は Fluency の尺度にありません：1, 2, 3, 4。"),
        ("ar", "en", "9 ليست على مقياس Fluency: 1, 2, 3, 4."),
    ],
)
def test_a_refusal_is_in_the_language_that_the_judge_has_chosen_else_the_browsers(
    language, header, told
):
    call, _ = judged(language)

    response = call("put", "{handle}/ratings/fluency/", {"value": 9}, header=header)

    assert (response.status_code, response.json()["detail"]) == (422, told)
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("put", "{handle}/ratings/charm/", {"value": 2}, 404, "Diese Studie stellt keine solche"),
        ("get", "pages/7/", None, 404, "Diese Seite haben Sie nicht bekommen."),
        ("put", "{handle}/ratings/fluency/", {"value": 2, "version": 3}, 409, "anderen Fenster"),
        ("post", "{handle}/done/", {}, 422, "Informativeness ist noch nicht beantwortet. Fluency"),
        ("put", "preferences/", {"theme": "pink"}, 422, "keine Einstellung „uuid“"),
    ],
)
def test_each_outcome_is_told_in_the_judges_language(method, path, body, status, told):
    call, _ = judged("de")

    response = call(method, path, body)

    assert response.status_code == status
    assert told in response.json()["detail"]


def test_a_closed_study_and_an_ended_link_say_so_in_the_judges_language():
    call, group = judged("de")
    change_state(group.study, StudyState.CLOSED, at=NOON)
    closed = call("put", "{handle}/ratings/fluency/", {"value": 2})
    Judge.objects.update(link_version=2)
    ended = call("put", "{handle}/ratings/fluency/", {"value": 2})

    assert closed.json()["detail"].startswith("Diese Studie ist geschlossen;")
    assert (ended.status_code, ended.json()["detail"]) == (
        401,
        "Dieser persönliche Link gilt nicht mehr.",
    )


def test_a_text_with_a_percent_sign_is_told_as_it_is():
    call, _ = judged("de", comparing_studies.make_study())

    response = call("put", "{handle}/ratings/pairwise/", {"text": "%(name)s 50%"})

    assert "„%(name)s 50%“ ist hier keine Wahl" in response.json()["detail"]


def test_one_judges_language_is_left_behind_after_the_call():
    arabic, group = judged("ar")
    chosen_by_nobody, _ = judged(group=group)
    arabic("put", "{handle}/ratings/fluency/", {"value": 9}, header="en")
    after = translation.get_language()
    response = chosen_by_nobody("put", "{handle}/ratings/fluency/", {"value": 9}, header="en")

    assert after == "en"
    assert response.json()["detail"] == "9 is not on the scale of Fluency: 1, 2, 3, 4."


def test_a_refusal_reads_the_language_by_one_query_more(django_assert_num_queries):
    call, _ = judged("de")
    call("get", "pages/7/")  # what is read once and kept

    with django_assert_num_queries(3):
        response = call("get", "pages/7/")

    assert response.status_code == 404
