"""CSV as MTurk and Turkle write the results of a batch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotation.exporting.delimited import by_judge_and_output, csv_lines
from annotation.exporting.records import TidyRating, cell

ABOUT = (
    "HITId", "HITTypeId", "Title", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime",
    "SubmitTime", "WorkTimeInSeconds",
)  # fmt: skip
INPUTS = ("Input.item_id", "Input.system", "Input.output")


def mturk_csv(
    ratings: Iterable[TidyRating],
    dimensions: Sequence[str],
    outputs: Mapping[tuple[str, str], str] | None = None,
) -> Iterator[str]:
    """Yield one row for each judge and output, with ``Input.*`` and ``Answer.*`` columns.

    ``outputs`` gives the text of (item_id, system). Workers are pseudonyms, never platform
    identifiers. The ratings of one judge and output must come one after the other.
    """
    texts = outputs or {}
    header = (*ABOUT, *INPUTS, *(f"Answer.{dimension}" for dimension in dimensions))
    rows = (
        [
            *_about(first),
            first.item_id,
            first.system,
            texts.get((first.item_id, first.system), ""),
            *(answers.get(dimension, "") for dimension in dimensions),
        ]
        for first, answers in by_judge_and_output(ratings)
    )
    return csv_lines(header, rows)


def _about(row: TidyRating) -> list[str]:
    unit = f"{row.item_id}/{row.system}"
    status = "Rejected" if row.excluded_by else "Approved" if row.valid else "Submitted"
    return [
        unit,
        row.phase,
        row.study,
        f"{unit}/{row.judge}",
        row.judge,
        status,
        cell(row.opened_at),
        cell(row.submitted_at),
        cell(row.active_seconds),
    ]
