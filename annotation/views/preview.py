"""A study as a judge would see it; nothing of it is stored."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.forms.preview_pages import preview_steps, step_url
from annotation.models import Study
from annotation.selectors.access import READ
from annotation.selectors.judge_pages import parts_for
from annotation.services.preview import preview_judge
from annotation.views.access import study_page


@study_page(READ)
@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HttpRequest, study: Study, number: int = 1) -> HttpResponse:
    """Show a step of the preview; what is answered there leads on and is forgotten."""
    if request.method == "POST":
        return redirect(step_url(study.slug, number))
    with preview_judge(study, at=timezone.now()) as judge:
        steps = preview_steps(judge)
        if not steps:
            messages.error(request, "Nothing is asked yet: add a phase, and to it a dimension.")
        if not 1 <= number <= len(steps):
            return redirect("annotation:study", slug=study.slug)
        step = steps[number - 1]
        context = {
            "study": study,
            "judge": judge,
            "step": step,
            "phase": step.phase,
            "shown": step.page,
            "dimensions": [
                dimension
                for part in parts_for(judge)
                if part.phase == step.phase
                for dimension in part.dimensions
            ],
            "examples": step.phase.examples.all(),
            "number": number,
            "n_steps": len(steps),
            "before": step_url(study.slug, number - 1) if number > 1 else "",
            "after": step_url(study.slug, number + 1) if number < len(steps) else "",
        }
        return render(request, "annotation/preview.html", context)
