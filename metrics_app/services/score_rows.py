"""Many scores at once: one prepared statement on SQLite, one of arrays on PostgreSQL.

`bulk_create` builds an object a row and a statement a batch, which takes three times as long.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection, transaction

# A statement of all scores of a large file would stand in the memory of client and server.
BATCH = 5_000
INSERT = """
INSERT INTO metrics_app_score
(metric_id, output_version_id, value, undefined, detail, content_hash)
"""
ONE_ROW = "VALUES (%s, %s, %s, %s, %s, %s)"
ARRAYS = """
SELECT * FROM unnest(
%s::bigint[], %s::bigint[], %s::double precision[], %s::text[], %s::text[], %s::text[])
"""
IN_PLACE_OF_EARLIER = """
ON CONFLICT (metric_id, output_version_id) DO UPDATE SET
value = excluded.value, undefined = excluded.undefined,
detail = excluded.detail, content_hash = excluded.content_hash
"""


class ScoreRow(NamedTuple):
    """What is stored of one score: a number, or why there is none."""

    metric_id: int
    version_id: int
    value: float | None
    undefined: str = ""
    detail: str = ""
    content_hash: str = ""


def write_scores(rows: Sequence[ScoreRow]) -> None:
    """Store all the rows or none, each in the place of an earlier score of the same output."""
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.executemany(INSERT + ONE_ROW + IN_PLACE_OF_EARLIER, rows)
            return
        for start in range(0, len(rows), BATCH):
            columns = zip(*rows[start : start + BATCH], strict=True)
            cursor.execute(INSERT + ARRAYS + IN_PLACE_OF_EARLIER, list(map(list, columns)))
