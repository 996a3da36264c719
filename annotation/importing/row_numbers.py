"""Tables whose rows begin with a number that no column name stands for, as R writes them."""

from collections.abc import Sequence

from annotation.importing.findings import Finding, finding


def are_numbered(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows have one cell more than there are names, the first of which counts them.

    A last cell that is empty is an extra comma, and one that begins with a space a text cut in two.
    """
    numbers = [row[0].strip() for row in rows if len(row) == len(header) + 1]
    counted = {tuple(str(n) for n in range(start, start + len(rows))) for start in (0, 1)}
    is_whole = all(row[-1] and not row[-1].startswith(" ") for row in rows)
    return len(rows) > 1 and tuple(numbers) in counted and is_whole


def said_of_row_numbers(line: int, cells: Sequence[str]) -> Finding:
    """Return the question whether the first cells are the numbers of the rows."""
    reason = "Each row has one cell more than there are column names, and begins with its number."
    return finding("row_numbers", reason, line=line, value=" | ".join(cells))
