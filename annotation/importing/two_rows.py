"""Column names that stand in two rows: groups above, and the names within the groups below."""

from collections.abc import Sequence

from annotation.importing.dialect import fold
from annotation.importing.fields import OUTPUT_SETS
from annotation.importing.findings import Finding, finding

# Names of groups that say nothing of their own about the columns below them.
PLAIN_GROUPS = OUTPUT_SETS | {
    "output", "system", "model", "score", "scores", "rating", "ratings", "dimensions", "text",
    "texts", "metrics", "human_scores",
}  # fmt: skip


def joined_names(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names that two rows make together, or nothing where the first is all.

    Parameters
    ----------
    rows : sequence of cells
        The row of the column names, and the two rows below it.
    """
    if len(rows) < 3:
        return ()
    width = max(map(len, rows))
    upper, lower, data = ([*map(str.strip, row), *[""] * (width - len(row))] for row in rows[:3])
    alone = [at for at in range(width) if upper[at] and not lower[at]]
    within = [at for at in range(width) if not upper[at] and lower[at]]
    if not (alone and within and _are_data(data, alone)):
        return ()
    if any(text.replace(".", "").isdecimal() or len(text) > 60 for text in lower):
        return ()
    return tuple(_joined(upper, lower, at) for at in range(width))


def _are_data(cells: Sequence[str], alone: Sequence[int]) -> bool:
    """Whether the row below fills the columns that are named once, the first of them and most."""
    return bool(cells[alone[0]]) and 2 * sum(bool(cells[at]) for at in alone) > len(alone)


def _joined(upper: Sequence[str], lower: Sequence[str], at: int) -> str:
    if not lower[at]:
        return upper[at]
    group = next((name for name in reversed(upper[: at + 1]) if name), "")
    if fold(group) in PLAIN_GROUPS:
        return lower[at]
    return "_".join(filter(None, ("".join(group.split()), lower[at])))


def said_of_two_rows(line: int, names: Sequence[str]) -> Finding:
    """Return the warning that names were joined."""
    reason = f"The column names stand in two rows, {line} and {line + 1}; they were joined."
    return finding("two_header_rows", reason, line=line, value=", ".join(names))
