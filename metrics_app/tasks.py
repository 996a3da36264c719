"""Background work of the metrics app: one fetch, one call."""

from celery import shared_task

from jobs.services import Progress, run_job
from metrics_app.models import Analysis
from metrics_app.services.analyses import run_analysis


@shared_task
def run_analysis_task(job_id: int) -> None:
    """Run the analysis that the job belongs to."""

    def work(progress: Progress) -> None:
        analysis = Analysis.objects.select_related("study").get(job_id=job_id)
        run_analysis(analysis, progress=progress)

    run_job(job_id, work)
