import subprocess
import sys

import pytest

from config import setup_env


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return an empty project; installing is only written down."""
    (tmp_path / "requirements.txt").write_text("probe==1 --hash=sha256:00\n")
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    monkeypatch.setattr(setup_env, "VENV", tmp_path / ".venv")
    installed = []
    monkeypatch.setattr(setup_env, "_install", installed.append)
    return tmp_path, installed


def test_it_installs_once_until_the_requirements_change(project):
    root, installed = project

    assert [setup_env.main("requirements.txt") for _ in range(2)] == [0, 0]
    assert installed == [root / "requirements.txt"]

    (root / "requirements.txt").write_text("probe==2 --hash=sha256:00\n")
    assert setup_env.main("requirements.txt") == 0
    assert len(installed) == 2


def test_another_python_installs_again(project, monkeypatch):
    _, installed = project
    setup_env.main("requirements.txt")
    monkeypatch.setattr(sys, "version_info", (3, 13, 1, "final", 0))

    assert setup_env.main("requirements.txt") == 0
    assert len(installed) == 2


@pytest.mark.parametrize("version", [(3, 10), (3, 14)])
def test_a_python_that_does_not_fit_is_refused_with_a_way_out(
    project, monkeypatch, capsys, version
):
    monkeypatch.setattr(sys, "version_info", (*version, 0, "final", 0))

    assert setup_env.main("requirements.txt") == 2
    assert f"this is Python 3.{version[1]}. Name another one: make run PYTHON=" in (
        capsys.readouterr().err
    )
    assert project[1] == []


def test_an_installation_that_fails_is_tried_again_next_time(project, monkeypatch, capsys):
    root, _ = project

    def fail(_path):
        raise subprocess.CalledProcessError(1, ["uv"])

    monkeypatch.setattr(setup_env, "_install", fail)

    assert setup_env.main("requirements.txt") == 2
    assert "Installing requirements.txt failed" in capsys.readouterr().err
    assert list((root / ".venv").iterdir()) == []
