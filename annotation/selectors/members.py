"""Members of a study, and accounts by the name that people call them."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Case, IntegerField, Q, QuerySet, When

from annotation.enums import Role
from annotation.models import Study, StudyEvent, StudyMember

# What gives somebody a way in; `annotation.templatetags.happened` tells each in a sentence.
ADDED, INVITED, INVITED_AGAIN = "member_added", "member_invited", "member_invited_again"


def members_of(study: Study) -> QuerySet[StudyMember]:
    """Return the members with their accounts: owners, researchers, monitors, each by name."""
    order = Case(
        *(When(role=role, then=place) for place, role in enumerate(Role)),
        output_field=IntegerField(),
    )
    members = StudyMember.objects.filter(study=study).select_related("user")
    return members.order_by(order, "user__username")


def is_pending(member: StudyMember) -> bool:
    """Return whether the account was made for this membership and nobody has taken it up yet."""
    user = member.user
    return (
        member.invited_at is not None and user.last_login is None and not user.has_usable_password()
    )


def acting_owners(study: Study) -> list[StudyMember]:
    """Return the owners who can sign in: neither invited only, nor shut out."""
    owners = members_of(study).filter(role=Role.OWNER, user__is_active=True)
    return [owner for owner in owners if not is_pending(owner)]


def accounts_named(name: str) -> QuerySet[User]:
    """Return the accounts with the user name, or with the e-mail address, in whatever case."""
    named = Q(username__iexact=name)
    if "@" in name:
        named |= Q(email__iexact=name)
    return User.objects.filter(named).order_by("pk")


def n_let_in(actor: User, *, since: datetime) -> int:
    """Return how many people the account has added or invited to any study since a moment."""
    kinds = [ADDED, INVITED, INVITED_AGAIN]
    return StudyEvent.objects.filter(actor=actor, kind__in=kinds, at__gt=since).count()


def left_without_owner(users: Collection[User]) -> list[str]:
    """Return, in a sentence each, the studies in which nobody but these owners could act."""
    owners = StudyMember.objects.filter(role=Role.OWNER)
    of_these = owners.filter(user__in=users).values("study")
    kept: dict[int, bool] = {}
    titles: dict[int, str] = {}
    for owner in owners.filter(study__in=of_these).select_related("user", "study").order_by("pk"):
        titles[owner.study_id] = owner.study.title
        stays = owner.user not in users and owner.user.is_active and not is_pending(owner)
        kept[owner.study_id] = kept.get(owner.study_id, False) or stays
    return [
        f"The study {titles[study]} needs an owner who can sign in: make somebody else an owner "
        "on its page Members first."
        for study, has_owner in kept.items()
        if not has_owner
    ]
