"""The files of docker/ against the code: nothing here starts a container."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from celery.bin.beat import beat
from celery.bin.worker import worker
from django.urls import resolve

ROOT = Path(__file__).resolve().parent.parent.parent
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = ["beat", "migrate", "web", "worker"]


def test_an_installation_has_these_services():
    assert sorted(SERVICES) == [*OURS[:2], "postgres", "proxy", "redis", *OURS[2:]]
    assert [name for name in sorted(SERVICES) if "build" in SERVICES[name]] == OURS


@pytest.mark.parametrize("name", OURS)
def test_our_services_run_programs_that_the_requirements_install(name):
    program = SERVICES[name]["command"][0]

    assert shutil.which(program, path=str(Path(sys.executable).parent))


@pytest.mark.parametrize(("name", "command"), [("worker", worker), ("beat", beat)])
def test_celery_knows_every_option(name, command):
    known = {option for parameter in command.params for option in parameter.opts}
    words = SERVICES[name]["command"]
    asked = {word.split("=")[0] for word in words[words.index(name) + 1 :]}

    assert asked - known == set()


def test_the_web_servers_settings_are_valid():
    program, *arguments = SERVICES["web"]["command"]
    done = subprocess.run(
        [Path(sys.executable).parent / program, *arguments, "--check-config"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_health_check_asks_an_address_that_exists():
    script = SERVICES["web"]["healthcheck"]["test"][-1]
    address = re.search(r"http://\S+?(?=')", script)[0]

    assert resolve(urlsplit(address).path).url_name == "health"


def test_every_variable_to_fill_in_is_in_the_example():
    asked = set(re.findall(r"\$\{(\w+)", (DOCKER / "compose.yaml").read_text()))
    offered = set(re.findall(r"^(\w+)=", (DOCKER / ".env.example").read_text(), re.MULTILINE))

    assert asked == offered


def test_every_variable_that_is_passed_on_is_read():
    code = "".join(path.read_text() for path in (ROOT / "config").rglob("*.py"))
    code += (DOCKER / "gunicorn.py").read_text()
    passed = set(SERVICES["web"]["environment"]) - {"OMP_NUM_THREADS"}

    assert [name for name in sorted(passed) if f'"{name}"' not in code] == []


@pytest.mark.parametrize("name", OURS)
def test_our_containers_may_do_little(name):
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_is_reachable_from_outside():
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["proxy"]


def test_secrets_have_no_default():
    text = (DOCKER / "compose.yaml").read_text() + (DOCKER / ".env.example").read_text()

    for name in ("CONCORD_SECRET_KEY", "POSTGRES_PASSWORD"):
        assert re.findall(rf"\${{{name}:-|^{name}=.+", text, re.MULTILINE) == []


def test_the_image_installs_with_hashes_and_runs_as_nobody_special():
    lines = (DOCKER / "Dockerfile").read_text().splitlines()
    words = [line.split(maxsplit=1) for line in lines if line[:1].isupper()]

    assert any("--require-hashes" in line for line in lines)
    assert [rest for word, rest in words if word == "USER"] == ["concord"]
    assert words.index(["USER", "concord"]) < [word for word, _ in words].index("CMD")


def test_what_the_image_copies_exists_and_the_tests_stay_outside():
    lines = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]

    assert lines[1] == "*"
    assert [name for name in kept if not (ROOT / name).exists()] == []
    apps = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert apps - set(kept) == {"tests"}
