"""Metrics as this installation can run them: model folders by name, and what is not there."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings

from metrics_app.metrics.contract import Metric
from metrics_app.metrics.folders import FOLDERS
from metrics_app.services.dependency_parser import HOW as NAME_A_PARSER
from metrics_app.services.dependency_parser import configured_parser

CARRIED = {"wordllama": "Install the extra: pip install 'concord[embeddings]'."}
HOW = "Name it in CONCORD_MODELS, for example CONCORD_MODELS=bert=/srv/models/bert."


def model_names() -> list[str]:
    """Return the names of all models that may be chosen here."""
    carried = [name for name in CARRIED if find_spec(name)]
    return [*carried, *_folders()]


def located(metric: Metric) -> Metric:
    """Return the metric with folders in the place of their names.

    Raises
    ------
    ValueError
        For a name that the administrator has not given to any folder.
    """
    folders = _folders()
    paths: dict[str, object] = {}
    if _lacks_parser(metric):
        with suppress(ValueError):  # `what_is_missing` says it
            paths["parser"] = configured_parser()
    for parameter in FOLDERS:
        name = metric.params.get(parameter)
        if not name or name in CARRIED:
            continue
        if name not in folders:
            known = ", ".join(folders) or "none"
            raise ValueError(f"{metric.key}: there is no model {name!r} (known: {known}). {HOW}")
        paths[parameter] = folders[name]
    return replace(metric, params={**metric.params, **paths}) if paths else metric


def what_is_missing(metric: Metric) -> str:
    """Return in a sentence what keeps a located metric from running here; empty if nothing."""
    if _lacks_parser(metric):
        return _parser_problem(metric)
    if "model" not in metric.params:
        return ""
    model = str(metric.params["model"])
    if not model:
        return f"It needs {metric.extra}. {HOW}"
    if model in CARRIED:
        return "" if find_spec(model) else CARRIED[model]
    if not Path(model).is_dir():
        return f"There is no folder {model}."
    lacking = [name for name in metric.libraries if not find_spec(name)]
    return f"Install {' and '.join(lacking)} first." if lacking and "torch" in lacking else ""


def _lacks_parser(metric: Metric) -> bool:
    return "parser" in metric.params and metric.params["parser"] is None


def _parser_problem(metric: Metric) -> str:
    try:
        configured_parser()
    except ValueError as fault:
        return str(fault)
    return f"It needs {metric.extra}. {NAME_A_PARSER}"


def _folders() -> Mapping[str, str]:
    folders: Mapping[str, str] = settings.CONCORD_MODELS
    return folders
