"""What a job and its page tell each other while SQLite has no room for a word.

SQLite has one writer. A load is one transaction, so that nobody else writes a word until it ends:
not how far it is, and not the wish to cancel it. On SQLite all processes share one machine, and
small files carry both. Nothing rests on them: they are read while a job runs, and forgotten after.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3.base import DatabaseWrapper


@dataclass(frozen=True, slots=True)
class Told:
    """What running work said last, and when; ``attempt`` is whose words these are."""

    attempt: int
    at: datetime
    done: int = 0
    total: int = 0
    stage: str = ""


def is_needed() -> bool:
    """Return whether the database is a file with one writer for all processes."""
    database = connections[DEFAULT_DB_ALIAS]
    return isinstance(database, DatabaseWrapper) and not database.is_in_memory_db()


def folder() -> Path:
    """Return where the files lie: beside the database."""
    return Path(f"{connections[DEFAULT_DB_ALIAS].settings_dict['NAME']}.jobs")


def tell(job_id: int, told: Told) -> None:
    """Say how far the work is; the file is whole at any moment."""
    path = _path(job_id, "told")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps({**asdict(told), "at": told.at.isoformat()}), encoding="utf-8")
    fresh.replace(path)


def hear(job_id: int) -> Told | None:
    """Return what the work said last, or None where it said nothing."""
    try:
        words = json.loads(_path(job_id, "told").read_text(encoding="utf-8"))
        return Told(**{**words, "at": datetime.fromisoformat(words["at"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def ask_to_cancel(job_id: int) -> None:
    """Leave the wish that the work stops."""
    path = _path(job_id, "cancel")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def is_unwanted(job_id: int) -> bool:
    """Return whether somebody left that wish."""
    return _path(job_id, "cancel").exists()


def forget(job_id: int) -> None:
    """Take the files away; a job begins and ends without."""
    for what in ("told", "cancel"):
        with suppress(OSError):
            _path(job_id, what).unlink(missing_ok=True)


def _path(job_id: int, what: str) -> Path:
    return folder() / f"{job_id}.{what}"
