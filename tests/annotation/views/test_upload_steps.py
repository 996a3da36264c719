import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import (
    Assignment,
    Item,
    MappingTemplate,
    OutputVersion,
    Rating,
    StudyEvent,
    System,
    Unit,
    Upload,
)
from jobs.models import Job
from tests.factories import (
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    JudgeGroupFactory,
    StudyFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = b"item_id,source,system,output\ni1,An e-mail.,A,One.\ni1,An e-mail.,B,Two.\n"
PAGES = ["upload", "upload_columns", "upload_changes", "upload_findings"]
ACTS = ["load_upload", "undo_upload", "set_reading", "set_mapping", "set_choices"]


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def send(client, study, content, name="outputs.csv", kind="outputs"):
    client.post(
        reverse("annotation:uploads", args=[study.slug]),
        {"kind": kind, "file": SimpleUploadedFile(name, content)},
    )
    return Upload.objects.latest("pk")


def act(client, upload, name, data=None):
    url = reverse(f"annotation:{name}", args=[upload.study.slug, upload.pk])
    response = client.post(url, data or {}, follow=True)
    upload.refresh_from_db()
    return response.content.decode()


def loaded(client, study, content):
    upload = send(client, study, content)
    act(client, upload, "load_upload")
    assert upload.state == "loaded"
    return upload


def texts():
    versions = OutputVersion.objects.filter(is_current=True)
    return dict(versions.values_list("output__system__key", "text"))


@pytest.mark.parametrize("role", ["researcher", "monitor"])
@pytest.mark.parametrize("name", [*PAGES, *ACTS])
def test_only_owners_see_and_move_uploads(owner_client, role, name):
    client, study = owner_client(role=role)
    upload = Upload.objects.create(
        study=study, kind="outputs", n_bytes=1, created_at="2026-01-01T12:00Z"
    )
    url = reverse(f"annotation:{name}", args=[study.slug, upload.pk])

    assert (client.post if name in ACTS else client.get)(url).status_code == 404
    assert not Job.objects.exists()


def test_the_same_file_again_changes_nothing(owner_client):
    client, study = owner_client(state="draft")
    loaded(client, study, GOOD)

    upload = send(client, study, GOOD)

    changes = upload.report["changes"]
    assert {name: changes[name] for name in ("new", "changed", "unchanged", "missing")} == {
        "new": 0,
        "changed": 0,
        "unchanged": 2,
        "missing": 0,
    }


def test_the_changes_are_shown_before_they_are_made(owner_client):
    client, study = owner_client(state="draft")
    loaded(client, study, GOOD)

    upload = send(client, study, b"item_id,system,output\ni1,A,Uno.\ni2,A,Drei.\n")
    page = client.get(reverse("annotation:upload_changes", args=[study.slug, upload.pk]))

    changes = upload.report["changes"]
    assert (changes["new"], changes["changed"], changes["missing"]) == (1, 1, 1)
    assert "<del>One.</del>" in page.content.decode()
    assert "<ins>Uno.</ins>" in page.content.decode()
    assert texts() == {"A": "One.", "B": "Two."}


def test_a_changed_text_is_a_new_version_and_a_judged_one_keeps_its_work(owner_client):
    client, study = owner_client(state="draft")
    loaded(client, study, GOOD)
    judge = JudgeFactory(group__study=study)
    AssignmentFactory(judge=judge, unit=Unit.objects.get(system__key="A"))

    loaded(client, study, GOOD.replace(b"One.", b"Uno.").replace(b"Two.", b"Due."))

    assert texts() == {"A": "Uno.", "B": "Due."}
    assert Assignment.objects.get().unit.output_version.text == "One."
    # Nobody was given Two., so it is judged no more; One. stays with its work.
    units = Unit.objects.values_list("output_version__text", flat=True)
    assert sorted(units) == ["Due.", "One.", "Uno."]


def test_only_new_outputs_are_added_where_that_is_chosen(owner_client):
    client, study = owner_client(state="draft")
    loaded(client, study, GOOD)
    upload = send(client, study, GOOD.replace(b"One.", b"Uno.") + b"i2,x,A,Three.\n")

    act(client, upload, "set_choices", {"adds_only": "on", "empty_output": "keep"})
    act(client, upload, "load_upload")

    assert upload.report["loaded"] == {
        "new": 1,
        "changed": 0,
        "unchanged": 1,
        "left as they were": 1,
    }
    assert set(OutputVersion.objects.values_list("text", flat=True)) == {"One.", "Two.", "Three."}


def test_an_undone_file_leaves_the_study_as_it_was(owner_client):
    client, study = owner_client(state="draft")
    loaded(client, study, GOOD)
    second = loaded(client, study, GOOD.replace(b"One.", b"Uno.") + b"i2,x,C,Three.\n")

    page = act(client, second, "undo_upload")

    assert second.state == "undone"
    assert "the study is as it was" in page
    assert texts() == {"A": "One.", "B": "Two."}
    assert Unit.objects.count() == 2
    assert (Item.objects.count(), System.objects.count()) == (1, 2)
    assert StudyEvent.objects.latest("pk").kind == "outputs_undone"


def test_a_file_whose_texts_were_given_to_judges_is_not_undone(owner_client):
    client, study = owner_client(state="draft")
    upload = loaded(client, study, GOOD)
    AssignmentFactory(judge=JudgeFactory(group__study=study), unit=Unit.objects.first())

    page = act(client, upload, "undo_upload")

    assert upload.state == "loaded"
    assert "Outputs of it have been given to judges" in page
    assert texts() == {"A": "One.", "B": "Two."}


def test_places_follow_the_texts_of_an_open_study(owner_client):
    client, study = owner_client(state="open", opened_at="2026-01-01T12:00Z")
    JudgeGroupFactory(study=study, judges_per_unit=2)

    loaded(client, study, GOOD)
    second = loaded(client, study, GOOD.replace(b"One.", b"Uno."))
    after_change = sorted(Assignment.objects.values_list("unit__output_version__text", flat=True))
    act(client, second, "undo_upload")

    assert after_change == ["Two.", "Two.", "Uno.", "Uno."]
    assert sorted(Assignment.objects.values_list("unit__output_version__text", flat=True)) == [
        "One.",
        "One.",
        "Two.",
        "Two.",
    ]


def test_good_rows_are_loaded_where_that_is_chosen(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, GOOD + b",x,A,No id.\n")
    assert upload.report["outcome"] == "reject"

    act(client, upload, "set_choices", {"good_rows_only": "on", "empty_output": "keep"})
    act(client, upload, "load_upload")

    assert (upload.state, upload.report["loaded"]["new"]) == ("loaded", 2)


def test_empty_outputs_are_left_out_where_that_is_chosen(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, GOOD + b"i1,An e-mail.,C,\n")

    act(client, upload, "set_choices", {"empty_output": "skip"})
    act(client, upload, "load_upload")

    assert texts() == {"A": "One.", "B": "Two."}


def test_every_finding_can_be_taken_as_csv(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, GOOD + b",x,A,No id.\n" * 60)

    url = reverse("annotation:upload_findings", args=[study.slug, upload.pk])
    lines = b"".join(client.get(url).streaming_content).decode().splitlines()

    assert lines[0] == "place,line,column,kind,severity,value,reason,mend"
    assert sum("missing_id" in line for line in lines) == 60
    page = client.get(reverse("annotation:upload", args=[study.slug, upload.pk]))
    assert "60" in page.content.decode()


def test_findings_are_filtered_by_kind(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, GOOD + b",x,A,No id.\ni3,x,A,\n")
    url = reverse("annotation:upload", args=[study.slug, upload.pk])

    page = client.get(url, {"kind": "missing_id"})

    assert [found["kind"] for found in page.context["findings"]] == ["missing_id"]


def test_a_mapping_is_kept_for_files_with_the_same_columns(owner_client):
    client, study = owner_client(state="draft")
    odd = b"who,what,said\ni1,A,One.\ni1,B,Two.\n"
    upload = send(client, study, odd)
    assert upload.report["outcome"] == "ask"

    fields = {"column_0": "item_id", "column_1": "system", "column_2": "output"}
    act(client, upload, "set_mapping", fields)
    again = send(client, study, odd.replace(b"i1", b"i2"))

    assert upload.report["outcome"] == "accept"
    assert (again.report["outcome"], again.report["understood"]["origin"]) == ("accept", "template")
    assert MappingTemplate.objects.count() == 1
    other_study = StudyFactory()
    assert not other_study.mapping_templates.exists()


def test_columns_of_systems_that_no_name_tells_are_bound_on_the_page(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, b"who,first,second\ni1,One.,Two.\n")
    said = {"column_0": "item_id", "column_1": "output", "column_2": "output"}

    act(client, upload, "set_mapping", {**said, "column_1_system": "T5", "column_2_system": "BART"})
    url = reverse("annotation:upload_columns", args=[study.slug, upload.pk])
    page = client.get(url).content.decode()
    act(client, upload, "load_upload")

    assert texts() == {"T5": "One.", "BART": "Two."}
    assert "system: T5" in page
    assert 'value="BART"' in page


def test_columns_of_ratings_are_bound_to_judge_and_dimension_on_the_page(owner_client):
    client, study = owner_client(state="draft")
    DimensionFactory(phase__study=study, key="fluency")
    DimensionFactory(phase__study=study, key="overall")
    loaded(client, study, b"item_id,system,output\ni1,A,One.\n")
    upload = send(client, study, b"item_id,system,u,v\ni1,A,1,2\n", "r.csv", "ratings")
    said = {"column_0": "item_id", "column_1": "system", "column_2": "value", "column_3": "value"}
    bonds = {"column_2_dimension": "fluency", "column_3_dimension": "overall"}

    act(client, upload, "set_mapping", {**said, **bonds, "judge": "Ann", "column_3_judge": "Bo"})
    act(client, upload, "load_upload")

    stored = Rating.objects.values_list("dimension__key", "value", "assignment__judge__pseudonym")
    assert {row[:2] for row in stored} == {("fluency", 1), ("overall", 2)}
    # What is said of all rows is not said of a column as well.
    assert len({row[2] for row in stored}) == 1


def test_a_column_of_another_field_is_bound_to_nothing(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, b"who,first,system\ni1,One.,A\n")
    said = {"column_0": "item_id", "column_1": "output", "column_2": "system"}

    act(client, upload, "set_mapping", {**said, "column_0_system": "X", "column_1_system": "Y"})
    act(client, upload, "load_upload")

    assert texts() == {"A": "One."}


def test_another_encoding_and_delimiter_may_be_said(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, "item_id;system;output\ni1;A;caf\u00e9\n".encode("cp1252"))

    act(client, upload, "set_reading", {"encoding": "cp1251", "delimiter": ";"})
    russian = upload.report["understood"]["sample"][0]["cells"]
    act(client, upload, "set_reading", {"encoding": "cp1252", "delimiter": ";"})

    assert russian == ["i1", "A", "caf\u0439"]
    assert upload.report["understood"]["sample"][0]["cells"] == ["i1", "A", "caf\u00e9"]


def test_a_loaded_file_is_read_in_no_other_way(owner_client):
    client, study = owner_client(state="draft")
    upload = loaded(client, study, GOOD)

    page = act(client, upload, "set_reading", {"delimiter": ";"})

    assert upload.state == "loaded"
    assert "cannot be changed any more" in page


def test_a_failed_load_says_that_nothing_was_written_and_what_to_do(owner_client):
    client, study = owner_client(state="draft")
    upload = send(client, study, GOOD)
    upload.study.state = "frozen"
    upload.study.save()

    page = act(client, upload, "load_upload")

    assert "nothing of the file was written" in page
    assert "The study is frozen" in page
    assert "Load 2 rows" in page
    assert not Item.objects.exists()


def test_a_loaded_file_is_not_said_to_be_at_work_while_its_job_ends(owner_client):
    client, study = owner_client(state="draft")
    upload = loaded(client, study, GOOD)
    Job.objects.filter(pk=upload.job_id).update(state="running", finished_at=None)

    page = client.get(reverse("annotation:upload", args=[study.slug, upload.pk])).content.decode()

    assert "Loaded." in page
    assert "Undo the load of 2 rows" in page
    for sign in ("<progress", "Cancel", "hx-get"):
        assert sign not in page


def test_while_a_file_is_loaded_the_last_step_is_the_present_one(owner_client):
    client, study = owner_client(state="draft")
    upload = loaded(client, study, GOOD)
    Upload.objects.update(state="checked")
    Job.objects.filter(pk=upload.job_id).update(state="running", finished_at=None)

    page = client.get(reverse("annotation:upload", args=[study.slug, upload.pk])).content.decode()

    current = page.partition('aria-current="step"')[2].partition("</li>")[0]
    assert "Load" in current
    assert "· Loading" in page


@pytest.mark.parametrize(
    ("name", "step"),
    [("upload_columns", "Columns"), ("upload_changes", "Changes"), ("upload", "Load")],
)
def test_the_present_step_of_a_loaded_file_is_the_page_that_is_open(owner_client, name, step):
    client, study = owner_client(state="draft")
    upload = loaded(client, study, GOOD)

    page = client.get(reverse(f"annotation:{name}", args=[study.slug, upload.pk])).content.decode()

    assert page.count('aria-current="step"') == 1
    assert f">{step}</span>" in page.partition('aria-current="step"')[2].partition("</li>")[0]
    assert page.count("<li data-done>") == 4
