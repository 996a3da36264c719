"""How an uploaded file is read: encoding and shape, what its columns mean, what is let through."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.enums import UploadState
from annotation.forms.uploads import ChoicesForm, MappingForm, ReadingForm
from annotation.models import Study, Upload
from annotation.selectors.access import MANAGE
from annotation.services.uploads import choose_options
from annotation.views.access import study_page
from annotation.views.uploads import is_busy, start_check, wizard


@study_page(MANAGE)
@require_safe
def columns(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show how the file is understood, and let it be changed."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    return _columns(request, row, ReadingForm(upload=row), MappingForm(upload=row))


@study_page(MANAGE)
@require_POST
def set_reading(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Read the file in another way; what its columns mean is guessed anew."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    form = ReadingForm(request.POST, upload=row)
    if not form.is_valid():
        return _columns(request, row, form, MappingForm(upload=row))
    return _check_again(request, row, {"reading": form.reading(), "mapping": None}, to="columns")


@study_page(MANAGE)
@require_POST
def set_mapping(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take the mapping, keep it for files with the same columns, and check the file with it."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    form = MappingForm(request.POST, upload=row)
    if not form.is_valid():
        return _columns(request, row, ReadingForm(upload=row), form)
    options: dict[str, Any] = {"mapping": form.chosen()}
    if form.cleaned_data.get("replaces_bad_bytes"):
        options["reading"] = {**row.options.get("reading", {}), "bad_bytes": "replace"}
    return _check_again(request, row, options)


@study_page(MANAGE)
@require_POST
def set_choices(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Decide what becomes of rows that are wrong, empty or changed, and check again."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    form = ChoicesForm(request.POST, upload=row)
    if not form.is_valid():
        messages.error(request, " ".join(_errors(form)))
        return redirect("annotation:upload", slug=study.slug, pk=pk)
    return _check_again(request, row, form.cleaned_data)


def _check_again(
    request: HttpRequest, row: Upload, options: dict[str, Any], *, to: str = "upload"
) -> HttpResponse:
    if is_busy(row):
        messages.error(request, _("The file is being read; wait until that is done."))
    else:
        try:
            choose_options(row, options, at=timezone.now())
        except ValidationError as refusal:
            messages.error(request, " ".join(refusal.messages))
        else:
            start_check(row, request)
    name = {"upload": "annotation:upload", "columns": "annotation:upload_columns"}[to]
    return redirect(name, slug=row.study.slug, pk=row.pk)


def _columns(
    request: HttpRequest, row: Upload, reading: ReadingForm, mapping: MappingForm
) -> HttpResponse:
    report = row.report or {}
    understood = report.get("understood") or {}
    context = {
        **wizard(row, step="columns"),
        "understood": understood,
        "reading": reading,
        "mapping": mapping,
        "columns": list(mapping.columns()),
        "questions": [f for f in report.get("findings", []) if f["severity"] == "question"],
        "is_locked": row.state in {UploadState.LOADED, UploadState.UNDONE},
    }
    is_bound = reading.is_bound or mapping.is_bound
    template = "annotation/upload_columns.html"
    return render(request, template, context, status=422 if is_bound else 200)


def _errors(form: Form) -> list[str]:
    return [str(error) for errors in form.errors.values() for error in errors]
