"""The log of a study, told in sentences."""

import pytest

from annotation.models import StudyEvent
from annotation.services.blinding import set_blinding
from annotation.templatetags.happened import what_happened
from tests.factories import NOON, StudyFactory, UserFactory


@pytest.mark.parametrize(
    ("kind", "detail", "told"),
    [
        ("created", {}, "The study was made."),
        ("state", {"from": "open", "to": "paused"}, "The study was paused."),
        ("outputs_loaded", {"file": "mails.csv", "new": 80}, "Outputs were loaded from mails.csv."),
        ("ratings_undone", {}, "The ratings of a file were taken out again."),
        ("judge_excluded", {"judge": "J004"}, "J004 was excluded."),
        ("exclusion_rules_changed", {"before": "none"}, "The rules of exclusion were changed."),
        ("model_judge_added", {"judge": "J9", "model": "m-1"}, "J9 was added: the model m-1."),
        ("export_downloaded", {"format": "xlsx"}, "An export was downloaded: xlsx."),
        ("system_names_seen", {}, "An owner looked at the names of systems."),
        ("results_seen", {}, "An owner looked at ratings and results."),
        ("member_added", {"user": "ann", "role": "monitor"}, "ann was added as monitor."),
        ("member_invited", {"user": "ann", "role": "owner"}, "ann was invited as owner."),
        (
            "member_role_changed",
            {"user": "ann", "before": "owner", "role": "monitor"},
            "ann was owner and is monitor now.",
        ),
        ("member_removed", {"user": "{role}", "role": "owner"}, "{role} is no longer a member."),
        ("something_new", {}, "something new"),
    ],
)
def test_what_happened_is_told_in_a_sentence(kind, detail, told):
    assert what_happened(StudyEvent(kind=kind, detail=detail)) == told


def test_a_file_name_with_braces_is_only_a_name():
    event = StudyEvent(kind="outputs_loaded", detail={"file": "{judge}.csv"})

    assert what_happened(event) == "Outputs were loaded from {judge}.csv."


@pytest.mark.parametrize(
    ("hides_systems", "hides_results", "told"),
    [
        (True, True, "The names of systems, ratings and results are hidden until the closing."),
        (True, False, "The names of systems are hidden until the closing."),
        (False, True, "Ratings and results are hidden until the closing."),
        (False, False, "Nothing is hidden until the closing any more."),
    ],
)
@pytest.mark.django_db
def test_a_change_of_blinding_says_what_is_hidden_from_then_on(hides_systems, hides_results, told):
    owner = UserFactory()
    study = StudyFactory(hides_systems=not hides_systems)

    set_blinding(
        study, hides_systems=hides_systems, hides_results=hides_results,
        actor=owner, reason="As the ethics board asked.", at=NOON,
    )  # fmt: skip

    assert what_happened(StudyEvent.objects.get(study=study, kind="blinding")) == told
