import csv

import pytest
from django.urls import reverse

from annotation.models import Assignment, Judge
from tests.factories import AssignmentFactory, JudgeFactory, JudgeGroupFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("n_judges", [1, 3])
def test_judges_page_needs_the_same_queries_for_any_number(
    owner_client, django_assert_num_queries, n_judges
):
    client, study = owner_client()
    JudgeFactory.create_batch(n_judges, group=JudgeGroupFactory(study=study))

    with django_assert_num_queries(
        7
    ):  # session, user, study, judges, their work, groups of the form, role for the tabs
        page = client.get(reverse("annotation:judges", args=[study.slug])).content.decode()

    assert page.count("data-copy=") == n_judges


def test_add_judges_gives_pseudonyms_in_order(owner_client):
    client, study = owner_client()
    group = JudgeGroupFactory(study=study)

    client.post(
        reverse("annotation:add_judges", args=[study.slug]),
        {"group": group.pk, "n_judges": 3, "kind": "person", "note": "lab"},
    )

    rows = Judge.objects.order_by("pk").values_list("pseudonym", "note")
    assert list(rows) == [("J001", "lab"), ("J002", "lab"), ("J003", "lab")]


def test_a_group_of_another_study_is_refused(owner_client):
    client, study = owner_client()
    there = JudgeFactory(group=JudgeGroupFactory(study=study))

    response = client.post(
        reverse("annotation:add_judges", args=[study.slug]),
        {"group": JudgeGroupFactory().pk, "n_judges": 1, "kind": "person"},
    )

    assert response.status_code == 422
    assert Judge.objects.get() == there
    assert there.pseudonym in response.content.decode()


def test_exclude_keeps_the_ratings_and_may_reopen_the_places(owner_client):
    client, study = owner_client()
    done = AssignmentFactory(
        judge=JudgeFactory(group=JudgeGroupFactory(study=study)),
        submitted_at="2026-01-01T12:00Z",
    )

    client.post(
        reverse("annotation:exclude", args=[study.slug, done.judge.pk]),
        {"reason": "failed the checks", "reopens_places": "on"},
    )

    done.refresh_from_db()
    assert (done.judge.excluded_by, done.slot, done.is_late) == ("failed the checks", None, True)
    free = Assignment.objects.get(judge=None)
    assert (free.unit, free.slot) == (done.unit, 1)


def test_exclude_needs_a_reason(owner_client):
    client, study = owner_client()
    judge = JudgeFactory(group=JudgeGroupFactory(study=study))

    client.post(reverse("annotation:exclude", args=[study.slug, judge.pk]), {"reason": ""})

    judge.refresh_from_db()
    assert judge.excluded_at is None


@pytest.mark.parametrize("name", ["exclude", "readmit", "renew_link"])
def test_a_judge_of_another_study_is_not_found(owner_client, name):
    client, study = owner_client()
    other = JudgeFactory()

    response = client.post(
        reverse(f"annotation:{name}", args=[study.slug, other.pk]), {"reason": "x"}
    )

    assert response.status_code == 404


def test_a_new_link_makes_the_old_one_void(owner_client):
    from annotation.selectors.judge_links import judge_of_token, judge_token

    client, study = owner_client()
    judge = JudgeFactory(group=JudgeGroupFactory(study=study))
    old = judge_token(judge)

    client.post(reverse("annotation:renew_link", args=[study.slug, judge.pk]))

    judge.refresh_from_db()
    assert judge_of_token(old) is None
    assert judge_of_token(judge_token(judge)) == judge


def test_all_links_come_as_a_file_that_runs_nothing(owner_client):
    client, study = owner_client()
    group = JudgeGroupFactory(study=study, key="lab")
    first = JudgeFactory(group=group, note="=cmd()")
    JudgeFactory(group=group, kind="model")
    JudgeFactory(group=group, is_simulated=True)
    JudgeFactory(group=group, excluded_at="2026-01-01T12:00Z")
    JudgeFactory()

    response = client.get(reverse("annotation:judge_links", args=[study.slug]))

    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert [(row["judge"], row["group"], row["note"]) for row in rows] == [
        (first.pseudonym, "lab", "'=cmd()")
    ]
    assert client.get(rows[0]["link"].removeprefix("http://testserver")).status_code in {200, 302}
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("role", ["researcher", "monitor"])
def test_links_are_for_owners(owner_client, role):
    client, study = owner_client(role=role)

    assert client.get(reverse("annotation:judge_links", args=[study.slug])).status_code == 404
