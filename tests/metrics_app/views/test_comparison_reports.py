"""The report page of a study in which outputs were compared."""

import csv
import html
import io
from itertools import count
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.design.choices import LETTERS
from annotation.enums import RatingSource
from annotation.models import Dimension
from annotation.selectors.units import asked_of
from annotation.services.answers import Answer
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from annotation.services.ratings import Change, submit_rating
from metrics_app.reports.charts.words import FIGURES
from tests.annotation.comparing_studies import make_study
from tests.factories import NOON, JudgeFactory, StudyMemberFactory
from tests.metrics_app.views.test_reports import FEW, _run, _url

pytestmark = pytest.mark.django_db


def judged(kinds):
    """Return a study in which two judges prefer earlier systems, but not always."""
    group = make_study(kinds=kinds, n_systems=3, set_size=3, n_items=4, k=2)
    keys = list(group.study.systems.order_by("pk").values_list("key", flat=True))
    asked = {d.phase_id: d for d in Dimension.objects.filter(phase__study=group.study)}
    turns = count()
    for judge in JudgeFactory.create_batch(2, group=group):
        while places := draw(judge, at=NOON):
            for place in places:
                (dimension,) = asked_of(place.unit.kind, asked.values())
                _answer(place, dimension, keys, is_odd=next(turns) % 4 == 3)
    return group.study, keys


def _answer(place, dimension, keys, *, is_odd):
    members = place.unit.unit_members.select_related("output_version__output__system")
    ranks = [keys.index(m.output_version.output.system.key) for m in members]
    if ranks:
        ends = [LETTERS[ranks.index(end)] for end in sorted([min(ranks), max(ranks)])]
        answer = Answer(text=">".join(reversed(ends) if is_odd else ends))
    else:
        answer = Answer(value=3.0 - is_odd)
    change = Change(uuid4(), RatingSource.KEY)
    submit_rating(place, dimension=dimension, answer=answer, change=change, at=NOON)
    hand_in(place, at=NOON)


def sign_in(client, study, role="researcher"):
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    return client


@pytest.mark.parametrize("kind", ["pairwise", "best_worst"])
def test_a_study_of_comparisons_alone_has_a_report(client, kind):
    study, keys = judged([kind])
    analysis = _run(study)

    page = sign_in(client, study).get(_url("report", study)).content.decode()

    assert "Outputs compared" in page
    assert "is preferred most" in page
    assert "There is no valid rating yet" not in page
    for key in keys:
        assert key in page
    rows = analysis.result["strengths"]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert sum(row["value"] for row in rows) == pytest.approx(0)
    # An interval stands where most resamples tell the strengths.
    few = FEW.n_resamples / 2
    assert [row["ci"] is None for row in rows] == [row["n_undefined"] >= few for row in rows]
    assert {row["scope"] for row in analysis.result["choice_agreement"]} == (
        {"choice"} if kind == "pairwise" else {"best", "worst"}
    )


def test_a_study_of_ratings_and_comparisons_reports_both(client):
    study, _ = judged(["points", "pairwise"])
    analysis = _run(study)

    page = sign_in(client, study).get(_url("report", study)).content.decode()

    assert "Outputs compared" in page
    assert "Ranking" in page
    assert analysis.result["overview"]["n_comparisons"] == 4 * 3 * 2
    assert analysis.result["overview"]["n_ratings"] == 4 * 3 * 2
    assert {row["dimension"] for row in analysis.result["means"]} == {"points"}
    assert {row["dimension"] for row in analysis.result["strengths"]} == {"pairwise"}


def test_the_wins_can_be_taken_as_a_table(client):
    study, keys = judged(["pairwise"])
    _run(study)
    client = sign_in(client, study)

    page = client.get(_url("report", study)).content.decode()
    address = next(part for part in page.split('"') if part.endswith("wins.csv"))
    text = client.get(address).content.decode()

    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 3
    assert {row["systems"] for row in rows} == {
        f"{first}; {second}"
        for n, first in enumerate(sorted(keys))
        for second in sorted(keys)[n + 1 :]
    }
    assert sum(int(r["n_first"]) + int(r["n_second"]) + int(r["n_tied"]) for r in rows) == 24


def test_the_strengths_are_a_figure_with_its_rows(client):
    study, keys = judged(["pairwise"])
    analysis = _run(study)
    client = sign_in(client, study)

    page = client.get(_url("report", study)).content.decode()
    rows = client.get(
        reverse("metrics_app:figure_rows", args=[study.slug, analysis.pk, "strengths"])
    )

    assert 'id="figure-strengths"' in page
    assert 'href="#figures"' in page
    assert FIGURES["strengths"].alt_text in html.unescape(page)
    assert all(f"{key}</t" in rows.content.decode() for key in keys)


def test_the_datasheet_of_comparisons_is_written(client):
    study, _ = judged(["pairwise"])
    _run(study)

    response = sign_in(client, study).get(reverse("metrics_app:datasheet", args=[study.slug]))

    assert response.status_code == 200


def test_who_only_watches_or_is_a_stranger_sees_no_report(client):
    study, _ = judged(["pairwise"])
    other = make_study(n_items=1).study

    assert sign_in(client, other).get(_url("report", study)).status_code == 404
    assert sign_in(client, study, "monitor").get(_url("report", study)).status_code == 404


@pytest.mark.parametrize(
    ("kinds", "has_ratings"), [(["pairwise"], False), (["points", "pairwise"], True)]
)
def test_a_table_of_ratings_is_offered_where_there_are_ratings(client, kinds, has_ratings):
    study, _ = judged(kinds)
    _run(study)

    page = sign_in(client, study).get(_url("report", study)).content.decode()

    assert (_url("ratings", study) in page) == has_ratings
    assert reverse("annotation:exports", args=[study.slug]) in page
