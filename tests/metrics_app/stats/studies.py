"""The published studies of the shared data as tables, and their checks."""

import csv
import gzip
import json
from functools import cache

from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

FIVE_POINTS = Scale.points(range(1, 6), measurement="interval")


@cache
def rating_rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def checks(path):
    return json.loads(path.read_text(encoding="utf-8"))["checks"]


def table_of(rows):
    columns = {
        name: [row[name] for row in rows] for name in ("item_id", "system", "rater_id", "score")
    }
    groups = {"item": columns["item_id"], "system": columns["system"]}
    if "batch" in rows[0]:
        groups["batch"] = [row["batch"] for row in rows]
    return RatingTable.from_columns(
        list(zip(columns["item_id"], columns["system"], strict=True)),
        columns["rater_id"],
        map(float, columns["score"]),
        scale=FIVE_POINTS,
        **groups,
    )
