"""Scales as they are written on a command line."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.importing.rows import ScaleRule
from metrics_app.stats.scales import MEASUREMENTS, Measurement, Scale

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_STEPS = re.compile(rf"({_NUMBER})-({_NUMBER})")
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")
_MOST_POINTS = 101
HOW = (
    "Write 1-5 for the points 1, 2, 3, 4, 5; 1,2,4 for points of your own; 0..100 for a range; "
    "append :nominal, :interval or :ratio where it is not ordinal; put coherence=1-5 for one "
    "dimension."
)


@dataclass(frozen=True, slots=True)
class DeclaredScales:
    """One scale for all dimensions, and scales of single ones that go before it."""

    every: Scale | None = None
    by_dimension: dict[str, Scale] = field(default_factory=dict)

    def of(self, dimension: str) -> Scale | None:
        """Return the scale of a dimension, None where none is declared."""
        return self.by_dimension.get(dimension, self.every)


def read_scales(texts: Iterable[str]) -> DeclaredScales:
    """Return the scales of texts such as ``1-5`` and ``fluency=1-6:interval``.

    Raises
    ------
    ValueError
        For a text that is no scale, or a second scale for the same thing.
    """
    every: Scale | None = None
    by_dimension: dict[str, Scale] = {}
    for text in texts:
        dimension, equals, words = text.rpartition("=")
        scale = read_scale(words)
        is_second = dimension in by_dimension if equals else every is not None
        if is_second:
            raise ValueError(f"the scale {text!r} is the second one for the same dimensions")
        if equals:
            by_dimension[dimension] = scale
        else:
            every = scale
    return DeclaredScales(every, by_dimension)


def read_scale(text: str) -> Scale:
    """Return the scale of a text such as ``1-5``, ``1,2,4``, ``0..100`` or ``0-1:nominal``."""
    body, colon, measurement = text.strip().partition(":")
    if colon and measurement not in MEASUREMENTS:
        raise ValueError(f"{text!r}: {measurement!r} is not one of {', '.join(MEASUREMENTS)}")
    try:
        return _scale(body.strip(), measurement)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a scale: {error}. {HOW}") from None


def _scale(body: str, measurement: str) -> Scale:
    chosen: dict[str, Measurement] = {name: name for name in MEASUREMENTS}
    if found := _RANGE.fullmatch(body):
        level = chosen.get(measurement, "interval")
        return Scale.range(float(found[1]), float(found[2]), measurement=level)
    level = chosen.get(measurement, "ordinal")
    if found := _STEPS.fullmatch(body):
        low, high = float(found[1]), float(found[2])
        n_points = high - low + 1
        if n_points != int(n_points) or not 2 <= n_points <= _MOST_POINTS:
            raise ValueError(f"{body} does not go up in 2 to {_MOST_POINTS} whole steps")
        return Scale.points((low + step for step in range(int(n_points))), measurement=level)
    return Scale.points((float(part) for part in body.split(",")), measurement=level)


def as_rule(scale: Scale) -> ScaleRule:
    """Return the scale as the importer holds rows to it."""
    if scale.is_range:
        return ScaleRule(minimum=scale.minimum, maximum=scale.maximum, step=scale.step or 0.0)
    words = dict(zip(scale.labels, scale.values, strict=True)) if scale.labels else {}
    return ScaleRule(points=scale.values, words=words)
