import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Reference
from jobs.models import Job
from jobs.services import create_job
from metrics_app.models import Metric, Score
from tests.factories import StudyMemberFactory, UserFactory
from tests.metrics_app.factories import rated_study
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db
GOOD = b"item_id,system,bleurt\ni0,A,0.5\ni0,B,\ni1,A,0.25\ni1,B,-1\n"


@pytest.fixture(autouse=True)
def _one_process(settings):
    settings.CONCORD_METRIC_PROCESSES = 1


@pytest.fixture
def member(client):
    """Return a client signed in as a member of a study with texts, and the study."""

    def make(role="owner", **fields):
        study = study_with_texts(**fields)
        client.force_login(StudyMemberFactory(role=role, study=study).user)
        return client, study

    return make


def page(client, study, name="metrics", **query):
    return client.get(reverse(f"metrics_app:{name}", args=[study.slug]), query)


def send(client, study, content, name="scores.csv"):
    return client.post(
        reverse("metrics_app:upload_scores", args=[study.slug]),
        {"file": SimpleUploadedFile(name, content), "direction": "lower"},
        follow=True,
    )


@pytest.mark.django_db(transaction=True)
def test_chosen_metrics_are_planned_run_and_shown(member):
    client, study = member()

    planned = page(client, study, "plan_metrics", metric=["length", "chrf"], more="rouge1_r")
    text = planned.content.decode()
    sent = {"more": "length,chrf,rouge1(measure=r),"}
    client.post(reverse("metrics_app:run_metrics", args=[study.slug]), sent)

    assert "4 outputs, 12 scores to compute" in text
    assert 'value="length,chrf,rouge1(measure=r),"' in text
    assert list(Metric.objects.values_list("key", flat=True)) == list(sent["more"].split(",")[:3])
    shown = page(client, study).content.decode()
    assert "rouge1|measure:r|" in shown
    assert "computed 12" in shown
    again = page(client, study, "plan_metrics", metric="length").content.decode()
    assert "There is nothing to compute." in again


def test_a_plan_says_what_cannot_run_and_does_not_offer_it(member):
    client, study = member(references=False)

    text = page(client, study, "plan_metrics", metric=["chrf", "length"]).content.decode()

    assert "The item has no reference. Upload them first." in text
    assert 'value="length,"' in text


@pytest.mark.parametrize(
    ("query", "problem"),
    [({}, "Choose at least one metric."), ({"more": "rouge9"}, "There is no metric &#x27;rouge9")],
)
def test_a_choice_that_is_none_is_refused_on_the_page(member, query, problem):
    client, study = member()

    response = page(client, study, "plan_metrics", **query)
    posted = client.post(reverse("metrics_app:run_metrics", args=[study.slug]), query)

    assert (response.status_code, posted.status_code) == (422, 422)
    assert problem in response.content.decode()
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_outputs_without_a_score_are_listed_with_the_reason(member):
    client, study = member()
    Reference.objects.filter(item__key="i0", role="reference").delete()
    client.post(reverse("metrics_app:run_metrics", args=[study.slug]), {"more": "chrf"})

    text = page(client, study, "metric_failures", metric="chrf").content.decode()

    assert "<li>2: The item has no reference.</li>" in text
    assert text.count("<td>The item has no reference. </td>") == 2
    assert ">i0<" in text
    assert ">i1<" not in text


def test_scores_are_uploaded_with_direction_and_missing_values(member):
    client, study = member()

    text = send(client, study, GOOD).content.decode()

    metric = Metric.objects.get(study=study)
    assert (metric.key, metric.direction) == ("bleurt", "lower")
    assert sorted(Score.objects.values_list("value", flat=True)) == [-1, 0.25, 0.5]
    assert "3 scores of 1 metrics are loaded" in text
    assert '<td class="num">1</td>' in text  # the output whose cell is empty


def test_a_bad_file_of_scores_is_refused_with_its_reason(member):
    client, study = member()

    response = send(client, study, b"item_id,system,metric,score\ni0,A,bleurt,good\n")

    assert response.status_code == 422
    assert "good" in response.context["scores_form"].errors.as_text()
    assert not Score.objects.exists()


def test_a_run_can_be_followed_and_cancelled(member):
    client, study = member()
    job = create_job("metrics", label="Metrics: ter", task="tests.nothing", study_id=study.pk)
    address = reverse("metrics_app:run_progress", args=[study.slug, job.pk])

    running = client.get(address)
    client.post(reverse("metrics_app:cancel_run", args=[study.slug, job.pk]))
    ended = client.get(address)

    assert "hx-get" in running.content.decode()
    assert "HX-Refresh" not in running
    assert ended["HX-Refresh"] == "true"
    job.refresh_from_db()
    assert job.state == "cancelled"


@pytest.mark.parametrize("n_metrics", [1, 3])
def test_the_page_needs_the_same_queries_for_any_number(
    member, django_assert_num_queries, n_metrics
):
    client, study = member()
    for position in range(n_metrics):
        Metric.objects.create(study=study, key=f"m{position}", position=position)

    with django_assert_num_queries(
        9
    ):  # session, user, study, dimensions, points, metrics, outputs, run, role
        response = page(client, study)

    assert response.content.decode().count('<th scope="row">m') == n_metrics


ADDRESSES = [
    ("get", "metrics", {}),
    ("get", "plan_metrics", {"metric": "length"}),
    ("post", "run_metrics", {"more": "length"}),
    ("post", "upload_scores", {}),
    ("post", "train_metric", {}),
    ("get", "metric_failures", {"metric": "m"}),
    ("get", "run_progress", {}),
    ("post", "cancel_run", {}),
]
ALLOWED = {"metrics": 200, "plan_metrics": 200, "run_metrics": 302, "upload_scores": 422}
ALLOWED |= {"train_metric": 302, "metric_failures": 200, "run_progress": 200, "cancel_run": 302}


@pytest.mark.parametrize("role", ["owner", "researcher", "monitor", "stranger", "nobody"])
@pytest.mark.parametrize(("method", "name", "data"), ADDRESSES)
def test_who_may_open_what(client, role, method, name, data):
    study = study_with_texts()
    Metric.objects.create(study=study, key="m", position=0)
    job = create_job("metrics", label="A run", task="tests.nothing", study_id=study.pk)
    if role == "stranger":
        client.force_login(UserFactory())
    elif role != "nobody":
        client.force_login(StudyMemberFactory(role=role, study=study).user)
    pk = [job.pk] if name in {"run_progress", "cancel_run"} else []

    response = getattr(client, method)(reverse(f"metrics_app:{name}", args=[study.slug, *pk]), data)

    refused = 302 if role == "nobody" else 404
    assert response.status_code == (ALLOWED[name] if role in {"owner", "researcher"} else refused)
    if role == "nobody":
        assert response["Location"].startswith(reverse("annotation:sign_in"))


def test_a_run_of_another_study_is_not_found(member):
    client, study = member()
    job = create_job("metrics", label="A run", task="tests.nothing", study_id=study_with_texts().pk)

    address = reverse("metrics_app:run_progress", args=[study.slug, job.pk])

    assert client.get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_metric_is_trained_and_its_held_out_correlation_shown(client):
    study = rated_study(n_items=8)
    client.force_login(StudyMemberFactory(role="owner", study=study).user)

    sent = {"method": "estimator", "dimension": "fluency", "model": ""}
    client.post(reverse("metrics_app:train_metric", args=[study.slug]), sent)
    text = page(client, study).content.decode()

    assert "estimator (fluency)" in text
    assert "held-out Pearson" in text
