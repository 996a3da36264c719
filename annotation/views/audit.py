"""The audit page of a study."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.enums import Role
from annotation.models import Study
from annotation.selectors.access import EVERY_ROLE, role_in
from annotation.selectors.audit import audit_study
from annotation.selectors.audit_blindness import Deviation
from annotation.selectors.doors.blinding import system_names
from annotation.views.access import study_page


@study_page(EVERY_ROLE)
@require_safe
def audit(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the places of every group and all that deviates from the design."""
    found = audit_study(study, at=timezone.now())
    if role_in(request.user, study) != Role.OWNER:
        hidden = [one for one in system_names(study.pk).items() if one[0] != one[1]]
        found = replace(found, deviations=_without_names(found.deviations, hidden))
    context = {"study": study, "tab": "overview", "audit": found}
    return render(request, "annotation/audit.html", context)


def _without_names(deviations: list[Deviation], hidden: list[tuple[str, str]]) -> list[Deviation]:
    """Return the deviations with neutral names; what is about names is for owners only."""
    if not hidden:
        return deviations
    return [
        replace(one, where=_renamed(one.where, hidden))
        for one in deviations
        if one.kind != "blindness"
    ]


def _renamed(text: str, hidden: list[tuple[str, str]]) -> str:
    for name, neutral in sorted(hidden, key=lambda one: -len(one[0])):
        text = text.replace(name, neutral)
    return text
