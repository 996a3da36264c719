"""Clean values of what the judge's page sends."""

from typing import Any, TypeVar

from django.utils.functional import cached_property
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

from annotation.enums import RatingSource
from annotation.models import Phase, Rating
from annotation.services.answers import Answer
from annotation.services.hand_in import VisitTimes
from annotation.services.ratings import Change

T = TypeVar("T")
_FIELDS: dict[type, BindingDict] = {}

# What a judge's page may say of itself; imports and undoing have their own doors.
_SOURCES = [RatingSource.KEY, RatingSource.CLICK, RatingSource.TOUCH, RatingSource.UNDO]


class _Body(serializers.Serializer[T]):
    """A body that comes with every answer: its fields are made once, not for each request."""

    @cached_property
    def fields(self) -> BindingDict:
        """Return the fields, shared by all bodies of the class; validation changes none."""
        if type(self) not in _FIELDS:
            _FIELDS[type(self)] = super().fields
        return _FIELDS[type(self)]


class ChangeSerializer(_Body[Change]):
    """How an answer was given."""

    uuid = serializers.UUIDField()
    source = serializers.ChoiceField(  # type: ignore[assignment]  # hides an option of Field that is not used here
        choices=_SOURCES, default=RatingSource.CLICK
    )
    version = serializers.IntegerField(min_value=0, default=0)
    client_at = serializers.DateTimeField(allow_null=True, default=None)
    active_ms = serializers.IntegerField(
        min_value=0, max_value=2**53, allow_null=True, default=None
    )
    is_auto_next = serializers.BooleanField(default=False)

    def change(self) -> Change:
        """Return the change."""
        data = self.validated_data
        return Change(
            client_uuid=data["uuid"],
            source=RatingSource(data["source"]),
            version=data["version"],
            client_at=data["client_at"],
            active_ms=data["active_ms"],
            is_auto_next=data["is_auto_next"],
        )


class NumberField(serializers.FloatField):
    """A JSON number; a text that looks like one is none."""

    def to_internal_value(self, data: object) -> float:
        """Return the number."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            return float(data)
        except OverflowError:
            self.fail("invalid")


class RatingSerializer(ChangeSerializer):
    """One answer and how it was given: exactly one of value, text, missing_reason."""

    value = NumberField(allow_null=True, default=None)
    text = serializers.CharField(allow_null=True, allow_blank=True, default=None)
    missing_reason = serializers.CharField(allow_null=True, default=None)

    def answer(self) -> Answer:
        """Return the answer."""
        data = self.validated_data
        return Answer(value=data["value"], text=data["text"], missing_reason=data["missing_reason"])


class VisitSerializer(serializers.Serializer[VisitTimes]):
    """How long the judge stayed, in milliseconds."""

    phase = serializers.SlugField()
    pass_number = serializers.IntegerField(min_value=1, max_value=1000, default=1)
    opened_at = serializers.DateTimeField()
    wall_ms = serializers.IntegerField(min_value=0, max_value=2**53, default=0)
    visible_ms = serializers.IntegerField(min_value=0, max_value=2**53, default=0)
    active_ms = serializers.IntegerField(min_value=0, max_value=2**53, default=0)
    first_action_ms = serializers.IntegerField(
        min_value=0, max_value=2**53, allow_null=True, default=None
    )
    n_hidden = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    n_pastes = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)


class DoneSerializer(_Body[Any]):
    """A page is left; ``have`` names the pages that the browser holds already."""

    visits = VisitSerializer(many=True, default=list)
    is_handed_in = serializers.BooleanField(default=True)
    have = serializers.ListField(
        child=serializers.CharField(max_length=20), allow_null=True, default=None, max_length=100
    )

    def visit_times(self, phases: dict[str, Phase]) -> list[VisitTimes]:
        """Return the visits to phases of the study."""
        return [
            VisitTimes(phase=phases[key], **visit)
            for visit in self.validated_data["visits"]
            if (key := visit.pop("phase")) in phases
        ]


def rating_as_json(rating: Rating | None) -> dict[str, Any]:
    """Return an answer as the API echoes it; version 0 is blank."""
    if rating is None:
        return {"version": 0, "value": None, "text": None, "missing_reason": None}
    return {
        "version": rating.version,
        "value": rating.value,
        "text": rating.text,
        "missing_reason": rating.missing_reason,
    }
