"""The Celery application: every task finds its broker here."""

import os

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
# Checks would import every page, and with them what only the pages need; `migrate` makes them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# What a call raises when the broker is away: kombu's name, or redis-py's from a stale connection.
BROKER_ERRORS = (OperationalError, RedisError)

app = Celery("concord")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
