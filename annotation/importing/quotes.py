"""Where a quote was opened that is never closed, for a message that points at it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from annotation.importing.findings import UnreadableFile

Open = Callable[[], AbstractContextManager[Iterator[str]]]


def holds_rows(cells: Sequence[str], delimiter: str, width: int) -> bool:
    """Whether every line of a record on several lines would be a row of its own without quotes.

    Tables of two columns tell too little: a text of two lines, with one comma, is like two rows.
    """
    if width < 3 or not any("\n" in cell or "\r" in cell for cell in cells):
        return False
    lines = delimiter.join(cells).splitlines()
    return len(lines) > 1 and all(line.count(delimiter) == width - 1 for line in lines)


def quote_error(text: Open, delimiter: str, line: int, message: str) -> UnreadableFile:
    """Return what to say of a record whose quotes are broken.

    Parameters
    ----------
    text : callable
        Opens the file from its start, newlines untouched.
    delimiter : str
        What parts the cells.
    line : int
        Line on which the record begins.
    message : str
        What the csv module says.
    """
    if "field larger" in message:
        return UnreadableFile(
            "unclosed_quote",
            "A field never ends; the quote that opens it is not closed.",
            line=line,
        )
    if "unexpected end" in message:
        opened = _opening_line(text, delimiter, line)
        reason = f"The quote opened at line {opened} is never closed."
        return UnreadableFile("unclosed_quote", reason, line=opened)
    return UnreadableFile(
        "unclosed_quote",
        f"A quoted field of the record that begins at line {line} is followed by more text.",
        line=line,
    )


def _opening_line(text: Open, delimiter: str, start: int) -> int:
    """Return the line of the last quote that opens a field in an unclosed record."""
    inside, opened, before = False, start, delimiter
    with text() as lines:
        for number, line in enumerate(lines, start=1):
            if number < start:
                continue
            for letter in line:
                if letter == '"' and inside:
                    inside = False
                elif letter == '"' and before in (delimiter, "\n", "\r", '"'):
                    opened = opened if before == '"' else number
                    inside = True
                before = letter
    return opened
