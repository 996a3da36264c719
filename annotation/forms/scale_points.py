"""The points of a scale as lines of text, each a number and its words."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

# More points than this fit neither a row of buttons nor a head: a range is meant.
MAX_POINTS = 20


def read_points(text: str) -> list[tuple[float, str]]:
    """Return the points that lines describe, each a number and its words.

    Raises
    ------
    ValidationError
        With the line, what is wrong with it, and how it should be.
    """
    points: list[tuple[float, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        value, label = _read_point(line, number)
        if value in dict(points):
            raise ValidationError(
                _("Line %(number)s: the point %(value)s stands there already."),
                params={"number": number, "value": f"{value:.15g}"},
            )
        points.append((value, label))
    if len(points) > MAX_POINTS:
        raise ValidationError(
            _("A scale has at most %(most)s points; for more choose a number in a range."),
            params={"most": MAX_POINTS},
        )
    return points


def _read_point(line: str, number: int) -> tuple[float, str]:
    head, *rest = line.split(maxsplit=1)
    label = rest[0].strip() if rest else ""
    try:
        value = float(head.rstrip(".:=)"))
    except ValueError:
        value = float("nan")
    if not abs(value) <= 1e9:
        raise ValidationError(
            _("Line %(number)s begins with “%(head)s”, not with a number: 3 Good."),
            params={"number": number, "head": head[:20]},
        )
    if len(label) > 80:
        raise ValidationError(
            _("Line %(number)s: the words of a point have at most 80 characters."),
            params={"number": number},
        )
    return value, label
