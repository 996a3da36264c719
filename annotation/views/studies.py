"""Studies: the list, a new one, the overview, and its state."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.enums import StudyState, UnitKind
from annotation.forms.studies import NewStudyForm, StateForm
from annotation.models import Study
from annotation.selectors.access import EVERY_ROLE, MANAGE, READ, role_in, studies_of
from annotation.selectors.doors import system_rows
from annotation.selectors.judging import asked_dimensions
from annotation.selectors.openings import last_opening
from annotation.selectors.progress import progress_by_study, studies_with_counts
from annotation.selectors.setup import why_not_deleted
from annotation.services.deletion import delete_study
from annotation.services.openings import needs_worker, request_opening
from annotation.services.studies import MOVES, change_state, create_study
from annotation.views.access import study_page
from annotation.views.uploads import user_of
from jobs.selectors import job_status
from jobs.services import request_cancel
from jobs.tasks import enqueue_job

# What a member may do next, in the words of the button.
ACTS = {
    StudyState.PILOT: "Start the pilot",
    StudyState.OPEN: "Open for judges",
    StudyState.PAUSED: "Pause",
    StudyState.CLOSED: "Close",
    StudyState.FROZEN: "Freeze the data",
}


@login_required
@require_safe
def study_list(request: HttpRequest) -> HttpResponse:
    """Show the user's studies with their progress, the unfinished first."""
    studies = list(studies_with_counts(studies_of(request.user)))
    progress = progress_by_study(studies)
    cards = [(study, progress[study.pk]) for study in studies]
    over = {StudyState.CLOSED, StudyState.FROZEN}
    sections = [
        ("Under way", [card for card in cards if card[0].state not in over]),
        ("Done", [card for card in cards if card[0].state in over]),
    ]
    readable = set(studies_of(request.user, roles=READ).values_list("pk", flat=True))
    context = {"sections": sections, "readable": readable}
    return render(request, "annotation/study_list.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    """Make a study from a protocol."""
    form = NewStudyForm(
        *((request.POST, request.FILES) if request.method == "POST" else ()),
        studies=studies_of(request.user, roles=READ),
    )
    if form.is_valid() and request.user.is_authenticated:
        try:
            study = create_study(
                form.cleaned_data["slug"],
                title=form.cleaned_data["title"],
                protocol=form.protocol(),
                owner=request.user,
                at=timezone.now(),
            )
            return redirect("annotation:study", slug=study.slug)
        except ValidationError as refusal:
            form.add_error(None, refusal.messages)
    status = 422 if form.is_bound else 200
    return render(request, "annotation/new_study.html", {"form": form}, status=status)


@study_page(EVERY_ROLE)
@require_safe
def study_overview(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what a study asks, how far it is, and what can be done next."""
    context = _opening(study) | {
        "study": study,
        "tab": "overview",
        "role": role_in(request.user, study),
        "progress": progress_by_study([study])[study.pk],
        "dimensions": asked_dimensions(study.pk),
        "n_items": study.items.count(),
        "systems": system_rows(study.pk),
        "acts": [(state, ACTS[state]) for state in ACTS if state in MOVES[StudyState(study.state)]],
        "events": study.events.select_related("actor").order_by("-pk")[:10],
    }
    return render(request, "annotation/study.html", context)


@study_page(MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, study: Study) -> HttpResponse:
    """Ask whether the draft is to be deleted, and delete it; or say why it stays."""
    reason = why_not_deleted(study)
    if request.method == "POST":
        try:
            delete_study(study, actor=user_of(request))
            messages.success(request, f"The study {study.title} is deleted.")
            return redirect("annotation:study_list")
        except ValidationError as refusal:
            reason = " ".join(refusal.messages)
    context = {
        "study": study,
        "tab": "overview",
        "reason": reason,
        "n_outputs": study.units.filter(kind=UnitKind.SINGLE).count(),
        "n_judges": study.judges.count(),
        "n_members": study.members.count(),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "annotation/delete_study.html", context, status=status)


@study_page(MANAGE)
@require_POST
def set_state(request: HttpRequest, study: Study) -> HttpResponse:
    """Move the study to another state, or say why it cannot."""
    form = StateForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the states offered.")
        return redirect("annotation:study", slug=study.slug)
    state, reason = StudyState(form.cleaned_data["state"]), form.cleaned_data["reason"]
    actor = user_of(request)
    try:
        if needs_worker(study):
            job = request_opening(study, state, reason=reason, actor=actor)
            transaction.on_commit(partial(enqueue_job, job.pk))
        else:
            change_state(study, state, reason=reason, actor=actor, at=timezone.now())
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:study", slug=study.slug)


@study_page(EVERY_ROLE)
@require_safe
def opening(request: HttpRequest, study: Study) -> HttpResponse:
    """Show how far a worker is with opening the study; the whole page once it has ended."""
    context = _opening(study) | {"study": study, "role": role_in(request.user, study)}
    response = render(request, "annotation/_opening.html", context)
    if not context["is_opening"]:
        response["HX-Refresh"] = "true"
    return response


@study_page(MANAGE)
@require_POST
def cancel_opening(request: HttpRequest, study: Study) -> HttpResponse:
    """Stop the opening of a study, which stays a draft."""
    job = last_opening(study)
    if job is None or not request_cancel(job.pk, at=timezone.now()):
        messages.error(request, _("It has ended already; there is nothing to cancel."))
    return redirect("annotation:study", slug=study.slug)


def _opening(study: Study) -> dict[str, Any]:
    """Return what the page says of a worker that opens the study."""
    job = last_opening(study)
    status = job_status(job) if job else None
    return {"status": status, "is_opening": status is not None and not status.is_final}
