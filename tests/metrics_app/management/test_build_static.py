"""The script that draws charts comes out of the installed package, once for each version."""

import pytest
import vl_convert
from django.core.management import call_command

from metrics_app.management.commands import build_static


@pytest.fixture
def target(settings, tmp_path, monkeypatch):
    settings.STATICFILES_DIRS = [tmp_path]
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "window.vegaEmbed=1")
    return tmp_path / "generated" / "vega.js"


def test_the_script_is_made_where_it_is_missing_or_of_another_version(target, monkeypatch):
    call_command("build_static")
    assert target.read_text().endswith("window.vegaEmbed=1")

    monkeypatch.setattr(build_static, "version", lambda _: "9.9")
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "window.vegaEmbed=2")
    call_command("build_static")
    assert target.read_text() == "// From vl-convert-python 9.9\nwindow.vegaEmbed=2"
    assert [path.name for path in target.parent.iterdir()] == ["vega.js"]


def test_a_script_of_this_version_is_left_alone(target):
    call_command("build_static")
    target.write_text(target.read_text() + "kept")
    call_command("build_static")

    assert target.read_text().endswith("kept")
