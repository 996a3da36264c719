import json

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from annotation.models import Choice, Item, Judge, OutputVersion, Rating, Study
from tests.annotation import comparing_studies
from tests.factories import JudgeFactory

pytestmark = pytest.mark.django_db

OUTPUTS = "item_id,source,system,output\ni1,An e-mail.,A,One.\ni1,An e-mail.,B,Two.\n"
RATINGS = (
    "item_id,system,rater_id,rater_group,dimension,score\n"
    "i1,A,e1,expert,fluency,3\ni1,A,w1,crowd,fluency,1\ni1,B,e1,expert,fluency,4\n"
)


@pytest.fixture
def study():
    call_command("create_study", "mail", "--dimensions", "fluency", "--scale", "1-4")
    return Study.objects.get(slug="mail")


def write(tmp_path, text, name="file.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.usefixtures("study")
def test_outputs_and_ratings_go_in(tmp_path):
    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS))
    call_command("import_ratings", "mail", write(tmp_path, RATINGS))

    assert sorted(Rating.objects.values_list("value", flat=True)) == [1.0, 3.0, 4.0]
    assert sorted(Judge.objects.values_list("pseudonym", "group__key", "group__kind")) == [
        ("e1", "expert", "expert"),
        ("w1", "crowd", "crowd"),
    ]


@pytest.mark.usefixtures("study")
def test_the_same_files_again_change_nothing(tmp_path, capsys):
    for _ in range(2):
        call_command("import_outputs", "mail", write(tmp_path, OUTPUTS))
        call_command("import_ratings", "mail", write(tmp_path, RATINGS))

    assert (OutputVersion.objects.count(), Rating.objects.count()) == (2, 3)
    assert "0 new, 0 changed, 2 unchanged outputs" in capsys.readouterr().out


@pytest.mark.usefixtures("study")
def test_a_changed_text_of_a_rated_output_is_a_new_version(tmp_path):
    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS))
    call_command("import_ratings", "mail", write(tmp_path, RATINGS))

    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS.replace("One.", "Uno.")))

    versions = OutputVersion.objects.filter(output__system__key="A").order_by("number")
    assert list(versions.values_list("text", "is_current")) == [("One.", False), ("Uno.", True)]
    assert Rating.objects.filter(assignment__unit__output_version__text="One.").count() == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("i1,A,e2,expert,fluency,5", ["line 5", "5"]),
        ("i1,A,e2,expert,tone,3", ["line 5", "tone"]),
        ("i1,C,e2,expert,fluency,3", ["line 5", "C"]),
        ("i1,A,e1,expert,fluency,2", ["line 5", "e1"]),
    ],
)
@pytest.mark.usefixtures("study")
def test_a_bad_rating_names_its_line_and_writes_nothing(tmp_path, capsys, line, said):
    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS))

    with pytest.raises(CommandError) as refusal:
        call_command("import_ratings", "mail", write(tmp_path, RATINGS + line + "\n"))

    told = capsys.readouterr().err
    assert refusal.value.returncode == 2
    assert all(part in told for part in said), told
    assert not Rating.objects.exists()


@pytest.mark.parametrize("content", [b"", b'{"item_id": \n'])
@pytest.mark.usefixtures("study")
def test_an_unreadable_file_ends_with_status_2(tmp_path, content):
    path = tmp_path / "file.csv"
    path.write_bytes(content)

    with pytest.raises(CommandError) as refusal:
        call_command("import_outputs", "mail", path)

    assert refusal.value.returncode == 2
    assert not Item.objects.exists()


@pytest.mark.usefixtures("study")
def test_a_dry_run_writes_nothing(tmp_path, capsys):
    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS), "--dry-run")

    assert "Outcome: accept. Nothing was written." in capsys.readouterr().out
    assert not Item.objects.exists()


def test_an_unknown_study_is_said():
    with pytest.raises(CommandError, match="There is no study 'nowhere'"):
        call_command("import_outputs", "nowhere", "file.csv")


@pytest.mark.usefixtures("study")
def test_names_of_workers_are_not_kept(tmp_path):
    call_command("import_outputs", "mail", write(tmp_path, OUTPUTS))
    worker = "A2SUAM1J3GNN3B"
    ratings = write(tmp_path, RATINGS.replace("w1", worker))

    call_command("import_ratings", "mail", ratings)
    call_command("import_ratings", "mail", ratings)

    crowd = Judge.objects.get(group__key="crowd")
    assert crowd.pseudonym == "J001"
    assert worker not in str(Judge.objects.filter(pk=crowd.pk).values().get())


def test_a_sheet_for_each_item_is_loaded_as_it_is_said(study, tmp_path):
    book = openpyxl.Workbook()
    for name, sheet in (("case1", book.active), ("case2", book.create_sheet())):
        sheet.title = name
        for row in (["", f"The source of {name}."], [], ["flu", "", ""], [4, "M1", f"On {name}."]):
            sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    said = tmp_path / "map.json"
    said.write_text('{"sheet": "item_id", "B": "system", "C": "output", "B1": "source"}')
    layout = ["--header-row", "3", "--cells", "B1", "--mapping", str(said)]

    with pytest.raises(CommandError, match=r"Nothing was written \(ask\)"):
        call_command("import_outputs", study.slug, str(tmp_path / "book.xlsx"))
    call_command("import_outputs", study.slug, str(tmp_path / "book.xlsx"), *layout)

    stored = OutputVersion.objects.values_list("output__item__key", "text").order_by("pk")
    assert list(stored) == [("case1", "On case1."), ("case2", "On case2.")]
    assert study.items.get(key="case1").source == ["The source of case1."]


@pytest.fixture
def compared(tmp_path):
    original = comparing_studies.make_study(n_items=1, n_systems=2, k=1)
    judge = JudgeFactory(study=original.study, group=original)
    comparing_studies.choose(judge, "A>B")
    path = tmp_path / "comparisons.csv"
    call_command("export", original.study.slug, "--format", "comparisons", "--out", path)
    return comparing_studies.empty_copy(original.study), path


def test_exported_comparisons_go_in_after_a_dry_run(compared, capsys):
    study, path = compared

    call_command("import_comparisons", study.slug, path, "--dry-run")
    assert "Nothing was written" in capsys.readouterr().out
    assert not study.judges.exists()
    call_command("import_comparisons", study.slug, path)

    assert "1 new, 0 unchanged comparisons" in capsys.readouterr().out
    assert list(Rating.objects.filter(assignment__unit__study=study).values_list("text")) == [
        ("A>B",)
    ]


def test_rankings_per_item_go_in_from_the_command_line(compared, tmp_path, capsys):
    study, _ = compared
    item, (a, b) = study.items.get().key, study.systems.values_list("key", flat=True)
    path = tmp_path / "rankings.jsonl"
    record = {"item_id": item, "dimension": "pairwise", "rankings": {"r1": [b, a], "r2": [a, b, a]}}
    path.write_text(json.dumps(record), encoding="utf-8")

    with pytest.raises(CommandError):
        call_command("import_comparisons", study.slug, path)
    assert "bad_ranking: line 1, column ranking" in capsys.readouterr().err
    call_command("import_comparisons", study.slug, path, "--good-rows-only")

    ranks = Choice.objects.filter(assignment__unit__study=study).values_list(
        "assignment__judge__pseudonym", "member__output_version__output__system__key", "rank"
    )
    assert sorted(ranks) == sorted([("r1", b, 1), ("r1", a, 2)])


def test_a_faulty_choice_is_told_on_standard_error_with_status_2(compared, capsys):
    study, path = compared
    path.write_text(path.read_text(encoding="utf-8").replace("A>B", "A>Z"), encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        call_command("import_comparisons", study.slug, path)

    assert refused.value.returncode == 2
    assert "bad_choice: line 2, column choice" in capsys.readouterr().err
    assert not study.judges.exists()
