"""How a study's ratings were collected, from its protocol and its work."""

from collections.abc import Iterable
from datetime import UTC, datetime

import numpy as np

from annotation.selectors import doors
from annotation.selectors.doors import GroupRow, RatingColumns
from metrics_app.loaders.circumstances import Conduct
from metrics_app.loaders.names import Ints


def conduct_of_study(study_id: int, columns: RatingColumns, groups: Iterable[GroupRow]) -> Conduct:
    """Return the conduct of a study; ``columns`` hold all its ratings."""
    protocol = doors.protocol_of(study_id)
    settings, phases = protocol["study"], protocol["phases"]
    own = np.flatnonzero(columns.is_valid & ~columns.is_imported)
    moments = columns.submitted_at[own]
    return Conduct(
        layout=settings["layout"],
        one_dimension_per_pass=settings["one_dimension_per_pass"],
        shuffles_dimensions=settings["shuffles_dimensions"],
        source_once_per_judge=settings["source_once_per_judge"],
        repeat_percent=settings["repeat_percent"],
        n_instruction_words=sum(
            len(phase[name].split()) for phase in phases for name in ("instructions", "suggestions")
        ),
        n_examples=sum(len(phase["examples"]) for phase in phases),
        first_on=_day(moments.min()) if moments.size else "",
        last_on=_day(moments.max()) if moments.size else "",
        n_excluded={group.key: group.n_excluded for group in groups if group.n_judges},
        median_seconds=_median_seconds(columns, own),
    )


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _median_seconds(columns: RatingColumns, own: Ints) -> dict[str, float]:
    """Return by group the median active time of a judge on an output, over all its phases."""
    works = own[np.unique(columns.work[own], return_index=True)[1]]
    works = works[~np.isnan(columns.active_seconds[works])]
    seconds, group = columns.active_seconds[works], columns.group.codes[works]
    return {
        columns.group.keys[code]: float(np.median(seconds[group == code]))
        for code in np.unique(group).tolist()
    }
