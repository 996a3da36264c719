"""Child processes: started, watched, started again when they die, stopped without a trace."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECONDS_TO_STOP = 10.0
# So many deaths within so many seconds mean that another start will not help.
TOO_MANY_DEATHS, DEATHS_WITHIN = 5, 60.0
_PR_SET_PDEATHSIG = 1


class ChildFailed(Exception):  # noqa: N818 -- reads as what happened
    """A child died again and again; the message is for people."""


@dataclass
class Child:
    """One process of the product, in a session of its own so that Ctrl-C reaches only us."""

    name: str
    command: Sequence[str]
    log: Path
    environ: Mapping[str, str]
    process: "subprocess.Popen[bytes] | None" = None
    deaths: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Start the process; what it prints goes to the end of its log."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 -- our own commands
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(self.environ),
                start_new_session=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 -- the launcher has one thread
            )

    def tail(self, lines: int = 15) -> str:
        """Return the last lines of the log."""
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def stop(self) -> None:
        """Ask the process to end; kill it, and whatever it started, when it takes too long."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(SECONDS_TO_STOP)
        self._kill_group()
        self.process.wait()

    def clear_after_death(self) -> int:
        """Kill what a dead process left behind; return how it ended."""
        if self.process is None:
            return 0
        self._kill_group()
        return self.process.wait()

    def _kill_group(self) -> None:
        # A worker that is killed leaves its own children, which would go on with stale claims.
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


def revive(children: Sequence[Child], say: Callable[[str], None]) -> None:
    """Start every child again that has died, and say so.

    Raises
    ------
    ChildFailed
        Where one dies too often.
    """
    for child in children:
        if child.process is None or child.process.poll() is None:
            continue
        ended = _ending(child.clear_after_death())
        now = time.monotonic()
        child.deaths = [death for death in child.deaths if now - death < DEATHS_WITHIN] + [now]
        if len(child.deaths) >= TOO_MANY_DEATHS:
            raise ChildFailed(
                f"The {child.name} stopped {TOO_MANY_DEATHS} times within a minute, the last "
                f"time {ended}. The end of {child.log}:\n{child.tail()}"
            )
        say(f"The {child.name} stopped {ended}; starting it again (log: {child.log})")
        child.start()


def _ending(status: int) -> str:
    return f"on signal {-status}" if status < 0 else f"with status {status}"


def _die_with_parent() -> None:
    # Where the launcher itself is killed nobody is left to stop its children: Linux does it.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
