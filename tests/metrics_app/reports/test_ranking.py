"""Systems in order, with z scores by judge and resampled contrasts."""

import numpy as np
import pytest

from metrics_app.reports.ranking import ranking_rows
from tests.metrics_app.reports.evaluations import evaluation_of, grid


def test_z_scores_take_away_how_severe_and_how_generous_a_judge_is():
    # The second judge stretches the scale twice as far around another middle.
    evaluation = evaluation_of(grid(2, 4, 2, lambda judge, i, s: 2 + s + judge * (s + i % 2)))

    rows, _ = ranking_rows(
        evaluation, ("fluency", "crowd"), ("crowd",), rng=np.random.default_rng(1), n_resamples=20
    )

    table = evaluation.rating_table("fluency")
    z = np.empty(table.n_ratings)
    for judge in range(2):
        own = table.value[table.rater == judge]
        z[table.rater == judge] = (own - own.mean()) / own.std(ddof=1)
    systems = np.asarray(table.system)[table.unit]
    assert {row.system: row.z_mean for row in rows} == pytest.approx(
        {name: z[systems == name].mean() for name in ("s0", "s1")}
    )
    assert all(row.z_ci[0] < row.z_mean < row.z_ci[1] for row in rows)


def test_a_contrast_has_an_interval_from_resampled_items():
    evaluation = evaluation_of(grid(2, 30, 2, lambda judge, i, s: 2 + s * (1 + i % 2) - judge))

    _, (pair,) = ranking_rows(
        evaluation, ("fluency", "crowd"), ("crowd",), rng=np.random.default_rng(1), n_resamples=500
    )

    assert (pair.systems, pair.difference, pair.n_resamples) == (("s1", "s0"), 1.5, 500)
    assert pair.bootstrap_ci == pytest.approx((1.33, 1.67), abs=0.05)


def test_judges_who_never_vary_have_no_z_score_and_one_item_no_interval():
    flat = evaluation_of(grid(2, 1, 2, lambda *_: 3))

    rows, (pair,) = ranking_rows(
        flat, ("fluency", "crowd"), ("crowd",), rng=np.random.default_rng(1), n_resamples=20
    )

    assert [(row.z_mean, row.z_ci) for row in rows] == [(None, None)] * 2
    assert pair.bootstrap_ci is None
