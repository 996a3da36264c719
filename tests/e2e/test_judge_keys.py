import pytest

from annotation.models import Rating
from tests.annotation.judging_studies import make_judge, make_study

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def open_page(page, live_server, token):
    page.set_default_timeout(5000)
    page.goto(f"{live_server.url}/j/{token}/")
    page.get_by_role("status").filter(has_text="Saved").wait_for()


def stored():
    ratings = Rating.objects.order_by("assignment__position", "pk")
    return [(r.assignment.position, r.dimension.key, r.value) for r in ratings]


def test_ux_1_digits_and_enter_store_and_show_the_next(live_server, page):
    _, token = make_judge(make_study())
    open_page(page, live_server, token)

    for key in ("3", "4", "2", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name="Output 2 of 6").wait_for()
    page.get_by_role("status").filter(has_text="Saved").wait_for()

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 4), (1, "overall", 2)]
