import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Choice, Rating, RatingEvent
from annotation.services.places import draw
from tests.annotation.api.test_judging import API
from tests.annotation.comparing_studies import make_study
from tests.annotation.judging_studies import make_judge
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def judged(**given):
    judge, token = make_judge(make_study(**given))
    (place,) = draw(judge, at=NOON)
    return API(token), place


def choose(api, place, text, dimension="pairwise", **sent):
    return api.rate(place, dimension, None, text=text, **sent)


def ranks(place):
    return list(place.choices.order_by("member__position").values_list("rank", flat=True))


def test_a_choice_is_stored_and_echoed_and_the_same_uuid_changes_nothing():
    api, place = judged()
    sent = {"uuid": str(uuid.uuid4())}

    answers = [choose(api, place, "B>A", **sent) for _ in range(2)]

    assert [(answer.status_code, answer.json()["text"]) for answer in answers] == [(200, "B>A")] * 2
    assert ranks(place) == [2, 1]
    assert RatingEvent.objects.count() == 1


def test_a_stale_choice_is_answered_with_the_newer_one():
    api, place = judged()
    choose(api, place, "B>A")

    response = choose(api, place, "A>B", version=0)

    assert (response.status_code, response.json()["rating"]["text"]) == (409, "B>A")
    assert ranks(place) == [2, 1]


def test_a_choice_is_taken_back_to_blank():
    api, place = judged()
    choose(api, place, "A=B")

    body = {"uuid": str(uuid.uuid4()), "source": "undo", "version": 1}
    response = api.call("delete", f"{place.handle}/ratings/pairwise/", body)

    assert (response.status_code, response.json()["version"]) == (200, 0)
    assert not Choice.objects.exists()


@pytest.mark.parametrize(
    ("kind", "sent", "status", "sentence"),
    [
        (
            "pairwise",
            {"text": "A>C"},
            422,
            "“A>C” is no choice here. Choose two different outputs from A to B",
        ),
        ("pairwise", {"text": "1>2"}, 422, "“1>2” is no choice here"),
        ("pairwise", {"value": 1}, 422, "as in A>B"),
        ("pairwise", {}, 422, "exactly one of a value, a text, or a reason"),
        ("best_worst", {"text": "A>A"}, 422, "“A>A” is no choice here"),
        ("best_worst", {"text": "A>E"}, 422, "from A to D"),
        ("best_worst", {"text": "A=B"}, 422, "“A=B” is no choice here"),
        ("best_worst", {"text": "A"}, 422, "“A” is no choice here"),
        ("points", {"value": 3}, 404, "asks no such dimension"),
    ],
)
def test_a_faulty_choice_is_refused_with_a_sentence_and_nothing_is_written(
    kind, sent, status, sentence
):
    asked = "pairwise" if kind == "points" else kind
    api, place = judged(kinds=[asked], n_systems=4)

    body = {"uuid": str(uuid.uuid4()), **sent}
    response = api.call("put", f"{place.handle}/ratings/{kind}/", body)

    assert (response.status_code, sentence in response.json()["detail"]) == (status, True)
    assert not Rating.objects.exists()
    assert not Choice.objects.exists()


def test_a_dimension_of_single_outputs_is_not_asked_of_a_pair_nor_the_other_way_round():
    judge, token = make_judge(make_study(kinds=["points", "pairwise"], n_items=1, n_systems=2))
    api = API(token)
    single, *_, pair = draw(judge, at=NOON, n_ahead=2)

    assert api.rate(pair, "points").status_code == 404
    assert choose(api, single, "A>B").status_code == 404
    assert not Rating.objects.exists()


def test_another_judges_comparison_does_not_exist():
    group = make_study()
    (place,) = draw(make_judge(group)[0], at=NOON)
    _, token = make_judge(group)

    assert choose(API(token), place, "A>B").status_code == 404
    assert not Rating.objects.exists()


def test_a_blank_comparison_is_not_handed_in_and_a_chosen_one_is():
    api, place = judged()

    refused = api.call("post", f"{place.handle}/done/", {"visits": []})
    choose(api, place, "A>B")
    done = api.call("post", f"{place.handle}/done/", {"visits": [], "have": ["1.1"]})

    assert (refused.status_code, done.status_code) == (422, 200)
    assert "Pairwise is not answered yet." in refused.json()["detail"]
    place.refresh_from_db()
    assert place.submitted_at is not None
    assert [page["key"] for page in done.json()["pages"]] == ["2.1", "3.1", "4.1", "5.1", "6.1"]


def test_pages_of_comparisons_name_no_system_and_no_member():
    group = make_study(kinds=["pairwise", "best_worst"], n_systems=4)
    _, token = make_judge(group)

    body = API(token).call("get", "next/").content.decode()

    assert "The stairs are closed, notice 1." in body
    for system in group.study.systems.all():
        assert system.key not in body


def test_the_next_pages_need_the_same_queries_for_one_comparison_and_for_three():
    counts = []
    for n in (1, 3):
        judge, token = make_judge(make_study(n_items=n, n_systems=2, layout="page", page_size=3))
        draw(judge, at=NOON)
        api = API(token)
        api.call("get", "next/?have=1.1")  # what a study asks is read once in two seconds

        with CaptureQueriesContext(connection) as queries:
            pages = api.call("get", "next/").json()["pages"]

        counts.append(len(queries))
        assert len(pages) == n

    assert counts[0] == counts[1]
