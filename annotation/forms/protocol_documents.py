"""A protocol as a document: the `protocol.json` of a bundle, read into what a new study needs."""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from django.core.exceptions import ValidationError
from rest_framework import serializers

from annotation.enums import DimensionKind, ExampleKind, GroupKind, Layout, Measurement, ScaleKind
from annotation.services.protocol import (
    NewDimension,
    NewExample,
    NewGroup,
    NewPhase,
    NewScale,
    Protocol,
)

MAX_BYTES = 1_000_000
Data = Mapping[str, Any]
K = TypeVar("K", bound=Hashable)


class _Point(serializers.Serializer[Any]):
    value = serializers.FloatField()
    # `label` and `source` are fields here: the class gives them up before they hide the base's.
    label = serializers.CharField(max_length=80, allow_blank=True, default="")  # type: ignore[assignment]


class _Scale(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(ScaleKind.choices, default=ScaleKind.POINTS)
    measurement = serializers.ChoiceField(Measurement.choices, default=Measurement.ORDINAL)
    minimum = serializers.FloatField(allow_null=True, default=None)
    maximum = serializers.FloatField(allow_null=True, default=None)
    step = serializers.FloatField(allow_null=True, default=None)
    points = _Point(many=True, default=list)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse points that stand twice, too few of them, and a range without its ends."""
        twice = _twice(f"{point['value']:g}" for point in attrs["points"])
        if twice:
            raise serializers.ValidationError(f"A point stands there twice: {', '.join(twice)}.")
        if attrs["kind"] == ScaleKind.POINTS and len(attrs["points"]) < 2:
            raise serializers.ValidationError("A scale needs at least two points.")
        if attrs["kind"] == ScaleKind.RANGE and None in _limits(attrs):
            raise serializers.ValidationError("A range needs a minimum, a maximum and a step.")
        return attrs


class _Dimension(serializers.Serializer[Any]):
    phase = serializers.SlugField(max_length=60)
    key = serializers.SlugField(max_length=60)
    is_current = serializers.BooleanField(default=True)
    kind = serializers.ChoiceField(DimensionKind.choices, default=DimensionKind.POINTS)
    name = serializers.CharField(max_length=100)
    definition = serializers.CharField(allow_blank=True, default="")
    question = serializers.CharField(allow_blank=True, default="")
    is_required = serializers.BooleanField(default=True)
    allows_no_answer = serializers.BooleanField(default=False)
    allows_tie = serializers.BooleanField(default=False)
    scale = _Scale(allow_null=True, default=None)


class _Example(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(ExampleKind.choices, default=ExampleKind.EXAMPLE)
    source = serializers.CharField(allow_blank=True, default="")  # type: ignore[assignment]
    text = serializers.CharField()
    explanation = serializers.CharField(allow_blank=True, default="")


class _Phase(serializers.Serializer[Any]):
    phase = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=200)
    instructions = serializers.CharField(allow_blank=True, default="")
    suggestions = serializers.CharField(allow_blank=True, default="")
    examples = _Example(many=True, default=list)


class _Group(serializers.Serializer[Any]):
    key = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=100)
    kind = serializers.ChoiceField(GroupKind.choices, default=GroupKind.OTHER)
    judges_per_unit = serializers.IntegerField(min_value=1, max_value=100)


class _Settings(serializers.Serializer[Any]):
    """What of a study's settings goes with its protocol; the rest belongs to one run of it."""

    description = serializers.CharField(required=False, allow_blank=True)
    layout = serializers.ChoiceField(Layout.choices, required=False)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=100)
    one_dimension_per_pass = serializers.BooleanField(required=False)
    shuffles_dimensions = serializers.BooleanField(required=False)
    source_once_per_judge = serializers.BooleanField(required=False)
    repeat_percent = serializers.IntegerField(required=False, min_value=0, max_value=50)
    hides_systems = serializers.BooleanField(required=False)
    hides_results = serializers.BooleanField(required=False)
    exclusion_rules = serializers.JSONField(required=False)
    lease_minutes = serializers.IntegerField(required=False, min_value=1, max_value=525_600)
    pairs_per_item = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=1_000
    )
    sets_per_item = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    set_size = serializers.IntegerField(required=False, min_value=3, max_value=5)
    source_title = serializers.CharField(required=False, max_length=60)
    output_title = serializers.CharField(required=False, max_length=60)


class _Document(serializers.Serializer[Any]):
    study = _Settings(default=dict)
    phases = _Phase(many=True)
    dimensions = _Dimension(many=True)
    groups = _Group(many=True, default=list)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a dimension of a phase that is not there, and what stands there twice."""
        attrs["dimensions"] = [row for row in attrs["dimensions"] if row["is_current"]]
        phases = [phase["phase"] for phase in attrs["phases"]]
        asked = [(row["phase"], row["key"]) for row in attrs["dimensions"]]
        groups = [group["key"] for group in attrs["groups"]]
        faults = [
            f"The dimension {key} names the phase {phase}, which is not among the phases."
            for phase, key in asked
            if phase not in phases
        ]
        faults += [f"The phase {key} stands there twice." for key in _twice(phases)]
        faults += [f"The dimension {key} stands twice in {phase}." for phase, key in _twice(asked)]
        faults += [f"The group {key} stands there twice." for key in _twice(groups)]
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


def read_protocol(content: bytes) -> Protocol:
    """Return the protocol that a document describes; names it does not know are passed over.

    Raises
    ------
    ValidationError
        With one message for each fault: where it stands, and what is wrong there.
    """
    if len(content) > MAX_BYTES:
        raise ValidationError("A protocol is at most 1 MB; this file is no protocol.")
    try:
        # NaN and infinity are no JSON, and no point of a scale.
        document = json.loads(content, parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise ValidationError("The file is no text in UTF-8.") from None
    except RecursionError:
        raise ValidationError("The file is nested too deeply to be a protocol.") from None
    except ValueError as fault:
        raise ValidationError(f"The file is no JSON: {fault}.") from None
    return protocol_in(document)


def protocol_in(document: object) -> Protocol:
    """Return the protocol in a document that has been parsed; see `read_protocol`."""
    serializer = _Document(data=document)
    if not serializer.is_valid():
        raise ValidationError(list(_told(serializer.errors)))
    return _protocol(serializer.validated_data)


def _protocol(data: Data) -> Protocol:
    scales: list[NewScale] = []
    dimensions: dict[str, list[NewDimension]] = {row["phase"]: [] for row in data["phases"]}
    for row in data["dimensions"]:
        dimensions[row["phase"]].append(_dimension(row, scales))
    return Protocol(
        scales=scales,
        phases=[
            NewPhase(
                key=row["phase"],
                title=row["title"],
                instructions=row["instructions"],
                suggestions=row["suggestions"],
                examples=[NewExample(**example) for example in row["examples"]],
                dimensions=dimensions[row["phase"]],
            )
            for row in data["phases"]
        ],
        groups=[NewGroup(**row) for row in data["groups"]],
        settings=dict(data["study"]),
    )


def _dimension(row: Data, scales: list[NewScale]) -> NewDimension:
    named = {name: value for name, value in row.items() if name not in {"phase", "is_current"}}
    if row["scale"] is None:
        return NewDimension(**named)
    return NewDimension(**named | {"scale": _scale_key(row["scale"], scales)})


def _scale_key(data: Data, scales: list[NewScale]) -> str:
    """Return the key of the scale among those known; equal scales are one."""
    new = NewScale(
        key=f"scale-{len(scales) + 1}",
        points=[(point["value"], point["label"]) for point in data["points"]],
        limits=_limits(data) if data["kind"] == ScaleKind.RANGE else None,
        measurement=Measurement(data["measurement"]),
    )
    for known in scales:
        if (known.points, known.limits, known.measurement) == (
            new.points, new.limits, new.measurement
        ):  # fmt: skip
            return known.key
    scales.append(new)
    return new.key


def _limits(data: Data) -> tuple[float, float, float]:
    return data["minimum"], data["maximum"], data["step"]


def _told(errors: object, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield nested errors as sentences that begin with their place, rows counted from 1."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from _told(inner, path + _step(name))
    elif isinstance(errors, list):
        for inner in errors:
            yield from _told(inner, path)
    else:
        yield f"{' › '.join(path)}: {errors}" if path else str(errors)


def _step(name: object) -> tuple[str, ...]:
    if isinstance(name, int):
        return (str(name + 1),)
    return () if name == "non_field_errors" else (str(name),)


def _twice(values: Iterable[K]) -> list[K]:
    return [value for value, n in Counter(values).items() if n > 1]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
