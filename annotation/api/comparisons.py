"""Comparisons over the API: one record a choice, page by page, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.pages import PARAMETERS, REFUSALS, page_of_study
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

    @extend_schema(parameters=PARAMETERS, responses={200: ComparisonPageSerializer, **REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        """Return one page of choices, in the order in which they were stored."""
        return page_of_study(request, slug, tidy_comparison_page, ComparisonSerializer)
