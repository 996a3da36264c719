"""How far the file is that is being read, for a bar of progress."""

from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

_opened: ContextVar[tuple[Path, BinaryIO] | None] = ContextVar("opened", default=None)
_read: ContextVar[tuple[Path, BinaryIO] | None] = ContextVar("read", default=None)


def note_opened(path: Path, stream: BinaryIO) -> None:
    """Remember the stream that was opened last, perhaps for a look only."""
    _opened.set((path, stream))


def note_text() -> None:
    """Say that the file opened last is read as text, line by line."""
    _read.set(_opened.get())


def bytes_read(path: Path) -> tuple[int, int]:
    """Return how many bytes of a text file its last reader has taken, and how many there are.

    Of a packed file they are the packed ones. Both are 0 where the file is read by other means, as
    workbooks and archives are: how far those are is not known.
    """
    read = _read.get()
    if read is None or read[0] != path:
        return 0, 0
    stream, size = read[1], path.stat().st_size
    return (size if stream.closed else min(stream.tell(), size)), size
