"""Jobs that give a study metrics, as pages follow them."""

from jobs.models import FINAL_STATES, Job

KINDS = ("metrics", "trained-metric", "model-judging")


def latest_run(study_id: int, *kinds: str) -> Job | None:
    """Return the newest run of the study, of the named kinds or of any."""
    return Job.objects.filter(study_id=study_id, kind__in=kinds or KINDS).order_by("-pk").first()


def open_run(study_id: int, kind: str) -> Job | None:
    """Return the run of this kind that waits or works, if there is one."""
    runs = Job.objects.filter(study_id=study_id, kind=kind).exclude(state__in=FINAL_STATES)
    return runs.order_by("-pk").first()


def run_of(study_id: int, pk: int) -> Job | None:
    """Return one run of the study."""
    return Job.objects.filter(study_id=study_id, kind__in=KINDS, pk=pk).first()
