"""One line of the bench: our CPU seconds against a peer's on the same work, in one run."""

import math
from typing import NamedTuple


class Row(NamedTuple):
    """What was done, how long ours and the peer took, and what a reader must know."""

    work: str
    ours: float
    peer: str
    theirs: float
    ratio: float
    note: str = ""

    def as_line(self):
        ratio = "-" if math.isnan(self.ratio) else _ratio(self.ratio)
        return (
            f"{self.work} | {_seconds(self.ours)} | {self.peer} | {_seconds(self.theirs)} | "
            f"{ratio} | {self.note}"
        )


def _ratio(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _seconds(value):
    if math.isnan(value):  # no peer was timed
        return "-"
    return f"{value:,.1f} s" if value >= 1 else f"{value * 1000:,.1f} ms"
