"""Comparisons on the judge's page: rows of radio buttons that name outputs by their letters."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.design.choices import LETTERS
from annotation.enums import DimensionKind
from annotation.models import Dimension

# The suffixes of the two fields of a choice of best and worst.
BEST, WORST = ".best", ".worst"


@dataclass(frozen=True, slots=True)
class Option:
    """One radio button: its value, its words, the digit and the letter that choose it."""

    value: str
    label: str
    key: str
    letter: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Radio buttons of which one is chosen: the suffix of their field, and what they choose."""

    suffix: str
    label: str
    options: list[Option]


def rows_of(dimension: Dimension, *, n_members: int, chosen: str) -> list[Row]:
    """Return the rows that ask for a choice; ``chosen`` is the stored one, such as ``A>B``."""
    if dimension.kind == DimensionKind.PAIRWISE:
        return [_pair(dimension, chosen)]
    best, _sign, worst = chosen.partition(">")
    return [
        _letters(BEST, _("Best"), n_members, best),
        _letters(WORST, _("Worst"), n_members, worst),
    ]


def _pair(dimension: Dimension, chosen: str) -> Row:
    words = [
        ("A>B", _("{letter} is better").format(letter="A"), "a"),
        ("B>A", _("{letter} is better").format(letter="B"), "b"),
        ("A=B", _("No difference"), "="),
    ]
    shown = words if dimension.allows_tie else words[:2]
    options = [
        Option(value, label, str(key), letter, value == chosen)
        for key, (value, label, letter) in enumerate(shown, start=1)
    ]
    return Row("", "", options)


def _letters(suffix: str, label: str, n_members: int, chosen: str) -> Row:
    options = [
        Option(letter, label, str(key), "", letter == chosen)
        for key, letter in enumerate(LETTERS[:n_members], start=1)
    ]
    return Row(suffix, label, options)
