"""The report of two published studies against every number their authors or libraries give."""

import csv
import gzip
import json

import pytest
from django.core.management import call_command

from tests.metrics_app.reports.published import Finder, value_of
from tests.metrics_app.reports.read_back import LatexTables, workbook_rows

# The crowd's ratings of two systems have the same sum here, so the systems tie. The stated values
# come from means of means, in which rounding parts the two.
TIED_BY_SUM = {
    "expert_vs_crowd.system.kendall.relevance",
    "expert_vs_crowd.system.spearman.relevance",
}
FEW = "--resamples=20"


@pytest.fixture(scope="module")
def report_of(study_data, tmp_path_factory):
    def make(name, ratings, *options):
        out = tmp_path_factory.mktemp(name)
        data = study_data(f"{name}/expected.json")
        call_command("report", f"--ratings={ratings}", f"--out={out}", FEW, "--scale=1-5", *options)
        report = json.loads((out / "report.json").read_text())
        return report, json.loads(data.read_text())["checks"], out

    return make


@pytest.fixture(scope="module")
def opinsummeval(report_of, study_data):
    return report_of(
        "opinsummeval",
        study_data("opinsummeval/ratings.csv.gz"),
        f"--scores={study_data('opinsummeval/metrics.csv.gz')}",
    )


@pytest.fixture(scope="module")
def dialsummeval(report_of, study_data):
    return report_of(
        "dialsummeval",
        study_data("dialsummeval/ratings.csv.gz"),
        f"--scores={study_data('dialsummeval/metrics.csv.gz')}",
    )


@pytest.fixture(scope="module")
def small_study(report_of, study_data, tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "ratings.csv"
    items = {f"sam{number:03d}" for number in range(1, 21)}
    with gzip.open(study_data("dialsummeval/ratings.csv.gz"), "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(r for r in rows if r["system"] == "BART" and r["item_id"] in items)
    return report_of("dialsummeval", path)


def _walk(report, checks, only_group):
    """Return the wrong answers, and the kinds of check that have none."""
    finder = Finder(report, only_group)
    wrong, missing = [], set()
    for check in checks:
        row = finder.row(check)
        if row is None:
            missing.add(".".join(check["id"].split(".")[:2]))
        elif value_of(row, check) != pytest.approx(check["value"], rel=1e-9, abs=1e-9):
            wrong.append((check["id"], value_of(row, check), check["value"]))
        else:
            wrong.extend(_wrong_side_facts(row, check))
    return wrong, missing


def _wrong_side_facts(row, check):
    undefined = check.get("n_undefined_cells", check.get("n_undefined_items"))
    if undefined is not None and row["n_undefined"] != undefined:
        yield check["id"], row["n_undefined"], undefined
    p = check.get("p_value")
    if p is not None and row["p"] != pytest.approx(p, rel=1e-6, abs=1e-9):
        yield check["id"], row["p"], p
    if "group_means" in check and row["group_means"] != pytest.approx(check["group_means"]):
        yield check["id"], row["group_means"], check["group_means"]
    if "eta_squared" in check:
        found = row["effects"]["eta_squared"]
        if found != pytest.approx(check["eta_squared"], abs=1e-9):
            yield check["id"], found, check["eta_squared"]


def test_opinsummeval_is_reproduced_in_every_number(opinsummeval):
    report, checks, _ = opinsummeval

    assert _walk(report, checks, "trained") == ([], set())
    assert len(checks) == 1676


def test_dialsummeval_is_reproduced_in_every_number(dialsummeval):
    report, checks, _ = dialsummeval
    own = [check for check in checks if not check["id"].startswith("mini20.")]

    wrong, missing = _walk(report, own, "expert")

    assert ({check for check, *_ in wrong}, missing) == (TIED_BY_SUM, set())


def test_small_study_within_dialsummeval_is_reproduced(small_study):
    report, checks, _ = small_study
    own = [check for check in checks if check["id"].startswith("mini20.")]

    assert _walk(report, own, "expert") == ([], set())
    assert len(own) == 96


@pytest.mark.parametrize(
    ("name", "only_group", "n_checks"),
    [("opinsummeval", "trained", 1676), ("dialsummeval", "expert", 1162)],
)
def test_every_number_is_read_back_out_of_workbook_and_latex(request, name, only_group, n_checks):
    report, checks, out = request.getfixturevalue(name)
    own = [
        check
        for check in checks
        if not check["id"].startswith("mini20.") and check["id"] not in TIED_BY_SUM
    ]
    assert len(own) == n_checks

    assert _walk(workbook_rows(out / "report.xlsx"), own, only_group) == ([], set())

    finder, printed, wrong = Finder(report, only_group), LatexTables(out / "latex", report), []
    for check in own:
        shown, digits = printed.number(check, finder.row(check))
        if abs(shown - check["value"]) > 0.5000001 * 10**-digits:
            wrong.append((check["id"], shown, check["value"]))
    assert wrong == []


def test_kappa_per_batch_and_system_is_given_under_both_rules(opinsummeval):
    report, *_ = opinsummeval

    rows = [
        row
        for row in report["agreement"]
        if row["scope"] == "batch_system_mean" and row["statistic"] == "cohen_kappa"
    ]

    assert [(r["options"]["rule"], round(r["value"], 6), r["n_undefined"]) for r in rows] == [
        ("one", 0.905543, 0), ("leave_out", 0.905543, 0),
        ("one", 0.778808, 17), ("leave_out", 0.748237, 17),
        ("one", 0.829502, 6), ("leave_out", 0.821868, 6),
        ("one", 0.777112, 3), ("leave_out", 0.772231, 3),
    ]  # fmt: skip


def test_a_copied_column_of_ratings_is_reported(dialsummeval):
    report, *_ = dialsummeval

    copies = [row for row in report["findings"] if row["kind"] == "identical_raters"]

    assert [(row["dimension"], row["facts"]) for row in copies] == [
        ("coherence", {"raters": ["e2", "e3"], "n_shared": 1400})
    ]
