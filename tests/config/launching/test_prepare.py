from types import SimpleNamespace

import pytest

from config.launching import prepare


@pytest.fixture
def installation(monkeypatch, tmp_path):
    """Return an installation with an empty data folder, and the commands called in it."""
    site = SimpleNamespace(VAR_DIR=tmp_path, DATABASES={"default": {"NAME": "one"}}, called=[])
    monkeypatch.setattr(prepare, "settings", site)
    monkeypatch.setattr(prepare, "get_commands", lambda: {"build_static": "x"})
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: site.called.append(name))
    return site


def test_everything_is_prepared_and_the_demo_is_made_once(installation):
    prepare.main()
    assert installation.called == ["build_static", "collectstatic", "migrate", "load_demo"]

    installation.called.clear()
    prepare.main()
    assert installation.called == ["build_static", "collectstatic", "migrate"]


def test_another_database_gets_the_demo_too(installation):
    prepare.main()
    installation.DATABASES["default"]["NAME"] = "another"

    prepare.main()

    assert installation.called.count("load_demo") == 2


def test_the_image_needs_the_pages_only(installation):
    prepare.main("pages")

    assert installation.called == ["build_static", "collectstatic"]
