"""Files of every messy kind met so far: each comes to its outcome, its findings and its rows.

`tests/data/messy` holds them, a few lines each; the name says what is odd about it. To add one, put
it there and into `expected.json`, with what a person would want said of it.
"""

import json
from pathlib import Path

import pytest

from annotation.importing import Rules, ScaleRule, UnreadableFile, check, guess_mapping, read
from annotation.importing.kinds import KINDS
from annotation.services.loading import Source, check_file
from tests.factories import DimensionFactory, StudyFactory

FOLDER = Path(__file__).parents[2] / "data" / "messy"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))


def findings_and_rows(path, kind):
    try:
        reading = read(path, kind=kind)
    except UnreadableFile as error:
        return "reject", [error.finding], 0
    mapping = guess_mapping(reading.header, kind, reading.sample())
    checked = check(reading, mapping, ONE_TO_FIVE if kind == "ratings" else Rules())
    n_rows = sum(1 for _ in checked.rows())
    return checked.report.outcome, checked.report.findings, n_rows


def test_every_file_is_expected_and_there():
    assert {file.name for file in FOLDER.iterdir()} == {*EXPECTED, "expected.json"}


@pytest.mark.parametrize("name", EXPECTED)
def test_file_comes_to_its_outcome_findings_and_rows(name):
    expected = EXPECTED[name]

    outcome, findings, n_rows = findings_and_rows(FOLDER / name, expected["kind"])

    assert outcome == expected["outcome"]
    assert sorted({found.kind for found in findings}) == expected["findings"]
    assert n_rows == expected["n_rows"]


@pytest.mark.parametrize("name", [name for name in EXPECTED if EXPECTED[name]["findings"]])
def test_what_is_said_of_a_file_names_what_and_how_to_mend_it(name):
    _, findings, _ = findings_and_rows(FOLDER / name, EXPECTED[name]["kind"])

    for found in findings:
        assert found.severity == KINDS[found.kind][0]
        assert found.reason.endswith(".")
        assert found.mend.endswith(".")
        assert "Traceback" not in str(found)


@pytest.mark.django_db
def test_the_service_behind_page_and_command_comes_to_the_same():
    study = StudyFactory()
    dimension = DimensionFactory(phase__study=study)
    assert dimension

    for name, expected in EXPECTED.items():
        if expected["kind"] == "outputs":
            run = check_file(study, Source(FOLDER / name, "outputs"))
            assert (name, run.report.outcome) == (name, expected["outcome"])
