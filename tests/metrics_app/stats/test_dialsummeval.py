"""Agreement of DialSummEval (2022.naacl-main.418): experts, crowd, all eight, the small study."""

from functools import cache, partial

import pytest

from metrics_app.stats.icc import icc
from metrics_app.stats.pairwise import IdenticalPair, cohen_kappa, identical_pairs
from tests.metrics_app.stats.studies import checks, rating_rows, table_of
from tests.metrics_app.stats.test_opinsummeval import FUNCTIONS

GROUPS = {"expert": {"expert"}, "crowd": {"crowd"}, "expert+crowd": {"expert", "crowd"}}
DIMENSIONS = ["coherence", "consistency", "fluency", "relevance"]
SMALL = {f"sam{number:03d}" for number in range(1, 21)}


@cache
def _table(path, dimension, group, is_small):
    return table_of(
        [
            row
            for row in rating_rows(path)
            if row["dimension"] == dimension
            and row["rater_group"] in GROUPS[group]
            and (not is_small or (row["system"] == "BART" and row["item_id"] in SMALL))
        ]
    )


def _cases(study_data, dimension):
    ratings = study_data("dialsummeval/ratings.csv.gz")
    for check in checks(study_data("dialsummeval/expected.json")):
        known = {*FUNCTIONS, "mean_pairwise_cohen_kappa", "icc"}
        if check["statistic"] in known and check["dimension"] == dimension:
            is_small = check["id"].startswith("mini20")
            yield check, _table(ratings, dimension, check["group"], is_small)


def _coefficient(check):
    if check["statistic"] == "icc":
        return partial(icc, form=check["form"])
    if check["statistic"] == "mean_pairwise_cohen_kappa":
        return partial(cohen_kappa, weights=check["weights"])
    options = {"weights": check["weights"]} if "weights" in check else {}
    if "level" in check:
        options["measurement"] = check["level"]
    return partial(FUNCTIONS[check["statistic"]], **options)


@pytest.mark.parametrize(("dimension", "n_checks"), [(name, 62) for name in DIMENSIONS])
def test_every_published_coefficient(study_data, dimension, n_checks):
    n_done = 0
    for check, table in _cases(study_data, dimension):
        estimate = _coefficient(check)(table)

        assert estimate.value == pytest.approx(check["value"], abs=2e-10), check["id"]
        assert estimate.n_units == check["n_items"]
        if "pairs" in check:
            pairs = [pair["value"] for pair in estimate.details["pairs"]]
            assert pairs == pytest.approx(check["pairs"], abs=1e-8)
            assert estimate.details["maximum"] == pytest.approx(max(check["pairs"]), abs=1e-8)
        n_done += 1
    assert n_done == n_checks


def test_the_copied_column_is_found(study_data):
    ratings = study_data("dialsummeval/ratings.csv.gz")

    found = {
        dimension: identical_pairs(_table(ratings, dimension, "expert", False))
        for dimension in DIMENSIONS
    }

    assert found == {
        "coherence": [IdenticalPair(("e2", "e3"), 1400)],
        "consistency": [],
        "fluency": [],
        "relevance": [],
    }
