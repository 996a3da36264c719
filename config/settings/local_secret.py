"""A secret that outlives restarts, for installations that set none."""

import os
import secrets
from pathlib import Path


def read_local_secret(path: Path) -> str:
    """Return CONCORD_SECRET_KEY, or the secret stored at path, made when it is missing."""
    given = os.environ.get("CONCORD_SECRET_KEY", "")
    if given:
        return given
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Exclusive creation: two processes that start together must agree on one secret.
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass
    return path.read_text()
