"""Which delimiter a table uses, and whether its first row names the columns."""

import csv
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from io import StringIO
from itertools import islice
from typing import Any

CANDIDATES = ("\t", ",", ";", "|")
RARE = ("^", "~", "\x01", "\x1e", "\x1f", "\u00a6", "#", ":", "!")
N_LINES = 200
HEAD = 1 << 16  # characters that are looked at
INVISIBLE = "\ufeff\u200b\u2060 \t\r\n"
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?%?")
SECOND = re.compile(r"1\d{9}(\d{3}|\.\d+)?")  # since 1970, or a thousandth of one


def guess_delimiter(head: str, known: frozenset[str] = frozenset()) -> str:
    """Return the candidate that cuts the first records into most, and most equal, pieces.

    Records, not lines, are counted, so that delimiters inside quoted texts do not count. A rare
    sign is one only where it cuts the first line into known column names.
    """
    if rare := _rare_delimiter(head, known) or _space(head, known):
        return rare
    widths = {delimiter: _widths(head, delimiter) for delimiter in CANDIDATES}
    # Lines before the column names, such as a title, hold no delimiter.
    for named_by in (_first, _commonest):
        best, best_rank = "", (0.0, 0)
        for delimiter, found in widths.items():
            named = named_by(found)
            if named > 1:
                alike = found.count(named) / len(found)
                rank = (round(alike, 1) if alike >= 0.5 else 0.1, named)
                if rank > best_rank:
                    best, best_rank = delimiter, rank
        if best:
            return best
    return ","


def _rare_delimiter(head: str, known: frozenset[str]) -> str:
    """Return the rare sign that stands between known column names, if no common one does."""
    first = head.lstrip("\ufeff").partition("\n")[0].strip()
    if not any(sign in first for sign in CANDIDATES):
        for sign in RARE:
            if sum(fold(name.strip('"')) in known for name in first.split(sign)) > 1:
                return sign
    return ""


def _space(head: str, known: frozenset[str]) -> str:
    """Return a space where it parts the cells, as R writes tables.

    Names are known, all rows are even, and quotes or a column of numbers tell them from sentences.
    A row may have one cell more than there are names: its own name.
    """
    first, _, rest = head.lstrip("\ufeff").partition("\n")
    names = first.replace('"', "").split()
    if any(sign in first for sign in CANDIDATES) or sum(fold(name) in known for name in names) < 2:
        return ""
    rows = _rows(rest, " ")
    n_cells = set(map(len, rows))
    if len(n_cells) != 1 or n_cells.pop() - len(names) not in {0, 1}:
        return ""
    has_numbers = any(all(map(NUMBER.fullmatch, column)) for column in zip(*rows, strict=True))
    return " " if first.startswith('"') or has_numbers else ""


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the first rows of a text; those that stand in broken quotes are none."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [row for row in islice(reader, N_LINES) if row]
    except csv.Error:
        return []


def _first(widths: list[int]) -> int:
    return widths[0] if widths else 0


def _commonest(widths: list[int]) -> int:
    return Counter(widths).most_common(1)[0][0] if widths else 0


def _widths(head: str, delimiter: str) -> list[int]:
    if rows := _rows(head, delimiter):
        return list(map(len, rows))
    lines = head.splitlines()
    return [line.count(delimiter) + 1 for line in lines[:N_LINES] if line.strip()]


# How tables are quoted that do not follow RFC 4180: how the csv module reads them, what is a sign
# of it in the text, and what it is in words.
ODD_QUOTES: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"skipinitialspace": True}, ', "', "Spaces stand between the delimiters and the quotes."),
    ({"escapechar": "\\"}, '\\"', 'Quotes in the texts are written \\".'),
    ({"quotechar": "'"}, "'", "The fields stand in apostrophes."),
)


def odd_quotes(head: str, delimiter: str) -> tuple[dict[str, Any], str]:
    """Return how a table is quoted that is not quoted by the standard; nothing where it is.

    A way is taken only where it cuts all records of the head into equally many cells, and the
    standard one does not.
    """
    if '"' not in head and "'" not in head:
        return {}, ""
    if _is_even(head, delimiter, {}) and not head.lstrip("\ufeff").startswith("'"):
        return {}, ""
    for way, sign, words in ODD_QUOTES:
        starts = head.lstrip("\ufeff").startswith("'") if sign == "'" else sign in head
        if starts and _is_even(head, delimiter, way):
            return way, words
    return {}, ""


def _is_even(head: str, delimiter: str, way: dict[str, Any]) -> bool:
    """Whether all records have as many cells as the first one; a head may be cut off in one."""
    widths: list[int] = []
    lines = StringIO(head, newline="")
    try:
        reader = csv.reader(lines, delimiter=delimiter, strict=True, **way)
        widths += [len(row) for row in reader if row]
    except csv.Error as error:
        if "unexpected end" not in str(error) or len(head) < HEAD:
            return False
    return len(set(widths)) == 1 and widths[0] > 1


def declared_delimiter(head: str) -> tuple[str, int]:
    """Return what a first line such as ``sep=;`` declares, and the number of lines it takes."""
    first = head.split("\n", 1)[0].strip('\r\n\ufeff "')
    if first.lower().startswith("sep=") and len(first) <= 5:
        return (first[4:] or ","), 1
    return "", 0


def header_at(rows: list[list[str]], known: frozenset[str]) -> int:
    """Return which of the first rows names the columns; titles may stand before it."""
    n_known = [sum(fold(cell) in known for cell in row) for row in rows]
    if n_known[0]:
        return 0
    at = next((at for at, n in enumerate(n_known) if n > 1), 0)
    n_filled = [sum(bool(cell.strip()) for cell in row) for row in rows[: at + 1]]
    return at if all(n < n_filled[at] for n in n_filled[:at]) else 0


def looks_like_data(first: list[str], known: frozenset[str]) -> bool:
    """Whether the first row is data rather than names.

    It is, where no cell is a known column name and some cell is a number or a long text; and where
    some cell is the number of a second, as no column is called.
    """
    cells = [cell.strip() for cell in first]
    if any(SECOND.fullmatch(cell) for cell in cells):
        return True
    if any(fold(cell) in known for cell in cells):
        return False
    return any(NUMBER.fullmatch(cell) or len(cell) > 80 for cell in cells)


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return a column name as names are compared: lower case, words joined by underscores."""
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip().strip(INVISIBLE))
    return re.sub(r"[\s\-_./:]+", "_", spaced).strip("_").lower()
