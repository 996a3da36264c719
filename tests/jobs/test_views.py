import pytest
from django.core.cache import cache
from django.db import OperationalError

from jobs import views
from tests.jobs.factories import NOON, running_job, waiting_job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget():
    cache.clear()


@pytest.mark.parametrize(
    ("broker", "worker", "status"),
    [(True, True, "ok"), (True, False, "degraded"), (False, False, "degraded")],
)
def test_health_tells_each_part_and_stays_up_without_workers(
    client, monkeypatch, broker, worker, status
):
    monkeypatch.setattr(views, "broker_is_alive", lambda: broker)
    monkeypatch.setattr(views, "worker_is_alive", lambda: worker)
    waiting_job()
    running_job()
    running_job()
    waiting_job(state="done", finished_at=NOON)

    response = client.get("/healthz")

    assert response.status_code == 200
    assert response["Cache-Control"].startswith("max-age=0")
    assert response.json() == {
        "status": status,
        "database": True,
        "broker": broker,
        "worker": worker,
        "jobs": {"queued": 1, "running": 2},
    }


def test_health_is_an_error_without_a_database(client, monkeypatch):
    def refuse():
        raise OperationalError("no database")

    monkeypatch.setattr(views, "count_open_jobs", refuse)

    response = client.get("/healthz")

    assert (response.status_code, response.json()) == (503, {"status": "down", "database": False})
