"""One start at a time for one data folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def lock_folder(var: Path) -> Iterator[None]:
    """Keep other starts away from the folder; the lock dies with the process that holds it.

    Raises
    ------
    ValueError
        Where another start has it: two brokers on the same files would spoil them.
    """
    with (var / "launch.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise ValueError(
                f"Concord runs already with the data in {var} (process {file.read().strip()}). "
                "Stop it first, or give this one a folder of its own: "
                "make run CONCORD_VAR=/path/to/another PORT=8001"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
