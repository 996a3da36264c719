"""Typed readers of the environment; a wrong value stops the start."""

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;"
    "PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456;"
)


def read_text(name: str, *, default: str) -> str:
    """Return the variable as it is."""
    return os.environ.get(name, default)


def read_file(path: Path) -> str:
    """Return the text of the file, or nothing where there is none."""
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def read_required(name: str) -> str:
    """Return the variable, or stop the start when it is missing."""
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"{name} is not set")
    return value


def read_bool(name: str, *, default: bool) -> bool:
    """Return the variable as a truth value."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    try:
        return _BOOLEANS[raw.strip().lower()]
    except KeyError:
        raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}") from None


def read_int(name: str, *, default: int) -> int:
    """Return the variable as a whole number."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    try:
        return int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}") from None


def read_list(name: str, *, default: list[str]) -> list[str]:
    """Return the comma-separated variable as a list."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    return [part.strip() for part in raw.split(",") if part.strip()]


def read_pairs(name: str) -> dict[str, str]:
    """Return a variable such as ``bert=/srv/bert,gpt2=/srv/gpt2`` as a mapping."""
    pairs = [part.partition("=") for part in read_list(name, default=[])]
    for key, equals, value in pairs:
        if not (key and equals and value):
            raise ImproperlyConfigured(f"{name} must be name=folder,name=folder, not {key!r}")
    return {key.strip(): value.strip() for key, _, value in pairs}


def read_database(name: str, *, default: Path) -> dict[str, object]:
    """Return Django's settings for ``postgres://user:password@host:port/name`` or SQLite."""
    raw = os.environ.get(name, "")
    if not raw:
        return _sqlite(default)
    url = urlsplit(raw)
    if url.scheme == "sqlite":
        return _sqlite(Path(url.path))
    if url.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"{name} must begin with postgres:// or sqlite:///, not {raw!r}")
    query = dict(parse_qsl(url.query))
    return {
        "ENGINE": "config.postgres",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": query.pop("host", unquote(url.hostname or "")),
        "PORT": str(url.port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": query,
    }


def _sqlite(path: Path) -> dict[str, object]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise ImproperlyConfigured(
            f"The folder {path.parent} of the database cannot be made ({fault.strerror}); "
            "CONCORD_VAR or DATABASE_URL names another one."
        ) from None
    # Immediate transactions: a reader that turns writer would otherwise fail at once,
    # whatever the timeout.
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": _SQLITE_PRAGMAS,
        },
    }
