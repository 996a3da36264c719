"""The schema says what the API is: complete, valid, and true of what is answered."""

import uuid
from io import StringIO

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from annotation.models import Rating
from annotation.services.places import draw
from tests.annotation.comparing_studies import choose
from tests.annotation.comparing_studies import make_study as make_comparing_study
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    PhaseFactory,
    StudyFactory,
    StudyMemberFactory,
    UserFactory,
)

SCHEMA = "/api/schema/"


def test_it_is_generated_without_a_warning():
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO())


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["owner", "researcher", "monitor"])
def test_whoever_is_signed_in_may_read_it(client, role):
    client.force_login(StudyMemberFactory(role=role).user)

    response = client.get(SCHEMA, {"format": "json"})

    assert response.status_code == 200
    assert "/api/studies/{slug}/ratings/" in response.json()["paths"]


@pytest.mark.django_db
def test_strangers_and_judges_may_not(client):
    _, token = make_judge(make_study())

    assert client.get(SCHEMA).status_code == 403
    judge = Client(headers={"authorization": f"Judge {token}"})
    assert judge.get(SCHEMA).status_code == 403


@pytest.mark.django_db
def test_it_names_no_system_and_no_study(client):
    comparing = make_comparing_study(k=1, n_items=1).study
    client.force_login(UserFactory(is_superuser=True))

    page = client.get(SCHEMA).content.decode()

    assert comparing.slug not in page
    for system in comparing.systems.all():
        assert f": {system.key}\n" not in page


def holds(path, method, response):
    """Hold an answer to what the schema says of its status."""
    whole = SchemaGenerator().get_schema(request=None, public=True)
    answers = whole["paths"][path][method]["responses"]
    described = answers[str(response.status_code)]["content"]["application/json"]["schema"]
    named = {**described, "components": whole["components"]}
    jsonschema.validate(response.json(), _nullable(named))


def _nullable(schema):
    """Write OpenAPI's ``nullable`` as JSON Schema knows it; forbid what is not described."""
    if isinstance(schema, list):
        return [_nullable(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _nullable(entry) for key, entry in schema.items()}
    if plain.get("type") == "object" and "properties" in plain:
        plain["additionalProperties"] = False
    if plain.pop("nullable", None):
        return {"anyOf": [plain, {"type": "null"}]}
    return plain


@pytest.mark.django_db
def test_answers_to_a_judge_are_as_described():
    group = make_study()
    judge, token = make_judge(group)
    (place,) = draw(judge, at=NOON)
    client = Client(headers={"authorization": f"Judge {token}"})
    rating = f"/api/judging/{place.handle}/ratings/fluency/"
    described = "/api/judging/{handle}/ratings/{dimension}/"

    def send(method, path, **body):
        return getattr(client, method)(path, body, content_type="application/json")

    def change():
        return {"uuid": str(uuid.uuid4()), "source": "key"}

    holds(described, "put", send("put", rating, value=3, **change()))
    holds(described, "put", send("put", rating, value=1, **change()))  # stale
    holds(described, "put", send("put", rating, value=9, version=1, **change()))  # off scale
    holds(described, "delete", send("delete", rating, version=1, **change()))
    holds(described, "put", send("put", rating.replace("fluency", "charm"), value=1, **change()))
    holds("/api/judging/next/", "get", client.get("/api/judging/next/"))
    holds("/api/judging/pages/{draw}/", "get", client.get("/api/judging/pages/1/"))
    holds("/api/judging/standing/", "get", client.get("/api/judging/standing/"))
    preferences = "/api/judging/preferences/"
    holds(preferences, "put", send("put", preferences, theme="dark", divider=40))
    holds(preferences, "put", send("put", preferences, theme="pink"))
    done = send("post", f"/api/judging/{place.handle}/done/", is_handed_in=False, have=[])
    holds("/api/judging/{handle}/done/", "post", done)
    stranger = Client().get("/api/judging/standing/")
    assert stranger.status_code in {401, 403}
    holds("/api/judging/standing/", "get", stranger)


@pytest.mark.django_db
def test_answers_to_a_program_are_as_described(client):
    study = StudyFactory()
    work = AssignmentFactory(judge=JudgeFactory(group__study=study), submitted_at=NOON)
    dimension = DimensionFactory(phase=PhaseFactory(study=study))
    Rating.objects.create(assignment=work, dimension=dimension, value=2, rated_at=NOON)
    comparing = make_comparing_study(k=1, n_items=1)
    choose(JudgeFactory(group=comparing), "A>B", "B>A", "A=B")

    for name, its in (("ratings", study), ("comparisons", comparing.study)):
        client.force_login(StudyMemberFactory(study=its, role="researcher").user)
        response = client.get(reverse(f"annotation:api_{name}", args=[its.slug]))
        assert response.json()["results"]
        holds(f"/api/studies/{{slug}}/{name}/", "get", response)
