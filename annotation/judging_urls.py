"""The judge's addresses: the personal link, and the API that the page itself calls."""

from django.urls import path, re_path

from annotation.api import judging as api
from annotation.views import judging as views

urlpatterns = [
    path("j/<str:token>/", views.enter, name="judge_enter"),
    path("j/<str:token>/instructions/", views.instructions, name="judge_instructions"),
    path("j/<str:token>/pause/", views.pause, name="judge_pause"),
    path("j/<str:token>/leave/", views.leave, name="judge_leave"),
    path("j/<str:token>/<int:draw>/", views.page, name="judge_page"),
    path("j/<str:token>/<int:draw>/<int:number>/", views.page, name="judge_page"),
    path("api/judging/next/", api.NextPages.as_view(), name="judging_next"),
    path("api/judging/standing/", api.JudgeStanding.as_view(), name="judging_standing"),
    path("api/judging/preferences/", api.Preferences.as_view(), name="judging_preferences"),
    path("api/judging/pages/<int:draw>/", api.OnePage.as_view(), name="judging_page"),
    path("api/judging/pages/<int:draw>/<int:number>/", api.OnePage.as_view(), name="judging_page"),
    path("api/judging/<uuid:handle>/done/", api.Done.as_view(), name="judging_done"),
    path(
        "api/judging/<uuid:handle>/ratings/<str:dimension>/",
        api.OneRating.as_view(),
        name="judging_rating",
    ),
    path(
        "api/judging/<uuid:handle>/ratings/<str:dimension>/<int:fact>/",
        api.OneRating.as_view(),
        name="judging_rating",
    ),
    re_path(r"^api/judging/", api.no_such_address),
]
