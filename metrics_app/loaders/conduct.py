"""How a study's ratings were collected, from its protocol and its work."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from annotation.selectors import doors
from annotation.selectors.doors import GroupRow, RatingRow
from metrics_app.loaders.circumstances import Conduct

IMPORTED = "imported"


def conduct_of_study(
    study_id: int, rows: Sequence[RatingRow], groups: Iterable[GroupRow]
) -> Conduct:
    """Return the conduct of a study; ``rows`` are all its ratings."""
    protocol = doors.protocol_of(study_id)
    settings, phases = protocol["study"], protocol["phases"]
    own = [row for row in rows if row.valid and row.origin != IMPORTED]
    moments = {row.submitted_at for row in own if row.submitted_at is not None}
    return Conduct(
        layout=settings["layout"],
        one_dimension_per_pass=settings["one_dimension_per_pass"],
        shuffles_dimensions=settings["shuffles_dimensions"],
        source_once_per_judge=settings["source_once_per_judge"],
        repeat_percent=settings["repeat_percent"],
        n_instruction_words=sum(len(phase["instructions"].split()) for phase in phases),
        n_examples=sum(len(phase["examples"]) for phase in phases),
        first_on=min(moments).date().isoformat() if moments else "",
        last_on=max(moments).date().isoformat() if moments else "",
        n_excluded={group.key: group.n_excluded for group in groups if group.n_judges},
        median_seconds=median_seconds(own),
    )


def median_seconds(rows: Iterable[RatingRow]) -> dict[str, float]:
    """Return by group the median active time of a judge on an output, over all its phases."""
    of_phase: dict[tuple[str, str, str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.active_seconds is not None:
            work = (row.judge_group, row.judge, row.item_id, row.system)
            of_phase[work][row.phase] = row.active_seconds
    by_group: dict[str, list[float]] = defaultdict(list)
    for (group, *_), phases in of_phase.items():
        by_group[group].append(sum(phases.values()))
    return {group: median(seconds) for group, seconds in by_group.items()}
