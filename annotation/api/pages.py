"""What judges said, page by page, for programs: the same rules for ratings and comparisons."""

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.readers import study_to_read

LIMIT, MOST = 1_000, 10_000
PARAMETERS = [
    OpenApiParameter("after", int, description="Take the value from `next`."),
    OpenApiParameter("limit", int, description=f"Rows on a page, at most {MOST}."),
]
REFUSALS = {
    400: OpenApiResponse(description="A parameter is no number, or out of bounds."),
    403: OpenApiResponse(
        description="Nobody is signed in, or answers are hidden until the study is closed."
    ),
    404: OpenApiResponse(description="No such study, or none of yours to read."),
}


class PageQuerySerializer(serializers.Serializer[Any]):
    """Where a page begins, and how long it is."""

    after = serializers.IntegerField(min_value=0, max_value=2**63 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=MOST, default=LIMIT)


def page_of_study(
    request: Request,
    slug: str,
    read: Callable[..., tuple[Sequence[Any], int | None]],
    row: type[serializers.Serializer[Any]],
) -> Response:
    """Return the page that a program asks for, of what ``read`` finds in a study it may read."""
    study = study_to_read(request, slug)
    query = PageQuerySerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    limit = query.validated_data["limit"]
    rows, last = read(study.pk, study.slug, after=query.validated_data["after"], limit=limit)
    address = request.build_absolute_uri(f"{request.path}?after={last}&limit={limit}")
    results = row(rows, many=True).data
    return Response({"next": address if last else None, "results": results})
