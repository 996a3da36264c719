"""Ratings over the API: the tidy table, page by page, for programs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.readers import study_to_read
from annotation.selectors.doors.exports import tidy_page

LIMIT, MOST = 1_000, 10_000


class TidyRatingSerializer(serializers.Serializer[Any]):
    """One row of the tidy table, in the fields of every export."""

    study = serializers.CharField()
    phase = serializers.CharField()
    dimension = serializers.CharField()
    item_id = serializers.CharField()
    batch = serializers.CharField(allow_blank=True)
    system = serializers.CharField()
    output_version = serializers.IntegerField(allow_null=True)
    fact_id = serializers.CharField(allow_blank=True)
    judge = serializers.CharField(help_text="Pseudonym; never the name on a platform.")
    judge_group = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # the contract's name
    text = serializers.CharField(allow_blank=True)
    missing_reason = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True)
    is_check = serializers.BooleanField()
    repeat_of = serializers.CharField(allow_blank=True)
    valid = serializers.BooleanField()
    excluded_by = serializers.CharField(allow_blank=True)
    late = serializers.BooleanField()
    origin = serializers.CharField()
    opened_at = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField(allow_null=True)
    active_seconds = serializers.FloatField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)


class RatingPageSerializer(serializers.Serializer[Any]):
    """One page of ratings; ``next`` is the address of the following one, or null."""

    next = serializers.URLField(allow_null=True)
    results = TidyRatingSerializer(many=True)


class PageQuerySerializer(serializers.Serializer[Any]):
    """Where a page begins, and how long it is."""

    after = serializers.IntegerField(min_value=0, max_value=2**63 - 1, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=MOST, default=LIMIT)


class StudyRatings(APIView):
    """The ratings of a study, for its owners and researchers."""

    @extend_schema(
        parameters=[
            OpenApiParameter("after", int, description="Take the value from `next`."),
            OpenApiParameter("limit", int, description=f"Rows on a page, at most {MOST}."),
        ],
        responses={
            200: RatingPageSerializer,
            400: OpenApiResponse(description="A parameter is no number, or out of bounds."),
            403: OpenApiResponse(
                description="Nobody is signed in, or ratings are hidden until the study is closed."
            ),
            404: OpenApiResponse(description="No such study, or none of yours to read."),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return one page of the tidy table, in the order in which ratings were stored."""
        study = study_to_read(request, slug)
        query = PageQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        limit = query.validated_data["limit"]
        rows, last = tidy_page(
            study.pk, study.slug, after=query.validated_data["after"], limit=limit
        )
        address = request.build_absolute_uri(f"{request.path}?after={last}&limit={limit}")
        results = TidyRatingSerializer(rows, many=True).data
        return Response({"next": address if last else None, "results": results})
