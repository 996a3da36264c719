"""What each chart is called and what it says, for those who do not see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FigureWords:
    """The title of a chart, and its text for who cannot see it."""

    title: str
    alt_text: str


FIGURES = {
    "distributions": FigureWords(
        "How often each point was given",
        "Bars: the share of each point of the scale, by system and dimension.",
    ),
    "means": FigureWords(
        "Mean rating of each system",
        "Points with lines: the mean rating of each system with its 95 per cent interval, by "
        "dimension and group of judges.",
    ),
    "agreement": FigureWords(
        "Agreement of the judges",
        "Points with lines: Krippendorff’s ordinal alpha with its 95 per cent interval, by "
        "dimension and group of judges.",
    ),
    "contrasts": FigureWords(
        "Differences between systems",
        "Points with lines: the mean difference of two systems with its 95 per cent interval, by "
        "dimension; a filled point has p below 0.05 after Holm’s correction.",
    ),
    "correlations": FigureWords(
        "Metrics against people",
        "Shaded cells: Kendall’s tau-b of every metric with every dimension, at system and "
        "summary level.",
    ),
    "strengths": FigureWords(
        "Systems compared",
        "Points with lines: the strength of each system after Bradley and Terry, on the log scale, "
        "with its 95 per cent interval, by dimension and group of judges; the average system is 0.",
    ),
}
