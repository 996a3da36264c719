import pytest

from annotation.models import Item, Output, Study, System
from annotation.selectors.counting import count_of
from tests.factories import ItemFactory, OutputFactory, StudyFactory, SystemFactory

pytestmark = pytest.mark.django_db


def test_each_row_has_its_own_count_and_zero_where_there_is_none():
    first, second = StudyFactory.create_batch(2)
    ItemFactory.create_batch(3, study=first)
    ItemFactory(study=StudyFactory())

    studies = Study.objects.annotate(n=count_of(Item.objects.all(), "study"))

    assert studies.get(pk=first.pk).n == 3
    assert studies.get(pk=second.pk).n == 0


def test_two_counts_beside_each_other_do_not_multiply():
    study = StudyFactory()
    ItemFactory.create_batch(3, study=study)
    SystemFactory.create_batch(2, study=study)

    row = Study.objects.annotate(
        n_items=count_of(Item.objects.all(), "study"),
        n_systems=count_of(System.objects.all(), "study"),
    ).get()

    assert (row.n_items, row.n_systems) == (3, 2)


def test_only_the_given_rows_are_counted():
    item = ItemFactory()
    kept = OutputFactory(item=item)
    OutputFactory(item=item)

    rows = Item.objects.annotate(n=count_of(Output.objects.filter(pk=kept.pk), "item"))

    assert rows.get().n == 1
