"""The verdict of the proof can fail: each kind of loss is found."""

import uuid

import pytest

from annotation.models import Rating
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from tests.annotation.services.test_places import make_study
from tests.annotation.services.test_ratings import rate
from tests.factories import NOON, DimensionFactory, JudgeFactory
from tests.proof.verify import findings

pytestmark = pytest.mark.django_db

SOUND = {"lost": 0, "doubled": 0, "hand-ins lost": 0, "units not at k": 0, "deviations": 0}


@pytest.fixture
def ledger():
    """Return what the judge of a study of one output was told."""
    group = make_study(n_items=1, n_systems=1, k=1)
    dimension = DimensionFactory(phase__study=group.study)
    (place,) = draw(JudgeFactory(group=group), at=NOON)
    event = rate(place, dimension, 3.0).assignment.events.get()
    hand_in(place, at=NOON)
    return {
        "ratings": {f"{place.handle}/{dimension.key}": 3},
        "uuids": [str(event.client_uuid)],
        "handed_in": [str(place.handle)],
    }


def test_a_sound_ledger_has_no_finding(ledger):
    assert findings(ledger) == SOUND


def test_an_answer_that_is_gone_is_lost(ledger):
    Rating.objects.all().delete()

    assert findings(ledger)["lost"] == 1


def test_another_value_than_the_acknowledged_one_is_a_loss(ledger):
    Rating.objects.update(value=2)

    assert findings(ledger) == {**SOUND, "lost": 1}


def test_an_acknowledged_change_that_was_not_recorded_is_a_loss(ledger):
    ledger["uuids"][0] = str(uuid.uuid4())

    assert findings(ledger)["lost"] == 1


def test_a_change_recorded_beyond_what_was_sent_is_double(ledger):
    ledger["uuids"].clear()

    assert findings(ledger) == {**SOUND, "doubled": 1}


def test_a_hand_in_that_is_gone_and_a_unit_short_of_k_are_found(ledger):
    from annotation.models import Assignment

    Assignment.objects.update(submitted_at=None)

    assert findings(ledger) == {**SOUND, "hand-ins lost": 1, "units not at k": 1}
