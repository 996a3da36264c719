"""Comparisons over the API: one record a choice, page by page, for programs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.ratings import MOST, PageQuerySerializer
from annotation.api.readers import study_to_read
from annotation.selectors.doors.exports import tidy_comparison_page


class MemberSerializer(serializers.Serializer[Any]):
    """One output compared, and the rank it was given: 1 is the best."""

    system = serializers.CharField()
    output_version = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    """One choice, in the fields of the export."""

    study = serializers.CharField()
    phase = serializers.CharField()
    dimension = serializers.CharField()
    item_id = serializers.CharField()
    batch = serializers.CharField(allow_blank=True)
    judge = serializers.CharField(help_text="Pseudonym; never the name on a platform.")
    judge_group = serializers.CharField()
    members = MemberSerializer(many=True)
    choice = serializers.CharField(help_text="A>B, best before worst, or A=B, a tie.")
    best = serializers.CharField(allow_blank=True)
    worst = serializers.CharField(allow_blank=True)
    is_tie = serializers.BooleanField()
    text = serializers.CharField(allow_blank=True)
    missing_reason = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True)
    repeat_of = serializers.CharField(allow_blank=True)
    valid = serializers.BooleanField()
    excluded_by = serializers.CharField(allow_blank=True)
    late = serializers.BooleanField()
    origin = serializers.CharField()
    opened_at = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField(allow_null=True)
    active_seconds = serializers.FloatField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)


class ComparisonPageSerializer(serializers.Serializer[Any]):
    """One page of choices; ``next`` is the address of the following one, or null."""

    next = serializers.URLField(allow_null=True)
    results = ComparisonSerializer(many=True)


class StudyComparisons(APIView):
    """The comparisons of a study, for its owners and researchers."""

    @extend_schema(
        parameters=[
            OpenApiParameter("after", int, description="Take the value from `next`."),
            OpenApiParameter("limit", int, description=f"Rows on a page, at most {MOST}."),
        ],
        responses={
            200: ComparisonPageSerializer,
            400: OpenApiResponse(description="A parameter is no number, or out of bounds."),
            403: OpenApiResponse(
                description="Nobody is signed in, or answers are hidden until the study is closed."
            ),
            404: OpenApiResponse(description="No such study, or none of yours to read."),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return one page of choices, in the order in which they were stored."""
        study = study_to_read(request, slug)
        query = PageQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        limit = query.validated_data["limit"]
        rows, last = tidy_comparison_page(
            study.pk, study.slug, after=query.validated_data["after"], limit=limit
        )
        address = request.build_absolute_uri(f"{request.path}?after={last}&limit={limit}")
        results = ComparisonSerializer(rows, many=True).data
        return Response({"next": address if last else None, "results": results})
