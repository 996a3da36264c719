"""What stands in a cell where a number is due, in words that help to mend it."""

import re
from collections.abc import Callable

from annotation.importing.suspicions import without_invisible
from annotation.importing.values import number

MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
DATE = (
    r"\d{4}-\d\d?-\d\d?([T ][\d:.]+)?"
    rf"|\d{{1,2}}[./ -]?{MONTH}[a-z]*\.?|{MONTH}[a-z]*[./ -]\d{{1,4}}"
)


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


# The first that holds is said.
KINDS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (_matches(r"#.*[!?]"), "is the error of a formula in a spreadsheet."),
    (
        lambda text: number(text) is not None,
        "is written with an exponent, as no judge answers on a scale of points.",
    ),
    (
        _matches(r"\d{1,3}(,\d{3})+"),
        "has a comma between its thousands, or in place of the decimal point.",
    ),
    (
        lambda text: number(text, decimal_comma=True) is not None,
        "has a decimal comma where the file has decimal points.",
    ),
    (lambda text: number(text.removesuffix("%")) is not None, "has a percent sign."),
    (
        lambda text: text.isdigit() and not text.isascii(),
        "is written in the digits of another script.",
    ),
    (
        _matches(r"\d{1,3}([ '’\u00a0\u202f]\d{3})+([.,]\d+)?|\d{1,3}((\.\d{3})+,|(,\d{3})+\.)\d+"),
        "has signs between its thousands.",
    ),
    (_matches(DATE), "is a date; a spreadsheet may have made it of a number."),
    (_matches(r"\d+([.,]\d+)?\s*(/|of|out of|von|sur)\s*\d+"), "is a fraction."),
    (_matches(r"\d+([.,]\d+)?\s*(-|–|to|bis)\s*\d+"), "is a range; one number is due."),
    (_matches(r"['’]\d+([.,]\d+)?|=.+"), "is a spreadsheet's way to write it."),
    (_matches(r"\d+\s*[-–=:.)(]*\s*[^\W\d_].*"), "is a number with a label."),
)


def not_a_number(cell: str) -> str:
    """Return what is wrong with a cell that should be a number."""
    text = cell.strip()
    if (plain := without_invisible(text)) != text and number(plain) is not None:
        return f"{text!a} holds a sign that is not seen."
    said = next((said for holds, said in KINDS if holds(text)), "is not a plain number.")
    return f"{text!r} {said}"
