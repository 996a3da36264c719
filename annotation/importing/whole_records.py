"""The bytes of a file in blocks of whole records, where these are cut alike by every reader.

They are where quotes stand only around the cells of a table, or doubled within such, and where
each line of JSON is an object.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

BLOCK = 1 << 20
MARK = "\ufeff".encode()
NEWLINE, QUOTE = b'\n"'
BEFORE_LINE, AFTER_LINE = b"}{"
# A whole number that other programs take for 0, while it is written otherwise.
MINUS_NOTHING = re.compile(rb"-0[\s,}\]]")

# The end of the last whole record of a text that begins with the newline before the first one.
Cut = Callable[[bytes], int]


class NotPlainError(Exception):
    """Something in the file needs to be looked at row by row."""


def whole_records(stream: BinaryIO, cut: Cut) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks that begin and end with a record.

    Raises
    ------
    NotPlainError
        Where ``cut`` does, and where a record is longer than a block.
    """
    rest = b"\n"
    mark = stream.read(len(MARK))
    head = b"" if mark == MARK else mark
    while block := head + stream.read(BLOCK):
        head = b""
        text = rest + block
        end = cut(text)
        if end:
            yield text[1 : end + 1]
        rest = text[end:]
        if len(rest) > BLOCK:
            raise NotPlainError
    if len(rest) > 1:
        end = cut(rest + b"\n")
        if end != len(rest):
            raise NotPlainError
        yield rest[1:]


class TableCut:
    """Cuts a table, and looks at what stands around its quotes."""

    def __init__(self, delimiter: str) -> None:
        self._before = np.isin(np.arange(256), list(f'{delimiter}\n"'.encode()))
        self._after = np.isin(np.arange(256), list(f'{delimiter}\r\n"'.encode()))

    def __call__(self, text: bytes) -> int:
        """Return where the last newline stands that ends a record."""
        signs = np.frombuffer(text, np.uint8)
        at = np.flatnonzero(signs == QUOTE)
        end = text.rfind(b"\n")
        while (n := int(np.searchsorted(at, end))) % 2:  # it stands in quotes
            end = text.rfind(b"\n", 0, int(at[n - 1]))
        # Every other quote opens a cell. Of two doubled ones the first seems to close it, the
        # second to open it again.
        opening, closing = at[:n:2], at[1:n:2]
        are_around = (
            self._before[signs[opening - 1]].all() and self._after[signs[closing + 1]].all()
        )
        if not are_around or MARK in text:
            raise NotPlainError
        return end


def cut_lines(text: bytes) -> int:
    """Return where the last newline stands; all others must stand between two objects."""
    signs = np.frombuffer(text, np.uint8)
    at = np.flatnonzero(signs == NEWLINE)
    are_between = (signs[at[1:] - 1] == BEFORE_LINE).all() and (
        signs[at[:-1] + 1] == AFTER_LINE
    ).all()
    if not are_between or (b"-0" in text and MINUS_NOTHING.search(text)):
        raise NotPlainError
    return int(at[-1])
