"""Whose ratings a row of the report rests on."""

from collections.abc import Iterator

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import ALL_GROUPS

Groups = tuple[str, ...]


def parts(evaluation: Evaluation) -> Iterator[tuple[str, str, Groups]]:
    """Yield (dimension, name of the group, groups) for every part of the ratings.

    Each group by itself and, where there are several of people, all of these together.
    """
    for dimension in evaluation.dimensions:
        for name, groups in named_groups(evaluation):
            yield dimension, name, groups


def named_groups(evaluation: Evaluation) -> list[tuple[str, Groups]]:
    """Return each group by its name and, where there are several of people, these together.

    Language models are judges of another kind: their agreement with each other says nothing of
    people's, so they are never pooled with them.
    """
    named: list[tuple[str, Groups]] = [(group, (group,)) for group in evaluation.groups]
    people = tuple(group for group in evaluation.groups if group not in evaluation.model_groups)
    if len(people) > 1:
        named.append((ALL_GROUPS, people))
    return named
