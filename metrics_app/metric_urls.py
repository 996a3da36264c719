"""The addresses of metrics and model judges of a study."""

from django.urls import URLPattern, URLResolver, path

from metrics_app.views import metric_uploads, metrics, model_judges

_METRICS = "studies/<slug:slug>/metrics/"
_MODELS = "studies/<slug:slug>/model-judges/"
urlpatterns: list[URLPattern | URLResolver] = [
    path(_METRICS, metrics.metrics, name="metrics"),
    path(f"{_METRICS}plan/", metrics.plan, name="plan_metrics"),
    path(f"{_METRICS}run/", metrics.run, name="run_metrics"),
    path(f"{_METRICS}train/", metrics.train, name="train_metric"),
    path(f"{_METRICS}upload/", metric_uploads.upload_scores, name="upload_scores"),
    path(f"{_METRICS}without-score/", metrics.failures, name="metric_failures"),
    path(f"{_METRICS}runs/<int:pk>/", metrics.run_progress, name="run_progress"),
    path(f"{_METRICS}runs/<int:pk>/cancel/", metrics.cancel_run, name="cancel_run"),
    path(_MODELS, model_judges.model_judges, name="model_judges"),
    path(f"{_MODELS}add/", model_judges.add, name="add_model_judge"),
    path(f"{_MODELS}<int:pk>/", model_judges.one, name="model_judge"),
    path(f"{_MODELS}<int:pk>/answers.jsonl", model_judges.answers, name="model_judge_answers"),
    path(f"{_MODELS}<int:pk>/record.json", model_judges.record, name="model_judge_record"),
    path(f"{_MODELS}<int:pk>/run/", model_judges.run, name="run_model_judge"),
]
