"""Whose ratings a row of the report rests on."""

from collections.abc import Iterator

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import ALL_GROUPS

Groups = tuple[str, ...]


def parts(evaluation: Evaluation) -> Iterator[tuple[str, str, Groups]]:
    """Yield (dimension, name of the group, groups) for every part of the ratings.

    Each group by itself and, where there are several, all of them together.
    """
    for dimension in evaluation.dimensions:
        for name, groups in named_groups(evaluation):
            yield dimension, name, groups


def named_groups(evaluation: Evaluation) -> list[tuple[str, Groups]]:
    """Return each group by its name and, where there are several, all of them together."""
    single: list[tuple[str, Groups]] = [(group, (group,)) for group in evaluation.groups]
    if len(single) > 1:
        single.append((ALL_GROUPS, evaluation.groups))
    return single
