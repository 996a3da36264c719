"""Settings of the worker processes that tests start: a real broker, nothing eager."""

from config.settings.test import *  # noqa: F403 -- settings are inherited by name

CELERY_TASK_ALWAYS_EAGER = False
CELERY_IMPORTS = ["tests.jobs.probe_tasks"]
