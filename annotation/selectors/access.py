"""Who may see and do what: members of a study by role; a superuser as an owner everywhere."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from annotation.enums import Role
from annotation.models import Study

EVERY_ROLE = frozenset(Role)
MANAGE = frozenset({Role.OWNER})
# Monitors see how a study goes, never what was said.
READ = frozenset({Role.OWNER, Role.RESEARCHER})


def studies_of(
    user: User | AnonymousUser, *, roles: frozenset[Role] = EVERY_ROLE
) -> QuerySet[Study]:
    """Return the studies in which the user has one of the roles."""
    if user.is_superuser:
        return Study.objects.all()
    if not user.is_authenticated:
        return Study.objects.none()
    return Study.objects.filter(members__user=user, members__role__in=roles)


def role_in(user: User | AnonymousUser, study: Study) -> Role | None:
    """Return the user's role in the study, or None."""
    if user.is_superuser:
        return Role.OWNER
    if not user.is_authenticated:
        return None
    role = study.members.filter(user=user).values_list("role", flat=True).first()
    return Role(role) if role else None
