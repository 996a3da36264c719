"""The API described by itself: names of operations, ways to sign in, answers and refusals."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotation.api.serializers import DoneSerializer, RatingSerializer
from annotation.services.judge_preferences import PREFERENCES


class Schema(AutoSchema):
    """Operations named by their address, one name each."""

    def get_operation_id(self) -> str:
        """Return the usual name, with the last part of an address that ends in a parameter."""
        last = re.search(r"{(\w+)}/$", self.path)
        return f"{super().get_operation_id()}{f'_by_{last[1]}' if last else ''}"


class JudgeScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # no types there
    """How a judge's page says who judges."""

    target_class = "annotation.api.access.JudgeTokenAuthentication"
    name = "judgeToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002 -- the framework's signature
        """Return the header."""
        described = "`Judge <token>`, the token being the last part of the judge's personal link."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": described}


class RefusalSerializer(serializers.Serializer[Any]):
    """Why something was refused, in one sentence, in the language of whoever asked."""

    detail = serializers.CharField()
    code = serializers.CharField(required=False, help_text="invalid, stale, not_accepting, ...")


class StoredRatingSerializer(serializers.Serializer[Any]):
    """An answer as it is stored; version 0 is blank."""

    version = serializers.IntegerField(min_value=0)
    value = serializers.FloatField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    missing_reason = serializers.CharField(allow_null=True)


class SavedRatingSerializer(StoredRatingSerializer):
    """An answer that was just stored."""

    is_late = serializers.BooleanField(help_text="The place was given to somebody else meanwhile.")


class StaleSerializer(RefusalSerializer):
    """An answer that was changed elsewhere meanwhile comes with what is stored."""

    rating = StoredRatingSerializer(required=False)


class PageSerializer(serializers.Serializer[Any]):
    """One page of the judge."""

    key = serializers.CharField()
    url = serializers.CharField()
    is_unread = serializers.BooleanField(help_text="Its instructions have yet to be read.")
    html = serializers.CharField()


class PagesSerializer(serializers.Serializer[Any]):
    """The pages that the browser has not."""

    n_held = serializers.IntegerField(help_text="Outputs that the judge holds.")
    pages = PageSerializer(many=True)


class LeftSerializer(serializers.Serializer[Any]):
    """What came of leaving a page; the pages are there where ``have`` was sent."""

    is_late = serializers.BooleanField()
    n_held = serializers.IntegerField(required=False)
    pages = PageSerializer(many=True, required=False)


class StandingSerializer(serializers.Serializer[Any]):
    """Where the judge stands, in outputs."""

    state = serializers.CharField()
    n_done = serializers.IntegerField()
    n_open = serializers.IntegerField()
    n_expected = serializers.IntegerField(allow_null=True)
    next_free_at = serializers.DateTimeField(allow_null=True)


class PreferencesSerializer(serializers.Serializer[Any]):
    """What a judge sets for themselves; what is left out stays."""

    auto_next = serializers.BooleanField(required=False)
    shortcuts = serializers.ChoiceField(PREFERENCES["shortcuts"], required=False)
    theme = serializers.ChoiceField(PREFERENCES["theme"], required=False)
    text_size = serializers.ChoiceField(PREFERENCES["text_size"], required=False)
    divider = serializers.IntegerField(min_value=30, max_value=60, required=False)
    language = serializers.ChoiceField(PREFERENCES["language"], required=False)


class StoredPreferencesSerializer(PreferencesSerializer):
    """All preferences that were set, and the phases whose instructions were read."""

    phases_read = serializers.ListField(child=serializers.SlugField(), required=False)


_SENTENCES = {
    401: "The link is not valid any more.",
    403: "No token of a judge was sent.",
    404: "The judge was not given this.",
    413: "The body is larger than an answer may be.",
    422: "The answer is none that the scale or the question allows.",
    429: "Too many calls; try again in a second.",
}
_REFUSALS: dict[int, Any] = {
    status: OpenApiResponse(RefusalSerializer, sentence) for status, sentence in _SENTENCES.items()
}
_STALE = OpenApiResponse(StaleSerializer, "It was changed elsewhere, or nothing is taken now.")
_HAVE = OpenApiParameter("have", str, description="Keys of the pages in hand, by commas.")


F = TypeVar("F", bound=Callable[..., Response])


def _told(answer: type[serializers.Serializer[Any]], **more: Any) -> Callable[[F], F]:  # noqa: ANN401 -- what the decorator of the library takes
    """Return the decorator of a method of the judge's API, with all that it may answer."""
    return extend_schema(responses={200: answer, 409: _STALE, **_REFUSALS}, **more)


stores_a_rating = _told(SavedRatingSerializer, request=RatingSerializer)
takes_a_rating_back = _told(
    StoredRatingSerializer,
    parameters=[],
    description="Take the answer back to blank. The body says how, as for storing it.",
)
leaves_a_page = _told(LeftSerializer, request=DoneSerializer)
gives_next_pages = _told(PagesSerializer, parameters=[_HAVE])
gives_a_page = _told(PageSerializer)
gives_the_standing = _told(StandingSerializer)
sets_preferences = _told(StoredPreferencesSerializer, request=PreferencesSerializer)
