import uuid

import pytest
from django.test import Client

from annotation.enums import StudyState
from annotation.models import Assignment, Judge, Rating, RatingEvent
from annotation.services.judge_preferences import set_preferences
from annotation.services.places import draw
from annotation.services.studies import change_state
from tests.annotation.judging_studies import fact_dimension, make_judge, make_study
from tests.factories import NOON, UserFactory

pytestmark = pytest.mark.django_db


class API:
    """The calls of a judge's page."""

    def __init__(self, token):
        self.client = Client(headers={"authorization": f"Judge {token}"})

    def call(self, method, path, body=None):
        return getattr(self.client, method)(
            f"/api/judging/{path}", body, content_type="application/json"
        )

    def rate(self, place, dimension="fluency", value=3, **sent):
        body = {"uuid": str(uuid.uuid4()), "value": value, "source": "key", **sent}
        return self.call("put", f"{place.handle}/ratings/{dimension}/", body)


@pytest.fixture
def group():
    return make_study()


@pytest.fixture
def judged(group):
    judge, token = make_judge(group)
    (place,) = draw(judge, at=NOON)
    return API(token), place


def test_a_rating_is_stored_and_its_version_echoed(judged):
    api, place = judged

    response = api.rate(place, value=4)

    assert (response.status_code, response.json()) == (
        200,
        {"version": 1, "value": 4.0, "text": None, "missing_reason": None, "is_late": False},
    )
    assert [(r.assignment, r.dimension.key, r.value) for r in Rating.objects.all()] == [
        (place, "fluency", 4.0)
    ]


def test_the_same_uuid_again_changes_nothing(judged):
    api, place = judged
    sent = {"uuid": str(uuid.uuid4())}

    answers = [api.rate(place, value=3, **sent).json() for _ in range(2)]

    assert [answer["version"] for answer in answers] == [1, 1]
    assert RatingEvent.objects.count() == 1


def test_a_stale_version_is_answered_with_the_newer_row(judged):
    api, place = judged
    api.rate(place, value=3)

    response = api.rate(place, value=1, version=0)

    assert response.status_code == 409
    assert response.json()["code"] == "stale"
    assert (response.json()["rating"]["value"], response.json()["rating"]["version"]) == (3.0, 1)


def test_an_answer_is_taken_back_to_blank(judged):
    api, place = judged
    api.rate(place, value=3)

    body = {"uuid": str(uuid.uuid4()), "source": "undo", "version": 1}
    response = api.call("delete", f"{place.handle}/ratings/fluency/", body)

    assert (response.status_code, response.json()["version"]) == (200, 0)
    assert not Rating.objects.exists()
    assert list(RatingEvent.objects.order_by("pk").values_list("source", "new")) == [
        ("key", {"value": 3.0}),
        ("undo", None),
    ]


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("{handle}/ratings/fluency/", {"value": 5}, 422, "5 is not on the scale of Fluency"),
        ("{handle}/ratings/fluency/", {"value": "much"}, 422, "value: A valid number"),
        ("{handle}/ratings/fluency/", {"text": "good"}, 422, "answered with a number"),
        ("{handle}/ratings/fluency/", {"value": 2, "source": "import"}, 422, "source: "),
        ("{handle}/ratings/charm/", {"value": 2}, 404, "asks no such dimension"),
        ("{handle}/ratings/fluency/7/", {"value": 2}, 404, "no such fact"),
        ("{unknown}/ratings/fluency/", {"value": 2}, 404, "were not given this output"),
    ],
)
def test_a_faulty_rating_is_refused_with_a_sentence_and_nothing_is_written(
    judged, path, body, status, sentence
):
    api, place = judged
    address = path.format(handle=place.handle, unknown=uuid.uuid4())

    response = api.call("put", address, {"uuid": str(uuid.uuid4()), **body})

    assert response.status_code == status
    assert sentence in response.json()["detail"]
    assert not Rating.objects.exists()
    assert not RatingEvent.objects.exists()


def test_another_judges_output_does_not_exist(group, judged):
    _, place = judged
    _, token = make_judge(group)

    responses = [
        API(token).rate(place),
        API(token).call("post", f"{place.handle}/done/", {}),
        API(token).call("delete", f"{place.handle}/ratings/fluency/", {"uuid": str(uuid.uuid4())}),
    ]

    assert [response.status_code for response in responses] == [404, 404, 404]
    assert not Rating.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"authorization": "Judge forged"}])
def test_without_a_valid_token_nobody_rates(judged, headers):
    _, place = judged
    client = Client(headers=headers)

    response = client.put(
        f"/api/judging/{place.handle}/ratings/fluency/",
        {"uuid": str(uuid.uuid4()), "value": 3},
        content_type="application/json",
    )

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Judge")
    assert not Rating.objects.exists()


def test_a_researchers_session_is_no_way_in():
    client = Client()
    client.force_login(UserFactory(is_superuser=True, is_staff=True))

    response = client.get("/api/judging/next/")

    assert response.status_code == 401


def test_a_revoked_link_ends(judged):
    api, place = judged
    Judge.objects.update(link_version=2)

    responses = [
        api.call("get", "standing/"),
        api.rate(place),
        api.call("post", f"{place.handle}/done/", {"have": []}),
        api.call("delete", f"{place.handle}/ratings/fluency/", {"uuid": str(uuid.uuid4())}),
    ]

    assert [response.status_code for response in responses] == [401] * 4
    assert not Rating.objects.exists()


def test_a_body_of_ten_megabytes_is_refused_unread(judged):
    api, place = judged

    response = api.rate(place, text="x" * 10_000_000)

    assert (response.status_code, response.json()["detail"]) == (
        413,
        "This is larger than an answer may be (64 kB).",
    )


def test_a_paused_study_takes_what_was_begun_but_gives_nothing_new(group, judged):
    api, place = judged
    change_state(group.study, StudyState.PAUSED, at=NOON)

    rated = api.rate(place)
    upcoming = api.call("get", "next/?have=1.1")

    assert rated.status_code == 200
    assert upcoming.json() == {"n_held": 1, "pages": []}


def test_a_closed_study_takes_nothing_once_the_lease_is_over(group, judged):
    api, place = judged
    change_state(group.study, StudyState.CLOSED, at=NOON)

    response = api.rate(place)

    assert response.status_code == 409
    assert response.json() == {
        "detail": "This study is closed; your earlier answers are kept.",
        "code": "not_accepting",
    }
    assert not Rating.objects.exists()


def test_handing_in_needs_every_required_answer(judged):
    api, place = judged
    api.rate(place)

    response = api.call("post", f"{place.handle}/done/", {})

    assert response.status_code == 422
    assert response.json()["detail"] == (
        "Informativeness is not answered yet. Overall is not answered yet."
    )


def test_handing_in_keeps_the_times_and_brings_what_is_next(judged):
    api, place = judged
    for dimension in ("informativeness", "fluency", "overall"):
        api.rate(place, dimension)
    visit = {
        "phase": "main",
        "opened_at": NOON.isoformat(),
        "wall_ms": 9000,
        "visible_ms": 8000,
        "active_ms": 7000,
    }

    response = api.call("post", f"{place.handle}/done/", {"visits": [visit], "have": ["1.1"]})

    assert response.status_code == 200
    assert [page["key"] for page in response.json()["pages"]] == ["2.1", "3.1", "4.1", "5.1", "6.1"]
    place.refresh_from_db()
    assert place.submitted_at is not None
    assert place.visits.values_list("wall_ms", "visible_ms", "active_ms").get() == (
        9000,
        8000,
        7000,
    )


def test_what_is_ahead_is_leased_once(group):
    judge, token = make_judge(group)

    for _ in range(3):
        API(token).call("get", "next/")

    assert Assignment.objects.filter(judge=judge).count() == 5


def test_a_fact_is_answered_by_its_position():
    group = make_study([fact_dimension()], facts=["The stairwell is closed.", "It rains."])
    judge, token = make_judge(group)
    (place,) = draw(judge, at=NOON)

    response = API(token).rate(place, "coverage/2", value=0)

    assert response.status_code == 200
    assert [(r.fact.text, r.value) for r in Rating.objects.all()] == [("It rains.", 0.0)]


def test_preferences_are_stored_by_name(group):
    judge, token = make_judge(group)

    kept = API(token).call("put", "preferences/", {"theme": "dark", "auto_next": True})
    refused = API(token).call("put", "preferences/", {"theme": "pink"})

    assert kept.json() | {"phases_read": None} == {
        "theme": "dark",
        "auto_next": True,
        "phases_read": None,
    }
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "“pink” is not allowed for theme.",
    )
    judge.refresh_from_db()
    assert judge.preferences["theme"] == "dark"


def test_a_truth_value_is_no_number(group):
    judge, _ = make_judge(group)

    with pytest.raises(Exception, match="“1” is not allowed for auto_next"):
        set_preferences(judge, {"auto_next": 1})


def test_standing_counts_what_is_done_and_what_is_left(judged):
    api, _ = judged

    assert api.call("get", "standing/").json() == {
        "state": "working",
        "n_done": 0,
        "n_open": 1,
        "n_expected": 6,
        "next_free_at": None,
    }


def test_too_many_calls_are_asked_to_wait(group, monkeypatch):
    monkeypatch.setattr("annotation.api.access.JudgeThrottle.capacity", 2.0)
    monkeypatch.setattr("annotation.api.access.JudgeThrottle.refill_per_second", 0.0)
    _, token = make_judge(group)

    codes = [API(token).call("get", "standing/").status_code for _ in range(4)]

    assert codes == [200, 200, 429, 429]


@pytest.mark.parametrize("n_rated", [1, 2])
def test_a_first_answer_takes_one_read_and_two_writes(judged, django_assert_num_queries, n_rated):
    api, place = judged
    for dimension in ["informativeness", "overall"][:n_rated]:
        api.rate(place, dimension)

    with django_assert_num_queries(5):  # the two others begin and end the transaction
        api.rate(place)


@pytest.mark.parametrize("n_done", [1, 3])
def test_handing_in_takes_the_same_queries_always(group, django_assert_max_num_queries, n_done):
    judge, token = make_judge(group)
    api = API(token)
    have = [page["key"] for page in api.call("get", "next/").json()["pages"]]
    places = list(Assignment.objects.filter(judge=judge).order_by("position"))
    for place in places[:n_done]:
        for dimension in ("informativeness", "fluency", "overall"):
            api.rate(place, dimension)
    for place in places[: n_done - 1]:
        pages = api.call("post", f"{place.handle}/done/", {"have": have}).json()["pages"]
        have += [page["key"] for page in pages]

    with django_assert_max_num_queries(14):
        response = api.call("post", f"{places[n_done - 1].handle}/done/", {"have": have})

    assert response.status_code == 200


def test_the_first_answer_again_under_another_uuid_is_stale_and_changes_nothing(judged):
    api, place = judged
    api.rate(place, value=4)

    response = api.rate(place, value=2)

    assert (response.status_code, response.json()["rating"]["value"]) == (409, 4.0)
    assert RatingEvent.objects.count() == 1


def test_pages_fetched_ahead_are_in_the_judges_language(group):
    _, token = make_judge(group, language="de")

    pages = API(token).call("get", "next/").json()["pages"]

    assert "Speichern und weiter" in pages[0]["html"]
