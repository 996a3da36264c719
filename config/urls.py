"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

from jobs.views import health

urlpatterns = [
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("", include("annotation.urls")),
    path("", include("metrics_app.urls")),
]
