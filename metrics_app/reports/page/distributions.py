"""How often each point was given: one panel a dimension, one bar a system."""

from collections.abc import Iterator
from dataclasses import dataclass

from metrics_app.reports.page.numbers import number, percent, shown
from metrics_app.reports.page.reading import Reading, Row

# The drawing is 330 units wide: names, bars, means.
BAR_START, BAR_WIDTH, ROW, BAR = 92.0, 154.0, 29, 21
LEAST_LABELLED = 0.085
# Shades that the style sheet has, in per cent of the way from the palest to the darkest.
SHADES = (0, 17, 20, 25, 33, 40, 50, 60, 67, 75, 80, 83, 100)


@dataclass(frozen=True, slots=True)
class Segment:
    """The share of one point in one bar."""

    x: str
    width: str
    middle: str
    shade: int
    label: str
    is_dark: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's bar with its mean beside it."""

    system: str
    y: int
    text_y: int
    segments: tuple[Segment, ...]
    mean: str
    half_width: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One dimension's bars."""

    dimension: str
    label: str
    height: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One entry of the legend."""

    shade: int
    label: str


@dataclass(frozen=True, slots=True)
class Legend:
    """The points of one scale, and the dimensions that are rated on it."""

    points: tuple[Point, ...]
    panels: tuple[Panel, ...]


def distribution_panels(reading: Reading) -> list[Legend]:
    """Return the panels by scale; dimensions on a range have no points and are left out."""
    by_scale: dict[tuple[tuple[float, ...], tuple[str, ...]], list[Panel]] = {}
    for dimension in reading.dimensions:
        scale = reading.overview["scales"][dimension]
        rows = reading.rows("means", dimension=dimension, group=reading.group)
        if scale["points"] and rows:
            key = (tuple(scale["points"]), tuple(scale["labels"]))
            by_scale.setdefault(key, []).append(_panel(reading, dimension, rows))
    return [
        Legend(tuple(_points(points, labels)), tuple(panels))
        for (points, labels), panels in by_scale.items()
    ]


def _points(values: tuple[float, ...], labels: tuple[str, ...]) -> Iterator[Point]:
    for place, value in enumerate(values):
        words = f" {labels[place]}" if labels else ""
        yield Point(shade(place, len(values)), f"{value:g}{words}")


def shade(place: int, n_points: int) -> int:
    """Return the shade of the point at a place, the nearest that the style sheet has."""
    share = 100 * place / max(n_points - 1, 1)
    return min(SHADES, key=lambda known: abs(known - share))


def _panel(reading: Reading, dimension: str, rows: list[Row]) -> Panel:
    bars = tuple(_bar(row, place) for place, row in enumerate(rows))
    return Panel(dimension, reading.label(dimension), 8 + ROW * len(bars), bars)


def _bar(row: Row, place: int) -> Bar:
    top = 8 + ROW * place
    mean = shown(row["mean"], reason=row["undefined"])
    ci = row["ci"]
    return Bar(
        system=_short(row["system"]),
        y=top,
        text_y=top + 15,
        segments=tuple(_segments(row["shares"])),
        mean=mean.text,
        half_width=f"±{number((ci[1] - ci[0]) / 2)}" if ci else "",
    )


def _segments(shares: dict[str, float]) -> Iterator[Segment]:
    start = BAR_START
    for place, share in enumerate(shares.values()):
        width = share * BAR_WIDTH
        if share:
            tone = shade(place, len(shares))
            label = percent(share) if share >= LEAST_LABELLED else ""
            # A gap of one unit parts neighbours without an outline.
            yield Segment(
                f"{start:.1f}", f"{max(width - 1, 0.5):.1f}", f"{start + width / 2:.1f}",
                tone, label, is_dark=tone > 50,
            )  # fmt: skip
        start += width


def _short(name: str, longest: int = 15) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
