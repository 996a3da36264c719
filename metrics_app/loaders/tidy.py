"""The tidy table of ratings: one row a rating, the same columns wherever it goes."""

from collections.abc import Iterable, Iterator

TIDY_COLUMNS = (
    "study", "phase", "dimension", "item_id", "batch", "system", "output_version", "fact_id",
    "judge", "judge_group", "value", "label", "text", "missing_reason", "position", "is_check",
    "repeat_of", "valid", "excluded_by", "late", "origin", "opened_at", "submitted_at",
    "active_seconds", "revision",
)  # fmt: skip


def tidy_rows(rows: Iterable[object], study: str) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row in the order of ``TIDY_COLUMNS``.

    Numbers are written so that reading them gives the same double; truths are ``true`` and
    ``false``, moments are ISO 8601, and what is not known is empty.
    """
    for row in rows:
        yield tuple(
            study if name == "study" else _cell(getattr(row, name, None)) for name in TIDY_COLUMNS
        )


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()) if isoformat else str(value)
