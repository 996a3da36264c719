"""`make run`: everything that the product needs on one machine, until Ctrl-C.

A broker, the web server and a separate Celery worker start as child processes; one that dies is
started again; all are stopped together. Data stays in var/ from one start to the next.
"""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config import start_links
from config.launching.broker import Broker, choose_broker
from config.launching.children import Child, ChildFailed, revive
from config.launching.lock import lock_folder
from config.launching.web import HOST, read_port, wait_for_answer

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_ANSWER = 120.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _StopAsked(Exception):  # noqa: N818 -- no error: somebody pressed Ctrl-C
    """Raised out of whatever goes on when a signal says stop."""


def main() -> int:
    """Run until told to stop; return 0, or 1 where a part fails, or 2 where it cannot start."""
    var = Path(os.environ.get("CONCORD_VAR") or ROOT / "var").resolve()
    (var / "log").mkdir(parents=True, exist_ok=True)
    try:
        with lock_folder(var), _stopping_on_signals():
            _run(read_port(os.environ), var)
    except _StopAsked:
        return 0
    except ValueError as error:
        return _fail(str(error), status=2)
    except ChildFailed as error:
        return _fail(str(error), status=1)
    return 0


def _run(port: int, var: Path) -> None:
    broker = choose_broker(os.environ, var)
    environ = _child_environ(broker, var)
    children = _children(broker, port, var / "log", environ)
    address = var / "broker.url"
    try:
        address.write_text(broker.url, encoding="utf-8")
        if broker.command:
            children[0].start()
        _say("Preparing the database and the pages")
        _prepare(environ)
        for child in children[-2:]:
            child.start()
        _wait_for_web(children[-2], port)
        _say_welcome(port, broker, var)
        while True:
            time.sleep(0.5)
            revive(children, _say)
    finally:
        _stop_all(children)
        address.unlink(missing_ok=True)


def _child_environ(broker: Broker, var: Path) -> dict[str, str]:
    os.environ[start_links.KEY_NAME] = secrets.token_urlsafe(32)
    defaults = {"DJANGO_SETTINGS_MODULE": "config.settings.dev", "CONCORD_VAR": str(var)}
    return {**defaults, **os.environ, "REDIS_URL": broker.url, "PYTHONUNBUFFERED": "1"}


def _children(broker: Broker, port: int, logs: Path, environ: dict[str, str]) -> list[Child]:
    """Return the broker (where it is ours), the web server and the worker, in that order."""
    python = sys.executable
    web = (
        *(python, "-m", "gunicorn", "config.wsgi:application", "--bind", f"{HOST}:{port}"),
        *("-k", "gthread", "--workers", "2", "--threads", "4", "--graceful-timeout", "5"),
        "--no-control-socket",
    )
    worker = (
        *(python, "-m", "celery", "-A", "config", "worker", "--concurrency", "2", "-B"),
        *("--schedule", str(logs.parent / "beat-schedule"), "--loglevel", "WARNING"),
        *("--without-mingle", "--without-gossip"),
    )
    commands = {"broker": broker.command, "web server": web, "worker": worker}
    children = [
        Child(name, command, logs / f"{name.split()[0]}.log", environ)
        for name, command in commands.items()
        if command
    ]
    for child in children:
        child.log.unlink(missing_ok=True)
    return children


def _prepare(environ: dict[str, str]) -> None:
    command = [sys.executable, "-m", "config.launching.prepare"]
    process = subprocess.Popen(  # noqa: S603 -- our own command
        command, env=environ, cwd=ROOT, start_new_session=True
    )
    try:
        if process.wait():
            raise ChildFailed("Preparing the database or the pages failed, see above.")
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def _wait_for_web(web: Child, port: int) -> None:
    def still_starting() -> bool:
        return web.process is not None and web.process.poll() is None

    if not wait_for_answer(port, seconds=SECONDS_TO_ANSWER, still_starting=still_starting):
        raise ChildFailed(f"The web server does not answer. The end of {web.log}:\n{web.tail()}")


def _say_welcome(port: int, broker: Broker, var: Path) -> None:
    site = f"http://localhost:{port}"
    _say(f"\nConcord runs at {site}/\n")
    _say("Sign in with one click; these links are good until you stop it:")
    for role in start_links.ROLES:
        _say(f"  {role:<14} {site}{start_links.make_link(role)}")
    _say(f"\nBroker: {broker.description}. Data: {var}. Logs: {var / 'log'}.")
    _say("Ctrl-C stops everything.")


def _stop_all(children: list[Child]) -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    _say("\nStopping")
    # The broker last: the worker gives its messages back to it.
    for child in reversed(children):
        child.stop()


@contextmanager
def _stopping_on_signals() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _StopAsked

    before = {number: signal.signal(number, stop) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def _fail(sentence: str, *, status: int) -> int:
    sys.stderr.write(sentence + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
