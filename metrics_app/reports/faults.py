"""One numeric fault must not cost the report: it ends its block, and the report says so."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from metrics_app.reports.contract import FindingRow

logger = logging.getLogger(__name__)
Row = TypeVar("Row")
# What numbers do: overflow and division by zero, no factor of a matrix, a library that refuses.
FAULTS = (ArithmeticError, ValueError)
KIND = "block_failed"


class Faults:
    """The numeric faults of a report's blocks, each as a finding.

    An overflow or an invalid operation counts as a fault, so that no number is made of it.
    """

    def __init__(self) -> None:
        self.findings: list[FindingRow] = []

    def rows(self, block: str, compute: Callable[[], Iterable[Row]]) -> tuple[Row, ...]:
        """Return the rows of a block; none after a fault, since half a block misleads."""
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                return tuple(compute())
        except FAULTS as fault:
            logger.exception("The block %s of a report failed", block)
            self.findings.append(_finding(block, fault))
            return ()


def failed_blocks(report: dict[str, Any]) -> list[str]:
    """Return the blocks of a stored report that failed."""
    return [row["facts"]["block"] for row in report["findings"] if row["kind"] == KIND]


def _finding(block: str, fault: Exception) -> FindingRow:
    return FindingRow(
        kind=KIND,
        text=(
            f"“{block}” could not be computed and is missing: {_reason(fault)}. "
            "The other parts of the report do not depend on it."
        ),
        facts={"block": block, "error": type(fault).__name__, "message": str(fault)},
    )


def _reason(fault: Exception) -> str:
    if isinstance(fault, (FloatingPointError, OverflowError)):
        return f"its numbers are too large or too small to compute with ({fault})"
    return str(fault).rstrip(".") or type(fault).__name__
