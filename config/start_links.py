"""Sign-in links that are good for one start of `make run`, and the proof that one is.

The launcher makes a key for every start and gives it to the web server in CONCORD_START_KEY.
Without that key, as on a server, no link is ever accepted.
"""

import os

from django.core.signing import BadSignature, Signer

KEY_NAME = "CONCORD_START_KEY"
ROLES = ("judge", "researcher", "administrator")


def make_link(role: str) -> str:
    """Return the path that signs its visitor in as the role: ``/start/<role>/<token>/``.

    Raises
    ------
    ValueError
        Where there is no such role, or no key of this start.
    """
    if role not in ROLES:
        raise ValueError(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    signer = _signer()
    if signer is None:
        raise ValueError(f"{KEY_NAME} is not set: links are made by `make run` only")
    return f"/start/{role}/{signer.sign(role)}/"


def read_link(token: str) -> str | None:
    """Return the role that the token stands for, or None where this start did not make it."""
    signer = _signer()
    if signer is None:
        return None
    try:
        role = signer.unsign(token)
    except BadSignature:
        return None
    return role if role in ROLES else None


def _signer() -> Signer | None:
    key = os.environ.get(KEY_NAME, "")
    # No fallback keys: a link of an earlier start, or one made with another secret, is void.
    return Signer(key=key, salt="concord.start-link", fallback_keys=[]) if key else None
