"""The audit page of a study."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Study
from annotation.selectors.access import EVERY_ROLE
from annotation.selectors.audit import audit_study
from annotation.views.access import study_page


@study_page(EVERY_ROLE)
@require_safe
def audit(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the places of every group and all that deviates from the design."""
    found = audit_study(study, at=timezone.now())
    context = {"study": study, "tab": "overview", "audit": found}
    return render(request, "annotation/audit.html", context)
