"""Our own exports for spreadsheets, which put an apostrophe before what would run as a formula."""

from collections.abc import Iterator, Sequence

from annotation.importing.findings import Finding
from annotation.importing.reading import RawRow

# As in `annotation.exporting.safety`, which this room does not know.
STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
# So the tables of ratings, of comparisons and of outputs begin there.
HEADERS = (
    ("study", "phase", "dimension", "item_id", "batch", "system", "output_version", "fact_id"),
    ("study", "phase", "dimension", "item_id", "batch", "judge", "judge_group", "system_a"),
    (
        "item_id",
        "batch",
        "language",
        "domain",
        "document",
        "source",
        "reference",
        "prior_reference",
    ),
)


def is_own_export(header: Sequence[str]) -> bool:
    """Whether a table has the columns of an export of ours, in their order."""
    return any(tuple(header[: len(own)]) == own for own in HEADERS)


def as_exported(cells: Sequence[object]) -> list[str]:
    """Return the cells of such an export, which are texts, as they were before."""
    return [_without_apostrophe(str(cell)) for cell in cells]


def without_apostrophes(rows: Iterator[RawRow | Finding]) -> Iterator[RawRow | Finding]:
    """Yield the rows of such an export as they were before."""
    for row in rows:
        yield row if isinstance(row, Finding) else row._replace(cells=as_exported(row.cells))


def _without_apostrophe(text: str) -> str:
    return text[1:] if text[:1] == "'" and text.lstrip("'").startswith(STARTS) else text
