"""A sign of life while work is too busy to report, and its ear for a wish to cancel."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from jobs import aside
from jobs.services.claims import Claim

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_BEATS = 3.0


def _wait_at_most(seconds: float) -> None:
    """Let this thread's connection give up soon: the next beat matters more than this one."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


class Heartbeat:
    """Beats for a claim from a thread of its own, from entry to exit."""

    def __init__(
        self,
        claim: Claim,
        *,
        interval: float = SECONDS_BETWEEN_BEATS,
        noted: Callable[[], dict[str, Any]] = dict,
        cancel: Callable[[], object] = bool,
    ) -> None:
        self._claim = claim
        self._cancel = cancel
        self._noted = noted
        self._interval = interval
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="job-heartbeat", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            if aside.is_needed():
                _wait_at_most(self._interval)
            while not self._stop.wait(self._interval):
                self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        if aside.is_needed() and self._is_unwanted_aside():
            self._cancel()
            return
        try:
            if not self._claim.write(**self._noted()):
                self._stop.set()
            elif self._claim.is_unwanted():
                self._cancel()
        except DatabaseError:
            # The work's own transaction may hold the lock; its commit beats for us. On SQLite that
            # is nothing to worry about: the beat was told aside, and whoever looks finds it there.
            if not aside.is_needed():
                logger.warning("Job %s could not beat", self._claim.job_id, exc_info=True)

    def _is_unwanted_aside(self) -> bool:
        """Beat beside the database, and hear there whether the job is unwanted."""
        told = aside.Told(self._claim.attempt, timezone.now(), **self._noted())
        aside.tell(self._claim.job_id, told)
        return aside.is_unwanted(self._claim.job_id)
