"""Collecting judgements."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """The app that collects judgements."""

    name = "annotation"
