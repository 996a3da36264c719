"""The methods paragraph of a paper, every number leading to where it comes from.

What nobody has told the study stands in brackets, for a person to fill in.
"""

from collections.abc import Iterable, Iterator

from metrics_app.reports.page.agreement import find
from metrics_app.reports.page.methods_comparisons import comparisons, strengths
from metrics_app.reports.page.methods_conduct import (
    Piece,
    blinding,
    effort,
    excluded_judges,
    exclusion_rules,
    period,
    presentation,
)
from metrics_app.reports.page.numbers import count, interval, number
from metrics_app.reports.page.reading import Reading
from metrics_app.reports.page.words import listed

_ALPHA = {"measurement": "ordinal"}


def methods_pieces(reading: Reading) -> list[Piece]:
    """Return the paragraph in pieces; joined, their texts are the paragraph."""
    if not reading.dimensions and not reading.rows("strengths"):
        return []
    pieces = list(_material(reading))
    if reading.dimensions:
        pieces += [*_judges(reading), *_scales(reading)]
    pieces += [*comparisons(reading), *presentation(reading), *blinding(reading)]
    if reading.dimensions:
        pieces += [*_left_out(reading), *_agreement(reading), *_tests(reading)]
    return [*pieces, *strengths(reading)]


def methods_text(pieces: Iterable[Piece]) -> str:
    """Return the paragraph as plain text."""
    return "".join(piece.text for piece in pieces)


def _material(reading: Reading) -> Iterator[Piece]:
    overview = reading.overview
    n_human = len(overview["human_systems"])
    yield Piece("We evaluated ")
    yield Piece(count(overview["n_systems"]), "overview")
    yield Piece(" systems" if overview["n_systems"] != 1 else " system")
    if n_human:
        yield Piece(f" (the outputs of {n_human} of them written by people)")
    yield Piece(" on ")
    yield Piece(count(overview["n_items"]), "overview")
    yield Piece(" items (chosen by ")
    yield Piece("[say how]")
    yield Piece(f"), {count(overview['n_outputs'])} outputs in all. ")


def _judges(reading: Reading) -> Iterator[Piece]:
    overview = reading.overview
    for place, (group, n_judges) in enumerate(overview["n_judges"].items()):
        low, high = overview["ratings_per_output"][group]
        k = count(low) if low == high else f"{low} to {high}"
        yield Piece("Each output was rated by " if place == 0 else " and by ")
        yield Piece(k, "overview")
        yield Piece(f" of {count(n_judges)} judges ({reading.label(group).lower()})")
    yield Piece(" for ")
    yield Piece(listed([reading.label(d).lower() for d in reading.dimensions]), "distributions")
    yield from period(reading)
    yield Piece(". ")


def _scales(reading: Reading) -> Iterator[Piece]:
    by_scale: dict[str, list[str]] = {}
    for dimension in reading.dimensions:
        by_scale.setdefault(_scale_words(reading, dimension), []).append(dimension)
    for words, dimensions in by_scale.items():
        if len(by_scale) == 1:
            yield Piece(f"The scale was {words}. ")
        else:
            names = listed([reading.label(d).lower() for d in dimensions])
            yield Piece(f"The scale of {names} was {words}. ")


def _scale_words(reading: Reading, dimension: str) -> str:
    scale = reading.overview["scales"][dimension]
    if not scale["points"]:
        return f"from {scale['minimum']:g} to {scale['maximum']:g} ({scale['measurement']})"
    points = [f"{point:g}" for point in scale["points"]]
    if scale["labels"]:
        points = [f"{p} ({label})" for p, label in zip(points, scale["labels"], strict=True)]
    return f"{', '.join(points)} ({scale['measurement']})"


def _left_out(reading: Reading) -> Iterator[Piece]:
    overview = reading.overview
    yield Piece("The analysis rests on ")
    yield Piece(count(overview["n_ratings"]), "overview")
    yield Piece(" ratings")
    if overview["n_missing"]:
        are = "answer is" if overview["n_missing"] == 1 else "answers are"
        yield Piece(f"; {count(overview['n_missing'])} {are} missing")
    for reason, n in overview["n_left_out"].items():
        yield Piece(f"; {count(n)} {'is' if n == 1 else 'are'} left out ({reason})")
    yield Piece(". ")
    yield from excluded_judges(reading)
    yield from exclusion_rules(reading)
    yield from effort(reading)


def _agreement(reading: Reading) -> Iterator[Piece]:
    said = []
    for group in reading.groups:
        row = find(reading, reading.dimension, group, "krippendorff_alpha", _ALPHA)
        if row is not None and row["value"] is not None:
            bounds = f" {interval(row['ci'])}" if row["ci"] else ""
            said.append((reading.label(group).lower(), f"{number(row['value'])}{bounds}"))
    for place, (group, value) in enumerate(said):
        yield Piece("Agreement was α = " if place == 0 else ", ")
        yield Piece(value, "agreement")
        yield Piece(f" ({group})")
    if said:
        n_resamples = count(reading.overview["n_resamples"])
        yield Piece(
            f" on {reading.label(reading.dimension).lower()} (Krippendorff’s ordinal alpha; 95% "
            f"percentile intervals from {n_resamples} resamples of the items). "
        )


def _tests(reading: Reading) -> Iterator[Piece]:
    if reading.rows("ranking"):
        yield Piece(
            "Systems were compared by two-sided Wilcoxon signed-rank tests on their outputs’ mean "
            "ratings of shared items, corrected for all pairs after Holm. "
        )
    if reading.rows("bias"):
        yield Piece(
            "Experts and crowd were compared by one-way analysis of variance on output means. "
        )
    if reading.rows("correlation"):
        yield Piece(
            "Metrics were correlated with people by Kendall’s tau-b of system means and within "
            "items. "
        )
    yield Piece("The design had a power of [say of what size]. ")
    yield Piece("Ethics approval and consent: [say which]. ")
    report = reading.report
    yield Piece(
        f"Concord {report['code_version']}, data {report['data_hash'][:12]}, seed {report['seed']}."
    )
