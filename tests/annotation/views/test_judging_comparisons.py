import pytest
from django.test import Client

from annotation.models import Choice, Item, Rating
from tests.annotation.comparing_studies import make_study
from tests.annotation.judging_studies import make_judge
from tests.annotation.views.test_judging import names

pytestmark = pytest.mark.django_db


def open_page(**given):
    group = make_study(**given)
    _, token = make_judge(group)
    client = Client()
    return group, client, client.get(f"/j/{token}/", follow=True)


def address(response):
    return response.redirect_chain[-1][0]


def ranks():
    return list(Choice.objects.order_by("member__position").values_list("rank", flat=True))


def test_the_page_shows_the_source_and_the_outputs_by_letters_and_names_no_system():
    group, _, response = open_page(kinds=["best_worst"], n_systems=4)

    text = response.content.decode()
    assert "Comparison 1 of 2" in text
    assert "A source text." in text
    assert text.count("The stairs are closed, notice") == 4
    for letter in "ABCD":
        assert f'id="rival-{letter}"' in text
    assert 'id="rival-E"' not in text
    for system in group.study.systems.all():
        assert system.key not in text


def test_texts_are_escaped_and_find_their_own_direction():
    group = make_study(n_items=1, n_systems=2)
    Item.objects.update(language="ar")
    for version in group.study.units.filter(kind="pair").get().unit_members.all():
        version.output_version.text = "<script>alert(1)</script>\nالدرج مغلق"
        version.output_version.save()
    _, token = make_judge(group)

    text = Client().get(f"/j/{token}/", follow=True).content.decode()

    assert "<script>alert" not in text
    assert '<p dir="auto">الدرج مغلق</p>' in text
    assert text.count('data-judged lang="ar"') == 2


def test_without_a_script_a_pair_is_judged_by_its_form():
    _, client, page = open_page()
    (name,) = names(page)

    response = client.post(address(page), {name: "A>B"})

    assert response.status_code == 302
    assert (ranks(), Rating.objects.get().text) == ([1, 2], "A>B")
    assert Rating.objects.get().assignment.submitted_at is not None


def test_without_a_script_a_set_is_judged_by_two_fields_and_shown_again():
    _, client, page = open_page(kinds=["best_worst"], n_systems=4)
    best, worst = names(page)

    client.post(address(page), {best: "C", worst: "A"})
    again = client.get(address(page)).content.decode()

    assert ranks() == [3, 2, 1, 2]
    assert f'name="{best}" value="C" data-key="3" checked' in again
    assert f'name="{worst}" value="A" data-key="1" checked' in again


@pytest.mark.parametrize(
    ("best", "worst", "told"),
    [
        ("B", "", "“B” is no choice here"),
        ("B", "B", "“B&gt;B” is no choice here"),
        ("B", "E", "two different outputs from A to D"),
        ("", "", "Best_Worst is not answered yet"),
    ],
)
def test_a_faulty_form_is_told_and_nothing_is_stored(best, worst, told):
    _, client, page = open_page(kinds=["best_worst"], n_systems=4)
    fields = names(page)

    response = client.post(address(page), dict(zip(fields, [best, worst], strict=True)))

    assert response.status_code == 422
    assert told in response.content.decode()
    assert not Rating.objects.exists()


def test_who_cannot_judge_says_why_and_ties_are_offered_where_allowed():
    _, client, page = open_page()
    (name,) = names(page)
    assert 'value="A=B"' in page.content.decode()

    client.post(address(page), {f"{name}.reason": "broken text"})

    assert Rating.objects.get().missing_reason == "broken text"
    assert ranks() == []


def test_a_mixed_study_asks_each_unit_only_its_own_phase():
    _, client, page = open_page(kinds=["points", "pairwise"], n_items=1, n_systems=2, layout="item")
    asked = names(page)
    assert [name.split("/")[-2] for name in asked] == ["points"] * 2

    after = client.post(address(page), dict.fromkeys(asked, "3"), follow=True)

    assert [name.split("/")[-2] for name in names(after)] == ["pairwise"]
    assert "Comparison 3 of 3" in after.content.decode()
