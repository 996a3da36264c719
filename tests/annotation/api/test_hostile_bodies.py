"""A judge who sends what no page sends: refused in one sentence of JSON, and nothing is written."""

import gzip
import json
import uuid

import pytest
from django.test import Client

from annotation.models import Judge, Rating, RatingEvent, Visit
from annotation.services.places import draw
from tests.annotation.judging_studies import make_judge, make_study, three_dimensions
from tests.factories import NOON

pytestmark = pytest.mark.django_db
GOOD = {"value": 3, "uuid": str(uuid.UUID(int=7)), "version": 0, "source": "key"}


def body(**changed):
    return json.dumps({**GOOD, **changed})


def raw(value, name="value"):
    """Return a body in which one value stands as it is given, JSON or not."""
    rest = json.dumps({key: one for key, one in GOOD.items() if key != name})[1:]
    return f'{{"{name}": {value}, {rest}'


@pytest.fixture
def sent():
    """Return a function that sends a rating of a judge, and the start of its address."""
    judge, token = make_judge(make_study(three_dimensions(allows_no_answer=True)))
    (place,) = draw(judge, at=NOON)
    client = Client(headers={"authorization": f"Judge {token}"}, raise_request_exception=False)

    def send(data, *, method="PUT", path=None, content_type="application/json", **headers):
        address = f"/api/judging/{path or f'{place.handle}/ratings/fluency/'}"
        return client.generic(method, address, data, content_type, headers=headers)

    return send


def refused(response, *statuses):
    """Hold the response to a refusal in one sentence after which nothing is stored."""
    assert response.status_code in statuses, response.content[:200]
    assert response["Content-Type"].startswith("application/json")
    assert response.json()["detail"].strip()
    assert not Rating.objects.exists()
    assert not RatingEvent.objects.exists()
    assert not Visit.objects.exists()
    assert "theme" not in Judge.objects.get().preferences
    return True


def test_what_is_changed_below_would_be_stored(sent):
    assert sent(body()).status_code == 200
    assert Rating.objects.get().value == 3


@pytest.mark.parametrize(
    "value",
    [
        *("9", "0", "-1", "2.5", "true", "false", "[3]", "{}", '"3"', '"three"', '"٣"'),
        *("1" + "0" * 400, "1e308", "1e999", '"NaN"', "null"),
    ],
)
def test_a_value_that_is_no_point_is_422(sent, value):
    assert refused(sent(raw(value)), 422)


@pytest.mark.parametrize(
    "data",
    [
        *(raw("NaN"), raw("-Infinity"), raw("9" * 6000), raw("[" * 9000 + "]" * 9000)),
        *("value=3", "", "   ", body()[:-1], raw('"\\ud800"', "missing_reason")),
        body()[:-1] + ', "value": 2}',
        b'{"value": \xff}',
        "\ufeff" + body(),
        body().encode("utf-16"),
        gzip.compress(body().encode(), mtime=0),
    ],
)
def test_a_malformed_body_is_400_or_422(sent, data):
    assert refused(sent(data), 400, 422)


@pytest.mark.parametrize("data", ["[]", "3", "null", '"x"', "[[1]]"])
def test_json_that_is_no_object_is_422(sent, data):
    assert refused(sent(data), 422)


@pytest.mark.parametrize(
    "changed",
    [
        *({"version": 77}, {"version": -1}, {"version": "0x"}, {"version": 2**70}),
        *({"uuid": "xyz"}, {"uuid": None}, {"uuid": [1]}, {"uuid": -5}, {"uuid": 2**200}),
        *({"source": "import"}, {"source": "😀"}, {"source": []}),
        *({"client_at": "yesterday"}, {"client_at": "0000-00-00T00:00:00Z"}, {"client_at": 5}),
        *({"active_ms": -1}, {"active_ms": 2**70}, {"active_ms": 1.5}),
        *({"is_auto_next": "maybe"}, {"is_auto_next": []}),
        *({"value": None, "text": "hi"}, {"value": None, "missing_reason": "a\0b"}),
        *({"value": None, "missing_reason": "x" * 5000}, {"missing_reason": "other"}),
    ],
)
def test_a_wrong_field_is_409_or_422(sent, changed):
    assert refused(sent(body(**changed)), 409, 422)


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json", ""],
)
def test_another_content_type_is_415(sent, content_type):
    assert refused(sent(body(), content_type=content_type), 415)


@pytest.mark.parametrize("size", [66_000, 10_000_000])
def test_a_large_body_is_413(sent, size):
    assert refused(sent(body(text="x" * size)), 413)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "TRACE", "PATCH", "POST", "BREW"])
def test_another_method_is_405(sent, method):
    response = sent("", method=method)

    assert response.status_code == 405
    assert method == "HEAD" or refused(response, 405)


def test_a_look_at_the_head_of_what_is_next_leases_nothing(sent):
    n_held = Judge.objects.get().assignments.count()

    assert sent("", method="HEAD", path="next/").status_code == 405
    assert Judge.objects.get().assignments.count() == n_held


@pytest.mark.parametrize(
    "path",
    [
        *("notauuid/ratings/fluency/", f"{uuid.UUID(int=1)}/ratings/fluency/", "", "nothing/"),
        *("pages/-1/", "pages/99999999999999999999/", "pages/1/%D9%A1/", "pages/%00/", "%FF/"),
        *("%F0%9F%98%80/", "%2e%2e/", "%E2%80%AE/ratings/x/"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_unknown_address_is_404(sent, path, method):
    path = path or "?"

    assert refused(sent(body(), method=method, path=path), 404, 405)


@pytest.mark.parametrize(
    ("path", "method", "data"),
    [
        ("preferences/", "PUT", '{"theme": "neon"}'),
        ("preferences/", "PUT", '{"theme": "\\ud800"}'),
        ("preferences/", "PUT", '{"theme": "dark", "evil": 1}'),
        ("preferences/", "PUT", '{"theme": "dark", "theme": "light"}'),
        ("preferences/", "PUT", "[]"),
        ("done", "POST", '{"visits": [{}]}'),
        ("done", "POST", '{"visits": 5}'),
        ("done", "POST", '{"have": ["' + "1" * 30 + '"]}'),
        ("done", "POST", "{}"),  # complete it is not
    ],
)
def test_other_calls_refuse_likewise(sent, path, method, data):
    place = Judge.objects.get().assignments.get()
    path = f"{place.handle}/done/" if path == "done" else path

    assert refused(sent(data, method=method, path=path), 400, 422)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "TRACE"])
@pytest.mark.parametrize("path", ["", "pause/"])
def test_a_page_that_only_reads_answers_another_method_with_405(method, path):
    _, token = make_judge(make_study())

    response = Client(enforce_csrf_checks=True).generic(method, f"/j/{token}/{path}")

    assert response.status_code == 405
