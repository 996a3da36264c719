"""The memory of many rows: none of them is part of a cycle, so cycles are looked for seldom."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Objects made and not yet freed before the next look; Python's own 700 cost a fifth of a dry run.
SELDOM = 100_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the collector of cycles look seldom while rows are read."""
    usual = gc.get_threshold()
    gc.set_threshold(SELDOM, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
