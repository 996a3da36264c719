"""Small evaluations for tests of single lists of the report."""

from itertools import product

from metrics_app.loaders.columns import Rated, Scored, judgements_of, scores_of
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.stats.scales import Scale

FIVE = Scale.points(range(1, 6))


def evaluation_of(ratings, *, scale=FIVE, sides=False, scores=(), human_systems=()):
    """Return the evaluation of rows (judge, item, system, value), or with group and dimension.

    A judge whose name begins with e is an expert, all others are of the crowd.
    """
    rows = [_rated(*rating) for rating in ratings]
    judgements = judgements_of(rows)
    found, _ = scores_of([Scored(*score) for score in scores], judgements)
    return Evaluation(
        study="small",
        judgements=judgements,
        scales=dict.fromkeys(judgements.dimension.keys, scale),
        scores=found,
        sides=Sides("expert", "crowd") if sides else None,
        human_systems=tuple(human_systems),
    )


def _rated(judge, item, system, value, dimension="fluency", fact=""):
    group = "expert" if judge.startswith("e") else "crowd"
    return Rated(dimension, group, judge, item, system, "", fact, float(value))


def grid(judges, items, systems, value):
    """Return a row for every judge, item and system, valued by a function of their positions."""
    places = product(range(judges), range(items), range(systems))
    return [(f"w{j}", f"i{i}", f"s{s}", value(j, i, s)) for j, i, s in places]
