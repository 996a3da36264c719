"""The registry is complete, documented and says where a statistic makes sense."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from metrics_app.registry import FAMILIES, STATISTICS, statistic, statistics_for
from metrics_app.stats.correlation import pearson
from metrics_app.stats.lines.answers import handlers
from metrics_app.stats.scales import MEASUREMENTS, Scale
from metrics_app.stats.undefined import REASONS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def test_every_statistic_of_the_line_interface_is_registered():
    assert set(handlers()) - set(STATISTICS) == set()


def test_names_are_unique():
    assert len(STATISTICS) == sum(map(len, FAMILIES.values()))


@pytest.mark.parametrize("entry", STATISTICS.values(), ids=lambda entry: entry.name)
def test_an_entry_is_complete(entry):
    assert entry.label
    assert entry.source
    assert entry.takes
    assert entry.family in FAMILIES
    assert set(entry.measurements) <= set(MEASUREMENTS)
    function = getattr(entry.function, "func", entry.function)
    assert inspect.getdoc(function)


def test_parameters_are_those_of_the_function():
    assert dict(statistic("krippendorff_alpha").parameters) == {"measurement": None}
    assert statistic("mace").parameters["n_restarts"] == 10
    assert statistic("mace").is_random
    assert not statistic("glad").is_random


def test_an_entry_is_called_like_its_function():
    assert statistic("pearson")([1, 2, 3], [1, 2, 4]) == pearson([1, 2, 3], [1, 2, 4])


def test_a_slider_admits_no_coefficient_of_categories():
    names = {entry.name for entry in statistics_for(Scale.range(0, 100))}
    assert {"gwet_ac", "cohen_kappa", "percent_agreement"} & names == set()
    assert {"krippendorff_alpha", "icc", "oneway_anova"} <= names


def test_nominal_labels_admit_no_means():
    names = {entry.name for entry in statistics_for(Scale.named(["yes", "no"]))}
    assert {"icc", "t_test", "kendall_w", "pearson"} & names == set()
    assert {"cohen_kappa", "krippendorff_alpha", "dawid_skene"} <= names


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="no statistic 'fleis_kappa'; did you mean fleiss_kappa"):
        statistic("fleis_kappa")


@pytest.mark.parametrize("entry", STATISTICS.values(), ids=lambda entry: entry.name)
def test_the_docs_have_a_row_for_every_statistic(entry):
    levels = "any" if len(entry.measurements) == 4 else ", ".join(entry.measurements)
    reach = "" if entry.on_range else ", no slider"
    row = f"| `{entry.name}` | {entry.label} | {levels}{reach} | {entry.source} |"
    assert row in DOCS.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("code", REASONS)
def test_the_docs_have_a_row_for_every_reason(code):
    row = f"| `{code}` | {REASONS[code]} |"
    assert row in DOCS.read_text(encoding="utf-8").splitlines()


def test_the_docs_have_no_row_too_many():
    _, tables = DOCS.read_text(encoding="utf-8").split("## The statistics")
    tables, _ = tables.split("## Where libraries disagree")
    names = [line.split("`")[1] for line in tables.splitlines() if line.startswith("| `")]
    assert names == [*STATISTICS, *REASONS]


def test_a_seed_is_a_generator_not_a_number():
    random = [entry.name for entry in STATISTICS.values() if entry.is_random]
    assert {"mace", "ranking", "power", "metric_bootstrap", "agreement_report"} <= set(random)
    for name in random:
        kind = inspect.signature(statistic(name).function, eval_str=True).parameters["rng"]
        assert np.random.Generator in (kind.annotation, *getattr(kind.annotation, "__args__", ()))
