"""The Celery application: every task finds its broker here."""

import os

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")

# What a call raises when the broker is away: kombu's name, or redis-py's from a stale connection.
BROKER_ERRORS = (OperationalError, RedisError)

app = Celery("concord")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
