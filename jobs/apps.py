"""Background work that both apps share."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app that keeps background work: its state, progress and heartbeat."""

    name = "jobs"
