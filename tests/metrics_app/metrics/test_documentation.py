"""docs/metrics.md says of every metric and of every published column what is done with it."""

import csv
import gzip
import importlib.util
import re
from pathlib import Path

from metrics_app.metrics.registry import REGISTRY
from metrics_app.services.trained_metrics import VARIANTS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")
KEYS = {re.sub(r"[^a-z0-9]", "", key.lower()) for key in REGISTRY}
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if "|" in line
]
OPINSUMMEVAL = [row for row in ROWS if row[0].isdigit()]


def test_every_metric_has_a_row_that_tells_the_truth():
    rows = {row[0].strip("`"): row for row in ROWS if len(row) == 8 and row[0].startswith("`")}
    assert set(rows) == set(REGISTRY)
    for key, metric in REGISTRY.items():
        _, label, needs, direction, params, policy, origin, source = rows[key]
        assert label == metric.label
        assert needs == (", ".join(metric.needs) or "—")
        assert direction == metric.direction
        assert params == (", ".join(metric.params) or "—")
        assert policy == (metric.policy if metric.policies else "—")
        assert origin == ("extra" if metric.extra else "box")
        assert source == metric.source


def test_the_26_metrics_of_opinsummeval_have_their_rows():
    assert [int(row[0]) for row in OPINSUMMEVAL] == list(range(1, 27))
    for _, _, _, mark, how in OPINSUMMEVAL:
        keys = [key for key in re.findall(r"`([^`]+)`", how) if key not in {"max_n"}]
        assert mark in {"box", "extra", "endpoint", "uploaded"}
        assert (mark in {"endpoint", "uploaded"}) == (not keys)
        assert all(("extra" if REGISTRY[key].extra else "box") == mark for key in keys)


def test_parameters_that_the_26_rows_name_are_there_and_uploaded_ones_are_not_computed():
    for _, name, _, mark, how in OPINSUMMEVAL:
        if mark == "uploaded":
            assert re.sub(r"[^a-z0-9]", "", name.lower()) not in KEYS
        if "`max_n`" in how:
            assert "max_n" in REGISTRY["bleu"].params
        if "its layer, IDF and baseline" in how:
            assert {"layer", "idf", "baseline"} <= set(REGISTRY["bertscore"].params)
        if "folder" in how and mark == "extra":
            keys = re.findall(r"`([^`]+)`", how)
            assert all("model" in REGISTRY[key].params for key in keys)


def test_the_rows_beside_the_26_name_what_is_there():
    rows = {row[0].split(" (")[0]: row for row in ROWS if len(row) == 3}
    _, mark, how = rows["ESQE"]
    assert mark == "box, in its manner"
    assert importlib.util.find_spec(re.findall(r"`([^`]+)`", how)[0])
    _, mark, how = rows["Nouveau-ROUGE"]
    assert mark == "box"
    origins = {key: REGISTRY[key].extra for key in re.findall(r"`([^`]+)`", how)}
    assert [key for key, extra in origins.items() if extra] == ["nouveau_rougeBE"]
    assert f"({', '.join(VARIANTS)})" in how


def test_every_stored_column_is_in_a_row(study_data):
    with gzip.open(study_data("opinsummeval/metrics.csv.gz"), "rt", encoding="utf-8") as lines:
        columns = {row["metric"] for row in csv.DictReader(lines)}
    listed = [column for row in OPINSUMMEVAL for column in row[2].split(", ")]
    assert len(listed) == len(set(listed)) == 64
    assert set(listed) == columns
