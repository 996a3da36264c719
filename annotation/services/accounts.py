"""Accounts taken away by an administrator of the site."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.models import Study, StudyEvent, StudyMember
from annotation.selectors.members import left_without_owner


@transaction.atomic
def delete_accounts(users: Collection[User], *, at: datetime, actor: User | None = None) -> None:
    """Delete accounts, and note in each study that a member is gone.

    Raises
    ------
    ValidationError
        Where a study would be left without an owner who can sign in, with a sentence for each.
    """
    memberships = StudyMember.objects.filter(user__in=users).select_related("user")
    # Locked in one order: every other change of members waits, or is waited for, at the study.
    studies = Study.objects.filter(members__user__in=users).order_by("pk").values_list("pk")
    list(Study.objects.select_for_update().filter(pk__in=studies).order_by("pk"))
    if refusals := left_without_owner(users):
        raise ValidationError(refusals)
    StudyEvent.objects.bulk_create(
        StudyEvent(
            study_id=member.study_id,
            kind="member_removed",
            actor=actor,
            detail={"user": member.user.username, "role": str(member.role)},
            at=at,
        )
        for member in memberships.order_by("pk")
    )
    User.objects.filter(pk__in=[user.pk for user in users]).delete()
