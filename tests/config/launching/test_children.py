import os
import sys
import time

import pytest

from config.launching import children as children_module
from config.launching.children import Child, ChildFailed, revive
from config.launching.lock import lock_folder

SLEEP = "import time; print('up', flush=True); time.sleep(60)"
# A parent that waits for a child of its own, whose number it prints.
FAMILY = (
    "import subprocess, sys; "
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
    "print(p.pid, flush=True); p.wait()"
)
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('up', flush=True); time.sleep(60)"
)


@pytest.fixture
def started(tmp_path):
    made = []

    def start(script):
        child = Child("probe", [sys.executable, "-c", script], tmp_path / "probe.log", os.environ)
        made.append(child)
        child.start()
        return child

    yield start
    for child in made:
        child.process.kill()
        child.process.wait()


def test_a_dead_child_is_reported_and_started_again(started):
    child = started(SLEEP)
    first = child.process
    first.kill()
    first.wait()
    said = []

    revive([child], said.append)

    assert said == [f"The probe stopped on signal 9; starting it again (log: {child.log})"]
    assert child.process.poll() is None
    assert child.process.pid != first.pid


def test_a_living_child_is_left_alone(started):
    child = started(SLEEP)
    before = child.process

    revive([child], pytest.fail)

    assert child.process is before


def test_a_child_that_always_dies_is_given_up_with_the_end_of_its_log(started):
    child = started("print('no such table'); raise SystemExit(3)")
    said = []

    with pytest.raises(ChildFailed, match=r"(?s)stopped 5 times.*status 3.*no such table"):
        _revive_until_it_fails(child, said.append)

    assert len(said) == 4


def test_a_child_that_died_takes_its_own_children_along(started):
    child = started(FAMILY)
    grandchild = int(_wait_for_log(child))
    child.process.kill()
    child.process.wait()

    child.clear_after_death()

    _wait_until_gone(grandchild)


def test_stop_kills_a_child_that_does_not_listen(started, monkeypatch):
    monkeypatch.setattr(children_module, "SECONDS_TO_STOP", 0.2)
    child = started(STUBBORN)
    _wait_for_log(child)

    child.stop()

    assert child.process.returncode == -9


def test_a_folder_has_one_start_at_a_time(tmp_path):
    with (
        lock_folder(tmp_path),
        pytest.raises(ValueError, match=rf"runs already .*process {os.getpid()}"),
        lock_folder(tmp_path),
    ):
        pytest.fail("two at once")

    with lock_folder(tmp_path):
        pass


def _revive_until_it_fails(child, say):
    while True:
        child.process.wait()
        revive([child], say)


def _wait_for_log(child):
    deadline = time.monotonic() + 10
    while not child.tail():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return child.tail()


def _wait_until_gone(pid):
    deadline = time.monotonic() + 10
    while _is_alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 -- /proc is no file of ours
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
