"""The addresses of this app."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from annotation.api.comparisons import StudyComparisons
from annotation.api.ratings import StudyRatings
from annotation.views import (
    audit,
    blinding,
    entry,
    exclusion_rules,
    exports,
    items,
    judges,
    studies,
    upload_columns,
    uploads,
)

app_name = "annotation"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.judging_urls")),
    path("studies/<slug:slug>/setup/", include("annotation.setup_urls")),
    path("", include("annotation.account_urls")),
    path("", entry.welcome, name="welcome"),
    path("sign-in/", entry.sign_in, name="sign_in"),
    path("sign-out/", entry.sign_out, name="sign_out"),
    path("start/<slug:role>/<str:token>/", entry.start_link, name="start_link"),
    path("studies/", studies.study_list, name="study_list"),
    path("studies/new/", studies.new_study, name="new_study"),
    path("studies/<slug:slug>/", studies.study_overview, name="study"),
    path("studies/<slug:slug>/delete/", studies.delete, name="delete_study"),
    path("studies/<slug:slug>/state/", studies.set_state, name="set_state"),
    path("studies/<slug:slug>/opening/", studies.opening, name="opening"),
    path("studies/<slug:slug>/opening/cancel/", studies.cancel_opening, name="cancel_opening"),
    path("studies/<slug:slug>/audit/", audit.audit, name="audit"),
    path("studies/<slug:slug>/blinding/", blinding.blinding, name="blinding"),
    path("studies/<slug:slug>/blinding/rule/", blinding.set_rule, name="set_blinding"),
    path("studies/<slug:slug>/blinding/look/", blinding.look, name="look_behind"),
    path("studies/<slug:slug>/rules/", exclusion_rules.rules, name="exclusion_rules"),
    path("studies/<slug:slug>/rules/set/", exclusion_rules.set_rules, name="set_exclusion_rules"),
    path(
        "studies/<slug:slug>/rules/<int:pk>/exclude/",
        exclusion_rules.exclude,
        name="exclude_under_rule",
    ),
    path("studies/<slug:slug>/items/", items.items, name="items"),
    path("studies/<slug:slug>/items/<int:pk>/", items.item, name="item"),
    path("studies/<slug:slug>/judges/links.csv", judges.links, name="judge_links"),
    path("studies/<slug:slug>/judges/", judges.judges, name="judges"),
    path("studies/<slug:slug>/judges/add/", judges.add_judges, name="add_judges"),
    path("studies/<slug:slug>/judges/<int:pk>/exclude/", judges.exclude, name="exclude"),
    path("studies/<slug:slug>/judges/<int:pk>/readmit/", judges.readmit, name="readmit"),
    path("studies/<slug:slug>/judges/<int:pk>/link/", judges.renew_link, name="renew_link"),
    path("studies/<slug:slug>/exports/", exports.exports, name="exports"),
    path("studies/<slug:slug>/exports/<int:pk>/", exports.download, name="export_file"),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("api/studies/<slug:slug>/ratings/", StudyRatings.as_view(), name="api_ratings"),
    path(
        "api/studies/<slug:slug>/comparisons/", StudyComparisons.as_view(), name="api_comparisons"
    ),
    path("studies/<slug:slug>/uploads/", uploads.uploads, name="uploads"),
    path("studies/<slug:slug>/uploads/<int:pk>/", uploads.upload, name="upload"),
    path("studies/<slug:slug>/uploads/<int:pk>/changes/", uploads.changes, name="upload_changes"),
    path("studies/<slug:slug>/uploads/<int:pk>/load/", uploads.load, name="load_upload"),
    path("studies/<slug:slug>/uploads/<int:pk>/cancel/", uploads.cancel, name="cancel_upload"),
    path("studies/<slug:slug>/uploads/<int:pk>/undo/", uploads.undo, name="undo_upload"),
    path(
        "studies/<slug:slug>/uploads/<int:pk>/findings.csv",
        uploads.findings,
        name="upload_findings",
    ),
    path(
        "studies/<slug:slug>/uploads/<int:pk>/columns/",
        upload_columns.columns,
        name="upload_columns",
    ),
    path(
        "studies/<slug:slug>/uploads/<int:pk>/columns/reading/",
        upload_columns.set_reading,
        name="set_reading",
    ),
    path(
        "studies/<slug:slug>/uploads/<int:pk>/columns/mapping/",
        upload_columns.set_mapping,
        name="set_mapping",
    ),
    path(
        "studies/<slug:slug>/uploads/<int:pk>/choices/",
        upload_columns.set_choices,
        name="set_choices",
    ),
]
