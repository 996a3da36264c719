"""The items of a study, to be read: sources, outputs, and what judges said of them."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Study
from annotation.selectors.access import READ
from annotation.selectors.doors.blinding import may_see_results
from annotation.selectors.items import items_of, neighbours, outputs_of, with_texts
from annotation.views.access import study_page

PER_PAGE = 50


@study_page(READ)
@require_safe
def items(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the items in order, a page at a time; ``q`` finds by a part of the id."""
    wanted = request.GET.get("q", "").strip()[:200]
    page = Paginator(items_of(study, wanted=wanted), PER_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "tab": "overview", "page": page, "wanted": wanted}
    return render(request, "annotation/items.html", context)


@study_page(READ)
@require_safe
def item(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show an item with its outputs; with their ratings where these may be seen."""
    row = get_object_or_404(with_texts(study.items.all()), pk=pk)
    sees_results = may_see_results(request.user, study.pk)
    before, after = neighbours(row)
    context = {
        "study": study,
        "tab": "overview",
        "item": row,
        "before": before,
        "after": after,
        "outputs": outputs_of(row, with_ratings=sees_results),
        "sees_results": sees_results,
    }
    return render(request, "annotation/item.html", context)
