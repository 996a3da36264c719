"""The page of exclusion rules: each role, what it shows, and what it changes."""

import pytest
from django.urls import reverse

from annotation.enums import Role, StudyState
from annotation.models import Judge, Rating, Study, Visit
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UserFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db
SAME = {"kind": "same_answer", "threshold": 90.0, "n_outputs": 4}


@pytest.fixture
def study():
    """Return an open study whose first judge gave one answer throughout, in no time."""
    made = rated_study()
    judge = made.judges.order_by("pk").first()
    Rating.objects.filter(assignment__judge=judge).update(value=2)
    Study.objects.filter(pk=made.pk).update(
        exclusion_rules=[{"kind": "fast", "threshold": 5.0, "n_outputs": 4}, SAME],
        opened_at=NOON,
        state=StudyState.OPEN,
    )
    phase = made.phases.first()
    for place, work in enumerate(judge.assignments.all()):
        Visit.objects.create(
            assignment=work, phase=phase, position=place, opened_at=NOON, active_ms=1500
        )
    made.refresh_from_db()
    return made


def _as(client, study, role=Role.OWNER):
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    return client


def _url(name, study, *args):
    return reverse(f"annotation:{name}", args=[study.slug, *args])


def test_an_owner_sees_whom_the_rules_catch_and_excludes_them(client, study):
    judge = study.judges.order_by("pk").first()
    _as(client, study)

    page = client.get(_url("exclusion_rules", study)).content.decode()
    response = client.post(
        _url("exclude_under_rule", study, judge.pk), {"kind": "fast", "reopens_places": "on"}
    )

    assert page.count(">caught<") == 2
    assert "1.5 s on 8 outputs" in page
    assert "Leave 16 ratings out" in page
    assert response.status_code == 302
    judge.refresh_from_db()
    assert judge.excluded_by.startswith("Rule: median active time")
    assert not judge.assignments.filter(slot__isnull=False).exists()
    after = client.get(_url("exclusion_rules", study)).content.decode()
    assert "excluded: Rule: median active time" in after
    assert "Leave 16 ratings out" not in after


def test_a_change_after_the_opening_needs_a_reason_and_is_shown(client, study):
    _as(client, study)
    said = {"same_answer": "95", "same_answer_outputs": "4", "reason": ""}

    refused = client.post(_url("set_exclusion_rules", study), said)
    client.post(_url("set_exclusion_rules", study), {**said, "reason": "two <points> only"})
    page = client.get(_url("exclusion_rules", study)).content.decode()

    assert refused.status_code == 422
    assert "fixed before the first rating" in refused.content.decode()
    study.refresh_from_db()
    assert study.exclusion_rules == [{**SAME, "threshold": 95.0}]
    assert "two &lt;points&gt; only" in page


def test_each_rule_keeps_its_own_number_of_outputs(client, study):
    Study.objects.filter(pk=study.pk).update(
        exclusion_rules=[{"kind": "fast", "threshold": 5.0, "n_outputs": 30}, SAME]
    )
    _as(client, study)

    form = client.get(_url("exclusion_rules", study)).context["form"]
    said = {name: form[name].value() for name in form.fields} | {"fast": "6", "reason": "slower"}
    client.post(
        _url("set_exclusion_rules", study),
        {name: "" if value is None else value for name, value in said.items()},
    )

    study.refresh_from_db()
    assert study.exclusion_rules == [{"kind": "fast", "threshold": 6.0, "n_outputs": 30}, SAME]


def test_before_the_first_rating_no_reason_is_asked(client):
    study = StudyFactory(exclusion_rules=[SAME])
    _as(client, study)

    page = client.get(_url("exclusion_rules", study)).content.decode()
    response = client.post(_url("set_exclusion_rules", study), {"fast_outputs": "10"})

    assert 'name="reason"' not in page
    assert response.status_code == 302
    assert Study.objects.get(pk=study.pk).exclusion_rules == []


def test_a_threshold_that_cannot_be_is_refused(client, study):
    response = _as(client, study).post(
        _url("set_exclusion_rules", study), {"disagreeing": "2", "reason": "x"}
    )

    assert response.status_code == 422
    assert not study.events.exists()


def test_a_researcher_reads_and_changes_nothing(client, study):
    judge = study.judges.first()
    _as(client, study, Role.RESEARCHER)

    page = client.get(_url("exclusion_rules", study))

    assert page.status_code == 200
    assert "<form" not in page.content.decode().partition("<main")[2]
    assert client.post(_url("set_exclusion_rules", study), {"fast_outputs": 5}).status_code == 404
    excluding = client.post(_url("exclude_under_rule", study, judge.pk), {"kind": "same_answer"})
    assert excluding.status_code == 404
    assert not Judge.objects.filter(excluded_at__isnull=False).exists()


def test_monitors_and_strangers_find_nothing(client, study):
    _as(client, study, Role.MONITOR)
    assert client.get(_url("exclusion_rules", study)).status_code == 404
    assert "rules/" not in client.get(_url("study", study)).content.decode()
    client.force_login(UserFactory())
    assert client.get(_url("exclusion_rules", study)).status_code == 404


def test_a_judge_of_another_study_is_not_found(client, study):
    stranger = rated_study().judges.first()

    response = _as(client, study).post(
        _url("exclude_under_rule", study, stranger.pk), {"kind": "same_answer"}
    )

    assert response.status_code == 404


def test_hidden_results_tell_nobody_whom_the_rules_catch(client, study):
    judge = study.judges.order_by("pk").first()
    Study.objects.filter(pk=study.pk).update(hides_results=True)
    _as(client, study)

    page = client.get(_url("exclusion_rules", study)).content.decode()
    response = client.post(_url("exclude_under_rule", study, judge.pk), {"kind": "same_answer"})

    assert ">caught<" not in page
    assert "hidden until the study is closed" in page
    assert response.status_code == 404
    judge.refresh_from_db()
    assert judge.excluded_at is None


@pytest.mark.parametrize("n_items", [1, 3])
def test_the_page_needs_the_same_queries_for_any_amount_of_work(
    client, django_assert_num_queries, n_items
):
    study = rated_study(n_items=n_items)
    Study.objects.filter(pk=study.pk).update(exclusion_rules=[SAME], opened_at=NOON)
    _as(client, study)

    with django_assert_num_queries(12):
        client.get(_url("exclusion_rules", study))


def test_no_answer_is_read_for_a_rule_about_time(client, django_assert_max_num_queries):
    study = rated_study(n_items=2)
    fast = {"kind": "fast", "threshold": 5.0, "n_outputs": 10}
    Study.objects.filter(pk=study.pk).update(exclusion_rules=[fast], opened_at=NOON)
    _as(client, study)

    with django_assert_max_num_queries(12) as queries:
        page = client.get(_url("exclusion_rules", study)).content.decode()

    assert "too few: 0 of 10 outputs with a known time" in page
    assert not any('"annotation_rating"."value"' in query["sql"] for query in queries)
