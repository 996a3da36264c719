import pytest

from annotation.enums import Layout
from annotation.models import Assignment
from annotation.selectors.judge_pages import pages_of
from annotation.services.places import draw
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def pages_of_two_items_in_one_draw(**settings):
    """Return, page by page, the number of the item and the first dimension asked."""
    judge, _ = make_judge(make_study(layout=Layout.ITEM, n_items=2, n_systems=2, **settings))
    draw(judge, at=NOON, n_ahead=1)
    # As when a repeat of another item comes with a draw: two pages of outputs, one draw.
    Assignment.objects.filter(judge=judge).update(draw=1)
    given = Assignment.objects.filter(judge=judge).order_by("position").select_related("unit")
    pages = pages_of(judge, given)
    items = list(dict.fromkeys(row.unit.item_id for row in given))
    return [
        (items.index(page.sheets[0].assignment.unit.item_id), page.part.dimensions[0].key)
        for page in pages
    ]


def test_a_pass_asks_one_dimension_of_the_whole_draw_before_the_next():
    assert pages_of_two_items_in_one_draw(one_dimension_per_pass=True) == [
        (0, "informativeness"), (1, "informativeness"),
        (0, "fluency"), (1, "fluency"),
        (0, "overall"), (1, "overall"),
    ]  # fmt: skip


def test_without_passes_each_page_of_outputs_is_done_with_before_the_next():
    assert pages_of_two_items_in_one_draw() == [(0, "informativeness"), (1, "informativeness")]
