"""Background work of the metrics app: one fetch, one call.

What a task calls is imported when it runs: a worker that loads a large file has no room for the
libraries of statistics, which are larger than the rest of it.
"""

from typing import Any

from celery import shared_task

from jobs.models import Job
from jobs.services import Progress, run_job
from metrics_app.loaders.studies import StudyRow, study_named
from metrics_app.models import Analysis


@shared_task
def run_analysis_task(job_id: int) -> None:
    """Run the analysis that the job belongs to."""

    def work(progress: Progress) -> None:
        from metrics_app.services.analyses import run_analysis

        analysis = Analysis.objects.select_related("study").get(job_id=job_id)
        run_analysis(analysis, progress=progress)

    run_job(job_id, work)


@shared_task
def run_metrics_task(job_id: int) -> None:
    """Run the metrics that the job names."""

    def work(progress: Progress) -> dict[str, Any]:
        from metrics_app.services.metric_runs import run_metrics

        study_id, arguments = _asked(job_id)
        return run_metrics(study_id, arguments["metrics"], progress=progress)

    run_job(job_id, work)


@shared_task
def run_judging_task(job_id: int) -> None:
    """Let the language model of the job judge."""

    def work(progress: Progress) -> dict[str, Any]:
        from metrics_app.services.model_judging import run_judging

        return run_judging(_study(job_id), _asked(job_id)[1], progress=progress)

    run_job(job_id, work)


@shared_task
def write_bundle_task(job_id: int) -> None:
    """Write the bundle of a study, for its page of exports."""

    def work(progress: Progress) -> dict[str, Any]:
        from metrics_app.services.bundles import write_bundle_of_job

        study_id, _ = _asked(job_id)
        return write_bundle_of_job(study_id, job_id, progress=progress)

    run_job(job_id, work)


@shared_task
def train_metric_task(job_id: int) -> None:
    """Train the metric that the job describes."""

    def work(progress: Progress) -> dict[str, Any]:
        from metrics_app.services.trained_metrics import Training, train_metric

        training = Training(**_asked(job_id)[1])
        return train_metric(_study(job_id), training, progress=progress)

    run_job(job_id, work)


def _study(job_id: int) -> StudyRow:
    slug = Job.objects.values_list("study__slug", flat=True).get(pk=job_id)
    study = study_named(slug or "")
    if study is None:
        raise ValueError("The study is gone.")
    return study


def _asked(job_id: int) -> tuple[int, dict[str, Any]]:
    """Return the study and the arguments of a job of a study."""
    job = Job.objects.get(pk=job_id)
    if job.study_id is None:
        raise ValueError("The job belongs to no study.")
    return job.study_id, job.arguments
