"""Protocols as documents: what a study asks goes out and comes back the same."""

import json
from copy import deepcopy

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from annotation.forms.protocol_documents import MAX_BYTES, protocol_in, read_protocol
from annotation.models import Scale, Study
from annotation.selectors.doors.protocol import protocol_of
from annotation.services.presets import PRESETS
from annotation.services.protocol import NewDimension, NewExample, NewPhase, NewScale, Protocol
from annotation.services.studies import create_study
from tests.factories import NOON

ODD = st.sampled_from(
    [None, True, 0, -1, 1e308, "", " ", "a b", "x" * 300, "\0", "\ud800", [], [[]], {}, {"0": 1}]
)


def document(**changes):
    """Return a small document that is right, but for the changes."""
    scale = {"points": [{"value": 1, "label": "Poor"}, {"value": 2, "label": "Good"}]}
    return {
        "phases": [{"phase": "rating", "title": "Rating"}],
        "dimensions": [{"phase": "rating", "key": "fluency", "name": "Fluency", "scale": scale}],
        "groups": [{"key": "crowd", "name": "Crowd", "judges_per_unit": 3}],
    } | changes


def asked(study):
    """Return the document of a study without what belongs to one run of it."""
    own = {"slug", "title", "state", "seed", "created_at", "opened_at", "closed_at"}
    whole = protocol_of(study.pk)
    return whole | {"study": {k: v for k, v in whole["study"].items() if k not in own}}


@pytest.mark.django_db
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_study_made_of_a_studys_document_asks_the_same(preset):
    first = create_study("first", title="First", protocol=PRESETS[preset][1], at=NOON)

    text = json.dumps(protocol_of(first.pk)).encode()
    second = create_study("second", title="Second", protocol=read_protocol(text), at=NOON)

    assert asked(second) == asked(first)
    assert Scale.objects.filter(study=second).count() == Scale.objects.filter(study=first).count()


@pytest.mark.django_db
def test_examples_ranges_and_settings_come_back():
    protocol = Protocol(
        scales=[NewScale("range", limits=(0, 100, 0.5), measurement="interval")],
        phases=[
            NewPhase(
                key="rating",
                title="Rating",
                instructions="# Read\n\nthen rate",
                suggestions="- Twice",
                examples=[NewExample(text="A <b>text</b>", kind="counter", explanation="Too bold")],
                dimensions=[
                    NewDimension(
                        key="worth", name="Worth", kind="range", scale="range", is_required=False,
                        allows_no_answer=True,
                    )
                ],
            )
        ],
        groups=[],
        settings={"layout": "page", "page_size": 10, "repeat_percent": 5, "set_size": 5},
    )  # fmt: skip
    first = create_study("first", title="First", protocol=protocol, at=NOON)

    second = create_study(
        "second", title="Second", protocol=protocol_in(protocol_of(first.pk)), at=NOON
    )

    assert asked(second) == asked(first)
    assert second.phases.get().examples.get().text == "A <b>text</b>"


def test_only_the_current_version_of_a_dimension_is_asked_again():
    old, new = (document()["dimensions"][0] | {"is_current": now} for now in (False, True))

    protocol = protocol_in(document(dimensions=[old, new | {"name": "Flow"}]))

    assert [dimension.name for dimension in protocol.phases[0].dimensions] == ["Flow"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"phases": [{"phase": "rating"}]}, "phases › 1 › title: This field is required."),
        ({"phases": []}, "The dimension fluency names the phase rating, which is not among"),
        ({"phases": document()["phases"] * 2}, "The phase rating stands there twice."),
        ({"dimensions": document()["dimensions"] * 2}, "The dimension fluency stands twice in"),
        ({"groups": document()["groups"] * 2}, "The group crowd stands there twice."),
        ({"groups": [{"key": "c", "name": "C", "judges_per_unit": 0}]}, "groups › 1 › judges_per"),
        ({"study": {"layout": "circle"}}, 'study › layout: "circle" is not a valid choice.'),
        ({"study": {"page_size": -1}}, "study › page_size: Ensure this value is greater"),
        ({"dimensions": "all"}, 'dimensions: Expected a list of items but got type "str".'),
    ],
)
def test_a_fault_is_said_with_its_place(changes, message):
    with pytest.raises(ValidationError) as refusal:
        protocol_in(document(**changes))

    assert any(told.startswith(message) for told in refusal.value.messages), refusal.value.messages


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ({"points": [{"value": 1}]}, "scale: A scale needs at least two points."),
        ({"points": [{"value": 1}, {"value": 1}]}, "scale: A point stands there twice: 1."),
        ({"kind": "range", "minimum": 0}, "scale: A range needs a minimum, a maximum and a step."),
        ({"points": [{"value": "many"}, {"value": 1}]}, "scale › points › 1 › value: A valid num"),
    ],
)
def test_a_scale_that_is_none_is_refused(scale, message):
    row = document()["dimensions"][0] | {"scale": scale}

    with pytest.raises(ValidationError) as refusal:
        protocol_in(document(dimensions=[row]))

    assert refusal.value.messages[0].startswith(f"dimensions › 1 › {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is no JSON"),
        (b"{", "The file is no JSON: Expecting property name"),
        (b'"\xff"', "The file is no text in UTF-8."),
        (b"[" * 100_000, "The file is nested too deeply"),
        (b'{"phases": NaN}', "The file is no JSON: NaN is no number of JSON."),
        (b" " * (MAX_BYTES + 1), "A protocol is at most 1 MB"),
        (b"[]", "Invalid data. Expected a dictionary, but got list."),
    ],
)
def test_a_file_that_is_no_protocol_is_refused(content, message):
    with pytest.raises(ValidationError) as refusal:
        read_protocol(content)

    assert refusal.value.messages[0].startswith(message)


def places(value):
    """Yield every container of a document with each of its keys."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inner:
        yield value, key
        if isinstance(part, dict | list):
            yield from places(part)


@given(st.data())
def test_a_document_with_odd_values_is_a_protocol_or_refused(data):
    whole = document(study={"layout": "page", "page_size": 2, "exclusion_rules": []})
    for _ in range(data.draw(st.integers(1, 3))):
        every = list(places(whole))
        container, key = every[data.draw(st.integers(0, len(every) - 1))]
        container[key] = deepcopy(data.draw(ODD))

    try:
        protocol = protocol_in(whole)
    except ValidationError as refusal:
        told = refusal.messages
    else:
        told = [phase.title for phase in protocol.phases] or ["no phase"]

    assert all(told)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_protocol_or_refused(content):
    with pytest.raises(ValidationError):
        read_protocol(content)


@pytest.mark.django_db
def test_settings_that_the_study_refuses_leave_nothing_behind():
    protocol = protocol_in(document(study={"exclusion_rules": [{"kind": "unknown"}]}))

    with pytest.raises(ValidationError):
        create_study("second", title="Second", protocol=protocol, at=NOON)

    assert not Study.objects.exists()
