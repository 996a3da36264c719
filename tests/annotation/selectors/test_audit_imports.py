"""What the audit says of a study that is judged here and takes in work that was done elsewhere."""

import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command

from annotation.enums import RatingSource
from annotation.forms.studies import JudgeForm
from annotation.models import Assignment, Dimension, Study
from annotation.selectors.audit import audit_study
from annotation.services.answers import Answer
from annotation.services.exports import write_export
from annotation.services.hand_in import hand_in
from annotation.services.judges import add_judge
from annotation.services.loading import Source, load_file
from annotation.services.places import draw
from annotation.services.ratings import Change, submit_rating
from tests.annotation.comparing_studies import choose
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db

OUTPUTS = "item_id,source,system,output\ni1,An e-mail.,One,First.\ni1,An e-mail.,Two,Second.\n"
MORE = "item_id,source,system,output\ni2,A letter.,One,Third.\ni2,A letter.,Two,Fourth.\n"
RATINGS = "item_id,system,judge,judge_group,dimension,value\n"


def ratings_of(*judges, group, items=("i1",)):
    return RATINGS + "".join(
        f"{item},{system},{judge},{group},fluency,3\n"
        for judge in judges
        for item in items
        for system in ("One", "Two")
    )


@pytest.fixture
def load(tmp_path):
    def load(kind, text):
        path = tmp_path / "file.csv"
        path.write_text(text, encoding="utf-8")
        call_command(f"import_{kind}", "mail", path)

    return load


@pytest.fixture
def study(load):
    """A study of two outputs, which asks for two judgements of each by a crowd."""
    call_command(
        "create_study", "mail", "--dimensions", "fluency", "--scale", "1-4", "--group", "crowd:2"
    )
    load("outputs", OUTPUTS)
    return Study.objects.get(slug="mail")


def set_state(state):
    call_command("set_state", "mail", state)


def audited(study):
    """Return the counts of each group (k, places, due, imported), and the deviations."""
    audit = audit_study(Study.objects.get(pk=study.pk), at=NOON)
    groups = {
        row.group: (row.judges_per_unit, row.n_places, row.n_ratings_due, row.n_imported)
        for row in audit.groups
    }
    return groups, [(found.kind, found.sentence) for found in audit.deviations]


def test_ratings_imported_into_an_open_study_owe_no_places(study, load, capsys):
    set_state("open")
    load("ratings", ratings_of("e1", "e2", "e3", group="judges"))

    assert audited(study) == ({"crowd": (2, 4, 4, 0), "judges": (3, 0, 0, 6)}, [])
    call_command("audit", "mail")
    assert capsys.readouterr().out.endswith("No deviation.\n")


def test_outputs_that_come_later_owe_places_to_those_who_judge_here_alone(study, load):
    set_state("open")
    load("ratings", ratings_of("e1", group="judges"))
    load("outputs", MORE)

    assert audited(study) == ({"crowd": (2, 8, 8, 0), "judges": (1, 0, 0, 2)}, [])


def test_k_of_a_group_from_files_is_what_all_of_them_show(study, load):
    set_state("open")
    load("ratings", ratings_of("e1", group="judges"))
    load("ratings", ratings_of("e2", "e3", group="judges"))

    assert audited(study) == ({"crowd": (2, 4, 4, 0), "judges": (3, 0, 0, 6)}, [])


def test_ratings_imported_for_a_group_that_judges_here_change_no_place(study, load):
    set_state("open")
    load("ratings", ratings_of("w1", group="crowd"))

    assert audited(study) == ({"crowd": (2, 4, 4, 2)}, [])


def test_a_study_opened_with_imported_ratings_asks_their_groups_for_more(study, load):
    load("ratings", ratings_of("e1", "e2", group="expert"))
    set_state("open")

    assert audited(study) == ({"crowd": (2, 4, 4, 0), "expert": (2, 4, 4, 4)}, [])
    load("outputs", MORE)
    assert audited(study) == ({"crowd": (2, 8, 8, 0), "expert": (2, 8, 8, 4)}, [])


def test_judging_goes_on_after_an_import_and_closing_names_what_is_short(study, load):
    set_state("open")
    load("ratings", ratings_of("w1", group="crowd"))
    load("ratings", ratings_of("e1", group="judges"))
    judge = add_judge(study.groups.get(key="crowd"), at=NOON)
    fluency = Dimension.objects.get(phase__study=study)
    while places := draw(judge, at=NOON):
        change = Change(uuid.uuid4(), RatingSource.KEY)
        submit_rating(places[0], dimension=fluency, answer=Answer(value=4), change=change, at=NOON)
        hand_in(places[0], at=NOON)
    assert audited(study)[1] == []

    set_state("closed")

    sentence = "1 of 2 places of crowd hold a valid judgement."
    assert audited(study)[1] == [("short", sentence)] * 2


def test_places_that_are_lost_are_named_beside_imported_work(study, load):
    set_state("open")
    load("ratings", ratings_of("w1", group="crowd"))
    load("ratings", ratings_of("e1", group="judges"))
    Assignment.objects.filter(slot__isnull=False).delete()

    sentence = "crowd has places [] here where [1, 2] are due."
    assert audited(study)[1] == [("k", sentence)] * 2


def test_nobody_is_invited_into_a_group_that_is_handed_nothing(study, load):
    load("ratings", ratings_of("e1", group="expert"))
    offered = JudgeForm(study=study).fields["group"].queryset
    assert sorted(offered.values_list("key", flat=True)) == ["crowd", "expert"]

    set_state("open")
    load("ratings", ratings_of("m1", group="others"))

    study.refresh_from_db()
    offered = JudgeForm(study=study).fields["group"].queryset
    assert sorted(offered.values_list("key", flat=True)) == ["crowd", "expert"]


def test_a_file_begun_before_the_opening_has_its_places(study, tmp_path):
    path = tmp_path / "more.csv"
    path.write_text(MORE, encoding="utf-8")
    read_before = Study.objects.get(pk=study.pk)
    set_state("open")

    load_file(read_before, Source(path, "outputs"), at=NOON)

    assert audited(study) == ({"crowd": (2, 8, 8, 0)}, [])


def test_comparisons_imported_into_an_open_study_owe_no_places(tmp_path):
    group = comparing_study(n_items=2, n_systems=2, k=1)
    choose(JudgeFactory(study=group.study, group=group), "A>B", "B>A")
    path = tmp_path / "comparisons.csv"
    write_export(group.study, "comparisons", path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(group.key, "others").replace(",J", ",K"), encoding="utf-8")

    load_file(group.study, Source(path, "comparisons"), at=NOON)

    assert audited(group.study) == ({group.key: (1, 2, 2, 0), "others": (1, 0, 0, 2)}, [])


def test_groups_that_were_brought_before_this_was_known_are_found_again(study, load):
    set_state("open")
    load("ratings", ratings_of("w1", group="crowd"))
    load("ratings", ratings_of("e1", group="judges"))
    study.groups.update(is_observed=False)

    import_module("annotation.migrations.0015_observed_groups").mark_observed(apps, None)

    assert [group.key for group in study.groups.filter(is_observed=True)] == ["judges"]
