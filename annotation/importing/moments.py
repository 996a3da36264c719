"""Moments as files write them."""

import datetime as dt
import re
from functools import lru_cache

ZONES = {"UTC": 0, "GMT": 0, "PST": -8, "PDT": -7, "EST": -5, "EDT": -4}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Month names are English there, whatever the locale of this machine; strptime would not know.
TURK = re.compile(
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) (?P<day>\d\d?) (?P<time>\d\d:\d\d:\d\d) "
    rf"(?P<zone>{'|'.join(ZONES)}) (?P<year>\d{{4}})"
)


@lru_cache(maxsize=4096)
def moment(text: str) -> dt.datetime | None:
    """Return an ISO 8601 moment as an aware one, UTC where no offset is given; else None.

    So is a moment as Mechanical Turk and Turkle write it, ``Thu Oct 09 07:30:20 PDT 2025``.
    Other ways of writing a date are not guessed at: 02/03 is February or March.
    """
    stripped = text.strip()
    try:
        found = dt.datetime.fromisoformat(stripped)
    except ValueError:
        return _of_turk(stripped)
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _of_turk(text: str) -> dt.datetime | None:
    match = TURK.fullmatch(text)
    if not match or match["month"] not in MONTHS:
        return None
    hour, minute, second = (int(part) for part in match["time"].split(":"))
    zone = dt.timezone(dt.timedelta(hours=ZONES[match["zone"]]))
    month = MONTHS.index(match["month"]) + 1
    try:
        return dt.datetime(
            int(match["year"]), month, int(match["day"]), hour, minute, second, tzinfo=zone
        )
    except ValueError:
        return None


def seconds(text: str) -> float | None:
    """Return a duration in seconds, or None where there is none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < 1e9 else None
