"""The package's own page: its example runs, and it names modules that exist."""

import doctest
import importlib.util
import re

import metrics_app.stats


def test_the_example_of_the_manual_runs():
    assert doctest.testmod(metrics_app.stats) == (0, 7)


def test_the_manual_names_modules_that_exist():
    named = set(re.findall(r"`([a-z_]+)(?:\.[A-Z]\w+)?`", metrics_app.stats.__doc__))
    assert len(named) > 40
    named.remove("rng")
    missing = [name for name in named if not importlib.util.find_spec(f"metrics_app.stats.{name}")]
    assert missing == []
