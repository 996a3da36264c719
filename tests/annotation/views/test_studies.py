import pytest
from django.urls import reverse

from annotation.models import Assignment, Fact, Study
from tests.factories import (
    AssignmentFactory,
    DimensionFactory,
    ItemFactory,
    JudgeGroupFactory,
    PhaseFactory,
    StudyFactory,
    StudyMemberFactory,
    UnitFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

PAGES = ["study", "judges", "uploads", "audit"]


@pytest.mark.parametrize("n_studies", [1, 3])
def test_study_list_needs_the_same_queries_for_any_number(
    client, django_assert_num_queries, n_studies
):
    user = UserFactory()
    for study in StudyFactory.create_batch(n_studies):
        StudyMemberFactory(study=study, user=user)
        AssignmentFactory(judge__group__study=study)
    client.force_login(user)

    with django_assert_num_queries(6):  # session, user, studies, counts, groups, roles
        response = client.get(reverse("annotation:study_list"))

    assert response.content.decode().count("0 of 1") == n_studies


def test_study_list_shows_own_studies_only(owner_client):
    client, own = owner_client(title="My own study")
    StudyFactory(title="Of somebody else")

    page = client.get(reverse("annotation:study_list")).content.decode()

    assert own.title in page
    assert "Of somebody else" not in page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_another_users_study_is_not_found(stranger_client, name):
    study = StudyFactory()

    assert stranger_client.get(reverse(f"annotation:{name}", args=[study.slug])).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_a_visitor_is_sent_to_sign_in(client, name):
    url = reverse(f"annotation:{name}", args=[StudyFactory().slug])

    response = client.get(url)

    assert response.status_code == 302
    assert response["Location"] == f"/sign-in/?next={url}"


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("researcher", 404), ("monitor", 404)]
)
@pytest.mark.parametrize("name", ["judges", "uploads"])
def test_administration_is_for_owners(owner_client, name, role, status):
    client, study = owner_client(role=role)

    assert client.get(reverse(f"annotation:{name}", args=[study.slug])).status_code == status


@pytest.mark.parametrize("role", ["owner", "researcher", "monitor"])
def test_every_member_sees_the_overview(owner_client, role):
    client, study = owner_client(role=role)
    DimensionFactory(phase__study=study, question="Does it read well?")

    page = client.get(reverse("annotation:study", args=[study.slug])).content.decode()

    assert "Does it read well?" in page
    assert ("Pause" in page) == (role == "owner")


def test_new_study_makes_the_user_its_owner(client):
    user = UserFactory()
    client.force_login(user)

    client.post(
        reverse("annotation:new_study"),
        {"title": "Subject lines", "slug": "lines", "begin_with": "subject_lines"},
    )

    study = Study.objects.get(slug="lines")
    assert study.members.get().user == user
    assert study.phases.get().dimensions.count() == 3
    assert study.groups.get().judges_per_unit == 3


def test_new_study_refuses_a_name_that_is_taken(client):
    client.force_login(UserFactory())
    StudyFactory(slug="lines")

    response = client.post(
        reverse("annotation:new_study"),
        {"title": "Lines", "slug": "lines", "begin_with": "subject_lines"},
    )

    assert "There is a study named lines already." in response.content.decode()
    assert Study.objects.count() == 1


def test_opening_a_study_makes_its_places(owner_client):
    client, study = owner_client(state="draft")
    DimensionFactory(phase__study=study)
    UnitFactory(output_version__output__item__study=study)
    JudgeGroupFactory(study=study, judges_per_unit=3)

    response = client.post(
        reverse("annotation:set_state", args=[study.slug]), {"state": "open"}, follow=True
    )

    study.refresh_from_db()
    assert study.state == "open"
    assert study.units.get().assignments.count() == 3
    assert "The study was opened." in response.content.decode()


def test_a_study_without_outputs_does_not_open(owner_client):
    client, study = owner_client(state="draft")

    response = client.post(
        reverse("annotation:set_state", args=[study.slug]), {"state": "open"}, follow=True
    )

    study.refresh_from_db()
    assert study.state == "draft"
    assert "It has no outputs to judge: upload some." in response.content.decode()


@pytest.mark.parametrize("role", ["researcher", "monitor"])
def test_only_owners_change_the_state(owner_client, role):
    client, study = owner_client(role=role)

    response = client.post(reverse("annotation:set_state", args=[study.slug]), {"state": "paused"})

    study.refresh_from_db()
    assert (response.status_code, study.state) == (404, "open")


def test_the_audit_page_says_that_there_is_no_deviation(owner_client):
    client, study = owner_client(role="monitor")

    page = client.get(reverse("annotation:audit", args=[study.slug])).content.decode()

    assert "No deviation" in page


@pytest.mark.parametrize(
    ("role", "tabs"),
    [
        ("owner", ["Overview", "Material", "Judges", "Report"]),
        ("researcher", ["Overview", "Report"]),
        ("monitor", ["Overview"]),
    ],
)
def test_members_see_the_tabs_that_they_may_open(owner_client, role, tabs):
    client, study = owner_client(role=role)

    page = client.get(reverse("annotation:study", args=[study.slug])).content.decode()

    header = page[page.index("<header") : page.index("</header>")]
    names = ["Overview", "Material", "Judges", "Report"]
    assert [name for name in names if f">{name}</a>" in header] == tabs


def open_study(client, study):
    url = reverse("annotation:set_state", args=[study.slug])
    page = client.post(url, {"state": "open"}, follow=True).content.decode()
    study.refresh_from_db()
    return page


def with_outputs(study, n_systems=3):
    item = ItemFactory(study=study)
    for _ in range(n_systems):
        UnitFactory(output_version__output__item=item)


@pytest.mark.parametrize(
    ("preset", "kind", "n_units"), [("pairwise", "pair", 2 * 6), ("best_worst", "set", 2)]
)
def test_a_study_of_comparisons_is_set_up_and_opened(client, preset, kind, n_units):
    client.force_login(UserFactory())
    client.post(
        reverse("annotation:new_study"), {"title": "Pairs", "slug": "pairs", "begin_with": preset}
    )
    study = Study.objects.get(slug="pairs")
    with_outputs(study, n_systems=4)
    with_outputs(study, n_systems=4)

    open_study(client, study)

    assert study.state == "open"
    assert study.units.filter(kind=kind).count() == n_units
    assert Assignment.objects.filter(unit__study=study).count() == 3 * n_units
    overview = client.get(reverse("annotation:study", args=["pairs"])).content.decode()
    assert f"0 of {3 * n_units}" in overview
    assert "The better of two" in overview or "The best and the worst" in overview
    audit = client.get(reverse("annotation:audit", args=["pairs"])).content.decode()
    assert "No deviation" in audit
    assert "stands in one position more than 1 time more often" in audit or (
        "stands equally often in every position" in audit
    )


def test_a_number_of_comparisons_is_taken_at_set_up(client):
    client.force_login(UserFactory())
    form = {"title": "Pairs", "slug": "pairs", "begin_with": "pairwise"}
    client.post(reverse("annotation:new_study"), form)
    study = Study.objects.get(slug="pairs")
    with_outputs(study, n_systems=4)

    response = layout_said(client, study, pairs_per_item="2")
    open_study(client, study)

    assert response.status_code == 302
    assert study.units.filter(kind="pair").count() == 2


@pytest.mark.parametrize("wanted", ["0", "-1", "many"])
def test_a_wrong_number_of_comparisons_is_told_and_not_taken(owner_client, wanted):
    client, study = owner_client(state="draft")

    response = layout_said(client, study, pairs_per_item=wanted)

    assert response.status_code == 422
    assert 'class="field-error"' in response.content.decode()
    study.refresh_from_db()
    assert study.pairs_per_item is None


def layout_said(client, study, **changes):
    address = reverse("annotation:setup_layout", args=[study.slug])
    form = client.get(address).context["form"]
    shown = {name: form[name].value() for name in form.fields}
    said = {name: value for name, value in shown.items() if not (value is None or value is False)}
    return client.post(address, said | changes)


def test_comparisons_need_enough_outputs_and_a_phase_of_their_own(owner_client):
    client, study = owner_client(state="draft")
    phase = PhaseFactory(study=study, title="Everything")
    DimensionFactory(phase=phase, kind="pairwise", scale=None)
    DimensionFactory(phase=phase)
    with_outputs(study, n_systems=1)
    JudgeGroupFactory(study=study)

    page = open_study(client, study)

    assert study.state == "draft"
    assert "No item has the 2 outputs that a comparison needs" in page
    assert "The phase Everything asks both of comparisons and of single outputs" in page
    assert not study.units.filter(kind="pair").exists()


def test_a_study_about_facts_needs_facts(owner_client):
    client, study = owner_client(state="draft")
    DimensionFactory(phase__study=study, name="Coverage", kind="facts")
    unit = UnitFactory(output_version__output__item__study=study)
    JudgeGroupFactory(study=study)

    page = open_study(client, study)
    refused = study.state
    Fact.objects.create(item=unit.item, position=1, key="1", text="A fact")
    open_study(client, study)

    assert "Coverage asks about facts, and no item has any" in page
    assert (refused, study.state) == ("draft", "open")
