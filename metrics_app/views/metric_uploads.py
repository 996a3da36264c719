"""Scores made elsewhere: a file is loaded whole, or refused with its reasons."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from metrics_app.forms.metrics import ScoresForm
from metrics_app.loaders.studies import StudyRow
from metrics_app.models import Direction
from metrics_app.services.scores import Loaded, import_scores
from metrics_app.views.access import is_blind_for, report_page_of
from metrics_app.views.metrics import show_metrics


@report_page_of
@require_POST
def upload_scores(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Load a file of scores for the outputs' current texts."""
    form = ScoresForm(request.POST, request.FILES)
    if is_blind_for(request.user, study):
        # A file of scores names systems, and so does what is said of a wrong one.
        form.add_error("file", _("Systems are hidden until the study is closed: ask an owner."))
    if form.is_valid():
        direction = Direction(form.cleaned_data["direction"])
        try:
            loaded = _load(study, form.cleaned_data["file"], direction)
        except ValidationError as refusal:
            form.add_error("file", refusal)
        else:
            messages.success(
                request,
                f"{loaded.n_scores:,} scores of {loaded.n_metrics} metrics are loaded, "
                f"{loaded.n_replaced:,} of them in the place of earlier ones.",
            )
            return redirect("metrics_app:metrics", slug=study.slug)
    return show_metrics(request, study, form)


def _load(study: StudyRow, file: "UploadedFile[bytes]", direction: Direction) -> Loaded:
    # The reader tells formats by their suffixes, so the file keeps its name.
    with TemporaryDirectory() as folder:
        path = Path(folder) / (Path(file.name or "scores.csv").name or "scores.csv")
        with path.open("wb") as copy:
            for part in file.chunks():
                copy.write(part)
        return import_scores(study, path, direction=direction)
