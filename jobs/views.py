"""Is it healthy: an answer for monitors and for `make run`."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from jobs.selectors import broker_is_alive, count_open_jobs, worker_is_alive

logger = logging.getLogger(__name__)


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while pages can be served, 503 where the database does not answer.

    Without broker or worker judges can still work, so the status is then "degraded", not an
    error: a load balancer must not take the pages away for it.
    """
    try:
        jobs = count_open_jobs()
    except DatabaseError:
        logger.exception("The database does not answer")
        return JsonResponse({"status": "down", "database": False}, status=503)
    broker = broker_is_alive()
    worker = broker and worker_is_alive()
    return JsonResponse(
        {
            "status": "ok" if worker else "degraded",
            "database": True,
            "broker": broker,
            "worker": worker,
            "jobs": jobs,
        }
    )
