"""Who may work on a job: the holder of its newest attempt, nobody else."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from jobs import aside
from jobs.models import Job, JobState


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on a job, good until another attempt begins."""

    job_id: int
    attempt: int

    def rows(self) -> "QuerySet[Job]":
        """Return the job while the claim is good, else no row: the condition of every write."""
        return Job.objects.filter(pk=self.job_id, attempt=self.attempt, state=JobState.RUNNING)

    def write(self, **values: object) -> bool:
        """Write to the job and beat; return False where the claim is lost."""
        return bool(self.rows().update(heartbeat_at=timezone.now(), **values))

    def is_unwanted(self) -> bool:
        """Return whether somebody asked to cancel the job."""
        if aside.is_needed() and aside.is_unwanted(self.job_id):
            return True
        return self.rows().filter(cancel_requested_at__isnull=False).exists()

    def end(self, state: JobState, **values: object) -> bool:
        """Bring the job into a final state; return False where the claim is lost."""
        return self.write(state=state, finished_at=timezone.now(), **values)


def claim_job(job_id: int, *, at: datetime | None = None) -> Claim | None:
    """Take a waiting job, or return None where it is not waiting any more.

    One conditional update decides, so of two deliveries of the same message one gets the job,
    on any database.
    """
    moment = at or timezone.now()
    attempt = (
        Job.objects.filter(pk=job_id, state=JobState.QUEUED)
        .values_list("attempt", flat=True)
        .first()
    )
    if attempt is None:
        return None
    taken = Job.objects.filter(pk=job_id, state=JobState.QUEUED, attempt=attempt).update(
        state=JobState.RUNNING,
        attempt=attempt + 1,
        started_at=moment,
        heartbeat_at=moment,
        stage="",
        done=0,
        total=0,
    )
    return Claim(job_id, attempt + 1) if taken else None
