"""How a study was conducted, read from what is stored."""

import pytest

from annotation.selectors import doors
from metrics_app.loaders.conduct import conduct_of_study
from tests.annotation.judging_studies import make_study

pytestmark = pytest.mark.django_db


def test_the_words_read_before_are_those_of_instructions_and_suggestions():
    study = make_study(n_items=1).study
    study.phases.update(instructions="Read **it** all.", suggestions="Twice, if long.")

    conduct = conduct_of_study(
        study.pk,
        doors.rating_columns(study.pk, names=doors.system_names(study.pk)),
        doors.group_rows(study.pk),
    )

    assert (conduct.n_instruction_words, conduct.n_examples) == (6, 0)
