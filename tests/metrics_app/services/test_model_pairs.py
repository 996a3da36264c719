"""Language models that choose the better of two outputs, each pair asked in both orders."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from annotation.models import (
    Assignment,
    Choice,
    Dimension,
    Judge,
    ModelCall,
    OutputVersion,
    Rating,
    RatingEvent,
    Study,
    Unit,
)
from annotation.selectors import doors
from annotation.services.model_ratings import JudgedComparison, choose_by_calls
from annotation.services.place_making import make_places
from metrics_app.loaders.judge_records import positions_in_words, record_of
from metrics_app.loaders.judging import model_judge
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.models import Metric
from metrics_app.reports.preference import strength_rows, win_rows
from tests.annotation.comparing_studies import choose
from tests.factories import NOON, JudgeFactory, JudgeGroupFactory, StudyMemberFactory
from tests.metrics_app.llm_server import answer, says
from tests.metrics_app.reports.reports import FEW
from tests.metrics_app.services.comparing_models import (
    NOTICES,
    add_model,
    always,
    choices,
    in_turn,
    pair_study,
    plan,
    run,
    shown,
)

pytestmark = pytest.mark.django_db(transaction=True)


def lower_number(body, _number):
    """Answer with the text of the lower number, wherever it stands."""
    first, second = shown(body)
    return answer(says("A" if first < second else "Text B."))


def test_a_choice_that_survives_the_swap_counts_and_has_ranks(script):
    script.reply = lower_number
    study = pair_study(n_items=2, n_systems=3)
    judge_id = add_model(study)
    before = plan(study, judge_id)

    job = run(study, judge_id)

    assert (before.n_questions, before.n_to_ask, job.result["answered"]) == (12, 12, 12)
    for unit in Unit.objects.filter(study=study, kind="pair"):
        members = unit.unit_members.order_by("position")
        texts = members.values_list("output_version__text", flat=True)
        numbers = [int(NOTICES.search(text)[1]) for text in texts]
        first_is_better = numbers[0] < numbers[1]
        work = Assignment.objects.get(unit=unit, judge_id=judge_id)
        assert work.ratings.get().text == ("A>B" if first_is_better else "B>A")
        ranks = list(work.choices.order_by("member__position").values_list("rank", flat=True))
        assert ranks == ([1, 2] if first_is_better else [2, 1])
    rows = [row for row in doors.comparison_rows(study.pk, study.slug) if row.choice]
    assert len(rows) == 6
    assert all(row.valid and row.judge_group == "models" for row in rows)
    assert not Metric.objects.exists()


def test_each_pair_is_asked_in_both_orders_in_the_studys_words_and_all_is_kept(script):
    script.reply = lower_number
    study = pair_study()

    run(study, add_model(study))

    first, second = script.requests
    assert shown(first) == shown(second)[::-1]
    prompt = first["messages"][0]["content"]
    assert "Question: Which notice is clearer?" in prompt
    assert "How soon one knows what to do." in prompt
    assert "tie: there is no difference" in prompt
    calls = ModelCall.objects.order_by("pk")
    assert [call.prompt for call in calls] == [
        request["messages"][0]["content"] for request in script.requests
    ]
    assert {call.answers[0]["message"]["content"] for call in calls} == {"A", "Text B."}
    rating = Rating.objects.get()
    assert {rating.model_call, rating.model_call.swapped} == set(calls)
    event = RatingEvent.objects.get()
    assert (event.source, event.old, event.new["text"]) == ("model", None, rating.text)


@pytest.mark.parametrize(
    ("allows_tie", "kept"), [(True, ("A=B", None)), (False, (None, "inconsistent"))]
)
@pytest.mark.parametrize("said", ["A", "B"])
def test_a_place_chosen_both_times_is_a_tie_or_missing(script, said, allows_tie, kept):
    script.reply = always(said)
    study = pair_study(allows_tie=allows_tie)
    judge_id = add_model(study)

    run(study, judge_id)

    assert choices(study) == [kept]
    assert list(Choice.objects.values_list("rank", flat=True)) == ([1, 1] if allows_tie else [])
    (record,) = doors.position_records(judge_id)
    assert (record.n_pairs, record.n_consistent) == (1, 0)
    assert (record.n_first, record.n_second) == ((1, 0) if said == "A" else (0, 1))
    assert doors.model_records(study.pk)[judge_id].n_inconsistent == (0 if allows_tie else 1)
    (position,) = record_of(study.pk, model_judge(study.pk, judge_id))["positions"]
    assert position["pairs"] == 1
    assert position["first_place_both_times"] == (said == "A")
    place = "first" if said == "A" else "second"
    (sentence,) = positions_in_words(judge_id)
    assert "1 pairs in both orders, consistent 0.0 % (0)" in sentence
    assert f"{place} place both times 100.0 % (1)" in sentence


def test_a_tie_is_an_answer_only_where_the_dimension_allows_it(script):
    script.reply = always("Tie.")
    with_ties, without = pair_study(), pair_study(allows_tie=False)
    judges = [add_model(with_ties), add_model(without)]

    for study, judge_id in zip((with_ties, without), judges, strict=True):
        run(study, judge_id)

    assert choices(with_ties) == [("A=B", None)]
    assert doors.position_records(judges[0])[0].n_consistent == 1
    assert choices(without) == [(None, "unparsable")]
    assert "tie:" not in script.requests[-1]["messages"][0]["content"]
    assert doors.position_records(judges[1]) == []


def test_a_tie_in_one_order_only_is_counted_apart(script):
    script.reply = in_turn("A", "tie")
    study = pair_study()
    judge_id = add_model(study)

    run(study, judge_id)

    (record,) = doors.position_records(judge_id)
    assert choices(study) == [("A=B", None)]
    assert record.shares == [(0, 0.0), (0, 0.0), (0, 0.0), (1, 100.0)]


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("A", "I cannot judge this."), "refused"),
        (("Both are fine, A and B.", "B"), "unparsable"),
        (("C", "I'm sorry."), "refused"),
    ],
)
def test_one_answer_without_a_choice_leaves_none(script, texts, reason):
    script.reply = in_turn(*texts)
    study = pair_study()
    judge_id = add_model(study)

    job = run(study, judge_id)

    assert job.error == ""
    assert choices(study) == [(None, reason)]
    assert not Choice.objects.exists()
    assert doors.position_records(judge_id) == []
    said = [c.answers[0]["message"]["content"] for c in ModelCall.objects.order_by("pk")]
    assert said == list(texts)
    assert plan(study, judge_id).n_to_ask == 0


def test_a_failed_order_is_asked_again_and_only_that(script):
    refused = (404, {"error": {"message": "no such thing"}}, {})
    script.reply = lambda body, number: refused if number == 2 else lower_number(body, number)
    study = pair_study()
    judge_id = add_model(study)

    failed = run(study, judge_id)
    assert "Every answer so far is kept" in failed.error
    assert not Rating.objects.exists()
    assert plan(study, judge_id).n_to_ask == 1
    run(study, judge_id)

    assert len(script.requests) == 3
    assert shown(script.requests[1]) == shown(script.requests[2])
    assert choices(study)[0][0] in {"A>B", "B>A"}
    again = run(study, judge_id)
    assert (again.result, len(script.requests)) == ({"cost": 0.0}, 3)
    assert RatingEvent.objects.count() == 1


def test_two_equal_texts_are_one_question_and_a_preference_among_them_is_none(script):
    script.reply = always("A")
    study = pair_study()
    OutputVersion.objects.update(text="The stairs are closed.")
    judge_id = add_model(study)

    run(study, judge_id)

    assert len(script.requests) == 1
    assert choices(study) == [("A=B", None)]
    assert plan(study, judge_id).n_rated == 2


def test_costs_count_both_orders(script):
    script.reply = lower_number
    study = pair_study()
    judge_id = add_model(study, price_in=10.0, price_out=100.0)

    job = run(study, judge_id)

    cost = 2 * (100 * 10 + 2 * 100) / 1e6
    assert job.result["cost"] == pytest.approx(cost)
    assert doors.model_records(study.pk)[judge_id].cost == pytest.approx(cost)


@pytest.mark.usefixtures("script")
def test_pairs_of_a_changed_text_are_not_asked():
    study = pair_study()
    OutputVersion.objects.filter(pk=OutputVersion.objects.first().pk).update(is_current=False)

    assert plan(study, add_model(study)).n_questions == 0


def test_models_choices_are_never_pooled_with_peoples(script):
    script.reply = always("A")
    study = pair_study()
    crowd, experts = study.groups.get(), JudgeGroupFactory(study=study)
    Assignment.objects.all().delete()
    make_places(study)
    for group in (crowd, experts):
        choose(JudgeFactory(group=group), "B>A")
    run(study, add_model(study))
    evaluation = source_of_study(study_named(study.slug)).evaluation

    counts = {}
    for row in strength_rows(evaluation, FEW):
        counts.setdefault(row.group, []).append((row.n_won, row.n_tied, row.n_comparisons))

    assert len(evaluation.comparisons) == 3
    assert set(counts) == {crowd.key, experts.key, "models", "all"}
    assert sorted(counts["all"]) == [(0, 0, 2), (2, 0, 2)]
    assert counts["models"] == [(0, 1, 1)] * 2
    wins = {row.group: row for row in win_rows(evaluation, FEW)}
    assert set(wins) == set(counts)
    everybody = wins["all"]
    assert (everybody.n_first + everybody.n_second, everybody.n_tied) == (2, 0)


def test_the_door_takes_only_pairs_and_models_of_the_study(script):
    script.reply = lower_number
    study, elsewhere = pair_study(), pair_study()
    judge_id = add_model(study)
    run(study, judge_id)
    call = Rating.objects.get().model_call
    hashes = (call.content_hash, call.swapped.content_hash)
    asked = Dimension.objects.get(phase__study=study)
    unit = Unit.objects.get(study=study, kind="pair")
    other = Unit.objects.get(study=elsewhere, kind="pair")

    def store(unit):
        choose_by_calls(judge_id, JudgedComparison(unit.pk, asked.pk), hashes=hashes, at=NOON)

    with pytest.raises(ValidationError, match="belongs to another study"):
        store(other)
    Judge.objects.update(kind="person")
    with pytest.raises(ValidationError, match="no language model"):
        store(unit)
    Judge.objects.update(kind="model")
    Dimension.objects.filter(pk=asked.pk).update(kind="best_worst", allows_tie=False)
    with pytest.raises(ValidationError, match="not asked of pairs"):
        store(unit)
    Study.objects.filter(pk=study.pk).update(state="frozen")
    with pytest.raises(ValidationError, match="frozen"):
        store(unit)
    assert RatingEvent.objects.count() == 1


def test_the_page_shows_how_far_the_order_decides(script, client):
    script.reply = lambda body, number: answer(says("A")) if number <= 2 else lower_number(body, 0)
    study = pair_study(n_items=4)
    judge_id = add_model(study)
    client.force_login(StudyMemberFactory(role="researcher", study=study).user)
    address = reverse("metrics_app:model_judge", args=[study.slug, judge_id])
    before = client.get(address).content.decode()

    run(study, judge_id)
    page = " ".join(client.get(address).content.decode().split())

    assert "Does the order decide?" not in before
    assert "The prompt for pairs, word for word" in before
    assert "<dd>choice-1</dd>" in before
    assert '<td class="num">75.0 % <span class="quiet">(3)</span></td>' in page
    assert '<td class="num">25.0 % <span class="quiet">(1)</span></td>' in page


def test_questions_of_both_orders_are_erased_together(script):
    script.reply = lower_number
    study = pair_study()
    run(study, add_model(study))
    Rating.objects.all().delete()

    ModelCall.objects.filter(study=study).delete()

    assert not ModelCall.objects.exists()
