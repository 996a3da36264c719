"""The judges of a study: their links and progress; exclusion and what follows from it."""

import csv

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from annotation.enums import JudgeKind
from annotation.exporting.safety import neutralised
from annotation.forms.studies import JudgeForm, ReasonForm
from annotation.models import Judge, Study
from annotation.selectors.access import MANAGE
from annotation.selectors.judge_links import invited_judges, judge_path
from annotation.selectors.progress import judges_with_progress
from annotation.services.judges import (
    add_judge,
    exclude_judge,
    readmit_judge,
    reopen_places,
    revoke_link,
)
from annotation.views.access import study_page


@study_page(MANAGE)
@require_safe
def judges(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the judges of a study with their personal links."""
    return _page(request, study, JudgeForm(study=study))


@study_page(MANAGE)
@require_safe
def links(request: HttpRequest, study: Study) -> HttpResponse:
    """Send the personal links of all who may still judge, as CSV for a mail merge."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-links.csv"'
    # Who has a link is a judge: it stays in no cache.
    patch_cache_control(response, no_store=True, private=True)
    lines = csv.writer(response)
    lines.writerow(["judge", "group", "note", "link"])
    for judge in invited_judges(study):
        link = request.build_absolute_uri(judge_path(judge))
        lines.writerow([judge.pseudonym, judge.group.key, neutralised(judge.note), link])
    return response


@study_page(MANAGE)
@require_POST
def add_judges(request: HttpRequest, study: Study) -> HttpResponse:
    """Add judges to a group, each with a pseudonym and a link."""
    form = JudgeForm(request.POST, study=study)
    if not form.is_valid():
        return _page(request, study, form)
    for _ in range(form.cleaned_data["n_judges"]):
        add_judge(
            form.cleaned_data["group"],
            kind=JudgeKind(form.cleaned_data["kind"]),
            note=form.cleaned_data["note"],
            at=timezone.now(),
        )
    return redirect("annotation:judges", slug=study.slug)


@study_page(MANAGE)
@require_POST
def exclude(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Exclude a judge from the analysis, and give their places on where that is asked."""
    judge = get_object_or_404(Judge, pk=pk, study=study)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say why this judge is excluded.")
        return redirect("annotation:judges", slug=study.slug)
    try:
        exclude_judge(
            judge, reason=form.cleaned_data["reason"], actor=_user(request), at=timezone.now()
        )
        if form.cleaned_data["reopens_places"]:
            n_freed = reopen_places(judge, actor=_user(request), at=timezone.now())
            messages.info(request, f"{n_freed} places of {judge.pseudonym} are free again.")
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:judges", slug=study.slug)


@study_page(MANAGE)
@require_POST
def readmit(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take an exclusion back."""
    judge = get_object_or_404(Judge, pk=pk, study=study)
    reason = request.POST.get("reason", "")[:200]
    try:
        readmit_judge(judge, reason=reason, actor=_user(request), at=timezone.now())
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:judges", slug=study.slug)


@study_page(MANAGE)
@require_POST
def renew_link(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Make a judge's old link invalid; the page shows the new one."""
    judge = get_object_or_404(Judge, pk=pk, study=study)
    revoke_link(judge)
    messages.info(request, f"The old link of {judge.pseudonym} no longer opens anything.")
    return redirect("annotation:judges", slug=study.slug)


def _page(request: HttpRequest, study: Study, form: JudgeForm) -> HttpResponse:
    rows = [
        (row.judge, row, request.build_absolute_uri(judge_path(row.judge)))
        for row in judges_with_progress(study)
    ]
    context = {"study": study, "tab": "judges", "rows": rows, "form": form}
    status = 422 if form.is_bound else 200
    return render(request, "annotation/judges.html", context, status=status)


def _user(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
