"""The guard of a study's pages: signed in, and a member with a fitting role, or 404."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from annotation.enums import Role
from annotation.models import Study
from annotation.selectors.access import studies_of

P = ParamSpec("P")
StudyView = Callable[Concatenate[HttpRequest, Study, P], HttpResponseBase]
PlainView = Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]


def study_page(roles: frozenset[Role]) -> Callable[[StudyView[P]], PlainView[P]]:
    """Give the view its study by slug; whoever is no such member gets a 404."""

    def decorate(view: StudyView[P]) -> PlainView[P]:
        @login_required
        @wraps(view)
        def guarded(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            study = get_object_or_404(studies_of(request.user, roles=roles), slug=slug)
            try:
                return view(request, study, *args, **kwargs)
            except (Study.DoesNotExist, IntegrityError):
                # An owner may have deleted the draft since it was found.
                if Study.objects.filter(pk=study.pk).exists():
                    raise
                raise Http404("The study was deleted just now.") from None

        # Wrapped keeps the name and the docstring of the view; the types know it not.
        return cast("PlainView[P]", guarded)

    return decorate
