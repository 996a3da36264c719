"""Blinding: what is hidden until a study is closed, who looked behind it, and why."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.enums import Role
from annotation.forms.blinding import BlindingForm, LookForm
from annotation.models import Study
from annotation.selectors.access import MANAGE, READ, role_in
from annotation.selectors.doors.blinding import (
    OVER,
    RESULTS_SEEN,
    SYSTEMS_SEEN,
    may_see_results,
    system_names,
)
from annotation.services.blinding import look_behind, set_blinding
from annotation.views.access import study_page
from annotation.views.uploads import user_of


@study_page(READ)
@require_safe
def blinding(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the rule and every look behind it; to an owner the forms, and what was looked at."""
    is_owner = role_in(request.user, study) == Role.OWNER
    looks = study.events.filter(kind__in=[SYSTEMS_SEEN, RESULTS_SEEN]).select_related("actor")
    own = {look.kind for look in looks if look.actor_id == request.user.pk}
    is_over = study.state in OVER
    has_key = is_owner and study.hides_systems and not is_over and SYSTEMS_SEEN in own
    names = system_names(study.pk) if has_key else {}
    context = {
        "study": study,
        "tab": "overview",
        "is_owner": is_owner,
        "is_over": is_over,
        "form": BlindingForm(
            initial={"hides_systems": study.hides_systems, "hides_results": study.hides_results}
        ),
        "looks": looks.order_by("-pk"),
        "key": sorted((label, name) for name, label in names.items()),
        "sees_results": may_see_results(request.user, study.pk),
        "kinds": {"systems": SYSTEMS_SEEN, "results": RESULTS_SEEN},
    }
    return render(request, "annotation/blinding.html", context)


@study_page(MANAGE)
@require_POST
def set_rule(request: HttpRequest, study: Study) -> HttpResponse:
    """Set what is hidden, or say why it cannot be."""
    form = BlindingForm(request.POST)
    if form.is_valid():
        try:
            set_blinding(study, **form.cleaned_data, actor=user_of(request), at=timezone.now())
        except ValidationError as refusal:
            messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:blinding", slug=study.slug)


@study_page(MANAGE)
@require_POST
def look(request: HttpRequest, study: Study) -> HttpResponse:
    """Log a look behind the blinding; the page then shows it to this user."""
    form, user = LookForm(request.POST), user_of(request)
    if form.is_valid() and user is not None:
        try:
            look_behind(
                study,
                form.cleaned_data["kind"],
                actor=user,
                reason=form.cleaned_data["reason"],
                at=timezone.now(),
            )
        except ValidationError as refusal:
            messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:blinding", slug=study.slug)
