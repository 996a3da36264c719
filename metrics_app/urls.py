"""The addresses of this app."""

from django.urls import URLPattern, URLResolver, include, path

from metrics_app.views import datasheets, downloads, reports, runs

app_name = "metrics_app"
_REPORT = "studies/<slug:slug>/report/"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("metrics_app.metric_urls")),
    path("studies/<slug:slug>/datasheet/", datasheets.datasheet, name="datasheet"),
    path(
        "studies/<slug:slug>/datasheet/heds.<slug:suffix>",
        datasheets.datasheet_file,
        name="datasheet_file",
    ),
    path(_REPORT, reports.report, name="report"),
    path(f"{_REPORT}request/", reports.request_report, name="request_report"),
    path(f"{_REPORT}runs/", runs.runs, name="runs"),
    path(f"{_REPORT}ratings.csv", downloads.ratings, name="ratings"),
    path(f"{_REPORT}<int:pk>/", reports.stored_report, name="stored_report"),
    path(f"{_REPORT}<int:pk>/progress/", reports.progress, name="progress"),
    path(f"{_REPORT}<int:pk>/cancel/", reports.cancel_report, name="cancel_report"),
    path(f"{_REPORT}<int:pk>/report.json", downloads.report_json, name="report_json"),
    path(f"{_REPORT}<int:pk>/figures/<slug:name>/", downloads.figure_rows, name="figure_rows"),
    path(f"{_REPORT}<int:pk>/files/<path:path>", downloads.report_file, name="report_file"),
]
