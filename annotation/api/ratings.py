"""Ratings over the API: the tidy table, page by page, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.pages import PARAMETERS, REFUSALS, page_of_study
from annotation.selectors.doors.exports import tidy_page


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


class StudyRatings(APIView):
    """The ratings of a study, for its owners and researchers."""

    @extend_schema(parameters=PARAMETERS, responses={200: RatingPageSerializer, **REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        """Return one page of the tidy table, in the order in which ratings were stored."""
        return page_of_study(request, slug, tidy_page, TidyRatingSerializer)
