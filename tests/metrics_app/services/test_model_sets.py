"""Language models that choose the best and worst of a set, each set asked in both orders."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from annotation.models import (
    Assignment,
    Choice,
    Dimension,
    Item,
    ModelCall,
    OutputVersion,
    Rating,
    RatingEvent,
    Unit,
)
from annotation.selectors import doors
from annotation.services.model_ratings import JudgedComparison, choose_by_calls
from annotation.services.place_making import make_places
from metrics_app.loaders.judge_records import positions_in_words, record_of
from metrics_app.loaders.judging import model_judge
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.models import Metric
from metrics_app.reports.preference import strength_rows
from tests.annotation.comparing_studies import choose, make_study
from tests.annotation.services.at_once import at_once
from tests.factories import NOON, JudgeFactory, JudgeGroupFactory, StudyMemberFactory
from tests.metrics_app.llm_server import answer, says
from tests.metrics_app.reports.reports import FEW
from tests.metrics_app.services.comparing_models import (
    add_model,
    always,
    choices,
    in_turn,
    plan,
    run,
    shown,
)

pytestmark = pytest.mark.django_db(transaction=True)


def lowest_best(body, _number):
    """Name the text of the lowest number as best and of the highest as worst, wherever they are."""
    numbers = shown(body)
    best, worst = ("ABCDE"[numbers.index(end(numbers))] for end in (min, max))
    return answer(says(f"{best}>{worst}"))


def set_study(*, n_items=1, size=4):
    """Return a study of one set for each item, without any judge's answer."""
    study = make_study(
        kinds=["best_worst"], n_items=n_items, n_systems=size, set_size=size, sets_per_item=1
    ).study
    Dimension.objects.filter(phase__study=study).update(
        question="Which notice is the clearest?", definition="How soon one knows what to do."
    )
    # Equal questions are asked once: each item has a source of its own.
    for item in study.items.all():
        Item.objects.filter(pk=item.pk).update(source=[f"Message of {item.key}."])
    return study


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_best_and_worst_that_survive_the_turn_count_and_have_ranks(script, size):
    script.reply = lowest_best
    study = set_study(n_items=3, size=size)
    judge_id = add_model(study)
    before = plan(study, judge_id)

    job = run(study, judge_id)

    assert (before.n_questions, before.n_to_ask, job.result["answered"]) == (6, 6, 6)
    for unit in Unit.objects.filter(study=study, kind="set"):
        work = Assignment.objects.get(unit=unit, judge_id=judge_id)
        given = work.choices.values_list("rank", "member__output_version__text")
        ranks = [rank for rank, _ in sorted(given, key=lambda row: row[1])]
        assert ranks == [1, *[2] * (size - 2), 3]
    rows = [row for row in doors.comparison_rows(study.pk, study.slug) if row.choice]
    assert len(rows) == 3
    assert all(row.valid and row.judge_group == "models" for row in rows)
    systems = list(study.systems.order_by("pk").values_list("key", flat=True))
    assert {row.best_and_worst for row in rows} == {(systems[0], systems[-1])}
    assert not Metric.objects.exists()


def test_each_set_is_asked_from_both_ends_in_the_studys_words_and_all_is_kept(script):
    script.reply = lowest_best
    study = set_study()

    run(study, add_model(study))

    first, second = script.requests
    assert shown(first) == shown(second)[::-1]
    members = Unit.objects.get(study=study, kind="set").unit_members.order_by("position")
    prompt = first["messages"][0]["content"]
    at = [prompt.index(text) for text in members.values_list("output_version__text", flat=True)]
    assert at == sorted(at)
    for words in (
        "Question: Which notice is the clearest?",
        "How soon one knows what to do.",
        " D:\n<<<\n",
        "two different letters from A to D",
    ):
        assert words in prompt
    calls = ModelCall.objects.order_by("pk")
    assert [call.prompt for call in calls] == [
        request["messages"][0]["content"] for request in script.requests
    ]
    rating = Rating.objects.get()
    assert {rating.model_call, rating.model_call.swapped} == set(calls)
    event = RatingEvent.objects.get()
    assert (event.source, event.old, event.new["text"]) == ("model", None, rating.text)


@pytest.mark.parametrize(
    ("said", "agreed", "places"),
    [
        # Of four, the second answer's D is the first one's A.
        (("A>D", "A>D"), "neither_the_same", (2, 0, 0, 2)),
        (("D>A", "D>A"), "neither_the_same", (0, 2, 2, 0)),
        (("A>B", "D>B"), "same_best_only", (1, 1, 0, 0)),
        (("A>D", "C>A"), "same_worst_only", (1, 0, 1, 1)),
        (("B>C", "B>C"), "neither_the_same", (0, 0, 0, 0)),
    ],
)
def test_answers_that_contradict_each_other_leave_no_choice(script, said, agreed, places):
    script.reply = in_turn(*said)
    study = set_study()
    judge_id = add_model(study)

    run(study, judge_id)

    assert choices(study) == [(None, "inconsistent")]
    assert not Choice.objects.exists()
    assert doors.model_records(study.pk)[judge_id].n_inconsistent == 1
    record = record_of(study.pk, model_judge(study.pk, judge_id))
    (positions,) = record["set_positions"]
    assert (positions["sets"], positions[agreed], record["positions"]) == (1, 1, [])
    assert positions["same_best_and_worst"] == 0
    named = ("best_in_the_first_place", "best_in_the_last_place",
             "worst_in_the_first_place", "worst_in_the_last_place")  # fmt: skip
    assert tuple(positions[name] for name in named) == places
    (sentence,) = positions_in_words(judge_id)
    assert "1 sets in both orders, same best and worst 0.0 % (0)" in sentence
    assert plan(study, judge_id).n_to_ask == 0


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("A>B", "I cannot judge this."), "refused"),
        (("A is best, but B and C are close.", "D>C"), "unparsable"),
        (("A>E", "D>C"), "unparsable"),
        (("A>A", "D>C"), "unparsable"),
        (("A=B", "I'm sorry."), "refused"),
    ],
)
def test_one_answer_without_a_choice_leaves_none(script, texts, reason):
    script.reply = in_turn(*texts)
    study = set_study()
    judge_id = add_model(study)

    job = run(study, judge_id)

    assert job.error == ""
    assert choices(study) == [(None, reason)]
    assert not Choice.objects.exists()
    assert doors.set_position_records(judge_id) == []
    said = [c.answers[0]["message"]["content"] for c in ModelCall.objects.order_by("pk")]
    assert said == list(texts)
    assert plan(study, judge_id).n_to_ask == 0


def test_a_failed_order_is_asked_again_and_only_that(script):
    refused = (404, {"error": {"message": "no such thing"}}, {})
    script.reply = lambda body, number: refused if number == 2 else lowest_best(body, number)
    study = set_study()
    judge_id = add_model(study)

    failed = run(study, judge_id)
    assert "Every answer so far is kept" in failed.error
    assert not Rating.objects.exists()
    assert plan(study, judge_id).n_to_ask == 1
    run(study, judge_id)

    assert len(script.requests) == 3
    assert shown(script.requests[1]) == shown(script.requests[2])
    assert choices(study)[0][0] is not None
    again = run(study, judge_id)
    assert (again.result, len(script.requests)) == ({"cost": 0.0}, 3)
    assert RatingEvent.objects.count() == 1


@pytest.mark.parametrize("fault", [(503, {}, {"Retry-After": "0"}), b"<html>", {"choices": []}])
def test_a_passing_fault_is_asked_again(script, fault, monkeypatch):
    monkeypatch.setattr("metrics_app.metrics.judging.endpoint._rest", lambda *_: None)
    script.reply = lambda body, number: fault if number == 1 else lowest_best(body, number)
    study = set_study()

    job = run(study, add_model(study))

    assert (job.error, len(script.requests)) == ("", 3)
    assert choices(study)[0][0] is not None


def test_a_second_judge_of_the_same_settings_asks_nothing(script):
    script.reply = lowest_best
    study = set_study()
    run(study, add_model(study))
    other = add_model(study)

    job = run(study, other)

    assert (job.result, len(script.requests)) == ({"answered": 2, "reused": 2, "cost": 0.0}, 2)
    assert len(choices(study)) == 2


def test_sets_and_what_they_cost_are_planned_and_capped(script):
    script.reply = lowest_best
    study = set_study(n_items=2)
    judge_id = add_model(study, price_in=10.0, price_out=100.0)
    before = plan(study, judge_id)
    a_set = 2 * (100 * 10 + 2 * 100) / 1e6

    capped = run(study, judge_id, cap=before.cost / 2)
    kept = len(script.requests)
    job = run(study, judge_id, cap=before.cost)

    assert "The cap of" in capped.error
    assert 0 < kept < 4 == len(script.requests)
    assert job.error == ""
    assert before.cost >= 2 * a_set
    assert doors.model_records(study.pk)[judge_id].cost == pytest.approx(2 * a_set)


@pytest.mark.usefixtures("script")
def test_sets_of_a_changed_text_are_not_asked():
    study = set_study()
    OutputVersion.objects.filter(pk=OutputVersion.objects.first().pk).update(is_current=False)

    assert plan(study, add_model(study)).n_questions == 0


def test_models_choices_are_never_pooled_with_peoples(script):
    script.reply = lowest_best
    study = set_study(size=3)
    crowd, experts = study.groups.get(), JudgeGroupFactory(study=study)
    Assignment.objects.all().delete()
    make_places(study)
    for group in (crowd, experts):
        choose(JudgeFactory(group=group), "A>C", dimension="best_worst")
    run(study, add_model(study))
    evaluation = source_of_study(study_named(study.slug)).evaluation

    counts = {}
    for row in strength_rows(evaluation, FEW):
        counts.setdefault(row.group, set()).add(row.n_comparisons)

    assert len(evaluation.comparisons) == 3
    assert set(counts) == {crowd.key, experts.key, "models", "all"}
    assert (counts["models"], counts["all"]) == ({1}, {2})


def test_the_same_answer_stored_twice_at_once_is_one_choice(script):
    script.reply = lowest_best
    study = set_study()
    judge_id = add_model(study)
    run(study, judge_id)
    rating = Rating.objects.get()
    call = rating.model_call
    hashes = (call.content_hash, call.swapped.content_hash)
    judged = JudgedComparison(rating.assignment.unit_id, rating.dimension_id)
    RatingEvent.objects.all().delete()
    Choice.objects.all().delete()
    Rating.objects.all().delete()
    store = partial(choose_by_calls, judge_id, judged, hashes=hashes, at=NOON)

    assert at_once(store, store, store) == ["done"] * 3
    store()

    assert Rating.objects.get().text == rating.text
    assert (Choice.objects.count(), RatingEvent.objects.count()) == (4, 1)


def test_a_set_is_not_stored_on_a_dimension_of_pairs(script):
    script.reply = lowest_best
    study = set_study()
    judge_id = add_model(study)
    run(study, judge_id)
    rating = Rating.objects.get()
    hashes = (rating.model_call.content_hash, rating.model_call.swapped.content_hash)
    Dimension.objects.update(kind="pairwise")

    with pytest.raises(ValidationError, match="not asked of sets"):
        choose_by_calls(
            judge_id,
            JudgedComparison(rating.assignment.unit_id, rating.dimension_id),
            hashes=hashes,
            at=NOON,
        )

    assert RatingEvent.objects.count() == 1


def test_the_page_shows_how_far_the_order_decides(script, client):
    script.reply = lambda body, number: always("A>D")() if number <= 2 else lowest_best(body, 0)
    study = set_study(n_items=4)
    judge_id = add_model(study)
    client.force_login(StudyMemberFactory(role="researcher", study=study).user)
    address = reverse("metrics_app:model_judge", args=[study.slug, judge_id])
    before = client.get(address).content.decode()

    run(study, judge_id)
    page = " ".join(client.get(address).content.decode().split())

    assert "Does the order of sets decide?" not in before
    assert "The prompt for sets, word for word" in before
    assert "The prompt for pairs" not in before
    assert "<dd>best-worst-1</dd>" in before
    assert "Does the order of sets decide?" in page
    assert '<td class="num">75.0 % <span class="quiet">(3)</span></td>' in page
    assert '<td class="num">25.0 % <span class="quiet">(1)</span></td>' in page
    assert "<dt>Inconsistent</dt><dd>1</dd>" in page
