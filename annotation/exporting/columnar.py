"""Parquet, written in groups of rows; needs the extra ``parquet``."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from annotation.exporting.records import TIDY_FIELDS, TidyRating

GROUP = 50_000
MOMENTS = frozenset({"opened_at", "submitted_at"})
TRUTHS = frozenset({"is_check", "valid", "late"})
WHOLE = frozenset({"output_version", "position", "revision"})


def write_parquet(path: Path, ratings: Iterable[TidyRating]) -> None:
    """Write the tidy table with types: doubles, whole numbers, truths, moments in UTC.

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is not installed; the message names the extra.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415  # an extra that may not be installed
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Writing Parquet needs the extra `parquet`.") from error

    types = {
        **dict.fromkeys(TIDY_FIELDS, pa.string()),
        **dict.fromkeys(("value", "active_seconds"), pa.float64()),
        **dict.fromkeys(WHOLE, pa.int64()),
        **dict.fromkeys(TRUTHS, pa.bool_()),
        **dict.fromkeys(MOMENTS, pa.timestamp("us", tz="UTC")),
    }
    schema = pa.schema([(name, types[name]) for name in TIDY_FIELDS])
    rows = iter(ratings)
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(rows, GROUP)):
            columns = {name: [getattr(row, name) for row in group] for name in TIDY_FIELDS}
            writer.write_table(pa.table(columns, schema=schema))
