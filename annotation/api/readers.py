"""Who may read what judges said over the API."""

from django.http import Http404
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from annotation.models import Study
from annotation.selectors.access import READ, studies_of
from annotation.selectors.doors.blinding import may_see_results


def study_to_read(request: Request, slug: str) -> Study:
    """Return the study whose answers the user may read now.

    Raises
    ------
    Http404
        If there is no such study, or it is none of the user's.
    PermissionDenied
        While the study hides its results.
    """
    study = studies_of(request.user, roles=READ).filter(slug=slug).first()
    if study is None:
        raise Http404
    if not may_see_results(request.user, study.pk):
        raise PermissionDenied("The ratings are hidden until the study is closed.")
    return study
