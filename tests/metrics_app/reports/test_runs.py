"""Two runs beside each other."""

from metrics_app.reports.runs import Change, compare_runs


def _report(mean, *, alpha=0.5, data="a", systems=("s",)):
    means = [{"dimension": "d", "group": "g", "system": s, "mean": mean} for s in systems]
    row = {
        "dimension": "d", "group": "g", "scope": "pooled", "statistic": "krippendorff_alpha",
        "options": {"measurement": "ordinal"}, "value": alpha,
    }  # fmt: skip
    return {"data_hash": data, "code_version": "1", "seed": 3, "means": means, "agreement": [row]}


def test_equal_runs_have_no_change():
    found = compare_runs(_report(2.0), _report(2.0))

    assert (found.provenance, found.changes, found.n_same) == ((), (), 2)


def test_a_change_is_named_with_its_place_and_its_size():
    found = compare_runs(_report(2.0), _report(2.5, data="b"))

    assert found.provenance == (("data_hash", "a", "b"),)
    assert found.changes == (Change("means", ("d", "g", "s"), 2.0, 2.5),)
    assert found.changes[0].difference == 0.5
    assert found.n_same == 1


def test_a_row_that_only_one_run_has_is_a_change_without_a_difference():
    found = compare_runs(_report(2.0), _report(2.0, systems=("s", "new")))

    assert found.changes == (Change("means", ("d", "g", "new"), None, 2.0),)
    assert found.changes[0].difference is None


def test_an_undefined_number_is_no_zero():
    found = compare_runs(_report(2.0, alpha=None), _report(2.0, alpha=0.0))

    place = ("d", "g", "pooled", "krippendorff_alpha", "ordinal")
    assert found.changes == (Change("agreement", place, None, 0.0),)
