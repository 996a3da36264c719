"""The web server of a start: is its port free, does it answer."""

import errno
import http.client
import socket
import time
from collections.abc import Callable, Mapping

HOST = "127.0.0.1"
DEFAULT_PORT = 8000


def read_port(environ: Mapping[str, str]) -> int:
    """Return PORT; raise ValueError where it is no port or another program has it."""
    raw = environ.get("PORT", "") or str(DEFAULT_PORT)
    if not raw.isdecimal() or not 0 < int(raw) < 65536:
        raise ValueError(f"PORT must be a number from 1 to 65535, not {raw!r}.")
    port = int(raw)
    with socket.socket() as probe:
        # As servers do: a port whose last connections are still closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise ValueError(_refusal(port, error)) from None
    return port


def wait_for_answer(port: int, *, seconds: float, still_starting: Callable[[], bool]) -> bool:
    """Return whether the web server answers before the time is up or it has died."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and still_starting():
        if _answers(port):
            return True
        time.sleep(0.1)
    return False


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()


def _refusal(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program (perhaps a Concord that runs already). "
            f"Stop it, or choose another port: make run PORT={port + 1}"
        )
    return f"Port {port} cannot be used: {error.strerror}. Choose another: make run PORT=8080"
