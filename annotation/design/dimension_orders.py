"""The order in which a judge is asked the dimensions of a part."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def order_for_judge(asked: Sequence[T], *, seed: int, judge: str) -> list[T]:
    """Return the dimensions in an order that is fixed for one judge and random over judges.

    The order follows from the study's seed and the judge's pseudonym alone, so that it can be
    told again from what is stored.
    """
    order = list(asked)
    random.Random(f"{seed}:{judge}:dimensions").shuffle(order)  # noqa: S311 -- a design, not a secret
    return order
