"""Moments as files write them."""

import datetime as dt
from functools import lru_cache


@lru_cache(maxsize=4096)
def moment(text: str) -> dt.datetime | None:
    """Return an ISO 8601 moment as an aware one, UTC where no offset is given; else None.

    Other ways of writing a date are not guessed at: 02/03 is February or March.
    """
    try:
        found = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def seconds(text: str) -> float | None:
    """Return a duration in seconds, or None where there is none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < 1e9 else None
