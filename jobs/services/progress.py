"""What working code tells about itself, and what it learns by telling."""

import time
from typing import Any

from jobs.models import JobState
from jobs.services.claims import Claim

# A write takes SQLite's one lock away from the judges: seldom is often enough for a bar.
SECONDS_BETWEEN_WRITES = 1.0


class JobCancelled(Exception):  # noqa: N818 -- an event, not an error
    """Somebody asked to cancel the job; raised inside the work, which need not catch it."""


class JobLost(Exception):  # noqa: N818 -- an event, not an error
    """Another attempt has taken the job over; whatever this one would write is void."""


class Progress:
    """The one argument of work: report with it, and keep results safe from a stale attempt.

    ``progress(done, total, stage)`` may be called as often as the work likes; it writes at most
    once a second. Inside a transaction nobody sees it before the commit.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._seen: dict[str, Any] = {}
        self._next_write = 0.0
        self._is_cancelled = False

    def __call__(self, done: int, total: int, stage: str = "") -> None:
        """Report that `done` of `total` pieces are ready.

        Raises
        ------
        JobCancelled
            Where somebody asked to cancel.
        JobLost
            Where another attempt has taken over.
        """
        self._seen = {"done": min(done, total), "total": total, "stage": stage[:200]}
        if time.monotonic() >= self._next_write:
            self.hold()
            self._next_write = time.monotonic() + SECONDS_BETWEEN_WRITES

    def note(self, done: int, total: int, stage: str = "") -> None:
        """Say how far the work is without touching the database; the heartbeat writes it.

        For work inside one long transaction: a report there would be seen by nobody before the
        commit, and would lock the job's row against its own heartbeat. Raises `JobCancelled`
        where the heartbeat has seen that somebody asked to cancel, so that all is rolled back.
        """
        if self._is_cancelled:
            raise JobCancelled
        self._seen = {"done": min(done, total), "total": total, "stage": stage[:200]}

    def cancel(self) -> None:
        """Let the next note raise; called by the heartbeat, from its own thread."""
        self._is_cancelled = True

    def noted(self) -> dict[str, Any]:
        """Return what was said last, as values of the job."""
        return self._seen

    def hold(self) -> None:
        """Make sure that the job is still ours, and keep it so until the transaction ends.

        Call it first in every transaction that stores results: a worker that was believed dead
        then cannot store them beside those of its successor. Raises like a report.
        """
        if not self.claim.write(**self._seen):
            raise JobLost
        if self.claim.is_unwanted():
            raise JobCancelled

    def finish(self, result: dict[str, Any] | None = None) -> None:
        """End the job as done. Work that must not run twice calls it with its last write.

        Inside one transaction either both happen or neither. Raises `JobLost`.
        """
        if not self.claim.end(JobState.DONE, result=result or {}, **self._seen):
            raise JobLost
