"""What a member may open, for the tabs of a study."""

from django import template
from django.template.context import Context

from annotation.enums import Role
from annotation.models import StudyMember

register = template.Library()


@register.simple_tag(takes_context=True)
def role_in_study(context: Context, slug: str) -> str:
    """Return the role of the signed-in user in the study; a superuser is an owner everywhere."""
    user = context["user"]
    if user.is_superuser:
        return Role.OWNER
    role = StudyMember.objects.filter(study__slug=slug, user=user.pk).values_list("role", flat=True)
    return role.first() or ""
