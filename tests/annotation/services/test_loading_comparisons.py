import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from annotation.enums import StudyState
from annotation.models import Assignment, Choice, Rating, Unit, Upload
from annotation.selectors.doors.comparisons import comparison_rows
from annotation.services.exports import write_export
from annotation.services.loading import RefusedFile, Source, check_file, load_file
from annotation.services.undoing import undo_upload
from tests.annotation.comparing_studies import choose, empty_copy, make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)
HEADER = "dimension,item_id,judge,judge_group,system_a,system_b,system_c,choice,missing_reason\n"


@pytest.fixture
def judged():
    """A study in which two judges compared three systems, one with a tie and one without answer."""
    group = make_study(n_items=2, n_systems=3, k=2)
    choose(JudgeFactory(study=group.study, group=group), "A>B", "B>A", "A=B")
    choose(JudgeFactory(study=group.study, group=group), "A>B", "A>B", "", "B>A", "B>A")
    return group.study


@pytest.fixture
def exported(judged, tmp_path):
    path = tmp_path / "comparisons.csv"
    write_export(judged, "comparisons", path)
    return path


def load(study, path, **options):
    return load_file(study, Source(path, "comparisons", options=options), at=LATER)


def written(tmp_path, *rows):
    path = tmp_path / "choices.csv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def said(study):
    """What the study holds of choices, apart from its own name and where they came from."""
    rows = comparison_rows(study.pk, "any")
    names = "phase dimension item_id members judge judge_group choice missing_reason valid position"
    return sorted(str([getattr(row, name) for name in names.split()]) for row in rows)


def test_an_export_loaded_into_an_empty_study_says_the_same(judged, exported):
    copy = empty_copy(judged)

    counts = load(copy, exported)

    assert counts == {"new": 8, "unchanged": 0}
    assert said(copy) == said(judged)
    assert Choice.objects.filter(assignment__unit__study=copy).count() == 14
    works = Assignment.objects.filter(unit__study=copy)
    assert set(works.values_list("origin", "slot")) == {("imported", None)}


@pytest.mark.parametrize("form", ["comparisons-jsonl", "comparison-ranks"])
def test_the_other_forms_of_the_export_say_the_same(judged, tmp_path, form):
    copy = empty_copy(judged)
    path = tmp_path / "export"
    write_export(judged, form, path)

    assert load(copy, path) == {"new": 8, "unchanged": 0}
    assert said(copy) == said(judged)


def test_a_table_of_ranks_answers_the_pairs_of_an_item(judged, tmp_path):
    copy = empty_copy(judged)
    item = copy.items.first().key
    a, b, c = copy.systems.values_list("key", flat=True)
    path = tmp_path / "ranks.csv"
    path.write_text(f"item_id,judge,dimension,{a},{b},{c}\n{item},r1,pairwise,2,1,2\n")

    assert load(copy, path) == {"new": 3, "unchanged": 0}

    rows = comparison_rows(copy.pk, "any")
    assert [([one.system for one in row.members], row.choice) for row in rows] == [
        ([a, b], "B>A"),
        ([a, c], "A=B"),
        ([b, c], "A>B"),
    ]
    assert load(copy, path) == {"new": 0, "unchanged": 3}


def test_the_same_file_again_changes_nothing(judged, exported):
    copy = empty_copy(judged)
    load(copy, exported)

    assert load(copy, exported) == {"new": 0, "unchanged": 8}
    assert said(copy) == said(judged)


def test_a_dry_run_writes_nothing(judged, exported):
    copy = empty_copy(judged)

    run = check_file(copy, Source(exported, "comparisons"))

    assert (run.report.outcome, run.report.n_clean) == ("accept", 8)
    assert not Unit.objects.filter(study=copy).exclude(kind="single").exists()
    assert not copy.judges.exists()


def test_every_bad_row_is_told_with_its_line_and_nothing_is_written(judged, tmp_path):
    copy = empty_copy(judged)
    item = copy.items.first().key
    a, b, c = copy.systems.values_list("key", flat=True)
    path = written(
        tmp_path,
        f"pairwise,{item},r1,crowd,{a},{b},,A>C,",
        f"pairwise,{item},r1,crowd,{a},{a},,A>B,",
        f"pairwise,{item},r1,crowd,{a},nobody,,A>B,",
        f"pairwise,{item},r1,crowd,{a},{b},{c},A>B,",
        f"wit,{item},r1,crowd,{a},{b},,A>B,",
        f"pairwise,,r1,crowd,{a},{b},,A>B,",
        f"pairwise,{item},r2,crowd,{a},{b},,A>B,",
        f"pairwise,{item},r2,crowd,{b},{a},,A>B,",
    )

    with pytest.raises(RefusedFile) as refused:
        load(copy, path)

    found = {(one.line, one.kind) for one in refused.value.report.findings}
    assert found == {
        (2, "bad_choice"),
        (3, "bad_comparison"),
        (4, "unknown_system"),
        (5, "bad_choice"),
        (6, "unknown_dimension"),
        (7, "missing_id"),
        (9, "conflicting_rating"),
    }
    assert not Rating.objects.filter(assignment__unit__study=copy).exists()


def test_the_better_output_may_go_by_its_name_or_its_letter(judged, tmp_path):
    copy = empty_copy(judged)
    item = copy.items.first().key
    a, b, _ = copy.systems.values_list("key", flat=True)
    rows = [
        f"pairwise,{item},r{n},crowd,{a},{b},,{cell},"
        for n, cell in enumerate([b, "a", "tie", "A > B", "B>A"])
    ]

    load(copy, written(tmp_path, *rows))

    stored = Rating.objects.filter(assignment__unit__study=copy).order_by("pk")
    assert list(stored.values_list("text", flat=True)) == ["B>A", "A>B", "A=B", "A>B", "B>A"]


def test_a_tie_where_none_is_allowed_is_refused(judged, tmp_path):
    copy = empty_copy(judged)
    copy.phases.get().dimensions.update(allows_tie=False)
    a, b, _ = copy.systems.values_list("key", flat=True)
    path = written(tmp_path, f"pairwise,{copy.items.first().key},r1,crowd,{a},{b},,A=B,")

    with pytest.raises(RefusedFile, match="does not allow a tie"):
        load(copy, path)


def test_an_open_study_takes_a_pair_in_either_order_and_no_pair_that_it_lacks(tmp_path):
    group = make_study(n_items=1, n_systems=3, pairs_per_item=1)
    unit = Unit.objects.get(study=group.study, kind="pair")
    first, second = [m.output_version.output.system.key for m in unit.unit_members.all()]
    other = group.study.systems.exclude(key__in=[first, second]).get().key
    key = unit.item.key

    load(group.study, written(tmp_path, f"pairwise,{key},r1,crowd,{second},{first},,A>B,"))

    assert list(Rating.objects.values_list("text", flat=True)) == ["B>A"]
    ranks = Choice.objects.values_list("member__output_version__output__system__key", "rank")
    assert sorted(ranks) == sorted([(second, 1), (first, 2)])
    with pytest.raises(ValidationError, match="does not compare"):
        load(group.study, written(tmp_path, f"pairwise,{key},r1,crowd,{other},{first},,A>B,"))


def test_sets_and_comments_come_back_too(tmp_path):
    group = make_study(kinds=["best_worst", "comment"], n_items=1, n_systems=4, set_size=3, k=1)
    copy = empty_copy(group.study)
    item, (a, b, c, _) = copy.items.get().key, copy.systems.values_list("key", flat=True)
    path = tmp_path / "sets.csv"
    path.write_text(
        "dimension,item_id,judge,system_a,system_b,system_c,choice,text\n"
        f"best_worst,{item},r1,{c},{a},{b},B>A,\n"
        f"comment,{item},r1,{c},{a},{b},,=too close\n"
        f"comment,{item},r2,{c},{a},{b},,x>y\n",
        encoding="utf-8",
    )

    load(copy, path)

    rows = {row.dimension: row for row in comparison_rows(copy.pk, "any") if row.judge == "r1"}
    members = [(one.system, one.rank) for one in rows["best_worst"].members]
    assert members == [(c, 3), (a, 1), (b, 2)]
    assert rows["comment"].choice == "=too close"
    assert Unit.objects.get(study=copy, kind="set").unit_members.count() == 3


def test_undoing_takes_choices_judges_and_brought_pairs_out(judged, exported):
    copy = empty_copy(judged)
    load(copy, exported)
    upload = Upload.objects.create(
        study=copy, kind="comparisons", state="loaded", name="c.csv", n_bytes=1,
        created_at=NOON, loaded_at=LATER,
    )  # fmt: skip

    undo_upload(upload, at=LATER)

    assert said(copy) == []
    assert not Choice.objects.filter(assignment__unit__study=copy).exists()
    assert not copy.judges.exists()
    assert not Unit.objects.filter(study=copy).exclude(kind="single").exists()


def test_a_frozen_study_takes_none(judged, exported):
    copy = empty_copy(judged)
    copy.state = StudyState.FROZEN
    copy.save()

    with pytest.raises(ValidationError, match="frozen"):
        load(copy, exported)


def test_an_answer_that_differs_from_the_stored_one_is_refused(judged, exported):
    copy = empty_copy(judged)
    load(copy, exported)
    text = exported.read_text(encoding="utf-8").replace(",A=B,", ",A>B,")
    other = exported.with_name(f"{uuid.uuid4()}.csv")
    other.write_text(text, encoding="utf-8")

    with pytest.raises(ValidationError, match="with another answer already"):
        load(copy, other)
