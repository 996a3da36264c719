"""What is stored of background work."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class JobState(models.TextChoices):
    """Where a job stands; the last three are final."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


FINAL_STATES = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class Job(models.Model):
    """One piece of background work: this row, not the broker, says what became of it.

    ``attempt`` is a fencing token: it grows with every claim, and a worker may write only while
    it holds the newest one.
    """

    kind = models.SlugField(max_length=40)
    label = models.CharField(max_length=200)
    task = models.CharField(max_length=200)
    study = models.ForeignKey(
        "annotation.Study", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )
    arguments = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    stage = models.CharField(max_length=200, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)

    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="job_state_heartbeat")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="job_state_is_declared"
            ),
            models.CheckConstraint(
                condition=Q(total=0) | Q(done__lte=F("total")), name="job_done_within_total"
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING)
                | Q(attempt__gte=1, started_at__isnull=False, heartbeat_at__isnull=False),
                name="job_running_has_claim",
            ),
            models.CheckConstraint(
                condition=Q(state__in=FINAL_STATES, finished_at__isnull=False)
                | (~Q(state__in=FINAL_STATES) & Q(finished_at__isnull=True)),
                name="job_final_is_finished",
            ),
            models.CheckConstraint(
                condition=(Q(state=JobState.FAILED) & ~Q(error=""))
                | (~Q(state=JobState.FAILED) & Q(error="")),
                name="job_failed_has_error",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.state})"
