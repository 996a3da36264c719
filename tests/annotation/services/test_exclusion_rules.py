"""Exclusion rules of a study: set, fixed at the opening, changed with a reason, applied."""

import pytest
from django.core.exceptions import ValidationError

from annotation.enums import StudyState
from annotation.models import Judge, Rating, Study, StudyEvent
from annotation.selectors.exclusion_rules import judged_judges
from annotation.services.exclusion_rules import exclude_under_rule, set_exclusion_rules
from tests.factories import NOON, StudyFactory, UserFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db
FAST = {"kind": "fast", "threshold": 5.0, "n_outputs": 10}
SAME = {"kind": "same_answer", "threshold": 90.0, "n_outputs": 4}


def test_rules_are_stored_and_logged():
    study, user = StudyFactory(), UserFactory()

    set_exclusion_rules(study, [FAST], at=NOON, actor=user)

    assert Study.objects.get(pk=study.pk).exclusion_rules == [FAST]
    event = StudyEvent.objects.get(study=study)
    assert (event.kind, event.actor) == ("exclusion_rules_set", user)
    assert event.detail == {
        "before": "none",
        "now": "median active time on an output below 5 s, from 10 outputs on",
    }


def test_the_same_rules_again_change_and_log_nothing():
    study = StudyFactory(exclusion_rules=[FAST], opened_at=NOON)

    set_exclusion_rules(study, [{"kind": "fast", "threshold": 5}], at=NOON)

    assert not study.events.exists()


def test_after_the_opening_a_change_needs_a_reason():
    study = StudyFactory(exclusion_rules=[FAST], opened_at=NOON, state=StudyState.OPEN)

    with pytest.raises(ValidationError, match="fixed before the first rating"):
        set_exclusion_rules(study, [], at=NOON, reason=" ")
    assert Study.objects.get(pk=study.pk).exclusion_rules == [FAST]
    set_exclusion_rules(study, [SAME], at=NOON, reason="the page was slow")

    assert Study.objects.get(pk=study.pk).exclusion_rules == [SAME]
    event = study.events.get(kind="exclusion_rules_changed")
    assert event.reason == "the page was slow"


def test_ratings_loaded_into_a_draft_fix_the_rules_too():
    study = rated_study(n_items=1)

    with pytest.raises(ValidationError, match="fixed before the first rating"):
        set_exclusion_rules(study, [FAST], at=NOON)
    set_exclusion_rules(study, [FAST], at=NOON, reason="forgotten before the load")

    assert study.events.get().kind == "exclusion_rules_changed"


def test_what_is_no_rule_or_of_a_frozen_study_is_refused():
    study = StudyFactory(state=StudyState.FROZEN, opened_at=NOON)

    with pytest.raises(ValidationError, match="no known kind"):
        set_exclusion_rules(study, [{"kind": "slow"}], at=NOON, reason="why not")
    with pytest.raises(ValidationError, match="frozen"):
        set_exclusion_rules(study, [FAST], at=NOON, reason="why not")
    assert not study.events.exists()


def test_a_study_is_not_made_with_rules_that_are_none():
    with pytest.raises(ValidationError, match="needs a threshold"):
        StudyFactory.build(exclusion_rules=[{"kind": "fast"}]).full_clean()


@pytest.fixture
def straight():
    """Return a study of four items, and its first judge, who gave one answer throughout."""
    study = rated_study()
    judge = study.judges.order_by("pk").first()
    Rating.objects.filter(assignment__judge=judge).update(value=2)
    Study.objects.filter(pk=study.pk).update(exclusion_rules=[FAST, SAME], opened_at=NOON)
    study.refresh_from_db()
    return study, judge


def test_a_rule_catches_but_excludes_nobody(straight):
    study, judge = straight

    caught = [row for row in judged_judges(study) if row.is_caught]

    assert [row.judge for row in caught] == [judge]
    assert (caught[0].n_ratings, caught[0].n_places) == (16, 8)
    assert caught[0].verdicts[0].found == "too few: 0 of 10 outputs with a known time"
    assert not Judge.objects.filter(excluded_at__isnull=False).exists()


def test_a_judge_is_excluded_under_the_sentence_of_the_rule(straight):
    study, judge = straight

    exclude_under_rule(judge, "same_answer", at=NOON)

    judge.refresh_from_db()
    assert judge.excluded_by == (
        "Rule: share of the commonest answer to each question above 90%, from 4 outputs on: "
        "100.0% on 8 outputs"
    )
    assert study.events.get(kind="judge_excluded").reason == judge.excluded_by


def test_whom_no_rule_catches_is_not_excluded_under_one(straight):
    study, judge = straight
    other = study.judges.exclude(pk=judge.pk).first()

    for who, kind in ((other, "same_answer"), (judge, "fast")):
        with pytest.raises(ValidationError, match="No rule of this kind catches"):
            exclude_under_rule(who, kind, at=NOON)
    assert not Judge.objects.filter(excluded_at__isnull=False).exists()


def test_models_and_who_withdrew_are_not_judged_by_rules(straight):
    study, judge = straight
    Judge.objects.filter(pk=judge.pk).update(withdrawn_at=NOON)
    model = study.judges.last()
    Judge.objects.filter(pk=model.pk).update(kind="model")

    found = {row.judge.pk for row in judged_judges(study)}

    assert found == set(study.judges.values_list("pk", flat=True)) - {judge.pk, model.pk}
