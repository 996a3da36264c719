"""Turning judgements into findings."""

from django.apps import AppConfig


class MetricsAppConfig(AppConfig):
    """The app that turns judgements into findings."""

    name = "metrics_app"
