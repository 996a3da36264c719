"""Setting a study up: what judges are asked, by whom it is judged, how it is shown."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.forms.setup import DimensionForm, ExampleForm, GroupForm, LayoutForm, PhaseForm
from annotation.models import Dimension, Example, JudgeGroup, Phase, Study
from annotation.selectors.access import MANAGE, READ
from annotation.selectors.doors.protocol import protocol_of
from annotation.selectors.setup import groups_of, phases_of, setup_is_fixed
from annotation.services.setup import (
    Part,
    keep_dimension,
    keep_part,
    keep_settings,
    move_part,
    remove_part,
)
from annotation.views.access import study_page

EDIT = require_http_methods(["GET", "HEAD", "POST"])


@study_page(MANAGE)
@require_safe
def setup(request: HttpRequest, study: Study) -> HttpResponse:
    """Show everything that the study asks, with what changes it."""
    context = {
        "study": study,
        "tab": "overview",
        "phases": phases_of(study),
        "groups": groups_of(study),
        "is_fixed": setup_is_fixed(study),
    }
    return render(request, "annotation/setup.html", context)


@study_page(READ)
@require_safe
def protocol(_request: HttpRequest, study: Study) -> HttpResponse:
    """Send the protocol of the study as a file, from which another study can be made."""
    text = json.dumps(protocol_of(study.pk), ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-protocol.json"'
    return response


@study_page(MANAGE)
@EDIT
def layout(request: HttpRequest, study: Study) -> HttpResponse:
    """Change how the study is shown, and how its places are dealt."""
    form = LayoutForm(_data(request), instance=study)
    keep = partial(_keep_layout, study, form)
    return _edit(request, study, form, keep=keep, title="How it is shown")


@study_page(MANAGE)
@EDIT
def phase(request: HttpRequest, study: Study, pk: int | None = None) -> HttpResponse:
    """Change a phase, or add one."""
    row = get_object_or_404(study.phases, pk=pk) if pk else Phase(study=study)
    form = PhaseForm(_data(request), instance=row)
    title = row.title if pk else "New phase"
    return _edit(request, study, form, keep=partial(keep_part, study, row), title=title)


@study_page(MANAGE)
@EDIT
def group(request: HttpRequest, study: Study, pk: int | None = None) -> HttpResponse:
    """Change a group of judges, or add one."""
    row = get_object_or_404(study.groups, pk=pk) if pk else JudgeGroup(study=study)
    form = GroupForm(_data(request), instance=row)
    title = row.name if pk else "New group of judges"
    return _edit(request, study, form, keep=partial(keep_part, study, row), title=title)


@study_page(MANAGE)
@EDIT
def example(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Change an example."""
    row = get_object_or_404(Example, pk=pk, phase__study=study)
    return _edit_example(request, study, row)


@study_page(MANAGE)
@EDIT
def new_example(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Add an example to a phase."""
    return _edit_example(request, study, Example(phase=get_object_or_404(study.phases, pk=pk)))


@study_page(MANAGE)
@EDIT
def dimension(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Change a dimension."""
    row = get_object_or_404(Dimension, pk=pk, phase__study=study, is_current=True)
    return _edit_dimension(request, study, row)


@study_page(MANAGE)
@EDIT
def new_dimension(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Add a dimension to a phase."""
    return _edit_dimension(request, study, Dimension(phase=get_object_or_404(study.phases, pk=pk)))


@study_page(MANAGE)
@require_POST
def remove(request: HttpRequest, study: Study, kind: str, pk: int) -> HttpResponse:
    """Remove a part, or say why it stays."""
    return _act(request, study, partial(remove_part, study, _part(study, kind, pk)))


@study_page(MANAGE)
@require_POST
def move(request: HttpRequest, study: Study, kind: str, pk: int) -> HttpResponse:
    """Move a part up or down among its like."""
    part = _part(study, kind, pk)
    if isinstance(part, JudgeGroup):
        raise Http404("Groups have no order.")
    up = request.POST.get("to") == "up"
    return _act(request, study, partial(move_part, study, part, up=up))


def _edit_example(request: HttpRequest, study: Study, row: Example) -> HttpResponse:
    form = ExampleForm(_data(request), instance=row)
    title = "Example" if row.pk else "New example"
    return _edit(request, study, form, keep=partial(keep_part, study, row), title=title)


def _edit_dimension(request: HttpRequest, study: Study, row: Dimension) -> HttpResponse:
    title = row.name if row.pk else "New dimension"
    form = DimensionForm(_data(request), instance=row)
    keep = partial(_keep_dimension, study, row, form)
    return _edit(request, study, form, keep=keep, title=title)


def _keep_layout(study: Study, form: LayoutForm) -> None:
    keep_settings(study, form.cleaned_data)


def _keep_dimension(study: Study, row: Dimension, form: DimensionForm) -> None:
    keep_dimension(study, row, form.scale())


def _edit(
    request: HttpRequest,
    study: Study,
    form: BaseForm,
    *,
    keep: Callable[[], object],
    title: str,
) -> HttpResponse:
    """Show a form; take what was said, and go back to the set-up."""
    if form.is_valid():
        try:
            keep()
            return redirect("annotation:setup", slug=study.slug)
        except ValidationError as refusal:
            form.add_error(None, refusal.messages)
    context = {
        "study": study,
        "tab": "overview",
        "form": form,
        "title": title,
        "is_fixed": setup_is_fixed(study),
    }
    status = 422 if form.is_bound else 200
    return render(request, "annotation/setup_part.html", context, status=status)


def _act(request: HttpRequest, study: Study, act: Callable[[], None]) -> HttpResponse:
    try:
        act()
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:setup", slug=study.slug)


def _part(study: Study, kind: str, pk: int) -> Part:
    """Return the part of the study in the kind's collection, or answer 404."""
    found: dict[str, QuerySet[Any]] = {
        "phases": study.phases.all(),
        "groups": study.groups.all(),
        "dimensions": Dimension.objects.filter(phase__study=study, is_current=True),
        "examples": Example.objects.filter(phase__study=study),
    }
    if kind not in found:
        raise Http404("A study has no such parts.")
    part: Part = get_object_or_404(found[kind], pk=pk)
    return part


def _data(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None
