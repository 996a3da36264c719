"""What is hidden until a study is closed: set, refused, looked behind."""

import pytest
from django.core.exceptions import ValidationError

from annotation.enums import StudyState
from annotation.models import Study, StudyEvent
from annotation.selectors.doors.blinding import (
    RESULTS_SEEN,
    SYSTEMS_SEEN,
    blinding_of,
    may_see_results,
    system_names,
)
from annotation.services.blinding import look_behind, set_blinding
from tests.factories import NOON, StudyFactory, SystemFactory, UserFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db
HIDDEN = {"hides_systems": True, "hides_results": True}
SHOWN = {"hides_systems": False, "hides_results": False}


@pytest.fixture
def study():
    made = StudyFactory()
    for key in ("bart", "gpt", "pegasus", "t5"):
        SystemFactory(study=made, key=key)
    return made


def test_hiding_is_stored_and_logged(study):
    user = UserFactory()

    set_blinding(study, **HIDDEN, at=NOON, actor=user)

    stored = Study.objects.get(pk=study.pk)
    assert (stored.hides_systems, stored.hides_results) == (True, True)
    event = StudyEvent.objects.get(study=study, kind="blinding")
    assert (event.actor, event.detail) == (user, {"systems hidden": True, "results hidden": True})
    assert sorted(system_names(study.pk).values()) == [
        "System A", "System B", "System C", "System D",
    ]  # fmt: skip


def test_the_same_rule_again_changes_and_logs_nothing(study):
    set_blinding(study, **SHOWN, at=NOON)

    assert not study.events.filter(kind="blinding").exists()


def test_nothing_can_be_hidden_once_there_are_ratings():
    study = rated_study(n_items=1)

    with pytest.raises(ValidationError, match="There are ratings already"):
        set_blinding(study, hides_systems=True, hides_results=False, at=NOON)
    assert system_names(study.pk) == {"Alpha": "Alpha", "Beta": "Beta"}


def test_showing_after_the_opening_needs_a_reason(study):
    set_blinding(study, **HIDDEN, at=NOON)
    Study.objects.filter(pk=study.pk).update(opened_at=NOON, state=StudyState.OPEN)

    with pytest.raises(ValidationError, match="Say why"):
        set_blinding(study, **SHOWN, at=NOON, reason=" ")
    set_blinding(study, **SHOWN, at=NOON, reason="the funder asks")

    assert not blinding_of(study.pk).is_blind
    assert study.events.filter(kind="blinding").last().reason == "the funder asks"


def test_closing_ends_it(study):
    set_blinding(study, **HIDDEN, at=NOON)
    Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED)

    assert system_names(study.pk)["bart"] == "bart"
    assert may_see_results(UserFactory(), study.pk)
    with pytest.raises(ValidationError, match="closed"):
        set_blinding(study, **SHOWN, at=NOON)
    with pytest.raises(ValidationError, match="Nothing of this kind"):
        look_behind(study, SYSTEMS_SEEN, actor=UserFactory(), reason="why not", at=NOON)


def test_a_look_is_logged_and_opens_results_to_this_user_only(study):
    set_blinding(study, **HIDDEN, at=NOON)
    looking, other = UserFactory(), UserFactory()

    look_behind(study, RESULTS_SEEN, actor=looking, reason="a judge complained", at=NOON)

    assert may_see_results(looking, study.pk)
    assert not may_see_results(other, study.pk)
    assert blinding_of(study.pk).looks == ((NOON.isoformat(), RESULTS_SEEN, "a judge complained"),)


def test_a_look_without_a_reason_or_at_what_is_not_hidden_is_refused(study):
    set_blinding(study, hides_systems=True, hides_results=False, at=NOON)

    with pytest.raises(ValidationError, match="Say why you look"):
        look_behind(study, SYSTEMS_SEEN, actor=UserFactory(), reason=" ", at=NOON)
    with pytest.raises(ValidationError, match="Nothing of this kind"):
        look_behind(study, RESULTS_SEEN, actor=UserFactory(), reason="why not", at=NOON)
    assert blinding_of(study.pk).looks == ()
