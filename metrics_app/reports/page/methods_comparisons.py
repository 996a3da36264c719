"""What the methods paragraph says of comparisons: who compared what, and how it was analysed."""

from collections.abc import Iterator

from metrics_app.reports.page.methods_conduct import Piece
from metrics_app.reports.page.numbers import count, interval, number
from metrics_app.reports.page.reading import Reading
from metrics_app.reports.page.words import listed

_ASKED = {"choice": "pairs of outputs", "best": "sets of outputs, for the best and the worst"}


def comparisons(reading: Reading) -> Iterator[Piece]:
    """Yield how many comparisons were made on what, by how many judges."""
    if not reading.rows("strengths"):
        return
    also = "also compared" if reading.dimensions else "compared"
    yield Piece(count(reading.overview["n_judges_comparing"]), "comparisons")
    yield Piece(f" judges {also} outputs of an item with each other, ")
    yield Piece(count(reading.overview["n_comparisons"]), "comparisons")
    yield Piece(" times in all: ")
    yield Piece(listed([_asked(reading, dimension) for dimension in _compared(reading)]))
    yield Piece(". ")


def strengths(reading: Reading) -> Iterator[Piece]:
    """Yield the model of the strengths, and how far judges chose alike."""
    if not reading.rows("strengths"):
        return
    resamples = count(reading.overview["n_resamples"])
    yield Piece(
        "From the comparisons we estimated strengths in the model of Bradley and Terry by maximum "
        "likelihood, a tie counting one half for either and the best of a set as preferred to all "
        f"others in it, with 95% percentile intervals from {resamples} resamples of the items. "
    )
    said = [
        (f"{reading.label(row['dimension'])}, {reading.label(row['group']).lower()}", row)
        for row in reading.rows("choice_agreement", statistic="krippendorff_alpha")
        if row["value"] is not None and row["scope"] in _ASKED
    ]
    for place, (name, row) in enumerate(said):
        yield Piece("Choices agreed with α = " if place == 0 else ", ")
        bounds = f" {interval(row['ci'])}" if row["ci"] else ""
        yield Piece(f"{number(row['value'])}{bounds}", "comparisons")
        yield Piece(f" ({name})")
    if said:
        yield Piece(" (Krippendorff’s nominal alpha). ")


def _compared(reading: Reading) -> list[str]:
    return list(dict.fromkeys(row["dimension"] for row in reading.rows("strengths")))


def _asked(reading: Reading, dimension: str) -> str:
    scopes = {row["scope"] for row in reading.rows("choice_agreement", dimension=dimension)}
    asked = next((words for scope, words in _ASKED.items() if scope in scopes), "outputs")
    return f"{asked} ({reading.label(dimension).lower()})"
