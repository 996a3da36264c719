import uuid

import pytest
from django.utils import translation

from annotation.enums import Measurement, RatingSource
from annotation.forms.judging import End, Question, questions_of
from annotation.models import Dimension, Rating, Scale, ScalePoint
from annotation.selectors.asked import forget_asked
from annotation.selectors.judge_pages import page_of
from annotation.services.places import draw
from annotation.services.ratings import Answer, Change, submit_rating
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge():
    return make_judge(make_study())[0]


def questions(judge, number=1):
    page = page_of(judge, draw=number)
    return questions_of(page, page.sheets[0])


def test_a_blank_question_differs_between_outputs_in_its_name_only(judge):
    draw(judge, at=NOON, n_ahead=1)
    first, second = questions(judge, 1)[0], questions(judge, 2)[0]

    assert first.name != second.name
    assert first.html.replace(first.name, second.name) == second.html
    assert second.html.count(second.name) > 4
    assert first.name not in second.html


def test_an_answered_question_shows_its_own_answer(judge):
    assignment, _ = draw(judge, at=NOON, n_ahead=1)
    blank = questions(judge, 1)[0].html
    submit_rating(
        assignment,
        dimension=questions(judge, 1)[0].dimension,
        answer=Answer(value=2),
        change=Change(uuid.uuid4(), RatingSource.KEY),
        at=NOON,
    )

    assert "checked" not in blank
    assert questions(judge, 1)[0].html.count(" checked>") == 1
    assert "checked" not in questions(judge, 2)[0].html


def test_each_language_and_each_layout_has_its_own(judge):
    draw(judge, at=NOON)
    question = questions(judge)[0]
    Dimension.objects.update(is_required=False)
    forget_asked()
    question = questions(judge)[0]

    with translation.override("de"):
        german = question.html
    assert "optional" in question.html
    assert german != question.html
    assert question.card_html != question.html


def test_a_changed_dimension_is_shown_as_it_is_now(judge):
    draw(judge, at=NOON)
    assert "How about its fluency?" in questions(judge)[1].html

    Dimension.objects.filter(key="fluency").update(question="<b>Does it flow?</b>")
    forget_asked()

    html = questions(judge)[1].html
    assert "&lt;b&gt;Does it flow?&lt;/b&gt;" in html
    assert "How about" not in html


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("other", '<option value="other" selected>Another reason</option>'),
        ("<i>ill</i>", '<option value="&lt;i&gt;ill&lt;/i&gt;" selected>&lt;i&gt;ill&lt;/i&gt;'),
    ],
)
def test_a_stored_reason_is_chosen_among_the_others_in_its_words(judge, stored, shown):
    Dimension.objects.update(allows_no_answer=True)
    forget_asked()
    assignment = draw(judge, at=NOON)[0]
    Rating.objects.create(
        assignment=assignment,
        dimension=questions(judge)[0].dimension,
        missing_reason=stored,
        rated_at=NOON,
    )

    html = questions(judge)[0].html

    assert shown in html
    assert (html.count(" selected>"), html.count('value="other"')) == (1, 1)
    assert "selected" not in questions(judge)[1].html


def test_a_range_tells_its_limits_and_its_anchors(judge):
    scale = Scale.objects.create(
        study=judge.study, key="share", kind="range", minimum=0, maximum=1, step=0.1,
        measurement=Measurement.INTERVAL,
    )  # fmt: skip
    for position, (value, label) in enumerate([(0, "Nothing"), (0.5, "Half")], start=1):
        ScalePoint.objects.create(scale=scale, position=position, value=value, label=label)
    dimension = Dimension(kind="range", key="share", name="Share", scale=scale)

    question = Question("share", dimension, fact=None, rating=None)

    assert question.ends == [End("0", "Nothing"), End("0.5", "Half"), End("1", "")]
    assert '<span dir="auto">0.5 Half</span><span dir="auto">1</span>' in question.html
