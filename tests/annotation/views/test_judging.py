import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from annotation.enums import Layout, StudyState
from annotation.models import Assignment, Judge, Phase, Rating
from annotation.services.places import draw
from annotation.services.protocol import NewPhase
from annotation.services.studies import change_state
from tests.annotation.judging_studies import (
    SYSTEM_NAMES,
    fact_dimension,
    make_judge,
    make_study,
    three_dimensions,
)
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def names(response):
    """Return the names of the radio groups of a page, in order."""
    return list(dict.fromkeys(part.split('"')[1] for part in _inputs(response)))


def _inputs(response):
    html = response.content.decode()
    return [part.split("name=")[1] for part in html.split("<input")[1:] if 'type="radio"' in part]


def fill(client, url, value="3"):
    response = client.get(url)
    return client.post(url, dict.fromkeys(names(response), value))


def test_a_new_judge_reads_the_instructions_first():
    _, token = make_judge(make_study(), has_read=False)
    client = Client()

    response = client.get(f"/j/{token}/", follow=True)

    assert response.redirect_chain == [(f"/j/{token}/instructions/", 302)]
    text = response.content.decode()
    assert "<strong>first</strong>" in text
    assert "<script>alert" not in text
    assert "Suggestions" not in text
    assert not Assignment.objects.filter(judge__isnull=False).exists()


def test_suggestions_are_read_below_what_is_asked_sanitised():
    group = make_study()
    _, token = make_judge(group, has_read=False)
    hint = "Read it **twice**. <script>alert(2)</script> [more](http://elsewhere.example)"
    group.study.phases.update(suggestions=hint)

    text = Client().get(f"/j/{token}/instructions/").content.decode()

    assert "Read it <strong>twice</strong>." in text
    assert text.index("What is asked") < text.index("<h2>Suggestions</h2>")
    assert "<script>alert" not in text
    assert "elsewhere.example" not in text


def test_beginning_leads_to_the_first_output_and_is_remembered():
    judge, token = make_judge(make_study(), has_read=False)

    response = Client().post(f"/j/{token}/instructions/", follow=True)

    assert [url for url, _ in response.redirect_chain] == [f"/j/{token}/", f"/j/{token}/1/"]
    judge.refresh_from_db()
    assert judge.instructed_at is not None
    assert judge.preferences["phases_read"] == ["main"]


def test_without_a_script_a_posted_page_is_stored_and_the_next_one_shown():
    _, token = make_judge(make_study())
    client = Client(enforce_csrf_checks=True)
    client.get(f"/j/{token}/")

    response = fill(client, f"/j/{token}/1/")

    assert (response.status_code, response["Location"]) == (302, f"/j/{token}/")
    assert [r.value for r in Rating.objects.all()] == [3.0, 3.0, 3.0]
    assert Assignment.objects.get(judge__isnull=False).submitted_at is not None
    assert client.get(f"/j/{token}/")["Location"] == f"/j/{token}/2/"


def test_without_a_script_an_incomplete_page_says_what_is_missing_and_stores_nothing():
    _, token = make_judge(make_study())
    client = Client()
    name = names(client.get(f"/j/{token}/", follow=True))[0]

    response = client.post(f"/j/{token}/1/", {name: "3"})

    assert response.status_code == 422
    assert "Fluency is not answered yet." in response.content.decode()
    assert not Rating.objects.exists()


def test_without_a_script_an_answer_off_the_scale_is_refused():
    _, token = make_judge(make_study())
    client = Client()
    client.get(f"/j/{token}/")

    response = fill(client, f"/j/{token}/1/", value="9")

    assert response.status_code == 422
    assert "9 is not on the scale of Informativeness" in response.content.decode()
    assert not Rating.objects.exists()


def test_without_a_script_a_posted_reason_is_stored_as_such():
    _, token = make_judge(make_study(three_dimensions(allows_no_answer=True)))
    client = Client()
    asked = names(client.get(f"/j/{token}/", follow=True))

    client.post(f"/j/{token}/1/", {f"{name}.reason": "broken text" for name in asked})

    assert set(Rating.objects.values_list("value", "missing_reason")) == {(None, "broken text")}


def test_a_page_shows_what_was_answered_before():
    _, token = make_judge(make_study())
    client = Client()
    client.get(f"/j/{token}/")
    fill(client, f"/j/{token}/1/", value="2")

    html = client.get(f"/j/{token}/1/").content.decode()

    assert html.count(" checked>") == 3
    assert 'value="2" data-key="2" checked' in html
    assert 'data-version="1"' in html


def test_another_judges_page_does_not_exist():
    group = make_study()
    first, _ = make_judge(group)
    draw(first, at=NOON)
    _, token = make_judge(group)

    assert Client().get(f"/j/{token}/1/").status_code == 404


@pytest.mark.parametrize("path", ["", "1/", "instructions/", "pause/"])
def test_a_forged_link_opens_nothing(path):
    make_study()

    response = Client().get(f"/j/WzEsMV0:1:forged/{path}")

    assert response.status_code == 404
    assert "it is not valid any more" in response.content.decode()


def test_a_judges_pages_set_no_cookie_and_are_kept_nowhere():
    _, token = make_judge(make_study())
    client = Client()

    response = client.get(f"/j/{token}/", follow=True)

    assert not client.cookies
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (StudyState.PAUSED, "This study is paused"),
        (StudyState.CLOSED, "This study is closed"),
        (StudyState.DRAFT, "This study is not open yet"),
    ],
)
def test_a_study_that_takes_no_work_says_why(state, sentence):
    group = make_study()
    group.study.state = state
    group.study.save()
    _, token = make_judge(group)

    html = Client().get(f"/j/{token}/").content.decode()

    assert sentence in html
    # Leaving is possible at all times.
    assert f'<a href="/j/{token}/leave/">' in html


def test_when_others_hold_what_is_left_the_judge_hears_when_to_come_back():
    group = make_study(n_items=1, k=1)
    other, _ = make_judge(group)
    _, token = make_judge(group)
    draw(other, at=NOON.replace(year=2100))

    html = Client().get(f"/j/{token}/").content.decode()

    assert "Nothing is free at the moment" in html
    assert 'datetime="2100-01-01T13:00:00+00:00" data-moment' in html
    assert "Jan. 1, 2100, 1 p.m. (UTC)" in html


def test_a_full_study_says_so_before_the_instructions():
    group = make_study(n_items=1, k=1)
    _, first = make_judge(group)
    client = Client()
    client.get(f"/j/{first}/")
    fill(client, f"/j/{first}/1/")
    _, token = make_judge(group, has_read=False)

    assert "all the ratings it needs" in client.get(f"/j/{token}/").content.decode()
    assert "All done" in client.get(f"/j/{first}/").content.decode()


def test_an_excluded_judge_is_told_plainly():
    judge, token = make_judge(make_study())
    Judge.objects.filter(pk=judge.pk).update(excluded_at=NOON)

    assert "Your part in this study has ended" in Client().get(f"/j/{token}/").content.decode()


def test_each_phase_begins_with_its_own_instructions():
    phases = [
        NewPhase("fluency", "Fluency first", three_dimensions()[1:2]),
        NewPhase("facts", "Then the facts", [fact_dimension()]),
    ]
    _, token = make_judge(make_study(phases=phases, facts=["It is closed."]), has_read=False)
    client = Client()
    client.post(f"/j/{token}/instructions/", follow=True)

    after = fill(client, f"/j/{token}/1/")
    page = client.get(after["Location"])

    assert after["Location"] == f"/j/{token}/1/2/"
    assert "<h1" in page.content.decode()
    assert "Then the facts" in page.content.decode()
    begun = client.post(f"/j/{token}/instructions/?phase=facts&page=1.2")
    assert begun["Location"] == f"/j/{token}/1/2/"
    done = fill(client, f"/j/{token}/1/2/", value="1")
    assert done["Location"] == f"/j/{token}/"
    assert Assignment.objects.get(judge__isnull=False).submitted_at is not None


def test_one_dimension_per_pass_asks_them_one_after_the_other():
    group = make_study(layout=Layout.PAGE, page_size=2, one_dimension_per_pass=True)
    _, token = make_judge(group)
    client = Client()
    client.get(f"/j/{token}/")

    asked = []
    for number in (1, 2, 3):
        url = f"/j/{token}/1/" if number == 1 else f"/j/{token}/1/{number}/"
        asked.append([name.split("/")[2] for name in names(client.get(url))])
        fill(client, url)

    assert asked == [["informativeness"] * 2, ["fluency"] * 2, ["overall"] * 2]
    assert Assignment.objects.filter(submitted_at__isnull=False).count() == 2


def test_dimensions_are_shuffled_by_judge_and_stay_so():
    group = make_study(shuffles_dimensions=True)
    orders = []
    for _ in range(6):
        _, token = make_judge(group)
        client = Client()
        first = names(client.get(f"/j/{token}/", follow=True))
        fill(client, f"/j/{token}/1/")
        second = names(client.get(f"/j/{token}/2/")) or names(
            client.get(f"/j/{token}/", follow=True)
        )
        keys = [[name.split("/")[2] for name in asked] for asked in (first, second)]
        assert keys[0] == keys[1]
        orders.append(tuple(keys[0]))

    assert len(set(orders)) > 1


def test_ux_5_no_system_is_in_any_byte_of_a_session():
    group = make_study(n_items=3, n_systems=3, k=1)
    _, token = make_judge(group)
    api = Client(headers={"authorization": f"Judge {token}"})
    client = Client()
    sent = [client.get(f"/j/{token}/instructions/"), client.get(f"/j/{token}/pause/")]
    for number in range(1, 10):
        sent.append(client.get(f"/j/{token}/"))
        sent.append(client.get(f"/j/{token}/{number}/"))
        sent.append(api.get("/api/judging/next/"))
        sent.append(api.get(f"/api/judging/pages/{number}/"))
        sent.append(api.get("/api/judging/standing/"))
        sent.append(fill(client, f"/j/{token}/{number}/"))
    sent.append(client.get(f"/j/{token}/"))

    assert Rating.objects.count() == 27
    assert "All done" in sent[-1].content.decode()
    for response in sent:
        bytes_sent = response.content.decode() + str(response.headers)
        assert not [name for name in [*SYSTEM_NAMES, "secretlab"] if name in bytes_sent]


@pytest.mark.parametrize("page_size", [1, 5])
def test_a_page_needs_the_same_queries_for_any_number_of_outputs(
    django_assert_max_num_queries, page_size
):
    group = make_study(layout=Layout.PAGE, page_size=page_size)
    judge, token = make_judge(group)
    draw(judge, at=NOON)
    client = Client()

    with django_assert_max_num_queries(12):
        response = client.get(f"/j/{token}/1/")

    assert len(names(response)) == 3 * page_size


def test_instructions_of_an_unknown_phase_do_not_exist():
    _, token = make_judge(make_study())

    assert Client().get(f"/j/{token}/instructions/?phase=other").status_code == 404
    assert Phase.objects.count() == 1


def test_a_study_that_closes_while_a_page_is_open_says_so_and_keeps_the_page():
    group = make_study()
    _, token = make_judge(group)
    client = Client()
    client.get(f"/j/{token}/")
    change_state(group.study, StudyState.CLOSED, at=NOON)
    Assignment.objects.filter(judge__isnull=False).update(lease_until=NOON)

    response = fill(client, f"/j/{token}/1/")

    assert response.status_code == 422
    assert "This study is closed" in response.content.decode()
    assert not Rating.objects.exists()


def test_a_judge_who_stops_keeps_what_is_handed_in_and_may_come_back():
    judge, token = make_judge(make_study())
    client = Client()
    client.get(f"/j/{token}/")
    fill(client, f"/j/{token}/1/")
    client.get(f"/j/{token}/")

    response = client.post(f"/j/{token}/leave/", {"act": "stop"}, follow=True)

    assert "Everything you answered is stored" in response.content.decode()
    own = Assignment.objects.filter(judge=judge).order_by("position")
    assert [row.slot is not None for row in own] == [True, False]
    assert client.get(f"/j/{token}/")["Location"] == f"/j/{token}/2/"


def test_a_judge_who_withdraws_leaves_no_answer_and_no_open_link():
    _, token = make_judge(make_study())
    client = Client()
    client.get(f"/j/{token}/")
    fill(client, f"/j/{token}/1/")

    response = client.post(f"/j/{token}/leave/", {"act": "delete"})

    assert "You have left this study" in response.content.decode()
    assert not Rating.objects.exists()
    assert client.get(f"/j/{token}/").status_code == 404


def test_frozen_data_can_no_longer_be_deleted_and_the_judge_is_told():
    group = make_study()
    _, token = make_judge(group)
    client = Client()
    client.get(f"/j/{token}/")
    fill(client, f"/j/{token}/1/")
    group.study.state = StudyState.FROZEN
    group.study.save()

    response = client.post(f"/j/{token}/leave/", {"act": "delete"})

    assert response.status_code == 422
    assert "are frozen" in response.content.decode()
    assert Rating.objects.count() == 3


def test_ux_33_a_judges_page_weighs_at_most_150_kilobytes_in_all():
    _, token = make_judge(make_study())
    html = Client().get(f"/j/{token}/", follow=True).content
    static = Path(settings.BASE_DIR) / "static"
    sheets = [static / path for path in re.findall(r'/static/(css/[^"]+)', html.decode())]
    scripts = sorted((static / "js" / "judge").glob("*.js"))

    weight = len(gzip.compress(html)) + sum(
        len(gzip.compress(path.read_bytes())) for path in [*sheets, *scripts]
    )

    assert (len(sheets), len(scripts) > 10) == (3, True)
    assert weight <= 150_000


def test_a_lapsed_place_of_an_output_rated_before_is_no_work_for_this_judge():
    group = make_study(n_items=1, k=2)
    _, token = make_judge(group)
    client = Client()
    client.get(f"/j/{token}/")
    fill(client, f"/j/{token}/1/")
    other, _ = make_judge(group)
    draw(other, at=NOON)  # long over by now

    assert "All done" in client.get(f"/j/{token}/").content.decode()


def test_very_many_outputs_are_counted_by_the_study(monkeypatch):
    monkeypatch.setattr("annotation.selectors.judging.MANY", 3)
    group = make_study(n_items=6, k=3)
    _, token = make_judge(group)

    html = Client().get(f"/j/{token}/", follow=True).content.decode()

    assert "Output 1 of 6" in html
