"""The items of a study to be read: what is shown, to whom, and what blinding hides."""

import pytest
from django.urls import reverse

from annotation.models import Fact, Judge, Rating, Reference, Study
from tests.factories import NOON, ItemFactory, StudyFactory, StudyMemberFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(client):
    """Return a client signed in as a researcher of a rated study, and the study."""
    study = rated_study(n_items=3, systems=["alpha", "omega"])
    client.force_login(StudyMemberFactory(study=study, role="researcher").user)
    return client, study


def address(study, item=None):
    if item is None:
        return reverse("annotation:items", args=[study.slug])
    return reverse("annotation:item", args=[study.slug, item.pk])


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("researcher", 200), ("monitor", 404), (None, 404)]
)
def test_items_are_for_those_who_may_read(client, role, status):
    item = ItemFactory()
    member = (
        StudyMemberFactory() if role is None else StudyMemberFactory(study=item.study, role=role)
    )
    client.force_login(member.user)

    assert client.get(address(item.study)).status_code == status
    assert client.get(address(item.study, item)).status_code == status


def test_a_visitor_signs_in_first(client):
    item = ItemFactory()

    for url in (address(item.study), address(item.study, item)):
        assert client.get(url)["Location"] == f"/sign-in/?next={url}"


def test_an_item_of_another_study_is_not_found(rated):
    client, study = rated

    assert client.get(address(study, ItemFactory())).status_code == 404


@pytest.mark.parametrize("n_items", [1, 3])
def test_the_list_needs_the_same_queries_for_any_number(client, django_assert_num_queries, n_items):
    study = StudyFactory()
    ItemFactory.create_batch(n_items, study=study)
    client.force_login(StudyMemberFactory(study=study).user)

    with django_assert_num_queries(6):  # session, user, study, number, items, role
        page = client.get(address(study)).content.decode()

    assert page.count("A source text.") == n_items


@pytest.mark.parametrize("n_systems", [1, 3])
def test_an_item_needs_the_same_queries_for_any_number_of_outputs(
    client, django_assert_num_queries, n_systems
):
    study = rated_study(n_items=1, systems=["a", "b", "c"][:n_systems])
    client.force_login(StudyMemberFactory(study=study).user)

    url = address(study, study.items.get())

    # session, user, study; item, references, facts; may see; before, after; names, outputs,
    # ratings; role
    with django_assert_num_queries(13):
        client.get(url)


def test_items_are_found_by_a_part_of_their_id_and_come_in_pages(client):
    study = StudyFactory()
    ItemFactory.create_batch(60, study=study)
    wanted = ItemFactory(study=study, key="50% <off>")
    client.force_login(StudyMemberFactory(study=study).user)

    first = client.get(address(study)).content.decode()
    last = client.get(address(study), {"page": "99"}).content.decode()
    found = client.get(address(study), {"q": "% <OFF"}).content.decode()
    nothing = client.get(address(study), {"q": "no such"}).content.decode()

    assert "1 to 50 of 61" in first
    assert "51 to 61 of 61" in last
    assert "1 to 1 of 1" in found
    assert address(study, wanted) in found
    assert "50% &lt;off&gt;" in found
    assert "No item has this in its id." in nothing


def test_an_item_shows_its_texts_and_what_was_said(rated):
    client, study = rated
    item = study.items.order_by("position")[1]
    Reference.objects.create(item=item, position=1, text="<b>Reference</b>")
    fact = Fact.objects.create(item=item, position=1, key="1", text="A fact")
    rating = Rating.objects.filter(assignment__unit__item=item).first()
    Rating.objects.filter(pk=rating.pk).update(fact=fact)

    page = client.get(address(study, item)).content.decode()

    assert "&lt;b&gt;Reference&lt;/b&gt;" in page
    assert "A fact" in page
    assert f"{rating.assignment.judge.pseudonym} fact 1" in page
    ratings = Rating.objects.filter(assignment__unit__item=item)
    assert page.count('<b dir="auto">') == ratings.count()
    others = study.items.exclude(pk=item.pk)
    assert all(address(study, other) in page for other in others)


def test_what_is_left_out_of_reports_is_marked(rated):
    client, study = rated
    item = study.items.first()
    judge = Judge.objects.filter(assignments__unit__item=item).first()
    Judge.objects.filter(pk=judge.pk).update(excluded_at=NOON)
    n_ratings = Rating.objects.filter(assignment__unit__item=item, assignment__judge=judge).count()

    page = client.get(address(study, item)).content.decode()

    assert page.count("(left out)") == n_ratings > 0


def test_blinding_hides_names_and_ratings(rated):
    client, study = rated
    Study.objects.filter(pk=study.pk).update(hides_systems=True, hides_results=True, state="open")

    page = client.get(address(study, study.items.first())).content.decode()

    assert "alpha" not in page
    assert "omega" not in page
    assert 'class="said"' not in page
    assert "Ratings are hidden until the study is closed." in page
