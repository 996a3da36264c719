"""The guard of the report's pages: members who may read ratings; for all others there is none."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase

from metrics_app.loaders.studies import StudyRow, study_for

P = ParamSpec("P")
StudyView = Callable[Concatenate[HttpRequest, StudyRow, P], HttpResponseBase]
PlainView = Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]
# Monitors see how a study goes, never what was said.
READERS = frozenset({"owner", "researcher"})


OWNERS = frozenset({"owner"})


def report_page_of(view: StudyView[P]) -> PlainView[P]:
    """Give the view its study by slug; whoever may not read its ratings gets a 404."""
    return _page_of(view, READERS)


def owner_page_of(view: StudyView[P]) -> PlainView[P]:
    """Give the view its study by slug; whoever does not own it gets a 404."""
    return _page_of(view, OWNERS)


def _page_of(view: StudyView[P], roles: frozenset[str]) -> PlainView[P]:
    @login_required
    @wraps(view)
    def guarded(
        request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        study = study_for(request.user, slug, roles=roles)
        if study is None:
            raise Http404
        return view(request, study, *args, **kwargs)

    # Wrapped keeps the name and the docstring of the view; the types know it not.
    return cast("PlainView[P]", guarded)
