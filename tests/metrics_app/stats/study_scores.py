"""The two published rating sets as arrays, parsed with float() exactly."""

import csv
import gzip
import json
from collections import defaultdict
from functools import cache

import numpy as np


@cache
def checks(path):
    """Return the expected checks of a set as a list."""
    return json.loads(path.read_text(encoding="utf-8"))["checks"]


@cache
def ratings(path):
    """Return {(group, dimension): {(item, system): [scores]}}."""
    found = defaultdict(lambda: defaultdict(list))
    for row in _rows(path):
        cell = found[row["rater_group"], row["dimension"]]
        cell[row["item_id"], row["system"]].append(float(row["score"]))
    return found


@cache
def metrics(path):
    """Return {metric: {(item, system): score}}."""
    found = defaultdict(dict)
    for row in _rows(path):
        found[row["metric"]][row["item_id"], row["system"]] = float(row["score"])
    return found


def as_array(scores, keys):
    """Return scores of (item, system) as a systems x items array."""
    systems, items = keys
    return np.array([[scores.get((i, s), np.nan) for i in items] for s in systems])


def keys(scores):
    """Return systems and items in the order of the file."""
    return (
        list(dict.fromkeys(system for _, system in scores)),
        list(dict.fromkeys(item for item, _ in scores)),
    )


def means(cells):
    """Return the mean of each cell; sums of whole scores are exact."""
    return {key: sum(scores) / len(scores) for key, scores in cells.items()}


def _rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
