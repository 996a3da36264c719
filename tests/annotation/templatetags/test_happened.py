"""The log of a study, told in sentences."""

import pytest

from annotation.models import StudyEvent
from annotation.templatetags.happened import what_happened


@pytest.mark.parametrize(
    ("kind", "detail", "told"),
    [
        ("created", {}, "The study was made."),
        ("state", {"from": "open", "to": "paused"}, "The study was paused."),
        ("outputs_loaded", {"file": "mails.csv", "new": 80}, "Outputs were loaded from mails.csv."),
        ("ratings_undone", {}, "The ratings of a file were taken out again."),
        ("judge_excluded", {"judge": "J004"}, "J004 was excluded."),
        ("model_judge_added", {"judge": "J9", "model": "m-1"}, "J9 was added: the model m-1."),
        ("export_downloaded", {"format": "xlsx"}, "An export was downloaded: xlsx."),
        ("something_new", {}, "something new"),
    ],
)
def test_what_happened_is_told_in_a_sentence(kind, detail, told):
    assert what_happened(StudyEvent(kind=kind, detail=detail)) == told


def test_a_file_name_with_braces_is_only_a_name():
    event = StudyEvent(kind="outputs_loaded", detail={"file": "{judge}.csv"})

    assert what_happened(event) == "Outputs were loaded from {judge}.csv."
