"""The addresses of metrics and model judges of a study."""

from django.urls import URLPattern, URLResolver, path

from metrics_app.views import metric_uploads, metrics

_METRICS = "studies/<slug:slug>/metrics/"
urlpatterns: list[URLPattern | URLResolver] = [
    path(_METRICS, metrics.metrics, name="metrics"),
    path(f"{_METRICS}plan/", metrics.plan, name="plan_metrics"),
    path(f"{_METRICS}run/", metrics.run, name="run_metrics"),
    path(f"{_METRICS}upload/", metric_uploads.upload_scores, name="upload_scores"),
    path(f"{_METRICS}without-score/", metrics.failures, name="metric_failures"),
    path(f"{_METRICS}runs/<int:pk>/", metrics.run_progress, name="run_progress"),
    path(f"{_METRICS}runs/<int:pk>/cancel/", metrics.cancel_run, name="cancel_run"),
]
