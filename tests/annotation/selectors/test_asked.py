"""What is asked, known for two seconds."""

import pytest

from annotation.selectors.asked import asked_lately
from annotation.services.preview import preview_judge
from tests.factories import NOON, DimensionFactory, StudyFactory

pytestmark = pytest.mark.django_db


def test_a_preview_reads_its_own_study_anew_and_leaves_others_known(django_assert_num_queries):
    seen, judged = DimensionFactory().phase.study, DimensionFactory().phase.study
    for study in (seen, judged):
        assert len(asked_lately(study.pk)) == 1
    DimensionFactory(phase=seen.phases.get())

    with preview_judge(seen, at=NOON):
        assert len(asked_lately(seen.pk)) == 2

    with django_assert_num_queries(0):
        assert len(asked_lately(judged.pk)) == 1


def test_a_study_that_is_not_known_is_forgotten_without_harm():
    asked_lately.forget(StudyFactory().pk)

    assert asked_lately(StudyFactory().pk) == []
