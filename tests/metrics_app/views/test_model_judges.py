import json

import pytest
from django.urls import reverse

from annotation.models import Judge, Rating
from annotation.selectors.judge_links import judge_of_token, judge_token
from metrics_app.metrics.judging.question import TEMPLATE
from metrics_app.services.model_judges import JudgeChoice, register_model_judge
from tests.factories import NOON, DimensionFactory, StudyMemberFactory, UserFactory
from tests.metrics_app.llm_server import answer, llm_server, says
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db(transaction=True)
CHOSEN = {
    "endpoint": "local", "model": "judge-1", "temperature": "0", "n_samples": "1",
    "max_tokens": "8", "price_in": "0", "price_out": "0", "requests_per_minute": "0",
    "n_parallel": "1", "template": TEMPLATE.replace("\n", "\r\n"),
}  # fmt: skip


@pytest.fixture
def study(settings):
    """Give a study whose endpoint "local" answers 3."""
    row = study_with_texts(units=True)
    DimensionFactory(phase__study=row, key="fluency", name="Fluency")
    with llm_server() as (url, _):
        settings.CONCORD_LLM_ENDPOINTS = {"local": url}
        settings.CONCORD_LLM_KEYS = {"local": "a secret"}
        yield row


def sign_in(client, study, role):
    client.force_login(StudyMemberFactory(role=role, study=study).user)
    return client


def test_an_owner_adds_a_model_sees_what_it_takes_and_lets_it_judge(client, study):
    sign_in(client, study, "owner")

    added = client.post(reverse("metrics_app:add_model_judge", args=[study.slug]), CHOSEN)
    record = client.get(added["Location"]).content.decode()
    pk = Judge.objects.get().pk
    client.post(
        reverse("metrics_app:run_model_judge", args=[study.slug, pk]), {"dimension": ["fluency"]}
    )
    listed = client.get(reverse("metrics_app:model_judges", args=[study.slug])).content.decode()

    assert "4 questions to ask, 0 rated already" in record
    assert "Judge only the {dimension} of the text." in record
    assert "a secret" not in record
    assert "<dd>number-1</dd>" in record
    assert Rating.objects.filter(value=3).count() == 4
    assert "answered 4" in listed


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"template": "Rate it."}, "must contain {output}"),
        ({"endpoint": "other"}, "Select a valid choice"),
        ({"n_samples": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_judge_that_cannot_work_is_refused(client, study, changed, problem):
    sign_in(client, study, "owner")

    address = reverse("metrics_app:add_model_judge", args=[study.slug])
    response = client.post(address, {**CHOSEN, **changed})

    assert response.status_code == 422
    assert problem in response.content.decode()
    assert not Judge.objects.exists()


def test_an_endpoint_that_is_down_is_said_before_the_run(client, study, settings):
    sign_in(client, study, "owner")
    pk = register_model_judge(study.pk, JudgeChoice(endpoint="local", model="m"), at=NOON)
    settings.CONCORD_LLM_ENDPOINTS = {"local": "http://127.0.0.1:9/v1"}

    page = client.get(reverse("metrics_app:model_judge", args=[study.slug, pk])).content.decode()

    assert "It does not answer" in page
    assert 'type="submit" disabled' in page


def test_without_an_endpoint_the_page_says_who_names_one(client, study, settings):
    settings.CONCORD_LLM_ENDPOINTS = {}
    sign_in(client, study, "owner")

    page = client.get(reverse("metrics_app:model_judges", args=[study.slug])).content.decode()

    assert "This installation names no endpoint." in page


ALLOWED = {
    "model_judges": {"owner": 200, "researcher": 200},
    "model_judge": {"owner": 200, "researcher": 200},
    "model_judge_record": {"owner": 200, "researcher": 200},
    "model_judge_answers": {"owner": 200, "researcher": 200},
    "add_model_judge": {"owner": 422},
    "run_model_judge": {"owner": 302},
}


@pytest.mark.parametrize("role", ["owner", "researcher", "monitor", "stranger", "nobody"])
def test_who_may_open_what(client, study, role):
    pk = register_model_judge(study.pk, JudgeChoice(endpoint="local", model="judge-1"), at=NOON)
    if role == "stranger":
        client.force_login(UserFactory())
    elif role != "nobody":
        sign_in(client, study, role)

    found = {}
    for name in ALLOWED:
        of_one = name not in {"model_judges", "add_model_judge"}
        arguments = [study.slug, pk] if of_one else [study.slug]
        method = client.post if name.startswith(("add", "run")) else client.get
        found[name] = method(reverse(f"metrics_app:{name}", args=arguments)).status_code

    refused = 302 if role == "nobody" else 404
    assert found == {name: codes.get(role, refused) for name, codes in ALLOWED.items()}


def test_the_record_goes_out_as_json_with_what_came_of_it(client, study):
    sign_in(client, study, "owner")
    added = client.post(reverse("metrics_app:add_model_judge", args=[study.slug]), CHOSEN)
    pk = Judge.objects.get().pk
    client.post(
        reverse("metrics_app:run_model_judge", args=[study.slug, pk]), {"dimension": ["fluency"]}
    )

    response = client.get(reverse("metrics_app:model_judge_record", args=[study.slug, pk]))
    record = response.json()

    assert added.status_code == 302
    assert 'filename="J001.json"' in response["Content-Disposition"]
    assert (record["model"], record["template"], record["parser"]) == (
        "judge-1", TEMPLATE, "number-1"
    )  # fmt: skip
    assert (record["n_answered"], record["n_refused"], record["positions"]) == (4, 0, [])
    assert record["first_at"] <= record["last_at"]
    sent = client.get(reverse("metrics_app:model_judge_answers", args=[study.slug, pk]))
    lines = [json.loads(line) for line in sent.getvalue().decode().splitlines()]
    assert [(line["outcome"], line["value"]) for line in lines] == [("answered", 3.0)] * 4
    assert {line["item"] for line in lines} == {"i0", "i1"}
    assert all(line["answers"][0]["message"]["content"] == "3" for line in lines)
    assert "the cat sat on the mat 0" in lines[0]["prompt"]
    assert "judge_id" not in record


def test_answers_without_a_value_are_shown_word_for_word(client, settings):
    study = study_with_texts(units=True)
    DimensionFactory(phase__study=study, key="fluency", name="Fluency")
    with llm_server() as (url, script):
        settings.CONCORD_LLM_ENDPOINTS, settings.CONCORD_LLM_KEYS = {"local": url}, {}
        script.reply = lambda _body, number: answer(
            says("I cannot judge <b>this</b>." if number == 1 else "five stars")
        )
        sign_in(client, study, "owner")
        client.post(reverse("metrics_app:add_model_judge", args=[study.slug]), CHOSEN)
        address = [study.slug, Judge.objects.get().pk]
        client.post(
            reverse("metrics_app:run_model_judge", args=address), {"dimension": ["fluency"]}
        )
        page = client.get(reverse("metrics_app:model_judge", args=address)).content.decode()

    assert page.count("five stars") == 3
    assert "I cannot judge &lt;b&gt;this&lt;/b&gt;." in page
    assert "<td>refused</td>" in page


def test_a_record_of_another_study_is_not_found(client, study):
    other = study_with_texts()
    pk = register_model_judge(other.pk, JudgeChoice(endpoint="local", model="judge-1"), at=NOON)
    sign_in(client, study, "owner")

    for name in ("model_judge_record", "model_judge_answers"):
        address = reverse(f"metrics_app:{name}", args=[study.slug, pk])
        assert client.get(address).status_code == 404


def test_a_researcher_sees_the_record_and_starts_nothing(client, study):
    pk = register_model_judge(study.pk, JudgeChoice(endpoint="local", model="judge-1"), at=NOON)
    sign_in(client, study, "researcher")

    page = client.get(reverse("metrics_app:model_judge", args=[study.slug, pk])).content.decode()

    assert "Prompt hash" in page
    assert "Ask the model" not in page


@pytest.mark.parametrize("n_judges", [1, 3])
def test_the_page_needs_the_same_queries_for_any_number(
    client, study, django_assert_num_queries, n_judges
):
    for _ in range(n_judges):
        register_model_judge(study.pk, JudgeChoice(endpoint="local", model="judge-1"), at=NOON)
    sign_in(client, study, "owner")

    # session, user, study, the last run, the records and their costs, judges, owner, role
    with django_assert_num_queries(9):
        page = client.get(reverse("metrics_app:model_judges", args=[study.slug])).content.decode()

    assert page.count('<th scope="row">') == n_judges


def test_nobody_answers_in_the_name_of_a_model(client, study):
    pk = register_model_judge(study.pk, JudgeChoice(endpoint="local", model="judge-1"), at=NOON)
    sign_in(client, study, "owner")

    judges = client.get(reverse("annotation:judges", args=[study.slug])).content.decode()

    assert "a language model" in judges
    assert "Copy link" not in judges
    assert judge_of_token(judge_token(Judge.objects.get(pk=pk))) is None
