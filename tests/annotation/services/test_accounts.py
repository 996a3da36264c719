"""Accounts deleted by an administrator, at the moment at which members change."""

import pytest

from annotation.enums import Role
from annotation.services.accounts import delete_accounts
from annotation.services.members import change_role
from tests.annotation.services.at_once import at_once
from tests.factories import NOON, StudyMemberFactory


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_run", range(3))
def test_of_two_owners_one_is_left_whatever_happens_at_once(_run):
    one = StudyMemberFactory()
    two = StudyMemberFactory(study=one.study)

    answers = at_once(
        lambda: delete_accounts([one.user], at=NOON),
        lambda: change_role(two, Role.MONITOR, at=NOON),
    )

    assert answers.count("done") == 1
    assert one.study.members.filter(role=Role.OWNER).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_run", range(3))
def test_two_owners_are_not_both_deleted(_run):
    one = StudyMemberFactory()
    two = StudyMemberFactory(study=one.study)

    answers = at_once(
        lambda: delete_accounts([one.user], at=NOON), lambda: delete_accounts([two.user], at=NOON)
    )

    assert answers.count("done") == 1
    assert one.study.members.filter(role=Role.OWNER).count() == 1
