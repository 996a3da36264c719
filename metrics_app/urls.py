"""The addresses of this app."""

from django.urls import URLPattern, URLResolver

app_name = "metrics_app"
urlpatterns: list[URLPattern | URLResolver] = []
