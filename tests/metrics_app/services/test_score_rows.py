import pytest
from django.db import IntegrityError

from metrics_app.loaders.material import scorable_outputs
from metrics_app.models import Metric, Score
from metrics_app.services import score_rows
from metrics_app.services.score_rows import ScoreRow, write_scores
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db
HASH = "ab" * 32


@pytest.fixture
def rows(monkeypatch):
    monkeypatch.setattr(score_rows, "BATCH", 3)
    study = study_with_texts()
    metric = Metric.objects.create(study=study, key="length", position=0)
    return [ScoreRow(metric.pk, out.version_id, 0.1) for out in scorable_outputs(study.pk)]


def stored():
    return [ScoreRow(*cells) for cells in Score.objects.order_by("output_version_id").values_list(
        "metric_id", "output_version_id", "value", "undefined", "detail", "content_hash"
    )]  # fmt: skip


def test_scores_come_back_as_they_were_written(rows):
    first, second, third, fourth = rows
    written = [
        first._replace(value=0.1 + 0.2, content_hash=HASH),
        second._replace(value=-5e-324),
        third._replace(value=None, undefined="failed", detail='\'{"a\\b", NULL} % \u2028 \uac00'),
        fourth._replace(value=1e300),
    ]

    write_scores(written)

    assert stored() == written


def test_a_score_takes_the_place_of_the_earlier_one_whole(rows):
    without = rows[0]._replace(value=None, undefined="failed", detail="Why", content_hash=HASH)
    write_scores([without, *rows[1:]])
    keys = set(Score.objects.values_list("pk", flat=True))

    write_scores([rows[0]._replace(value=2.0), rows[1]._replace(value=None, undefined="no_source")])

    assert stored() == [
        rows[0]._replace(value=2.0),
        rows[1]._replace(value=None, undefined="no_source"),
        *rows[2:],
    ]
    assert set(Score.objects.values_list("pk", flat=True)) == keys


@pytest.mark.usefixtures("transactional_db")
def test_a_row_that_may_not_be_stored_keeps_all_of_them_out(rows):
    with pytest.raises(IntegrityError):
        write_scores([*rows[:-1], rows[-1]._replace(value=None)])

    assert stored() == []


def test_no_rows_are_no_error():
    write_scores([])

    assert stored() == []
