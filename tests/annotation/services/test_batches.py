"""Fixed batches: items that name none get theirs when the study opens, and judges draw them."""

import pytest

from annotation.enums import StudyState
from annotation.models import Item
from annotation.selectors.audit import audit_study
from annotation.services.batches import fill_batches
from annotation.services.loading import Source, load_file
from annotation.services.places import draw
from annotation.services.presets import OPINION_SUMMARIES
from annotation.services.studies import change_state, create_study
from tests.factories import NOON, ItemFactory, JudgeFactory, StudyFactory

pytestmark = pytest.mark.django_db


def load(study, path, items, *, header="item_id,system,output", extra=""):
    rows = [f"i{n},{system},text {n} {system}{extra}" for n in items for system in "ab"]
    path.write_text("\n".join([header, *rows]))
    load_file(study, Source(path=path, kind="outputs"), at=NOON)


def sizes(study):
    batches = study.batches.order_by("number")
    return [(batch.number, batch.items.count()) for batch in batches]


@pytest.fixture
def study():
    return create_study("opinions", title="Opinions", protocol=OPINION_SUMMARIES, at=NOON)


def test_items_without_a_batch_are_put_into_batches_at_the_opening(study, tmp_path):
    load(study, tmp_path / "outputs.csv", range(25))

    study = change_state(study, StudyState.OPEN, at=NOON)

    assert sizes(study) == [(1, 10), (2, 10), (3, 5)]
    held = draw(JudgeFactory(group=study.groups.get()), at=NOON)
    assert [row.unit.item.key for row in held[::2]] == [f"i{n}" for n in range(10)]
    assert audit_study(study, at=NOON).deviations == []


def test_batches_of_the_file_stay_as_they_are(study, tmp_path):
    header = "item_id,system,output,batch"
    load(study, tmp_path / "outputs.csv", range(3), header=header, extra=",7")
    load(study, tmp_path / "more.csv", range(3, 15))

    study = change_state(study, StudyState.OPEN, at=NOON)

    assert sizes(study) == [(7, 3), (8, 10), (9, 2)]


def test_items_that_come_later_have_batches_of_their_own(study, tmp_path):
    load(study, tmp_path / "outputs.csv", range(12))
    study = change_state(study, StudyState.OPEN, at=NOON)

    load(study, tmp_path / "more.csv", range(12, 15))

    assert sizes(study) == [(1, 10), (2, 2), (3, 3)]
    judge = JudgeFactory(group=study.groups.get())
    drawn = []
    while held := draw(judge, at=NOON):
        drawn.append({row.unit.item.batch.number for row in held})
        for row in held:
            row.submitted_at = NOON
            row.save(update_fields=["submitted_at"])
    assert drawn == [{1}, {2}, {3}]


def test_other_layouts_have_no_batches():
    item = ItemFactory(study=StudyFactory(layout="one_output"))

    assert fill_batches(item.study) == 0
    assert Item.objects.get().batch is None


def test_a_place_outside_all_batches_is_passed_over(study, tmp_path):
    load(study, tmp_path / "outputs.csv", range(2))
    study = change_state(study, StudyState.OPEN, at=NOON)
    study.items.update(batch=None)

    assert draw(JudgeFactory(group=study.groups.get()), at=NOON) == []
