"""Configuration: the environment, the settings, the entry points."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
