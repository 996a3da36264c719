"""Stored analyses as pages and the API read them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from metrics_app.loaders.studies import Watermark, events_since, ratings_since
from metrics_app.models import Analysis, AnalysisFile


@dataclass(frozen=True, slots=True)
class Staleness:
    """What has happened to the study since an analysis read its ratings."""

    n_ratings: int
    n_events: int

    @property
    def is_stale(self) -> bool:
        """Whether the same analysis might give other numbers now."""
        return bool(self.n_ratings or self.n_events)


def latest_result(study_id: int) -> Analysis | None:
    """Return the newest plain analysis of the study that has a result.

    A named one answers a question of its own ("with excluded judges") and is not the report.
    """
    return (
        Analysis.objects.filter(study_id=study_id, name="", result__isnull=False)
        .select_related("job")
        .order_by("-pk")
        .first()
    )


def latest_request(study_id: int) -> Analysis | None:
    """Return the newest analysis of the study, whatever became of it; without its result."""
    return (
        Analysis.objects.filter(study_id=study_id)
        .select_related("job")
        .defer("result")
        .order_by("-pk")
        .first()
    )


def finished_analyses(study_id: int) -> list[Analysis]:
    """Return every analysis of the study that has a result, the newest first, without results."""
    return list(
        Analysis.objects.filter(study_id=study_id, result__isnull=False)
        .select_related("created_by")
        .defer("result")
        .order_by("-pk")
    )


def results_of(study_id: int, pks: Collection[int]) -> dict[int, dict[str, Any]]:
    """Return the results of some analyses of the study."""
    found = Analysis.objects.filter(study_id=study_id, pk__in=pks, result__isnull=False)
    return {analysis.pk: analysis.result for analysis in found if analysis.result is not None}


def analysis_of(study_id: int, pk: int) -> Analysis | None:
    """Return one analysis of the study."""
    return Analysis.objects.filter(study_id=study_id, pk=pk).select_related("job").first()


def staleness(analysis: Analysis) -> Staleness:
    """Return how many changes of ratings, and events, came after the analysis's watermark."""
    mark = Watermark(analysis.rating_watermark or 0, analysis.event_watermark or 0)
    return Staleness(
        n_ratings=ratings_since(analysis.study_id, mark),
        n_events=events_since(analysis.study_id, mark),
    )


_HOLDS = {
    "": "the whole report",
    "charts": "chart, and the rows behind it",
    "latex": "table for a paper",
    "preset": "table as the published study prints it",
    "tables": "table with every digit",
}


@dataclass(frozen=True, slots=True)
class FileGroup:
    """The files of one table or chart, by format."""

    name: str
    folder: str
    formats: tuple[tuple[str, str, int], ...]  # suffix, path, size in bytes

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ").replace("-", " ")

    @property
    def holds(self) -> str:
        """What kind of thing it is, in words."""
        return _HOLDS.get(self.folder, "")


def file_list(analysis: Analysis) -> list[FileGroup]:
    """Return the files of an analysis, the formats of one chart together; contents stay behind."""
    groups: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for path, size in analysis.files.order_by("path").values_list("path", "size"):
        folder, _, name = path.rpartition("/")
        stem, _, suffix = name.partition(".")
        groups.setdefault((folder, stem), []).append((suffix, path, size))
    return [FileGroup(stem, folder, tuple(formats)) for (folder, stem), formats in groups.items()]


def file_of(study_id: int, pk: int, path: str) -> AnalysisFile | None:
    """Return one file of an analysis of the study."""
    files = AnalysisFile.objects.filter(analysis__study_id=study_id, analysis_id=pk, path=path)
    return files.first()
