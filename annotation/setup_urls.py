"""The addresses of a study's set-up."""

from django.urls import path

from annotation.views import preview, setup

urlpatterns = [
    path("", setup.setup, name="setup"),
    path("protocol.json", setup.protocol, name="protocol"),
    path("preview/", preview.preview, name="preview"),
    path("preview/<int:number>/", preview.preview, name="preview"),
    path("layout/", setup.layout, name="setup_layout"),
    path("phases/new/", setup.phase, name="new_phase"),
    path("phases/<int:pk>/", setup.phase, name="setup_phase"),
    path("phases/<int:pk>/dimensions/new/", setup.new_dimension, name="new_dimension"),
    path("phases/<int:pk>/examples/new/", setup.new_example, name="new_example"),
    path("dimensions/<int:pk>/", setup.dimension, name="setup_dimension"),
    path("examples/<int:pk>/", setup.example, name="setup_example"),
    path("groups/new/", setup.group, name="new_group"),
    path("groups/<int:pk>/", setup.group, name="setup_group"),
    path("<slug:kind>/<int:pk>/remove/", setup.remove, name="remove_part"),
    path("<slug:kind>/<int:pk>/move/", setup.move, name="move_part"),
]
