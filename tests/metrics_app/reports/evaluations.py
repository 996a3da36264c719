"""Small evaluations for tests of single lists of the report."""

from itertools import product

import numpy as np

from metrics_app.loaders.columns import Rated, Scored, judgements_of, scores_of
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.stats.scales import Scale

FIVE = Scale.points(range(1, 6))
PAIR = ("ROUGE-2 AB", "rouge2_bb")


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


def tac(n_machines=12, n_people=4, names=PAIR, percent=1.0):
    """Return a study in which people like what answers and dislike what was known; seed fixed."""
    rng = np.random.default_rng(5)
    ratings, scores = [], []
    for place in range(n_machines + n_people):
        earlier, own = rng.uniform(0.02, 0.2, size=2)
        system = f"m{place}" if place < n_machines else f"h{place}"
        for item in ("D1", "D2"):
            value = 1.5 - 5 * earlier + 15 * own + rng.normal(0, 0.1)
            ratings.append(("w1", item, system, np.clip(value, 1, 5)))
            scores += [(names[0], item, system, earlier * percent)]
            scores += [(names[1], item, system, own * percent)]
    human = [f"h{place}" for place in range(n_machines, n_machines + n_people)]
    return evaluation_of(ratings, scale=Scale.range(1, 5), scores=scores, human_systems=human)
