import importlib

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

NAMES = [
    "ALLOWED_HOSTS",
    "SECURE_PROXY_SSL_HEADER",
    "SECURE_SSL_REDIRECT",
    "SECURE_REDIRECT_EXEMPT",
    "SECURE_HSTS_SECONDS",
]


@pytest.fixture
def production(monkeypatch, settings):
    """Return a client of the site under the settings of a server."""
    monkeypatch.setenv("CONCORD_SECRET_KEY", "secret")
    monkeypatch.setenv("CONCORD_HOSTS", "concord.example,localhost")
    module = importlib.reload(importlib.import_module("config.settings.production"))
    for name in NAMES:
        setattr(settings, name, getattr(module, name))
    return Client(headers={"host": "concord.example"})


@pytest.mark.django_db
def test_people_are_sent_to_https_and_monitors_are_not(production, monkeypatch):
    monkeypatch.setattr("jobs.views.broker_is_alive", lambda: False)

    page = production.get("/admin/login/")
    assert (page.status_code, page["Location"]) == (301, "https://concord.example/admin/login/")
    assert production.get("/healthz", headers={"host": "localhost:8000"}).status_code == 200


@pytest.mark.django_db
def test_behind_the_proxy_the_site_is_secure(production):
    page = production.get("/admin/login/", headers={"x-forwarded-proto": "https"})

    assert page.status_code == 200
    assert page["Strict-Transport-Security"] == "max-age=31536000"


def test_a_server_does_not_start_without_a_secret(monkeypatch):
    monkeypatch.setenv("CONCORD_SECRET_KEY", "secret")
    module = importlib.import_module("config.settings.production")
    monkeypatch.delenv("CONCORD_SECRET_KEY")

    with pytest.raises(ImproperlyConfigured, match="CONCORD_SECRET_KEY is not set"):
        importlib.reload(module)
