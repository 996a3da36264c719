"""Names of systems, dimensions and documents as parts of file names and fields without spaces."""

import re
import unicodedata
from collections.abc import Callable, Container, Iterable

LONGEST_NAME = 60  # of a file, which may have 255 bytes in all
# Windows takes these names for devices, whatever stands behind the full stop.
DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)\d)(\..*)?", re.IGNORECASE)


def safe_name(name: str) -> str:
    """Return a name that may stand between the full stops and hyphens of a file name."""
    return re.sub(r"[^\w]+", "_", name)[:LONGEST_NAME]


def safe_system(name: str) -> str:
    """Return a system's name as a file name without spaces."""
    safe = re.sub(r"[^\w.+-]+", "_", name).lstrip(".")[:LONGEST_NAME] or "_"
    return f"_{safe}" if DEVICE.fullmatch(safe) else safe


def without_spaces(name: str) -> str:
    """Return a name as one field of a line."""
    return "_".join(name.split())


def distinct(
    names: Iterable[str], safe: Callable[[str], str], taken: Iterable[str] = ()
) -> dict[str, str]:
    """Return a safe name for each, no two the same: the second of two is numbered.

    Names that differ in letter case or in how letters are encoded count as the same, as they are on
    the disks of Windows and macOS.
    """
    used = {_as_on_disk(name) for name in taken}
    found = {}
    for name in names:
        found[name] = free_name(safe(name), used, as_used=_as_on_disk)
        used.add(_as_on_disk(found[name]))
    return found


def free_name(name: str, used: Container[str], *, as_used: Callable[[str], str] = str) -> str:
    """Return a name, numbered where it is used already in the form that ``as_used`` gives it."""
    number = 1
    free = name
    while as_used(free) in used:
        number += 1
        free = f"{name}_{number}"
    return free


def _as_on_disk(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
