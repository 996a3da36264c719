"""Members of a study: added, invited, given another role, removed."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from annotation.enums import Role
from annotation.models import Study, StudyEvent, StudyMember
from annotation.selectors.access import role_in
from annotation.selectors.members import (
    ADDED,
    INVITED,
    INVITED_AGAIN,
    accounts_named,
    acting_owners,
    is_pending,
    members_of,
    n_let_in,
)

# More than a team needs, too few to try out names or to fill the table of accounts.
MAX_PER_HOUR = 50


@transaction.atomic
def add_member(
    study: Study, name: str, *, role: Role, at: datetime, actor: User | None = None
) -> StudyMember:
    """Make an account a member, by user name or e-mail address; make the account where it is new.

    A new account has no password: `is_pending` holds of the member until somebody has taken it up
    by its invitation.

    Raises
    ------
    ValidationError
        Where the name is a member already, names several accounts, belongs to an account that
        nobody has taken up yet, or cannot be a user name; where the actor is no owner (any more),
        or has let in `MAX_PER_HOUR` people within the hour.
    """
    locked = _locked(study, actor)
    _refuse_flood(actor, at=at)
    name = name.strip()
    user = _account(name)
    is_new = user is None
    if user is None:
        user = _new_account(name)
    elif any(is_pending(member) for member in user.memberships.select_related("user")):
        # Whoever made the account still holds its link, and would come in under this name.
        raise ValidationError(
            f"{name} has been invited, and has not chosen a password yet. They can be added here "
            "when they have."
        )
    elif locked.members.filter(user=user).exists():
        raise ValidationError(f"{name} is a member of this study already.")
    invited_at = at if is_new else None
    member = StudyMember(study=locked, user=user, role=role, invited_at=invited_at)
    member.full_clean()
    member.save()
    _note(member, INVITED if is_new else ADDED, actor=actor, at=at)
    return member


@transaction.atomic
def change_role(
    member: StudyMember, role: Role, *, at: datetime, actor: User | None = None
) -> StudyMember:
    """Give a member another role; refuse to lower the last owner who can sign in."""
    locked = _locked_member(member, actor)
    before = locked.role
    if before == role:
        return locked
    _refuse_last_owner(locked)
    locked.role = role
    locked.full_clean()
    locked.save(update_fields=["role"])
    _note(locked, "member_role_changed", actor=actor, at=at, before=before)
    return locked


@transaction.atomic
def remove_member(member: StudyMember, *, at: datetime, actor: User | None = None) -> None:
    """Take a member out of the study; refuse for the last owner who can sign in.

    An account that was made for this membership, and that nobody has taken up, goes with it: its
    invitation opens nothing any more.
    """
    locked = _locked_member(member, actor)
    _refuse_last_owner(locked)
    _note(locked, "member_removed", actor=actor, at=at)
    if is_pending(locked):
        locked.user.delete()
    else:
        locked.delete()


@transaction.atomic
def invite_again(member: StudyMember, *, at: datetime, actor: User | None = None) -> StudyMember:
    """Make the old invitation void, so that a new link can be given; only until it is taken up."""
    locked = _locked_member(member, actor)
    if not is_pending(locked):
        raise ValidationError(f"{locked.user.username} has an account, and needs no invitation.")
    _refuse_flood(actor, at=at)
    locked.user.set_unusable_password()  # another one, to which no older link belongs
    locked.user.save(update_fields=["password"])
    _note(locked, INVITED_AGAIN, actor=actor, at=at)
    return locked


def _locked(study: Study, actor: User | None) -> Study:
    # Every change of members waits here, and then asks again who may make it: of two owners
    # who remove each other, the second is none any more.
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if actor is not None and role_in(actor, locked) != Role.OWNER:
        raise ValidationError("You are no longer an owner of this study.")
    return locked


def _locked_member(member: StudyMember, actor: User | None) -> StudyMember:
    study = _locked(member.study, actor)
    # The account as well: it may be taken up at this moment.
    User.objects.select_for_update().filter(pk=member.user_id).first()
    locked = members_of(study).filter(pk=member.pk).first()
    if locked is None:
        raise ValidationError("This account is no longer a member of the study.")
    return locked


def _refuse_last_owner(member: StudyMember) -> None:
    others = [owner for owner in acting_owners(member.study) if owner.pk != member.pk]
    if member.role == Role.OWNER and not others:
        raise ValidationError(
            "A study needs an owner who can sign in. Make somebody else an owner first."
        )


def _refuse_flood(actor: User | None, *, at: datetime) -> None:
    if actor is not None and n_let_in(actor, since=at - timedelta(hours=1)) >= MAX_PER_HOUR:
        raise ValidationError(
            f"You have added {MAX_PER_HOUR} people within an hour. Go on in an hour."
        )


def _account(name: str) -> User | None:
    found = list(accounts_named(name).select_for_update())
    if len(found) > 1 and "@" not in name:
        found = [user for user in found if user.username == name] or found
    if len(found) > 1:
        raise ValidationError(f"Several accounts answer to {name}. Give the exact user name.")
    return found[0] if found else None


def _new_account(name: str) -> User:
    user = User(username=name, email=_email(name))
    user.set_unusable_password()
    try:
        user.full_clean()
        with transaction.atomic():
            user.save()
    except ValidationError as refusal:
        raise ValidationError(refusal.messages) from None
    except IntegrityError:  # made for another study at this moment
        raise ValidationError(f"The account {name} was made just now. Add it again.") from None
    return user


def _email(name: str) -> str:
    try:
        validate_email(name)
    except ValidationError:
        return ""
    return name


def _note(member: StudyMember, kind: str, *, at: datetime, actor: User | None, **more: str) -> None:
    StudyEvent.objects.create(
        study_id=member.study_id,
        kind=kind,
        actor=actor,
        detail={"user": member.user.username, "role": str(member.role), **more},
        at=at,
    )
