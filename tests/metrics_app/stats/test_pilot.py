"""The planner's model fitted to pilots whose parts are known."""

import numpy as np
import pytest

from metrics_app.stats.pilot import fit_pilot
from metrics_app.stats.power_model import RatingModel
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

POINTS = Scale.points([1, 2, 3, 4])


def draw_pilot(model, *, n_items, n_systems, n_judges, seed):
    """Return rows unit, rater, value, item, system, drawn as the model is stated."""
    rng = np.random.default_rng(seed)
    severity = rng.normal(0, model.sd_judge, model.n_pool)
    rows = []
    for i, item in enumerate(rng.normal(0, model.sd_item, n_items)):
        for s in range(n_systems):
            output = item + rng.normal(0, model.sd_system_item) + 0.2 * s
            for judge in rng.choice(model.n_pool, n_judges, replace=False):
                latent = output + severity[judge] + rng.normal(0, model.sd_residual)
                rows.append((f"{i}/{s}", int(judge), float(model.rate(latent)), i, s))
    return rows


def as_table(rows, scale=POINTS):
    unit, rater, value, item, system = zip(*rows, strict=True)
    return RatingTable.from_columns(unit, rater, value, scale=scale, item=item, system=system)


@pytest.mark.parametrize(
    "model",
    [
        RatingModel(0.5, 0.6, 0.5, 1.0, n_pool=60),
        RatingModel(0.6, 0.6, 0.25, 0.6, cut_points=(-0.5, 0.3, 1.5), n_pool=60),
    ],
)
def test_a_big_pilot_gives_back_the_parts_it_was_drawn_from(model):
    rows = draw_pilot(model, n_items=600, n_systems=4, n_judges=3, seed=2)
    found = fit_pilot(as_table(rows))

    shares = np.square(model.deviations) / model.sd_total**2
    assert np.square(found.model.deviations) == pytest.approx(shares, abs=0.05)
    assert found.model.n_pool == 60
    assert found.negative == ()
    # The last of four systems is shifted by .6; cut points are those of all systems together.
    middle = (np.array(model.cut_points) - 0.3) / model.sd_total
    assert found.model.cut_points == pytest.approx(middle, abs=0.12)


def test_covariances_of_pairs_are_those_counted_one_by_one():
    model = RatingModel(0.5, 0.6, 0.5, 1.0, n_pool=4)
    rows = draw_pilot(model, n_items=6, n_systems=2, n_judges=2, seed=3)
    mean = {s: np.mean([v for *_, v, _, t in rows if t == s]) for s in (0, 1)}
    x = [value - mean[system] for _, _, value, _, system in rows]
    pairs = {"output": [], "item": [], "judge": []}
    for a, (ua, ja, _, ia, _) in enumerate(rows):
        for b, (ub, jb, _, ib, _) in enumerate(rows):
            if a == b:
                continue
            kind = (
                "output"
                if ua == ub
                else "item"
                if ia == ib and ja != jb
                else "judge"
                if ja == jb and ia != ib
                else None
            )
            if kind:
                pairs[kind].append(x[a] * x[b])
    expected = {kind: np.mean(products) / np.mean(np.square(x)) for kind, products in pairs.items()}

    assert fit_pilot(as_table(rows)).correlations == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(1, "a", 1, 1, 1), (2, "b", 2, 2, 1)], "no_pairs"),
        ([(1, "a", 1, 1, 1), (2, "a", 2, 2, 1)], "too_few_raters"),
        ([(1, "a", 1, 1, 1), (1, "b", 1, 1, 1)], "no_variance"),
        ([(1, "a", 1, 1, 1), (1, "b", 2, 1, 1)], "not_identified"),
        ([(1, "a", None, 1, 1)], "all_missing"),
    ],
)
def test_undefined(rows, reason):
    found = fit_pilot(as_table(rows))
    assert (found.model, found.undefined) == (None, reason)


def test_a_range_has_no_cut_points():
    rows = [(1, "a", 1, 1, 1), (1, "b", 2, 1, 1)]
    assert fit_pilot(as_table(rows, Scale.range(0, 100))).undefined == "not_on_this_scale"


def test_a_pilot_needs_items_and_systems():
    table = RatingTable.from_rows([("u", "a", 1.0)], POINTS)
    with pytest.raises(ValueError, match="item and the system"):
        fit_pilot(table)
