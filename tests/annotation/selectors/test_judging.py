"""Where a judge stands, while others, and the judge's own screen, take places."""

import datetime as dt

import pytest

from annotation.selectors import judging
from annotation.selectors.judging import judge_standing
from annotation.services.places import draw
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db


def test_a_draw_between_the_counts_makes_the_way_no_shorter(monkeypatch):
    judge = JudgeFactory(group=make_study(n_items=6, n_systems=1, k=1))
    draw(judge, at=NOON, n_ahead=1)
    count_free, drawn_meanwhile = judging._n_free, iter([3])

    def count_late(judge, *, n_taken):
        for n in drawn_meanwhile:
            draw(judge, at=NOON, n_ahead=n)
        return count_free(judge, n_taken=n_taken)

    monkeypatch.setattr(judging, "_n_free", count_late)

    standing = judge_standing(judge, at=NOON + dt.timedelta(minutes=1))

    assert standing.n_open > 2
    assert standing.n_open + standing.n_done <= standing.n_expected == 6
