"""The guard of the report's pages: members who may read ratings; for all others there is none."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from metrics_app.loaders.studies import StudyRow, is_blind, may_see_results, study_for

P = ParamSpec("P")
StudyView = Callable[Concatenate[HttpRequest, StudyRow, P], HttpResponseBase]
PlainView = Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]
# Monitors see how a study goes, never what was said.
READERS = frozenset({"owner", "researcher"})


OWNERS = frozenset({"owner"})


def report_page_of(view: StudyView[P]) -> PlainView[P]:
    """Give the view its study by slug; whoever may not read its ratings gets a 404."""
    return _page_of(view, READERS)


def results_page_of(view: StudyView[P]) -> PlainView[P]:
    """As `report_page_of`; where the study hides its results until it is closed, 403 says so."""

    @wraps(view)
    def open_only(
        request: HttpRequest, study: StudyRow, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if not may_see_results(request.user, study.id):
            context = {"study": study, "tab": "report"}
            return render(request, "annotation/hidden.html", context, status=403)
        return view(request, study, *args, **kwargs)

    return report_page_of(cast("StudyView[P]", open_only))


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


def is_blind_for(user: User | AnonymousUser, study: StudyRow) -> bool:
    """Return whether the study hides the names of its systems from this user now."""
    return is_blind(study.id) and study_for(user, study.slug, roles=OWNERS) is None
